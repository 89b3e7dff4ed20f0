use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::*;

#[test]
fn a_lane_starts_from_what_is_checked_out() {
    let repo = Repo::new();
    repo.git(&["checkout", "-q", "-b", "dev"]);
    let sha = repo.commit("second");
    repo.git(&["update-ref", "refs/remotes/origin/main", "main"]);
    repo.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
    let mut said = Vec::new();
    let (place, made) = repo.create_with("api", None, &Cancel::new(), &mut |line| said.push(line.to_owned())).unwrap();
    assert_eq!(place.branch.as_deref(), Some("lane/api"));
    assert_eq!((place.base.name.as_str(), &place.base.sha), ("dev", &sha));
    assert!(!made.adopted && made.notes.is_empty(), "{made:?}");
    assert!(said[0].contains("lane/api") && said[0].contains(&sha[..7]), "{said:?}");
    let dir = repo.dir("api");
    assert_eq!(repo.git_in(&dir, &["rev-parse", "HEAD"]), sha);
    assert_eq!(repo.git_in(&dir, &["symbolic-ref", "HEAD"]), "refs/heads/lane/api");
    assert_eq!(fs::metadata(dir.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn a_named_base_is_taken_as_it_is() {
    let repo = Repo::new();
    let old = repo.git(&["rev-parse", "main"]);
    repo.git(&["checkout", "-q", "-b", "dev"]);
    repo.commit("second");
    repo.git(&["update-ref", "refs/remotes/origin/main", "dev"]);
    assert_eq!(repo.create("a", Some("main")).unwrap().0.base.sha, old);
    repo.git(&["tag", "v1", "main"]);
    assert_eq!(repo.create("b", Some("v1")).unwrap().0.base.sha, old);
    assert_eq!(repo.create("c", Some("HEAD")).unwrap().0.base.name, "dev");
}

#[test]
fn an_unknown_base_is_named_with_near_ones() {
    let repo = Repo::new();
    repo.git(&["branch", "develop"]);
    let error = repo.create("api", Some("develp")).unwrap_err();
    assert!(matches!(&error, GitError::UnknownBase { near, .. } if near == &["develop"]), "{error}");
    assert!(error.to_string().contains("did you mean `develop`?"));
    let error = repo.create("api", Some("--force")).unwrap_err();
    assert!(matches!(&error, GitError::UnknownBase { near, .. } if near.is_empty()), "{error}");
    assert_eq!((repo.branches().len(), repo.worktrees()), (2, 1));
}

#[test]
fn a_taken_branch_or_directory_is_refused() {
    let repo = Repo::new();
    repo.git(&["branch", "lane/api"]);
    assert!(matches!(repo.create("api", None), Err(GitError::BranchExists { .. })));
    repo.git(&["branch", "lane/ui/sub"]);
    assert!(matches!(repo.create("ui", None), Err(GitError::BranchBlocked { by, .. }) if by == "lane/ui/sub"));
    // Field case C53: an empty directory without `.git` works in the repository around it.
    fs::create_dir_all(repo.dir("web")).unwrap();
    assert!(matches!(repo.create("web", None), Err(GitError::DirectoryTaken { .. })));
    assert!(!repo.branches().contains(&"lane/web".to_owned()));

    let repo = Repo::new();
    repo.git(&["branch", "lane"]);
    assert!(matches!(repo.create("api", None), Err(GitError::BranchBlocked { by, .. }) if by == "lane"));
}

#[test]
fn a_read_only_repository_is_named() {
    let repo = Repo::new();
    let heads = repo.root.join(".git/refs/heads");
    fs::set_permissions(&heads, fs::Permissions::from_mode(0o555)).unwrap();
    // The superuser may write anyway; then there is nothing to refuse.
    if rustix::fs::access(&heads, rustix::fs::Access::WRITE_OK).is_err() {
        let error = repo.create("api", None).unwrap_err();
        assert!(matches!(&error, GitError::ReadOnly { path } if *path == heads), "{error}");
    }
    fs::set_permissions(&heads, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_failing_hook_is_shown_and_the_lane_stands() {
    let repo = Repo::new();
    repo.hook("post-checkout", "echo sorry, no linter >&2; exit 3");
    let mut said = Vec::new();
    let (_, made) = repo.create_with("api", None, &Cancel::new(), &mut |line| said.push(line.to_owned())).unwrap();
    assert!(made.notes[0].contains("exit status: 3") && made.notes[0].contains("sorry, no linter"), "{made:?}");
    assert!(said.contains(&"sorry, no linter".to_owned()), "{said:?}");
}

#[test]
fn a_hook_gets_no_input_and_no_git_variables_of_ours() {
    let repo = Repo::new();
    repo.hook("post-checkout", "read answer || echo no input >&2; echo count=$GIT_CONFIG_COUNT >&2");
    let mut said = Vec::new();
    repo.create_with("api", None, &Cancel::new(), &mut |line| said.push(line.to_owned())).unwrap();
    assert!(said.iter().any(|line| line == "no input") && said.iter().any(|line| line == "count="), "{said:?}");
}

#[test]
fn a_refusal_of_git_is_quoted_and_leaves_nothing() {
    let repo = Repo::new();
    repo.write(".gitattributes", "*.bin filter=broken\n");
    repo.write("x.bin", "x");
    repo.commit("binary");
    repo.git(&["config", "filter.broken.smudge", "echo the filter is down >&2; exit 1"]);
    repo.git(&["config", "filter.broken.required", "true"]);
    let error = repo.create("api", None).unwrap_err();
    assert!(matches!(&error, GitError::Git { stderr, .. } if stderr.contains("the filter is down")), "{error}");
    assert!(error.to_string().contains("the filter is down"));
    assert_eq!((repo.branches(), repo.worktrees()), (vec!["main".to_owned()], 1));
    assert!(!repo.dir("api").exists());
}

/// Field case C57: a checkout behind a slow filter can be cancelled, and then nothing is left.
#[test]
fn a_slow_checkout_is_cancelled_at_once() {
    let repo = Repo::new();
    repo.write(".gitattributes", "*.bin filter=slow\n");
    repo.write("x.bin", "x");
    repo.commit("binary");
    let started = repo.home.path().join("started");
    let smudge = format!("echo $$ > '{}'; exec sleep 600", started.display());
    repo.git(&["config", "filter.slow.smudge", &smudge]);
    let cancel = Cancel::new();
    let (sender, result) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let result = repo.create_with("api", None, &cancel, &mut |_| ());
            sender.send(result).unwrap();
        });
        until(|| fs::read_to_string(&started).is_ok_and(|pid| pid.ends_with('\n')));
        cancel.cancel();
        let result = result.recv_timeout(Duration::from_secs(60)).unwrap();
        assert!(matches!(result, Err(GitError::Cancelled { .. })), "{result:?}");
    });
    assert_eq!((repo.branches(), repo.worktrees()), (vec!["main".to_owned()], 1));
    assert!(!repo.dir("api").exists());
    let pid: i32 = fs::read_to_string(&started).unwrap().trim().parse().unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    until(|| ended(pid));
    assert!(matches!(repo.create_with("api", None, &cancel, &mut |_| ()), Err(GitError::Cancelled { .. })));
}

#[test]
fn a_hook_that_leaves_a_daemon_holds_nothing_up() {
    let repo = Repo::new();
    let pid = repo.home.path().join("pid");
    repo.hook("post-checkout", &format!("sleep 600 & echo $! > '{}'", pid.display()));
    let (_, made) = repo.create("api", None).unwrap();
    assert!(made.notes.is_empty());
    let pid: i32 = fs::read_to_string(&pid).unwrap().trim().parse().unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    assert!(!ended(pid));
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

fn ended(pid: rustix::process::Pid) -> bool {
    let zombie = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()))
        .is_ok_and(|stat| stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')));
    zombie || rustix::process::test_kill_process(pid).is_err()
}

fn until(mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "waited too long");
        thread::park_timeout(Duration::from_millis(5));
    }
}
