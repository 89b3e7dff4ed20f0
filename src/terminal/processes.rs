//! The processes of a pane: recognised by identity, ended together with those that left the session.
//!
//! On Linux they are found by parent, session and the pane's marker in their environment, and signalled
//! through pidfds, so that a number used again never hits a stranger. Elsewhere the process group is all
//! that can be ended.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use other as system;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process_group};

pub(super) use system::{end, exit_watch, hang_up, start_time};

/// What recognises a pane's program for ever: its number alone is used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProcessIdentity {
    /// Its process id.
    pub pid: u32,
    /// Its process group, which is its session too.
    pub group: u32,
    /// When it started, in the kernel's ticks since boot; 0 where that is not known.
    pub start_time: u64,
}

/// Whether any process of the group is there.
pub(super) fn group_lives(group: u32) -> bool {
    let group = i32::try_from(group).ok().and_then(Pid::from_raw);
    // One that may not be signalled is there all the same.
    group.is_some_and(|group| test_kill_process_group(group) != Err(Errno::SRCH))
}

/// What came of ending a pane's processes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ended {
    /// Processes that were told to end.
    pub told: usize,
    /// Processes that live on all the same.
    pub left: Vec<u32>,
}

/// Ends the processes whose environment (`NAME=value` with a zero byte behind each) says that they are left
/// over: TERM, then KILL after 2 s. This process and those that it descends from are never touched. Blocks.
/// Without /proc nothing is found: there the hang-up of the closed terminal is all there is.
#[must_use]
pub fn end_leftovers(is_left: impl Fn(&[u8]) -> bool) -> Ended {
    system::end_leftovers(&is_left)
}
