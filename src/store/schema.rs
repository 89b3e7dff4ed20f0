//! The schema's versions: what a file is, and how an older one becomes the current one.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::error::{Fault, StoreError};
use crate::base::failpoint;

/// Each step leads from the version that is its index to the next. Steps are only ever appended.
const MIGRATIONS: &[&str] = &[include_str!("migrations/0001.sql")];

/// The version that this program reads and writes.
pub(super) const CURRENT: i64 = MIGRATIONS.len() as i64;

/// An empty database as the first step makes it: a new store is a copy of it, which takes a tenth of the time that the
/// step takes. Later steps bring the copy on, like any older file.
pub(super) const EMPTY: &[u8] = include_bytes!("migrations/empty.db");

/// The version of [`EMPTY`].
pub(super) const EMPTY_VERSION: i64 = 1;

/// The mark of our files: `PLNE`. The first migration sets it.
const APPLICATION: i64 = 0x504c_4e45;

/// The version of a file, without writing to it. 0 means: nothing in it yet.
///
/// # Errors
/// Refuses databases of later versions and of other programs.
pub(super) fn version(connection: &Connection, path: &Path) -> Result<i64, Fault> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let empty: bool = connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)", [], |row| row.get(0))?;
    let path = || path.to_owned();
    if found == 0 && empty {
        Ok(0)
    } else if application != APPLICATION || found < 1 {
        Err(Fault::Rule(StoreError::Foreign { path: path() }))
    } else if found > CURRENT {
        Err(Fault::Rule(StoreError::Newer { path: path(), found, known: CURRENT }))
    } else {
        Ok(found)
    }
}

/// Brings a file from version `from` to the current one. Each step and its version number are one
/// transaction: a crash leaves the file at the version before or after, never between.
pub(super) fn migrate(connection: &mut Connection, from: i64) -> Result<(), Fault> {
    steps(connection, from, CURRENT)
}

fn steps(connection: &mut Connection, from: i64, to: i64) -> Result<(), Fault> {
    for (version, step) in (1..=to).zip(MIGRATIONS).filter(|(version, _)| *version > from) {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", version)?;
        failpoint("store-in-migration");
        transaction.commit()?;
    }
    Ok(())
}

/// Makes an empty database one of version [`EMPTY_VERSION`].
#[cfg(test)]
pub(super) fn first_step(connection: &mut Connection) -> Result<(), Fault> {
    steps(connection, 0, EMPTY_VERSION)
}

/// Looks for broken pages. Reads the whole file.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<(), Fault> {
    let verdict: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if verdict == "ok" {
        Ok(())
    } else {
        Err(Fault::Rule(StoreError::Damaged { path: path.to_owned(), detail: verdict }))
    }
}
