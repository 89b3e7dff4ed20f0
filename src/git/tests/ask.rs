use super::*;
use crate::domain::{GitAsk, Sandbox, Tenant, Walls};

/// A sandbox that only says that it was there.
pub(super) struct Fence(pub(super) &'static str);

impl Sandbox for Fence {
    fn prepare(&self, _: Tenant) -> Result<Option<Box<dyn Walls>>, String> {
        if self.0 == "none" { Err("there is none".to_owned()) } else { Ok(Some(Box::new(Fence(self.0)))) }
    }
}

impl Walls for Fence {
    fn enclose(&mut self, command: &mut Command) {
        command.env("FENCE", self.0);
    }

    fn settle(&mut self) -> Option<String> {
        None
    }

    fn members(&self) -> Vec<u32> {
        Vec::new()
    }

    fn is_over(&mut self) -> bool {
        true
    }

    fn end(&mut self) -> bool {
        true
    }
}

fn told(repo: &Repo, place: &Place, what: &GitAsk) -> Result<String, GitError> {
    ask(&repo.project(), place, what, &Fence("stands"), &Cancel::new())
}

#[test]
fn hooks_of_a_checkout_run_within_the_sandbox_or_not_at_all() {
    let repo = Repo::new();
    let hook = "#!/bin/sh\necho \"$0 ${FENCE:-free}\" >> \"$(git rev-parse --git-common-dir)/../../ran\"\n";
    let make = |dir: &Path, name: &str| {
        let path = dir.join(name);
        write(&path, hook);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    let ran = || fs::read_to_string(repo.root.join("../ran")).unwrap_or_default();
    for name in ["pre-commit", "post-checkout", "reference-transaction"] {
        make(&repo.root.join("hooks"), name);
    }
    repo.commit("hooks in the tree");
    repo.git(&["config", "core.hooksPath", "hooks"]);
    // A worktree is made and a lane is looked at without them.
    let place = repo.place("api");
    write(&place.directory.join("a.txt"), "two\n");
    told(&repo, &place, &GitAsk::Status).unwrap();
    assert_eq!(ran(), "");
    let refused = ask(&repo.project(), &place, &commit("two", &[]), &Fence("none"), &Cancel::new()).unwrap_err();
    assert!(refused.to_string().contains("there is none"), "{refused}");
    assert_eq!(ran(), "");
    told(&repo, &place, &commit("two", &[])).unwrap();
    assert!(ran().contains("pre-commit stands") && !ran().contains("free"), "{}", ran());
    // In the base checkout git cannot commit behind walls.
    fs::remove_file(repo.root.join("../ran")).unwrap();
    write(&repo.root.join("a.txt"), "three\n");
    let here = repo.project().here().unwrap();
    assert!(told(&repo, &here, &commit("three", &[])).unwrap().contains("were not run"));
    close_worktree(&repo.project(), &place, true).unwrap();
    assert_eq!(ran(), "");
    // The person's own run as ever, unless they only lead to the checkout.
    repo.git(&["config", "--unset", "core.hooksPath"]);
    make(&repo.root.join(".git/hooks"), "pre-commit");
    write(&repo.root.join("a.txt"), "four\n");
    told(&repo, &here, &commit("four", &[])).unwrap();
    assert!(ran().contains("pre-commit free"), "{}", ran());
    fs::remove_file(repo.root.join("../ran")).unwrap();
    fs::remove_file(repo.root.join(".git/hooks/pre-commit")).unwrap();
    std::os::unix::fs::symlink(repo.root.join("hooks/pre-commit"), repo.root.join(".git/hooks/pre-commit")).unwrap();
    write(&repo.root.join("a.txt"), "five\n");
    told(&repo, &here, &commit("five", &[])).unwrap();
    assert_eq!(ran(), "");
}

#[test]
fn a_commit_that_cannot_be_signed_is_told_in_time() {
    let repo = Repo::new();
    let place = repo.place("api");
    write(&place.directory.join("a.txt"), "two\n");
    let signer = repo.root.join("../signer");
    let with = |script: &str| {
        write(&signer, &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(&signer, fs::Permissions::from_mode(0o755)).unwrap();
    };
    with("echo 'no secret key' >&2; exit 2");
    repo.git(&["config", "commit.gpgsign", "true"]);
    repo.git(&["config", "gpg.program", signer.to_str().unwrap()]);
    let words = told(&repo, &place, &commit("two", &[])).unwrap_err().to_string();
    for part in ["no commit was made", "no secret key", "commit.gpgsign", "unlock the key"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    // One that waits for a passphrase that nobody gives.
    with("exec sleep 600");
    let patience = std::time::Duration::from_millis(200);
    let ask = |what: &GitAsk| {
        super::super::ask::within(&repo.project(), &place, what, &Fence("stands"), &Cancel::new(), patience)
    };
    let words = ask(&commit("two", &[])).unwrap_err().to_string();
    assert!(words.contains("a passphrase may be asked for"), "{words}");
    assert_eq!(repo.git_in(&place.directory, &["log", "-1", "--format=%s"]), "first");
    repo.git(&["config", "commit.gpgsign", "false"]);
    assert!(told(&repo, &place, &commit("two", &[])).unwrap().contains("two"));
}

fn commit(message: &str, paths: &[&str]) -> GitAsk {
    GitAsk::Commit { message: message.to_owned(), paths: paths.iter().map(ToString::to_string).collect() }
}

#[test]
fn state_changes_and_commits_are_told() {
    let repo = Repo::new();
    let place = repo.place("api");
    let dir = &place.directory;
    write(&dir.join("a.txt"), "two\n");
    write(&dir.join("-n"), "x\n");
    let status = told(&repo, &place, &GitAsk::Status).unwrap();
    assert!(status.contains("## lane/api") && status.contains(" M a.txt") && status.contains("?? -n"), "{status}");
    let diff = |staged, against: Option<&str>, paths: &[&str], summary| {
        let paths = paths.iter().map(ToString::to_string).collect();
        told(&repo, &place, &GitAsk::Diff { staged, against: against.map(str::to_owned), paths, summary })
    };
    assert!(diff(false, None, &[], false).unwrap().contains("-one\n+two"));
    assert_eq!(diff(true, None, &[], false).unwrap(), "nothing differs");
    assert_eq!(diff(false, Some("main"), &["-n"], false).unwrap(), "nothing differs");
    assert!(diff(false, Some("main"), &["a.txt"], true).unwrap().contains("1 file changed"));
    for name in ["nonsense", "--output=stolen", "-p", "main..nonsense"] {
        let words = diff(false, Some(name), &[], false).unwrap_err().to_string();
        assert!(words.contains("is not a commit"), "{words}");
    }
    assert!(!dir.join("stolen").exists());
    let log = |from: Option<&str>, path: Option<&str>| {
        told(&repo, &place, &GitAsk::Log { count: 5, from: from.map(Into::into), path: path.map(Into::into) })
    };
    assert!(log(None, None).unwrap().contains("Test: first"));
    assert!(log(Some("main"), Some("a.txt")).unwrap().contains("first"));
    assert_eq!(log(None, Some("none")).unwrap(), "no commit touches that");
}

#[test]
fn a_commit_takes_what_changed_and_nothing_that_was_copied_or_ignored() {
    let repo = Repo::new();
    repo.write(".gitignore", "target\n");
    repo.commit("ignore");
    repo.write(".env", "secret");
    let place = repo.place("api");
    let dir = &place.directory;
    write(&dir.join(".env"), "secret");
    write(&dir.join("target/x"), "x");
    write(&dir.join("a.txt"), "two\n");
    write(&dir.join("new/$(touch hacked);.rs"), "x\n");
    write(&dir.join("gone"), "x");
    let preview = told(&repo, &place, &GitAsk::Preview { paths: vec![] }).unwrap();
    assert!(preview.contains("+two") && preview.contains("hacked);.rs"), "{preview}");
    assert!(!preview.contains("secret") && !preview.contains("target"), "{preview}");
    let message = "Change \"a\"; $(touch hacked)\n\n`touch hacked` --amend";
    let words = told(&repo, &place, &commit(message, &["a.txt", "new"])).unwrap();
    assert!(words.contains("Change \"a\"; $(touch hacked)") && words.contains("2 files changed"), "{words}");
    assert_eq!(repo.git_in(dir, &["log", "-1", "--format=%B"]), message);
    assert_eq!(repo.git_in(dir, &["status", "--short"]), "?? .env\n?? gone");
    fs::remove_file(dir.join("a.txt")).unwrap();
    told(&repo, &place, &commit("-m rest", &[])).unwrap();
    assert_eq!(repo.git_in(dir, &["status", "--short"]), "?? .env");
    let words = told(&repo, &place, &commit("again", &[])).unwrap_err().to_string();
    assert!(words.contains("nothing to commit"), "{words}");
    assert!(told(&repo, &place, &commit("again", &["nowhere"])).unwrap_err().to_string().contains("`nowhere`"));
    assert!(!dir.join("hacked").exists() && !repo.root.join("hacked").exists());
    assert_eq!(repo.git(&["log", "-1", "--format=%s", "main"]), "ignore", "the base stands where it stood");
}

#[test]
fn a_hook_that_refuses_is_told() {
    let repo = Repo::new();
    let place = repo.place("api");
    let hook = repo.root.join(".git/hooks/pre-commit");
    write(&hook, "#!/bin/sh\necho no tabs please >&2\nexit 1\n");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    write(&place.directory.join("a.txt"), "two\n");
    let words = told(&repo, &place, &commit("x", &[])).unwrap_err().to_string();
    assert!(words.contains("no tabs please"), "{words}");
}
