//! Hints that lead a newcomer through the demo, one at a time.

use super::WindowState;
use super::text::{Row, Tone, wrap};

/// Cells beside a hint: its mark, which it is, and the key for the next one.
const BESIDE: u16 = 30;
/// Rows a hint takes at most.
const ROWS: usize = 3;

/// The hint to show now, if any is left.
#[must_use]
pub fn hint(window: &WindowState) -> Option<&str> {
    window.hello.hints.get(window.hint).map(String::as_str)
}

/// Its rows in a window of so many columns.
#[must_use]
pub fn hint_lines(window: &WindowState, columns: u16) -> Vec<Row> {
    let Some(text) = hint(window) else { return Vec::new() };
    let mut rows = wrap(&Row::new(Tone::Strong, text).0, usize::from(columns.saturating_sub(BESIDE)));
    rows.truncate(ROWS);
    rows
}
