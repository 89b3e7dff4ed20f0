//! Processes found by `/proc` and ended through pidfds.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::{Ended, ProcessIdentity};
use crate::base::{Process, families, processes};
use crate::terminal::environment::PANE_MARK;
use crate::terminal::pane::Pane;

/// How long the processes have to end by themselves.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a killed process may take to be gone; only one stuck in the kernel takes longer.
const KILLED: Duration = Duration::from_millis(500);
/// Processes may start others while they are killed: look again, but not for ever.
const ROUNDS: usize = 6;

pub(in crate::terminal) fn start_time(pid: u32) -> Option<u64> {
    Process::of(pid).map(|process| process.start_time)
}

/// A descriptor that becomes readable when the process ends; none on kernels before 5.3.
pub(in crate::terminal) fn exit_watch(pid: u32) -> Option<OwnedFd> {
    pidfd_open(Pid::from_raw(i32::try_from(pid).ok()?)?, PidfdFlags::empty()).ok()
}

/// Those that belong to a pane: its session, those with its marker, and all their descendants.
fn members(session: Option<u32>, marker: Option<&str>) -> Vec<Process> {
    let marked = marker.map(|marker| format!("{PANE_MARK}={marker}"));
    families(&processes(), |process| {
        Some(process.session) == session || marked.as_ref().is_some_and(|marked| process.has_variable(marked))
    })
}

/// A process held by a descriptor, so that its number cannot come to mean another.
struct Held {
    pid: u32,
    fd: OwnedFd,
}

fn hold(process: &Process) -> Option<Held> {
    let fd = exit_watch(process.pid)?;
    // Between the table and the descriptor the number may have changed hands.
    (start_time(process.pid) == Some(process.start_time)).then_some(Held { pid: process.pid, fd })
}

fn tell(held: &[Held], signals: &[Signal]) {
    for process in held {
        for &signal in signals {
            // One that is gone already is what we want.
            let _ = pidfd_send_signal(&process.fd, signal);
        }
    }
}

/// Waits until all have ended or the time is up; those that still live stay in the list.
fn wait(held: &mut Vec<Held>, patience: Duration) {
    let deadline = Instant::now() + patience;
    while !held.is_empty() {
        let left = deadline.saturating_duration_since(Instant::now());
        let Ok(left) = Timespec::try_from(left) else { return };
        let mut fds: Vec<PollFd<'_>> = held.iter().map(|h| PollFd::new(&h.fd, PollFlags::IN)).collect();
        let count = poll(&mut fds, Some(&left));
        let mut gone = fds.iter().map(|fd| !fd.revents().is_empty()).collect::<Vec<_>>().into_iter();
        if count == Ok(0) {
            return;
        }
        held.retain(|_| !gone.next().unwrap_or(false));
    }
}

/// HUP and TERM, 2 s of patience, then KILL until nothing new turns up.
fn end_all(find: impl Fn() -> Vec<Process>) -> Ended {
    let mut held: Vec<Held> = find().iter().filter_map(hold).collect();
    let told = held.len();
    // CONT, or a stopped process would never see the others.
    tell(&held, &[Signal::HUP, Signal::TERM, Signal::CONT]);
    wait(&mut held, PATIENCE);
    for _ in 0..ROUNDS {
        held = find().iter().filter_map(hold).collect();
        if held.is_empty() {
            break;
        }
        tell(&held, &[Signal::KILL]);
        wait(&mut held, KILLED);
    }
    Ended { told, left: held.iter().map(|held| held.pid).collect() }
}

/// Ends the pane's processes, also those that outlived its program. Blocks.
pub(in crate::terminal) fn end(pane: &Pane) -> Ended {
    let mut ended = end_all(|| members(session_of(&pane.identity), Some(&pane.marker)));
    if !pane.wait_reaped(Instant::now() + KILLED) && !ended.left.contains(&pane.identity.pid) {
        ended.left.push(pane.identity.pid);
    }
    ended
}

/// HUP and TERM without waiting, for when nobody is left to wait.
pub(in crate::terminal) fn hang_up(pane: &Pane) {
    let held: Vec<Held> = members(session_of(&pane.identity), None).iter().filter_map(hold).collect();
    tell(&held, &[Signal::HUP, Signal::TERM, Signal::CONT]);
}

/// The session, unless its number now belongs to a program that started at another time.
fn session_of(identity: &ProcessIdentity) -> Option<u32> {
    let same = Process::of(identity.pid).is_none_or(|leader| leader.start_time == identity.start_time);
    same.then_some(identity.group)
}

pub(in crate::terminal) fn end_leftovers(is_left: &dyn Fn(&[u8]) -> bool) -> Ended {
    let forebears = forebears();
    let left = |process: &Process| {
        !process.dead
            && !forebears.contains(&process.pid)
            && process.environment().is_some_and(|environment| is_left(&environment))
    };
    end_all(|| processes().into_values().filter(left).collect())
}

/// The processes that this one descends from.
fn forebears() -> Vec<u32> {
    let mut found = Vec::new();
    let mut next = Process::of(std::process::id());
    while let Some(parent) = next.filter(|process| process.parent != 0).and_then(|process| Process::of(process.parent))
    {
        found.push(parent.pid);
        next = Some(parent);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_start_time_is_another_program() {
        let own = std::process::id();
        let mut identity = ProcessIdentity { pid: own, group: own, start_time: start_time(own).unwrap() };
        assert_eq!(session_of(&identity), Some(own));
        identity.start_time += 1;
        assert_eq!(session_of(&identity), None);
    }

    #[test]
    fn nobody_ends_what_it_descends_from() {
        assert!(forebears().contains(&Process::of(std::process::id()).unwrap().parent));
        assert_eq!(end_leftovers(&|_| false), Ended::default());
    }
}
