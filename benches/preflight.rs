//! Preflight of one prompt against many lanes with many changed files: the whole decision, from the command to its
//! effects; beside git, asked which of the same branches touch the same paths.
#![allow(missing_docs, reason = "a measurement run by hand")]
#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(dead_code, unused_imports, reason = "each measurement needs another part of the support")]

#[path = "../tests/update/support/mod.rs"]
mod update;

#[path = "support/samples.rs"]
mod samples;

use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use paralane::app::{LaneMsg, Msg};
use paralane::coordination::{Fold, PathSet};
use paralane::domain::{ConflictKind, GitFacts};
use samples::Samples;
use update::Sim;

/// Lanes beside the one whose prompt is checked.
const LANES: usize = 32;
/// Files that each of them has changed.
const FILES: usize = 20_000;
/// Prompts of each kind.
const ROUNDS: usize = 50;

/// What a prompt names: its kind, its words, and as git takes them.
fn kinds() -> Vec<(&'static str, String, Vec<String>)> {
    let many: Vec<String> = (1..=20).map(path).collect();
    let one = |kind, verb: &str, what: &str, spec: &str| (kind, format!("{verb} {what}"), vec![spec.to_owned()]);
    vec![
        one("a file", "mend", &path(107), &path(107)),
        ("20 files", format!("mend {}", many.join(" ")), many),
        one("a directory", "tidy", "src/m7/deep/", "src/m7/deep/"),
        one("a glob", "rename", "src/m99/**/*99.rs", ":(glob)src/m99/**/*99.rs"),
        one("a glob of all", "rename", "**/*99.rs", ":(glob)**/*99.rs"),
    ]
}

fn path(number: usize) -> String {
    format!("src/m{}/deep/file{number}.rs", number % 100)
}

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("\n== preflight: one prompt, {LANES} lanes × {FILES} changed files (load {}) ==", load.trim());
    let names: Vec<String> = (0..=LANES).map(|n| format!("w{n}")).collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut sim = Sim::limited(64, &all);
    let mut paths: Vec<String> = (0..FILES).map(path).collect();
    paths.sort();
    let mut arrived = Samples::default();
    for lane in &all[1..] {
        let id = sim.lane(lane).id;
        let facts = Box::new(GitFacts { dirty: paths.clone(), ..GitFacts::default() });
        let start = Instant::now();
        sim.tell(Msg::Lane(id, LaneMsg::Git { facts, touched: Vec::new() }));
        arrived.push(start.elapsed());
    }
    sim.run();
    println!("one lane's changes become known: {:.2} ms (median)", arrived.median());
    let repo = repository(&paths);
    println!(
        "{:<14} {:>10} {:>10} {:>10} {:>12} {:>8}",
        "the prompt names", "p50 ms", "p99 ms", "overlaps", "git ms", "ratio"
    );
    for (kind, text, pathspecs) in kinds() {
        let mut ours = Samples::default();
        let mut overlaps = 0;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            black_box(sim.say(&format!("prompt w0 -- {text}")));
            ours.push(start.elapsed());
            overlaps = sim.state.model.open_conflicts().filter(|c| c.kind == ConflictKind::Warning).count();
            assert_eq!(overlaps, LANES, "every lane that has changed it is told");
            sim.run();
        }
        let mut git = Samples::default();
        for _ in 0..5 {
            let start = Instant::now();
            for lane in 1..=LANES {
                black_box(touched(repo.path(), lane, &pathspecs));
            }
            git.push(start.elapsed());
        }
        println!(
            "{kind:<16} {:>10.2} {:>10.2} {overlaps:>10} {:>12.0} {:>7.3}×",
            ours.median(),
            ours.percentile(0.99),
            git.median(),
            ours.median() / git.median()
        );
    }
    folded(&paths);
}

/// The same question on a file system that does not tell capitals apart, of the paths alone.
fn folded(paths: &[String]) {
    let fold = Fold { case: true, form: true };
    let sets: Vec<PathSet> = (0..LANES).map(|_| PathSet::new(paths.iter().map(String::as_str), fold)).collect();
    let wanted = fold.of("SRC/M7/Deep/File107.rs").parse().unwrap();
    let mut times = Samples::default();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let met: usize = sets.iter().map(|set| set.meeting(&wanted).count()).sum();
        times.push(start.elapsed());
        assert_eq!(met, LANES);
    }
    println!("without capitals, paths alone: {:.3} ms", times.median());
}

/// A repository whose branches `lane/1` … have each changed all the files.
fn repository(paths: &[String]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    git(directory.path(), &["init", "--quiet", "--initial-branch=main"]);
    let mut import = Command::new("git")
        .args(["fast-import", "--quiet"])
        .current_dir(directory.path())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = std::io::BufWriter::new(import.stdin.take().unwrap());
    for mark in 0..=LANES {
        let text = format!("lane {mark}\n");
        write!(out, "blob\nmark :{}\ndata {}\n{text}\n", mark + 1, text.len()).unwrap();
    }
    for lane in 0..=LANES {
        let branch = if lane == 0 { "main".to_owned() } else { format!("lane/{lane}") };
        let from = if lane == 0 { "" } else { "from refs/heads/main\n" };
        write!(out, "commit refs/heads/{branch}\ncommitter a <a@example.org> 1700000000 +0000\ndata 1\nx\n{from}")
            .unwrap();
        for path in paths {
            writeln!(out, "M 100644 :{} {path}", lane + 1).unwrap();
        }
        out.write_all(b"\n").unwrap();
    }
    drop(out.into_inner().unwrap());
    assert!(import.wait().unwrap().success());
    directory
}

fn git(directory: &Path, arguments: &[&str]) -> String {
    let done = Command::new("git").args(arguments).current_dir(directory).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// Which of these paths a branch touches.
fn touched(directory: &Path, lane: usize, pathspecs: &[String]) -> usize {
    let branch = format!("lane/{lane}");
    let pathspecs: Vec<&str> = pathspecs.iter().map(String::as_str).collect();
    let found = git(directory, &[&["diff", "--name-only", "main", &branch, "--"], pathspecs.as_slice()].concat());
    assert!(!found.is_empty());
    found.lines().count()
}
