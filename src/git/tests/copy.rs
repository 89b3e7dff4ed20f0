use std::os::unix::fs::symlink;

use super::*;

fn copy(repo: &Repo, place: &Place, patterns: &[&str]) -> Result<Vec<Copied>, GitError> {
    let patterns: Vec<_> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
    copy_into(&repo.project(), place, &patterns, &Cancel::new())
}

fn reason(result: Result<Vec<Copied>, GitError>) -> String {
    match result {
        Err(error @ GitError::CopyRefused { .. }) => error.to_string(),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// Field case C47.
#[test]
fn files_folders_and_globs_arrive_with_their_modes() {
    let repo = Repo::new();
    repo.write(".gitignore", ".env\nconfig/\ncache/\n");
    repo.commit("ignore");
    repo.write(".env", "KEY=1");
    fs::set_permissions(repo.root.join(".env"), fs::Permissions::from_mode(0o600)).unwrap();
    repo.write("config/local.toml", "x");
    repo.write("config/local.json", "x");
    repo.write("cache/deep/tool", "x");
    fs::set_permissions(repo.root.join("cache/deep/tool"), fs::Permissions::from_mode(0o755)).unwrap();
    let place = repo.place("api");
    let copied = copy(&repo, &place, &[".env", "./config/*.toml", "cache", "absent", "no/*.match"]).unwrap();
    let counts: Vec<_> = copied.iter().map(|one| (one.files, one.missing)).collect();
    assert_eq!(counts, [(1, false), (1, false), (1, false), (0, true), (0, true)]);
    let mode = |path: &str| fs::metadata(place.directory.join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(".env"), mode("cache/deep/tool")), (0o600, 0o755));
    assert!(!place.directory.join("config/local.json").exists());
}

#[test]
fn what_the_lane_has_or_git_tracks_stays() {
    let repo = Repo::new();
    let place = repo.place("api");
    write(&place.directory.join(".env"), "lane");
    repo.write(".env", "base");
    repo.write("tracked.txt", "x");
    repo.commit("tracked");
    let copied = copy(&repo, &place, &[".env", "tracked.txt"]).unwrap();
    assert_eq!(copied.iter().map(|one| (one.files, one.kept)).collect::<Vec<_>>(), [(0, 1), (0, 1)]);
    assert_eq!(fs::read_to_string(place.directory.join(".env")).unwrap(), "lane");
    assert!(!place.directory.join("tracked.txt").exists());
}

#[test]
fn nothing_comes_from_outside() {
    let repo = Repo::new();
    write(&repo.home.path().join("secret/key"), "x");
    let place = repo.place("api");
    for pattern in ["../secret/key", "/etc/passwd", "a/../../secret", ".git/config", ".", "*/../x", ""] {
        assert!(reason(copy(&repo, &place, &[pattern])).contains(&format!("`{pattern}`")), "{pattern}");
    }
    symlink("../secret/key", repo.root.join("link")).unwrap();
    symlink("../secret", repo.root.join("folder")).unwrap();
    symlink("nowhere", repo.root.join("dangling")).unwrap();
    symlink(".git", repo.root.join("sly")).unwrap();
    for path in ["link", "folder", "folder/key", "dangling", "sly/config"] {
        assert!(reason(copy(&repo, &place, &[path])).contains(&format!("`{path}`")), "{path}");
    }
    assert!(reason(copy(&repo, &place, &["folder/*"])).contains("leads out"));
    assert!(reason(copy(&repo, &place, &["l*"])).contains("`link`"));
    assert!(!place.directory.join("link").exists() && !place.directory.join("folder").exists());
}

#[test]
fn nothing_goes_outside() {
    let repo = Repo::new();
    let place = repo.place("api");
    let outside = repo.home.path().join("outside");
    fs::create_dir(&outside).unwrap();
    symlink(&outside, place.directory.join("config")).unwrap();
    repo.write("config/deep/local.toml", "x");
    assert!(reason(copy(&repo, &place, &["config"])).contains("leads out of it"));
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn a_link_inside_the_repository_is_copied_as_the_file_it_names() {
    let repo = Repo::new();
    repo.write("env/dev", "KEY=1");
    symlink("env/dev", repo.root.join(".env")).unwrap();
    let place = repo.place("api");
    copy(&repo, &place, &[".env"]).unwrap();
    let copied = place.directory.join(".env");
    assert!(!copied.is_symlink());
    assert_eq!(fs::read_to_string(copied).unwrap(), "KEY=1");
}

#[test]
fn other_checkouts_in_the_repository_are_not_searched() {
    let repo = Repo::new();
    repo.write(".git/info/exclude", ".env\nlanes/\n");
    repo.write(".env", "base");
    repo.git(&["worktree", "add", "-q", "--detach", "lanes/other"]);
    repo.write("lanes/other/.env", "other");
    let place = repo.place("api");
    assert_eq!(copy(&repo, &place, &["**/.env"]).unwrap()[0].files, 1);
    assert!(!place.directory.join("lanes").exists());
}

#[test]
fn copying_can_be_cancelled() {
    let repo = Repo::new();
    repo.write(".env", "x");
    let place = repo.place("api");
    let cancel = Cancel::new();
    cancel.cancel();
    let result = copy_into(&repo.project(), &place, &[".env".to_owned()], &cancel);
    assert!(matches!(result, Err(GitError::Cancelled { .. })));
}
