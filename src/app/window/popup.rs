//! Ways to complete what is being typed in the prompt bar.

use crate::app::State;
use crate::command::{Completion, complete};

use super::WindowState;
use super::names::names;

/// The completions that are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Popup {
    /// The ways to go on.
    pub items: Vec<Completion>,
    /// The one that the person chose with the arrows, if any.
    pub chosen: Option<usize>,
}

impl Popup {
    /// Moves the choice.
    pub(super) fn step(&mut self, down: bool) {
        let last = self.items.len().saturating_sub(1);
        self.chosen = Some(match (self.chosen, down) {
            (None, true) => 0,
            (None, false) => last,
            (Some(at), true) => (at + 1).min(last),
            (Some(at), false) => at.saturating_sub(1),
        });
    }
}

/// Finds completions for what stands in the prompt bar now.
pub(super) fn refresh(state: &State, window: &mut WindowState) {
    window.popup = None;
    let Some(line) = window.draft.single_line() else { return };
    if !line.starts_with(['/', '@']) {
        return;
    }
    let cursor = window.draft.cursor_byte();
    let items = complete(line, cursor, &names(state, line));
    // Nothing is offered for a word that is complete and has no other way to go on.
    let done = matches!(items.as_slice(), [only] if line.get(only.range.clone()) == Some(only.text.as_str()));
    if !items.is_empty() && !done {
        window.popup = Some(Popup { items, chosen: None });
    }
}

/// Takes the chosen completion, or the first one. False when there is none.
pub(super) fn accept(state: &State, window: &mut WindowState) -> bool {
    if window.popup.is_none() {
        refresh(state, window);
    }
    let Some(popup) = window.popup.take() else { return false };
    let Some(item) = popup.items.get(popup.chosen.unwrap_or(0)) else { return false };
    let at_end = window.draft.single_line().is_some_and(|line| line.len() == item.range.end);
    let blank = if at_end && !item.text.ends_with('/') { " " } else { "" };
    window.draft.replace(item.range.clone(), &format!("{}{blank}", item.text));
    refresh(state, window);
    true
}
