//! What stands over everything else: one overlay at a time, which takes the keys until it closes.

use crate::app::select::Plan;
use crate::app::{State, Untrusted, UntrustedConfig};
use crate::command::{Selector, parse_line};
use crate::domain::{AnswerScope, ApprovalId, Key, KeyCode, LaneId, LaneName, LaneState};

use super::{Ask, Board, Draft, Found, Palette, Points, Reader, Setup, WindowAction, commands};

/// The overlay that is open.
#[derive(Debug)]
pub enum Overlay {
    /// A long text.
    Reader(Reader),
    /// The command palette.
    Palette(Palette),
    /// A question for one text.
    Ask(Ask),
    /// A question for yes or no.
    Confirm(Confirm),
    /// A new lane.
    NewLane(LaneForm),
    /// A lane by number or part of its name.
    Picker(LanePicker),
    /// A project's configuration that is not trusted.
    Trust(TrustDialog),
    /// The guided set-up.
    Setup(Setup),
    /// Where words stand in all lanes.
    Found(Found),
    /// A lane's checkpoints.
    Points(Points),
    /// The board of issues.
    Board(Board),
}

/// A question for yes or no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confirm {
    /// Remember this exact call for good?
    Always(ApprovalId),
    /// Close this lane?
    Close(LaneId),
    /// End the workstation although something runs?
    Quit,
    /// Do this to all of these lanes?
    Bulk(Plan),
}

impl Confirm {
    /// A key while it is open: whether it stays, and what is done.
    pub(super) fn key(&self, state: &State, key: Key) -> (bool, Vec<WindowAction>) {
        let yes = matches!(key.code, KeyCode::Enter | KeyCode::Char('y'));
        match (self, key.code) {
            (_, KeyCode::Esc | KeyCode::Char('n')) => (false, Vec::new()),
            (Self::Quit, KeyCode::Char('d')) => (false, vec![WindowAction::Detach]),
            (Self::Quit, KeyCode::Char('y')) => (false, vec![WindowAction::Quit]),
            (Self::Always(id), _) if yes => (false, vec![commands::allow(*id, AnswerScope::Always)]),
            (Self::Close(lane), _) if yes => {
                let lane = Some(state.model.name(*lane));
                (false, vec![commands::run(crate::command::Invocation::LaneClose { lane, keep_branch: false })])
            }
            (Self::Bulk(plan), _) if yes => {
                let select = Selector { names: plan.lanes.clone(), ..Selector::default() };
                let deed = plan.deed.clone();
                (false, vec![commands::run(crate::command::Invocation::Bulk { select, deed, yes: true })])
            }
            _ => (true, Vec::new()),
        }
    }
}

/// Whether anything would be cut by ending the workstation.
#[must_use]
pub(super) fn anything_runs(state: &State) -> bool {
    state.model.open_lanes().any(|lane| {
        state.model.active_prompt(lane.id).is_some()
            || state.live(lane.id).is_some_and(|l| l.pane_running || l.busy.is_some() || l.jobs > 0)
    })
}

/// The fields of a new lane.
#[derive(Debug)]
pub struct LaneForm {
    /// Its name.
    pub name: Draft,
    /// Whether it runs a command instead of our own agent.
    pub pane: bool,
    /// The command.
    pub command: Draft,
    /// Which field is edited: name, session, command.
    pub field: usize,
    /// Why the form cannot be taken as it stands.
    pub error: Option<String>,
}

impl Default for LaneForm {
    fn default() -> Self {
        Self { name: Draft::field(""), pane: false, command: Draft::field(""), field: 0, error: None }
    }
}

impl LaneForm {
    /// The field that text goes to.
    pub(super) fn text(&mut self) -> Option<&mut Draft> {
        match self.field {
            0 => Some(&mut self.name),
            2 => Some(&mut self.command),
            _ => None,
        }
    }

