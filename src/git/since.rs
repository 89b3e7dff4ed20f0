//! What was changed in the base checkout since a moment: told by git's state and the times that the kernel keeps.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};

use super::error::GitError;
use super::facts::facts;
use super::project::Project;

/// The kernel's clock for files may be so much behind.
const COARSE: SignedDuration = SignedDuration::from_millis(10);
/// What stands for a checkout of something else.
const HEAD: &str = ".git/HEAD";

/// Paths in the base checkout that are not as committed and were changed at this moment or later; `.git/HEAD` among
/// them when something else was checked out there.
///
/// # Errors
/// When the base checkout cannot be read.
pub fn written_since(project: &Project, since: Timestamp) -> Result<Vec<String>, GitError> {
    let since = (since - COARSE).as_nanosecond();
    let mut paths = facts(project, &project.here()?)?.dirty;
    paths.retain(|path| changed(&project.root().join(path)).is_some_and(|at| at >= since));
    if changed(&project.common_dir().join("HEAD")).is_some_and(|at| at >= since) {
        paths.insert(0, HEAD.to_owned());
    }
    Ok(paths)
}

/// When a file was last changed, in nanoseconds; of one that is gone, when the directory was that had it.
fn changed(path: &Path) -> Option<i128> {
    let data = path.ancestors().find_map(|place| place.symlink_metadata().ok())?;
    Some(i128::from(data.ctime()) * 1_000_000_000 + i128::from(data.ctime_nsec()))
}
