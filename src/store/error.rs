//! What can go wrong in the store, in words a person can act on.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use rusqlite::ffi::{SQLITE_CONSTRAINT_UNIQUE, SQLITE_IOERR_SHMSIZE};

/// The store could not do what was asked. Whatever failed left no trace.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the message of each variant says what its fields mean")]
pub enum StoreError {
    /// The database has a schema of a later program.
    #[error(
        "cannot use the store `{path}`: it has schema {found}, written by a newer Paralane, and this one knows schemas \
         up to {known}; install the newer version again, or move the file aside to start empty; nothing was changed"
    )]
    Newer { path: PathBuf, found: i64, known: i64 },
    /// A database, but of another program.
    #[error(
        "cannot use the store `{path}`: it is a database of another program; move it aside or choose another state \
         directory; nothing was changed"
    )]
    Foreign { path: PathBuf },
    /// Not a database, or one with broken pages or unreadable rows.
    #[error(
        "cannot use the store `{path}`: the file is damaged ({detail}); move it aside together with its `-wal` and \
         `-shm` files to start empty, or put a backup in its place; nothing was changed"
    )]
    Damaged { path: PathBuf, detail: String },
    /// No room left.
    #[error(
        "cannot {doing} the store: the disk is full, so `{path}` cannot grow; free space and try again; nothing was \
         changed"
    )]
    DiskFull { path: PathBuf, doing: &'static str },
    /// The file or its file system cannot be written.
    #[error(
        "cannot {doing} the store: `{path}` is read-only; make the file and its directory writable and try again; \
         nothing was changed"
    )]
    ReadOnly { path: PathBuf, doing: &'static str },
    /// Another process holds it for too long.
    #[error(
        "cannot {doing} the store: another process holds `{path}`; end that process or try again; nothing was changed"
    )]
    Busy { path: PathBuf, doing: &'static str },
    /// The file system cannot share memory between the writer and readers.
    #[error(
        "cannot open the store `{path}`: its file system does not allow a write-ahead log; put the state directory on \
         a local disk"
    )]
    NoWal { path: PathBuf },
    /// The file that is written to is no longer the one that the next start would find.
    #[error(
        "cannot write to the store: `{path}` was removed or replaced while it is in use; put it back, or end this \
         workstation and start again; nothing was changed"
    )]
    Gone { path: PathBuf },
    /// A file operation failed.
    #[error("cannot {doing} `{path}`: {source}; check that the path exists and that you may read and write it")]
    File { doing: &'static str, path: PathBuf, source: std::io::Error },
    /// A second prompt with an idempotency key that is taken.
    #[error("cannot store the prompt: another one has the key `{key}` already; nothing was changed")]
    DuplicateKey { key: String },
    /// A second lane with a name that is taken.
    #[error("cannot store the lane: another one that is not closed is called `{name}` already; nothing was changed")]
    NameTaken { name: String },
    /// What was decided before it was not kept.
    #[error(
        "cannot store this: it was decided on top of something that could not be kept; try again; nothing was changed"
    )]
    Unfounded,
    /// A change to something that the store does not have.
    #[error("cannot change {what} `{id}`: it is not in the store; nothing was changed")]
    Unknown { what: &'static str, id: String },
    /// A change that contradicts what is stored.
    #[error("cannot store a change: it does not fit what is stored ({detail}); nothing was changed")]
    Misfit { detail: String },
    /// Anything else that SQLite reports.
    #[error("cannot {doing} the store `{path}`: {source}; try again, and restart Paralane if it persists")]
    Sql { doing: &'static str, path: PathBuf, source: rusqlite::Error },
}

/// A failure inside the store, before it is known which file it concerns.
#[derive(Debug)]
pub(super) enum Fault {
    /// SQLite or a value's form.
    Sql(rusqlite::Error),
    /// A rule of ours; already in words.
    Rule(StoreError),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl Fault {
    /// Whether a column that must be unique would not be.
    pub(super) fn is_duplicate(&self) -> bool {
        matches!(self, Self::Sql(error) if error.sqlite_error().is_some_and(|e| e.extended_code == SQLITE_CONSTRAINT_UNIQUE))
    }

    /// Puts the failure in words: what was being done, on which file, what to do next.
    pub(super) fn on(self, path: &Path, doing: &'static str) -> StoreError {
        let error = match self {
            Self::Rule(error) => return error,
            Self::Sql(error) => error,
        };
        let path = path.to_owned();
        if let rusqlite::Error::ToSqlConversionFailure(_) = error {
            return StoreError::Misfit { detail: error.to_string() };
        }
        let Some(cause) = error.sqlite_error() else {
            // Only a row that does not read back ends here: SQL and columns are ours and tested.
            return StoreError::Damaged { path, detail: error.to_string() };
        };
        match cause.code {
            // The shared index of the log is the first thing that finds no room on a full disk.
            _ if cause.extended_code == SQLITE_IOERR_SHMSIZE => StoreError::DiskFull { path, doing },
            ErrorCode::DiskFull => StoreError::DiskFull { path, doing },
            ErrorCode::ReadOnly => StoreError::ReadOnly { path, doing },
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Busy { path, doing },
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
                StoreError::Damaged { path, detail: error.to_string() }
            }
            ErrorCode::ConstraintViolation => StoreError::Misfit { detail: error.to_string() },
            _ => StoreError::Sql { doing, path, source: error },
        }
    }
}
