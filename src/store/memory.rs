//! Facts that are looked for while turns run, through connections that stay open, and the person's own file of facts.
//!
//! The project's facts are written by the store's writer; here they are only read. The person's file belongs to every
//! workstation of that person at once: each asks it anew every time and keeps no copy. It needs no log beside it
//! (its journal is a rollback journal): it is small, seldom written, and read for microseconds.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::error::{Fault, StoreError};
use super::{facts, file, load, schema, write};
use crate::base::{failpoint, lock};
use crate::domain::{Fact, FactAsk, FactDone, FactFault, FactScope, settle_fact};

/// The mark of the person's file: `PLNU`.
const APPLICATION: i64 = 0x504c_4e55;
/// The version of its schema.
const VERSION: i64 = 1;
const SCHEMA: &str = include_str!("migrations/user.sql");
/// Events that the person's file keeps.
const EVENTS_KEPT: usize = 10_000;

/// One connection that stays open for as long as its file stays the same.
#[derive(Debug)]
struct Held {
    path: PathBuf,
    open: Mutex<Door>,
}

#[derive(Debug)]
enum Door {
    Shut,
    Open {
        connection: Box<Connection>,
        identity: Option<(u64, u64)>,
    },
    /// For good.
    Locked,
}

impl Held {
    const fn new(path: PathBuf) -> Self {
        Self { path, open: Mutex::new(Door::Shut) }
    }

    /// Runs work on the connection, which `open` makes if there is none. Without one there is nothing to be had.
    fn with<T>(
        &self,
        doing: &'static str,
        open: impl FnOnce(&Path) -> Result<Option<Connection>, StoreError>,
        work: impl FnOnce(&mut Connection) -> Result<T, Fault>,
    ) -> Result<Option<T>, StoreError> {
        let mut door = lock(&self.open);
        let now = file::identity(&self.path);
        match &*door {
            Door::Locked => return Ok(None),
            Door::Open { identity, .. } if *identity == now && now.is_some() => {}
            // SQLite would go on with a file that was removed or replaced.
            Door::Open { .. } | Door::Shut => {
                *door = Door::Shut;
                let Some(connection) = open(&self.path)? else { return Ok(None) };
                let identity = file::identity(&self.path);
                *door = Door::Open { connection: Box::new(connection), identity };
            }
        }
        let Door::Open { connection, .. } = &mut *door else { return Ok(None) };
        let done = work(connection).map(Some).map_err(|fault| fault.on(&self.path, doing));
        if done.is_err() {
            *door = Door::Shut;
        }
        done
    }
}

/// The facts of a project, read beside its writer.
#[derive(Debug)]
pub struct ProjectMemory(Held);

impl ProjectMemory {
    /// Of the store at `path`. Nothing is opened yet.
    #[must_use]
    pub const fn new(path: PathBuf) -> Self {
        Self(Held::new(path))
    }

    /// Facts with any of these words, at most so many, best first. Blocks for microseconds.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn search(&self, words: &[String], most: usize) -> Result<Vec<Fact>, StoreError> {
        let open = |path: &Path| {
            let Some(_) = file::identity(path) else { return Ok(None) };
            let failed = |fault: Fault| fault.on(path, "read");
            let connection = file::open_reader(path).map_err(|error| failed(error.into()))?;
            let version = schema::version(&connection, path).map_err(failed)?;
            Ok((version > 0).then_some(connection))
        };
        let search = |db: &mut Connection| Ok(facts::search(db, FactScope::Project, words, most)?);
        Ok(self.0.with("read", open, search)?.unwrap_or_default())
    }

    /// Lets go of the file for good: the last to close the store tidies it up.
    pub fn close(&self) {
        *lock(&self.0.open) = Door::Locked;
    }
}

/// The facts of a person, for all projects.
#[derive(Debug)]
pub struct UserMemory(Held);

impl UserMemory {
    /// In the file at `path`. Nothing is made before something is kept.
    #[must_use]
    pub const fn new(path: PathBuf) -> Self {
        Self(Held::new(path))
    }

