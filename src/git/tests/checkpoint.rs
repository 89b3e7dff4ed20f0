use std::collections::BTreeMap;
use std::os::unix::fs::symlink;

use proptest::prelude::*;

use super::*;
use crate::domain::{GitAsk, LaneId, SavedFiles};

const LANE: LaneId = LaneId(3);

/// A lane whose worktree is saved and brought back.
struct Lane<'a> {
    repo: &'a Repo,
    project: Project,
    place: Place,
    copied: Vec<String>,
    next: std::cell::Cell<u64>,
    kept: Checkpoints,
}

impl<'a> Lane<'a> {
    fn new(repo: &'a Repo) -> Self {
        Self::at(repo, repo.place("api"))
    }

    fn at(repo: &'a Repo, place: Place) -> Self {
        Self::with(repo, repo.project(), place)
    }

    fn with(repo: &'a Repo, project: Project, place: Place) -> Self {
        let (next, kept) = (std::cell::Cell::new(1), Checkpoints::default());
        Self { repo, project, place, copied: Vec::new(), next, kept }
    }

    fn subject(&self) -> Subject<'_> {
        Subject { project: &self.project, lane: LANE, place: &self.place, copied: &self.copied }
    }

    fn save(&self) -> SavedFiles {
        self.save_towards(None)
    }

    fn save_towards(&self, towards: Option<&str>) -> SavedFiles {
        let number = self.next.replace(self.next.get() + 1);
        self.kept.take(&self.subject(), number, towards, &Cancel::new()).unwrap()
    }

    /// Goes back, and hands out what undoes it.
    fn back(&self, to: &SavedFiles) -> SavedFiles {
        let before = self.save_towards(Some(&to.commit));
        rewind(&self.subject(), &to.commit, &before.commit, &Cancel::new()).unwrap();
        before
    }

    fn write(&self, path: &str, content: &str) {
        write(&self.place.directory.join(path), content);
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.place.directory.join(path)).unwrap();
    }

    fn git(&self, args: &[&str]) -> String {
        self.repo.git_in(&self.place.directory, args)
    }

    /// Every file with its content and mode, and the whole index.
    fn look(&self) -> (BTreeMap<PathBuf, (String, u32)>, String) {
        let mut files = BTreeMap::new();
        let mut left = vec![self.place.directory.clone()];
        while let Some(dir) = left.pop() {
            for entry in fs::read_dir(&dir).unwrap().map(Result::unwrap) {
                let (path, meta) = (entry.path(), entry.path().symlink_metadata().unwrap());
                let content = if meta.is_dir() && entry.file_name() != ".git" {
                    left.push(path);
                    continue;
                } else if meta.is_symlink() {
                    fs::read_link(&path).unwrap().display().to_string()
                } else if meta.is_file() {
                    fs::read_to_string(&path).unwrap_or_default()
                } else {
                    continue;
                };
                files.insert(path, (content, meta.permissions().mode()));
            }
        }
        (files, self.git(&["ls-files", "-s", "-v"]))
    }
}

#[test]
fn files_and_index_come_back_as_they_were() {
    let repo = Repo::new();
    repo.write("run.sh", "#!/bin/sh\n");
    repo.write("dir/b.txt", "b\n");
    repo.commit("more");
    let lane = Lane::new(&repo);
    lane.write("staged.txt", "staged\n");
    lane.git(&["add", "staged.txt"]);
    lane.write("staged.txt", "and changed\n");
    lane.write("new/deep.txt", "untracked\n");
    lane.remove("dir/b.txt");
    symlink("a.txt", lane.place.directory.join("link")).unwrap();
    let then = lane.look();
    let saved = lane.save();
    assert_eq!(lane.look(), then, "taking one changes nothing");

    lane.write("a.txt", "changed\n");
    lane.write("dir/b.txt/now-a-folder", "x");
    lane.write("other.txt", "made since\n");
    lane.remove("new/deep.txt");
    lane.remove("link");
    lane.write("link", "a file now");
    let run = lane.place.directory.join("run.sh");
    fs::set_permissions(&run, fs::Permissions::from_mode(0o755)).unwrap();
    lane.git(&["add", "-A"]);
    lane.git(&["commit", "-q", "-m", "own"]);
    let head = lane.git(&["rev-parse", "HEAD"]);
    let now = lane.look();

    let before = lane.back(&saved);
    assert_eq!(lane.look(), then);
    assert_eq!(lane.git(&["rev-parse", "HEAD"]), head, "commits stay");
    assert_eq!(lane.git(&["symbolic-ref", "HEAD"]), "refs/heads/lane/api");
    lane.back(&before);
    assert_eq!(lane.look(), now, "a rewind can be undone");
    assert_eq!(lane.git(&["status", "--short"]), "");
}

