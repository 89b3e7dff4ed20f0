//! Checkpoints: a worktree with its index, kept as a commit under a hidden ref.
//!
//! The commit's tree are the files. Its parents keep alive what else is needed: the commit that was checked out, and
//! the index. Commit and ref are written by libgit2: no hook runs, nothing is signed, no configuration is needed.

use std::collections::HashSet;

use git2::{Commit, Oid, Repository, Signature, Tree, TreeWalkMode, TreeWalkResult};

use super::cancel::Cancel;
use super::error::GitError;
use super::last;
use super::project::Project;
use super::rewind::in_the_way;
use super::stage::{Kept, Stage};
use crate::domain::{LaneId, Place, SavedFiles};

/// The folder of all checkpoints' refs.
const REFS: &str = "refs/paralane/checkpoints";
/// The line of a checkpoint's message that names the index's tree.
const TREE: &str = "index-tree ";
/// The line of a checkpoint's message that names the index's file, as a blob.
const RAW: &str = "index-file ";

/// What a checkpoint is taken of, or brought back to.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The project.
    pub project: &'a Project,
    /// The lane.
    pub lane: LaneId,
    /// Where it works.
    pub place: &'a Place,
    /// The patterns by which files were copied into the lane: these never enter a checkpoint.
    pub copied: &'a [String],
}

impl Subject<'_> {
    /// The patterns of files in the worktree that the lane was given.
    pub(super) const fn may_skip(&self) -> &[String] {
        if self.place.is_here() { &[] } else { self.copied }
    }
}

/// Stages the worktree and keeps it as checkpoint `number`, see [`super::Checkpoints::take`]. `fresh`: perhaps nothing
/// differs from the worktree's own index.
pub(super) fn take<'a>(
    repo: &'a Repository,
    subject: &'a Subject<'a>,
    number: u64,
    towards: Option<&str>,
    fresh: bool,
    cancel: &'a Cancel,
) -> Result<(SavedFiles, Stage<'a>), GitError> {
    let mut stage = Stage::take(repo, subject, fresh, cancel)?;
    if let Some(target) = towards {
        let target = found(repo, target)?;
        let paths = in_the_way(repo, &stage, subject, &target)?;
        stage.force(&paths)?;
    }
    let (commit, head) = keep(repo, subject, number, &stage).map_err(GitError::library(doing(subject)))?;
    let head = head.map(|head| head.to_string());
    Ok((SavedFiles { commit: commit.to_string(), head, left_out: stage.left_out.clone() }, stage))
}

fn doing(subject: &Subject<'_>) -> String {
    format!("keeping a checkpoint of `{}`", subject.place.directory.display())
}

fn keep(
    repo: &Repository,
    subject: &Subject<'_>,
    number: u64,
    stage: &Stage<'_>,
) -> Result<(Oid, Option<Oid>), git2::Error> {
    let by = Signature::now("Paralane", "paralane@localhost")?;
    let head = repo.head().ok().and_then(|head| head.peel_to_commit().ok());
    let (index, line) = match &stage.kept {
        Kept::Tree(tree) => (repo.find_tree(Oid::from_str(tree)?)?, format!("{TREE}{tree}")),
        Kept::Raw(bytes) => {
            let file = repo.blob(bytes)?;
            (raw_tree(repo, head.as_ref(), &stage.contents, file)?, format!("{RAW}{file}"))
        }
    };
    let under: Vec<&Commit<'_>> = head.iter().collect();
    let index = repo.commit(None, &by, &by, "index of a paralane checkpoint\n", &index, &under)?;
    let index = repo.find_commit(index)?;
    let tree = repo.find_tree(Oid::from_str(&stage.tree)?)?;
    let parents: Vec<&Commit<'_>> = head.iter().chain([&index]).collect();
    let words = format!("paralane checkpoint {number} of {}\n\n{line}\n", subject.lane);
    let commit = repo.commit(None, &by, &by, &words, &tree, &parents)?;
    repo.reference(&name(subject.lane, number), commit, true, "paralane checkpoint")?;
    Ok((commit, head.map(|head| head.id())))
}

