//! Git: repositories, worktrees, branches, and what closing a lane would lose.
//!
//! Reading goes through libgit2 with explicit paths, so no `GIT_DIR` of the environment counts. What changes
//! a repository, and what needs the person's hooks and filters, goes through the person's own `git`, started
//! without any `GIT_*` variable, without a terminal and without prompts. Hooks that stand in a checkout are not the
//! person's: they run behind the lane's walls or not at all. Every function blocks; callers put
//! it on a blocking thread. Nothing here is removed on a guess: before a worktree, a branch or a file goes, it
//! is proved to be the lane's own and to hold nothing that is not elsewhere too.
//!
//! A lane's life here: [`plan`] → [`ensure_worktree`] → [`copy_into`] → [`facts`] whenever something changed → [`losses`] → [`close_worktree`] → [`restore_worktree`]. Its agent asks through [`ask`].

mod aliases;
mod ask;
mod cancel;
mod checkpoint;
mod close;
mod co_changes;
mod copy;
mod diff;
mod disk;
mod env;
mod error;
mod facts;
mod hooks;
mod last;
mod lock;
mod look;
mod losses;
mod names;
mod needs;
mod new_commits;
mod plan;
mod project;
mod registry;
mod repair;
mod rewind;
mod run;
mod since;
mod stage;
mod status;
#[cfg(test)]
mod tests;
mod worktree;

pub use aliases::aliases;
pub use ask::ask;
pub use cancel::Cancel;
pub use checkpoint::{Subject, forget_checkpoints, forget_lane};
pub use close::{Closed, close_worktree};
pub use co_changes::BaseHistory;
pub use copy::{Copied, copy_into};
pub use diff::diff;
pub use disk::disk_use;
pub use env::{GitEnv, is_git_variable};
pub use error::GitError;
pub use facts::{GitPaths, facts, git_paths};
pub use last::Checkpoints;
pub use look::{head_of, origin_of};
pub use losses::{Losses, Named, losses};
pub use needs::{Needs, needs};
pub use new_commits::{CommitWords, NewCommits};
pub use plan::plan;
pub use project::Project;
pub use rewind::{Rewound, begin_with, rewind};
pub use since::written_since;
pub use worktree::{Made, ensure_worktree, restore_worktree};

/// Paths and commits are listed up to this many; a person reads a screen, not a dump.
pub(crate) const LIST_CAP: usize = 2_000;
/// Changed paths of a lane are known up to this many: preflight compares them, and what it does not know it cannot see.
pub(crate) const CHANGED_CAP: usize = 20_000;
