//! Reports: a lane's own account of its work.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{ClaimId, IssueId, LaneId, ReportId};

/// How a lane says that its work stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkState {
    /// Done, with evidence.
    Ready,
    /// It cannot go on.
    Blocked,
    /// A part is done.
    Partial,
    /// It goes on when something has come.
    Waiting,
}

impl WorkState {
    /// All words, in their order.
    pub const WORDS: &[&str] = &["ready", "blocked", "partial", "waiting"];

    /// The word people and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Blocked => "blocked",
            Self::Partial => "partial",
            Self::Waiting => "waiting",
        }
    }

    /// The state of this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        [Self::Ready, Self::Blocked, Self::Partial, Self::Waiting].into_iter().find(|state| state.word() == word)
    }
}

/// One report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkReport {
    /// Its id.
    pub id: ReportId,
    /// Whose.
    pub lane: LaneId,
    /// The issue it is about, if any.
    pub issue: Option<IssueId>,
    /// The ownership it was made under.
    pub claim: Option<ClaimId>,
    /// How it stands.
    pub state: WorkState,
    /// In the lane's words.
    pub summary: String,
    /// What shows it.
    pub evidence: Vec<String>,
    /// What is left to do.
    pub remaining: Vec<String>,
    /// What it waits for, in words.
    pub until: Option<String>,
    /// The commit the lane stood on.
    pub commit: Option<String>,
    /// When.
    pub at: Timestamp,
}