    /// Every fact, by id.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn all(&self) -> Result<Vec<Fact>, StoreError> {
        let all = |db: &mut Connection| Ok(facts::all(db, FactScope::User)?);
        Ok(self.0.with("read", open_user, all)?.unwrap_or_default())
    }

    /// Facts with any of these words, at most so many, best first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn search(&self, words: &[String], most: usize) -> Result<Vec<Fact>, StoreError> {
        let search = |db: &mut Connection| Ok(facts::search(db, FactScope::User, words, most)?);
        Ok(self.0.with("read", open_user, search)?.unwrap_or_default())
    }

    /// Does what is asked, durably, in order with what other workstations ask. Blocks until it is on the disk.
    ///
    /// # Errors
    /// When the file cannot be read or written. The inner error says that it cannot be done; nothing was changed then.
    pub fn settle(&self, ask: &FactAsk, at: Timestamp) -> Result<Result<FactDone, FactFault>, StoreError> {
        if !matches!(ask, FactAsk::Keep { .. }) && file::identity(&self.0.path).is_none() {
            return Ok(settle_fact([].iter(), 0, ask, at).map(|(done, _)| done));
        }
        let work = |db: &mut Connection| {
            // Dropped without a commit, the transaction is rolled back.
            let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let facts = facts::all(&transaction, FactScope::User)?;
            let (done, change) = match settle_fact(facts.iter(), load::last(&transaction, facts::COUNTER)?, ask, at) {
                Ok(settled) => settled,
                Err(fault) => return Ok(Err(fault)),
            };
            if let Some(change) = change {
                write::apply(&transaction, &change, at)?;
                write::prune_events(&transaction, EVENTS_KEPT, EVENTS_KEPT)?;
                failpoint("user-memory-before-commit");
                transaction.commit()?;
                failpoint("user-memory-after-commit");
            }
            Ok(Ok(done))
        };
        let done = self.0.with("write to", |path| make_user(path).map(Some), work)?;
        done.ok_or_else(|| StoreError::Gone { path: self.0.path.clone() })
    }
}

/// Opens the person's file if it is there. Also a reader may have to roll back what a killed writer left half done.
fn open_user(path: &Path) -> Result<Option<Connection>, StoreError> {
    match fs::metadata(path) {
        Ok(facts) if facts.len() > 0 => connect(path).map(Some),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(StoreError::File { doing: "read", path: path.to_owned(), source }),
    }
}

/// Opens the person's file, and makes it if it is missing.
fn make_user(path: &Path) -> Result<Connection, StoreError> {
    file::directory_of(path)?;
    // Its journal gets the same permissions from SQLite.
    let made = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path);
    made.map_err(|source| file::file_error("create", path, source))?;
    file::close_to_others(path)?;
    connect(path)
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let run = || -> Result<Connection, Fault> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(file::PATIENCE)?;
        connection.execute_batch(
            "PRAGMA synchronous = FULL;
             PRAGMA trusted_schema = OFF;
             PRAGMA temp_store = MEMORY;",
        )?;
        if version(&connection, path)? == 0 {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            // Another workstation may have been faster.
            if version(&transaction, path)? == 0 {
                transaction.execute_batch(SCHEMA)?;
                transaction.pragma_update(None, "application_id", APPLICATION)?;
                transaction.pragma_update(None, "user_version", VERSION)?;
                transaction.commit()?;
            }
        }
        Ok(connection)
    };
    run().map_err(|fault| fault.on(path, "open"))
}

/// The version of the person's file; 0 means that nothing is in it yet.
fn version(connection: &Connection, path: &Path) -> Result<i64, Fault> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (found, application) = (number("user_version")?, number("application_id")?);
    let empty: bool = connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)", [], |row| row.get(0))?;
    let path = || path.to_owned();
    match found {
        0 if empty => Ok(0),
        _ if application != APPLICATION || found < 1 => Err(Fault::Rule(StoreError::Foreign { path: path() })),
        VERSION => Ok(found),
        _ => Err(Fault::Rule(StoreError::Newer { path: path(), found, known: VERSION })),
    }
}
