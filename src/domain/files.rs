//! What an agent's tools need of the files in a lane's worktree, as a trait that `sandbox` implements.
//!
//! Paths go in as the model wrote them and are resolved beneath the root at the moment of use.

use std::path::Path;

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link (only in listings: everywhere else links are followed).
    Link,
    /// A socket, pipe or device.
    Other,
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The name, not the path.
    pub name: String,
    /// What it is.
    pub kind: FileKind,
    /// Whether git ignores it.
    pub ignored: bool,
}

/// What a write expects to find, so that nothing is overwritten that nobody looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// No file.
    Absent,
    /// A file with exactly this content.
    Content(Vec<u8>),
}

/// Whether a walk goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walk {
    /// Go on.
    On,
    /// Enough.
    Stop,
}

/// Why a file could not be used, in words that a model or a person can act on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The path, or a link on its way, leads out of the worktree.
    #[error("`{path}` leads outside the worktree; only paths inside it can be used")]
    Outside {
        /// The path as asked.
        path: String,
    },
    /// Git's own files are not written.
    #[error("`{path}` belongs to git and is not writable; use git commands instead")]
    Protected {
        /// The path as asked.
        path: String,
    },
    /// Nothing is there.
    #[error("`{path}` does not exist; look at its directory with `list` or search with `glob`")]
    Missing {
        /// The path as asked.
        path: String,
    },
    /// A link whose target is not there.
    #[error("`{path}` is a link to something that does not exist; write to the real path instead")]
    Dangling {
        /// The path as asked.
        path: String,
    },
    /// It is a directory, a socket, a device.
    #[error("`{path}` is not a regular file")]
    NotAFile {
        /// The path as asked.
        path: String,
    },
    /// It is no directory.
    #[error("`{path}` is not a directory")]
    NotADirectory {
        /// The path as asked.
        path: String,
    },
    /// It is larger than the cap.
    #[error("`{path}` has {size} bytes, more than the {cap} that can be used at once")]
    TooLarge {
        /// The path as asked.
        path: String,
        /// Its size in bytes.
        size: u64,
        /// The cap in bytes.
        cap: u64,
    },
    /// The file is not what the writer expected any more.
    #[error("`{path}` has changed since it was looked at; read it again and repeat the change")]
    Changed {
        /// The path as asked.
        path: String,
    },
    /// The system refused.
    #[error("cannot {doing} `{path}`: {reason}")]
    System {
        /// What was being done: `read`, `write`, …
        doing: &'static str,
        /// The path as asked.
        path: String,
        /// The system's words.
        reason: String,
    },
}

/// The files beneath one directory. Calls block; run them off the event loop.
pub trait Files: Send + Sync {
    /// The directory everything stays in, absolute and without links.
    fn root(&self) -> &Path;

    /// Where a path really leads, relative to the root and without links; empty for the root.
    /// The last parts need not exist.
    ///
    /// # Errors
    /// When it leads outside.
    fn resolve(&self, path: &str) -> Result<String, FileError>;

    /// What stands at a path, links followed.
    ///
    /// # Errors
    /// When nothing is there or it leads outside.
    fn kind(&self, path: &str) -> Result<FileKind, FileError>;

    /// A whole file.
    ///
    /// # Errors
    /// When it cannot be read, leads outside or is too large.
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError>;

    /// Whether [`Files::write`] would refuse the path, before anybody is asked about it.
    ///
    /// # Errors
    /// When the path leads outside, belongs to git, or is no place for a file.
    fn check_writable(&self, path: &str) -> Result<(), FileError>;

    /// Replaces or creates a whole file at once: readers see the old or the new content, never a mix.
    /// Missing directories are made.
    ///
    /// # Errors
    /// When what stands there is not what was expected, or the path is not writable.
    fn write(&self, path: &str, content: &[u8], expect: &Expect) -> Result<(), FileError>;

    /// Removes a file.
    ///
    /// # Errors
    /// When it does not hold `expected` any more, or the path is not writable.
    fn remove(&self, path: &str, expected: &[u8]) -> Result<(), FileError>;

    /// The names in a directory, sorted.
    ///
    /// # Errors
    /// When it is no directory or leads outside.
    fn list(&self, path: &str) -> Result<Vec<Listed>, FileError>;

    /// Visits the files beneath a path in order of name, without what git ignores and without git's
    /// own. Links are not followed. Paths are relative to the root.
    ///
    /// # Errors
    /// When the path leads outside or does not exist.
    fn walk(&self, path: &str, visit: &mut dyn FnMut(&str) -> Walk) -> Result<(), FileError>;
}
