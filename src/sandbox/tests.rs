//! Confinement: what leads out is refused, what stays inside works.

#[cfg(target_os = "linux")]
mod walls;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use proptest::prelude::*;
use tempfile::TempDir;

use super::open::part_by_part;
use super::{FILE_CAP, WorktreeFiles};
use crate::domain::{Expect, FileError, FileKind, Files, Walk};

/// `outer/secret` beside the worktree `outer/tree`.
fn tree() -> (TempDir, WorktreeFiles) {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("tree");
    fs::create_dir_all(root.join("src/deep")).unwrap();
    fs::write(outer.path().join("secret"), "secret").unwrap();
    fs::write(root.join("src/a.rs"), "fn a() {}\n").unwrap();
    let files = WorktreeFiles::open(&root).unwrap();
    (outer, files)
}

fn root(outer: &TempDir) -> std::path::PathBuf {
    outer.path().join("tree")
}

fn refused(files: &WorktreeFiles, path: &str) {
    assert!(matches!(files.read(path), Err(FileError::Outside { .. })), "read {path}: {:?}", files.read(path));
    let write = files.write(path, b"x", &Expect::Absent);
    assert!(matches!(write, Err(FileError::Outside { .. })), "write {path}: {write:?}");
}

#[test]
fn paths_that_lead_out_are_refused() {
    let (outer, files) = tree();
    symlink(outer.path(), root(&outer).join("up")).unwrap();
    symlink("../../secret", root(&outer).join("src/link")).unwrap();
    symlink("/etc", root(&outer).join("etc")).unwrap();
    symlink("etc", root(&outer).join("chain")).unwrap();
    for path in
        ["../secret", "src/../../secret", "/etc/passwd", "up/secret", "src/link", "etc/passwd", "chain/new", "~/new"]
    {
        refused(&files, path);
    }
    files.write("./~", b"x", &Expect::Absent).unwrap();
    let inside = root(&outer).join("src/a.rs");
    assert_eq!(files.read(inside.to_str().unwrap()).unwrap(), b"fn a() {}\n");
    assert!(fs::read_to_string(outer.path().join("secret")).unwrap() == "secret");
}

#[test]
fn links_that_stay_inside_are_followed_and_kept() {
    let (outer, files) = tree();
    symlink("src", root(&outer).join("code")).unwrap();
    symlink("../src/a.rs", root(&outer).join("src/back")).unwrap();
    symlink(root(&outer).canonicalize().unwrap().join("src"), root(&outer).join("abs")).unwrap();
    assert_eq!(files.resolve("code/./deep/../a.rs").unwrap(), "src/a.rs");
    assert_eq!(files.resolve("abs/a.rs").unwrap(), "src/a.rs");
    assert_eq!(files.read("code/a.rs").unwrap(), b"fn a() {}\n");
    files.write("src/back", b"new", &Expect::Content(b"fn a() {}\n".to_vec())).unwrap();
    assert!(root(&outer).join("src/back").is_symlink());
    assert_eq!(fs::read(root(&outer).join("src/a.rs")).unwrap(), b"new");
}

#[test]
fn dangling_links_and_loops_are_refused() {
    let (outer, files) = tree();
    symlink("nowhere", root(&outer).join("dead")).unwrap();
    symlink("loop", root(&outer).join("loop")).unwrap();
    assert!(matches!(files.write("dead", b"x", &Expect::Absent), Err(FileError::Dangling { .. })));
    assert!(matches!(files.write("dead/x", b"x", &Expect::Absent), Err(FileError::Dangling { .. })));
    assert!(matches!(files.read("dead"), Err(FileError::Dangling { .. })));
    assert!(files.read("loop").is_err());
    assert!(!root(&outer).join("nowhere").exists());
}

