//! The guided set-up of a first run: server, the variable of its key, a model from the server's list.

use crate::base::Report;
use crate::domain::{Key, KeyCode};

use super::{Draft, WindowAction};

/// The server that is offered first: what most local model servers listen on.
const DEFAULT_URL: &str = "http://127.0.0.1:8080/v1";

/// How far the set-up has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupStep {
    /// Asks for the server.
    Url,
    /// Asks for the variable that holds the key.
    KeyName,
    /// The server is being asked for its models.
    Asking,
    /// A model is chosen.
    Model,
    /// The choice is being written.
    Saving,
}

/// The set-up.
#[derive(Debug)]
pub struct Setup {
    /// How far it has come.
    pub step: SetupStep,
    /// The server.
    pub url: Draft,
    /// The variable that holds the key; empty for none.
    pub key_name: Draft,
    /// Models that the server offers.
    pub models: Vec<String>,
    /// Which of them is chosen.
    pub chosen: usize,
    /// What went wrong last.
    pub error: Option<Report>,
    /// The offered address stands there untouched: what is typed or pasted takes its place.
    offered: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            step: SetupStep::Url,
            url: Draft::field(DEFAULT_URL),
            key_name: Draft::field(""),
            models: Vec::new(),
            chosen: 0,
            error: None,
            offered: true,
        }
    }
}

impl Setup {
    /// The field that text goes to.
    pub(super) fn text(&mut self) -> Option<&mut Draft> {
        match self.step {
            SetupStep::Url => {
                if std::mem::take(&mut self.offered) {
                    self.url.take();
                }
                Some(&mut self.url)
            }
            SetupStep::KeyName => Some(&mut self.key_name),
            _ => None,
        }
    }

    fn server(&self) -> (String, Option<String>) {
        let key = self.key_name.text().trim().to_owned();
        (self.url.text().trim().trim_end_matches('/').to_owned(), (!key.is_empty()).then_some(key))
    }

    /// A key while it is open. None when the person skips it.
    pub(super) fn key(mut self, key: Key) -> (Option<Self>, Vec<WindowAction>) {
        let last = self.models.len().saturating_sub(1);
        match (self.step, key.code) {
            (_, KeyCode::Esc) => return (None, Vec::new()),
            (SetupStep::Url, KeyCode::Enter) => {
                let (url, _) = self.server();
                let fits =
                    ["http://", "https://"].iter().any(|s| url.strip_prefix(s).is_some_and(|rest| !rest.is_empty()));
                self.error = (!fits).then(|| Report::usage("a server's address begins with `http://` or `https://`"));
                if fits {
                    self.step = SetupStep::KeyName;
                }
            }
            (SetupStep::KeyName, KeyCode::Enter) => {
                let name = self.key_name.text();
                let fits = name.trim().chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                    && !name.trim().starts_with(|c: char| c.is_ascii_digit());
                if !fits {
                    self.error =
                        Some(Report::usage("type the variable's name, such as `LOCAL_KEY`, never the key itself"));
                    return (Some(self), Vec::new());
                }
                self.error = None;
                self.step = SetupStep::Asking;
                let (base_url, key_env) = self.server();
                return (Some(self), vec![WindowAction::ListModels { base_url, key_env }]);
            }
            (SetupStep::KeyName, KeyCode::BackTab | KeyCode::Up) => self.step = SetupStep::Url,
            (SetupStep::Model, KeyCode::Up | KeyCode::Char('k')) => self.chosen = self.chosen.saturating_sub(1),
            (SetupStep::Model, KeyCode::Down | KeyCode::Char('j')) => self.chosen = (self.chosen + 1).min(last),
            (SetupStep::Model, KeyCode::BackTab | KeyCode::Backspace) => self.step = SetupStep::Url,
            (SetupStep::Model, KeyCode::Enter) => {
                let Some(model) = self.models.get(self.chosen).cloned() else { return (Some(self), Vec::new()) };
                self.step = SetupStep::Saving;
                let (base_url, key_env) = self.server();
                let save = WindowAction::SaveProvider { name: name_of(&base_url), base_url, key_env, model };
                return (Some(self), vec![save]);
            }
            // Moving in the offered address, or deleting from it, keeps it.
            (SetupStep::Url, code) if !matches!(code, KeyCode::Char(_)) || key.modifiers.ctrl || key.modifiers.alt => {
                self.offered = false;
                self.url.key(key);
                self.error = None;
            }
            _ => {
                if let Some(draft) = self.text() {
                    draft.key(key);
                    self.error = None;
                }
            }
        }
        (Some(self), Vec::new())
    }

