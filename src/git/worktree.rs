//! Makes lanes' worktrees: new ones, ones that a crash cut off, and closed ones again.
//!
//! The steps are the same for all three: adopt what is whole, clear what is half-made and provably empty of
//! work, then `git worktree add`, then look at what came out of it.

use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use super::cancel::Cancel;
use super::close::close_worktree;
use super::error::{GitError, short};
use super::lock;
use super::names;
use super::plan::{tip, writable};
use super::project::Project;
use super::registry::{self, Admin};
use super::repair;
use super::run::{Git, Outcome};
use crate::domain::Place;

/// A worktree that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Whether it stood already and was taken over.
    pub adopted: bool,
    /// What the person should know: a hook that failed, submodules that are not checked out.
    pub notes: Vec<String>,
}

/// Makes the planned worktree, or mends it after a crash at any point of making it. May be called again and again.
///
/// # Errors
/// When branch or directory hold something that is not provably this lane's and empty of work; when git refuses.
pub fn ensure_worktree(
    project: &Project,
    place: &Place,
    cancel: &Cancel,
    say: &mut dyn FnMut(&str),
) -> Result<Made, GitError> {
    establish(project, place, Tip::AtStart, cancel, say)
}

/// Brings a closed lane's worktree back: from its kept branch, or else from the place's base, which is then to be
/// the tip that closing told.
///
/// # Errors
/// When the directory is taken, the commit is gone, or git refuses.
pub fn restore_worktree(
    project: &Project,
    place: &Place,
    cancel: &Cancel,
    say: &mut dyn FnMut(&str),
) -> Result<Made, GitError> {
    establish(project, place, Tip::Anywhere, cancel, say)
}

/// Where an existing branch may stand to count as the lane's own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tip {
    /// Where a new lane begins: further on it would be somebody's work.
    AtStart,
    /// Anywhere: it was kept when the lane closed.
    Anywhere,
}

fn establish(
    project: &Project,
    place: &Place,
    accept: Tip,
    cancel: &Cancel,
    say: &mut dyn FnMut(&str),
) -> Result<Made, GitError> {
    let (dir, start) = (place.directory.as_path(), &place.base.sha);
    let Some(branch) = place.branch.as_deref() else {
        return Ok(Made { adopted: true, notes: Vec::new() });
    };
    let tip = tip(&project.open()?, branch).map(|tip| tip.to_string());
    let admin = registry::find(project, dir)?;
    if let Some(admin) = &admin {
        lock::refuse(&admin.dir)?;
        if whole(dir, branch, admin) {
            verify(project, place, cancel)?;
            return Ok(Made { adopted: true, notes: notes(dir) });
        }
    }
    if let Some(tip) = tip.as_ref().filter(|tip| accept == Tip::AtStart && *tip != start) {
        return Err(GitError::BranchExists { branch: branch.to_owned(), sha: tip.clone() });
    }
    match &admin {
        Some(admin) => repair::clear(project, place, admin)?,
        None if names::exists(dir) => return Err(GitError::DirectoryTaken { dir: dir.to_owned() }),
        None => {}
    }
    add(project, place, if tip.is_some() { Start::Branch } else { Start::Commit(start) }, cancel, say)
}

/// What the worktree is made from.
#[derive(Clone, Copy)]
enum Start<'a> {
    /// The lane's branch, which exists.
    Branch,
    /// A commit; the branch is made.
    Commit(&'a str),
}

