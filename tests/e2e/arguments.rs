//! What a person types wrong, and where it cannot work: a plain message, the exit status, nothing created.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::Bench;
use crate::support::bench::PROGRAM;

#[test]
fn help_and_version_are_printed() {
    let bench = Bench::new();
    let help = bench.cli(&["help"]).ended_with(0);
    for word in ["lane", "prompt", "approvals", "demo", "up", "down"] {
        assert!(help.stdout.contains(word), "{word}: {help:#?}");
    }
    let version = bench.cli(&["--version"]).ended_with(0);
    assert!(version.stdout.contains(env!("CARGO_PKG_VERSION")), "{version:#?}");
    assert!(bench.cli(&["help", "lane", "new"]).ended_with(0).stdout.contains("--kind"));
    assert!(bench.cli(&["--help"]).ended_with(0).stdout.contains("lane"));
    assert!(!bench.home().exists());
}

#[test]
fn completion_is_printed_for_every_shell() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(bench.cli(&["completion", shell]).ended_with(0).stdout.contains("paralane"), "{shell}");
    }
}

#[test]
fn a_slip_is_told_with_the_nearest_word() {
    let bench = Bench::new();
    for (args, near) in [
        (&["promt", "api", "x"][..], "prompt"),
        (&["lane", "lst"], "lane list"),
        (&["lane", "list", "--jsno"], "--json"),
        (&["mode", "autoedit"], "auto-edit"),
    ] {
        let run = bench.cli(args).ended_with(2);
        assert!(run.stderr.contains(near), "{args:?}: {run:#?}");
        assert!(run.stdout.is_empty(), "{run:#?}");
    }
    assert!(!bench.home().exists());
}

#[test]
fn control_characters_in_arguments_do_not_reach_the_terminal() {
    let bench = Bench::new();
    let run = bench.cli(&["\u{1b}[31mred"]).ended_with(2);
    assert!(!run.stderr.contains('\u{1b}'), "{run:#?}");
}

#[test]
fn no_repository_is_a_plain_message() {
    let bench = Bench::without_repository();
    for args in [&["status"][..], &["up"], &["lane", "new", "api"]] {
        let run = bench.cli_in(&bench.tmp(), args).ended_with(1);
        assert!(run.stderr.contains("not in a git repository"), "{run:#?}");
    }
    assert!(!bench.home().exists());
}

#[test]
fn a_bare_repository_is_a_plain_message() {
    let bench = Bench::without_repository();
    bench.git_in(bench.path(), &["init", "-q", "--bare", "bare"]);
    let run = bench.cli_in(&bench.path().join("bare"), &["up"]).ended_with(1);
    assert!(run.stderr.contains("bare"), "{run:#?}");
    assert!(!bench.home().exists());
}

#[test]
fn a_repository_without_commits_is_a_plain_message() {
    let bench = Bench::without_repository();
    fs::create_dir(bench.repo()).unwrap();
    bench.git(&["init", "-q", "-b", "main"]);
    let run = bench.cli(&["up"]).ended_with(1);
    assert!(run.stderr.contains("no commits"), "{run:#?}");
    assert!(!bench.home().exists());
}

#[test]
fn the_window_needs_a_terminal() {
    let bench = Bench::new();
    for args in [&[][..], &["--", "sh"], &["--foreground"], &["demo"]] {
        let run = bench.cli(args).ended_with(1);
        assert!(run.stderr.contains("terminal"), "{args:?}: {run:#?}");
    }
    assert!(!bench.home().exists());
    assert_eq!(fs::read_dir(bench.tmp()).unwrap().count(), 0);
}

#[test]
fn a_state_directory_with_too_long_a_path_names_the_option() {
    let bench = Bench::new();
    let long = bench.path().join("d".repeat(100));
    let run = bench.cli(&["--home", long.to_str().unwrap(), "up"]).ended_with(1);
    assert!(run.stderr.contains("--home"), "{run:#?}");
    assert!(!long.exists());
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let bench = Bench::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(PROGRAM)
        .arg("help")
        .current_dir(bench.repo())
        .env_clear()
        .envs(bench.env())
        .stdin(Stdio::null())
        .stdout(writer)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}
