//! Where each lane works, for tasks that look at it: kept in step by the loop.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use crate::base::lock;
use crate::domain::{LaneId, Place};

/// The places of all open lanes.
#[derive(Debug, Default)]
pub(super) struct Places(Mutex<BTreeMap<LaneId, Place>>);

impl Places {
    /// Where the lane works.
    pub fn get(&self, lane: LaneId) -> Option<Place> {
        self.lock().get(&lane).cloned()
    }

    /// The lane works here from now on.
    pub fn set(&self, lane: LaneId, place: Place) {
        self.lock().insert(lane, place);
    }

    /// The lane is gone.
    pub fn forget(&self, lane: LaneId) {
        self.lock().remove(&lane);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<LaneId, Place>> {
        lock(&self.0)
    }
}