#[test]
fn what_git_ignores_and_what_copying_brought_stays_out_and_stays_there() {
    let repo = Repo::new();
    repo.write(".gitignore", "target/\n");
    repo.commit("ignore");
    repo.write("secret/key", "KEY=1\n");
    let mut lane = Lane::new(&repo);
    lane.copied = vec!["secret".into(), "*.local".into()];
    copy_into(&lane.project, &lane.place, &lane.copied, &Cancel::new()).unwrap();
    lane.write("secret/key", "KEY=2\n");
    lane.write("one.local", "mine\n");
    lane.write("target/big.o", "built\n");
    let saved = lane.save();
    let listed = repo.git(&["ls-tree", "-r", "--name-only", &saved.commit]);
    assert_eq!(listed, ".gitignore\na.txt");
    lane.write("a.txt", "changed\n");
    lane.write("secret/key", "KEY=3\n");
    lane.write("target/big.o", "built again\n");
    lane.back(&saved);
    let read = |path: &str| fs::read_to_string(lane.place.directory.join(path)).unwrap();
    assert_eq!(
        (read("a.txt"), read("secret/key"), read("target/big.o")),
        ("one\n".into(), "KEY=3\n".into(), "built again\n".into())
    );
}

/// What came to be ignored since is not lost when a rewind writes over it.
#[test]
fn ignored_files_in_the_way_are_in_the_checkpoint_that_undoes_it() {
    let repo = Repo::new();
    let lane = Lane::new(&repo);
    lane.write("out/x", "then\n");
    let saved = lane.save();
    lane.write(".gitignore", "out\n");
    lane.write("out/x", "now\n");
    let before = lane.back(&saved);
    assert_eq!(fs::read_to_string(lane.place.directory.join("out/x")).unwrap(), "then\n");
    lane.back(&before);
    assert_eq!(fs::read_to_string(lane.place.directory.join("out/x")).unwrap(), "now\n");

    // A file where a folder was.
    fs::remove_dir_all(lane.place.directory.join("out")).unwrap();
    lane.write("out", "a file\n");
    let before = lane.back(&saved);
    assert_eq!(fs::read_to_string(lane.place.directory.join("out/x")).unwrap(), "then\n");
    lane.back(&before);
    assert_eq!(fs::read_to_string(lane.place.directory.join("out")).unwrap(), "a file\n");
}

#[test]
fn a_merge_with_conflicts_comes_back_with_its_conflicts() {
    let repo = Repo::new();
    let lane = Lane::new(&repo);
    lane.write("a.txt", "theirs\n");
    lane.git(&["commit", "-q", "-a", "-m", "own"]);
    repo.write("a.txt", "ours\n");
    repo.commit("other");
    let merge = repo.command(&lane.place.directory, &["merge", "main"]).output().unwrap();
    assert!(!merge.status.success());
    let then = lane.look();
    let saved = lane.save();
    assert_eq!(lane.look(), then);
    lane.write("a.txt", "resolved\n");
    lane.git(&["add", "a.txt"]);
    repo.git(&["gc", "-q", "--prune=now"]);
    lane.back(&saved);
    assert_eq!(lane.look(), then);
    assert!(lane.git(&["status", "--short"]).contains("UU a.txt"));
}

#[test]
fn marks_on_files_come_back_and_hide_nothing() {
    let repo = Repo::new();
    let lane = Lane::new(&repo);
    lane.git(&["update-index", "--assume-unchanged", "a.txt"]);
    lane.write("a.txt", "hidden change\n");
    lane.write("later.txt", "x\n");
    lane.git(&["add", "-N", "later.txt"]);
    let then = lane.look();
    let saved = lane.save();
    lane.git(&["update-index", "--no-assume-unchanged", "a.txt"]);
    lane.git(&["checkout", "-q", "a.txt"]);
    lane.back(&saved);
    assert_eq!(lane.look(), then);
}

