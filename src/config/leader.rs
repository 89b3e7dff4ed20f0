//! The leader key as written: `ctrl-g`.

use crate::domain::{Key, KeyCode, Modifiers};

/// Reads `ctrl-` and a letter, or `ctrl-space`.
///
/// # Errors
/// Why the text cannot be the leader, in words.
pub(super) fn parse_leader(text: &str) -> Result<Key, String> {
    let lower = text.to_ascii_lowercase();
    let name = lower.strip_prefix("ctrl-").ok_or_else(|| format!("`{text}` is not `ctrl-` and a letter"))?;
    if name == "space" {
        return Ok(Key::ctrl(' '));
    }
    let mut chars = name.chars();
    match (chars.next(), chars.next()) {
        (Some('i'), None) => Err("a terminal sends `ctrl-i` as Tab".to_owned()),
        (Some('m'), None) => Err("a terminal sends `ctrl-m` as Enter".to_owned()),
        (Some('h'), None) => Err("many terminals send Backspace as `ctrl-h`".to_owned()),
        (Some('j'), None) => Err("`ctrl-j` begins a new line in the prompt bar".to_owned()),
        (Some('p'), None) => Err("`ctrl-p` opens the command palette".to_owned()),
        (Some(letter @ 'a'..='z'), None) => Ok(Key::ctrl(letter)),
        _ => Err(format!("`{text}` is not `ctrl-` and a letter")),
    }
}

/// The leader as people read it: `Ctrl-G`.
pub(super) fn leader_word(key: Key) -> String {
    match (key.code, key.modifiers) {
        (KeyCode::Char(' '), Modifiers { ctrl: true, .. }) => "Ctrl-Space".to_owned(),
        (KeyCode::Char(c), Modifiers { ctrl: true, .. }) => format!("Ctrl-{}", c.to_ascii_uppercase()),
        (KeyCode::Char(c), _) => c.to_string(),
        (code, _) => format!("{code:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaders_read_and_show() {
        assert_eq!(parse_leader("Ctrl-A"), Ok(Key::ctrl('a')));
        assert_eq!(leader_word(Key::ctrl('g')), "Ctrl-G");
        assert_eq!(parse_leader("ctrl-space").map(leader_word), Ok("Ctrl-Space".to_owned()));
        for bad in ["", "g", "ctrl-", "ctrl-gg", "ctrl-i", "ctrl-m", "ctrl-p", "alt-g", "ctrl-é"] {
            assert!(parse_leader(bad).is_err(), "{bad}");
        }
    }
}
