//! The desktop that a window stands on: its clipboard, and its way to open an address.
//!
//! What is copied goes to the window's terminal in any case (OSC 52); where a tool of the desktop is there it gets the
//! text too, since not every terminal takes it. No shell is involved, and none of these programs is waited for by
//! the loop.

use std::ffi::OsString;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use crate::base::{Report, started};

/// How long a tool may take to take the text.
const PATIENCE: Duration = Duration::from_secs(2);
/// Bytes of an address that is opened at most.
const ADDRESS: usize = 8 * 1024;
/// Says that the window's terminal stands on another machine. Travels with the window, and goes no further.
const SSH: &str = "SSH_CONNECTION";
/// What a program needs to reach the desktop.
const WAYS: [&str; 2] = ["WAYLAND_DISPLAY", "DISPLAY"];

/// What a window said of its desktop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Desktop {
    /// The variables that lead to it.
    ways: Vec<(&'static str, String)>,
    /// Whether the window came over SSH.
    remote: bool,
}

impl Desktop {
    /// What the variables of a window say; those that concern nobody else are taken out of them.
    pub fn take(environment: &mut Vec<(String, String)>) -> Self {
        let set = |name: &str| environment.iter().find(|(n, v)| n == name && !v.is_empty()).map(|(_, v)| v.clone());
        let ways = WAYS.into_iter().filter_map(|name| set(name).map(|value| (name, value))).collect();
        let remote = set(SSH).is_some();
        environment.retain(|(name, _)| name != SSH);
        Self { ways, remote }
    }

    fn has(&self, name: &str) -> bool {
        self.ways.iter().any(|(known, _)| *known == name)
    }

    /// The tools that put text on its clipboard, the best first.
    fn clipboards(&self) -> Vec<&'static [&'static str]> {
        let mut tools: Vec<&'static [&'static str]> = Vec::new();
        if cfg!(target_os = "macos") && !self.remote {
            tools.push(&["pbcopy"]);
        }
        if self.has("WAYLAND_DISPLAY") {
            tools.push(&["wl-copy"]);
        }
        if self.has("DISPLAY") {
            tools.push(&["xclip", "-selection", "clipboard", "-in"]);
            tools.push(&["xsel", "--clipboard", "--input"]);
        }
        tools
    }

    /// The program that opens addresses; none where nobody would see what it opens.
    fn opener(&self) -> Option<&'static str> {
        if self.remote {
            None
        } else if cfg!(target_os = "macos") {
            Some("open")
        } else {
            (!self.ways.is_empty()).then_some("xdg-open")
        }
    }

    /// Puts text on its clipboard, by the first tool that is there.
    pub async fn copy(self, text: String, environment: Vec<(OsString, OsString)>) {
        for tool in self.clipboards() {
            let mut command = self.command(tool, &environment);
            command.stdin(Stdio::piped()).kill_on_drop(true);
            let Ok(mut child) = command.spawn() else { continue };
            child.id().into_iter().for_each(started);
            let Some(mut input) = child.stdin.take() else { continue };
            let given = async {
                let written = input.write_all(text.as_bytes()).await;
                drop(input);
                written.is_ok() && child.wait().await.is_ok_and(|status| status.success())
            };
            if tokio::time::timeout(PATIENCE, given).await == Ok(true) {
                return;
            }
        }
    }

    /// Opens an address that has been copied. Says what came of it.
    pub fn open(&self, address: &str, environment: &[(OsString, OsString)]) -> Report {
        if !opens(address) {
            return Report::done("copied the address")
                .hint("only http, https and mailto addresses are opened from here");
        }
        let Some(opener) = self.opener() else {
            let why = if self.remote { "it came over SSH" } else { "it stands on no desktop" };
            return Report::done("copied the address").hint(format!("this window cannot open it: {why}"));
        };
        let mut command = self.command(&[opener, address], environment);
        match command.stdin(Stdio::null()).spawn() {
            Ok(mut child) => {
                child.id().into_iter().for_each(started);
                tokio::spawn(async move {
                    // A browser that starts with it may run for days.
                    let _ended = child.wait().await;
                });
                Report::done(format!("opened {}", crate::base::clip(address, 60))).hint("copied it, too")
            }
            Err(error) => Report::done("copied the address").hint(format!("`{opener}` cannot open it: {error}")),
        }
    }

    /// A program of the desktop's: not one of ours, and in a group of its own, so that it outlives a signal to us.
    fn command(&self, words: &[&str], environment: &[(OsString, OsString)]) -> Command {
        let mut command = Command::new(words.first().copied().unwrap_or_default());
        command
            .args(&words[1..])
            .env_clear()
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .envs(self.ways.iter().map(|(name, value)| (name, value)))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        command
    }
}

/// Whether an address may be opened without a question.
fn opens(address: &str) -> bool {
    let schemes = ["http://", "https://", "mailto:"];
    let begins = |scheme: &&str| address.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme));
    address.len() <= ADDRESS && schemes.iter().any(begins) && !address.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desktop(variables: &[(&str, &str)]) -> (Desktop, Vec<(String, String)>) {
        let mut all = variables.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        (Desktop::take(&mut all), all)
    }

    #[test]
    fn tools_are_chosen_by_what_the_window_brought() {
        let (none, _) = desktop(&[("PATH", "/bin"), ("DISPLAY", "")]);
        let (x, _) = desktop(&[("DISPLAY", ":0")]);
        let (both, rest) = desktop(&[("DISPLAY", ":0"), ("WAYLAND_DISPLAY", "wayland-0"), ("SSH_CONNECTION", "a b")]);
        let first = |desktop: &Desktop| desktop.clipboards().iter().map(|tool| tool[0]).collect::<Vec<_>>();
        if cfg!(not(target_os = "macos")) {
            assert_eq!(first(&none), [""; 0]);
            assert_eq!(none.opener(), None);
            assert_eq!(first(&x), ["xclip", "xsel"]);
            assert_eq!(x.opener(), Some("xdg-open"));
        }
        assert_eq!(first(&both), ["wl-copy", "xclip", "xsel"]);
        assert_eq!(both.opener(), None, "over SSH it would open on the other machine");
        assert!(rest.iter().all(|(name, _)| name != SSH) && rest.len() == 2);
    }

    #[test]
    fn only_web_and_mail_addresses_are_opened() {
        for good in ["http://a.b/c?d=e", "HTTPS://x", "mailto:a@b.c"] {
            assert!(opens(good), "{good}");
        }
        for bad in ["file:///etc/passwd", "javascript:alert(1)", "--help", "https:/x", "http://a\nb", ""] {
            assert!(!opens(bad), "{bad}");
        }
        assert!(!opens(&format!("http://{}", "a".repeat(ADDRESS))));
    }

    #[tokio::test]
    async fn a_tool_gets_the_text() {
        let place = tempfile::tempdir().unwrap();
        let (tool, kept) = (place.path().join("xclip"), place.path().join("kept"));
        std::fs::write(&tool, format!("#!/bin/sh\necho \"$@ $DISPLAY\" > {0}; cat >> {0}\n", kept.display())).unwrap();
        std::fs::set_permissions(&tool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let (desktop, _) = desktop(&[("DISPLAY", ":7")]);
        let path = format!("{}:{}", place.path().display(), std::env::var("PATH").unwrap());
        desktop.copy("日本語\n".into(), vec![("PATH".into(), path.into())]).await;
        assert_eq!(std::fs::read_to_string(kept).unwrap(), "-selection clipboard -in :7\n日本語\n");
    }
}
