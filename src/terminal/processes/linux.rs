//! Processes by /proc and pidfds.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::{Ended, ProcessIdentity};
use crate::terminal::environment::MARKER;
use crate::terminal::pane::Pane;

/// How long the processes have to end by themselves.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a killed process may take to be gone; only one stuck in the kernel takes longer.
const KILLED: Duration = Duration::from_millis(500);
/// Processes may start others while they are killed: look again, but not for ever.
const ROUNDS: usize = 6;

/// One line of the process table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Process {
    pid: u32,
    parent: u32,
    session: u32,
    start_time: u64,
    dead: bool,
}

/// Reads `/proc/PID/stat`. The name in it may hold spaces and brackets: the fields begin behind the last `)`.
fn parse(pid: u32, stat: &str) -> Option<Process> {
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split_ascii_whitespace().collect();
    Some(Process {
        pid,
        dead: matches!(*fields.first()?, "Z" | "X"),
        parent: fields.get(1)?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        start_time: fields.get(19)?.parse().ok()?,
    })
}

fn look(pid: u32) -> Option<Process> {
    parse(pid, &std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

pub(in crate::terminal) fn start_time(pid: u32) -> Option<u64> {
    look(pid).map(|process| process.start_time)
}

/// A descriptor that becomes readable when the process ends; none on kernels before 5.3.
pub(in crate::terminal) fn exit_watch(pid: u32) -> Option<OwnedFd> {
    pidfd_open(Pid::from_raw(i32::try_from(pid).ok()?)?, PidfdFlags::empty()).ok()
}

/// The pane's marker in a process's environment. Only readable for processes of this user.
fn marker_of(pid: u32) -> Option<Vec<u8>> {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let mut variables = environment.split(|&byte| byte == 0);
    variables.find_map(|variable| variable.strip_prefix(MARKER.as_bytes())?.strip_prefix(b"=").map(<[u8]>::to_vec))
}

/// Every process but ourselves and the dead.
fn table() -> BTreeMap<u32, Process> {
    let own = std::process::id();
    let Ok(entries) = std::fs::read_dir("/proc") else { return BTreeMap::new() };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|&pid| pid != own)
        .filter_map(|pid| Some((pid, look(pid)?)))
        .filter(|(_, process)| !process.dead)
        .collect()
}

/// Those that belong to a pane: its session, those with its marker, and all their descendants.
fn members(session: Option<u32>, marker: Option<&[u8]>) -> Vec<Process> {
    let table = table();
    let mut found: BTreeMap<u32, Process> = table
        .values()
        .filter(|process| {
            Some(process.session) == session || marker.is_some_and(|m| marker_of(process.pid).as_deref() == Some(m))
        })
        .map(|process| (process.pid, *process))
        .collect();
    loop {
        let before = found.len();
        for process in table.values() {
            if found.contains_key(&process.parent) {
                found.insert(process.pid, *process);
            }
        }
        if found.len() == before {
            return found.into_values().collect();
        }
    }
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
    let mut ended = end_all(|| members(session_of(&pane.identity), Some(pane.marker.as_bytes())));
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
    let same = look(identity.pid).is_none_or(|leader| leader.start_time == identity.start_time);
    same.then_some(identity.group)
}

pub(in crate::terminal) fn end_leftovers(is_left: &dyn Fn(&[u8]) -> bool) -> Ended {
    let forebears = forebears();
    let left = |process: &Process| {
        !forebears.contains(&process.pid)
            && std::fs::read(format!("/proc/{}/environ", process.pid)).is_ok_and(|environment| is_left(&environment))
    };
    end_all(|| table().into_values().filter(left).collect())
}

/// The processes that this one descends from.
fn forebears() -> Vec<u32> {
    let mut found = Vec::new();
    let mut next = look(std::process::id());
    while let Some(parent) = next.filter(|process| process.parent != 0).and_then(|process| look(process.parent)) {
        found.push(parent.pid);
        next = Some(parent);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_does_not_shift_the_fields() {
        let stat = "77 (a) b (c)) S 5 77 76 34816 77 4194304 1 0 0 0 0 0 0 0 20 0 1 0 12345 1 1";
        let process = parse(77, stat).unwrap();
        assert_eq!(process, Process { pid: 77, parent: 5, session: 76, start_time: 12345, dead: false });
        assert!(parse(77, "77 (a) Z 5 77 76 0 0 0 0 0 0 0 0 0 0 0 0 20 0 1 0 1 1").unwrap().dead);
        assert_eq!(parse(77, "garbage"), None);
    }

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
        assert!(forebears().contains(&look(std::process::id()).unwrap().parent));
        assert_eq!(end_leftovers(&|_| false), Ended::default());
    }
}
