//! Where each lane works, for tasks that look at it: kept in step by the loop.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::domain::{LaneId, Place};

/// The places of all lanes.
#[derive(Debug, Default)]
pub(super) struct Places(Mutex<BTreeMap<LaneId, Place>>);

impl Places {
    /// Where the lane works.
    pub fn get(&self, lane: LaneId) -> Option<Place> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&lane).cloned()
    }

    /// The lane works here from now on.
    pub fn set(&self, lane: LaneId, place: Place) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(lane, place);
    }
}
