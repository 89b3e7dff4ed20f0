use super::*;

/// A place as planned and stored before anything was made.
fn planned(repo: &Repo, name: &str) -> Place {
    plan(&repo.project(), &lane(name), None, &repo.dir(name)).unwrap()
}

fn admin(repo: &Repo, name: &str) -> PathBuf {
    repo.root.join(".git/worktrees").join(name)
}

/// What a `git worktree add` killed in the middle of its checkout leaves.
fn cut_off(repo: &Repo, name: &str) -> Place {
    let place = repo.place(name);
    fs::remove_file(admin(repo, name).join("index")).unwrap();
    fs::write(admin(repo, name).join("locked"), "initializing").unwrap();
    place
}

#[test]
fn nothing_made_yet_is_made() {
    let repo = Repo::new();
    let place = planned(&repo, "api");
    assert!(!repo.ensure(&place).unwrap().adopted);
    assert!(place.directory.join("a.txt").exists());
}

/// Field case C37: the crash came after `git worktree add` and before anybody knew.
#[test]
fn a_whole_worktree_is_adopted_again_and_again() {
    let repo = Repo::new();
    let place = repo.place("api");
    write(&place.directory.join("work.txt"), "mine");
    for _ in 0..2 {
        assert!(repo.ensure(&place).unwrap().adopted);
    }
    assert_eq!(fs::read_to_string(place.directory.join("work.txt")).unwrap(), "mine");
}

#[test]
fn a_branch_without_a_worktree_is_used_if_it_holds_nothing() {
    let repo = Repo::new();
    let place = planned(&repo, "api");
    repo.git(&["branch", "lane/api"]);
    assert!(!repo.ensure(&place).unwrap().adopted);

    let place = planned(&repo, "ui");
    let base = place.base.sha.clone();
    let sha = repo.commit("somebody's");
    repo.git(&["branch", "lane/ui"]);
    let error = repo.ensure(&place).unwrap_err();
    assert!(matches!(&error, GitError::BranchExists { sha: at, .. } if *at == sha), "{error}");
    assert_ne!(base, sha);
    assert!(!place.directory.exists());
}

#[test]
fn half_made_worktrees_are_made_again() {
    let repo = Repo::new();
    let missing = repo.place("missing");
    fs::remove_dir_all(&missing.directory).unwrap();
    let emptied = repo.place("emptied");
    fs::remove_dir_all(&emptied.directory).unwrap();
    fs::create_dir(&emptied.directory).unwrap();
    let cut = cut_off(&repo, "cut");
    let cut_without_git = cut_off(&repo, "bald");
    fs::remove_file(cut_without_git.directory.join(".git")).unwrap();
    let young = cut_off(&repo, "young");
    fs::remove_dir_all(&young.directory).unwrap();
    fs::write(admin(&repo, "young").join("HEAD"), "0000000000000000000000000000000000000000\n").unwrap();
    for place in [missing, emptied, cut, cut_without_git, young] {
        let made = repo.ensure(&place).unwrap_or_else(|error| panic!("{}: {error}", place.directory.display()));
        assert!(!made.adopted);
        assert_eq!(repo.git_in(&place.directory, &["status", "--porcelain"]), "");
    }
    assert_eq!(repo.worktrees(), 6);
}

#[test]
fn what_could_hold_work_is_left_alone() {
    let repo = Repo::new();
    let cut = cut_off(&repo, "cut");
    write(&cut.directory.join("work.txt"), "mine");
    let error = repo.ensure(&cut).unwrap_err();
    assert!(matches!(&error, GitError::NotOurs { why, .. } if why.contains("work.txt")), "{error}");
    assert!(cut.directory.join("work.txt").exists());

    let drifted = repo.place("drifted");
    repo.git_in(&drifted.directory, &["checkout", "-q", "-b", "other"]);
    assert!(matches!(repo.ensure(&drifted), Err(GitError::NotOurs { .. })));
    assert!(drifted.directory.join("a.txt").exists());

    let stranger = planned(&repo, "stranger");
    write(&stranger.directory.join("notes.txt"), "theirs");
    assert!(matches!(repo.ensure(&stranger), Err(GitError::DirectoryTaken { .. })));
    assert!(stranger.directory.join("notes.txt").exists());
}

/// Field case C42: a lock is named with its age and never taken away.
#[test]
fn a_lock_is_named_and_kept() {
    let repo = Repo::new();
    let place = repo.place("api");
    let lock = admin(&repo, "api").join("index.lock");
    fs::write(&lock, "").unwrap();
    let hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3700);
    fs::File::options().write(true).open(&lock).unwrap().set_modified(hour_ago).unwrap();
    let error = repo.ensure(&place).unwrap_err();
    assert!(error.to_string().contains("locked by git since 1 h"), "{error}");
    assert!(matches!(close_worktree(&repo.project(), &place, true), Err(GitError::Locked { .. })));
    assert!(lock.exists());
}
