//! A lane's repository for its agent's tools: the work is done on a thread for it, and ends when nobody waits any more.

use std::sync::{Arc, Weak};

use super::lane_walls::LaneWalls;
use super::shared::{Shared, blocking};
use crate::base::Report;
use crate::domain::{GitAsk, LaneGit, LaneId, PortFuture};
use crate::git::{self, Cancel};

/// The repository of one lane.
pub(super) struct LaneRepository {
    lane: LaneId,
    shared: Weak<Shared>,
}

/// Cancels what still runs when the one who asked is gone.
struct Asked(Cancel);

impl Drop for Asked {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl LaneRepository {
    /// Of this lane, wherever it stands when asked.
    pub fn new(lane: LaneId, shared: &Arc<Shared>) -> Self {
        Self { lane, shared: Arc::downgrade(shared) }
    }
}

impl LaneGit for LaneRepository {
    fn ask(&self, ask: GitAsk) -> PortFuture<'static, Result<String, String>> {
        let found = self
            .shared
            .upgrade()
            .map(|shared| (shared.project.clone(), shared.places.get(self.lane), LaneWalls::new(self.lane, &shared)));
        Box::pin(async move {
            let Some((project, Some(place), walls)) = found else { return Err("the lane has no worktree".to_owned()) };
            let cancel = Cancel::new();
            let asked = Asked(cancel.clone());
            let done = blocking(move || git::ask(&project, &place, &ask, &walls, &cancel).map_err(Report::from)).await;
            drop(asked);
            done.map_err(|report| report.message)
        })
    }
}
