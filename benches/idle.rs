//! What a workstation and a window use while nothing happens: with 1 lane and with 50, half of them panes.
#![allow(missing_docs, reason = "a measurement run by hand")]
#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(dead_code, unused_imports, reason = "each measurement needs another part of the support")]

mod support;

use std::time::{Duration, Instant};

use support::ask::{ask, await_lanes};
use support::usage::{self, Memory, Usage};
use support::{Tmux, quiet_world, window};

/// How long nothing happens.
const TIME: Duration = Duration::from_secs(10);
/// Between two looks for new children.
const LOOK: Duration = Duration::from_millis(25);
/// Lanes of each kind at the end.
const HALF: usize = 25;

/// One program's side: its processes and what they used.
struct Side {
    name: String,
    processes: Vec<i32>,
    used: Usage,
    children: usize,
    memory: Memory,
}

impl Side {
    fn new(name: &str, processes: &[i32]) -> Self {
        Self {
            name: name.to_owned(),
            processes: processes.to_vec(),
            used: Usage::default(),
            children: 0,
            memory: Memory::default(),
        }
    }

    fn print(&self) {
        let started = match (self.children, self.used.reaped_faults) {
            (0, 0) => "0".to_owned(),
            (0, _) => "≥ 1".to_owned(),
            (count, _) => format!("≥ {count}"),
        };
        println!(
            "{:<42} {:>9.2} {:>9.4} {:>9} {:>8} {:>8.1} {:>8.1}",
            self.name,
            self.used.cpu.as_secs_f64() * 1e3,
            self.used.cpu.as_secs_f64() / TIME.as_secs_f64() * 100.0,
            self.used.switches,
            started,
            self.memory.rss,
            self.memory.pss,
        );
    }
}

fn main() {
    if !support::asked("idle: 10 s in which nothing happens, window attached") {
        return;
    }
    let world = quiet_world();
    world.cli(&["lane", "new", "pane-1", "--", "sh"]).ended_with(0);
    let terminal = window(&world, &[]);
    terminal.until_text("pane-1");
    await_lanes(&world, 1);
    let workstation = world.running().expect("a workstation runs").pid;

    let tmux = Tmux::find();
    let peer = tmux.as_ref().map(|tmux| {
        let client = tmux.open(&["new-session", "-s", "bench", "sh"]);
        client.until_text("[bench]");
        (tmux, client)
    });
    if peer.is_none() {
        Tmux::missing();
    }
    let sides = |lanes: &str, panes: &str| {
        let mut sides = vec![
            Side::new(&format!("paralane workstation, {lanes}"), &[workstation]),
            Side::new("  and its window", &[terminal.pid]),
        ];
        if let Some((tmux, client)) = &peer {
            sides.push(Side::new(&format!("tmux server, {panes}"), &[tmux.server()]));
            sides.push(Side::new("  and its client", &[client.pid]));
        }
        sides
    };
    println!(
        "{:<42} {:>9} {:>9} {:>9} {:>8} {:>8} {:>8}",
        "", "CPU ms", "% of core", "switches", "children", "RSS MB", "PSS MB"
    );
    measure(sides("1 lane (a pane)", "1 pane"));
    let one = usage::memory(&[workstation]);

    for number in 1..=HALF {
        ask(&world, &["lane", "new", &format!("agent-{number}"), "--kind", "agent"]);
    }
    await_lanes(&world, 1 + HALF);
    usage::settle(&[workstation]);
    let agents = usage::memory(&[workstation]);
    for number in 2..=HALF {
        ask(&world, &["lane", "new", &format!("pane-{number}"), "--", "sh"]);
        if let Some((tmux, _)) = &peer {
            tmux.run(&["new-window", "-d", "sh"]);
        }
    }
    await_lanes(&world, 2 * HALF);
    measure(sides("50 lanes (25 panes)", "25 panes"));
    let all = usage::memory(&[workstation]);
    println!(
        "memory per idle lane (PSS): agent {:.2} MB, pane {:.2} MB",
        (agents.pss - one.pss) / HALF as f64,
        (all.pss - agents.pss) / (HALF - 1) as f64
    );
}

/// Lets the time pass for all sides at once, so that they share whatever else the machine does.
fn measure(mut sides: Vec<Side>) {
    let everybody: Vec<i32> = sides.iter().flat_map(|side| side.processes.clone()).collect();
    usage::settle(&everybody);
    let known = usage::children(&everybody);
    let mut seen: Vec<_> = sides.iter().map(|_| known.clone()).collect();
    let before: Vec<_> = sides.iter().map(|side| usage::usage(&side.processes)).collect();
    let end = Instant::now() + TIME;
    while Instant::now() < end {
        for (side, seen) in sides.iter().zip(&mut seen) {
            seen.extend(usage::children(&side.processes));
        }
        support::pause(LOOK);
    }
    for ((side, before), seen) in sides.iter_mut().zip(before).zip(seen) {
        side.used = usage::usage(&side.processes) - before;
        side.children = seen.len() - known.len();
        side.memory = usage::memory(&side.processes);
        side.print();
    }
}
