//! Clears half-made worktrees and branches, after proving that they are a lane's own and hold no work.

use std::fs;
use std::path::{Path, PathBuf};

use git2::Oid;

use super::LIST_CAP;
use super::cancel::Cancel;
use super::error::GitError;
use super::names;
use super::plan::tip;
use super::project::Project;
use super::registry::{self, Admin};
use crate::domain::Place;

/// Clears what a crash left of a worktree that git has registered at the place.
///
/// # Errors
/// When what stands there could hold work, or is somebody else's; then nothing is touched.
pub(super) fn clear(project: &Project, place: &Place, admin: &Admin) -> Result<(), GitError> {
    let dir = place.directory.as_path();
    let refuse = |why: String| Err(GitError::NotOurs { dir: dir.to_owned(), why });
    if !names::exists(dir) {
        return discard(project, dir, admin);
    }
    if names::exists(&dir.join(".git")) && !registry::points_back(dir, admin) {
        return refuse("its `.git` does not lead to the worktree that git lists there; move it away".to_owned());
    }
    if is_empty_dir(dir) {
        return discard(project, dir, admin);
    }
    if !admin.initializing {
        let what = admin.branch.as_deref().unwrap_or("a detached commit");
        return refuse(format!("it has {what} checked out or lost its `.git`; move it away, or close the lane"));
    }
    // The lane has not been started in a worktree that git was still filling: all in it comes from the checkout.
    let strangers = not_in_base(project, place)?;
    if !strangers.is_empty() {
        return refuse(format!("it is half-made and holds files that git did not put there: {}", strangers.join(", ")));
    }
    discard(project, dir, admin)
}

/// Removes a half-made worktree that was judged empty of work, and git's entry for it.
///
/// # Errors
/// When the system or git refuses.
pub(super) fn discard(project: &Project, dir: &Path, admin: &Admin) -> Result<(), GitError> {
    if names::exists(dir) {
        fs::remove_dir_all(dir).map_err(GitError::io("removing the half-made worktree", dir))?;
    }
    if !names::exists(&admin.dir) {
        return Ok(());
    }
    // Twice forced, since git locks a worktree while it makes it. The directory is gone; only the entry goes.
    let doing = format!("removing git's entry for `{}`", dir.display());
    let git = project.git(project.root(), doing).args(["worktree", "remove", "-f", "-f", "--"]);
    let outcome = git.args([dir.as_os_str()]).answer(&Cancel::new());
    match outcome {
        Err(error) if names::exists(&admin.dir) => {
            // An entry so young that git cannot read it has no HEAD to lose, or one without a commit of its own.
            if admin.indexed || admin.detached.is_some() {
                return Err(error);
            }
            fs::remove_dir_all(&admin.dir).map_err(GitError::io("removing git's half-made entry", &admin.dir))
        }
        _ => Ok(()),
    }
}

/// Deletes the branch if it still stands at `sha` and nobody has it checked out. Says whether it is gone.
///
/// # Errors
/// When git refuses.
pub(super) fn delete_branch(project: &Project, branch: &str, sha: &str, dir: &Path) -> Result<bool, GitError> {
    let expected = Oid::from_str(sha).ok();
    if tip(&project.open()?, branch) != expected || registry::used_elsewhere(project, branch, dir)? {
        return Ok(false);
    }
    // With the old value given, git deletes only if no commit came between.
    let name = format!("refs/heads/{branch}");
    project
        .git(project.root(), format!("deleting the branch `{branch}`"))
        .args(["update-ref", "-d", &name, sha])
        .answer(&Cancel::new())?;
    Ok(true)
}

fn is_empty_dir(dir: &Path) -> bool {
    fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none())
}

/// Files in the directory that the base commit does not have.
fn not_in_base(project: &Project, place: &Place) -> Result<Vec<String>, GitError> {
    let dir = place.directory.as_path();
    let repo = project.open()?;
    let tree = Oid::from_str(&place.base.sha)
        .and_then(|id| repo.find_commit(id))
        .and_then(|commit| commit.tree())
        .map_err(GitError::library(format!("reading the base commit of `{}`", dir.display())))?;
    let mut strangers = Vec::new();
    let mut left = vec![PathBuf::new()];
    while let Some(relative) = left.pop() {
        let at = dir.join(&relative);
        for entry in fs::read_dir(&at).map_err(GitError::io("looking through the half-made worktree", &at))? {
            let entry = entry.map_err(GitError::io("looking through the half-made worktree", &at))?;
            let path = relative.join(entry.file_name());
            if path == Path::new(".git") {
                continue;
            }
            let known = tree.get_path(&path).is_ok();
            if known && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                left.push(path);
            } else if !known && strangers.len() < LIST_CAP {
                strangers.push(names::text(names::bytes(&path)));
            }
        }
    }
    strangers.sort();
    Ok(strangers)
}
