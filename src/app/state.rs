//! The whole state of a running workstation.

use std::collections::{BTreeMap, VecDeque};

use jiff::Timestamp;

use crate::base::Report;
use crate::domain::{BaseRef, LaneId, WindowId};

use super::window::WindowState;
use super::{LiveLane, Model, RequestId, Settings};

/// Something that needs the person's hand, with what clears it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The lane it concerns, if any.
    pub lane: Option<LaneId>,
    /// What and why, and hints on what to do.
    pub report: Report,
    /// Since when.
    pub since: Timestamp,
}

/// One line of the activity tab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivityLine {
    /// When.
    pub at: Timestamp,
    /// The lane it concerns, if any.
    pub lane: Option<LaneId>,
    /// What happened, in words.
    pub text: String,
}

/// The whole state.
#[derive(Debug)]
pub struct State {
    /// What is durable.
    pub model: Model,
    /// What is known of each lane only while running.
    pub live: BTreeMap<LaneId, LiveLane>,
    /// Each attached window's own.
    pub windows: BTreeMap<WindowId, WindowState>,
    /// The window that was used last: commands from a shell act on it.
    pub last_window: Option<WindowId>,
    /// Settings in force.
    pub settings: Settings,
    /// What needs the person's hand, oldest first.
    pub problems: Vec<Problem>,
    /// What happened, newest last, at most [`State::ACTIVITY`] lines.
    pub activity: VecDeque<ActivityLine>,
    /// Shell commands that wait for a prompt's end.
    pub waiting: BTreeMap<RequestId, super::update::Waiter>,
    /// Which lane the scheduler served last.
    pub last_served: Vec<LaneId>,
    /// Whether the workstation is ending.
    pub ending: bool,
    /// The terminal sizes last given to panes, so that resizes are sent once.
    pub pane_sizes: BTreeMap<LaneId, crate::domain::Size>,
    /// Which panes any window shows.
    pub pane_visible: BTreeMap<LaneId, bool>,
    /// Turn ends that could not be kept yet: told again when the store takes writes.
    pub unsaved: Vec<(LaneId, super::TurnMsg)>,
}

impl State {
    /// Lines the activity tab keeps.
    pub const ACTIVITY: usize = 500;

    /// What the base checkout stands on.
    #[must_use]
    pub const fn base(&self) -> &BaseRef {
        &self.settings.project.base
    }

    /// A lane's volatile facts.
    #[must_use]
    pub fn live(&self, lane: LaneId) -> Option<&LiveLane> {
        self.live.get(&lane)
    }
}
