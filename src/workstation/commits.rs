//! Commits on their way to the store, and the way back when one fails.
//!
//! The writer takes commits in order and answers in order. After a failure it keeps nothing until it is asked what
//! is kept, and nothing more is decided here until every commit under way has been answered: only then is the state
//! set back, so that nothing is built on what was not kept.

use std::collections::VecDeque;

use jiff::Timestamp;
use tokio::sync::mpsc;

use crate::app::{Effect, Msg};
use crate::base::Report;
use crate::domain::{Change, EventBounds, Snapshot};
use crate::store::{Store, Unqueued};

/// Commits that may wait here while the writer's queue is full, before windows have to wait too.
const CROWD: usize = 256;

/// What the writer answers.
pub(super) enum Answer {
    /// To the oldest commit that it has not answered.
    Commit(Result<(), Report>),
    /// To the question for everything that is kept.
    Snapshot(Result<Box<Snapshot>, Report>),
}

/// A commit that the writer's queue had no room for yet.
struct Unsent {
    changes: Vec<Change>,
    at: Timestamp,
    then: Vec<Effect>,
}

/// A failure that is being mended.
struct Failure {
    report: Report,
    /// What waited for commits that were not kept.
    then: Vec<Effect>,
}

/// All commits under way.
pub(super) struct Commits {
    store: Store,
    answers: mpsc::Sender<Answer>,
    unsent: VecDeque<Unsent>,
    /// What waits for each commit that the writer has not answered.
    open: VecDeque<Vec<Effect>>,
    failure: Option<Failure>,
    /// How much of history the writer was told to keep.
    bounds: Option<EventBounds>,
}

impl Commits {
    pub const fn new(store: Store, answers: mpsc::Sender<Answer>) -> Self {
        Self { store, answers, unsent: VecDeque::new(), open: VecDeque::new(), failure: None, bounds: None }
    }

    /// How much of history is kept from now on.
    pub fn bound_events(&mut self, bounds: EventBounds) {
        if self.bounds != Some(bounds) {
            self.bounds = Some(bounds);
            self.store.bound_events(bounds);
        }
    }

    /// Whether a failure is being mended: nothing may be decided meanwhile.
    pub const fn failing(&self) -> bool {
        self.failure.is_some()
    }

    /// Whether the writer has room.
    pub fn calm(&self) -> bool {
        self.unsent.is_empty()
    }

    /// Whether so much waits that even windows must.
    pub fn crowded(&self) -> bool {
        self.unsent.len() >= CROWD
    }

    /// Whether everything that was to be kept is answered.
    pub fn settled(&self) -> bool {
        self.unsent.is_empty() && self.open.is_empty() && self.failure.is_none()
    }

    /// Has changes kept, then the effects carried out.
    ///
    /// # Errors
    /// When the writer is gone: nothing can be kept any more.
    pub fn add(&mut self, changes: Vec<Change>, then: Vec<Effect>, at: Timestamp) -> Result<(), Report> {
        self.unsent.push_back(Unsent { changes, at, then });
        self.send()
    }

    /// Hands commits to the writer, in order, for as long as it has room.
    fn send(&mut self) -> Result<(), Report> {
        while let Some(Unsent { changes, at, then }) = self.unsent.pop_front() {
            let answers = self.answers.clone();
            let done = Box::new(move |result: Result<(), crate::store::StoreError>| {
                let result = result.map_err(|error| Report::refused(error.to_string()));
                // The loop takes these before anything else; a closed channel means that it has ended.
                let _ = answers.blocking_send(Answer::Commit(result));
            });
            match self.store.commit(changes, at, done) {
                Ok(()) => self.open.push_back(then),
                Err(Unqueued::Full(batch)) => {
                    self.unsent.push_front(Unsent { changes: batch.changes, at: batch.at, then });
                    return Ok(());
                }
                Err(Unqueued::Stopped(_)) => {
                    self.unsent.clear();
                    return Err(stopped());
                }
            }
        }
        Ok(())
    }

    /// Takes an answer; gives what is to be handled because of it, in order.
    ///
    /// # Errors
    /// When the store can neither keep nor tell anything any more.
    pub fn answered(&mut self, answer: Answer) -> Result<Vec<Msg>, Report> {
        match answer {
            Answer::Commit(result) => {
                let then = self.open.pop_front().unwrap_or_default();
                match (result, &mut self.failure) {
                    (Ok(()), _) => {
                        self.send()?;
                        return Ok(vec![Msg::Committed(then)]);
                    }
                    // The writer keeps nothing that was decided on top of what it did not keep.
                    (Err(_), Some(failure)) => failure.then.extend(then),
                    (Err(report), None) => self.failure = Some(Failure { report, then }),
                }
                if let Some(failure) = &mut self.failure {
                    // Decided on top of what was not kept: not to be kept either.
                    failure.then.extend(self.unsent.drain(..).flat_map(|unsent| unsent.then));
                }
                if self.open.is_empty() { self.ask().map(|()| Vec::new()) } else { Ok(Vec::new()) }
            }
            Answer::Snapshot(snapshot) => {
                let snapshot = snapshot?;
                let Some(failure) = self.failure.take() else { return Ok(Vec::new()) };
                Ok(vec![Msg::CommitFailed { report: failure.report, snapshot, then: failure.then }])
            }
        }
    }

    /// Asks for everything that is kept.
    fn ask(&self) -> Result<(), Report> {
        let answers = self.answers.clone();
        let asked = self.store.snapshot(Box::new(move |snapshot| {
            let snapshot =
                snapshot.map(Box::new).map_err(|error| Report::internal(format!("the store cannot be read: {error}")));
            let _ = answers.blocking_send(Answer::Snapshot(snapshot));
        }));
        // Nothing else is under way, so the queue has room.
        asked.map_err(|_| stopped())
    }

    /// Does what is still queued and closes the store.
    ///
    /// # Errors
    /// When its log could not be moved into it; nothing is lost.
    pub fn close(self) -> Result<(), Report> {
        self.store.close().map_err(|error| Report::internal(error.to_string()))
    }
}

fn stopped() -> Report {
    Report::internal("the store's writer has stopped, so nothing more can be kept")
        .hint("what was acknowledged is kept; run `paralane` to start again")
}

#[cfg(test)]
mod tests;
