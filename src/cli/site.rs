//! Where a command acts: the project, its part of the state directory, and who holds it now.

use std::path::Path;

use crate::base::Report;
use crate::domain::BaseRef;
use crate::git::{GitEnv, Project};
use crate::protocol::VERSION;
use crate::workstation::home::{Home, ProjectHome};
use crate::workstation::lock::{Identity, Lock, LockError};

/// The project that was meant, and its state.
#[derive(Debug, Clone)]
pub(super) struct Site {
    /// The repository.
    pub project: Project,
    /// What its base checkout had checked out when it was found.
    pub base: BaseRef,
    /// The state directory.
    pub home: Home,
    /// The project's part of it.
    pub place: ProjectHome,
}

impl Site {
    /// Finds the project around a directory (the current one if none is named). Nothing is created.
    ///
    /// # Errors
    /// No usable repository, or no usable state directory.
    pub(super) fn find(repo: Option<&Path>, home: Option<&Path>) -> Result<Self, Report> {
        Self::at(repo.unwrap_or(Path::new(".")), Home::find(home)?)
    }

    /// The project around a directory, in this state directory.
    ///
    /// # Errors
    /// No usable repository, or no usable state directory.
    pub(super) fn at(directory: &Path, home: Home) -> Result<Self, Report> {
        let (project, base) = Project::locate(directory, GitEnv::inherited()).map_err(Report::from)?;
        let place = home.project(project.root())?;
        Ok(Self { project, base, home, place })
    }

    /// The workstation that runs now, if one does and has said who it is.
    ///
    /// # Errors
    /// When its lock file cannot be looked at.
    pub(super) fn running(&self) -> Result<Option<Identity>, Report> {
        Ok(Lock::peek(self.place.lock()).map_err(|error| lock_report(&error))?.and_then(|holder| holder.identity))
    }

    /// The running workstation if it speaks another protocol than this program.
    ///
    /// # Errors
    /// As [`Self::running`].
    pub(super) fn stranger(&self) -> Result<Option<Identity>, Report> {
        Ok(self.running()?.filter(|identity| identity.protocol != VERSION))
    }
}

/// A lock's trouble in words.
pub(super) fn lock_report(error: &LockError) -> Report {
    match error {
        LockError::Held(_) => Report::refused(error.to_string()).hint("`paralane down` ends it"),
        LockError::File { .. } => {
            Report::refused(error.to_string()).hint("check that the state directory belongs to you and has room")
        }
    }
}