    /// The server has answered, or not.
    pub(super) fn models(&mut self, models: Result<Vec<String>, Report>) {
        if self.step != SetupStep::Asking {
            return;
        }
        match models {
            Ok(models) if models.is_empty() => {
                self.step = SetupStep::Url;
                self.error =
                    Some(Report::refused("the server offers no model").hint("load one there, then press Enter again"));
            }
            Ok(models) => {
                self.models = models;
                self.chosen = 0;
                self.step = SetupStep::Model;
            }
            Err(report) => {
                self.step = SetupStep::Url;
                self.error = Some(report);
            }
        }
    }

    /// It was saved, or not. What to say when it is over.
    pub(super) fn saved(&mut self, saved: Result<(), Report>) -> Option<Report> {
        match saved {
            Ok(()) => Some(
                Report::done("the model server is set up")
                    .hint("`/lane new api` makes your first lane; then type what it is to do"),
            ),
            Err(report) => {
                self.step = SetupStep::Model;
                self.error = Some(report);
                None
            }
        }
    }
}

/// A name for the provider: `local` for this machine, else the server's host.
fn name_of(url: &str) -> String {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.split(['/', '?']).next().unwrap_or(host);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let bare =
        host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit())).map_or(host, |(h, _)| h);
    if matches!(bare, "localhost" | "[::1]") || bare.starts_with("127.") {
        return "local".to_owned();
    }
    let name: String =
        bare.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "server".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(setup: Setup, code: KeyCode) -> (Setup, Vec<WindowAction>) {
        let (setup, actions) = setup.key(Key::plain(code));
        (setup.unwrap(), actions)
    }

    #[test]
    fn the_steps_lead_to_a_saved_provider() {
        let (setup, _) = press(Setup::default(), KeyCode::Enter);
        let (mut setup, actions) = press(setup, KeyCode::Enter);
        assert_eq!(actions, [WindowAction::ListModels { base_url: DEFAULT_URL.into(), key_env: None }]);
        setup.models(Ok(vec!["small".into(), "large".into()]));
        let (setup, _) = press(setup, KeyCode::Down);
        let (mut setup, actions) = press(setup, KeyCode::Enter);
        let save = WindowAction::SaveProvider {
            name: "local".into(),
            base_url: DEFAULT_URL.into(),
            key_env: None,
            model: "large".into(),
        };
        assert_eq!(actions, [save]);
        assert!(setup.saved(Ok(())).is_some());
    }

    #[test]
    fn what_is_typed_takes_the_place_of_the_offered_address() {
        let (setup, _) = press(Setup::default(), KeyCode::Char('h'));
        let (setup, _) = press(setup, KeyCode::Char('t'));
        assert_eq!(setup.url.text(), "ht");
        let (setup, _) = press(Setup::default(), KeyCode::Backspace);
        let (setup, _) = press(setup, KeyCode::Char('2'));
        assert_eq!(setup.url.text(), "http://127.0.0.1:8080/v2", "who edits it keeps the rest");
    }

    #[test]
    fn a_key_is_not_taken_for_a_variable() {
        let mut setup = Setup { step: SetupStep::KeyName, ..Setup::default() };
        setup.key_name.set("sk-secret-1234");
        let (setup, actions) = press(setup, KeyCode::Enter);
        assert!(actions.is_empty() && setup.error.is_some());
    }

    #[test]
    fn a_dead_server_leads_back_to_its_address() {
        let mut setup = Setup { step: SetupStep::Asking, ..Setup::default() };
        setup.models(Err(Report::internal("cannot reach it")));
        assert_eq!(setup.step, SetupStep::Url);
        assert!(setup.error.is_some());
    }

    #[test]
    fn providers_are_named_after_their_host() {
        assert_eq!(name_of("http://127.0.0.1:8080/v1"), "local");
        assert_eq!(name_of("https://models.example.com/v1"), "models-example-com");
        assert_eq!(name_of("http://[::1]:8080"), "local");
    }
}
