use super::*;

fn refused(repo: &Repo, place: &Place, keep_branch: bool) -> Vec<String> {
    match close_worktree(&repo.project(), place, keep_branch) {
        Err(GitError::WouldLose { losses, .. }) => losses.lines(),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn an_unused_lane_goes_with_its_branch_and_comes_back() {
    let repo = Repo::new();
    let place = repo.place("api");
    assert!(losses(&repo.project(), &place).unwrap().is_empty());
    let closed = close_worktree(&repo.project(), &place, false).unwrap();
    assert!(closed.worktree_removed && closed.branch_deleted);
    assert_eq!(closed.sha.as_ref(), Some(&place.base.sha));
    assert!(!place.directory.exists());
    assert_eq!((repo.branches(), repo.worktrees()), (vec!["main".to_owned()], 1));

    restore_worktree(&repo.project(), &place, &Cancel::new(), &mut |_| ()).unwrap();
    assert_eq!(repo.git_in(&place.directory, &["symbolic-ref", "--short", "HEAD"]), "lane/api");
}

#[test]
fn every_kind_of_loss_is_named() {
    let repo = Repo::new();
    repo.write("b.txt", "two\n");
    repo.commit("second");
    let place = repo.place("api");
    let dir = &place.directory;
    write(&dir.join("c.txt"), "stash me");
    repo.git_in(dir, &["add", "c.txt"]);
    repo.git_in(dir, &["stash", "push", "-q", "-m", "later"]);
    write(&dir.join("d.txt"), "new");
    repo.commit_in(dir, "own work");
    repo.git_in(dir, &["checkout", "-q", "--detach"]);
    write(&dir.join("e.txt"), "new");
    repo.commit_in(dir, "loose work");
    write(&dir.join("a.txt"), "changed");
    fs::remove_file(dir.join("b.txt")).unwrap();
    write(&dir.join("new/file.txt"), "untracked");
    repo.git_in(dir, &["bisect", "start"]);
    let lines = refused(&repo, &place, false);
    let sha = |what: &str| repo.git(&["rev-parse", "--short=7", what]);
    let head = repo.git_in(dir, &["rev-parse", "--short=7", "HEAD"]);
    assert_eq!(
        lines,
        [
            "2 files with uncommitted changes: a.txt, b.txt".to_owned(),
            "1 untracked file: new/file.txt".to_owned(),
            format!("1 commit not merged anywhere: {} own work", sha("lane/api")),
            format!("1 commit on a detached HEAD: {head} loose work"),
            "1 stash of this branch: stash@{0} On lane/api: later".to_owned(),
            "an unfinished bisect".to_owned(),
        ]
    );
    assert!(dir.join("new/file.txt").exists() && repo.branches().contains(&"lane/api".to_owned()));
}

#[test]
fn a_branch_with_own_commits_is_kept_and_restored() {
    let repo = Repo::new();
    let place = repo.place("api");
    write(&place.directory.join("b.txt"), "work");
    let sha = repo.commit_in(&place.directory, "own work");
    assert_eq!(refused(&repo, &place, false).len(), 1);
    let closed = close_worktree(&repo.project(), &place, true).unwrap();
    assert!(closed.worktree_removed && !closed.branch_deleted);
    assert_eq!(repo.git(&["rev-parse", "lane/api"]), sha);
    restore_worktree(&repo.project(), &place, &Cancel::new(), &mut |_| ()).unwrap();
    assert!(place.directory.join("b.txt").exists());
}

#[test]
fn merged_and_pushed_commits_are_no_loss() {
    let repo = Repo::new();
    let merged = repo.place("merged");
    repo.commit_in(&merged.directory, "work");
    repo.git(&["merge", "-q", "--ff-only", "lane/merged"]);
    let pushed = repo.place("pushed");
    repo.commit_in(&pushed.directory, "work");
    repo.git(&["update-ref", "refs/remotes/origin/x", "lane/pushed"]);
    for mut place in [merged, pushed] {
        let closed = close_worktree(&repo.project(), &place, false).unwrap();
        assert!(closed.branch_deleted);
        place.base.sha = closed.sha.clone().unwrap();
        restore_worktree(&repo.project(), &place, &Cancel::new(), &mut |_| ()).unwrap();
        assert_eq!(Some(repo.git_in(&place.directory, &["rev-parse", "HEAD"])), closed.sha);
    }
}

#[test]
fn ignored_files_and_untouched_copies_may_go() {
    let repo = Repo::new();
    repo.write(".gitignore", "target/\n");
    repo.commit("ignore");
    repo.write(".env", "KEY=1\n");
    let place = repo.place("api");
    copy_into(&repo.project(), &place, &[".env".to_owned()], &Cancel::new()).unwrap();
    write(&place.directory.join("target/big.o"), "built");
    assert!(losses(&repo.project(), &place).unwrap().is_empty());

    write(&place.directory.join(".env"), "KEY=2\n");
    assert_eq!(refused(&repo, &place, true), ["1 untracked file: .env"]);
    write(&place.directory.join(".env"), "KEY=1\n");
    close_worktree(&repo.project(), &place, false).unwrap();
    assert!(!place.directory.exists());
    assert_eq!(fs::read_to_string(repo.root.join(".env")).unwrap(), "KEY=1\n");
}

#[test]
fn changes_that_git_was_told_to_overlook_count() {
    let repo = Repo::new();
    let place = repo.place("api");
    repo.git_in(&place.directory, &["update-index", "--assume-unchanged", "a.txt"]);
    write(&place.directory.join("a.txt"), "changed");
    assert_eq!(refused(&repo, &place, true), ["1 file with uncommitted changes: a.txt"]);
}

#[test]
fn a_repository_inside_the_worktree_counts() {
    let repo = Repo::new();
    let place = repo.place("api");
    repo.git_in(&place.directory, &["init", "-q", "inner"]);
    assert_eq!(refused(&repo, &place, true), ["1 untracked file: inner/"]);
}

/// Field case C54: the row of a worktree that was deleted by hand can be closed, and only its own entry is pruned.
#[test]
fn a_worktree_deleted_by_hand_is_closed() {
    let repo = Repo::new();
    let place = repo.place("api");
    let other = repo.home.path().join("on-a-disk-that-is-not-mounted");
    repo.git(&["worktree", "add", "-q", "--detach", other.to_str().unwrap()]);
    fs::remove_dir_all(&other).unwrap();
    fs::remove_dir_all(&place.directory).unwrap();
    assert!(facts(&repo.project(), &place).unwrap().missing);
    let closed = close_worktree(&repo.project(), &place, false).unwrap();
    assert!(!closed.worktree_removed && closed.branch_deleted);
    assert_eq!(repo.worktrees(), 2);
    assert!(repo.create("api", None).is_ok());
}

#[test]
fn unmerged_commits_count_without_a_directory_too() {
    let repo = Repo::new();
    let place = repo.place("api");
    repo.commit_in(&place.directory, "own work");
    repo.git_in(&place.directory, &["checkout", "-q", "--detach"]);
    repo.commit_in(&place.directory, "loose work");
    fs::remove_dir_all(&place.directory).unwrap();
    let lines = refused(&repo, &place, false);
    assert!(lines[0].contains("own work") && lines[1].contains("loose work"), "{lines:?}");
    assert!(repo.branches().contains(&"lane/api".to_owned()));
}

#[test]
fn directories_that_are_not_the_lanes_worktree_stay() {
    let repo = Repo::new();
    let place = repo.place("api");
    fs::remove_dir_all(&place.directory).unwrap();
    repo.git(&["worktree", "prune"]);
    write(&place.directory.join("notes.txt"), "theirs");
    assert!(matches!(close_worktree(&repo.project(), &place, true), Err(GitError::NotOurs { .. })));

    let place = repo.place("ui");
    fs::remove_file(place.directory.join(".git")).unwrap();
    assert!(matches!(close_worktree(&repo.project(), &place, true), Err(GitError::NotOurs { .. })));
    assert!(place.directory.join("a.txt").exists());
}

#[test]
fn a_submodules_repository_counts() {
    let repo = Repo::new();
    let other = Repo::new();
    let allow = ["-c", "protocol.file.allow=always"];
    repo.git(&[&allow[..], &["submodule", "--quiet", "add", other.root.to_str().unwrap(), "sub"]].concat());
    repo.commit("with submodule");
    let place = repo.place("api");
    repo.git_in(&place.directory, &[&allow[..], &["submodule", "--quiet", "update", "--init"]].concat());
    assert_eq!(refused(&repo, &place, true), ["1 submodule checked out: sub"]);
}

#[test]
fn a_lane_in_the_base_checkout_loses_and_removes_nothing() {
    let repo = Repo::new();
    repo.write("a.txt", "changed");
    let place = repo.project().here().unwrap();
    assert!(losses(&repo.project(), &place).unwrap().is_empty());
    let closed = close_worktree(&repo.project(), &place, false).unwrap();
    assert!(!closed.worktree_removed && repo.root.join("a.txt").exists());
}
