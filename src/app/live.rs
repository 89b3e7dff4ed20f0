//! What is known of a lane only while the workstation runs.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::domain::{CallId, CallRequest, GitFacts, PaneStatus, PromptId, Usage};

use super::TurnToken;

/// A call that waits for a decision, until the decision is kept.
#[derive(Debug, Clone)]
pub struct Parked {
    /// Whom to tell.
    pub token: TurnToken,
    /// What it asked.
    pub request: CallRequest,
    /// What a remembered answer for exactly this call is called.
    pub remember_key: String,
    /// Whether the decision is on its way to the store.
    pub decided: bool,
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
    /// Since when its program is at work, or at rest.
    pub pane_since: Option<Timestamp>,
    /// The prompt whose turn task is alive in the lane's actor, also while it waits or is paused.
    pub turn: Option<PromptId>,
    /// The turn was told to end and has not ended yet: nothing begins before, and its end moves no prompt.
    pub ending: bool,
    /// The prompt that the pane's program has taken.
    pub delivered: Option<PromptId>,
    /// What the running turn shows.
    pub feed: TurnFeed,
    /// Calls that wait for a decision.
    pub parked: BTreeMap<CallId, Parked>,
    /// Records held back because the prompt is paused: its turn goes no further.
    pub held_records: Vec<TurnToken>,
    /// The newest step's tokens.
    pub usage: Option<Usage>,
    /// Set-up or closing that is under way, in words with progress.
    pub busy: Option<String>,
}

impl LiveLane {
    /// Adds to what a running call has said.
    pub(super) fn push_output(&mut self, call: CallId, text: &str) {
        push_newest(self.feed.output.entry(call).or_default(), text, 16 * 1024);
    }

    /// Adds to what the model has answered; the whole is kept once its step is.
    pub(super) fn push_answer(&mut self, text: &str) {
        push_newest(&mut self.feed.answer, text, 256 * 1024);
    }
}

/// Adds text and keeps the newest `cap` bytes: far more than a screen shows.
fn push_newest(kept: &mut String, text: &str, cap: usize) {
    kept.push_str(text);
    if kept.len() > cap {
        let mut cut = kept.len() - cap;
        while !kept.is_char_boundary(cut) {
            cut += 1;
        }
        kept.drain(..cut);
    }
}
