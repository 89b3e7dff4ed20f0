//! Finds the directories of a worktree that are worth watching: all but git's own and what git ignores.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use ignore::{IncrementalIgnore, WalkBuilder};

/// Walks all directories of a worktree, by the ignore rules of git. Each is told before it is read: what appears in it after
/// that is either met or watched.
pub(super) fn directories<B>(root: &Path, mut met: impl FnMut(&Path) -> ControlFlow<B>) -> ControlFlow<B> {
    let mut builder = rules(root);
    builder.filter_entry(|entry| entry.file_name() != ".git" && entry.file_type().is_some_and(|kind| kind.is_dir()));
    for entry in builder.build().flatten() {
        met(entry.path())?;
    }
    ControlFlow::Continue(())
}

/// What was met below a new directory.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found<'a> {
    /// A directory, told before it is read.
    Directory(&'a Path),
    /// Anything else.
    File(&'a Path),
}

/// Judges single paths of a worktree, for directories that appear.
pub(super) struct Judge(IncrementalIgnore);

impl Judge {
    /// A judge that reads rules as it needs them and remembers them; made anew now and then.
    pub(super) fn new(root: &Path) -> Option<Self> {
        rules(root).build_matchers().pop().map(Self)
    }

    /// Walks a new directory below the root. If git ignores it, nothing is met.
    pub(super) fn walk<B>(&mut self, from: &Path, mut met: impl FnMut(Found<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut left = if self.counts(from, true) { vec![from.to_owned()] } else { Vec::new() };
        while let Some(directory) = left.pop() {
            met(Found::Directory(&directory))?;
            for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
                let path = entry.path();
                let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if !self.counts(&path, is_directory) {
                    continue;
                }
                if is_directory {
                    left.push(path);
                } else {
                    met(Found::File(&path))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn counts(&mut self, path: &Path, is_directory: bool) -> bool {
        let Ok(relative) = path.strip_prefix(self.0.root()) else { return false };
        path.file_name().is_some_and(|name| name != ".git") && !self.0.matched(relative, is_directory).is_ignore()
    }
}

fn rules(root: &Path) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder.hidden(false).ignore(false).follow_links(false);
    builder
}
