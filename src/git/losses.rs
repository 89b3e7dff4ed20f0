//! What closing a lane would lose, each thing named.
//!
//! Files that git ignores may go with the worktree. So may untracked files that the base checkout has with the
//! same content (what `copy` brought). Everything else counts.

use std::collections::HashSet;
use std::fmt::{self, Write as _};

use git2::{Oid, Repository, RepositoryState, Sort};

use super::LIST_CAP;
use super::error::{GitError, short};
use super::names;
use super::plan::tip;
use super::project::Project;
use super::registry;
use super::status::{self, Status};
use crate::domain::Place;

/// Names, the first 2,000 of them, and how many there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    /// How many.
    pub total: usize,
    /// The first ones.
    pub names: Vec<String>,
}

impl Named {
    fn new(names: impl IntoIterator<Item = String>) -> Self {
        let mut named = Self::default();
        for name in names {
            named.total += 1;
            if named.names.len() < LIST_CAP {
                named.names.push(name);
            }
        }
        named
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }
}

/// What closing a lane would lose.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Losses {
    /// Tracked paths with changes that are not committed.
    pub uncommitted: Named,
    /// Paths that git neither tracks nor ignores.
    pub untracked: Named,
    /// Commits of the branch that no other branch has, as `3f2c1a9 subject`.
    pub unmerged: Named,
    /// Commits under a detached HEAD that no branch or tag has.
    pub detached: Named,
    /// Stashes made on the branch.
    pub stashes: Named,
    /// Submodules with a repository inside the worktree's own.
    pub submodules: Named,
    /// A rebase, merge, … that is not finished.
    pub operation: Option<String>,
}

impl Losses {
    /// Whether nothing would be lost.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.unmerged.is_empty() && !self.blocks(true)
    }

    /// Whether closing must be refused. A branch that is kept keeps its unmerged commits.
    #[must_use]
    pub const fn blocks(&self, keep_branch: bool) -> bool {
        !(self.uncommitted.is_empty()
            && self.untracked.is_empty()
            && (keep_branch || self.unmerged.is_empty())
            && self.detached.is_empty()
            && self.stashes.is_empty()
            && self.submodules.is_empty()
            && self.operation.is_none())
    }

    /// One line for each kind: `2 files with uncommitted changes: a.rs, b.rs`.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let kinds = [
            (&self.uncommitted, "file with uncommitted changes", "files with uncommitted changes"),
            (&self.untracked, "untracked file", "untracked files"),
            (&self.unmerged, "commit not merged anywhere", "commits not merged anywhere"),
            (&self.detached, "commit on a detached HEAD", "commits on a detached HEAD"),
            (&self.stashes, "stash of this branch", "stashes of this branch"),
            (&self.submodules, "submodule checked out", "submodules checked out"),
        ];
        let kinds = kinds.into_iter().filter(|(named, ..)| !named.is_empty());
        let mut lines: Vec<_> = kinds.map(|(named, one, many)| line(named, one, many)).collect();
        lines.extend(self.operation.as_ref().map(|operation| format!("an unfinished {operation}")));
        lines
    }
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().join("\n"))
    }
}

fn line(named: &Named, one: &str, many: &str) -> String {
    /// As many names as fit on a line or two.
    const SHOWN: usize = 5;
    let mut line = format!("{} {}: ", named.total, if named.total == 1 { one } else { many });
    line.push_str(&named.names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", "));
    if named.total > SHOWN {
        let _ = write!(line, " and {} more", named.total - SHOWN);
    }
    line
}

/// What closing the lane now would lose. A lane in the base checkout itself loses nothing.
///
/// # Errors
/// When git cannot tell; then nothing may be removed either.
pub fn losses(project: &Project, place: &Place) -> Result<Losses, GitError> {
    Ok(judge(project, place)?.losses)
}

/// The losses with what closing needs beside them.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// What would be lost.
    pub losses: Losses,
    /// Untracked paths that the base checkout has too.
    pub copies: Vec<Vec<u8>>,
}

