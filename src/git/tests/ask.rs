use super::*;
use crate::domain::GitAsk;

fn told(repo: &Repo, place: &Place, what: &GitAsk) -> Result<String, GitError> {
    ask(&repo.project(), place, what, &Cancel::new())
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
