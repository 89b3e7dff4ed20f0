//! Small questions about a repository, answered by looking: where a worktree stands, where it came from.

use std::path::Path;

use git2::Repository;

/// The commit that is checked out in a directory, if it is a repository with commits.
#[must_use]
pub fn head_of(directory: &Path) -> Option<String> {
    let repository = Repository::open(directory).ok()?;
    let head = repository.head().ok()?.peel_to_commit().ok()?;
    Some(head.id().to_string())
}

/// The address of the remote `origin`, if there is one.
#[must_use]
pub fn origin_of(root: &Path) -> Option<String> {
    let repository = Repository::open(root).ok()?;
    let origin = repository.find_remote("origin").ok()?;
    origin.url().ok().map(str::to_owned)
}