pub(super) fn judge(project: &Project, place: &Place) -> Result<Judged, GitError> {
    let Some(branch) = &place.branch else { return Ok(Judged::default()) };
    let mut judged = Judged::default();
    let dir = place.directory.as_path();
    let worktree = project.open_place(place)?;
    if let Some(worktree) = &worktree {
        let Status { changed, untracked } = status::status(project, dir, worktree)?;
        let (copies, untracked): (Vec<_>, Vec<_>) =
            untracked.into_iter().partition(|path| status::has_twin(project, dir, path));
        judged.copies = copies;
        judged.losses.uncommitted = Named::new(changed.iter().map(|path| names::text(path)));
        judged.losses.untracked = Named::new(untracked.iter().map(|path| names::text(path)));
        judged.losses.operation = operation(worktree.state()).map(ToOwned::to_owned);
    }
    let reading = || GitError::library(format!("reading the commits of `{branch}`"));
    let mut repo = project.open()?;
    let unmerged = match tip(&repo, branch) {
        Some(tip) => only_from(&repo, tip, Held::ByOtherBranches(branch)).map_err(reading())?,
        None => Vec::new(),
    };
    let mut own: HashSet<Oid> = unmerged.iter().copied().collect();
    judged.losses.unmerged = Named::new(unmerged.iter().map(|id| described(&repo, *id)));
    if let Some(admin) = registry::find(project, dir)? {
        judged.losses.submodules = Named::new(submodules(&admin.dir));
        if let Some(head) = admin.detached.and_then(|sha| Oid::from_str(&sha).ok()) {
            let detached = only_from(&repo, head, Held::ByBranchesAndTags).map_err(reading())?;
            judged.losses.detached = Named::new(detached.iter().map(|id| described(&repo, *id)));
            own.extend(detached);
        }
    }
    let stashes = stashes(&mut repo, branch, &own).map_err(reading())?;
    judged.losses.stashes = Named::new(stashes);
    Ok(judged)
}

/// What keeps a commit from being lost.
#[derive(Clone, Copy)]
enum Held<'a> {
    /// Any branch but this one, local or remote, and the base checkout's HEAD.
    ByOtherBranches(&'a str),
    /// Any branch or tag, and the base checkout's HEAD.
    ByBranchesAndTags,
}

/// Commits reachable from `from` that nothing else holds, the newest first, at most 2,000.
fn only_from(repo: &Repository, from: Oid, held: Held<'_>) -> Result<Vec<Oid>, git2::Error> {
    let mut walk = repo.revwalk()?;
    walk.set_sorting(Sort::TIME)?;
    walk.push(from)?;
    if let Some(head) = repo.head().ok().and_then(|head| head.target()) {
        walk.hide(head)?;
    }
    let own = match held {
        Held::ByOtherBranches(branch) => format!("refs/heads/{branch}").into_bytes(),
        Held::ByBranchesAndTags => Vec::new(),
    };
    for reference in repo.references()?.flatten() {
        let name = reference.name_bytes();
        let counts = name.starts_with(b"refs/heads/")
            || name.starts_with(b"refs/remotes/")
            || (matches!(held, Held::ByBranchesAndTags) && name.starts_with(b"refs/tags/"));
        // A symbolic ref (such as `origin/HEAD`) holds nothing that its target does not, and could name the own branch.
        if !counts || name == own.as_slice() || reference.symbolic_target_bytes().is_some() {
            continue;
        }
        // A ref that points at nothing holds nothing.
        if let Ok(commit) = reference.peel_to_commit() {
            walk.hide(commit.id())?;
        }
    }
    walk.take(LIST_CAP).collect()
}

fn described(repo: &Repository, id: Oid) -> String {
    let sha = id.to_string();
    let commit = repo.find_commit(id).ok();
    let subject = commit.as_ref().and_then(git2::Commit::summary_bytes).map(names::text).unwrap_or_default();
    format!("{} {subject}", short(&sha)).trim_end().to_owned()
}

/// Stashes whose message names the branch, or that were made on one of its own commits.
fn stashes(repo: &mut Repository, branch: &str, own: &HashSet<Oid>) -> Result<Vec<String>, git2::Error> {
    let mut all = Vec::new();
    repo.stash_foreach(|index, message, id| {
        all.push((index, message.to_owned(), *id));
        true
    })?;
    let made_on = |message: &str| {
        let rest = message.strip_prefix("WIP on ").or_else(|| message.strip_prefix("On "));
        rest.and_then(|rest| rest.strip_prefix(branch)).is_some_and(|rest| rest.starts_with(':'))
    };
    let on_own = |id| repo.find_commit(id).and_then(|stash| stash.parent_id(0)).is_ok_and(|base| own.contains(&base));
    let ours = all.into_iter().filter(|(_, message, id)| made_on(message) || on_own(*id));
    Ok(ours.map(|(index, message, _)| format!("stash@{{{index}}} {message}")).collect())
}

/// A submodule's repository lies in the worktree's own git directory and goes with it.
fn submodules(admin: &std::path::Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(admin.join("modules")) else { return Vec::new() };
    let mut names: Vec<_> = entries.flatten().map(|entry| names::text(entry.file_name().as_encoded_bytes())).collect();
    names.sort();
    names
}

const fn operation(state: RepositoryState) -> Option<&'static str> {
    match state {
        RepositoryState::Clean => None,
        RepositoryState::Merge => Some("merge"),
        RepositoryState::Revert | RepositoryState::RevertSequence => Some("revert"),
        RepositoryState::CherryPick | RepositoryState::CherryPickSequence => Some("cherry-pick"),
        RepositoryState::Bisect => Some("bisect"),
        RepositoryState::Rebase | RepositoryState::RebaseInteractive | RepositoryState::RebaseMerge => Some("rebase"),
        RepositoryState::ApplyMailbox | RepositoryState::ApplyMailboxOrRebase => Some("`git am`"),
    }
}
