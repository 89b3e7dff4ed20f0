//! Text for people: aligned columns and short ages.

use jiff::Timestamp;

use crate::base::{visible, width};

/// Rows in aligned columns, two spaces apart; the last column is not padded.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> =
        (0..columns).map(|c| rows.iter().filter_map(|r| r.get(c)).map(|t| width(t)).max().unwrap_or(0)).collect();
    let mut out = String::new();
    for row in rows {
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
    crate::base::clip(&visible(&crate::base::one_line(text)).replace('\t', " "), cells)
}
