//! Hints that lead a newcomer through the demo, one at a time.
//!
//! A hint goes when what it asks for was done, in whatever way and order: what was done before its hint came
//! is remembered. One key passes over it.

use crate::protocol::HintUntil;

use super::text::{Row, Tone, wrap};
use super::{Keyboard, WindowState};

/// Rows a hint takes at most.
const ROWS: usize = 3;

/// The hint to show now, if any is left.
#[must_use]
pub fn hint(window: &WindowState) -> Option<&str> {
    window.hello.hints.get(window.hint).map(|hint| hint.text.as_str())
}

/// Which hint it is, and the key for the next one.
#[must_use]
pub fn hint_count(window: &WindowState, lead: &str) -> String {
    let (at, all) = (window.hint + 1, window.hello.hints.len());
    let words = if at == all { "hides it" } else { "next" };
    if window.size.columns < 60 {
        format!("{at}/{all} · {lead} h")
    } else {
        format!("{at} of {all} · {lead} h {words}")
    }
}

/// Its rows in a window of so many columns.
#[must_use]
pub fn hint_lines(window: &WindowState, columns: u16) -> Vec<Row> {
    let Some(text) = hint(window) else { return Vec::new() };
    // Beside it stand its mark, which it is, and the key for the next one.
    let beside = if columns < 60 { 20 } else { 31 };
    let mut rows = wrap(&Row::new(Tone::Strong, text).0, usize::from(columns.saturating_sub(beside)));
    rows.truncate(ROWS);
    rows
}

/// Before a frame is drawn: goes on over all that was done. `open`: approvals and conflicts that wait for an
/// answer now.
pub(super) fn go_on(window: &mut WindowState, open: (usize, usize)) {
    if window.hello.hints.is_empty() {
        return;
    }
    if open.0 < window.open.0 {
        window.learnt.insert(HintUntil::Approval);
    }
    if open.1 < window.open.1 {
        window.learnt.insert(HintUntil::Conflict);
    }
    let types = window.keyboard == Keyboard::Pane;
    if window.typed && !types {
        window.learnt.insert(HintUntil::Pane);
    }
    window.typed = types;
    while window.hello.hints.get(window.hint).is_some_and(|hint| window.learnt.contains(&hint.until)) {
        window.hint += 1;
    }
}