#[test]
fn git_files_are_not_writable() {
    let (outer, files) = tree();
    fs::write(root(&outer).join(".git"), "gitdir: x\n").unwrap();
    fs::create_dir_all(root(&outer).join("sub/.git/hooks")).unwrap();
    symlink("sub/.git", root(&outer).join("g")).unwrap();
    for path in [".git", "sub/.git/hooks/pre-commit", "g/config", "new/.GIT/x", "./.git"] {
        let write = files.write(path, b"x", &Expect::Absent);
        assert!(matches!(write, Err(FileError::Protected { .. })), "{path}: {write:?}");
        assert!(files.check_writable(path).is_err());
    }
    assert_eq!(files.read(".git").unwrap(), b"gitdir: x\n");
    files.write(".gitignore", b"x", &Expect::Absent).unwrap();
}

#[test]
fn writes_make_parents_keep_modes_and_leave_nothing_behind() {
    let (outer, files) = tree();
    files.write("a/b/c.txt", b"1", &Expect::Absent).unwrap();
    let path = root(&outer).join("a/b/c.txt");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).unwrap();
    files.write("a/b/c.txt", b"2", &Expect::Content(b"1".to_vec())).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o751);
    let names: Vec<_> = files.list("a/b").unwrap().into_iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["c.txt"]);
}

#[test]
fn a_link_in_the_worktrees_place_is_not_followed() {
    let (outer, _files) = tree();
    let link = root(&outer).with_file_name("lane");
    std::os::unix::fs::symlink(root(&outer), &link).unwrap();
    let error = WorktreeFiles::open(&link).unwrap_err().to_string();
    assert!(error.contains("symbolic link"), "{error}");
}

#[test]
fn a_path_that_no_program_could_name_is_refused() {
    let (outer, files) = tree();
    let deep = format!("{}x", "d/".repeat(3000));
    assert!(matches!(files.write(&deep, b"1", &Expect::Absent), Err(FileError::System { .. })));
    assert!(files.check_writable(&deep).is_err());
    assert!(!root(&outer).join("d").exists());
}

