//! Reservations: announced holds on paths and named resources, and who waits for one.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{IssueId, LaneId, ReservationId, TicketId};

/// A lane's announced hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// Its id.
    pub id: ReservationId,
    /// The lane that holds it.
    pub lane: LaneId,
    /// Path or glob, relative to the repository's root, `/` as separator; a directory ends in `/`. Or a named
    /// resource such as `port:5432`.
    pub pattern: String,
    /// Shared holds do not conflict with each other.
    pub shared: bool,
    /// When it was made.
    pub created: Timestamp,
    /// Why, in the holder's words.
    #[serde(default)]
    pub reason: Option<String>,
    /// The issue it is held for: it goes where that goes.
    #[serde(default)]
    pub issue: Option<IssueId>,
    /// How long it lasts, if not until it is released.
    #[serde(default)]
    pub lease: Option<Lease>,
}

/// How long a hold lasts. The time is measured by a clock that nobody sets; `until` is for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// Its whole length in seconds, from when it was made or last renewed.
    pub seconds: u32,
    /// When it ends if nobody sets the clock. A renewal always gives another one: it tells leases apart.
    pub until: Timestamp,
}

/// A lane's place in the queue for holds that others have: all of them or none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// Its id: the queue is served in its order.
    pub id: TicketId,
    /// The lane that waits.
    pub lane: LaneId,
    /// What it waits for, as patterns.
    pub patterns: Vec<String>,
    /// Whether it would share them.
    pub shared: bool,
    /// Why.
    pub reason: Option<String>,
    /// The issue they would be held for.
    pub issue: Option<IssueId>,
    /// How long they would last, in seconds.
    pub seconds: Option<u32>,
    /// Since when.
    pub created: Timestamp,
}

/// One durable step of a hold or of the queue for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "what")]
#[allow(missing_docs, reason = "the fields are those of the types they change")]
pub enum HoldChange {
    /// A hold lasts anew, or until it is released.
    Renewed { reservation: ReservationId, lane: LaneId, lease: Option<Lease> },
    /// A hold went to another lane, together with its issue.
    Moved { reservation: ReservationId, lane: LaneId },
    /// A lane waits.
    Queued { ticket: Box<Ticket> },
    /// A lane does not wait any more: granted, or withdrawn.
    Unqueued { ticket: TicketId, lane: LaneId, granted: bool },
}

impl HoldChange {
    /// The lane it concerns.
    #[must_use]
    pub const fn lane(&self) -> LaneId {
        match self {
            Self::Renewed { lane, .. } | Self::Moved { lane, .. } | Self::Unqueued { lane, .. } => *lane,
            Self::Queued { ticket } => ticket.lane,
        }
    }
}