/// A tree that keeps an index's file alive, and the contents that it names and the commit checked out does not have.
fn raw_tree<'r>(
    repo: &'r Repository,
    head: Option<&Commit<'_>>,
    contents: &[Oid],
    file: Oid,
) -> Result<Tree<'r>, git2::Error> {
    let mut known = HashSet::new();
    if let Some(head) = head {
        head.tree()?.walk(TreeWalkMode::PreOrder, |_, entry| {
            known.insert(entry.id());
            TreeWalkResult::Ok
        })?;
    }
    let mut tree = repo.treebuilder(None)?;
    tree.insert("index", file, 0o100_644)?;
    for id in contents.iter().filter(|id| !known.contains(id)) {
        // What a partial clone does not have needs no keeping.
        let _ = tree.insert(id.to_string(), *id, 0o100_644);
    }
    repo.find_tree(tree.write()?)
}

/// The commit of a checkpoint.
pub(super) fn found<'r>(repo: &'r Repository, commit: &str) -> Result<Commit<'r>, GitError> {
    Oid::from_str(commit)
        .and_then(|id| repo.find_commit(id))
        .map_err(|_| GitError::NoCheckpoint { commit: commit.to_owned() })
}

/// Keeps a checkpoint under a lane's own ref too.
pub(super) fn hold(repo: &Repository, lane: LaneId, number: u64, commit: &Commit<'_>) -> Result<(), GitError> {
    let held = repo.reference(&name(lane, number), commit.id(), true, "paralane checkpoint");
    held.map(drop).map_err(GitError::library(format!("keeping a checkpoint of {lane}")))
}

/// How the index of a checkpoint was.
pub(super) fn kept(repo: &Repository, commit: &Commit<'_>) -> Result<Kept, GitError> {
    let message = commit.message().unwrap_or_default();
    for line in message.lines() {
        if let Some(tree) = line.strip_prefix(TREE) {
            return Ok(Kept::Tree(tree.to_owned()));
        }
        if let Some(blob) = line.strip_prefix(RAW) {
            let read = Oid::from_str(blob).and_then(|id| repo.find_blob(id)).map(|blob| blob.content().to_vec());
            return read.map(Kept::Raw).map_err(GitError::library("reading the index of a checkpoint"));
        }
    }
    Err(GitError::NoCheckpoint { commit: commit.id().to_string() })
}

fn name(lane: LaneId, number: u64) -> String {
    format!("{REFS}/{lane}/{number}")
}

/// Lets checkpoints go. Those that are gone already are no error.
///
/// # Errors
/// When a ref cannot be removed.
pub fn forget_checkpoints(project: &Project, lane: LaneId, numbers: &[u64]) -> Result<(), GitError> {
    let repo = project.open()?;
    for number in numbers {
        forget(&repo, &name(lane, *number))?;
    }
    Ok(())
}

/// Lets all checkpoints of a lane go.
///
/// # Errors
/// When a ref cannot be removed.
pub fn forget_lane(project: &Project, lane: LaneId) -> Result<(), GitError> {
    let repo = project.open()?;
    last::forget(&repo, lane);
    let doing = || GitError::library(format!("looking for checkpoints of {lane}"));
    let mut names = Vec::new();
    for reference in repo.references_glob(&format!("{REFS}/{lane}/*")).map_err(doing())? {
        names.push(String::from_utf8_lossy(reference.map_err(doing())?.name_bytes()).into_owned());
    }
    names.iter().try_for_each(|name| forget(&repo, name))
}

fn forget(repo: &Repository, name: &str) -> Result<(), GitError> {
    match repo.find_reference(name) {
        Ok(mut reference) => reference.delete().map_err(GitError::library(format!("removing `{name}`"))),
        Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(()),
        Err(error) => Err(GitError::library(format!("removing `{name}`"))(error)),
    }
}
