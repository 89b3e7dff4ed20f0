//! Opens plain relative paths beneath a root; a link anywhere on the way is an error.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{Mode, OFlags, openat};
use rustix::io::{Errno, Result};

/// Flags for a directory that is only a place to stand on.
#[cfg(target_os = "linux")]
pub(super) const PLACE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY);
/// Flags for a directory that is only a place to stand on.
#[cfg(not(target_os = "linux"))]
pub(super) const PLACE: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

/// Opens `path`, which has neither links nor `..` in it; an empty one is the root itself.
pub(super) fn beneath(root: BorrowedFd<'_>, path: &str, flags: OFlags) -> Result<OwnedFd> {
    let path = if path.is_empty() { "." } else { path };
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{ResolveFlags, openat2};
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_SYMLINKS;
        // The kernel gives up with AGAIN when something on the way is renamed meanwhile.
        for _ in 0..8 {
            match openat2(root, path, flags | OFlags::CLOEXEC, Mode::empty(), resolve) {
                Err(Errno::AGAIN) => {}
                // Old kernels do not have it; some containers' filters answer PERM instead.
                Err(Errno::NOSYS | Errno::PERM) => return part_by_part(root, path, flags),
                other => return other,
            }
        }
        Err(Errno::AGAIN)
    }
    #[cfg(not(target_os = "linux"))]
    part_by_part(root, path, flags)
}

/// The same without the kernel's help: one part at a time, never through a link.
pub(super) fn part_by_part(root: BorrowedFd<'_>, path: &str, flags: OFlags) -> Result<OwnedFd> {
    let mut here: Option<OwnedFd> = None;
    let mut parts = path.split('/').peekable();
    while let Some(part) = parts.next() {
        if part == ".." {
            return Err(Errno::XDEV);
        }
        let how = if parts.peek().is_some() { PLACE } else { flags };
        let from = here.as_ref().map_or(root, AsFd::as_fd);
        here = Some(openat(from, part, how | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?);
    }
    here.ok_or(Errno::NOENT)
}
