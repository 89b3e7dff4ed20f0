//! Text for people: aligned columns and short ages. And a JSON document as one line.

use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use jiff::Timestamp;
use serde_json::Value;

use crate::base::{hidden, one_line, path_text, visible, width};

/// Rows in aligned columns, two spaces apart; the last column is not padded. A cell is one line, whatever is in it.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let cell = |text: &String| visible(text).replace('\n', "^J").replace('\t', "^I");
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> =
        (0..columns).map(|c| rows.iter().filter_map(|r| r.get(c)).map(|t| width(t)).max().unwrap_or(0)).collect();
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, wide) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', wide - width(cell) + 2));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// An age in words: `42s`, `3m`, `2h`, `5d`.
pub(super) fn age(since: Timestamp, now: Timestamp) -> String {
    match now.duration_since(since).as_secs().max(0) {
        s @ 0..60 => format!("{s}s"),
        s @ 60..3_600 => format!("{}m", s / 60),
        s @ 3_600..86_400 => format!("{}h", s / 3_600),
        s => format!("{}d", s / 86_400),
    }
}

/// Untrusted text in one line of at most `cells` cells.
pub(super) fn line(text: &str, cells: usize) -> String {
    crate::base::clip(&visible(&one_line(text)).replace('\t', " "), cells)
}

/// A path as text. Its bytes may be anything, and JSON holds only text.
pub(super) fn path(path: &Path) -> String {
    path_text(path.as_os_str().as_bytes())
}

/// A JSON document in one line. JSON itself escapes only the lower control characters; a terminal also obeys the
/// upper ones, and these can only stand in strings, where an escape means the same.
#[must_use]
pub fn json_line(document: &Value) -> String {
    let plain = document.to_string();
    let mut out = String::with_capacity(plain.len() + 1);
    for c in plain.chars() {
        if hidden(c) {
            // All of them are in the basic plane. Writing to a string cannot fail.
            let _ = write!(out, "\\u{:04x}", c as u32);
        } else {
            out.push(c);
        }
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use serde_json::json;

    use super::*;

    #[test]
    fn json_reads_the_same_and_holds_no_control_character() {
        let document = json!({"text": "a\u{1b}]52;c;x\u{7}\u{9b}2J\u{7f}\u{202e}b\n\t漢", "\u{9d}": 1});
        let line = json_line(&document);
        assert!(!line.trim_end().chars().any(|c| c.is_control() || c == '\u{202e}'), "{line:?}");
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), document);
    }

    #[test]
    fn a_cell_is_one_line_without_control_characters() {
        let rows = [vec!["a\nb".to_owned(), "c\u{1b}[2J".to_owned()], vec!["long enough".to_owned(), "d".to_owned()]];
        let text = table(&rows);
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }

    #[test]
    fn paths_that_are_no_text_are_told() {
        assert_eq!(path(Path::new(OsStr::from_bytes(b"/x/\xffy"))), "/x/\\xffy");
    }
}
