//! What processes have used, from `/proc`. A process that is gone counts as nothing.

use std::collections::BTreeSet;
use std::fs;
use std::ops::{Add, Sub};
use std::time::{Duration, Instant};

/// Counters of one process or several.
#[derive(Debug, Clone, Copy, Default)]
pub struct Usage {
    /// Time on a processor, all threads.
    pub cpu: Duration,
    /// Context switches, all threads.
    pub switches: u64,
    /// Page faults of children that have ended: more than none means that one was started.
    pub reaped_faults: u64,
}

impl Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            cpu: self.cpu + other.cpu,
            switches: self.switches + other.switches,
            reaped_faults: self.reaped_faults + other.reaped_faults,
        }
    }
}

impl Sub for Usage {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            cpu: self.cpu.saturating_sub(other.cpu),
            switches: self.switches.saturating_sub(other.switches),
            reaped_faults: self.reaped_faults.saturating_sub(other.reaped_faults),
        }
    }
}

/// Memory of one process or several, in megabytes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Memory {
    /// Resident.
    pub rss: f64,
    /// Resident, shared pages divided among their users.
    pub pss: f64,
}

fn text(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn threads(pid: i32) -> Vec<String> {
    let Ok(entries) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    entries.flatten().map(|entry| entry.path().to_string_lossy().into_owned()).collect()
}

/// The counters of these processes.
pub fn usage(pids: &[i32]) -> Usage {
    let mut sum = Usage::default();
    for &pid in pids {
        for thread in threads(pid) {
            // The scheduler's own count in nanoseconds: `stat` rounds to hundredths of a second.
            let ran = text(&format!("{thread}/schedstat"));
            let ran = ran.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0);
            sum.cpu += Duration::from_nanos(ran);
            let status = text(&format!("{thread}/status"));
            let switches = status.lines().filter(|line| line.contains("ctxt_switches"));
            sum.switches +=
                switches.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).sum::<u64>();
        }
        let stat = text(&format!("/proc/{pid}/stat"));
        // After the name, which may hold blanks: state is the first field, `cminflt` the ninth.
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        sum.reaped_faults += fields.skip(8).find_map(|word| word.parse::<u64>().ok()).unwrap_or(0);
    }
    sum
}

/// The memory of these processes.
pub fn memory(pids: &[i32]) -> Memory {
    let mut sum = Memory::default();
    for pid in pids {
        let rollup = text(&format!("/proc/{pid}/smaps_rollup"));
        let field = |name: &str| {
            let line = rollup.lines().find(|line| line.starts_with(name));
            line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
        };
        sum.rss += field("Rss:");
        sum.pss += field("Pss:");
    }
    sum
}

/// The children of these processes.
pub fn children(pids: &[i32]) -> BTreeSet<i32> {
    let lists = pids.iter().flat_map(|&pid| threads(pid)).map(|thread| text(&format!("{thread}/children")));
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect()
}

/// Waits until these processes rest: next to nothing used in half a second.
pub fn settle(pids: &[i32]) {
    let deadline = Instant::now() + Duration::from_secs(12);
    while Instant::now() < deadline {
        let before = usage(pids);
        super::pause(Duration::from_millis(500));
        if (usage(pids) - before).cpu < Duration::from_millis(2) {
            return;
        }
    }
}
