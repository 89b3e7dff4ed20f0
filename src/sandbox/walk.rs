//! Visits the files of a worktree without what git ignores.

use std::collections::HashSet;
use std::path::Path;

use ignore::WalkBuilder;

use crate::domain::Walk;

/// Visits the regular files beneath `under` (relative, resolved; empty for all).
///
/// The walk begins at the root, so that the ignore files above `under` count; it only enters
/// directories on the way there. What cannot be read is passed over.
pub(super) fn walk(root: &Path, under: &str, visit: &mut dyn FnMut(&str) -> Walk) {
    let entries = builder(root, under).sort_by_file_name(std::cmp::Ord::cmp).build();
    for entry in entries.flatten() {
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        let Some(path) = entry.path().strip_prefix(root).ok().and_then(Path::to_str) else { continue };
        if visit(path) == Walk::Stop {
            return;
        }
    }
}

/// The names of what stands directly in `under` (relative, resolved; empty for the root) and is not ignored.
pub(super) fn names(root: &Path, under: &str) -> HashSet<String> {
    let directory = root.join(under);
    let depth = Path::new(under).components().count() + 1;
    let entries = builder(root, under).max_depth(Some(depth)).build();
    let inside = entries.flatten().filter(|entry| entry.path().parent() == Some(&directory));
    inside.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

fn builder(root: &Path, under: &str) -> WalkBuilder {
    let wanted = Path::new(under).to_path_buf();
    let base = root.to_path_buf();
    let mut builder = WalkBuilder::new(root);
    builder.hidden(false).parents(false).require_git(false).follow_links(false).filter_entry(move |entry| {
        let relative = entry.path().strip_prefix(&base).unwrap_or(Path::new(""));
        !entry.file_name().eq_ignore_ascii_case(".git")
            && (relative.starts_with(&wanted) || wanted.starts_with(relative))
    });
    builder
}
