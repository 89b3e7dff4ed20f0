//! The files of one worktree: the door of this room.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, fchmod, fstat, fsync, mkdirat, openat, renameat, unlinkat,
};
use rustix::io::Errno;

use super::open::{PLACE, beneath};
use super::resolve::{Resolved, belongs_to_git, resolve};
use super::{FILE_CAP, walk};
use crate::domain::{Expect, FileError, FileKind, Files, Listed, Walk};

/// The longest path that a program may name (`PATH_MAX`, with room for a temporary name). Opening part by part goes
/// deeper, but then neither git nor a shell could reach or remove what was written.
const LONGEST: usize = 4000;

/// Makes names of temporary files unique within this process.
static TEMPORARY: AtomicU64 = AtomicU64::new(0);

/// File access that stays beneath one directory.
#[derive(Debug)]
pub struct WorktreeFiles {
    root: OwnedFd,
    path: PathBuf,
    asked: PathBuf,
}

/// The system's words for an error.
pub(super) fn words(error: Errno) -> String {
    std::io::Error::from(error).to_string()
}

fn system(doing: &'static str, path: &str) -> impl Fn(Errno) -> FileError {
    move |error| match error {
        // A link was put where a plain file or directory stood when the path was resolved.
        Errno::LOOP | Errno::XDEV => FileError::Changed { path: path.to_owned() },
        Errno::NOENT => FileError::Missing { path: path.to_owned() },
        Errno::NOTDIR => FileError::NotADirectory { path: path.to_owned() },
        error => FileError::System { doing, path: path.to_owned(), reason: words(error) },
    }
}

impl WorktreeFiles {
    /// Access to what is beneath `root`.
    ///
    /// # Errors
    /// When there is no such directory.
    pub fn open(root: &Path) -> Result<Self, FileError> {
        let shown = root.display().to_string();
        if root.symlink_metadata().is_ok_and(|meta| meta.file_type().is_symlink()) {
            // Nobody makes a worktree that is a link: it was put there, and would lead everything elsewhere.
            let reason = "a symbolic link stands in its place; move it away".to_owned();
            return Err(FileError::System { doing: "open the worktree", path: shown, reason });
        }
        let path = root.canonicalize().map_err(|error| FileError::System {
            doing: "open the worktree",
            path: shown.clone(),
            reason: error.to_string(),
        })?;
        let fd =
            openat(CWD, &path, PLACE | OFlags::CLOEXEC, Mode::empty()).map_err(system("open the worktree", &shown))?;
        Ok(Self { root: fd, path, asked: root.to_path_buf() })
    }

    fn find(&self, path: &str) -> Result<Resolved, FileError> {
        resolve(self.root.as_fd(), &[&self.path, &self.asked], path)
    }

    /// Resolves a path that must exist.
    fn existing(&self, path: &str) -> Result<(Resolved, FileType), FileError> {
        let resolved = self.find(path)?;
        match resolved.found {
            Some(kind) => Ok((resolved, kind)),
            None if resolved.dangling => Err(FileError::Dangling { path: path.to_owned() }),
            None => Err(FileError::Missing { path: path.to_owned() }),
        }
    }

    /// Resolves a path that a file may be written to.
    fn writable(&self, path: &str) -> Result<Resolved, FileError> {
        let resolved = self.find(path)?;
        if self.path.as_os_str().len() + resolved.path.len() >= LONGEST {
            return Err(system("write", path)(Errno::NAMETOOLONG));
        }
        if belongs_to_git(&resolved.path) {
            return Err(FileError::Protected { path: path.to_owned() });
        }
        if resolved.dangling {
            return Err(FileError::Dangling { path: path.to_owned() });
        }
        match resolved.found {
            None if !path.ends_with('/') => Ok(resolved),
            Some(FileType::RegularFile) => Ok(resolved),
            _ => Err(FileError::NotAFile { path: path.to_owned() }),
        }
    }

    /// Content and permission bits of a regular file at a resolved path.
    fn read_resolved(&self, resolved: &str, asked: &str) -> Result<(Vec<u8>, Mode), FileError> {
        let fail = system("read", asked);
        // NONBLOCK: opening a pipe that somebody put there must not hang.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
        let fd = beneath(self.root.as_fd(), resolved, flags).map_err(&fail)?;
        let stat = fstat(&fd).map_err(&fail)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(FileError::NotAFile { path: asked.to_owned() });
        }
        let mode = Mode::from_raw_mode(stat.st_mode) & (Mode::RWXU | Mode::RWXG | Mode::RWXO);
        let size = u64::try_from(stat.st_size).unwrap_or(0);
        let mut content = Vec::new();
        if size <= FILE_CAP {
            File::from(fd).take(FILE_CAP + 1).read_to_end(&mut content).map_err(|error| FileError::System {
                doing: "read",
                path: asked.to_owned(),
                reason: error.to_string(),
            })?;
        }
        let size = size.max(content.len() as u64);
        if size > FILE_CAP {
            return Err(FileError::TooLarge { path: asked.to_owned(), size, cap: FILE_CAP });
        }
        Ok((content, mode))
    }

    /// The directory a resolved path is in, made if it is missing.
    fn parent(&self, resolved: &str, asked: &str) -> Result<OwnedFd, FileError> {
        let fail = system("make the directory of", asked);
        let Some((parent, _)) = resolved.rsplit_once('/') else {
            return beneath(self.root.as_fd(), "", PLACE).map_err(fail);
        };
        let mut here = beneath(self.root.as_fd(), "", PLACE).map_err(&fail)?;
        for part in parent.split('/') {
            here = match beneath(here.as_fd(), part, PLACE) {
                Err(Errno::NOENT) => {
                    match mkdirat(&here, part, Mode::RWXU | Mode::RWXG | Mode::RWXO) {
                        Ok(()) | Err(Errno::EXIST) => {}
                        Err(error) => return Err(fail(error)),
                    }
                    beneath(here.as_fd(), part, PLACE).map_err(&fail)?
                }
                other => other.map_err(&fail)?,
            };
        }
        Ok(here)
    }
}

