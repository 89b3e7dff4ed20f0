//! What is known of a lane only while the workstation runs.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::domain::{CallId, CallRequest, GitFacts, LaneId, PaneStatus, PromptId, Usage};

use super::TurnToken;

/// A call that waits for a decision.
#[derive(Debug, Clone)]
pub struct Parked {
    /// Whom to tell.
    pub token: TurnToken,
    /// What it asked.
    pub request: CallRequest,
}

/// What a running turn shows before it is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnFeed {
    /// Answer text streamed since the last kept step.
    pub answer: String,
    /// The newest output of running calls, at most 16 KiB each.
    pub output: BTreeMap<CallId, String>,
    /// What the turn is doing: `thinking`, `retrying in 4 s`.
    pub phase: String,
}

/// Volatile facts of one lane.
#[derive(Debug, Clone, Default)]
pub struct LiveLane {
    /// What git says of its directory; none until first asked.
    pub git: Option<GitFacts>,
    /// Whether its pane's program runs.
    pub pane_running: bool,
    /// What the pane says of itself.
    pub pane: PaneStatus,
    /// The prompt whose turn task is alive in the lane's actor, also while it waits or is paused.
    pub turn: Option<PromptId>,
    /// Whether the person ended that turn: it is dying, and nothing it says counts for its prompt any more,
    /// which may be queued again already.
    pub turn_ending: bool,
    /// What the running turn shows.
    pub feed: TurnFeed,
    /// Calls that wait for a decision.
    pub parked: BTreeMap<CallId, Parked>,
    /// Records held back because the lane is paused.
    pub held_records: Vec<TurnToken>,
    /// Paths that were dirty when the running turn started.
    pub dirty_before: Vec<String>,
    /// The newest step's tokens.
    pub usage: Option<Usage>,
    /// When the lane's shown state last changed.
    pub state_since: Option<Timestamp>,
    /// Set-up or closing that is under way, in words with progress.
    pub busy: Option<String>,
    /// Lanes this one warned about, so that a warning is given once.
    pub warned: Vec<LaneId>,
}

impl LiveLane {
    /// Lines of a feed are bounded: keeps the newest part.
    pub(super) fn push_output(&mut self, call: CallId, text: &str) {
        const CAP: usize = 16 * 1024;
        let output = self.feed.output.entry(call).or_default();
        output.push_str(text);
        if output.len() > CAP {
            let mut cut = output.len() - CAP;
            while !output.is_char_boundary(cut) {
                cut += 1;
            }
            output.drain(..cut);
        }
    }
}