    pub(super) fn key(mut self, state: &State, key: Key) -> (Option<Self>, Vec<WindowAction>) {
        let fields = if self.pane { 3 } else { 2 };
        self.error = None;
        match key.code {
            KeyCode::Esc => return (None, Vec::new()),
            KeyCode::Tab | KeyCode::Down => self.field = (self.field + 1) % fields,
            KeyCode::BackTab | KeyCode::Up => self.field = (self.field + fields - 1) % fields,
            KeyCode::Enter => match self.line(state) {
                Ok(action) => return (None, vec![action]),
                Err(error) => self.error = Some(error),
            },
            KeyCode::Left | KeyCode::Right | KeyCode::Char(' ') if self.field == 1 => self.pane = !self.pane,
            KeyCode::Char('a') if self.field == 1 => self.pane = false,
            KeyCode::Char('c') if self.field == 1 => self.pane = true,
            _ => {
                if let Some(draft) = self.text() {
                    draft.key(key);
                }
            }
        }
        (Some(self), Vec::new())
    }

    /// The same line that a person would type, so that form and command cannot differ.
    fn line(&mut self, state: &State) -> Result<WindowAction, String> {
        let name = self.name.text();
        let name: LaneName = name.trim().parse().map_err(|e: crate::domain::LaneNameError| {
            self.field = 0;
            e.rule.to_owned()
        })?;
        if state.model.lane_named(name.as_str()).is_some() {
            self.field = 0;
            return Err(format!("there is already a lane `{name}`"));
        }
        let command = self.command.text();
        if self.pane && command.trim().is_empty() {
            self.field = 2;
            return Err("type the command that runs in the lane, such as `bash`".to_owned());
        }
        let typed =
            if self.pane { format!("/lane new {name} -- {}", command.trim()) } else { format!("/lane new {name}") };
        let invocation = parse_line(&typed).map_err(|report| report.message)?;
        Ok(WindowAction::Run { invocation, typed })
    }
}

/// Picks a lane by number or part of its name.
#[derive(Debug)]
pub struct LanePicker {
    /// What is typed.
    pub query: Draft,
    /// Which of the matches is chosen.
    pub chosen: usize,
}

impl Default for LanePicker {
    fn default() -> Self {
        Self { query: Draft::field(""), chosen: 0 }
    }
}

impl LanePicker {
    /// Lanes that fit what is typed: number, name, state.
    #[must_use]
    pub fn matches(&self, state: &State) -> Vec<(usize, LaneId, String, LaneState)> {
        let query = self.query.text().trim().to_lowercase();
        let fits = |number: usize, name: &str| {
            query.is_empty() || number.to_string().starts_with(&query) || name.to_lowercase().contains(&query)
        };
        let mut all: Vec<_> = state
            .model
            .open_lanes()
            .enumerate()
            .map(|(i, l)| (i + 1, l.id, l.name.to_string(), state.lane_state(l.id)))
            .filter(|(number, _, name, _)| fits(*number, name))
            .collect();
        // The exact number or name comes first.
        all.sort_by_key(|(number, _, name, _)| number.to_string() != query && name.to_lowercase() != query);
        all
    }

    /// A key: the picker stays, or a lane is picked, or neither.
    pub(super) fn key(mut self, state: &State, key: Key) -> (Option<Self>, Option<LaneId>) {
        let matches = self.matches(state);
        match key.code {
            KeyCode::Esc => return (None, None),
            KeyCode::Enter => match matches.get(self.chosen) {
                Some((_, lane, ..)) => return (None, Some(*lane)),
                None => return (Some(self), None),
            },
            KeyCode::Down | KeyCode::Tab => self.chosen = (self.chosen + 1).min(matches.len().saturating_sub(1)),
            KeyCode::Up | KeyCode::BackTab => self.chosen = self.chosen.saturating_sub(1),
            _ => {
                self.query.key(key);
                self.chosen = 0;
            }
        }
        (Some(self), None)
    }
}

/// Rows of the words above a configuration that is to be trusted.
pub const TRUST_ROWS: u16 = 3;

/// A project's configuration, shown in full, to be trusted or not.
#[derive(Debug)]
pub struct TrustDialog {
    /// The content's hash: exactly this is trusted.
    pub hash: String,
    /// What it is.
    pub what: Untrusted,
    /// The file and its content.
    pub reader: Reader,
}

impl TrustDialog {
    /// The dialog for this file.
    #[must_use]
    pub fn new(config: &UntrustedConfig) -> Self {
        Self {
            hash: config.hash.clone(),
            what: config.what,
            reader: Reader::text(config.path.display().to_string(), &config.content),
        }
    }
}
