//! The lock that git takes on an index. A stale one is named with its age; no lock is ever taken away.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::error::GitError;
use super::project::Project;
use super::registry;
use crate::domain::Place;

/// A lock file on a worktree's index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexLock {
    /// The file.
    pub path: PathBuf,
    /// How old it is, in seconds.
    pub age: u64,
}

/// The lock on the lane's index, if there is one. Whether a living git holds it cannot be told for certain.
///
/// # Errors
/// When the list of worktrees cannot be read.
pub fn index_lock(project: &Project, place: &Place) -> Result<Option<IndexLock>, GitError> {
    if place.is_here() {
        return Ok(at(project.common_dir()));
    }
    Ok(registry::find(project, &place.directory)?.and_then(|admin| at(&admin.dir)))
}

/// Refuses if the index of this git directory is locked.
pub(super) fn refuse(git_dir: &Path) -> Result<(), GitError> {
    match at(git_dir) {
        None => Ok(()),
        Some(IndexLock { path, age }) => Err(GitError::Locked { path, age }),
    }
}

fn at(git_dir: &Path) -> Option<IndexLock> {
    let path = git_dir.join("index.lock");
    let modified = path.symlink_metadata().ok()?.modified().ok()?;
    let age = SystemTime::now().duration_since(modified).map_or(0, |age| age.as_secs());
    Some(IndexLock { path, age })
}