fn add(
    project: &Project,
    place: &Place,
    start: Start<'_>,
    cancel: &Cancel,
    say: &mut dyn FnMut(&str),
) -> Result<Made, GitError> {
    let dir = place.directory.as_path();
    let branch = place.branch.as_deref().unwrap_or_default();
    writable(project)?;
    if let Some(parent) = dir.parent() {
        let mut builder = std::fs::DirBuilder::new();
        let made = builder.recursive(true).mode(0o700).create(parent);
        made.map_err(GitError::io("making the directory for worktrees", parent))?;
    }
    let doing = format!("making the worktree `{}`", dir.display());
    let git = project.git(project.root(), doing).args(["worktree", "add"]);
    let git = match start {
        Start::Branch => git.args(["--"]).args([dir.as_os_str()]).args([branch]),
        Start::Commit(sha) => {
            say(&format!("making branch `{branch}` from {} at {}", place.base.name, short(sha)));
            git.args(["--no-track", "-b", branch, "--"]).args([dir.as_os_str()]).args([sha])
        }
    };
    crate::base::failpoint("worktree-before-add");
    let outcome = git.outcome(cancel, say);
    crate::base::failpoint("worktree-after-add");
    match outcome.and_then(|outcome| checked(project, place, &git, &outcome, cancel)) {
        Ok(notes) => Ok(Made { adopted: false, notes }),
        Err(error) => {
            undo(project, place, start);
            Err(error)
        }
    }
}

/// What to say about the worktree that git made; an error if it did not make one.
fn checked(
    project: &Project,
    place: &Place,
    git: &Git<'_>,
    outcome: &Outcome,
    cancel: &Cancel,
) -> Result<Vec<String>, GitError> {
    let (dir, branch) = (place.directory.as_path(), place.branch.as_deref().unwrap_or_default());
    let mut notes = notes(dir);
    if !outcome.status.success() {
        // Git hands on the status of a `post-checkout` hook although the worktree is whole by then.
        if !registry::find(project, dir)?.is_some_and(|admin| whole(dir, branch, &admin)) {
            return Err(git.failed(outcome));
        }
        let said = outcome.stderr.trim_end();
        notes.push(format!("the worktree is made, but a git hook ended with {}: {said}", outcome.status));
    }
    verify(project, place, cancel)?;
    Ok(notes)
}

/// Takes back what a failed or cancelled `add` left, by the same proofs as everywhere: a whole worktree is closed, which
/// refuses to lose anything, a half-made one is cleared. What cannot be taken back stays for [`ensure_worktree`].
fn undo(project: &Project, place: &Place, start: Start<'_>) {
    let dir = place.directory.as_path();
    let branch = place.branch.as_deref().unwrap_or_default();
    if let Ok(Some(admin)) = registry::find(project, dir) {
        let _ = if whole(dir, branch, &admin) {
            close_worktree(project, place, true).map(drop)
        } else {
            repair::clear(project, place, &admin)
        };
    }
    let gone = matches!(registry::find(project, dir), Ok(None));
    if let Start::Commit(sha) = start
        && gone
    {
        let _ = repair::delete_branch(project, branch, sha, dir);
    }
}

/// Whether git's list, the directory and the branch belong together and the checkout was completed.
fn whole(dir: &Path, branch: &str, admin: &Admin) -> bool {
    admin.indexed
        && registry::points_back(dir, admin)
        && admin.branch.as_deref().and_then(|name| name.strip_prefix("refs/heads/")) == Some(branch)
}

/// Asks git itself where the directory belongs, before anything is started in it: in a directory without a `.git`
/// of its own, work would land in the repository around it.
fn verify(project: &Project, place: &Place, cancel: &Cancel) -> Result<(), GitError> {
    let dir = place.directory.as_path();
    let doing = format!("checking the worktree `{}`", dir.display());
    let answer = project.git(dir, doing).args(["rev-parse", "--show-toplevel"]).answer(cancel)?;
    let top = names::path(answer.strip_suffix(b"\n").unwrap_or(&answer));
    if top == names::real(dir) {
        return Ok(());
    }
    let why = format!("git works in `{}` from there, not in the lane's own worktree", top.display());
    Err(GitError::NotOurs { dir: dir.to_owned(), why })
}

fn notes(dir: &Path) -> Vec<String> {
    if names::exists(&dir.join(".gitmodules")) {
        vec![
            "this repository has submodules, which a new worktree does not check out; \
             run `git submodule update --init` in the lane if it needs them"
                .to_owned(),
        ]
    } else {
        Vec::new()
    }
}
