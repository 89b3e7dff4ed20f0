//! Brings a worktree back to a checkpoint: its files and its index. HEAD, branches and a merge that is under way stay.
//!
//! Only what the checkpoint taken just before holds is ever removed or overwritten, so that a rewind can be undone.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use git2::{Commit, Delta, Oid, Repository, Tree};

use super::cancel::Cancel;
use super::checkpoint::{self, Subject};
use super::error::GitError;
use super::stage::{self, Kept, Stage};
use super::{lock, names};

/// What a rewind did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rewound {
    /// Files that were written.
    pub written: usize,
    /// Files that were removed.
    pub removed: usize,
}

/// Brings the worktree to the checkpoint `target`. `before` is the checkpoint of what stands there now, taken towards
/// `target`.
///
/// # Errors
/// When a checkpoint is gone, files have changed since `before`, the index is locked, or git refuses.
pub fn rewind(subject: &Subject<'_>, target: &str, before: &str, cancel: &Cancel) -> Result<Rewound, GitError> {
    let repo = stage::open(subject.project, subject)?;
    lock::refuse(repo.path())?;
    let target = checkpoint::found(&repo, target)?;
    let before = checkpoint::found(&repo, before)?;
    let wanted = checkpoint::kept(&repo, &target)?;
    let mut stage = Stage::take(&repo, subject, false, cancel)?;
    let paths = in_the_way(&repo, &stage, subject, &target)?;
    stage.force(&paths)?;
    let dir = || subject.place.directory.clone();
    if before.tree_id().to_string() != stage.tree {
        return Err(GitError::Moving { dir: dir() });
    }
    let rewound = count(&repo, &stage, &target)?;
    let tree = target.tree_id().to_string();
    stage.run(&stage.git().args(["read-tree", "-m", "-u", &stage.tree, &tree]))?;
    crate::base::failpoint("rewind-before-index");
    let index = match wanted {
        Kept::Raw(bytes) => bytes,
        Kept::Tree(index) => {
            // Merged into the index of what now stands there, so that unchanged files keep their times.
            stage.run(&stage.git().args(["read-tree", "-m", &index]))?;
            stage.index()?
        }
    };
    install(&repo, &index)?;
    Ok(rewound)
}

/// Brings the files of another lane's checkpoint into a lane that has not begun. It keeps them as its own checkpoint 1,
/// and what stood there before, if a crash cut this off, as 0.
///
/// # Errors
/// As for [`super::Checkpoints::take`] and [`rewind`].
pub fn begin_with(subject: &Subject<'_>, target: &str, cancel: &Cancel) -> Result<(), GitError> {
    let repo = stage::open(subject.project, subject)?;
    checkpoint::hold(&repo, subject.lane, 1, &checkpoint::found(&repo, target)?)?;
    let before = checkpoint::take(&repo, subject, 0, Some(target), true, cancel)?.0;
    rewind(subject, target, &before.commit, cancel).map(drop)
}

/// Writes the worktree's index as git does: under its lock, and whole or not at all.
fn install(repo: &Repository, bytes: &[u8]) -> Result<(), GitError> {
    let (file, held) = (repo.path().join("index"), repo.path().join("index.lock"));
    lock::refuse(repo.path())?;
    let doing = "writing the index";
    let mut to = OpenOptions::new().write(true).create_new(true).open(&held).map_err(GitError::io(doing, &held))?;
    let done = to.write_all(bytes).and_then(|()| fs::rename(&held, &file));
    if done.is_err() {
        let _ = fs::remove_file(&held);
    }
    done.map_err(GitError::io(doing, &file))
}

/// What stands where the target has files and the stage has none: files that git ignores, or that were left out.
pub(super) fn in_the_way(
    repo: &Repository,
    stage: &Stage<'_>,
    subject: &Subject<'_>,
    target: &Commit<'_>,
) -> Result<Vec<PathBuf>, GitError> {
    let mut paths = Vec::new();
    let mut add = |delta: git2::DiffDelta<'_>| {
        if delta.status() == Delta::Added
            && let Some(path) = delta.new_file().path()
        {
            paths.extend(obstacle(&subject.place.directory, path));
        }
    };
    each(repo, stage, target, &mut add)?;
    paths.sort();
    paths.dedup();
    Ok(paths)
}

/// The first part of the path that exists and is no folder, or the whole path if it exists.
fn obstacle(dir: &Path, path: &Path) -> Option<PathBuf> {
    let parts: Vec<&Path> = path.ancestors().filter(|part| *part != Path::new("")).collect();
    for part in parts.into_iter().rev() {
        let full = dir.join(part);
        if !names::exists(&full) {
            return None;
        }
        if part == path || !full.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
            return Some(part.to_owned());
        }
    }
    None
}

fn count(repo: &Repository, stage: &Stage<'_>, target: &Commit<'_>) -> Result<Rewound, GitError> {
    let mut rewound = Rewound::default();
    let mut add = |delta: git2::DiffDelta<'_>| match delta.status() {
        Delta::Deleted => rewound.removed += 1,
        _ => rewound.written += 1,
    };
    each(repo, stage, target, &mut add)?;
    Ok(rewound)
}

/// Everything in which the target differs from the stage.
fn each(
    repo: &Repository,
    stage: &Stage<'_>,
    target: &Commit<'_>,
    add: &mut dyn FnMut(git2::DiffDelta<'_>),
) -> Result<(), GitError> {
    let comparing = || GitError::library("comparing with a checkpoint");
    let now: Tree<'_> = Oid::from_str(&stage.tree).and_then(|id| repo.find_tree(id)).map_err(comparing())?;
    let then = target.tree().map_err(comparing())?;
    let diff = repo.diff_tree_to_tree(Some(&now), Some(&then), None).map_err(comparing())?;
    diff.deltas().for_each(add);
    Ok(())
}
