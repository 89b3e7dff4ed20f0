//! Limits, and that no process gets lost.

use std::time::{Duration, Instant};

use super::pen::{Pen, done_as_user, whole};

#[test]
fn a_flood_of_processes_meets_its_limit() {
    if done_as_user("limits::a_flood_of_processes_meets_its_limit") {
        return;
    }
    let mut pen = Pen::new(whole());
    pen.bounds.processes = 40;
    let ran = pen.sh("exec 2>&1; trap 'kill $(jobs -p)' EXIT; for i in $(seq 60); do sleep 20 & done");
    assert!(ran.said.contains("Resource temporarily unavailable"), "{}", ran.said);
    // The lane's limit is its own: the next command starts.
    assert!(pen.sh("true").ok);
}

#[test]
fn memory_meets_its_limit() {
    let mut pen = Pen::new(whole());
    pen.bounds.memory = 256 << 20;
    let ran = pen.sh("python3 -c 'b = bytearray(1 << 30)'");
    assert!(!ran.ok && ran.said.contains("MemoryError"), "{}", ran.said);
    assert!(pen.sh("python3 -c 'b = bytearray(1 << 24)'").ok);
}

#[test]
fn every_process_of_a_command_is_known() {
    let pen = Pen::new(whole());
    // Another session, no environment, no living parent.
    let (mut child, walls) =
        pen.start("(setsid env -i /bin/sh -c '(exec nohup /bin/sleep 600) & exit' &) ; exec sleep 600", &[]);
    let (mut other, others) = pen.start("exec sleep 600", &[]);
    let deadline = Instant::now() + Duration::from_secs(10);
    let mut members = Vec::new();
    while members.len() != 2 && Instant::now() < deadline {
        members = walls.members();
        std::thread::yield_now();
    }
    assert_eq!(members.len(), 2, "{members:?}");
    assert!(members.contains(&child.id()) && !members.contains(&other.id()));
    assert_eq!(others.members(), [other.id()]);
    for pid in members {
        rustix::process::kill_process(
            rustix::process::Pid::from_raw(pid as i32).unwrap(),
            rustix::process::Signal::KILL,
        )
        .unwrap();
    }
    child.wait().unwrap();
    other.kill().unwrap();
    other.wait().unwrap();
}
