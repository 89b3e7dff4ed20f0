//! Looking at git, of a lane or the base checkout, whenever something changed.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use super::bell::Bell;
use super::news::BASE;
use super::shared::{Shared, blocking};
use crate::app::{LaneMsg, Msg};
use crate::base::{Report, lock};
use crate::domain::{LaneId, Place};
use crate::git::{self, Cancel};
use crate::watch::Target;

/// A lane's disk use is measured at most this often: walking a large tree costs more than the number is worth.
const MEASURE: Duration = Duration::from_secs(30);
/// How long after the start the base checkout is watched: until then its first window needs the processors. What moves
/// meanwhile is seen by the look that follows.
pub(super) const SETTLED: Duration = Duration::from_millis(200);
/// Touched paths that are gathered for one look.
const TOUCHED: usize = 8_000;

/// Requests to look at one lane: those that come while it is looked at are gathered into one more look.
#[derive(Debug, Default)]
pub(super) struct Looks {
    touched: Mutex<BTreeSet<String>>,
    bell: Bell,
}

impl Looks {
    /// Asks for a look; these paths were touched.
    pub fn ask(&self, touched: Vec<String>) {
        let mut all = lock(&self.touched);
        let room = TOUCHED.saturating_sub(all.len());
        all.extend(touched.into_iter().take(room));
        drop(all);
        self.bell.ring();
    }

    /// Waits for a request and takes all that was touched.
    async fn next(&self) -> Vec<String> {
        self.bell.heard().await;
        self.bell.silence();
        std::mem::take(&mut *lock(&self.touched)).into_iter().collect()
    }
}

/// Looks at a lane whenever it is asked to, and watches its directory from the first look on.
pub(super) async fn look_when_asked(lane: LaneId, shared: Arc<Shared>, looks: Arc<Looks>, stop: CancellationToken) {
    let mut measured: Option<Instant> = None;
    let mut watched = false;
    loop {
        let touched = tokio::select! {
            biased;
            () = stop.cancelled() => return,
            touched = looks.next() => touched,
        };
        let Some(place) = shared.places.get(lane) else { continue };
        if !watched && place.is_here() {
            // Its program starts in this moment, and its first output goes first. What moves meanwhile is seen then.
            tokio::select! { () = tokio::time::sleep(SETTLED) => {}, () = stop.cancelled() => return }
        }
        // Watched before it is looked at, so that no change falls in between.
        watched = watched || watch(lane, &shared, &place).await;
        let measure = !place.is_here() && measured.is_none_or(|at| at.elapsed() >= MEASURE);
        if measure {
            measured = Some(Instant::now());
        }
        let msg = look(&shared, place, touched, measure).await;
        // One whose directory went is watched anew once it is back.
        watched &= !matches!(&msg, LaneMsg::Git { facts, .. } if facts.missing);
        if stop.is_cancelled() {
            return;
        }
        shared.tell_lane(lane, msg).await;
    }
}

async fn look(shared: &Arc<Shared>, place: Place, touched: Vec<String>, measure: bool) -> LaneMsg {
    let _slot = shared.git_slots.acquire().await;
    let project = shared.project.clone();
    let looked = blocking(move || {
        let mut facts = git::facts(&project, &place).map_err(Report::from)?;
        if measure {
            facts.disk = git::disk_use(&place.directory, &Cancel::new());
        }
        Ok(facts)
    })
    .await;
    match looked {
        Ok(facts) => LaneMsg::Git { facts: Box::new(facts), touched },
        Err(report) => LaneMsg::Trouble(report),
    }
}

