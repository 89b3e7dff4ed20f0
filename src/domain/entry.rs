//! Transcript entries: what a person reads of an agent session, and what its model is told again.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{CallId, ChildStep, HookEvent, LaneId, NotesEntry, PromptId, Reasoning, ToolCall, ToolOutcome, Usage};

/// How weighty a notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeLevel {
    /// For information.
    Info,
    /// Something to look at.
    Warning,
    /// Something failed.
    Error,
}

/// What an entry holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum EntryBody {
    /// The person's prompt, as the turn started with it.
    Prompt {
        /// The text.
        text: String,
    },
    /// Text the model answered.
    Answer {
        /// The text, control characters untouched. Escape before showing.
        text: String,
        /// Whether the stream was cut before its end.
        cut: bool,
        /// Tokens of the call that made it.
        usage: Option<Usage>,
        /// What the model thought before it.
        #[serde(default, skip_serializing_if = "Reasoning::is_empty")]
        reasoning: Reasoning,
    },
    /// A call the model asked for. Calls that follow one answer belong to the same step.
    Call {
        /// The call.
        call: ToolCall,
        /// The exact command or path.
        action: String,
    },
    /// What came of a call.
    Result {
        /// The call it answers.
        call: CallId,
        /// What came of it.
        outcome: ToolOutcome,
    },
    /// One step of a child agent. Not told to the model: the child's result is.
    Child {
        /// The call that started the child.
        under: CallId,
        /// The step.
        step: ChildStep,
    },
    /// The conversation was brought back: entries since then are left behind, see [`super::LeftBehind`].
    Rewound {
        /// The entry after which it goes on; 0 for the beginning.
        to: u64,
        /// The checkpoint's number.
        checkpoint: u64,
    },
    /// Files are about to be brought back.
    Rewinding {
        /// The number of the checkpoint to which they go.
        to: u64,
        /// The number of the checkpoint that undoes it.
        undo: u64,
    },
    /// The person cancelled the turn. The model is told so together with the next prompt.
    Cancelled,
    /// A hook blocked the prompt: the model is never told of it, unless it is tried again and goes through.
    Withheld,
    /// Notes that stand for the conversation up to a place: what comes after goes into requests as it is.
    Notes(Box<NotesEntry>),
    /// Words of a hook for the model, told to it as they stand.
    Told {
        /// When the hook ran.
        event: HookEvent,
        /// The hook, and where it stands.
        by: String,
        /// Its words. Escape before showing.
        text: String,
    },
    /// A line from the workstation itself: set-up output, an error.
    Notice {
        /// Its weight.
        level: NoticeLevel,
        /// The text.
        text: String,
    },
}

impl EntryBody {
    /// Whether it decides what of the entries before it counts: such entries are remembered longer than others.
    #[must_use]
    pub const fn is_landmark(&self) -> bool {
        matches!(self, Self::Rewound { .. } | Self::Notes(_))
    }
}

/// One immutable piece of a lane's transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The lane.
    pub lane: LaneId,
    /// Place in the lane's transcript, from 1, without gaps.
    pub seq: u64,
    /// The prompt it belongs to, if any.
    pub prompt: Option<PromptId>,
    /// When it was written.
    pub at: Timestamp,
    /// What it holds.
    pub body: EntryBody,
}
