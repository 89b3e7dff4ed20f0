//! Ids as newtypes. A person sees a letter and a number (`p12`); the store keeps the number.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The text is not an id of the wanted kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no {what} id: expected `{prefix}` and a number, such as `{prefix}12`")]
pub struct ParseIdError {
    /// What was read.
    pub text: String,
    /// The kind of id: `prompt`, `approval`, …
    pub what: &'static str,
    /// The letter that such ids begin with.
    pub prefix: &'static str,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;

            /// Reads `p12` or the bare number `12`.
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let digits = text.strip_prefix($prefix).unwrap_or(text);
                let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
                digits
                    .parse()
                    .ok()
                    .filter(|_| plain)
                    .map(Self)
                    .ok_or_else(|| ParseIdError { text: text.to_owned(), what: $what, prefix: $prefix })
            }
        }
    };
}

id!(
    /// A lane. People name lanes by their name; this id outlives renames.
    LaneId, "l", "lane"
);
id!(
    /// A prompt.
    PromptId, "p", "prompt"
);
id!(
    /// An approval.
    ApprovalId, "a", "approval"
);
id!(
    /// A conflict found by preflight.
    ConflictId, "c", "conflict"
);
id!(
    /// A reservation of paths.
    ReservationId, "r", "reservation"
);
id!(
    /// A model call as it is counted.
    SpendId, "s", "spend"
);
id!(
    /// A budget.
    BudgetId, "b", "budget"
);
id!(
    /// A place in the queue for reservations.
    TicketId, "t", "ticket"
);
id!(
    /// An issue. People and forges give the number.
    IssueId, "#", "issue"
);
id!(
    /// One ownership of an issue.
    ClaimId, "k", "claim"
);
id!(
    /// An offer of an issue, or a request for one.
    OfferId, "o", "offer"
);
id!(
    /// A message; the first of a thread names it.
    MessageId, "msg", "message"
);
id!(
    /// A message that goes out later.
    ScheduledId, "later", "scheduled message"
);
id!(
    /// A lane's report of its work.
    ReportId, "rep", "report"
);
id!(
    /// An attached window. Not durable.
    WindowId, "w", "window"
);
