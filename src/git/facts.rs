//! What git says about a lane's directory, quickly: libgit2 only, no process, nothing written.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use git2::{AttrCheckFlags, Oid, Repository, Status, StatusEntry, StatusOptions};

use super::CHANGED_CAP;
use super::error::{GitError, short};
use super::names;
use super::plan::tip;
use super::project::Project;
use super::registry;
use crate::domain::{GitFacts, Place};

/// Where changes of a lane's git state show as files, for the watcher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitPaths {
    /// The directory with the lane's own HEAD and index.
    pub git_dir: PathBuf,
    /// The repository's directory, with the refs.
    pub common_dir: PathBuf,
    /// Full names of the refs that the lane's facts depend on: its branch and its base.
    pub refs: Vec<String>,
}

/// Where changes of the lane's git state show as files.
///
/// # Errors
/// When the list of worktrees cannot be read.
pub fn git_paths(project: &Project, place: &Place) -> Result<GitPaths, GitError> {
    let common_dir = project.common_dir().to_owned();
    let git_dir = match registry::find(project, &place.directory)? {
        Some(admin) => admin.dir,
        None => common_dir.clone(),
    };
    let repo = project.open()?;
    let branch = place.branch.as_ref().map(|branch| format!("refs/heads/{branch}"));
    let base = repo.resolve_reference_from_short_name(&place.base.name).ok();
    let base = base.and_then(|base| base.name().ok().map(ToOwned::to_owned));
    let refs = branch.into_iter().chain(base).filter(|name| name.starts_with("refs/")).collect();
    Ok(GitPaths { git_dir, common_dir, refs })
}

/// What git says about the lane now. Disk use is left out; see [`super::disk_use`].
///
/// # Errors
/// When the repository cannot be read, or the directory is another repository's.
pub fn facts(project: &Project, place: &Place) -> Result<GitFacts, GitError> {
    let dir = place.directory.as_path();
    let reading = || GitError::library(format!("reading the state of `{}`", dir.display()));
    let mut facts = GitFacts::default();
    let worktree = project.open_place(place)?;
    match &worktree {
        Some(worktree) => facts.dirty = dirty(worktree, dir).map_err(reading())?,
        None => facts.missing = true,
    }
    let Some(branch) = &place.branch else { return Ok(facts) };
    let repo = project.open()?;
    let checked_out = worktree.as_ref().and_then(head);
    let away = checked_out.as_ref().filter(|(name, _)| name != branch);
    let rebases = || worktree.as_ref().is_some_and(|worktree| rebases(worktree, branch));
    facts.drifted_to = away.filter(|_| !rebases()).map(|(name, _)| name.clone());
    let lane = tip(&repo, branch).or(checked_out.map(|(_, id)| id));
    if let (Some(lane), Some(base)) = (lane, base_tip(&repo, place)) {
        let (ahead, behind) = repo.graph_ahead_behind(lane, base).map_err(reading())?;
        facts.ahead = u32::try_from(ahead).unwrap_or(u32::MAX);
        facts.behind = u32::try_from(behind).unwrap_or(u32::MAX);
        if ahead > 0 {
            facts.committed = committed(&repo, base, lane).map_err(reading())?;
        }
    }
    Ok(facts)
}

/// The branch that is checked out, or `detached at 3f2c1a9`, and its commit.
fn head(worktree: &Repository) -> Option<(String, Oid)> {
    let head = worktree.head().ok()?;
    let id = head.target()?;
    let name = if head.is_branch() {
        names::text(head.shorthand_bytes())
    } else {
        format!("detached at {}", short(&id.to_string()))
    };
    Some((name, id))
}

/// Whether a rebase of this branch is under way: it comes back to the branch by itself.
fn rebases(worktree: &Repository, branch: &str) -> bool {
    let named = |name: &str| std::fs::read_to_string(worktree.path().join(name).join("head-name"));
    let of = |name: &str| named(name).is_ok_and(|text| text.trim().strip_prefix("refs/heads/") == Some(branch));
    of("rebase-merge") || of("rebase-apply")
}

/// Where the base is now: the branch it names, or else the commit that the lane started from.
fn base_tip(repo: &Repository, place: &Place) -> Option<Oid> {
    let start = Oid::from_str(&place.base.sha).ok();
    if place.base.name == "HEAD" {
        return start;
    }
    let named = repo.resolve_reference_from_short_name(&place.base.name).ok();
    named.and_then(|named| named.peel_to_commit().ok()).map(|commit| commit.id()).or(start)
}

fn dirty(worktree: &Repository, dir: &Path) -> Result<Vec<String>, git2::Error> {
    let mut options = StatusOptions::new();
    options.include_untracked(true).recurse_untracked_dirs(true).include_ignored(false);
    let statuses = worktree.statuses(Some(&mut options))?;
    let index = worktree.index()?;
    let changed = statuses.iter().filter(|entry| !only_filtered(worktree, &index, dir, entry));
    let mut paths: Vec<_> = changed.map(|entry| names::text(entry.path_bytes())).take(CHANGED_CAP).collect();
    paths.sort();
    Ok(paths)
}

/// Whether the file only seems changed: libgit2 does not run filters such as git-lfs, so when a file is as old as the
/// index it compares the filtered file with the stored one. Size and time in the index tell that it was not touched.
fn only_filtered(worktree: &Repository, index: &git2::Index, dir: &Path, entry: &StatusEntry<'_>) -> bool {
    if entry.status() != Status::WT_MODIFIED {
        return false;
    }
    let path = names::path(entry.path_bytes());
    let filter = worktree.get_attr_bytes(&path, "filter", AttrCheckFlags::FILE_THEN_INDEX);
    if !matches!(filter, Ok(Some(_))) {
        return false;
    }
    let (Some(known), Ok(meta)) = (index.get_path(&path, 0), dir.join(&path).symlink_metadata()) else { return false };
    known.file_size == meta.size() as u32
        && known.mtime.seconds() == meta.mtime() as i32
        && known.mtime.nanoseconds() == meta.mtime_nsec() as u32
}

/// Paths that the lane's commits changed since they left the base.
fn committed(repo: &Repository, base: Oid, lane: Oid) -> Result<Vec<String>, git2::Error> {
    // Without a common commit everything is the lane's own.
    let from = match repo.merge_base(base, lane) {
        Ok(common) => Some(repo.find_commit(common)?.tree()?),
        Err(_) => None,
    };
    let to = repo.find_commit(lane)?.tree()?;
    let diff = repo.diff_tree_to_tree(from.as_ref(), Some(&to), None)?;
    let files = diff.deltas().filter_map(|delta| delta.new_file().path_bytes().or(delta.old_file().path_bytes()));
    let mut paths: Vec<_> = files.map(names::text).take(CHANGED_CAP).collect();
    paths.sort();
    Ok(paths)
}
