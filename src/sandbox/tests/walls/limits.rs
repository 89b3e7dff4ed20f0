//! Limits, and that no process gets lost.

use std::os::unix::process::CommandExt;
use std::time::{Duration, Instant};

use super::pen::{Pen, done_as_user, whole, without_namespaces, without_tree};

#[test]
fn a_flood_of_processes_meets_its_limit() {
    if done_as_user("limits::a_flood_of_processes_meets_its_limit") {
        return;
    }
    let mut pen = Pen::new(whole());
    pen.bounds.processes = 40;
    // Bash would try each of them again for many seconds.
    let ran = pen.sh(
        "python3 -c 'import subprocess as s; [s.Popen([\"sleep\", \"20\"], stdout=s.DEVNULL, stderr=s.DEVNULL) for _ in range(60)]'",
    );
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

/// Ways to outlive a command: another session, no environment, no living parent, a deaf ear. Each leaves a `sleep` of
/// this many seconds.
const HIDING: &str = "setsid sleep $N & nohup sleep $N >/dev/null 2>&1 & (sleep $N &); \
    (setsid env -i /bin/sh -c '(exec nohup /bin/sleep '$N') & exit' &); \
    setsid -f bash -c \"trap '' TERM HUP INT; sleep $N; exit\" >/dev/null 2>&1 </dev/null; \
    python3 -c 'import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        [os.close(fd) for fd in range(3)]
        os.execve(\"/bin/sleep\", [\"sleep\", sys.argv[1]], {})
    os._exit(0)
os.wait()' $N; ";
/// How many of them there are.
const HIDDEN: usize = 6;

/// The processes that sleep so long.
fn sleepers(seconds: &str) -> Vec<u32> {
    let said = |pid: u32| std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let sleeps = |pid: &u32| {
        let words = said(*pid);
        let mut words = words.split(|byte| *byte == 0);
        words.next().is_some_and(|name| name.ends_with(b"sleep")) && words.next() == Some(seconds.as_bytes())
    };
    crate::base::processes().into_values().filter(|process| !process.dead).map(|p| p.pid).filter(sleeps).collect()
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::yield_now();
    }
}

/// Seconds that no other test's processes sleep.
fn seconds(test: u32) -> String {
    format!("{}.{test}", 100_000 + std::process::id())
}

#[test]
fn nothing_outlives_its_command_however_it_hides() {
    for (at, facts) in [whole(), without_tree(), without_namespaces()].into_iter().enumerate() {
        let pen = Pen::new(facts);
        let seconds = seconds(at as u32);
        let (mut child, mut walls) = pen.start(&format!("{HIDING} exec sleep 600"), &[("N", &seconds)]);
        until("the processes are there", || sleepers(&seconds).len() == HIDDEN);
        if pen.facts().namespaces.is_ok() {
            let members = walls.members();
            assert!(sleepers(&seconds).iter().all(|pid| members.contains(pid)), "{members:?}");
            let (mut other, others) = pen.start("exec sleep 600", &[]);
            assert!(others.members().iter().all(|pid| !members.contains(pid)) && !others.members().is_empty());
            drop(others);
            other.wait().unwrap();
        }
        assert!(!walls.is_over());
        if at == 0 {
            // Killed from the outside, the first of them takes the rest along.
            child.kill().unwrap();
        } else {
            assert!(walls.end());
        }
        until("all have ended", || sleepers(&seconds).is_empty() && walls.is_over());
        child.wait().unwrap();
    }
}

#[test]
fn a_command_ends_as_it_ends_and_what_it_left_is_known_to_be_there() {
    for (at, facts) in [whole(), without_tree(), without_namespaces()].into_iter().enumerate() {
        let pen = Pen::new(facts);
        let (mut child, mut walls) = pen.start("exit 7", &[]);
        assert_eq!(child.wait().unwrap().code(), Some(7));
        until("nothing is left", || walls.is_over());
        let (mut child, mut walls) = pen.start("kill -SEGV $$", &[]);
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&child.wait().unwrap()), Some(libc::SIGSEGV));
        until("nothing is left", || walls.is_over());
        let seconds = seconds(10 + at as u32);
        let (mut child, mut walls) = pen.start("setsid sleep $N & exit 4", &[("N", &seconds)]);
        assert_eq!(child.wait().unwrap().code(), Some(4));
        assert!(!walls.is_over());
        drop(walls);
        until("dropped walls end it", || sleepers(&seconds).is_empty());
    }
}

