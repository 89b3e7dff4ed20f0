//! Untrusted text (model, tool, file, branch names) made safe to draw (design §7, promise 7).

use std::borrow::Cow;
use std::fmt::Write as _;

/// Makes control characters visible: C0 as `^[`, DEL as `^?`, C1 and other invisible direction
/// or format marks as `\u{…}`. Newline and tab stay; the caller splits lines and expands tabs.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            c if !hidden(c) => out.push(c),
            '\u{7f}' => out.push_str("^?"),
            c if (c as u32) < 0x20 => {
                out.push('^');
                out.push(char::from(c as u8 + 0x40));
            }
            c => out.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(out)
}

/// A path's bytes as text; bytes that are not UTF-8 become `\xNN`. The same path always gives the same text.
#[must_use]
pub fn path_text(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// Whether drawing the character could move the cursor, hide text or turn its direction.
/// Directional marks: Unicode Standard Annex 9; they can make code read otherwise than it runs.
#[must_use]
pub fn hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => true,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_visible() {
        assert_eq!(visible("a\u{1b}[31m\u{7f}\u{9b}b\r"), "a^[[31m^?\\u{9b}b^M");
        assert_eq!(visible("x\u{202e}y"), "x\\u{202e}y");
    }

    #[test]
    fn paths_that_are_not_text_are_escaped() {
        assert_eq!(path_text(b"a/\xefbad \xc3\xa9"), "a/\\xefbad é");
    }

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(visible("grün 漢字 👨‍👩‍👧\n\t"), Cow::Borrowed(_)));
    }
}
