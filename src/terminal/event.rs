//! What panes tell the rest of the house.

use super::processes::ProcessIdentity;
use crate::domain::{LaneId, PaneStatus};

/// Something happened in a pane. Given to the sink on a worker thread: it must be quick and not block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaneEvent {
    /// A new frame stands in the slot.
    FrameReady {
        /// The lane.
        lane: LaneId,
        /// Nothing more was on its way when it was taken: it need not wait for the next one.
        ends: bool,
    },
    /// Title, bell, readiness, progress or what the program says of its work changed; at most four a second.
    Status(LaneId, PaneStatus),
    /// The program ended and its last output is in the frame.
    Exited {
        /// The lane.
        lane: LaneId,
        /// Which program: the lane may run another one by now.
        program: ProcessIdentity,
        /// How, in words: `exited with status 1`.
        status: String,
        /// The exit status; none when a signal ended it.
        code: Option<u32>,
    },
    /// The program asked to notify the person (OSC 9, OSC 777, OSC 99). Untrusted text.
    Notified {
        /// The lane.
        lane: LaneId,
        /// The text, control characters untouched.
        text: String,
    },
    /// The program wants a text on the clipboard (OSC 52). Untrusted, at most 1 MiB.
    Copied {
        /// The lane.
        lane: LaneId,
        /// The text, control characters untouched.
        text: String,
    },
    /// Something broke in this pane alone; it goes on as the message says.
    Fault {
        /// The lane.
        lane: LaneId,
        /// What broke and what was done.
        message: String,
    },
}

/// What became of a mouse event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointerUse {
    /// The program got it.
    Sent,
    /// The program did not ask for it: it is ours (scroll-back, selection).
    NotWanted,
}
