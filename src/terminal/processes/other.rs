//! Process groups, for systems without /proc and pidfds.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::{Ended, ProcessIdentity};
use crate::terminal::pane::Pane;

/// How long a program has to end by itself.
const PATIENCE: Duration = Duration::from_secs(2);

pub(in crate::terminal) fn start_time(_: u32) -> Option<u64> {
    None
}

/// No descriptor tells of an exit here: the end of the terminal does.
pub(in crate::terminal) fn exit_watch(_: u32) -> Option<OwnedFd> {
    None
}

fn signal(identity: &ProcessIdentity, signals: &[Signal]) -> bool {
    let group = i32::try_from(identity.group).ok().and_then(Pid::from_raw);
    group.is_some_and(|group| signals.iter().all(|&signal| kill_process_group(group, signal).is_ok()))
}

pub(in crate::terminal) fn hang_up(pane: &Pane) {
    if !pane.ended() {
        signal(&pane.identity, &[Signal::HUP, Signal::TERM, Signal::CONT]);
    }
}

/// Ends the pane's group. Blocks.
pub(in crate::terminal) fn end(pane: &Pane) -> Ended {
    if pane.ended() {
        return Ended::default();
    }
    let told = usize::from(signal(&pane.identity, &[Signal::HUP, Signal::TERM, Signal::CONT]));
    if !pane.wait_reaped(Instant::now() + PATIENCE) {
        signal(&pane.identity, &[Signal::KILL]);
    }
    let left = if pane.wait_reaped(Instant::now() + PATIENCE) { Vec::new() } else { vec![pane.identity.pid] };
    Ended { told, left }
}

pub(in crate::terminal) fn end_leftovers(_: &dyn Fn(&[u8]) -> bool) -> Ended {
    Ended::default()
}
