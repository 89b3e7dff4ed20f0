//! What a window's input asks of the rest.

use crate::command::Invocation;
use crate::domain::{KeyEvent, LaneId, MouseEvent};

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
    /// A key for a pane, with all that is known of it.
    PaneKey(LaneId, KeyEvent),
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
    /// A pane's text is needed: what it has shown and shows.
    PaneText(LaneId),
    /// The person looks at this lane now.
    Looked(LaneId),
    /// Copy this text to the clipboard.
    Copy(String),
    /// Copy this address, and open it where that can be done. Untrusted text.
    Open(String),
    /// Open this text in the person's editor, at this line (from 1).
    Edit {
        /// The lane that it comes from.
        lane: LaneId,
        /// The text.
        text: String,
        /// The line.
        line: u64,
    },
    /// This window goes; the work stays.
    Detach,
    /// End the workstation in order; the person has confirmed if anything runs.
    Quit,
    /// Trust the project's configuration that was shown, by its hash.
    Trust(String),
    /// Leave it unused: every window is answered.
    PutOffTrust(String),
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
