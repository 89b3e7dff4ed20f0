//! Children of this process: those that it has started, which somebody waits for, and those that it was left with.
//!
//! A program that a lane's program leaves behind becomes a child of the workstation ([`adopt_orphans`]) and not of the
//! system's first process, so that it is still known where it came from. Nobody waits for such a child: [`Adopted`]
//! takes its end from the kernel, and never that of one which was told by [`started`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use super::lock;

/// Those that this process has started, by number. The ended ones go at the next look.
static STARTED: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// More are looked through even if none has ended meanwhile that nobody waits for.
#[cfg(target_os = "linux")]
const MANY: usize = 512;

/// Says that this process has started a program and waits for it.
pub fn started(pid: u32) {
    lock(&STARTED).insert(pid);
}

/// Has orphans below this process become its children. Says whether they do.
#[cfg(target_os = "linux")]
#[must_use]
pub fn adopt_orphans() -> bool {
    // Any number means yes.
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok()
}

/// Here orphans go to the system.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn adopt_orphans() -> bool {
    false
}

/// Children that nobody has started here.
#[derive(Debug, Default)]
pub struct Adopted {
    /// Those that had ended at the last look, and when they had started.
    ended: BTreeMap<u32, u64>,
}

impl Adopted {
    /// Takes the end of those that had ended at the last look already: a child that was started just now may not have
    /// been told yet. Says whether some are left for the next look.
    #[cfg(target_os = "linux")]
    pub fn reap(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, WaitOptions, waitid, waitpid};
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let some = matches!(waitid(WaitId::All, look), Ok(Some(_)));
        if !some && lock(&STARTED).len() < MANY {
            self.ended.clear();
            return false;
        }
        let own = std::process::id();
        let mut children = super::processes();
        children.retain(|_, process| process.parent == own);
        let mut started = lock(&STARTED);
        started.retain(|pid| children.contains_key(pid));
        children.retain(|pid, process| process.dead && !started.contains(pid));
        drop(started);
        let mut left = BTreeMap::new();
        for (pid, process) in children {
            let number = i32::try_from(pid).ok().and_then(Pid::from_raw);
            match number.filter(|_| self.ended.get(&pid) == Some(&process.start_time)) {
                // If somebody was quicker there is nothing left to be taken.
                Some(number) => drop(waitpid(Some(number), WaitOptions::NOHANG)),
                None => drop(left.insert(pid, process.start_time)),
            }
        }
        self.ended = left;
        !self.ended.is_empty()
    }

    /// There are none here.
    #[cfg(not(target_os = "linux"))]
    pub fn reap(&mut self) -> bool {
        self.ended.clear();
        false
    }
}
