//! Decides where a new lane will stand, before anything is made: base, branch, directory, and every refusal.

use std::path::Path;

use git2::{BranchType, Oid, Repository};
use rustix::fs::{Access, access};

use super::error::GitError;
use super::names;
use super::project::Project;
use super::registry;
use crate::domain::{BaseRef, LaneName, Place};

/// The commit that a new lane would start from: the named one, or what the base checkout has checked out now.
///
/// # Errors
/// Unknown name, with near ones suggested; no commits.
fn resolve_base(project: &Project, base: Option<&str>) -> Result<BaseRef, GitError> {
    let Some(name) = base.filter(|name| *name != "HEAD") else { return project.head() };
    let repo = project.open()?;
    let commit = repo.revparse_single(name).and_then(|object| object.peel_to_commit());
    match commit {
        Ok(commit) => Ok(BaseRef { name: name.to_owned(), sha: commit.id().to_string() }),
        Err(_) => Err(GitError::UnknownBase { name: name.to_owned(), near: near(&repo, name) }),
    }
}

/// Where a new lane will stand. Nothing is made; store the place, then call [`super::ensure_worktree`].
///
/// # Errors
/// Unknown base; branch or directory taken; repository not writable.
pub fn plan(project: &Project, name: &LaneName, base: Option<&str>, dir: &Path) -> Result<Place, GitError> {
    let base = resolve_base(project, base)?;
    let branch = name.branch();
    writable(project)?;
    let repo = project.open()?;
    if let Some(tip) = tip(&repo, &branch) {
        return Err(GitError::BranchExists { branch, sha: tip.to_string() });
    }
    if let Some(by) = blocker(&repo, &branch) {
        return Err(GitError::BranchBlocked { branch, by });
    }
    if names::exists(dir) {
        return Err(GitError::DirectoryTaken { dir: dir.to_owned() });
    }
    if registry::find(project, dir)?.is_some() {
        let why = format!(
            "git still lists a worktree there that is gone; run `git worktree remove {}` and try again",
            dir.display()
        );
        return Err(GitError::NotOurs { dir: dir.to_owned(), why });
    }
    Ok(Place { directory: dir.to_owned(), branch: Some(branch), base })
}

/// Refuses a repository in which no branch or worktree can be made.
pub(super) fn writable(project: &Project) -> Result<(), GitError> {
    let common = project.common_dir();
    for path in [common.to_owned(), common.join("refs/heads"), common.join("worktrees")] {
        if names::exists(&path) && access(&path, Access::WRITE_OK | Access::EXEC_OK).is_err() {
            return Err(GitError::ReadOnly { path });
        }
    }
    Ok(())
}

/// The branch's commit.
pub(super) fn tip(repo: &Repository, branch: &str) -> Option<Oid> {
    repo.refname_to_id(&format!("refs/heads/{branch}")).ok()
}

/// A branch that cannot stand beside `branch`, since one's name would be a folder of the other's.
fn blocker(repo: &Repository, branch: &str) -> Option<String> {
    let above = branch.match_indices('/').map(|(at, _)| &branch[..at]);
    if let Some(by) = above.into_iter().find(|name| tip(repo, name).is_some()) {
        return Some(by.to_owned());
    }
    let mut inside = repo.references_glob(&format!("refs/heads/{branch}/*")).ok()?;
    inside.names().next()?.ok()?.strip_prefix("refs/heads/").map(ToOwned::to_owned)
}

/// Up to three names of branches and tags that look like what was typed.
fn near(repo: &Repository, typed: &str) -> Vec<String> {
    let mut names = Vec::new();
    for kind in [BranchType::Local, BranchType::Remote] {
        let branches = repo.branches(Some(kind)).into_iter().flatten().flatten();
        names.extend(branches.filter_map(|(branch, _)| branch.name().ok().flatten().map(ToOwned::to_owned)));
    }
    if let Ok(tags) = repo.tag_names(None) {
        names.extend(tags.iter().filter_map(|tag| tag.ok().flatten().map(ToOwned::to_owned)));
    }
    let allowed = (typed.chars().count() / 3).max(2);
    let mut near: Vec<_> = names
        .into_iter()
        .filter_map(|name| {
            // `develop` also finds `origin/develop`.
            let last = name.rsplit('/').next().unwrap_or(&name);
            let distance = strsim::damerau_levenshtein(typed, &name).min(strsim::damerau_levenshtein(typed, last) + 1);
            (distance <= allowed).then_some((distance, name))
        })
        .collect();
    near.sort();
    near.dedup();
    near.into_iter().take(3).map(|(_, name)| name).collect()
}
