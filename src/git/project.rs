//! The project: one repository, seen from its base checkout.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use git2::{ErrorCode, Repository, RepositoryOpenFlags};

use super::env::GitEnv;
use super::error::GitError;
use super::run::Git;
use super::{hooks, names};
use crate::domain::{BaseRef, Place};

/// One repository under one workstation. Plain paths: every use opens the repository anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    root: PathBuf,
    common_dir: PathBuf,
    env: GitEnv,
}

impl Project {
    /// The project that `dir` lies in. Inside a linked worktree it is the one of the base checkout.
    ///
    /// # Errors
    /// Not a repository, a bare one, one without commits, or one that cannot be read.
    pub fn find(dir: &Path) -> Result<Self, GitError> {
        Self::find_with(dir, GitEnv::inherited())
    }

    /// The same, with another environment for the git that this project will run.
    ///
    /// # Errors
    /// As [`Self::find`].
    pub fn find_with(dir: &Path, env: GitEnv) -> Result<Self, GitError> {
        Self::locate(dir, env).map(|(project, _)| project)
    }

    /// The same, with what is checked out in the base checkout now.
    ///
    /// # Errors
    /// As [`Self::find`].
    pub fn locate(dir: &Path, env: GitEnv) -> Result<(Self, BaseRef), GitError> {
        let found = discover(dir)?;
        let common_dir = names::real(found.commondir());
        let root = match found.workdir() {
            Some(workdir) if !found.is_worktree() => names::real(workdir),
            _ if !found.is_worktree() => return Err(GitError::Bare { dir: common_dir }),
            _ => base_checkout(dir, &common_dir)?,
        };
        let project = Self { root, common_dir, env };
        // Opening a repository takes longer than all that is asked of it.
        let head = if found.is_worktree() { project.head()? } else { project.head_in(&found)? };
        Ok((project, head))
    }

    /// A project that is known.
    #[cfg(test)]
    pub(super) fn of(root: &Path, common_dir: &Path, env: GitEnv) -> Self {
        Self { root: root.to_owned(), common_dir: common_dir.to_owned(), env }
    }

    /// The same project with another environment for the git that it will run.
    #[must_use]
    pub fn with_env(self, env: GitEnv) -> Self {
        Self { env, ..self }
    }

    /// The base checkout's directory, without links.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The repository's own directory, shared by all worktrees (`.git` of the base checkout).
    #[must_use]
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// What is checked out in the base checkout now: its branch, or `HEAD` when detached, and the commit.
    ///
    /// # Errors
    /// No commits yet, or unreadable.
    pub fn head(&self) -> Result<BaseRef, GitError> {
        self.head_in(&self.open()?)
    }

