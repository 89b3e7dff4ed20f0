//! Keys in a window that is too small to show anything.
//!
//! What is typed goes on to where it went: to the program in the pane, or into the prompt bar. Nothing is answered or
//! chosen that nobody sees: questions, lists and dialogs take no keys until the window is larger.

use crate::app::State;
use crate::domain::{InputEvent, Key, KeyCode, LaneId};

use super::focus::typed_into;
use super::{Keyboard, WindowState, keymap};

/// Who takes what is typed into a window that is too small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taker {
    /// The program in this lane's pane.
    Pane(LaneId),
    /// The prompt bar.
    Prompt,
    /// Nobody: it would do something to what is not seen.
    Nobody,
}

/// Who takes what is typed while a window is too small.
#[must_use]
pub fn taker(state: &State, window: &WindowState) -> Taker {
    match (typed_into(state, window), window.keyboard) {
        (Some(lane), _) => Taker::Pane(lane),
        (None, Keyboard::Prompt) if window.overlay.is_none() => Taker::Prompt,
        (None, _) => Taker::Nobody,
    }
}

/// Whether an event means in a window that is too small what it means in any other.
pub(super) fn takes(state: &State, window: &WindowState, event: &InputEvent) -> bool {
    match event {
        InputEvent::Key(key) => takes_key(state, window, *key),
        InputEvent::RichKey(event) => takes_key(state, window, event.key),
        // Text goes into a text, or nowhere, and is submitted by a key.
        InputEvent::Paste { .. } | InputEvent::Focus(_) | InputEvent::Report(_) => true,
        InputEvent::Mouse(_) => false,
    }
}

/// The way back is always open, and so is the leader: what it does is known by heart.
fn takes_key(state: &State, window: &WindowState, key: Key) -> bool {
    let leads = window.overlay.is_none() && (window.leader || keymap::same(key, state.settings.leader));
    leads || key.code == KeyCode::Esc || taker(state, window) != Taker::Nobody
}