#[test]
fn a_write_that_expected_something_else_is_refused() {
    let (outer, files) = tree();
    fs::write(root(&outer).join("f"), "theirs").unwrap();
    for expect in [Expect::Absent, Expect::Content(b"mine".to_vec())] {
        assert!(matches!(files.write("f", b"x", &expect), Err(FileError::Changed { .. })));
    }
    assert!(matches!(files.write("g", b"x", &Expect::Content(vec![])), Err(FileError::Changed { .. })));
    assert_eq!(fs::read_to_string(root(&outer).join("f")).unwrap(), "theirs");
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_no_regular_file_is_refused_without_hanging() {
    let (outer, files) = tree();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        root(&outer).join("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    assert!(matches!(files.read("pipe"), Err(FileError::NotAFile { .. })));
    assert!(matches!(files.read("src"), Err(FileError::NotAFile { .. })));
    assert!(matches!(files.write("src", b"", &Expect::Absent), Err(FileError::NotAFile { .. })));
    assert!(matches!(files.write("", b"", &Expect::Absent), Err(FileError::NotAFile { .. })));
    assert!(matches!(files.read("src/a.rs/x"), Err(FileError::NotADirectory { .. })));
    assert!(matches!(files.read("nothing"), Err(FileError::Missing { .. })));
    assert!(files.read("a\0b").is_err());
    assert_eq!(files.kind("src").unwrap(), FileKind::Directory);
}

#[test]
fn large_files_are_refused_with_their_size() {
    let (outer, files) = tree();
    let file = fs::File::create(root(&outer).join("big")).unwrap();
    file.set_len(FILE_CAP + 1).unwrap();
    let error = files.read("big").unwrap_err();
    assert!(error.to_string().contains(&(FILE_CAP + 1).to_string()), "{error}");
}

#[test]
fn a_listing_marks_what_git_ignores() {
    let (outer, files) = tree();
    let root = root(&outer);
    fs::write(root.join(".gitignore"), "target/\n*.log\n").unwrap();
    for path in ["target/deep/x", "src/a.log", "src/deep/b.rs"] {
        fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        fs::write(root.join(path), "").unwrap();
    }
    let ignored = |path: &str| {
        let names = files.list(path).unwrap().into_iter().filter(|entry| entry.ignored);
        names.map(|entry| entry.name).collect::<Vec<_>>()
    };
    assert_eq!(ignored(""), ["target"]);
    assert_eq!(ignored("src"), ["a.log"]);
    assert_eq!(ignored("target"), ["deep"]);
}

#[test]
fn only_what_was_looked_at_is_removed_and_nothing_outside() {
    let (outer, files) = tree();
    let root = root(&outer);
    let out = outer.path().join("out");
    fs::write(&out, "x").unwrap();
    symlink(&out, root.join("leads-out")).unwrap();
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::write(root.join(".git/config"), "x").unwrap();
    assert!(matches!(files.remove("leads-out", b"x"), Err(FileError::Outside { .. })));
    assert!(matches!(files.remove(".git/config", b"x"), Err(FileError::Protected { .. })));
    assert!(matches!(files.remove("none", b"x"), Err(FileError::Missing { .. })));
    assert!(matches!(files.remove("src", b"x"), Err(FileError::NotAFile { .. })));
    assert!(matches!(files.remove("src/a.rs", b"other"), Err(FileError::Changed { .. })));
    files.remove("src/a.rs", b"fn a() {}\n").unwrap();
    assert!(!root.join("src/a.rs").exists() && out.exists());
}

#[test]
fn a_walk_leaves_out_what_git_ignores() {
    let (outer, files) = tree();
    fs::create_dir_all(root(&outer).join(".git")).unwrap();
    fs::create_dir_all(root(&outer).join("target")).unwrap();
    for (name, text) in
        [(".gitignore", "target\n*.log\n"), (".git/HEAD", "x"), ("target/o", "x"), ("src/x.log", "x"), (".env", "x")]
    {
        fs::write(root(&outer).join(name), text).unwrap();
    }
    symlink(outer.path(), root(&outer).join("up")).unwrap();
    let mut seen = Vec::new();
    let mut visit = |path: &str| {
        seen.push(path.to_owned());
        Walk::On
    };
    files.walk("", &mut visit).unwrap();
    files.walk("src", &mut visit).unwrap();
    assert_eq!(seen, [".env", ".gitignore", "src/a.rs", "src/a.rs"]);
    assert!(matches!(files.walk("..", &mut |_| Walk::On), Err(FileError::Outside { .. })));
}

#[test]
fn the_way_without_the_kernels_help_takes_no_link() {
    let (outer, _) = tree();
    symlink("src", root(&outer).join("code")).unwrap();
    let dir = rustix::fs::open(root(&outer), super::open::PLACE, rustix::fs::Mode::empty()).unwrap();
    let fd = std::os::fd::AsFd::as_fd(&dir);
    let read = rustix::fs::OFlags::RDONLY;
    assert!(part_by_part(fd, "src/a.rs", read).is_ok());
    assert!(part_by_part(fd, "code/a.rs", read).is_err());
    assert!(part_by_part(fd, "src/../../secret", read).is_err());
}

proptest! {
    /// Whatever is asked, what is answered lies beneath the root, and nothing outside changes.
    #[test]
    fn no_path_escapes(parts in proptest::collection::vec("(\\.\\.|\\.|src|up|in|a\\.rs|new|/|deep)", 1..7)) {
        let (outer, files) = tree();
        symlink("..", root(&outer).join("up")).unwrap();
        symlink("src/deep", root(&outer).join("in")).unwrap();
        let asked = parts.join("/");
        if let Ok(resolved) = files.resolve(&asked) {
            prop_assert!(!Path::new(&resolved).is_absolute());
            prop_assert!(resolved.split('/').all(|part| part != ".."));
        }
        let _ = files.write(&asked, b"x", &Expect::Absent);
        let mut names: Vec<_> =
            fs::read_dir(outer.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        prop_assert_eq!(names, ["secret", "tree"]);
    }
}
