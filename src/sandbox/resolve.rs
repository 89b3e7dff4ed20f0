//! Finds where a path really leads: links followed one part at a time, never past the root.

use std::collections::VecDeque;
use std::os::fd::BorrowedFd;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, readlinkat, statat};
use rustix::io::Errno;

use super::open::{PLACE, beneath};
use crate::domain::FileError;

/// As many links as Linux follows before it calls them a loop.
const MAX_LINKS: usize = 40;

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Resolved {
    /// Relative to the root, without links and `..`; empty for the root.
    pub path: String,
    /// What stands there; `None` when nothing does.
    pub found: Option<FileType>,
    /// Whether a link on the way leads to something that does not exist.
    pub dangling: bool,
}

/// One part still to go.
struct Part {
    name: String,
    from_link: bool,
}

/// Follows `asked` beneath `root`. `roots` are the names under which the root may appear in absolute paths.
pub(super) fn resolve(root: BorrowedFd<'_>, roots: &[&Path], asked: &str) -> Result<Resolved, FileError> {
    let outside = || FileError::Outside { path: asked.to_owned() };
    let system = |error: Errno| FileError::System {
        doing: "look at",
        path: asked.to_owned(),
        reason: super::worktree::words(error),
    };
    if asked.contains('\0') {
        return Err(system(Errno::INVAL));
    }
    // Who writes that means the home directory, as shells do; `./~` is a file of this name.
    if asked == "~" || asked.starts_with("~/") {
        return Err(outside());
    }
    let mut todo = VecDeque::new();
    push_front(&mut todo, beneath_root(roots, asked).ok_or_else(outside)?, false);
    let mut done: Vec<String> = Vec::new();
    let mut found = Some(FileType::Directory);
    let mut dangling = false;
    let mut links = 0;
    while let Some(part) = todo.pop_front() {
        match part.name.as_str() {
            "" | "." => continue,
            ".." => {
                // A part that does not exist has no `..`; to let it pass lexically would make two
                // names for one file.
                if found.is_none() {
                    return Err(FileError::Missing { path: asked.to_owned() });
                }
                done.pop().ok_or_else(outside)?;
                found = Some(FileType::Directory);
                continue;
            }
            _ => {}
        }
        match found {
            None => {
                done.push(part.name);
                continue;
            }
            Some(FileType::Directory) => {}
            Some(_) => return Err(FileError::NotADirectory { path: done.join("/") }),
        }
        let place = beneath(root, &done.join("/"), PLACE).map_err(system)?;
        match statat(&place, part.name.as_str(), AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => {
                dangling |= part.from_link;
                found = None;
                done.push(part.name);
            }
            Err(error) => return Err(system(error)),
            Ok(stat) => match FileType::from_raw_mode(stat.st_mode) {
                FileType::Symlink => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(system(Errno::LOOP));
                    }
                    let target = readlinkat(&place, part.name.as_str(), Vec::new()).map_err(system)?;
                    let target = target.to_str().map_err(|_| system(Errno::ILSEQ))?;
                    if target.starts_with('/') {
                        done.clear();
                    }
                    push_front(&mut todo, beneath_root(roots, target).ok_or_else(outside)?, true);
                }
                kind => {
                    found = Some(kind);
                    done.push(part.name);
                }
            },
        }
    }
    Ok(Resolved { path: done.join("/"), found, dangling })
}

/// An absolute path as one relative to the root; relative ones stay.
fn beneath_root<'a>(roots: &[&Path], path: &'a str) -> Option<&'a str> {
    if !path.starts_with('/') {
        return Some(path);
    }
    roots.iter().find_map(|root| Path::new(path).strip_prefix(root).ok()).and_then(Path::to_str)
}

fn push_front(todo: &mut VecDeque<Part>, path: &str, from_link: bool) {
    for name in path.split('/').rev() {
        todo.push_front(Part { name: name.to_owned(), from_link });
    }
}

/// Whether a resolved path is git's own. Compared without case, for file systems without it.
pub(super) fn belongs_to_git(path: &str) -> bool {
    path.split('/').any(|part| part.eq_ignore_ascii_case(".git"))
}
