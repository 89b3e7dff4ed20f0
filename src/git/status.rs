//! What differs from HEAD in a worktree, asked of the person's own git.
//!
//! libgit2 does not run clean filters (git-lfs and the like); for a decision about losing work only git's own
//! answer counts. [`super::facts`] uses libgit2 instead, where speed matters more.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::Path;

use git2::{ObjectType, Oid, Repository};

use super::cancel::Cancel;
use super::error::GitError;
use super::names;
use super::project::Project;

/// Paths as bytes, relative to the worktree.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Status {
    /// Tracked paths with changes.
    pub changed: Vec<Vec<u8>>,
    /// Untracked paths that are not ignored.
    pub untracked: Vec<Vec<u8>>,
}

/// Asks git. `dir` must have been proved to be a worktree of the project.
pub(super) fn status(project: &Project, dir: &Path, repo: &Repository) -> Result<Status, GitError> {
    let doing = format!("looking for changes in `{}`", dir.display());
    let git = project.git(dir, &doing).args(["--no-optional-locks", "status", "--porcelain=v1", "-z"]);
    let git = git.args(["--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"]);
    let mut status = parse(&git.answer(&Cancel::new())?);
    status.changed.extend(hidden(repo, dir).map_err(GitError::library(doing))?);
    status.changed.sort();
    status.changed.dedup();
    Ok(status)
}

/// Reads `XY path` entries, each ended by a zero byte.
fn parse(answer: &[u8]) -> Status {
    let mut status = Status::default();
    for entry in answer.split(|byte| *byte == 0) {
        match entry {
            [b'?', b'?', b' ', path @ ..] => status.untracked.push(path.to_vec()),
            [b'!', b'!', b' ', ..] => {}
            [_, _, b' ', path @ ..] => status.changed.push(path.to_vec()),
            _ => {}
        }
    }
    status.untracked.sort();
    status
}

/// Changed files that git was told to overlook (`assume-unchanged`, `skip-worktree`); removing would lose them too.
fn hidden(repo: &Repository, dir: &Path) -> Result<Vec<Vec<u8>>, git2::Error> {
    const ASSUME_UNCHANGED: u16 = 1 << 15;
    const SKIP_WORKTREE: u16 = 1 << 14;
    let mut hidden = Vec::new();
    for entry in repo.index()?.iter() {
        if entry.flags & ASSUME_UNCHANGED == 0 && entry.flags_extended & SKIP_WORKTREE == 0 {
            continue;
        }
        let path = dir.join(names::path(&entry.path));
        let file = path.symlink_metadata().is_ok_and(|meta| meta.is_file());
        if file && Oid::hash_file(ObjectType::Blob, &path)? != entry.id {
            hidden.push(entry.path);
        }
    }
    Ok(hidden)
}

/// Whether the base checkout has the same file with the same content, so that removing the lane's loses nothing.
/// This is what `copy` brings.
pub(super) fn has_twin(project: &Project, dir: &Path, path: &[u8]) -> bool {
    let path = names::path(path);
    same_content(&dir.join(&path), &project.root().join(&path)).unwrap_or(false)
}

fn same_content(one: &Path, other: &Path) -> std::io::Result<bool> {
    let (a, b) = (fs::symlink_metadata(one)?, fs::symlink_metadata(other)?);
    if !a.is_file() || !b.is_file() || a.len() != b.len() {
        return Ok(false);
    }
    let (mut a, mut b) = (BufReader::new(File::open(one)?).bytes(), BufReader::new(File::open(other)?).bytes());
    loop {
        match (a.next().transpose()?, b.next().transpose()?) {
            (None, None) => return Ok(true),
            (x, y) if x != y => return Ok(false),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_by_kind() {
        let status = parse(b" M a b.rs\0?? new\nline\0UU c\0!! target/\0A  \xef\0");
        let changed: Vec<&[u8]> = status.changed.iter().map(Vec::as_slice).collect();
        assert_eq!(changed, [&b"a b.rs"[..], b"c", b"\xef"]);
        assert_eq!(status.untracked, [b"new\nline".to_vec()]);
    }
}