#[test]
fn a_repository_without_commits_or_configuration_has_checkpoints_too() {
    let repo = Repo::empty();
    let sha = "0".repeat(40);
    let place =
        Place { directory: repo.root.clone(), branch: None, base: crate::domain::BaseRef { name: "main".into(), sha } };
    repo.git(&["config", "--unset", "user.name"]);
    repo.git(&["config", "--unset", "user.email"]);
    repo.git(&["config", "commit.gpgSign", "true"]);
    repo.git(&["config", "gpg.program", "false"]);
    let other = Repo::new();
    let project = Project::of(&repo.root, &repo.root.join(".git"), other.env());
    let config = repo.root.join(".git/config");
    fs::set_permissions(&config, fs::Permissions::from_mode(0o444)).unwrap();
    let lane = Lane::with(&repo, project, place);
    lane.write("a.txt", "one\n");
    let saved = lane.save();
    lane.write("a.txt", "two\n");
    lane.write("b.txt", "new\n");
    lane.back(&saved);
    assert_eq!(fs::read_to_string(repo.root.join("a.txt")).unwrap(), "one\n");
    assert!(!repo.root.join("b.txt").exists());
}

#[test]
fn no_hook_runs_and_nothing_is_left_behind() {
    let repo = Repo::new();
    for hook in ["post-index-change", "reference-transaction", "pre-commit", "post-checkout", "post-commit"] {
        repo.hook(hook, "touch \"$HOME/hook-ran\"");
    }
    let lane = Lane::new(&repo);
    let _ = fs::remove_file(repo.home.path().join("hook-ran"));
    let saved = lane.save();
    lane.write("b.txt", "new\n");
    lane.back(&saved);
    assert!(!repo.home.path().join("hook-ran").exists());
    let left: Vec<_> = fs::read_dir(repo.root.join(".git/worktrees/api")).unwrap().flatten().collect();
    assert!(!left.iter().any(|entry| entry.file_name().to_string_lossy().contains("paralane")), "{left:?}");
}

#[test]
fn refs_are_hidden_and_go_with_the_lane() {
    let repo = Repo::new();
    let lane = Lane::new(&repo);
    let (first, _second, third) = (lane.save(), lane.save(), lane.save());
    let refs = || repo.git(&["for-each-ref", "--format=%(refname)", "refs/paralane"]);
    assert_eq!(refs().lines().count(), 3);
    assert_eq!(repo.git(&["rev-parse", "refs/paralane/checkpoints/l3/1"]), first.commit);
    forget_checkpoints(&lane.project, LANE, &[1, 2, 9]).unwrap();
    assert_eq!(refs(), "refs/paralane/checkpoints/l3/3");
    assert!(losses(&lane.project, &lane.place).unwrap().is_empty(), "{}", third.commit);
    forget_lane(&lane.project, LANE).unwrap();
    assert_eq!(refs(), "");
    assert_eq!(repo.branches(), ["lane/api", "main"]);
}

/// A checkpoint holds a commit, which must not count as merged because of that.
#[test]
fn a_checkpoint_does_not_hide_that_work_would_be_lost() {
    let repo = Repo::new();
    let lane = Lane::new(&repo);
    lane.write("b.txt", "work\n");
    repo.commit_in(&lane.place.directory, "own work");
    lane.save();
    assert_eq!(losses(&lane.project, &lane.place).unwrap().unmerged.total, 1);
}

#[test]
fn what_cannot_be_kept_is_named_and_never_touched() {
    let repo = Repo::new();
    let lane = Lane::new(&repo);
    let saved = lane.save();
    repo.git_in(&lane.place.directory, &["init", "-q", "inner"]);
    lane.write("inner/x", "x\n");
    let huge = fs::File::create(lane.place.directory.join("huge.bin")).unwrap();
    huge.set_len(65 * 1024 * 1024).unwrap();
    let before = lane.back(&saved);
    assert_eq!(before.left_out, ["`huge.bin`: large"]);
    assert!(lane.place.directory.join("inner/x").exists() && lane.place.directory.join("huge.bin").exists());
}

