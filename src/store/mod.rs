//! Durable state: SQLite, one writer thread, migrations, snapshots.
//!
//! A decision of `app` arrives as a batch of [`Change`]s. The writer thread applies it in one transaction together
//! with one event for each change, and then tells the caller, who only now lets effects begin. Requests wait in one
//! bounded queue and are served in order, so a snapshot shows every commit that was asked for before it.
//!
//! Readers need no workstation: they open the file for themselves, briefly, and never write to it.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `file` | directories, permissions, connections |
//! | `schema` | versions and migrations |
//! | `writer`, `readers` | the thread and its transactions; connections that read beside it |
//! | `write`, `load` | changes to rows, rows to domain values |
//! | `events` | history read back |
//! | `archive` | all of it in one file, taken out and brought in |
//! | `spends`, `facts` | the same for model calls, their sums and budgets; for what is remembered |
//! | `shared`, `mail` | the same for what lanes share, and for mail |
//! | `approval_events` | what became of approvals |
//! | `memory`, `migrations/user.sql` | facts looked for while turns run; the person's own file of them |
//! | `value`, `error` | forms of columns, errors in words |

mod approval_events;
pub mod archive;
mod error;
mod events;
mod facts;
mod file;
mod load;
mod mail;
mod memory;
mod readers;
mod schema;
mod shared;
mod spends;
mod value;
mod write;
mod writer;

#[cfg(test)]
mod tests;

use std::fmt;
use std::path::Path;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use jiff::Timestamp;
use rusqlite::Connection;

pub use error::StoreError;
pub use memory::{ProjectMemory, UserMemory};
pub use writer::{Batch, Group, Kept};

use crate::domain::{
    Entry, Event, EventBounds, Fact, FactScope, History, HistoryQuery, LaneId, MailPage, MailQuery, Snapshot,
};
use readers::Readers;
use writer::{Request, Writer};

/// Requests that may wait for the writer.
const QUEUE: usize = 1_024;

/// What is called with the result, once, on the writer's thread. It must be quick and must not block: hand the
/// result on and return.
pub type Done<T> = Box<dyn FnOnce(Result<T, StoreError>) + Send>;

/// The writer's queue did not take a request. Here it is again; nothing of it was done.
pub enum Unqueued<T> {
    /// Too much is waiting already. Try again when an earlier request is done.
    Full(T),
    /// The writer is gone; only a restart helps.
    Stopped(T),
}

impl<T> fmt::Debug for Unqueued<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<T> fmt::Display for Unqueued<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full(_) => "cannot write to the store: too much is waiting to be written; try again in a moment",
            Self::Stopped(_) => "cannot write to the store: its writer has stopped; restart Paralane",
        })
    }
}

impl<T> std::error::Error for Unqueued<T> {}

/// The durable state of one project, open for writing.
///
/// Dropping it is the same as [`Store::close`], except that nobody hears of an error.
#[derive(Debug)]
pub struct Store {
    /// None once closed.
    queue: Option<SyncSender<Request>>,
    writer: Option<JoinHandle<Result<(), StoreError>>>,
    /// Connections that only read, kept for as long as it is open.
    readers: Option<Readers>,
}

impl Store {
    /// The version of the tables that this program reads and writes.
    pub const SCHEMA: i64 = schema::CURRENT;

