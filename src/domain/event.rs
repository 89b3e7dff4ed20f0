//! Events: lines of history.

use jiff::Timestamp;

use super::{Change, LaneId};

/// One change as history keeps it. Never changed once it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its place in history, from 1.
    pub seq: i64,
    /// When it was kept.
    pub at: Timestamp,
    /// The lane it concerns, if any.
    pub lane: Option<LaneId>,
    /// What changed.
    pub change: Change,
}
