//! Ends everything that a command started: its session, its group, what left both, no zombie.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};
use tokio::process::Child;
use tokio::time::Instant;

use crate::base::{Process, families, processes};
use crate::domain::Walls;

/// Between TERM and KILL.
const GRACE: Duration = Duration::from_secs(2);
/// How often it is looked whether all have gone. There is no event for a grandchild's end.
const LOOK: Duration = Duration::from_millis(15);
/// After KILL a process is gone at once, unless it hangs in the kernel; that is not waited for.
const AFTER_KILL: Duration = Duration::from_secs(1);

/// The variable by which a process is known to come from a call, even when it left the session.
pub const CALL_MARK: &str = "PARALANE_CALL";

/// How far to look for processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::agent) enum Reach {
    /// The command's session and group: what it left running by the way.
    Session,
    /// Also what made itself independent: for a cancel.
    All,
}

/// The processes of one command. Dropped early, it kills the group; where walls keep them, all of them.
pub(in crate::agent) struct Family {
    leader: Option<Pid>,
    mark: String,
    walls: Option<Box<dyn Walls>>,
    over: bool,
}

impl Drop for Family {
    fn drop(&mut self) {
        let kept = self.walls.as_mut().is_some_and(|walls| walls.end());
        if !self.over
            && !kept
            && let Some(leader) = self.leader
        {
            // Nobody is left to be told; usually it has gone already.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

impl Family {
    /// The family of a child that leads a session of its own and carries `mark` in [`CALL_MARK`].
    pub fn new(child: &Child, mark: String, walls: Option<Box<dyn Walls>>) -> Self {
        let leader = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        Self { leader, mark, walls, over: false }
    }

    /// Ends all within reach: TERM, then KILL. Returns whether anything but the leader was there. What walls keep is
    /// within reach whatever it did to hide.
    pub async fn end(&mut self, child: &mut Child, reach: Reach) -> bool {
        let Some(leader) = self.leader else { return false };
        let over = self.walls.as_mut().is_some_and(|walls| walls.is_over());
        if over && !matches!(child.try_wait(), Ok(None)) {
            self.over = true;
            return false;
        }
        let reach = if self.walls.is_some() { Reach::All } else { reach };
        let others = self.alive(leader, reach).iter().any(|pid| *pid != leader);
        if !self.signal_and_wait(child, reach, leader, Some(Signal::TERM), GRACE).await {
            let kept = self.walls.as_mut().is_some_and(|walls| walls.end());
            if !kept || !self.signal_and_wait(child, reach, leader, None, AFTER_KILL).await {
                self.signal_and_wait(child, reach, leader, Some(Signal::KILL), AFTER_KILL).await;
            }
        }
        self.over = true;
        others
    }

    /// Signals each member once, also those that appear meanwhile; returns whether all are gone. Without a signal it
    /// only waits.
    async fn signal_and_wait(
        &self,
        child: &mut Child,
        reach: Reach,
        leader: Pid,
        signal: Option<Signal>,
        time: Duration,
    ) -> bool {
        let deadline = Instant::now() + time;
        let mut signalled: Vec<Pid> = Vec::new();
        loop {
            let alive = self.alive(leader, reach);
            if alive.is_empty() && !matches!(child.try_wait(), Ok(None)) {
                return true;
            }
            if let Some(signal) = signal {
                if signalled.is_empty() {
                    // At once for the whole group; whatever is not in it follows one by one. Either may
                    // have ended since it was listed.
                    let _ = kill_process_group(leader, signal);
                    signalled.push(leader);
                }
                for pid in alive {
                    if !signalled.contains(&pid) {
                        let _ = kill_process(pid, signal);
                        signalled.push(pid);
                    }
                }
            }
            if Instant::now() >= deadline {
                return false;
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// The members that live. Without `/proc` the group is all that is known, by its leader's number.
    fn alive(&self, leader: Pid, reach: Reach) -> Vec<Pid> {
        if lists_processes() {
            let mut found = members(leader, &self.mark, reach);
            // What cleared its environment and lost its parent is known by its walls only.
            if reach == Reach::All
                && let Some(walls) = &self.walls
            {
                let number = |pid| i32::try_from(pid).ok().and_then(Pid::from_raw);
                let hidden: Vec<Pid> = walls.members().into_iter().filter_map(number).collect();
                found.extend(hidden.into_iter().filter(|pid| !found.contains(pid)).collect::<Vec<_>>());
            }
            return found;
        }
        if test_kill_process_group(leader).is_ok() { vec![leader] } else { Vec::new() }
    }
}

/// Whether this system lists processes in `/proc`; elsewhere only the group is known.
fn lists_processes() -> bool {
    cfg!(target_os = "linux") && std::path::Path::new("/proc/self/stat").exists()
}

/// Living processes that belong to the command, without zombies (their parents collect those).
fn members(leader: Pid, mark: &str, reach: Reach) -> Vec<Pid> {
    let all = processes();
    let leader = leader.as_raw_nonzero().get().unsigned_abs();
    let near = |process: &Process| process.pid == leader || process.session == leader || process.group == leader;
    let found: Vec<Process> = match reach {
        Reach::Session => all.into_values().filter(|process| near(process) && !process.dead).collect(),
        Reach::All => {
            let marked = format!("{CALL_MARK}={mark}");
            // Children that cleared their environment are known by their parent.
            families(&all, |process| near(process) || process.has_variable(&marked))
        }
    };
    found.iter().filter_map(|process| Pid::from_raw(i32::try_from(process.pid).ok()?)).collect()
}
