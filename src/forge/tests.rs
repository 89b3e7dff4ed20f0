//! Forges against stubs of their programs: what they tell, and that nothing of theirs holds anyone up.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::run::Program;
use super::*;
use crate::domain::{ForgeFault, ForgeIssue};

/// A program that does this. It is called by its path, so that no environment is changed.
fn stub(name: &str, script: &str) -> (TempDir, &'static str) {
    let directory = TempDir::new().unwrap();
    let path: PathBuf = directory.path().join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    let name = path.to_str().unwrap().to_owned();
    (directory, Box::leak(name.into_boxed_str()))
}

fn program(name: &'static str, patience: Duration) -> Program {
    Program { name, directory: std::env::temp_dir(), patience }
}

const LONG: Duration = Duration::from_secs(60);

#[test]
fn the_repository_says_which_forge_it_has() {
    let root = TempDir::new().unwrap();
    let found = |kind, origin| find(kind, root.path(), origin, LONG).is_some();
    for address in ["https://github.com/a/b", "git@github.com:a/b.git", "ssh://git@github.com/a/b"] {
        assert!(found(ForgeKind::Auto, Some(address)), "{address}");
    }
    for address in ["https://example.com/github.com/b", "git@gitlab.com:github.com/b", "https://notgithub.com/a"] {
        assert!(!found(ForgeKind::Auto, Some(address)), "{address}");
    }
    assert!(!found(ForgeKind::Auto, None) && !found(ForgeKind::None, Some("https://github.com/a/b")));
    assert!(found(ForgeKind::Github, None), "named, it needs no remote");
    fs::create_dir(root.path().join(".beads")).unwrap();
    assert!(found(ForgeKind::Auto, None));
}

#[test]
fn issues_are_read_from_what_the_programs_print() {
    let (_gh, name) = stub(
        "gh",
        r#"case "$1 $2" in
        "auth status") exit 0 ;;
        "issue list") echo '[{"number":7,"title":"Rate limit the login","url":"https://x/7"},{"number":9,"title":"b","url":null}]' ;;
        esac"#,
    );
    let github = github::Github(program(name, LONG));
    assert!(github.check().unwrap().contains("logged in"));
    let first = ForgeIssue { id: "7".into(), title: "Rate limit the login".into(), url: Some("https://x/7".into()) };
    assert_eq!(github.issues(1).unwrap(), [first]);
    let (_bd, name) = stub("bd", r#"echo '[{"id":"bd-3","title":"Tidy up","status":"open"}]'"#);
    let issue = ForgeIssue { id: "bd-3".into(), title: "Tidy up".into(), url: None };
    assert_eq!(beads::Beads(program(name, LONG)).issues(10).unwrap(), [issue]);
}

#[test]
fn what_fails_is_told_and_holds_nobody_up() {
    let (_gh, name) = stub("gh", "echo 'not logged in' >&2; exit 4");
    let fault = github::Github(program(name, LONG)).check().unwrap_err();
    assert!(matches!(&fault, ForgeFault::Failed { said, .. } if said == "not logged in"), "{fault}");
    let (_gh, name) = stub("gh", "echo '<html>'");
    let fault = github::Github(program(name, LONG)).issues(5).unwrap_err();
    assert!(matches!(fault, ForgeFault::Unreadable { .. }), "{fault}");
    let fault = github::Github(program("paralane-no-such-program", LONG)).check().unwrap_err();
    assert!(matches!(fault, ForgeFault::Missing { .. }), "{fault}");
    // It goes on for ever, and so does what it has started.
    let (_gh, name) = stub("gh", "sleep 1000 & sleep 1000");
    let before = Instant::now();
    let fault = github::Github(program(name, Duration::from_millis(100))).check().unwrap_err();
    assert!(matches!(fault, ForgeFault::Slow { .. }) && before.elapsed() < Duration::from_secs(30), "{fault}");
    let (_gh, name) = stub("gh", "yes");
    let fault = github::Github(program(name, LONG)).issues(5).unwrap_err();
    assert!(matches!(fault, ForgeFault::Failed { .. }), "{fault}");
}
