//! Commits on their way to the store, and the way back when one fails.
//!
//! What one round of the loop decides goes to the writer at once, as one group: it shares a transaction and a sync of
//! the disk, and comes back as one answer. The writer takes commits in order and answers in order. After a failure it keeps nothing until it is asked what
//! is kept, and nothing more is decided here until every commit under way has been answered: only then is the state
//! set back, so that nothing is built on what was not kept.

use std::collections::VecDeque;

use jiff::Timestamp;
use tokio::sync::mpsc;

use crate::app::{Effect, Msg};
use crate::base::Report;
use crate::domain::{Change, EventBounds, Snapshot};
use crate::store::{Batch, Group, Kept, Store, Unqueued};

/// Commits that may wait here while the writer's queue is full, before windows have to wait too.
const CROWD: usize = 256;
/// So many are handed over before the round is over: the writer works beside the loop.
const GROUP: usize = 32;

/// What the writer answers.
pub(super) enum Answer {
    /// To the oldest group that it has not answered whole: so many more of its commits are kept.
    Kept(usize),
    /// The next commit is not kept, and nothing after it.
    NotKept(Report),
    /// To the question whether the store is open.
    Opened(Result<(), Report>),
    /// To the question for everything that is kept.
    Snapshot(Result<Box<Snapshot>, Report>),
}

/// What waits for each commit of a group, in order.
type Thens = Vec<Vec<Effect>>;

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
    /// Commits of this round, or those that the writer's queue had no room for.
    unsent: Vec<Batch>,
    waiting: Thens,
    /// The writer's queue is full.
    full: bool,
    /// What waits for each group that the writer has not answered.
    open: VecDeque<Thens>,
    failure: Option<Failure>,
    /// How much of history the writer was told to keep.
    bounds: Option<EventBounds>,
}

impl Commits {
    pub fn new(store: Store, answers: mpsc::Sender<Answer>) -> Self {
        let (unsent, waiting, open) = (Vec::new(), Vec::new(), VecDeque::new());
        Self { store, answers, unsent, waiting, full: false, open, failure: None, bounds: None }
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
    pub const fn calm(&self) -> bool {
        !self.full
    }

    /// Whether so much waits that even windows must.
    pub const fn crowded(&self) -> bool {
        self.full && self.unsent.len() >= CROWD
    }

    /// Whether everything that was to be kept is answered.
    pub fn settled(&self) -> bool {
        self.unsent.is_empty() && self.open.is_empty() && self.failure.is_none()
    }

    /// Has changes kept, then the effects carried out: with the rest of this round.
    ///
    /// # Errors
    /// When the writer is gone: nothing can be kept any more.
    pub fn add(&mut self, changes: Vec<Change>, then: Vec<Effect>, at: Timestamp) -> Result<(), Report> {
        self.unsent.push(Batch { changes, at });
        self.waiting.push(then);
        if self.full || self.unsent.len() < GROUP { Ok(()) } else { self.send() }
    }

    /// Hands what was added to the writer, unless it has no room.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn send(&mut self) -> Result<(), Report> {
        if self.unsent.is_empty() {
            return Ok(());
        }
        let answers = self.answers.clone();
        let done = Box::new(move |kept: Kept| {
            // The loop takes these before anything else; a closed channel means that it has ended.
            if kept.count > 0 {
                let _ = answers.blocking_send(Answer::Kept(kept.count));
            }
            if let Some(error) = kept.fault {
                let _ = answers.blocking_send(Answer::NotKept(Report::refused(error.to_string())));
            }
        });
        match self.store.commit(Group { batches: std::mem::take(&mut self.unsent), done }) {
            Ok(()) => {
                self.open.push_back(std::mem::take(&mut self.waiting));
                self.full = false;
                Ok(())
            }
            Err(Unqueued::Full(group)) => {
                self.unsent = group.batches;
                self.full = true;
                Ok(())
            }
            Err(Unqueued::Stopped(_)) => {
                self.waiting.clear();
                Err(stopped())
            }
        }
    }

    /// Takes an answer; gives what is to be handled because of it, in order.
    ///
    /// # Errors
    /// When the store can neither keep nor tell anything any more.
    pub fn answered(&mut self, answer: Answer) -> Result<Vec<Msg>, Report> {
        match answer {
            Answer::Kept(count) => {
                let mut kept = self.open.pop_front().unwrap_or_default();
                let rest = kept.split_off(count.min(kept.len()));
                if !rest.is_empty() {
                    self.open.push_front(rest);
                }
                if self.full {
                    self.send()?;
                }
                Ok(vec![Msg::Committed(kept.into_iter().flatten().collect())])
            }
            Answer::NotKept(report) => {
                let then = self.open.pop_front().unwrap_or_default();
                // Neither is what was decided on top of it: the writer keeps nothing of that.
                let failure = self.failure.get_or_insert(Failure { report, then: Vec::new() });
                failure.then.extend(then.into_iter().flatten());
                failure.then.extend(self.waiting.drain(..).flatten());
                self.unsent.clear();
                self.full = false;
                if self.open.is_empty() { self.ask().map(|()| Vec::new()) } else { Ok(Vec::new()) }
            }
            // Nothing can be kept.
            Answer::Opened(opened) => opened.map(|()| Vec::new()),
            Answer::Snapshot(snapshot) => {
                let snapshot = snapshot?;
                let Some(failure) = self.failure.take() else { return Ok(Vec::new()) };
                Ok(vec![Msg::CommitFailed { report: failure.report, snapshot, then: failure.then }])
            }
        }
    }

    /// Asks whether the store is open. To be called before anything else.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn ask_opened(&self) -> Result<(), Report> {
        let answers = self.answers.clone();
        let asked = self.store.opened(Box::new(move |opened| {
            let opened = opened.map_err(|error| Report::refused(error.to_string()));
            let _ = answers.blocking_send(Answer::Opened(opened));
        }));
        asked.map_err(|_| stopped())
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
