//! The one writer: a thread that owns the only connection that writes, and takes requests in order.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError};

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, TransactionBehavior};

use super::error::{Fault, StoreError};
use super::file::Contents;
use super::{Done, file, load, write};
use crate::base::failpoint;
use crate::domain::{Change, EventBounds, Snapshot};

/// Batches that may share one transaction and so one sync of the disk.
const GROUP: usize = 128;
/// After this many new events the oldest are dropped, twice as many at most: the file shrinks to its bound
/// without a long pause.
const PRUNE_EVERY: usize = 1_000;

/// What the thread is asked to do.
pub(super) enum Request {
    /// Make these changes durable, all or none.
    Commit(Batch),
    /// Read everything, as of after the commits before.
    Snapshot(Done<Snapshot>),
    /// Keep history within these bounds.
    Bound(EventBounds),
    /// Does something to the connection: only tests can reach that deep.
    #[cfg(test)]
    Touch(Box<dyn FnOnce(&Connection) + Send>),
}

/// The changes of one decision, on their way to the disk.
pub struct Batch {
    /// What becomes durable, all of it or nothing.
    pub changes: Vec<Change>,
    /// When it was decided; the time of its events.
    pub at: Timestamp,
    /// Hears the result.
    pub done: Done<()>,
}

/// The thread's state.
pub(super) struct Writer {
    connection: Connection,
    path: PathBuf,
    /// Which file the connection has open.
    identity: Option<(u64, u64)>,
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
    pub(super) fn new((connection, contents): (Connection, Contents), path: PathBuf) -> Self {
        let identity = file::identity(&path);
        Self {
            connection,
            path,
            identity,
            contents,
            bounds: EventBounds::default(),
            now: Timestamp::MIN,
            unpruned: PRUNE_EVERY,
            broken: false,
        }
    }

    /// Serves until every sender is gone and the queue is empty; then moves the log into the database.
    pub(super) fn run(mut self, requests: &Receiver<Request>) -> Result<(), StoreError> {
        // A request that ended a group without belonging to it.
        let mut next = None;
        while let Some(request) = next.take().or_else(|| requests.recv().ok()) {
            match request {
                Request::Commit(batch) => {
                    let mut group = vec![batch];
                    next = gather(requests, &mut group);
                    self.commit_group(group);
                    self.prune();
                }
                Request::Snapshot(done) => {
                    let snapshot = self.snapshot();
                    self.broken &= snapshot.is_err();
                    done(snapshot);
                }
                Request::Bound(bounds) => {
                    self.bounds = bounds;
                    self.unpruned = PRUNE_EVERY;
                }
                #[cfg(test)]
                Request::Touch(act) => act(&self.connection),
            }
        }
        self.close()
    }

    /// Commits all batches at once. If that fails, each on its own up to the one that fails; a batch is always whole or
    /// not there at all.
    fn commit_group(&mut self, group: Vec<Batch>) {
        if !self.broken && group.len() > 1 && self.commit(&group).is_ok() {
            return group.into_iter().for_each(|batch| (batch.done)(Ok(())));
        }
        for batch in group {
            let kept = if self.broken { Err(StoreError::Unfounded) } else { self.commit(std::slice::from_ref(&batch)) };
            self.broken |= kept.is_err();
            (batch.done)(kept);
        }
    }

    fn commit(&mut self, group: &[Batch]) -> Result<(), StoreError> {
        // SQLite goes on writing to a file that was removed. What is acknowledged then would be lost with it.
        if file::identity(&self.path) != self.identity {
            return Err(StoreError::Gone { path: self.path.clone() });
        }
        self.contents = Contents::Unknown;
        let mut run = || -> Result<usize, Fault> {
            // Dropped without a commit, the transaction is rolled back.
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut events = 0;
            for batch in group {
                for change in &batch.changes {
                    write::apply(&transaction, change, batch.at)?;
                    events += 1;
                }
            }
            failpoint("store-before-commit");
            transaction.commit()?;
            failpoint("store-after-commit");
            Ok(events)
        };
        let events = run().map_err(|fault| fault.on(&self.path, "write to"))?;
        self.unpruned += events;
        self.now = group.iter().map(|batch| batch.at).fold(self.now, Timestamp::max);
        Ok(())
    }

    fn snapshot(&self) -> Result<Snapshot, StoreError> {
        if self.contents == Contents::Nothing {
            return Ok(Snapshot::default());
        }
        let read = || {
            let moment = self.connection.unchecked_transaction()?;
            load::snapshot(&moment)
        };
        read().map_err(|error| Fault::from(error).on(&self.path, "read"))
    }

    /// Keeps history bounded. Failing here costs nothing but room: it is tried again after the next events.
    fn prune(&mut self) {
        if self.unpruned >= PRUNE_EVERY {
            let _ = write::prune_events(&self.connection, self.bounds.keep, 2 * PRUNE_EVERY);
            let age = SignedDuration::from_hours(24 * i64::from(self.bounds.days));
            if let Ok(before) = self.now.checked_sub(age) {
                let _ = write::age_events(&self.connection, before, 2 * PRUNE_EVERY);
            }
            self.unpruned = 0;
        }
    }

    /// Moves the log into the database. A reader may keep it from being emptied; the next start does it then.
    fn close(self) -> Result<(), StoreError> {
        let checkpoint = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let closed = self.connection.close().map_err(|(_, error)| error);
        checkpoint.and(closed).map_err(|error| Fault::from(error).on(&self.path, "close"))
    }
}

/// Takes the commits that wait already, up to the first request of another kind, which is returned.
fn gather(requests: &Receiver<Request>, group: &mut Vec<Batch>) -> Option<Request> {
    while group.len() < GROUP {
        match requests.try_recv() {
            Ok(Request::Commit(batch)) => group.push(batch),
            Ok(other) => return Some(other),
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
        }
    }
    None
}