/// Writes a temporary file beside `name` and renames it over it.
fn replace(parent: &OwnedFd, name: &str, content: &[u8], mode: Option<Mode>) -> rustix::io::Result<()> {
    let number = TEMPORARY.fetch_add(1, Ordering::Relaxed);
    let temporary = format!(".paralane-{}-{number}.tmp", std::process::id());
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    // What the umask leaves of rw-rw-rw-, as any program makes files.
    let fresh = Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::WGRP | Mode::ROTH | Mode::WOTH;
    let fd = openat(parent, &temporary, flags, fresh)?;
    let fill = || -> rustix::io::Result<()> {
        if let Some(mode) = mode {
            fchmod(&fd, mode)?;
        }
        let mut file = File::from(fd);
        file.write_all(content).map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
        fsync(&file)?;
        renameat(parent, &temporary, parent, name)
    };
    fill().inspect_err(|_| {
        // The write's own error is the one to tell; a left-over temporary file is only untidy.
        let _ = unlinkat(parent, &temporary, AtFlags::empty());
    })
}

impl Files for WorktreeFiles {
    fn root(&self) -> &Path {
        &self.path
    }

    fn resolve(&self, path: &str) -> Result<String, FileError> {
        Ok(self.find(path)?.path)
    }

    fn kind(&self, path: &str) -> Result<FileKind, FileError> {
        Ok(kind_of(self.existing(path)?.1))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let (resolved, kind) = self.existing(path)?;
        if kind != FileType::RegularFile {
            return Err(FileError::NotAFile { path: path.to_owned() });
        }
        Ok(self.read_resolved(&resolved.path, path)?.0)
    }

    fn check_writable(&self, path: &str) -> Result<(), FileError> {
        self.writable(path).map(|_| ())
    }

    fn write(&self, path: &str, content: &[u8], expect: &Expect) -> Result<(), FileError> {
        let resolved = self.writable(path)?;
        let size = content.len() as u64;
        if size > FILE_CAP {
            return Err(FileError::TooLarge { path: path.to_owned(), size, cap: FILE_CAP });
        }
        let mode = match (expect, resolved.found) {
            (Expect::Absent, None) => None,
            (Expect::Content(expected), Some(_)) => {
                let (found, mode) = self.read_resolved(&resolved.path, path)?;
                if found != *expected {
                    return Err(FileError::Changed { path: path.to_owned() });
                }
                Some(mode)
            }
            _ => return Err(FileError::Changed { path: path.to_owned() }),
        };
        let parent = self.parent(&resolved.path, path)?;
        let name = resolved.path.rsplit('/').next().unwrap_or(&resolved.path);
        replace(&parent, name, content, mode).map_err(system("write", path))
    }

    fn remove(&self, path: &str, expected: &[u8]) -> Result<(), FileError> {
        let resolved = self.writable(path)?;
        if resolved.found.is_none() {
            return Err(FileError::Missing { path: path.to_owned() });
        }
        if self.read_resolved(&resolved.path, path)?.0 != expected {
            return Err(FileError::Changed { path: path.to_owned() });
        }
        let parent = self.parent(&resolved.path, path)?;
        let name = resolved.path.rsplit('/').next().unwrap_or(&resolved.path);
        unlinkat(&parent, name, AtFlags::empty()).map_err(system("remove", path))
    }

    fn list(&self, path: &str) -> Result<Vec<Listed>, FileError> {
        let fail = system("list", path);
        let (resolved, kind) = self.existing(path)?;
        if kind != FileType::Directory {
            return Err(FileError::NotADirectory { path: path.to_owned() });
        }
        let fd = beneath(self.root.as_fd(), &resolved.path, OFlags::RDONLY | OFlags::DIRECTORY).map_err(&fail)?;
        let seen = walk::names(&self.path, &resolved.path);
        let mut names = Vec::new();
        for entry in Dir::new(fd).map_err(&fail)? {
            let entry = entry.map_err(&fail)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name != "." && name != ".." {
                let ignored = !seen.contains(&name) && !name.eq_ignore_ascii_case(".git");
                names.push(Listed { name, kind: kind_of(entry.file_type()), ignored });
            }
        }
        names.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(names)
    }

    fn walk(&self, path: &str, visit: &mut dyn FnMut(&str) -> Walk) -> Result<(), FileError> {
        let (resolved, _) = self.existing(path)?;
        walk::walk(&self.path, &resolved.path, visit);
        Ok(())
    }
}

fn kind_of(kind: FileType) -> FileKind {
    match kind {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Directory,
        FileType::Symlink => FileKind::Link,
        _ => FileKind::Other,
    }
}
