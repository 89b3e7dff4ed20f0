//! A hook of a governed lane, as a whole process: from its start to its answer, first alone, then 32 lanes at once; beside
//! the shortest program that the system has.
#![allow(missing_docs, reason = "a measurement run by hand")]
#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(clippy::disallowed_methods, reason = "it measures time")]
#![allow(dead_code, unused_imports, reason = "each measurement needs another part of the support")]

#[path = "../tests/e2e/support/mod.rs"]
mod support;

#[path = "support/samples.rs"]
mod samples;

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use samples::Samples;
use support::Bench;
use support::bench::PROGRAM;

/// Hooks of the lane that is measured alone.
const ALONE: usize = 300;
/// Lanes that ask at once, and hooks of each.
const LANES: usize = 32;
const EACH: usize = 60;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Ok(inside) = std::env::var("HOOK_BENCH") {
        // Started as a lane's program: hooks are answered only to what runs in the lane.
        return lane(Path::new(&inside));
    }
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("\n== hook: `paralane hook PreToolUse claude` as a whole process (load {}) ==", load.trim());
    let mut bench = Bench::new();
    let (bin, out) = (bench.path().join("bin"), bench.path().join("out"));
    fs::create_dir(&bin).unwrap();
    fs::create_dir(&out).unwrap();
    let own = std::env::current_exe().unwrap();
    fs::write(bin.join("claude"), format!("#!/bin/sh\nexec {} --lane\n", own.display())).unwrap();
    fs::set_permissions(bin.join("claude"), fs::Permissions::from_mode(0o755)).unwrap();
    bench.set_env("PATH", &format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()));
    bench.set_env("HOOK_BENCH", out.to_str().unwrap());
    for lane in 0..LANES {
        bench.cli(&["lane", "new", &format!("w{lane}"), "--cli", "claude"]).ended_with(0);
    }
    let written = |name: &str| {
        fs::read_dir(&out).unwrap().flatten().filter(|e| e.file_name().to_string_lossy().starts_with(name)).count()
    };
    wait(|| written("ready") == LANES);
    // Alone: the first that takes the file measures.
    fs::write(out.join("alone"), "").unwrap();
    wait(|| out.join("alone.done").exists());
    let alone: Vec<f64> =
        fs::read_to_string(out.join("alone.done")).unwrap().lines().map(|l| l.parse().unwrap()).collect();
    let (ours, shortest) = alone.split_at(ALONE);
    let of = |all: &[f64]| {
        let mut samples = Samples::default();
        all.iter().for_each(|ms| samples.push(Duration::from_secs_f64(ms / 1e3)));
        samples
    };
    let (ours, shortest) = (of(ours), of(shortest));
    println!("alone, {ALONE} hooks: median {:.2} ms, p99 {:.2} ms", ours.median(), ours.percentile(0.99));
    println!("/bin/true beside it:  median {:.2} ms, p99 {:.2} ms", shortest.median(), shortest.percentile(0.99));
    println!("ratio of the medians: {:.2}", ours.median() / shortest.median());
    let begun = Instant::now();
    fs::write(out.join("all"), "").unwrap();
    wait(|| written("done") == LANES);
    let took = begun.elapsed().as_secs_f64();
    let counts = fs::read_dir(&out).unwrap().flatten();
    let counts = counts.filter(|entry| entry.file_name().to_string_lossy().starts_with("done"));
    let answered: usize =
        counts.map(|entry| fs::read_to_string(entry.path()).unwrap().trim().parse::<usize>().unwrap()).sum();
    println!(
        "{LANES} lanes at once: {} hooks, {answered} answered, {:.0} a second",
        LANES * EACH,
        answered as f64 / took
    );
    assert_eq!(answered, LANES * EACH, "a decision was lost");
}

fn wait(wanted: impl Fn() -> bool) {
    let begun = Instant::now();
    while !wanted() {
        assert!(begun.elapsed() < Duration::from_secs(120), "it takes too long");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// What runs in each lane.
fn lane(out: &Path) {
    let number = std::process::id();
    fs::write(out.join(format!("ready.{number}")), "").unwrap();
    let payload = out.join(format!("payload.{number}"));
    fs::write(&payload, r#"{"session_id":"a","tool_name":"Read","tool_input":{"file_path":"README.md"}}"#).unwrap();
    loop {
        if out.join("all").exists() {
            let answered = (0..EACH).filter(|_| hook(&payload).1).count();
            fs::write(out.join(format!("part.{number}")), answered.to_string()).unwrap();
            fs::rename(out.join(format!("part.{number}")), out.join(format!("done.{number}"))).unwrap();
            break;
        }
        if fs::rename(out.join("alone"), out.join("alone.taken")).is_ok() {
            let mut lines = Vec::new();
            for _ in 0..ALONE {
                let (took, answered) = hook(&payload);
                assert!(answered);
                lines.push(took);
            }
            for _ in 0..ALONE {
                let begun = Instant::now();
                assert!(Command::new("/bin/true").status().unwrap().success());
                lines.push(begun.elapsed());
            }
            let text: String = lines.iter().map(|took| format!("{}\n", took.as_secs_f64() * 1e3)).collect();
            fs::write(out.join("alone.part"), text).unwrap();
            fs::rename(out.join("alone.part"), out.join("alone.done")).unwrap();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    // The lane's program stays until it is ended.
    loop {
        std::thread::sleep(Duration::from_secs(60));
    }
}

/// One hook: how long it took, and whether it was answered by a decision.
fn hook(payload: &Path) -> (Duration, bool) {
    let begun = Instant::now();
    let run = Command::new(PROGRAM)
        .args(["hook", "PreToolUse", "claude"])
        .stdin(fs::File::open(payload).unwrap())
        .output()
        .unwrap();
    (begun.elapsed(), String::from_utf8_lossy(&run.stdout).contains("\"allow\""))
}