#[test]
fn refusals_change_nothing() {
    let repo = Repo::new();
    let lane = Lane::new(&repo);
    let saved = lane.save();
    lane.write("a.txt", "changed\n");
    let before = lane.save_towards(Some(&saved.commit));
    let try_it = |to: &str, before: &str| rewind(&lane.subject(), to, before, &Cancel::new());

    lane.write("a.txt", "changed meanwhile\n");
    assert!(matches!(try_it(&saved.commit, &before.commit), Err(GitError::Moving { .. })));
    let before = lane.save_towards(Some(&saved.commit));
    let gone = "1".repeat(40);
    assert!(matches!(try_it(&gone, &before.commit), Err(GitError::NoCheckpoint { .. })));
    let held = repo.root.join(".git/worktrees/api/index.lock");
    write(&held, "");
    assert!(matches!(try_it(&saved.commit, &before.commit), Err(GitError::Locked { .. })));
    fs::remove_file(&held).unwrap();
    let cancelled = Cancel::new();
    cancelled.cancel();
    let outcome = lane.kept.take(&lane.subject(), 9, None, &cancelled);
    assert!(matches!(outcome, Err(GitError::Cancelled { .. })), "{outcome:?}");
    assert_eq!(fs::read_to_string(lane.place.directory.join("a.txt")).unwrap(), "changed meanwhile\n");
    fs::remove_dir_all(&lane.place.directory).unwrap();
    let outcome = lane.kept.take(&lane.subject(), 9, None, &Cancel::new());
    assert!(matches!(outcome, Err(GitError::NotOurs { .. })), "{outcome:?}");
}

/// Whether taking a checkpoint now keeps other files than `before`.
fn differs(lane: &Lane<'_>, before: &SavedFiles) -> bool {
    lane.save().commit != before.commit
}

#[test]
fn while_nothing_changes_the_last_checkpoint_is_kept_again() {
    let repo = Repo::new();
    repo.write(".gitignore", "target/\n");
    repo.commit("ignore");
    repo.write("key.env", "KEY=1\n");
    let mut lane = Lane::new(&repo);
    lane.copied = vec!["key.env".into()];
    copy_into(&lane.project, &lane.place, &lane.copied, &Cancel::new()).unwrap();
    lane.write("new/untracked.txt", "x\n");
    lane.git(&["init", "-q", "inner"]);
    let saved = lane.save();
    lane.write("target/built.o", "built\n");
    lane.write("key.env", "KEY=2\n");
    lane.write("inner/x", "x\n");
    assert_eq!(lane.save(), saved);
    assert_eq!(repo.git(&["rev-parse", "refs/paralane/checkpoints/l3/2"]), saved.commit);
    // Another one who takes checkpoints of it knows nothing of that.
    lane.kept = Checkpoints::default();
    assert_ne!(lane.save().commit, saved.commit);
}

/// Git would run the filters of a repository within the worktree, which the agent can set up.
#[test]
fn programs_of_a_repository_within_are_never_run() {
    let repo = Repo::new();
    let lane = Lane::new(&repo);
    let inner = lane.place.directory.join("inner");
    let ran = repo.home.path().join("ran");
    repo.git_in(&lane.place.directory, &["init", "-q", "inner"]);
    lane.write("inner/.gitattributes", "* filter=own\n");
    lane.write("inner/a", "1\n");
    for (key, value) in [("user.name", "x"), ("user.email", "x@localhost")] {
        repo.git_in(&inner, &["config", key, value]);
    }
    repo.commit_in(&inner, "inner");
    repo.git_in(&inner, &["config", "filter.own.clean", &format!("touch {}; cat", ran.display())]);
    lane.git(&["add", "inner"]);
    lane.git(&["commit", "-q", "-m", "a repository within"]);
    let touch = |seconds: u64| {
        let _ = fs::remove_file(&ran);
        let file = fs::File::options().write(true).open(inner.join("a")).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds)).unwrap();
    };
    touch(1);
    lane.git(&["status"]);
    assert!(ran.exists(), "git itself does");
    let asks = |seconds, what: &GitAsk| {
        touch(seconds);
        lane.write("a.txt", &format!("{seconds}\n"));
        let answer = ask(&lane.project, &lane.place, what, &super::ask::Fence("stands"), &Cancel::new());
        assert!(!ran.exists() && answer.is_ok(), "{what:?}: {answer:?}");
    };
    asks(2, &GitAsk::Status);
    asks(3, &GitAsk::Diff { staged: false, against: None, paths: Vec::new(), summary: false });
    asks(4, &GitAsk::Commit { message: "own".into(), paths: Vec::new() });
    asks(5, &GitAsk::Commit { message: "own".into(), paths: vec!["a.txt".into()] });
    touch(6);
    lane.write("a.txt", "changed\n");
    let saved = lane.save();
    lane.write("a.txt", "again\n");
    touch(7);
    lane.back(&saved);
    losses(&lane.project, &lane.place).unwrap();
    assert!(!ran.exists());
}

