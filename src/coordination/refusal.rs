//! Why something is refused, who stands in the way, and what to do next.

use crate::base::Report;

/// What kind of rule was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// What was named does not exist.
    Unknown,
    /// Somebody else owns or holds it.
    Held,
    /// Only another party may do that.
    NotYours,
    /// What it was about is over.
    Stale,
    /// Another offer waits already.
    Offered,
    /// It would wait for itself.
    Cycle,
    /// More than may be at once.
    Limit,
    /// It does not read, or is too large.
    Invalid,
    /// It is not so.
    Condition,
}

/// Why something is refused. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The rule.
    pub reason: Reason,
    /// What was refused and why, with whom to ask. Names in backticks.
    pub message: String,
    /// What to do next; may be empty.
    pub next: Vec<String>,
}

impl Refusal {
    /// A refusal by this rule.
    #[must_use]
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), next: Vec::new() }
    }

    /// Adds what to do next.
    #[must_use]
    pub fn next(mut self, next: impl Into<String>) -> Self {
        self.next.push(next.into());
        self
    }
}

impl From<Refusal> for Report {
    fn from(refusal: Refusal) -> Self {
        let report = match refusal.reason {
            Reason::Invalid => Self::usage(refusal.message),
            _ => Self::refused(refusal.message),
        };
        refusal.next.into_iter().fold(report, Self::hint)
    }
}
