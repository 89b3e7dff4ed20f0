//! `paralane demo`: three lanes at work, one approval, one conflict, nothing left behind.

use std::fs;
use std::path::PathBuf;

use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Bench, Window};

/// The running demo's directory.
fn stage(bench: &Bench) -> PathBuf {
    let found = fs::read_dir(bench.tmp()).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let [stage] = found.as_slice() else { panic!("{found:?}") };
    stage.clone()
}

/// Asks the demo's workstation from another shell.
fn ask(bench: &Bench, args: &[&str]) -> Value {
    let place = ["--repo", "shop", "--home", "h"];
    let args: Vec<&str> = place.into_iter().chain(args.iter().copied()).chain(["--json"]).collect();
    bench.cli_in(&stage(bench), &args).ended_with(0).json()
}

/// Opens the demo and waits until an approval and a conflict wait.
fn open(bench: &Bench) -> Window {
    let window = bench.window_with(160, 48, &["demo"]);
    window.wait_for("an approval and a conflict", |screen| {
        let text = screen.contents().to_lowercase();
        text.contains("approvals 1") && text.contains("conflicts 1")
    });
    window
}

fn assert_nothing_left(bench: &Bench) {
    assert_eq!(fs::read_dir(bench.tmp()).unwrap().count(), 0);
    assert!(!bench.home().exists(), "the person's own state is not touched");
    assert!(!bench.config_file().exists());
}

#[test]
fn a_newcomer_answers_the_approval_overrides_the_conflict_and_quits() {
    let bench = Bench::without_repository();
    fs::create_dir(bench.repo()).unwrap();
    let mut window = open(&bench);
    let status = ask(&bench, &["status"]);
    let names: Vec<_> = status["lanes"].as_array().unwrap().iter().map(|lane| lane["name"].clone()).collect();
    assert_eq!(names, ["api", "ui", "sh"]);
    assert_eq!(ask(&bench, &["approvals"])["approvals"][0]["action"], "sh check.sh");
    assert_eq!(ask(&bench, &["conflicts"])["conflicts"][0]["paths"], serde_json::json!(["src/login.rs"]));

    window.wait_for_text("api asks:").keys("<A-y>");
    window.wait_for_text("The checks pass").wait_for_text("ui wants a file");
    window.keys("<C-g>c").keys("o");
    bench.wait_until("`ui` goes on", || {
        let prompts = ask(&bench, &["queue", "list", "--all"]);
        prompts["prompts"][1]["state"] == "done" && ask(&bench, &["conflicts"])["conflicts"] == serde_json::json!([])
    });
    window.wait_for_text("type a prompt");

    window.keys("<C-g>q").keys("y");
    assert_eq!(window.wait_exit(), 0);
    window.assert_restored();
    assert_nothing_left(&bench);
}

#[test]
fn a_signal_ends_all_of_it() {
    let bench = Bench::without_repository();
    fs::create_dir(bench.repo()).unwrap();
    let mut window = open(&bench);
    window.signal(Signal::TERM);
    assert_eq!(window.wait_exit(), 128 + 15);
    window.assert_restored();
    assert_nothing_left(&bench);
}
