//! What can go wrong with a repository, in words a person can act on.

use std::path::{Path, PathBuf};

use super::losses::Losses;
use crate::base::{Kind, Report};

/// Why something with a repository was refused or failed. Text from git stays raw: whoever draws it escapes it.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// No repository here or above.
    #[error("`{}` is not in a git repository; run `git init` there, or name one with `--repo DIR`", dir.display())]
    NotARepository {
        /// Where was looked.
        dir: PathBuf,
    },
    /// A repository without files of its own.
    #[error(
        "the repository `{}` is bare: it has no checkout that lanes could start from; \
         clone it and work in the clone", dir.display()
    )]
    Bare {
        /// The repository.
        dir: PathBuf,
    },
    /// A worktree whose base checkout cannot be found.
    #[error("`{}` is a worktree, but its base checkout at `{}` cannot be found; run there again", dir.display(), base.display())]
    NoBaseCheckout {
        /// Where was looked.
        dir: PathBuf,
        /// Where the base checkout should be.
        base: PathBuf,
    },
    /// HEAD names a branch that does not exist yet.
    #[error(
        "the repository `{}` has no commits yet on `{branch}`; make a first commit, then start again: \
         `git commit --allow-empty -m \"Start\"`", root.display()
    )]
    NoCommits {
        /// The base checkout.
        root: PathBuf,
        /// The branch HEAD names.
        branch: String,
    },
    /// The repository belongs to another user.
    #[error(
        "the repository `{}` belongs to another user, and git refuses it; if you trust it, run \
         `git config --global --add safe.directory {}`", dir.display(), dir.display()
    )]
    OtherOwner {
        /// The repository.
        dir: PathBuf,
    },
    /// A base that names nothing.
    #[error("the base `{name}` is not a commit, branch or tag of this repository{}", did_you_mean(near))]
    UnknownBase {
        /// What was named.
        name: String,
        /// What was perhaps meant.
        near: Vec<String>,
    },
    /// A name that is no commit.
    #[error("`{name}` is not a commit, branch or tag of this repository; `git_log` shows commits")]
    UnknownCommit {
        /// What was named.
        name: String,
    },
    /// Nothing that a commit could take.
    #[error("there is nothing to commit{}: nothing differs from the last commit", within(paths))]
    NothingToCommit {
        /// The paths that were named; empty for all.
        paths: Vec<String>,
    },
    /// The lane's branch exists already and is not this lane's.
    #[error(
        "the branch `{branch}` exists already, at {}; choose another name for the lane, or delete the branch \
         with `git branch -d {branch}`",
        short(sha)
    )]
    BranchExists {
        /// The branch.
        branch: String,
        /// Its tip.
        sha: String,
    },
    /// A branch whose name is a folder of the lane's branch, or inside it.
    #[error(
        "the branch `{branch}` cannot be made while a branch `{by}` exists; rename it with `git branch -m {by} NEW`"
    )]
    BranchBlocked {
        /// The branch to make.
        branch: String,
        /// The one in the way.
        by: String,
    },
    /// Something stands where the worktree should go.
    #[error("`{}` exists already and is not this lane's worktree; move it away, or choose another name for the lane", dir.display())]
    DirectoryTaken {
        /// The directory.
        dir: PathBuf,
    },
    /// A directory that is not, or not any more, what the lane made.
    #[error("`{}` is left alone: {why}", dir.display())]
    NotOurs {
        /// The directory.
        dir: PathBuf,
        /// Why it is not touched, and what to do.
        why: String,
    },
    /// Nothing can be written to the repository.
    #[error("the repository cannot be written: `{}` is read-only for you; give yourself write access, or use a clone", path.display())]
    ReadOnly {
        /// What cannot be written.
        path: PathBuf,
    },
    /// Another git holds the index, or one died while holding it.
    #[error(
        "`{}` is locked by git since {}: if a git command is still running there, let it end; if not, it died: \
         remove the file and try again", path.display(), ago(*age)
    )]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// Its age in seconds.
        age: u64,
    },
    /// A checkpoint whose objects are gone, or that is none.
    #[error("the checkpoint `{commit}` is not in the repository any more; `rewind` without a number lists the others")]
    NoCheckpoint {
        /// Its commit.
        commit: String,
    },
    /// Files changed between the checkpoint that can undo a rewind and the rewind.
    #[error("files in `{}` change right now; end what writes there, then rewind again", dir.display())]
    Moving {
        /// The worktree.
        dir: PathBuf,
    },
    /// Removing would lose work.
    #[error("closing would lose work in `{}`:\n{losses}\ncommit, merge, move or discard it, then close again", dir.display())]
    WouldLose {
        /// The lane's directory.
        dir: PathBuf,
        /// What would be lost.
        losses: Box<Losses>,
    },
    /// A file that `copy` names may not be copied.
    #[error("`copy` names `{path}`, which is refused: {reason}; correct the list in the configuration")]
    CopyRefused {
        /// The path or pattern.
        path: String,
        /// Why.
        reason: String,
    },
    /// The operation was cancelled.
    #[error("{doing} was cancelled")]
    Cancelled {
        /// What was being done.
        doing: String,
    },
    /// The person's git is not there.
    #[error("`git` could not be started ({source}); install git, and see that it is in PATH")]
    NoGit {
        /// What the system said.
        source: std::io::Error,
    },
    /// Git could not be put behind the lane's walls.
    #[error("{doing} is not begun: hooks of the checkout only run in the sandbox, and {words}")]
    Unconfined {
        /// What was being done, on what.
        doing: String,
        /// Why, in words.
        words: String,
    },
    /// A commit that should be signed was not.
    #[error(
        "no commit was made, since it could not be signed (`commit.gpgsign` is set): {why}. Ask the person to {remedy}, to \
         commit, or to set `commit.gpgsign` to false in this repository and sign later"
    )]
    Unsigned {
        /// What went wrong.
        why: String,
        /// What would help.
        remedy: &'static str,
    },
    /// The person's git refused.
    #[error("{doing} failed: `git {command}` ended with {status}{}", quoted(stderr))]
    Git {
        /// What was being done, on what.
        doing: String,
        /// The subcommand.
        command: String,
        /// How it ended.
        status: String,
        /// What it said, hooks included, raw.
        stderr: String,
    },
    /// The library could not read the repository.
    #[error("{doing} failed: {}; `git fsck` may tell more", source.message())]
    Library {
        /// What was being done, on what.
        doing: String,
        /// What libgit2 said.
        source: git2::Error,
    },
    /// The system refused.
    #[error("{doing} failed at `{}`: {source}", path.display())]
    Io {
        /// What was being done.
        doing: String,
        /// On what.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl GitError {
    /// For `map_err` on libgit2's results.
    pub(super) fn library(doing: impl Into<String>) -> impl FnOnce(git2::Error) -> Self {
        let doing = doing.into();
        move |source| Self::Library { doing, source }
    }

    /// For `map_err` on the system's results.
    pub(super) fn io(doing: &str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { doing: doing.to_owned(), path: path.to_owned(), source }
    }

    /// The kind of trouble, for the exit status.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Library { .. } | Self::Io { .. } | Self::NoGit { .. } => Kind::Internal,
            _ => Kind::Refused,
        }
    }
}

impl From<GitError> for Report {
    fn from(error: GitError) -> Self {
        Self { kind: error.kind(), message: error.to_string(), hints: Vec::new() }
    }
}

/// The first seven digits of a commit's name.
pub(super) fn short(sha: &str) -> &str {
    sha.get(..7).unwrap_or(sha)
}

fn did_you_mean(near: &[String]) -> String {
    if near.is_empty() {
        return "; `git branch --all` lists the branches".to_owned();
    }
    let near: Vec<_> = near.iter().map(|name| format!("`{name}`")).collect();
    format!("; did you mean {}?", near.join(" or "))
}

fn within(paths: &[String]) -> String {
    if paths.is_empty() { String::new() } else { format!(" in `{}`", paths.join("`, `")) }
}

fn quoted(stderr: &str) -> String {
    let text = stderr.trim_end();
    if text.is_empty() { " and said nothing".to_owned() } else { format!(":\n{text}") }
}

fn ago(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}
