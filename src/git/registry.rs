//! Git's own list of linked worktrees: the directories under `.git/worktrees`.
//!
//! Read as files, since git and libgit2 both hide the half-made ones that a crash leaves.

use std::path::{Path, PathBuf};

use super::error::GitError;
use super::names;
use super::project::Project;

/// What git knows about one linked worktree.
#[derive(Debug, Clone)]
pub(super) struct Admin {
    /// Its directory under `.git/worktrees`.
    pub dir: PathBuf,
    /// The branch it has checked out, full name; none when detached or unreadable.
    pub branch: Option<String>,
    /// The commit, when HEAD is detached.
    pub detached: Option<String>,
    /// Whether `git worktree add` was cut off in it: locked by git itself, and no index yet.
    pub initializing: bool,
    /// Whether an index exists, so that the checkout was completed once.
    pub indexed: bool,
}

/// The registered worktree that lies at `dir`, whether or not the directory still exists.
pub(super) fn find(project: &Project, dir: &Path) -> Result<Option<Admin>, GitError> {
    let wanted = names::real(dir);
    Ok(entries(project)?.into_iter().find(|entry| location(entry).is_some_and(|at| at == wanted)).map(read))
}

/// Where the worktrees are, as far as that can be read.
pub(super) fn directories(project: &Project) -> Vec<PathBuf> {
    entries(project).unwrap_or_default().iter().filter_map(|entry| location(entry)).collect()
}

/// Whether a worktree other than the one at `dir`, or the base checkout, has the branch checked out.
pub(super) fn used_elsewhere(project: &Project, branch: &str, dir: &Path) -> Result<bool, GitError> {
    let wanted = names::real(dir);
    let name = format!("refs/heads/{branch}");
    let others = entries(project)?.into_iter().filter(|entry| location(entry).is_none_or(|at| at != wanted));
    let heads = others.chain([project.common_dir().to_owned()]);
    Ok(heads.map(read).any(|admin| admin.branch.as_deref() == Some(name.as_str())))
}

/// Whether the `.git` of `dir` leads to this entry.
pub(super) fn points_back(dir: &Path, admin: &Admin) -> bool {
    let Ok(content) = std::fs::read(dir.join(".git")) else { return false };
    let Some(target) = content.strip_prefix(b"gitdir: ") else { return false };
    names::real(&dir.join(names::path(target.trim_ascii_end()))) == names::real(&admin.dir)
}

fn entries(project: &Project) -> Result<Vec<PathBuf>, GitError> {
    let list = project.common_dir().join("worktrees");
    let reading = match std::fs::read_dir(&list) {
        Ok(reading) => reading,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(GitError::io("listing the worktrees", &list)(error)),
    };
    Ok(reading.flatten().map(|entry| entry.path()).collect())
}

/// Where the worktree is; its `gitdir` file names the `.git` in it.
fn location(entry: &Path) -> Option<PathBuf> {
    let content = std::fs::read(entry.join("gitdir")).ok()?;
    let dot_git = entry.join(names::path(content.trim_ascii_end()));
    Some(names::real(dot_git.parent()?))
}

fn read(dir: PathBuf) -> Admin {
    let head = std::fs::read(dir.join("HEAD")).unwrap_or_default();
    let head = names::text(head.trim_ascii_end());
    let branch = head.strip_prefix("ref: ").map(|name| name.trim().to_owned());
    // Git writes a HEAD of zeros before it knows the branch.
    let detached = (branch.is_none() && head.len() >= 40 && head.bytes().any(|byte| byte != b'0')).then_some(head);
    let indexed = names::exists(&dir.join("index"));
    let initializing = !indexed && names::exists(&dir.join("locked"));
    Admin { dir, branch, detached, initializing, indexed }
}
