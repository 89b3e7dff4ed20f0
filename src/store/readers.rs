//! Connections that only read, beside the writer in the same process: opening one costs more than most questions do, so
//! a few are kept between questions. They go before the writer closes the database.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

use rusqlite::Connection;

use super::error::{Fault, StoreError};
use super::file;
use crate::base::lock;

/// Connections kept of one database: as many as mostly read at once.
const KEPT: usize = 2;

/// The databases that are open here for writing, and the connections to them that nobody uses just now.
static OPEN: LazyLock<Mutex<HashMap<PathBuf, Vec<Reader>>>> = LazyLock::new(Mutex::default);

/// A connection, and which file it has open.
struct Reader {
    connection: Connection,
    file: Option<(u64, u64)>,
}

/// Keeps connections to one database while it lives.
#[derive(Debug)]
pub(super) struct Readers(PathBuf);

impl Readers {
    /// From now on connections to this database are kept.
    pub fn of(path: &Path) -> Self {
        lock(&OPEN).insert(path.to_owned(), Vec::new());
        Self(path.to_owned())
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        // Closed when the list is free for others again.
        let kept = lock(&OPEN).remove(&self.0);
        drop(kept);
    }
}

/// Runs a query on a kept connection. None when the database is not open here: then it is read like any file.
pub(super) fn read<T>(
    path: &Path,
    query: impl Fn(&Connection) -> Result<T, rusqlite::Error>,
) -> Option<Result<T, StoreError>> {
    let kept = lock(&OPEN).get_mut(path)?.pop();
    let file = file::identity(path)?;
    let reader = kept.filter(|reader| reader.file == Some(file));
    let run = || -> Result<(T, Reader), Fault> {
        let reader = match reader {
            Some(reader) => reader,
            None => Reader { connection: file::open_kept(path)?, file: Some(file) },
        };
        let moment = reader.connection.unchecked_transaction()?;
        let found = query(&moment)?;
        drop(moment);
        Ok((found, reader))
    };
    // One that failed is not kept.
    Some(run().map_err(|fault| fault.on(path, "read")).map(|(found, reader)| {
        if let Some(kept) = lock(&OPEN).get_mut(path)
            && kept.len() < KEPT
        {
            kept.push(reader);
        }
        found
    }))
}