#[test]
fn each_kind_of_change_is_a_checkpoint_of_its_own() {
    let repo = Repo::new();
    let lane = Lane::new(&repo);
    lane.write("a.txt", "aaa\n");
    lane.write("dir/untracked.txt", "x\n");
    let path = |name: &str| lane.place.directory.join(name);
    let changes: [(&str, &dyn Fn()); 10] = [
        ("a tracked file", &|| lane.write("a.txt", "bbb\n")),
        ("an untracked file", &|| lane.write("dir/untracked.txt", "y\n")),
        ("a new file", &|| lane.write("dir/other.txt", "y\n")),
        ("a mode", &|| fs::set_permissions(path("a.txt"), fs::Permissions::from_mode(0o755)).unwrap()),
        ("the index", &|| drop(lane.git(&["add", "dir/other.txt"]))),
        ("a removed file", &|| lane.remove("dir/untracked.txt")),
        ("a commit", &|| drop(lane.git(&["commit", "-q", "--allow-empty", "-m", "empty"]))),
        ("a link", &|| symlink("a.txt", path("link")).unwrap()),
        ("where a link leads", &|| {
            lane.remove("link");
            symlink("b.txt", path("link")).unwrap();
        }),
        ("a file that is a folder now", &|| {
            lane.remove("a.txt");
            lane.write("a.txt/x", "aaa\n");
        }),
    ];
    let mut saved = lane.save();
    for (what, change) in changes {
        change();
        assert!(differs(&lane, &saved), "{what}");
        saved = lane.save();
    }
}

/// Times alone do not tell such a change from none.
#[test]
fn changes_of_the_same_size_at_once_are_all_kept() {
    let repo = Repo::new();
    let lane = Lane::new(&repo);
    for round in 0..40 {
        let text = format!("{round:04}\n");
        lane.write("a.txt", &text);
        lane.write("untracked.txt", &text);
        let saved = lane.save();
        for name in ["a.txt", "untracked.txt"] {
            assert_eq!(repo.git(&["show", &format!("{}:{name}", saved.commit)]), text.trim_end());
        }
    }
}

/// One thing that happens to a worktree.
#[derive(Debug, Clone)]
enum Act {
    Write(u8, u8),
    Remove(u8),
    Stage,
    Commit,
    Save,
    Back(u8),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0..6u8, 0..4u8).prop_map(|(file, text)| Act::Write(file, text)),
        2 => (0..6u8).prop_map(Act::Remove),
        1 => Just(Act::Stage),
        1 => Just(Act::Commit),
        2 => Just(Act::Save),
        2 => (0..8u8).prop_map(Act::Back),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever happens between, a rewind brings exactly the files and the index of then.
    #[test]
    fn any_checkpoint_comes_back_exactly(acts in proptest::collection::vec(act(), 1..14)) {
        // Files that are folders in other names.
        const NAMES: [&str; 6] = ["a.txt", "d", "d/x", "d/y/z", "e/f", "e"];
        let repo = Repo::new();
        let lane = Lane::new(&repo);
        let mut saved = vec![(lane.save(), lane.look())];
        for act in acts {
            let path = |file: u8| lane.place.directory.join(NAMES[usize::from(file)]);
            match act {
                Act::Write(file, text) => {
                    let path = path(file);
                    if path.parent().is_some_and(|dir| fs::create_dir_all(dir).is_ok()) {
                        let _ = fs::write(path, format!("{text}\n").repeat(usize::from(text)));
                    }
                }
                Act::Remove(file) => {
                    let _ = fs::remove_file(path(file)).or_else(|_| fs::remove_dir_all(path(file)));
                }
                Act::Stage => drop(lane.git(&["add", "-A"])),
                Act::Commit => drop(repo.commit_in(&lane.place.directory, "work")),
                Act::Save => saved.push((lane.save(), lane.look())),
                Act::Back(which) => {
                    let (target, then) = &saved[usize::from(which) % saved.len()];
                    lane.back(target);
                    prop_assert_eq!(&lane.look(), then);
                }
            }
        }
    }
}