    /// Opens the database at `path`, makes it if it is missing, migrates it if it is older, and starts the writer.
    /// All of it is read first for broken pages.
    ///
    /// # Errors
    /// A newer schema, another program's database or a damaged file is refused and left as it is.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_writer(path, false)
    }

    /// The same of a database that its last writer has closed in order: not all of it is read.
    ///
    /// # Errors
    /// As for [`Store::open`]; a broken page may only be noticed when it is met.
    pub fn open_closed(path: &Path) -> Result<Self, StoreError> {
        Self::open_writer(path, true)
    }

    fn open_writer(path: &Path, closed: bool) -> Result<Self, StoreError> {
        let mut writer = Writer::new(path.to_owned(), closed);
        writer.open()?;
        Self::start(writer, path)
    }

    /// Begins a database at `path` if there is none yet: what comes of it is heard from [`Store::opened`], and commits
    /// wait until then. None if there is one.
    ///
    /// # Errors
    /// When its directory cannot be made.
    pub fn begin(path: &Path) -> Result<Option<Self>, StoreError> {
        file::directory_of(path)?;
        if !file::is_new(path)? {
            return Ok(None);
        }
        Self::start(Writer::new(path.to_owned(), false), path).map(Some)
    }

    /// Opens a database whose last writer has not closed it in order, and has it read for broken pages meanwhile: what
    /// comes of it is heard from [`Store::opened`], and until then nothing is written. None where it has to be made or
    /// migrated first: that takes [`Store::open`].
    ///
    /// # Errors
    /// As for [`Store::open`].
    pub fn open_unsure(path: &Path) -> Result<Option<Self>, StoreError> {
        if file::is_new(path)? || file::is_unfinished(path) {
            return Ok(None);
        }
        let version = file::read(path, |db| schema::version(db, path))?;
        if version != Some(Self::SCHEMA) {
            return Ok(None);
        }
        Self::start(Writer::new(path.to_owned(), false), path).map(Some)
    }

    fn start(writer: Writer, path: &Path) -> Result<Self, StoreError> {
        let readers = Readers::of(path);
        let (queue, requests) = sync_channel(QUEUE);
        let writer = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || writer.run(&requests))
            .map_err(|source| StoreError::File { doing: "start the writer of", path: path.to_owned(), source })?;
        Ok(Self { queue: Some(queue), writer: Some(writer), readers: Some(readers) })
    }

    /// Asks for batches to be made durable, in order, each of them whole or not at all. Never blocks.
    ///
    /// `done` hears of a batch as kept only after it is safe on disk. Of one that fails, and of those after it,
    /// nothing is kept until somebody has asked what is.
    ///
    /// # Errors
    /// [`Unqueued`] with the whole group when the queue did not take it.
    pub fn commit(&self, group: Group) -> Result<(), Unqueued<Group>> {
        self.ask(
            Request::Commit(group),
            |request| if let Request::Commit(group) = request { Some(group) } else { None },
        )
    }

    /// From now on history is kept within these bounds. A queue that is full forgets it: it is asked for again with
    /// the next configuration, and until then more is kept.
    pub fn bound_events(&self, bounds: EventBounds) {
        let _ = self.ask(Request::Bound(bounds), |_| Some(()));
    }

    /// Lets a test do something to the writer's connection, in order with its other requests.
    #[cfg(test)]
    fn touch(&self, act: impl FnOnce(&Connection) + Send + 'static) {
        self.ask(Request::Touch(Box::new(act)), |_| Some(())).expect("room in the queue");
    }

    /// Asks for everything durable, as of after the commits asked for before. Never blocks.
    ///
    /// # Errors
    /// [`Unqueued`] with `done` when the queue did not take it.
    pub fn snapshot(&self, done: Done<Snapshot>) -> Result<(), Unqueued<Done<Snapshot>>> {
        self.ask(
            Request::Snapshot(done),
            |request| if let Request::Snapshot(done) = request { Some(done) } else { None },
        )
    }

    /// Asks whether the database is open, as of after what was asked for before. Never blocks.
    ///
    /// # Errors
    /// [`Unqueued`] with `done` when the queue did not take it.
    pub fn opened(&self, done: Done<()>) -> Result<(), Unqueued<Done<()>>> {
        self.ask(Request::Opened(done), |request| if let Request::Opened(done) = request { Some(done) } else { None })
    }

    /// Puts a request into the queue. If the queue gives it back, `back` unwraps it; it always fits, as it is the
    /// request that was sent.
    fn ask<T>(&self, request: Request, back: fn(Request) -> Option<T>) -> Result<(), Unqueued<T>> {
        let refused = match &self.queue {
            None => TrySendError::Disconnected(request),
            Some(queue) => match queue.try_send(request) {
                Ok(()) => return Ok(()),
                Err(refused) => refused,
            },
        };
        match refused {
            TrySendError::Full(request) => back(request).map(Unqueued::Full),
            TrySendError::Disconnected(request) => back(request).map(Unqueued::Stopped),
        }
        .map_or(Ok(()), Err)
    }

    /// Does what is still queued, moves the log into the database and ends the writer. Blocks until then.
    ///
    /// # Errors
    /// When the log could not be moved. Nothing is lost: the next start does it.
    pub fn close(mut self) -> Result<(), StoreError> {
        self.finish()
    }

    fn finish(&mut self) -> Result<(), StoreError> {
        // The last connection that is closed moves the log into the database: the writer's.
        self.readers = None;
        // The writer ends when the last sender is gone.
        self.queue = None;
        match self.writer.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            // The thread panicked, which was reported when it happened. What it had committed is safe.
            Some(Err(_)) | None => Ok(()),
        }
    }

    /// Everything durable but transcripts, without a workstation or beside one. A missing file is an empty snapshot.
    ///
    /// `entries` stays empty: with a hundred lanes they are nearly all there is to read, and whoever shows a
    /// transcript shows one lane's, by [`Store::entries`].
    ///
    /// # Errors
    /// As for [`Store::open`].
    pub fn read(path: &Path) -> Result<Snapshot, StoreError> {
        Ok(reading(path, load::facts)?.unwrap_or_default())
    }

    /// Everything durable, as a workstation starts from it.
    ///
    /// # Errors
    /// As for [`Store::open`].
    pub fn read_whole(path: &Path) -> Result<Snapshot, StoreError> {
        Ok(reading(path, load::snapshot)?.unwrap_or_default())
    }

    /// What a lane's model is told from: the newest `limit` entries, and landmarks before them, oldest first.
    ///
    /// # Errors
    /// As for [`Store::open`].
    pub fn conversation(path: &Path, lane: LaneId, limit: usize) -> Result<Vec<Entry>, StoreError> {
        Ok(reading(path, |db| load::conversation(db, lane, limit))?.unwrap_or_default())
    }

    /// The newest `limit` entries of a lane's transcript, oldest first; with `before`, those before that place.
    ///
    /// # Errors
    /// As for [`Store::open`].
    pub fn entries(path: &Path, lane: LaneId, before: Option<u64>, limit: usize) -> Result<Vec<Entry>, StoreError> {
        Ok(reading(path, |db| load::page(db, lane, before, limit))?.unwrap_or_default())
    }

    /// A piece of history.
    ///
    /// # Errors
    /// As for [`Store::open`].
    pub fn history(path: &Path, query: &HistoryQuery) -> Result<History, StoreError> {
        Ok(reading(path, |db| events::history(db, query))?.unwrap_or_default())
    }

    /// At most `most` events after this place, oldest first; only this lane's if one is named.
    ///
    /// # Errors
    /// As for [`Store::open`].
    pub fn events_after(path: &Path, seq: u64, lane: Option<LaneId>, most: usize) -> Result<Vec<Event>, StoreError> {
        Ok(reading(path, |db| events::after(db, seq, lane, most))?.unwrap_or_default())
    }

    /// The place of the first event that is not before this moment; without one, the place after the last event.
    ///
    /// # Errors
    /// As for [`Store::open`].
    pub fn event_place(path: &Path, since: Option<Timestamp>) -> Result<u64, StoreError> {
        let place = reading(path, |db| match since {
            Some(moment) => events::since(db, moment),
            None => Ok(events::last(db)? + 1),
        })?;
        Ok(place.unwrap_or(1))
    }

    /// What became of approvals: the newest `last` events, oldest first; with `lane`, only that lane's.
    ///
    /// # Errors
    /// As for [`Store::open`].
    pub fn approval_events(path: &Path, lane: Option<LaneId>, last: usize) -> Result<Vec<Event>, StoreError> {
        Ok(reading(path, |db| approval_events::newest(db, lane, last))?.unwrap_or_default())
    }

    /// The facts of the project with any of these words, at most so many, best first.
    ///
    /// # Errors
    /// As for [`Store::open`].
    pub fn facts(path: &Path, words: &[String], most: usize) -> Result<Vec<Fact>, StoreError> {
        Ok(reading(path, |db| facts::search(db, FactScope::Project, words, most))?.unwrap_or_default())
    }

    /// Answers a question about mail.
    ///
    /// # Errors
    /// As for [`Store::open`].
    pub fn mail(path: &Path, query: &MailQuery) -> Result<MailPage, StoreError> {
        Ok(reading(path, |db| mail::find(db, query))?.unwrap_or_default())
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

/// Runs a query on a file of the current schema; `None` if there is nothing in it yet.
fn reading<T>(path: &Path, query: impl Fn(&Connection) -> Result<T, rusqlite::Error>) -> Result<Option<T>, StoreError> {
    if let Some(found) = readers::read(path, &query) {
        return found.map(Some);
    }
    let found = file::read(path, |db| match schema::version(db, path)? {
        0 => Ok(None),
        _ => query(db).map(Some).map_err(Into::into),
    })?;
    Ok(found.flatten())
}