    fn head_in(&self, repo: &Repository) -> Result<BaseRef, GitError> {
        let head = match repo.head() {
            Ok(head) => head,
            Err(error) if matches!(error.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => {
                return Err(GitError::NoCommits { root: self.root.clone(), branch: unborn(repo) });
            }
            Err(error) => return Err(self.reading_head()(error)),
        };
        let commit = head.peel_to_commit().map_err(self.reading_head())?;
        let name = if head.is_branch() { names::text(head.shorthand_bytes()) } else { "HEAD".to_owned() };
        Ok(BaseRef { name, sha: commit.id().to_string() })
    }

    /// The place of a lane that works in the base checkout itself.
    ///
    /// # Errors
    /// As [`Self::head`].
    pub fn here(&self) -> Result<Place, GitError> {
        Ok(Place { directory: self.root.clone(), branch: None, base: self.head()? })
    }

    /// Opens the repository through its base checkout.
    pub(super) fn open(&self) -> Result<Repository, GitError> {
        open(&self.root).map_err(|error| described(error, &self.root))
    }

    /// Opens a lane's directory. None if it is gone or holds no git; an error if it is another repository's.
    pub(super) fn open_place(&self, place: &Place) -> Result<Option<Repository>, GitError> {
        let dir = &place.directory;
        let repo = match open(dir) {
            Ok(repo) => repo,
            Err(error) if error.code() == ErrorCode::NotFound => return Ok(None),
            Err(_) if !names::exists(&dir.join(".git")) => return Ok(None),
            Err(error) => return Err(described(error, dir)),
        };
        if names::real(repo.commondir()) != self.common_dir {
            let why = "another repository stands there; move it away, or restore the lane's worktree".to_owned();
            return Err(GitError::NotOurs { dir: dir.clone(), why });
        }
        Ok(Some(repo))
    }

    /// Checks that a lane's directory is a checkout of this very repository, so that nothing runs where git
    /// would find another one further up.
    ///
    /// # Errors
    /// When nothing stands there, or something else does.
    pub fn stands(&self, place: &Place) -> Result<(), GitError> {
        // The base checkout is what every worktree is measured by.
        if place.is_here() && names::exists(&place.directory.join(".git")) {
            return Ok(());
        }
        self.standing(place).map(drop)
    }

    /// Opens a place that stands, see [`Self::stands`].
    pub(super) fn standing(&self, place: &Place) -> Result<Repository, GitError> {
        if let Some(repo) = self.open_place(place)? {
            return Ok(repo);
        }
        let why = "no worktree stands there any more; `lane restart` makes it again".to_owned();
        Err(GitError::NotOurs { dir: place.directory.clone(), why })
    }

    /// A git that works on `dir`, which runs no hook that stands in a checkout; `doing` says in errors what it was for.
    pub(super) fn git<'a>(&'a self, dir: &'a Path, doing: impl Into<String>) -> Git<'a> {
        let git = Git::new(&self.env, dir, doing);
        if hooks::in_checkout(self, dir).is_some() { git.without_hooks() } else { git }
    }

    fn reading_head(&self) -> impl FnOnce(git2::Error) -> GitError {
        GitError::library(format!("reading HEAD of `{}`", self.root.display()))
    }
}

/// Opens exactly this directory, never one above it and nothing that the environment names.
pub(super) fn open(dir: &Path) -> Result<Repository, git2::Error> {
    allow_partial_clones();
    Repository::open_ext(dir, RepositoryOpenFlags::NO_SEARCH, std::iter::empty::<&Path>())
}

fn discover(dir: &Path) -> Result<Repository, GitError> {
    allow_partial_clones();
    Repository::open_ext(dir, RepositoryOpenFlags::empty(), std::iter::empty::<&Path>())
        .map_err(|error| described(error, dir))
}

/// libgit2 refuses repositories with extensions that it does not know. A partial clone is legal and common,
/// and what we read (index, trees, commits) is there.
fn allow_partial_clones() {
    static ONCE: OnceLock<()> = OnceLock::new();
    #[allow(unsafe_code, reason = "a global option of libgit2")]
    ONCE.get_or_init(|| {
        // SAFETY: libgit2 keeps the list in a static. `OnceLock` lets one thread write it, and every opening
        // of a repository, the only reader, waits here for that.
        if let Err(error) = unsafe { git2::opts::set_extensions(&["partialclone"]) } {
            // Then partial clones are refused with libgit2's own words; nothing else depends on it.
            drop(error);
        }
    });
}

fn described(error: git2::Error, dir: &Path) -> GitError {
    match error.code() {
        ErrorCode::NotFound => GitError::NotARepository { dir: dir.to_owned() },
        ErrorCode::Owner => GitError::OtherOwner { dir: dir.to_owned() },
        _ => GitError::library(format!("opening the repository `{}`", dir.display()))(error),
    }
}

fn base_checkout(dir: &Path, common_dir: &Path) -> Result<PathBuf, GitError> {
    let base = open(common_dir).map_err(|error| described(error, common_dir))?;
    let Some(workdir) = base.workdir() else { return Err(GitError::Bare { dir: common_dir.to_owned() }) };
    let root = names::real(workdir);
    // A repository whose `.git` lies elsewhere does not tell where its checkout is.
    let right = open(&root).is_ok_and(|repo| names::real(repo.path()) == common_dir);
    if right { Ok(root) } else { Err(GitError::NoBaseCheckout { dir: dir.to_owned(), base: root }) }
}

fn unborn(repo: &Repository) -> String {
    let head = repo.find_reference("HEAD").ok();
    let target = head.as_ref().and_then(|head| head.symbolic_target_bytes());
    target.map_or_else(|| "HEAD".to_owned(), |name| names::text(name.strip_prefix(b"refs/heads/").unwrap_or(name)))
}
