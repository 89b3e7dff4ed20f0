//! Processes that a dead workstation of this project left running are ended before anything is retried.
//!
//! They are recognised by the marks in their environment, which descendants inherit even when they leave
//! the process group and the session; a number alone could belong to a stranger by now. Linux only:
//! elsewhere the kernel's hang-up on the closed terminal is all there is.

use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpid, kill_process};

use super::environment::{INSTANCE_MARK, PROJECT_MARK};

/// How long a process may take to end after it was asked.
const PATIENCE: Duration = Duration::from_secs(2);

/// Ends every process of this project that another instance started.
pub(super) fn end_all(store: &Path, instance: &str) {
    let left = find(&store.display().to_string(), instance);
    if left.is_empty() {
        return;
    }
    for pid in &left {
        // It may have ended by itself meanwhile.
        let _ = kill_process(*pid, Signal::TERM);
    }
    let deadline = Instant::now() + PATIENCE;
    let mut alive = left;
    while !alive.is_empty() && Instant::now() < deadline {
        std::thread::park_timeout(Duration::from_millis(20));
        alive = find(&store.display().to_string(), instance);
    }
    for pid in alive {
        let _ = kill_process(pid, Signal::KILL);
    }
}

fn find(project: &str, instance: &str) -> Vec<Pid> {
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let project = format!("{PROJECT_MARK}={project}");
    let ours = format!("{INSTANCE_MARK}={instance}");
    processes
        .filter_map(Result::ok)
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok().and_then(Pid::from_raw))
        .filter(|pid| *pid != getpid() && marked(*pid, &project, &ours))
        .collect()
}

/// Whether the process carries the project's mark and another instance's.
fn marked(pid: Pid, project: &str, ours: &str) -> bool {
    let Ok(environment) = std::fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())) else { return false };
    let mut variables = environment.split(|b| *b == 0);
    let has_project = variables.clone().any(|v| v == project.as_bytes());
    has_project && !variables.any(|v| v == ours.as_bytes())
}