#[test]
fn without_walls_commands_are_kept_together_too() {
    let mut walls = crate::sandbox::Confinement::keep().unwrap().unwrap();
    let seconds = seconds(20);
    let mut shell = std::process::Command::new("/bin/bash");
    shell.args(["-c", &format!("{HIDING} exit 5")]).env("N", &seconds).process_group(0);
    walls.enclose(&mut shell);
    let mut child = shell.spawn().unwrap();
    assert_eq!(walls.settle(), None);
    assert_eq!(child.wait().unwrap().code(), Some(5));
    until("the processes are there", || sleepers(&seconds).len() == HIDDEN);
    assert!(walls.end());
    until("all have ended", || sleepers(&seconds).is_empty());
}

/// The variable that makes the test below start a command and wait to be killed.
const HOST: &str = "WALLS_HOST";

#[test]
fn a_killed_workstation_takes_its_commands_along() {
    if let Ok(seconds) = std::env::var(HOST) {
        let pens = [Pen::new(whole()), Pen::new(without_namespaces())];
        let running: Vec<_> = pens.iter().map(|pen| pen.start(HIDING, &[("N", &seconds)])).collect();
        // Until it is killed, or whoever started it is gone.
        std::io::Read::read_to_end(&mut std::io::stdin(), &mut Vec::new()).unwrap();
        drop(running);
        return;
    }
    let seconds = seconds(30);
    let name = "sandbox::tests::walls::limits::a_killed_workstation_takes_its_commands_along";
    let mut host = std::process::Command::new("/proc/self/exe")
        .args(["--exact", name, "--nocapture"])
        .env(HOST, &seconds)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    until("the processes are there", || sleepers(&seconds).len() == 2 * HIDDEN);
    host.kill().unwrap();
    host.wait().unwrap();
    until("all have ended", || sleepers(&seconds).is_empty());
}

#[test]
fn a_keeper_holds_little_memory_and_cannot_be_looked_into() {
    let pen = Pen::new(whole());
    let ballast = vec![7_u8; 64 << 20];
    let (mut child, walls) = pen.start("exec sleep 600", &[]);
    let keepers = || {
        let group = child.id();
        crate::base::processes().into_values().filter(move |process| process.group == group).collect::<Vec<_>>()
    };
    until("relay and keeper are there", || keepers().len() == 2);
    let resident = |pid: u32| {
        let text = std::fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
        let pages: Vec<u64> = text.split(' ').filter_map(|field| field.trim().parse().ok()).collect();
        // What is not shared with files.
        pages.get(1).zip(pages.get(2)).map_or(0, |(all, files)| (all - files) * 4096)
    };
    until("they gave the rest back", || keepers().iter().all(|process| resident(process.pid) < 4 << 20));
    assert!(ballast.iter().all(|byte| *byte == 7));
    for path in ["/proc/1/environ", "/proc/1/root/", "/proc/1/cwd/", "/proc/1/fd/0", "/proc/1/mem"] {
        let ran = pen.sh(&format!("ls {path} && head -c 1 {path}"));
        assert!(!ran.ok, "{path}: {}", ran.said);
    }
    assert!(pen.sh("kill -9 1; kill -TERM 1; echo there").said.contains("there"));
    drop(walls);
    child.wait().unwrap();
}

#[test]
fn a_command_sees_its_own_processes_only_and_numbers_differ_between_commands() {
    let pen = Pen::new(whole());
    let ran = pen.sh(
        "ls /proc | grep -c '^[0-9]*$'; ps -e 2>/dev/null | wc -l; [ -d /proc/$$ ] && [ $(readlink /proc/self/exe) ]",
    );
    assert!(ran.ok, "{}", ran.said);
    assert!(ran.said.lines().next().and_then(|count| count.parse::<usize>().ok()).is_some_and(|count| count <= 5));
    assert_ne!(pen.sh("echo $$").said, pen.sh("echo $$").said);
}
