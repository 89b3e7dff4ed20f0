//! Finds the directories of a worktree that are worth watching: all but git's own and what git ignores.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

/// Whether the walk goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// On to the next.
    Next,
    /// No further.
    Stop,
}

/// What the walk met.
pub(super) enum Found<'a> {
    /// A directory, told before it is read: what appears in it after that is either met or watched.
    Directory(&'a Path),
    /// Anything else.
    File(&'a Path),
}

/// Walks `from`, a directory at or below `root`, by the ignore rules of git that hold there.
pub(super) fn walk(root: &Path, from: &Path, mut met: impl FnMut(Found<'_>) -> Step) {
    // The walk does not judge where it starts, and a new `target` must be judged: start one above and keep to the path.
    let start = if from == root { root } else { from.parent().unwrap_or(root) };
    let wanted: PathBuf = from.to_owned();
    let mut builder = WalkBuilder::new(start);
    builder.hidden(false).ignore(false).follow_links(false);
    builder.filter_entry(move |entry| {
        entry.file_name() != ".git" && (entry.path().starts_with(&wanted) || wanted.starts_with(entry.path()))
    });
    for entry in builder.build().flatten() {
        let path = entry.path();
        if !path.starts_with(from) {
            continue;
        }
        let directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        let found = if directory { Found::Directory(path) } else { Found::File(path) };
        if met(found) == Step::Stop {
            return;
        }
    }
}
