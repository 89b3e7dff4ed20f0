//! A lane's changes against the commit it started from, as a unified diff for a person.

use git2::{DiffFormat, DiffOptions, Repository};

use super::error::GitError;
use super::project::Project;
use crate::domain::Place;

/// Bytes of a diff that are shown; more than this nobody reads in a pane.
const CAP: usize = 2 * 1024 * 1024;

/// Committed and uncommitted changes of the lane since it left its base, untracked files included.
///
/// # Errors
/// When the repository cannot be read, or the base commit is gone.
pub fn diff(project: &Project, place: &Place) -> Result<String, GitError> {
    let repo = match &place.branch {
        Some(_) => Repository::open(&place.directory).map_err(GitError::library("opening the lane's worktree"))?,
        None => project.open()?,
    };
    let reading = || GitError::library("comparing the lane with its base");
    let head = repo.head().and_then(|head| head.peel_to_commit()).map_err(reading())?;
    let base = git2::Oid::from_str(&place.base.sha).map_err(reading())?;
    // The base may have moved on: what it gained meanwhile is not the lane's change.
    let start = repo.merge_base(head.id(), base).unwrap_or(base);
    let tree = repo.find_commit(start).and_then(|commit| commit.tree()).map_err(reading())?;
    let mut options = DiffOptions::new();
    options.include_untracked(true).recurse_untracked_dirs(true).show_untracked_content(true);
    let changes = repo.diff_tree_to_workdir_with_index(Some(&tree), Some(&mut options)).map_err(reading())?;
    let mut text = Vec::new();
    let mut cut = false;
    let printed = changes.print(DiffFormat::Patch, |_, _, line| {
        if matches!(line.origin(), '+' | '-' | ' ') {
            text.push(line.origin() as u8);
        }
        text.extend_from_slice(line.content());
        cut = text.len() > CAP;
        !cut
    });
    if !cut {
        printed.map_err(reading())?;
    }
    let mut text = String::from_utf8_lossy(&text).into_owned();
    if cut {
        text.push_str("\n… the rest is left out: the diff is larger than 2 MiB\n");
    }
    Ok(text)
}
