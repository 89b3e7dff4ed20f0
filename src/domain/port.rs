//! Ports: what one adapter needs of the running whole, as traits that `workstation` implements.

use std::future::Future;
use std::pin::Pin;

use super::{
    CallId, CallRequest, ChildStep, Compaction, FactScope, HookEvent, NoticeLevel, Reasoning, SpendAsk, SpendEnd,
    SpendId, Taken, ToolCall, ToolOutcome, Usage,
};

/// A boxed future, so that ports can be trait objects.
pub type PortFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a turn wants kept. Acknowledged only once it is committed.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnRecord {
    /// The model's answer of one step, with the calls it asks for.
    Step {
        /// The answer's text; empty when it only called tools.
        text: String,
        /// Whether the stream was cut (cancelled, broken); then `calls` is empty.
        cut: bool,
        /// The calls with the exact command or path of each.
        calls: Vec<(ToolCall, String)>,
        /// Tokens of the call, if the server said.
        usage: Option<Usage>,
        /// What the model thought before it.
        reasoning: Reasoning,
    },
    /// Something the person has to know about how the turn goes on: another provider took over.
    Notice {
        /// Its weight.
        level: NoticeLevel,
        /// The text.
        text: String,
    },
    /// Notes stand for the older part of the conversation from now on.
    Compacted(Box<Compaction>),
    /// A hook blocked the prompt: no later request may hold it.
    Withheld,
    /// A hook has words for the model.
    Told {
        /// When it ran.
        event: HookEvent,
        /// The hook, and where it stands.
        by: String,
        /// Its words.
        text: String,
    },
    /// The files as they were when the turn began were kept, or could not be.
    Checkpoint(Taken),
    /// A permitted call begins: it may have an effect from now on.
    CallStarted(CallId),
    /// A call is over, run or refused.
    CallFinished {
        /// Which.
        call: CallId,
        /// What came of it.
        outcome: ToolOutcome,
    },
    /// A child agent came one step further.
    Child {
        /// The call that started the child.
        under: CallId,
        /// The child's call that is over, if the step is one.
        finished: Option<CallId>,
        /// The step.
        step: ChildStep,
        /// Paths it really wrote, relative to the worktree's root.
        written: Vec<String>,
    },
}

/// What an agent asks of its lane's repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitAsk {
    /// The branch and what differs from its last commit.
    Status,
    /// Changes as a unified diff.
    Diff {
        /// What is staged instead of what is in the worktree.
        staged: bool,
        /// Against this commit instead of the last one.
        against: Option<String>,
        /// Only these paths; empty for all.
        paths: Vec<String>,
        /// Names and numbers only.
        summary: bool,
    },
    /// Commits, newest first.
    Log {
        /// At most so many.
        count: u32,
        /// From this commit on instead of the last one.
        from: Option<String>,
        /// Only those that touch this path.
        path: Option<String>,
    },
    /// What a commit of these paths would hold, as a unified diff.
    Preview {
        /// The paths; empty for everything that changed.
        paths: Vec<String>,
    },
    /// A commit.
    Commit {
        /// Its message.
        message: String,
        /// The paths; empty for everything that changed.
        paths: Vec<String>,
    },
}

/// A lane's repository, as far as its agent may use it.
pub trait LaneGit: Send + Sync {
    /// Git's answer as text. Dropping the future ends the work.
    ///
    /// # Errors
    /// In words that a model can act on.
    fn ask(&self, ask: GitAsk) -> PortFuture<'static, Result<String, String>>;
}

/// The answer to a call's request.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Run exactly this call (its arguments may be the person's edit).
    Run(ToolCall),
    /// Do not run it; tell the model so.
    Deny {
        /// Why, in words for the model.
        reason: String,
    },
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnOutcome {
    /// With the model's final answer.
    Done {
        /// The final answer's text.
        answer: String,
    },
    /// With an error in words a person can act on.
    Failed {
        /// What was being done, on what, what went wrong, what to do.
        error: String,
    },
    /// By the person's cancel.
    Cancelled,
}

/// What an agent's turn needs of the workstation.
pub trait TurnPort: Send + Sync {
    /// Keeps a record; resolves once it is committed.
    ///
    /// # Errors
    /// In words, when the store refused it; the turn must stop then, before any further effect.
    fn record(&self, record: TurnRecord) -> PortFuture<'_, Result<(), String>>;

    /// Keeps the last record of a turn that ends well with this answer right after it: both are kept at once.
    ///
    /// # Errors
    /// As for [`Self::record`]: the turn has failed then.
    fn record_last(&self, record: TurnRecord, _answer: &str) -> PortFuture<'_, Result<(), String>> {
        self.record(record)
    }

    /// Counts a model call before it is made; resolves once that is committed.
    ///
    /// # Errors
    /// In words, when a budget or the store refuses it; the call must not be made then.
    fn reserve(&self, ask: SpendAsk) -> PortFuture<'_, Result<SpendId, String>>;

    /// Says what a model call came to. Resolves once it is told; what is never told stays counted at its most.
    fn settle(&self, spend: SpendId, end: SpendEnd) -> PortFuture<'_, ()>;

    /// The same of a call whose answer is recorded next: both may be kept at once.
    fn settle_with_next(&self, spend: SpendId, end: SpendEnd) -> PortFuture<'_, ()> {
        self.settle(spend, end)
    }

    /// Has a fact kept that the person has allowed; resolves once that is committed. The text as `fact_text` gives it.
    /// To say the same again is harmless.
    ///
    /// # Errors
    /// In words, when it cannot be kept.
    fn remember(&self, scope: FactScope, text: String) -> PortFuture<'_, Result<String, String>>;

    /// Asks whether a call may run; resolves when rules, holds or the person have decided.
    fn permit(&self, request: CallRequest) -> PortFuture<'_, Verdict>;

    /// Shows streamed answer text. Never waits; not kept.
    fn answer_delta(&self, text: &str);

    /// Shows streamed thoughts, apart from the answer. Never waits; not kept.
    fn reasoning_delta(&self, text: &str);

    /// Shows streamed output of a running call. Never waits; not kept.
    fn output_delta(&self, call: &CallId, text: &str);

    /// Shows what the turn is doing now: `thinking`, `retrying in 4 s`. Never waits; not kept.
    fn phase(&self, words: &str);
}
