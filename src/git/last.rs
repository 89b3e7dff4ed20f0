//! The last checkpoint of a lane, which is taken again as it is while nothing has changed since.
//!
//! Its own index stays beside git's. A look at the worktree through that index costs a fraction of staging it anew, and
//! errs to one side only: what it is not sure of counts as a change.

use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use git2::Repository;

use super::cancel::Cancel;
use super::checkpoint::{self, Subject};
use super::error::GitError;
use super::project::Project;
use super::stage::{self, Stage};
use crate::domain::{LaneId, Place, SavedFiles};

/// Takes the checkpoints of one lane.
#[derive(Default)]
pub struct Checkpoints {
    last: Mutex<Option<Last>>,
    /// The worktree, opened for the next checkpoint: opening it takes longer than looking at it.
    opened: Mutex<Option<(PathBuf, Repository)>>,
}

impl fmt::Debug for Checkpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checkpoints").field("last", &self.last).finish_non_exhaustive()
    }
}

/// The last one.
#[derive(Debug)]
struct Last {
    saved: SavedFiles,
    /// The worktree's own index, as it was.
    own: Stamp,
    /// The index that tells the saved files from changed ones.
    index: PathBuf,
    copied: Vec<String>,
}

/// What changes when a file is written anew: inode, size, and times in seconds and nanoseconds. None for no file.
type Stamp = Option<(u64, u64, (i64, i64), (i64, i64))>;

fn stamp(file: &Path) -> Stamp {
    let meta = fs::metadata(file).ok()?;
    Some((meta.ino(), meta.size(), (meta.mtime(), meta.mtime_nsec()), (meta.ctime(), meta.ctime_nsec())))
}

/// Where the index of a lane's last checkpoint stands.
fn file(repo: &Repository, lane: LaneId) -> PathBuf {
    repo.path().join(format!("paralane-checkpoint-{lane}.last"))
}

/// Removes what the last checkpoint of a lane in this checkout has left.
pub(super) fn forget(repo: &Repository, lane: LaneId) {
    let _ = fs::remove_file(file(repo, lane));
}

impl Checkpoints {
    /// Checks that the lane's directory stands, see [`Project::stands`], right before a checkpoint is taken there.
    ///
    /// # Errors
    /// As [`Project::stands`].
    pub fn stands(&self, project: &Project, place: &Place) -> Result<(), GitError> {
        let repo = project.standing(place)?;
        *self.opened.lock().unwrap_or_else(PoisonError::into_inner) = Some((place.directory.clone(), repo));
        Ok(())
    }

    /// Takes checkpoint `number` of the lane's worktree. `towards` is a checkpoint that the worktree is to be brought
    /// back to: what that would overwrite is taken too, even if git ignores it.
    ///
    /// # Errors
    /// When the worktree does not stand, the repository cannot be written, or git refuses; cancelled.
    pub fn take(
        &self,
        subject: &Subject<'_>,
        number: u64,
        towards: Option<&str>,
        cancel: &Cancel,
    ) -> Result<SavedFiles, GitError> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner).take();
        let repo = match opened.filter(|(directory, _)| *directory == subject.place.directory) {
            Some((_, repo)) => repo,
            None => stage::open(subject.project, subject)?,
        };
        let mut held = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if towards.is_none()
            && let Some(last) = held.as_ref()
            && last.stands(&repo, subject)
        {
            let commit = checkpoint::found(&repo, &last.saved.commit)?;
            checkpoint::hold(&repo, subject.lane, number, &commit)?;
            return Ok(last.saved.clone());
        }
        let own = stamp(&repo.path().join("index"));
        let fresh = held.take().is_none();
        forget(&repo, subject.lane);
        let (saved, stage) = checkpoint::take(&repo, subject, number, towards, fresh, cancel)?;
        if towards.is_none() && stage.tells_all() {
            *held = Last::new(&repo, subject, stage, own, saved.clone());
        }
        Ok(saved)
    }
}

impl Last {
    fn new(repo: &Repository, subject: &Subject<'_>, stage: Stage<'_>, own: Stamp, saved: SavedFiles) -> Option<Self> {
        let index = file(repo, subject.lane);
        // Without it the next checkpoint is taken anew.
        stage.leave(&index).ok()?;
        Some(Self { saved, own, index, copied: subject.copied.to_vec() })
    }

    fn stands(&self, repo: &Repository, subject: &Subject<'_>) -> bool {
        let head = repo.head().ok().and_then(|head| head.target()).map(|id| id.to_string());
        self.saved.head == head
            && self.copied == subject.copied
            && self.own == stamp(&repo.path().join("index"))
            && stage::tells_worktree(repo, subject, &self.index)
    }
}