/// Watches a lane's directory. False when it is not there, and when it cannot be watched.
async fn watch(lane: LaneId, shared: &Arc<Shared>, place: &Place) -> bool {
    let (watching, place) = (Arc::clone(shared), place.clone());
    let watched = blocking(move || {
        if !place.directory.is_dir() {
            return Ok(false);
        }
        let paths = git::git_paths(&watching.project, &place).map_err(Report::from)?;
        let target = Target {
            directory: Some(place.directory),
            git_dir: paths.git_dir,
            common_dir: paths.common_dir,
            refs: paths.refs,
        };
        watching.watcher.add(lane, target).map(|()| true).map_err(|e| Report::refused(e.to_string()))
    })
    .await;
    match watched {
        Ok(watched) => watched,
        Err(report) => {
            shared.tell_lane(lane, LaneMsg::Trouble(report)).await;
            // What could be watched is; the next look does not say the same again.
            true
        }
    }
}

/// Ends watching a lane.
pub(super) async fn unwatch(lane: LaneId, shared: &Arc<Shared>) {
    let watching = Arc::clone(shared);
    let removed = blocking(move || {
        watching.watcher.remove(lane);
        Ok(())
    });
    // It can only fail together with the runtime.
    let _ = removed.await;
}

/// Watches what the base checkout stands on, and looks whenever it is asked to: new lanes start there, and all
/// lanes are compared with it.
pub(super) fn look_at_base(shared: &Arc<Shared>) {
    let background = shared.background.clone();
    let shared = Arc::clone(shared);
    background.spawn(async move {
        let ending = shared.ending.clone();
        let looking = async {
            tokio::time::sleep(SETTLED).await;
            if let Err(report) = watch_base(&shared, false).await {
                shared.tell(Msg::Trouble(report)).await;
            }
            // It may have moved before it was watched.
            shared.base.ring();
            let mut watched = false;
            loop {
                shared.base.heard().await;
                shared.base.silence();
                let project = shared.project.clone();
                if let Ok(base) = blocking(move || project.head().map_err(Report::from)).await {
                    shared.tell(Msg::BaseMoved(base)).await;
                }
                let edits = shared.edits.load(Ordering::Acquire);
                if edits != watched {
                    watched = edits;
                    if let Err(report) = watch_base(&shared, edits).await {
                        shared.tell(Msg::Trouble(report)).await;
                    }
                }
                if edits {
                    look_for_edits(&shared).await;
                }
            }
        };
        tokio::select! { () = looking => {}, () = ending.cancelled() => {} }
    });
}

/// Says which files of the base checkout were changed while a call of the lane ran. What cannot be read is no news.
pub(super) fn compare_base(shared: &Arc<Shared>, lane: LaneId, since: Timestamp, call: String) {
    let background = shared.background.clone();
    let shared = Arc::clone(shared);
    background.spawn(async move {
        let slot = shared.git_slots.acquire().await;
        let project = shared.project.clone();
        let looked = blocking(move || git::written_since(&project, since).map_err(Report::from)).await;
        drop(slot);
        if let Ok(paths) = looked
            && !paths.is_empty()
        {
            shared.tell_lane(lane, LaneMsg::BaseWritten { paths, call }).await;
        }
    });
}

/// Says which files are changed in the base checkout and not committed there. What cannot be read is no news.
async fn look_for_edits(shared: &Arc<Shared>) {
    let _slot = shared.git_slots.acquire().await;
    let project = shared.project.clone();
    let looked = blocking(move || {
        let here = project.here().map_err(Report::from)?;
        git::facts(&project, &here).map_err(Report::from)
    });
    if let Ok(facts) = looked.await {
        shared.tell(Msg::BaseEdited(facts.dirty)).await;
    }
}

/// Watches what the base checkout stands on, and with `files` its files too.
async fn watch_base(shared: &Arc<Shared>, files: bool) -> Result<(), Report> {
    let watching = Arc::clone(shared);
    blocking(move || {
        let here = watching.project.here().map_err(Report::from)?;
        let paths = git::git_paths(&watching.project, &here).map_err(Report::from)?;
        let refs = vec![format!("refs/heads/{}", here.base.name)];
        let directory = files.then(|| here.directory.clone());
        let target = Target { directory, git_dir: paths.git_dir, common_dir: paths.common_dir, refs };
        watching.watcher.add(BASE, target).map_err(|e| Report::refused(e.to_string()))
    })
    .await
}
