//! Reservations: announced holds on paths.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{LaneId, ReservationId};

/// A lane's announced hold on paths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// Its id.
    pub id: ReservationId,
    /// The lane that holds it.
    pub lane: LaneId,
    /// Path or glob, relative to the repository's root, `/` as separator. A directory ends in `/`.
    pub pattern: String,
    /// Shared holds do not conflict with each other.
    pub shared: bool,
    /// When it was made.
    pub created: Timestamp,
}
