//! Removes a closed lane's worktree, and its branch when that holds nothing of its own.

use std::fs;

use super::cancel::Cancel;
use super::error::GitError;
use super::lock;
use super::losses::judge;
use super::names;
use super::plan::tip;
use super::project::Project;
use super::registry;
use super::repair;
use super::status::has_twin;
use crate::domain::Place;

/// What closing removed, and what restoring needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// The branch's last commit; none if the branch was gone, or for a lane in the base checkout.
    pub sha: Option<String>,
    /// Whether the branch was deleted too. It is kept when it has commits that no other branch has.
    pub branch_deleted: bool,
    /// Whether there was a worktree to remove; one deleted by hand only had its entry in git's list removed.
    pub worktree_removed: bool,
}

/// Looks once more for what would be lost, then removes the lane's worktree. Never forced. With `keep_branch`,
/// unmerged commits are no loss, since the branch stays. A lane in the base checkout removes nothing.
///
/// # Errors
/// [`GitError::WouldLose`] with every loss named; a locked index; a directory that is not the lane's worktree; git's refusal.
pub fn close_worktree(project: &Project, place: &Place, keep_branch: bool) -> Result<Closed, GitError> {
    let mut closed = Closed { sha: None, branch_deleted: false, worktree_removed: false };
    let Some(branch) = &place.branch else { return Ok(closed) };
    let dir = place.directory.as_path();
    let admin = registry::find(project, dir)?;
    match &admin {
        Some(admin) => lock::refuse(&admin.dir)?,
        None if names::exists(dir) => {
            let why = "git does not list it as a worktree; move it away, then close again".to_owned();
            return Err(GitError::NotOurs { dir: dir.to_owned(), why });
        }
        None => {}
    }
    if let Some(admin) = admin.as_ref().filter(|admin| names::exists(dir) && !registry::points_back(dir, admin)) {
        let why = format!("its `.git` does not lead to `{}`; move it away, then close again", admin.dir.display());
        return Err(GitError::NotOurs { dir: dir.to_owned(), why });
    }
    let judged = judge(project, place)?;
    if judged.losses.blocks(keep_branch) {
        return Err(GitError::WouldLose { dir: dir.to_owned(), losses: Box::new(judged.losses) });
    }
    closed.sha = tip(&project.open()?, branch).map(|tip| tip.to_string());
    if admin.is_some() {
        closed.worktree_removed = names::exists(dir);
        for path in judged.copies.iter().filter(|path| has_twin(project, dir, path)) {
            let path = dir.join(names::path(path));
            fs::remove_file(&path).map_err(GitError::io("removing a copied file", &path))?;
        }
        // Not forced: git looks once more itself. For a missing directory this only drops git's entry, and only this
        // one, unlike `git worktree prune`.
        project
            .git(project.root(), format!("removing the worktree `{}`", dir.display()))
            .args(["worktree", "remove", "--"])
            .args([dir.as_os_str()])
            .answer(&Cancel::new())?;
    }
    if let Some(sha) = closed.sha.as_ref().filter(|_| judged.losses.unmerged.is_empty()) {
        closed.branch_deleted = repair::delete_branch(project, branch, sha, dir)?;
    }
    Ok(closed)
}
