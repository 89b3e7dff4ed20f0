//! What is known of a lane only while the workstation runs, and what its pane's program is at: the one place
//! where the program's own word and its terminal are weighed.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::coordination::PathSet;
use crate::domain::{
    CallId, CallRequest, GitFacts, NativeCall, NativeUsage, PaneStatus, ProgramState, PromptId, ServerView, Usage,
};

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
    /// Thoughts streamed since the last kept step, the newest 16 KiB.
    pub reasoning: String,
    /// The newest output of running calls, about 16 KiB each.
    pub output: BTreeMap<CallId, String>,
    /// What the turn is doing: `thinking`, `retrying in 4 s`.
    pub phase: String,
}

/// What a pane's program is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// No program runs.
    Absent,
    /// It waits for input.
    Rest,
    /// It waits for input, and has finished something that nobody has looked at.
    Finished,
    /// It is at work.
    Work,
    /// It asks its person something.
    Asks,
    /// It waits for input, and says that something went wrong.
    Fails,
}

/// What the hooks of a native CLI last proved of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hooked {
    /// What it is at.
    pub state: ProgramState,
    /// The event, by the CLI's own name.
    pub event: String,
    /// When.
    pub at: Timestamp,
}

/// Volatile facts of one lane.
#[derive(Debug, Clone, Default)]
pub struct LiveLane {
    /// What git says of its directory; none until first asked.
    pub git: Option<GitFacts>,
    /// The paths that it has changed, uncommitted and by its own commits.
    pub changed: PathSet,
    /// Whether its pane's program runs.
    pub pane_running: bool,
    /// What the pane says of itself.
    pub pane: PaneStatus,
    /// What its program's hooks last proved; none for a plain program.
    pub hooked: Option<Hooked>,
    /// What its program's model was last told of other lanes, as a digest.
    pub noticed: Option<String>,
    /// What its program's conversation has used, by the program's own count.
    pub used: Option<NativeUsage>,
    /// Calls that its program has announced and whose dialogs may open.
    pub announced: Vec<NativeCall>,
    /// Calls of its program that run and may write anywhere, and since when.
    pub running: Vec<(NativeCall, Timestamp)>,
    /// The last words of its program's last turn.
    pub last_answer: Option<String>,
    /// Since when its program is at what it is at.
    pub pane_since: Option<Timestamp>,
    /// Its program said that it has finished, and nobody has looked since.
    pub unseen: bool,
    /// When it last rang to be looked at, and when it last rang because it waits or is done.
    pub rang: [Option<Timestamp>; 2],
    /// Its program may set the clipboard until it ends.
    pub copies: bool,
    /// The prompt whose turn task is alive in the lane's actor, also while it waits or is paused.
    pub turn: Option<PromptId>,
    /// The turn was told to end and has not ended yet: nothing begins before, and its end moves no prompt.
    pub ending: bool,
    /// The conversation is being compacted between two turns: the prompt that it is counted with.
    pub compacting: Option<PromptId>,
    /// The place in the transcript at which time alone asks for no compaction again.
    pub idled: Option<u64>,
    /// The prompt that the pane's program has taken.
    pub delivered: Option<PromptId>,
    /// What the running turn shows.
    pub feed: TurnFeed,
    /// Calls that wait for a decision.
    pub parked: BTreeMap<CallId, Parked>,
    /// Records held back because the prompt is paused: its turn goes no further.
    pub held_records: Vec<TurnToken>,
    /// Model calls that wait for others to end, for a budget may not be enough for all.
    pub waiting_calls: Vec<super::WaitingCall>,
    /// The newest step's tokens.
    pub usage: Option<Usage>,
    /// The highest number given to a checkpoint that may not be kept yet.
    pub last_checkpoint: u64,
    /// Commands of its agent that run in the background.
    pub jobs: usize,
    /// Its tool servers, as far as it has started any.
    pub servers: Vec<ServerView>,
    /// Set-up or closing that is under way, in words with progress.
    pub busy: Option<String>,
}

impl LiveLane {
    /// What the pane's program is at: what it says of itself, else what its hooks prove, else whether its terminal is
    /// quiet.
    #[must_use]
    pub fn activity(&self) -> Activity {
        if !self.pane_running {
            return Activity::Absent;
        }
        let said = self.pane.program.as_ref().map(|program| program.state);
        let rests = match said.or_else(|| self.hooked.as_ref().map(|hooked| hooked.state)) {
            Some(ProgramState::Blocked(_)) => return Activity::Asks,
            Some(ProgramState::Error) => return Activity::Fails,
            Some(ProgramState::Working) => false,
            Some(ProgramState::Idle | ProgramState::Done) => true,
            None => self.pane.ready,
        };
        match (rests, self.unseen) {
            (false, _) => Activity::Work,
            (true, false) => Activity::Rest,
            (true, true) => Activity::Finished,
        }
    }

    /// Adds to what a running call has said.
    pub(super) fn push_output(&mut self, call: CallId, text: &str) {
        push_newest(self.feed.output.entry(call).or_default(), text, 16 * 1024);
    }

    /// Adds to what the model has answered; the whole is kept once its step is.
    pub(super) fn push_answer(&mut self, text: &str) {
        push_newest(&mut self.feed.answer, text, ANSWER);
    }

    pub(super) fn push_reasoning(&mut self, text: &str) {
        push_newest(&mut self.feed.reasoning, text, 16 * 1024);
    }
}

/// Bytes of a streamed answer that are kept: more than an answer may have.
const ANSWER: usize = 17 * 1024 * 1024;

/// Adds text and keeps the newest `cap` bytes, and at most an eighth more, so that it is not moved each time.
fn push_newest(kept: &mut String, text: &str, cap: usize) {
    kept.push_str(text);
    if kept.len() > cap + cap / 8 {
        let mut cut = kept.len() - cap;
        while !kept.is_char_boundary(cut) {
            cut += 1;
        }
        kept.drain(..cut);
    }
}
