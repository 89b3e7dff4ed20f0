//! Conflicts: a prompt or a write that met another lane's hold (design §5, preflight).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{CallId, ConflictId, IllegalTransition, LaneId, PromptId};

/// What met the hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConflictKind {
    /// A prompt's text names held paths; the prompt is blocked.
    Prompt,
    /// A tool call would write a held path; the call waits.
    Write,
    /// Unmerged changes of a lane at rest overlap. Nothing is held back.
    Warning,
    /// The base checkout was changed while a call of the lane ran. Nothing is held back, and it stays until the person
    /// has seen it. No other lane is concerned: `with` is the lane itself.
    Base,
}

impl ConflictKind {
    /// Whether something waits for the hold to end.
    #[must_use]
    pub const fn holds_back(self) -> bool {
        matches!(self, Self::Prompt | Self::Write)
    }
}

/// Where a conflict stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConflictState {
    /// Waits for the person's choice, or for the hold to end.
    Pending,
    /// The person chose to wait; it starts by itself when the hold ends.
    Waiting,
    /// The person overrode it this once.
    Overridden,
    /// The person cancelled what met the hold.
    Cancelled,
    /// The hold ended, or what met it is gone.
    Resolved,
}

/// What can happen to a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConflictEvent {
    /// The person lets it wait.
    Wait,
    /// The person overrides it this once.
    Override,
    /// The person cancels what met the hold.
    Cancel,
    /// The hold ended, or what met it is gone.
    Resolve,
}

impl ConflictState {
    /// The one transition function.
    ///
    /// # Errors
    /// [`IllegalTransition`] when it is already over.
    pub fn next(self, event: ConflictEvent) -> Result<Self, IllegalTransition> {
        use ConflictEvent as E;
        match (self, event) {
            (Self::Pending, E::Wait) => Ok(Self::Waiting),
            (Self::Pending | Self::Waiting, E::Override) => Ok(Self::Overridden),
            (Self::Pending | Self::Waiting, E::Cancel) => Ok(Self::Cancelled),
            (Self::Pending | Self::Waiting, E::Resolve) => Ok(Self::Resolved),
            (from, event) => Err(IllegalTransition {
                what: "conflict",
                from: from.word().to_owned(),
                event: format!("{event:?}").to_lowercase(),
            }),
        }
    }

    /// Whether a choice can still be made.
    #[must_use]
    pub const fn open(self) -> bool {
        matches!(self, Self::Pending | Self::Waiting)
    }

    /// The word people and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Waiting => "waiting",
            Self::Overridden => "overridden",
            Self::Cancelled => "cancelled",
            Self::Resolved => "resolved",
        }
    }
}

/// One overlap with one other lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// Its id.
    pub id: ConflictId,
    /// The lane that is held back.
    pub lane: LaneId,
    /// The prompt that is held back, or whose turn is.
    pub prompt: PromptId,
    /// The call that is held back, for writes.
    pub call: Option<CallId>,
    /// The lane that holds the paths.
    pub with: LaneId,
    /// The overlapping paths, relative to the repository's root, sorted.
    pub paths: Vec<String>,
    /// Why the other lane holds them, in words: `reserved`, `written by its running turn`.
    pub cause: String,
    /// What met the hold.
    pub kind: ConflictKind,
    /// Where it stands.
    pub state: ConflictState,
    /// When it was found.
    pub created: Timestamp,
}
