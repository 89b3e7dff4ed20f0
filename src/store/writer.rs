//! The one writer: a thread that owns the only connection that writes, and takes requests in order.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, TransactionBehavior};

use super::error::{Fault, StoreError};
use super::file::{Contents, Syncing};
use super::{Done, file, load, mail, shared, write};
use crate::base::{failpoint, take_short_turns};
use crate::domain::{Change, EventBounds, Snapshot};

/// So long nothing is asked for before the log gets its usual size.
const QUIET: Duration = Duration::from_millis(500);
/// Batches that may share one transaction and so one sync of the disk.
const BATCHES: usize = 128;
/// After this many new events the oldest are dropped, twice as many at most: the file shrinks to its bound
/// without a long pause.
const PRUNE_EVERY: usize = 1_000;

/// What the thread is asked to do.
pub(super) enum Request {
    /// Make these batches durable, each all or none.
    Commit(Group),
    /// Read everything, as of after the commits before.
    Snapshot(Done<Snapshot>),
    /// Say whether the database is open.
    Opened(Done<()>),
    /// Keep history within these bounds.
    Bound(EventBounds),
    /// Does something to the connection: only tests can reach that deep.
    #[cfg(test)]
    Touch(Box<dyn FnOnce(&Connection) + Send>),
}

/// The changes of one decision, on their way to the disk: all of them are kept or nothing.
#[derive(Debug)]
pub struct Batch {
    /// What becomes durable.
    pub changes: Vec<Change>,
    /// When it was decided; the time of its events.
    pub at: Timestamp,
}

/// Decisions that are handed over at once, in order.
pub struct Group {
    /// The decisions.
    pub batches: Vec<Batch>,
    /// Hears the result, once.
    pub done: Box<dyn FnOnce(Kept) + Send>,
}

/// What came of a group.
#[derive(Debug)]
pub struct Kept {
    /// So many of its batches are safe on disk, the first ones.
    pub count: usize,
    /// Why the others are not.
    pub fault: Option<StoreError>,
}

/// The thread's state.
pub(super) struct Writer {
    /// None until it is open.
    connection: Option<Connection>,
    path: PathBuf,
    /// A new one is on its way to the disk.
    syncing: Option<Syncing>,
    /// Which file the connection has open.
    identity: Option<(u64, u64)>,
    /// Whether its last writer has closed it in order.
    closed: bool,
    /// Whether the log is to get its usual size: none before the first commit.
    extend: Option<bool>,
    /// What is known of the database without reading it.
    contents: Contents,
    /// How much of history is kept.
    bounds: EventBounds,
    /// The newest moment that a batch was decided at.
    now: Timestamp,
    /// Events written since the oldest were last dropped.
    unpruned: usize,
    /// A batch was not kept. What was decided on top of it is not kept either, until its sender has asked what is.
    broken: bool,
}

impl Writer {
    /// A writer of a database that its thread opens.
    pub(super) fn new(path: PathBuf, closed: bool) -> Self {
        let contents = Contents::Unknown;
        Self {
            connection: None,
            syncing: None,
            path,
            identity: None,
            closed,
            extend: None,
            contents,
            bounds: EventBounds::default(),
            now: Timestamp::MIN,
            unpruned: PRUNE_EVERY,
            broken: false,
        }
    }

    /// The connection. One that could not be opened is tried again each time.
    pub(super) fn open(&mut self) -> Result<&mut Connection, StoreError> {
        if self.connection.is_none() {
            let opened = file::open_writer(&self.path, self.closed)?;
            self.identity = file::identity(&self.path);
            self.contents = opened.contents;
            self.syncing = opened.syncing;
            self.connection = Some(opened.connection);
        }
        self.connection.as_mut().ok_or(StoreError::Unfounded)
    }

    /// Opens it, and waits until a new one is on the disk.
    fn open_on_disk(&mut self) -> Result<(), StoreError> {
        self.open()?;
        let synced = self.syncing.take().map_or(Ok(()), Syncing::wait);
        if synced.is_err() {
            self.connection = None;
        }
        synced
    }

    /// Serves until every sender is gone and the queue is empty; then moves the log into the database.
    pub(super) fn run(mut self, requests: &Receiver<Request>) -> Result<(), StoreError> {
        take_short_turns();
        // Before anybody asks. Whoever asks first hears of a failure.
        let _ = self.open();
        // A request that ended a group without belonging to it.
        let mut next = None;
        while let Some(request) = next.take().or_else(|| self.wait(requests)) {
            match request {
                Request::Commit(group) => {
                    let mut groups = vec![group];
                    next = gather(requests, &mut groups);
                    self.commit_groups(groups);
                    self.prune();
                }
                Request::Snapshot(done) => {
                    let snapshot = self.snapshot();
                    self.broken &= snapshot.is_err();
                    done(snapshot);
                }
                Request::Opened(done) => done(self.open().map(drop)),
                Request::Bound(bounds) => {
                    self.bounds = bounds;
                    self.unpruned = PRUNE_EVERY;
                }
                #[cfg(test)]
                Request::Touch(act) => act(self.open().unwrap()),
            }
        }
        self.close()
    }

