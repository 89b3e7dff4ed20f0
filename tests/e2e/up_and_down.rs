//! One workstation per project: started, found, shared, ended, and recognised by identity.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::Bench;

#[test]
fn up_and_down_start_and_end_the_workstation() {
    let bench = Bench::new();
    bench.cli(&["down"]).ended_with(0);
    bench.cli(&["up"]).ended_with(0);
    let first = bench.running().expect("it runs");
    bench.cli(&["up"]).ended_with(0);
    assert_eq!(bench.running().as_ref(), Some(&first), "a second `up` finds the first");
    bench.cli(&["down"]).ended_with(0);
    assert_eq!(bench.running(), None);
    bench.cli(&["up"]).ended_with(0);
    assert_ne!(bench.running().unwrap().instance, first.instance);
}

#[test]
fn many_starters_at_once_start_one() {
    let bench = Bench::new();
    std::thread::scope(|scope| {
        let starters: Vec<_> = (0..6).map(|_| scope.spawn(|| bench.cli(&["up"]))).collect();
        for starter in starters {
            starter.join().unwrap().ended_with(0);
        }
    });
    assert!(bench.running().is_some());
    // Starting wrote one line into one log; the others found it.
    assert_eq!(bench.cli(&["status"]).status, 0);
}

#[test]
fn state_is_for_the_owner_only() {
    let bench = Bench::new();
    bench.cli(&["up"]).ended_with(0);
    let mut directories = vec![bench.home()];
    while let Some(directory) = directories.pop() {
        let mode = fs::metadata(&directory).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o700, "{}", directory.display());
        for entry in fs::read_dir(&directory).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                directories.push(entry.path());
            } else {
                let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
                assert_eq!(mode & 0o077, 0, "{}", entry.path().display());
            }
        }
    }
}

#[test]
fn a_killed_workstation_leaves_nothing_that_hinders_the_next() {
    let bench = Bench::new();
    bench.cli(&["up"]).ended_with(0);
    let dead = bench.kill_workstation();
    assert!(bench.place().socket().exists(), "the stale socket stands there");
    assert_eq!(bench.cli(&["status"]).status, 0, "reading works from the store");
    assert_eq!(bench.running(), None, "reading starts nothing");
    bench.cli(&["up"]).ended_with(0);
    assert_ne!(bench.running().unwrap().instance, dead.instance);
}

#[test]
fn a_number_in_the_lock_file_that_is_alive_does_not_count() {
    let bench = Bench::new();
    bench.cli(&["up"]).ended_with(0);
    let mut dead = bench.kill_workstation();
    // The number now belongs to somebody else: to this test.
    dead.pid = i32::try_from(std::process::id()).unwrap();
    fs::write(bench.place().lock(), serde_json::to_vec(&dead).unwrap()).unwrap();
    bench.cli(&["down"]).ended_with(0);
    bench.cli(&["up"]).ended_with(0);
    assert!(bench.running().is_some());
}

#[test]
fn reading_commands_work_without_a_workstation_and_start_none() {
    let bench = Bench::new();
    let status = bench.json(&["status"]);
    assert_eq!(status["lanes"].as_array().map(Vec::len), Some(0), "{status}");
    assert_eq!(status["base"].as_str().map(|base| base.contains("main")), Some(true), "{status}");
    assert_eq!(bench.json(&["lane", "list"])["lanes"], serde_json::json!([]));
    assert!(!bench.home().exists());
}

#[test]
fn a_broken_configuration_is_told_with_file_line_and_key() {
    let bench = Bench::new();
    bench.configure("[agent]\nmode = \"wild\"\n");
    let run = bench.cli(&["up"]).ended_with(1);
    for part in ["config.toml", "line 2", "agent.mode"] {
        assert!(run.stderr.contains(part), "{part}: {run:#?}");
    }
    assert_eq!(bench.running(), None);
}
