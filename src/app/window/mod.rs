//! One window's own state: focus, draft, scroll, panel, overlays; and what its input means.
//!
//! Input changes this state and comes out as actions; what an action does to lanes and prompts is
//! decided in `update`, so that a key, a slash command and a shell command do the same.

use crate::base::Report;
use crate::command::Invocation;
use crate::domain::{InputEvent, Key, LaneId, MouseEvent, Size, WindowId};
use crate::protocol::WindowHello;

use super::{Env, State};

/// What a window's input asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum WindowAction {
    /// Run a command; `typed` goes back into the prompt bar if it cannot be kept.
    Run {
        /// The command.
        invocation: Invocation,
        /// What was typed.
        typed: String,
    },
    /// Run a shell command in a lane's directory.
    Shell {
        /// The lane.
        lane: LaneId,
        /// The command.
        command: String,
    },
    /// A key for a pane.
    PaneKey(LaneId, Key),
    /// Pasted text for a pane.
    PanePaste {
        /// The lane.
        lane: LaneId,
        /// The piece.
        text: String,
        /// Whether it is the first.
        first: bool,
        /// Whether it is the last.
        last: bool,
    },
    /// The mouse in a pane, relative to it.
    PaneMouse(LaneId, MouseEvent),
    /// A pane got or lost the keyboard.
    PaneFocus(LaneId, bool),
    /// Scroll a pane back or forward by lines; `i32::MIN` goes to the bottom.
    PaneScroll(LaneId, i32),
    /// The person looks at this lane now.
    Looked(LaneId),
    /// Copy this text to the clipboard.
    Copy(String),
    /// This window goes; the work stays.
    Detach,
    /// End the workstation in order; the person has confirmed if anything runs.
    Quit,
    /// Trust the project's configuration that was shown, by its hash.
    Trust(String),
    /// Ask a server for its models (guided set-up).
    ListModels {
        /// The server.
        base_url: String,
        /// The variable that holds the key.
        key_env: Option<String>,
    },
    /// Save a provider to the person's own configuration (guided set-up).
    SaveProvider {
        /// Its name.
        name: String,
        /// The server.
        base_url: String,
        /// The variable that holds the key.
        key_env: Option<String>,
        /// The model.
        model: String,
    },
    /// Show a lane's changes against its base.
    Diff(LaneId),
}

/// One window's own state.
#[derive(Debug)]
pub struct WindowState {
    /// Its id.
    pub id: WindowId,
    /// Its terminal's size.
    pub size: Size,
    /// The lane in focus.
    pub focus: Option<LaneId>,
    /// What it said of itself.
    pub hello: WindowHello,
}

impl WindowState {
    /// A window that has just attached.
    #[must_use]
    pub fn new(id: WindowId, hello: WindowHello) -> Self {
        Self { id, size: hello.size, focus: None, hello }
    }

    /// Shows the outcome of something for a while.
    pub fn toast(&mut self, _report: Report) {}

    /// Puts text back into the prompt bar, in front of what stands there.
    pub fn give_back(&mut self, _text: &str) {}
}

/// What an input event means in a window.
pub fn input(_state: &mut State, _window: WindowId, _event: InputEvent, _env: &Env) -> Vec<WindowAction> {
    Vec::new()
}