    /// The next request. When none comes for a while for the first time after a commit, the log gets its usual size:
    /// that takes the disk a moment, for which nobody waits.
    fn wait(&mut self, requests: &Receiver<Request>) -> Option<Request> {
        if self.extend == Some(true) {
            match requests.recv_timeout(QUIET) {
                Err(RecvTimeoutError::Timeout) => {
                    self.extend = Some(false);
                    if file::identity(&self.path) == self.identity {
                        // Without it commits take longer.
                        let _ = file::extend_log(&self.path);
                    }
                }
                heard => return heard.ok(),
            }
        }
        requests.recv().ok()
    }

    /// Commits all batches at once. If that fails, each on its own up to the one that fails; a batch is always whole or
    /// not there at all.
    fn commit_groups(&mut self, groups: Vec<Group>) {
        let all = || groups.iter().flat_map(|group| &group.batches);
        if !self.broken && all().count() > 1 && self.commit(all()).is_ok() {
            for Group { batches, done } in groups {
                done(Kept { count: batches.len(), fault: None });
            }
            return;
        }
        for Group { batches, done } in groups {
            let mut kept = Kept { count: 0, fault: None };
            for batch in &batches {
                let committed =
                    if self.broken { Err(StoreError::Unfounded) } else { self.commit(std::iter::once(batch)) };
                if let Err(fault) = committed {
                    self.broken = true;
                    kept.fault = Some(fault);
                    break;
                }
                kept.count += 1;
            }
            done(kept);
        }
    }

    fn commit<'a>(&mut self, batches: impl Iterator<Item = &'a Batch>) -> Result<(), StoreError> {
        self.open_on_disk()?;
        // SQLite goes on writing to a file that was removed. What is acknowledged then would be lost with it.
        if file::identity(&self.path) != self.identity {
            return Err(StoreError::Gone { path: self.path.clone() });
        }
        self.contents = Contents::Unknown;
        let path = self.path.clone();
        let connection = self.open()?;
        let run = || -> Result<(usize, Timestamp), Fault> {
            // Dropped without a commit, the transaction is rolled back.
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let (mut events, mut newest) = (0, Timestamp::MIN);
            for batch in batches {
                newest = newest.max(batch.at);
                for change in &batch.changes {
                    write::apply(&transaction, change, batch.at)?;
                    events += 1;
                }
            }
            failpoint("store-before-commit");
            transaction.commit()?;
            failpoint("store-after-commit");
            Ok((events, newest))
        };
        let (events, newest) = run().map_err(|fault| fault.on(&path, "write to"))?;
        self.unpruned += events;
        self.extend.get_or_insert(true);
        self.now = self.now.max(newest);
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot, StoreError> {
        self.open()?;
        if self.contents == Contents::Nothing {
            return Ok(Snapshot::default());
        }
        let path = self.path.clone();
        let connection = self.open()?;
        let read = || {
            let moment = connection.unchecked_transaction()?;
            load::snapshot(&moment)
        };
        read().map_err(|error| Fault::from(error).on(&path, "read"))
    }

    /// Keeps history bounded. Failing here costs nothing but room: it is tried again after the next events.
    fn prune(&mut self) {
        if self.unpruned >= PRUNE_EVERY
            && let Some(connection) = &self.connection
        {
            let _ = write::prune_events(connection, self.bounds.keep, 2 * PRUNE_EVERY);
            let _ = mail::prune(connection, self.bounds.mail, 2 * PRUNE_EVERY);
            let _ = shared::prune(connection, shared::RECORDS);
            let age = SignedDuration::from_hours(24 * i64::from(self.bounds.days));
            if let Ok(before) = self.now.checked_sub(age) {
                let _ = write::age_events(connection, before, 2 * PRUNE_EVERY);
            }
            self.unpruned = 0;
        }
    }

    /// Moves the log into the database. A reader may keep it from being emptied; the next start does it then.
    fn close(self) -> Result<(), StoreError> {
        if let Some(syncing) = self.syncing {
            syncing.wait()?;
        }
        let Some(connection) = self.connection else { return Ok(()) };
        let checkpoint = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let closed = connection.close().map_err(|(_, error)| error);
        checkpoint.and(closed).map_err(|error| Fault::from(error).on(&self.path, "close"))
    }
}

/// Takes the commits that wait already, up to the first request of another kind, which is returned.
fn gather(requests: &Receiver<Request>, groups: &mut Vec<Group>) -> Option<Request> {
    let mut count = groups.iter().map(|group| group.batches.len()).sum::<usize>();
    while count < BATCHES {
        match requests.try_recv() {
            Ok(Request::Commit(group)) => {
                count += group.batches.len();
                groups.push(group);
            }
            Ok(other) => return Some(other),
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
        }
    }
    None
}
