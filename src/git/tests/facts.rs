use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::*;

#[test]
fn ahead_behind_dirty_and_committed() {
    let repo = Repo::new();
    let place = repo.place("api");
    let dir = &place.directory;
    assert_eq!(facts(&repo.project(), &place).unwrap(), crate::domain::GitFacts::default());
    write(&dir.join("src/own.rs"), "x");
    repo.commit_in(dir, "own 1");
    repo.commit_in(dir, "own 2");
    repo.write("main.txt", "x");
    repo.commit("main moved");
    write(&dir.join("a.txt"), "changed");
    write(&dir.join("new/deep/file"), "x");
    let facts = facts(&repo.project(), &place).unwrap();
    assert_eq!((facts.ahead, facts.behind), (2, 1));
    assert_eq!(facts.dirty, ["a.txt", "new/deep/file"]);
    assert_eq!(facts.committed, ["src/own.rs"]);
    assert_eq!((facts.drifted_to, facts.missing, facts.disk), (None, false, None));
}

#[test]
fn what_was_changed_in_the_base_checkout_is_told_from_a_moment_on() {
    let repo = Repo::new();
    let long_ago = jiff::Timestamp::UNIX_EPOCH;
    let since = |at| written_since(&repo.project(), at).unwrap();
    assert_eq!(since(long_ago), [".git/HEAD"], "clean");
    repo.write("a.txt", "changed");
    repo.write("new/file", "x");
    assert_eq!(since(long_ago), [".git/HEAD", "a.txt", "new/file"]);
    let later = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(60);
    assert_eq!(since(later), Vec::<String>::new());
    std::fs::remove_file(repo.project().root().join("a.txt")).unwrap();
    assert!(since(long_ago).contains(&"a.txt".to_owned()), "one that is gone");
}

#[test]
fn another_branch_is_drift() {
    let repo = Repo::new();
    let place = repo.place("api");
    repo.git_in(&place.directory, &["checkout", "-q", "-b", "other"]);
    assert_eq!(facts(&repo.project(), &place).unwrap().drifted_to.as_deref(), Some("other"));
    repo.git_in(&place.directory, &["checkout", "-q", "--detach"]);
    let drift = facts(&repo.project(), &place).unwrap().drifted_to;
    assert_eq!(drift, Some(format!("detached at {}", &place.base.sha[..7])));
}

#[test]
fn a_rebase_that_stopped_is_no_drift() {
    let repo = Repo::new();
    let place = repo.place("api");
    let dir = &place.directory;
    write(&dir.join("a.txt"), "ours");
    repo.commit_in(dir, "ours");
    repo.write("a.txt", "theirs");
    repo.commit("theirs");
    let stopped = std::process::Command::new("git").current_dir(dir).args(["rebase", "-q", "main"]).output().unwrap();
    assert!(!stopped.status.success(), "{stopped:?}");
    assert_eq!(facts(&repo.project(), &place).unwrap().drifted_to, None);
}

#[test]
fn a_directory_without_git_is_missing_and_another_repository_is_refused() {
    let repo = Repo::new();
    let place = repo.place("api");
    fs::remove_file(place.directory.join(".git")).unwrap();
    assert!(facts(&repo.project(), &place).unwrap().missing);
    repo.git_in(&place.directory, &["init", "-q"]);
    assert!(matches!(facts(&repo.project(), &place), Err(GitError::NotOurs { .. })));
    assert!(losses(&repo.project(), &place).is_err());
}

/// Field case C51: a name that is not UTF-8 is shown with an escape, and git works on the real bytes.
#[test]
fn names_that_are_not_text_are_escaped() {
    let repo = Repo::new();
    let place = repo.place("api");
    let bad = place.directory.join(OsStr::from_bytes(b"\xefbad"));
    if fs::write(&bad, "x").is_err() {
        return; // A file system that takes only UTF-8.
    }
    assert_eq!(facts(&repo.project(), &place).unwrap().dirty, ["\\xefbad"]);
    assert_eq!(losses(&repo.project(), &place).unwrap().lines(), ["1 untracked file: \\xefbad"]);
    repo.commit_in(&place.directory, "bad name");
    assert_eq!(facts(&repo.project(), &place).unwrap().committed, ["\\xefbad"]);
}

#[test]
fn files_behind_a_filter_are_not_dirty() {
    let repo = Repo::new();
    repo.write(".gitattributes", "*.bin filter=upper\n");
    repo.git(&["config", "filter.upper.clean", "tr a-z A-Z"]);
    repo.git(&["config", "filter.upper.smudge", "tr A-Z a-z"]);
    repo.write("x.bin", "abc\n");
    repo.commit("filtered");
    let place = repo.place("api");
    assert_eq!(fs::read_to_string(place.directory.join("x.bin")).unwrap(), "abc\n");
    assert!(facts(&repo.project(), &place).unwrap().dirty.is_empty());
    assert!(losses(&repo.project(), &place).unwrap().is_empty());
    write(&place.directory.join("x.bin"), "longer\n");
    assert_eq!(facts(&repo.project(), &place).unwrap().dirty, ["x.bin"]);
}

#[test]
fn long_lists_are_capped() {
    let repo = Repo::new();
    let place = repo.place("api");
    for number in 0..2_100 {
        write(&place.directory.join(format!("new/{number}")), "");
    }
    assert_eq!(facts(&repo.project(), &place).unwrap().dirty.len(), 2_100);
    let losses = losses(&repo.project(), &place).unwrap();
    assert_eq!((losses.untracked.total, losses.untracked.names.len()), (2_100, 2_000));
    assert!(losses.lines()[0].ends_with("and 2095 more"), "{losses}");
}

#[test]
fn git_paths_name_what_to_watch() {
    let repo = Repo::new();
    let place = repo.place("api");
    let paths = git_paths(&repo.project(), &place).unwrap();
    assert_eq!(paths.git_dir, repo.root.join(".git/worktrees/api"));
    assert_eq!(paths.common_dir, repo.root.join(".git"));
    assert_eq!(paths.refs, ["refs/heads/lane/api", "refs/heads/main"]);
    let here = git_paths(&repo.project(), &repo.project().here().unwrap()).unwrap();
    assert_eq!((here.git_dir, here.refs), (repo.root.join(".git"), vec!["refs/heads/main".to_owned()]));
}

#[test]
fn disk_use_counts_each_file_once_and_follows_nothing() {
    let repo = Repo::new();
    let place = repo.place("api");
    let dir = &place.directory;
    let before = disk_use(dir, &Cancel::new()).unwrap();
    fs::write(dir.join("big"), vec![1; 1_000_000]).unwrap();
    fs::hard_link(dir.join("big"), dir.join("same")).unwrap();
    std::os::unix::fs::symlink("/", dir.join("everything")).unwrap();
    let grown = disk_use(dir, &Cancel::new()).unwrap() - before;
    assert!((1_000_000..1_500_000).contains(&grown), "{grown}");
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(disk_use(dir, &cancel), None);
}
