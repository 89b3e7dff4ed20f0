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
    "TERMINAL_EMULATOR",
    "LC_TERMINAL",
    "LC_TERMINAL_VERSION",
    "ALACRITTY_*",
    "WINDOWID",
    "TERMCAP",
    "LINES",
    "COLUMNS",
    "OLDPWD",
    "CLAUDECODE",
    "CLAUDE_CODE_*",
    "GIT_*",
    "PARALANE_FAILPOINT",
];

/// What begins like a leak and is the person's own: how an agent finds its login.
const KEPT: &[&str] = &["CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_*", "CLAUDE_CODE_SKIP_*"];

/// Whether the variable must not reach a pane.
fn leaks(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let listed = |list: &[&str]| {
        list.iter().any(|listed| match listed.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix.as_bytes()),
            None => name == listed.as_bytes(),
        })
    };
    listed(LEAKS) && !listed(KEPT)
}

/// The complete environment for a program in `directory`, on a dark ground or a light one.
pub(super) fn clean(
    base: Vec<(OsString, OsString)>,
    directory: &Path,
    marker: &str,
    dark: bool,
) -> BTreeMap<OsString, OsString> {
    let mut env: BTreeMap<OsString, OsString> = base.into_iter().filter(|(name, _)| !leaks(name)).collect();
    env.insert("TERM".into(), "xterm-256color".into());
    env.insert("COLORTERM".into(), "truecolor".into());
    env.insert("TERM_PROGRAM".into(), "paralane".into());
    // Text and ground by their numbers among the sixteen colours, for programs that do not ask.
    env.insert("COLORFGBG".into(), if dark { "15;0" } else { "0;15" }.into());
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
            ("CLAUDE_CODE_USE_BEDROCK", "1"),
            ("COLORFGBG", "0;15"),
            ("LC_TERMINAL", "iTerm2"),
            ("GIT_DIR", ".git"),
            ("GIT_INDEX_FILE", "x"),
            ("COLUMNS", "40"),
            ("PARALANE_FAILPOINT", "x"),
            ("PATH", "/bin"),
        ];
        let base = base.map(|(name, value)| (name.into(), value.into())).to_vec();
        let env = clean(base, Path::new("/work"), "m", true);
        let pairs: Vec<_> = env.iter().map(|(n, v)| (n.to_str().unwrap(), v.to_str().unwrap())).collect();
        assert_eq!(
            pairs,
            [
                ("CLAUDE_CODE_USE_BEDROCK", "1"),
                ("CLAUDE_CONFIG_DIR", "/keep"),
                ("COLORFGBG", "15;0"),
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
