//! What happened in a lane since it was last told, and when to tell.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::error::WatchError;
use crate::domain::LaneId;

/// A person's save touches several files within a few milliseconds; this waits for the last.
const QUIET: Duration = Duration::from_millis(150);
/// A build that never pauses is still told about once in this time.
const LATENCY: Duration = Duration::from_secs(1);
/// Beyond this the list says nothing that `overflow` does not.
const TOUCHED_CAP: usize = 2_000;

/// What changed in a lane. At least one field says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchEvent {
    /// The lane.
    pub lane: LaneId,
    /// Paths that were made, written, moved or removed, relative to the directory, sorted; at most 2,000. A directory that
    /// was moved or removed as a whole may stand for what was in it. Bytes that are not UTF-8 become `\xNN`.
    pub touched: Vec<String>,
    /// Whether HEAD, the index or one of the lane's refs may have moved.
    pub git_moved: bool,
    /// Whether more was touched than the list tells: look at everything anew.
    pub overflow: bool,
    /// Whether the directory is gone. Nothing more comes of it until the lane is added again.
    pub missing: bool,
    /// A limit was reached: from now on changes in some directories go unnoticed. Told once.
    pub limit: Option<WatchError>,
}

/// What is to be told of one lane.
#[derive(Debug)]
pub(super) struct Pending {
    first: Instant,
    last: Instant,
    touched: BTreeSet<String>,
    pub(super) git_moved: bool,
    pub(super) overflow: bool,
    /// Whether the directory itself went; looked at again before it is told.
    pub(super) missing: bool,
    /// Whether directories must be looked through again before it is told.
    pub(super) rescan: bool,
    pub(super) limit: Option<WatchError>,
}

impl Pending {
    pub(super) const fn new(now: Instant) -> Self {
        Self {
            first: now,
            last: now,
            touched: BTreeSet::new(),
            git_moved: false,
            overflow: false,
            missing: false,
            rescan: false,
            limit: None,
        }
    }

    /// Something happened now.
    pub(super) const fn stir(&mut self, now: Instant) {
        self.last = now;
    }

    /// A path was touched.
    pub(super) fn touch(&mut self, path: String) {
        if self.touched.len() < TOUCHED_CAP {
            self.touched.insert(path);
        } else if !self.touched.contains(&path) {
            self.overflow = true;
        }
    }

    /// When it must be told.
    pub(super) fn due(&self) -> Instant {
        (self.last + QUIET).min(self.first + LATENCY)
    }

    /// The event, unless there is nothing to tell.
    pub(super) fn into_event(self, lane: LaneId) -> Option<WatchEvent> {
        let Self { git_moved, overflow, missing, limit, .. } = self;
        let says = git_moved || overflow || missing || limit.is_some() || !self.touched.is_empty();
        let touched = self.touched.into_iter().collect();
        says.then_some(WatchEvent { lane, touched, git_moved, overflow, missing, limit })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_waits_for_quiet_but_never_longer_than_the_latency(gaps in prop::collection::vec(0_u64..400, 0..40)) {
            let start = Instant::now();
            let mut pending = Pending::new(start);
            let mut now = start;
            for gap in gaps {
                now += Duration::from_millis(gap);
                if pending.due() < now {
                    break;
                }
                pending.stir(now);
                prop_assert!(pending.due() <= start + LATENCY);
                prop_assert!(pending.due() == now + QUIET || pending.due() == start + LATENCY);
            }
        }
    }

    #[test]
    fn the_list_is_capped_and_says_so() {
        let mut pending = Pending::new(Instant::now());
        for number in 0..TOUCHED_CAP {
            pending.touch(number.to_string());
        }
        pending.touch("0".to_owned());
        assert!(!pending.overflow);
        pending.touch("one more".to_owned());
        let event = pending.into_event(LaneId(1)).unwrap();
        assert!(event.overflow && event.touched.len() == TOUCHED_CAP);
        assert_eq!(Pending::new(Instant::now()).into_event(LaneId(1)), None);
    }
}
