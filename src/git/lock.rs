//! The lock that git takes on an index. A stale one is named with its age; no lock is ever taken away.

use std::path::Path;
use std::time::SystemTime;

use super::error::GitError;

/// Refuses if the index of this git directory is locked. Whether a living git holds it cannot be told for certain.
pub(super) fn refuse(git_dir: &Path) -> Result<(), GitError> {
    let path = git_dir.join("index.lock");
    let Ok(modified) = path.symlink_metadata().and_then(|facts| facts.modified()) else { return Ok(()) };
    let age = SystemTime::now().duration_since(modified).map_or(0, |age| age.as_secs());
    Err(GitError::Locked { path, age })
}
