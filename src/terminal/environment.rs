//! The environment of a pane's program: the given one, without what leaks from the outer terminal.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Names every process of one pane, so that strays are found when the pane ends.
pub const PANE_MARK: &str = "PARALANE_PANE";

/// Variables of the outer terminal, of an outer agent, of git hooks, and stale sizes.
/// A name ending in `*` stands for all that begin so.
const LEAKS: &[&str] = &[
    "TMUX",
    "TMUX_PANE",
    "STY",
    "WINDOW",
    "ZELLIJ*",
    "KITTY_*",
    "WEZTERM_*",
    "ITERM_*",
    "GHOSTTY_*",
    "KONSOLE_*",
    "VTE_VERSION",
    "WT_SESSION",
    "TERM_PROGRAM_VERSION",
    "TERM_SESSION_ID",
    "TERMCAP",
    "LINES",
    "COLUMNS",
    "OLDPWD",
    "CLAUDECODE",
    "CLAUDE_CODE_*",
    "GIT_*",
    "PARALANE_FAILPOINT",
];

/// Whether the variable must not reach a pane.
fn leaks(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    LEAKS.iter().any(|leak| match leak.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix.as_bytes()),
        None => name == leak.as_bytes(),
    })
}

/// The complete environment for a program in `directory`.
pub(super) fn clean(base: Vec<(OsString, OsString)>, directory: &Path, marker: &str) -> BTreeMap<OsString, OsString> {
    let mut env: BTreeMap<OsString, OsString> = base.into_iter().filter(|(name, _)| !leaks(name)).collect();
    env.insert("TERM".into(), "xterm-256color".into());
    env.insert("COLORTERM".into(), "truecolor".into());
    env.insert("TERM_PROGRAM".into(), "paralane".into());
    env.insert("PWD".into(), directory.into());
    env.insert(PANE_MARK.into(), marker.into());
    env
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaks_is_taken_out_and_the_rest_stays() {
        let base = [
            ("TERM", "screen"),
            ("TMUX", "/tmp/x"),
            ("TMUX_TMPDIR", "/keep"),
            ("ZELLIJ", "0"),
            ("ZELLIJ_SESSION_NAME", "a"),
            ("KITTY_PID", "1"),
            ("CLAUDECODE", "1"),
            ("CLAUDE_CODE_SSE_PORT", "1"),
            ("CLAUDE_CONFIG_DIR", "/keep"),
            ("GIT_DIR", ".git"),
            ("COLUMNS", "40"),
            ("PARALANE_FAILPOINT", "x"),
            ("PATH", "/bin"),
        ];
        let base = base.map(|(name, value)| (name.into(), value.into())).to_vec();
        let env = clean(base, Path::new("/work"), "m");
        let pairs: Vec<_> = env.iter().map(|(n, v)| (n.to_str().unwrap(), v.to_str().unwrap())).collect();
        assert_eq!(
            pairs,
            [
                ("CLAUDE_CONFIG_DIR", "/keep"),
                ("COLORTERM", "truecolor"),
                ("PARALANE_PANE", "m"),
                ("PATH", "/bin"),
                ("PWD", "/work"),
                ("TERM", "xterm-256color"),
                ("TERM_PROGRAM", "paralane"),
                ("TMUX_TMPDIR", "/keep"),
            ]
        );
    }
}
