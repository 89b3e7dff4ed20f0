//! What the threads of one pane share: its terminal, its inbox, its frame slot and what is known of it.
//!
//! Every lock here is a leaf, held for a few moves only. The order, where two are needed: mail, then the
//! shard's list.

use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, oneshot};

use super::TerminalError;
use super::colours::Colours;
use super::model::Modes;
use super::outbox::{MAX_PENDING, Outbox, Sent};
use super::paste::Paste;
use super::processes::ProcessIdentity;
use super::tty::Tty;
use super::wake::Wake;
use super::worker::{Shard, Turn};
use crate::base::lock;
use crate::domain::{LaneId, PaneFrame, Size};

/// Bytes read but not parsed. Enough for a worker's turns between two reads, little enough to stop a
/// flood soon.
pub(super) const MAX_INBOX: usize = 64 * 1024;
/// Questions for the screen's text that may wait.
const MAX_QUESTIONS: usize = 16;
/// A program is quiet when it wrote nothing for so long (design §5).
pub(super) const QUIET: Duration = Duration::from_millis(300);
/// A program that never wrote anything may still be loading: it counts as ready only after this.
const SILENT_START: Duration = Duration::from_secs(2);

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) status: String,
    pub(super) code: Option<u32>,
}

/// What waits for the pane's worker. Bounded by its parts.
#[derive(Debug, Default)]
pub(super) struct Mail {
    /// Bytes from the program.
    pub(super) inbox: Vec<u8>,
    /// The I/O thread stopped reading because the inbox is full.
    pub(super) stalled: bool,
    /// The pane stands in its worker's list.
    pub(super) queued: bool,
    pub(super) resize: Option<Size>,
    pub(super) scroll: i64,
    pub(super) scroll_home: bool,
    pub(super) visible: bool,
    /// When a key was typed that the worker has not seen yet.
    pub(super) key: Option<Instant>,
    /// The next output is likely the echo of a key.
    pub(super) echo_due: bool,
    pub(super) questions: Vec<oneshot::Sender<String>>,
    pub(super) ending: Option<Ending>,
    pub(super) closed: bool,
    /// When the program last wrote, and how much in all.
    pub(super) last_output: Option<Instant>,
    pub(super) output: u64,
    /// Something was typed since the last Enter.
    pub(super) draft: bool,
    /// How often something was typed.
    pub(super) typed: u64,
}

/// What the worker last saw, for everyone else.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    pub(super) modes: Modes,
    pub(super) scrolled: bool,
}

/// Whether a line may be given to the program, and when to look again if that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readiness {
    Ready,
    /// Not before this moment, if nothing happens until then.
    At(Instant),
    /// Not before something happens.
    No,
}

/// One pane.
#[derive(Debug)]
pub(super) struct Pane {
    pub(super) lane: LaneId,
    /// Tells panes of the same lane apart.
    pub(super) serial: u64,
    pub(super) tty: Tty,
    pub(super) identity: ProcessIdentity,
    /// What every process of this pane has in its environment.
    pub(super) marker: String,
    pub(super) opened: Instant,
    pub(super) size: Size,
    pub(super) colours: Colours,
    pub(super) shard: Arc<Shard>,
    pub(super) wake: Wake,
    pub(super) mail: Mutex<Mail>,
    /// Rung when the program has ended and is reaped.
    pub(super) reaped: Condvar,
    pub(super) outbox: Mutex<Outbox>,
    pub(super) paste: Mutex<Paste>,
    pub(super) known: Mutex<Known>,
    pub(super) slot: Mutex<Option<Arc<PaneFrame>>>,
    /// Rung with each status.
    pub(super) status: Notify,
    pub(super) delivering: AtomicBool,
}

impl Pane {
    /// Leaves something for the worker and wakes it.
    pub(super) fn post<T>(self: &Arc<Self>, leave: impl FnOnce(&mut Mail) -> T) -> T {
        let mut mail = lock(&self.mail);
        let result = leave(&mut mail);
        let push = !std::mem::replace(&mut mail.queued, true);
        drop(mail);
        if push {
            self.shard.push(Arc::clone(self), Turn::Last);
        }
        result
    }

    /// Leaves bytes from the program for the worker. The first ones after a key are likely its echo: they
    /// pass the other panes, once per key, so that a flood in the same pane does not starve the others.
    pub(super) fn post_output(self: &Arc<Self>, bytes: &[u8]) {
        let mut mail = lock(&self.mail);
        mail.inbox.extend_from_slice(bytes);
        mail.last_output = Some(Instant::now());
        mail.output += bytes.len() as u64;
        let turn = if std::mem::take(&mut mail.echo_due) { Turn::Next } else { Turn::Last };
        let push = !std::mem::replace(&mut mail.queued, true);
        drop(mail);
        if push {
            self.shard.push(Arc::clone(self), turn);
        }
    }

    /// Notes that something was typed; `submits` says that it sends the line off.
    pub(super) fn note_typed(self: &Arc<Self>, submits: bool, now: Instant) {
        let mut mail = lock(&self.mail);
        mail.key = Some(now);
        mail.echo_due = true;
        mail.typed += 1;
        let draft_changed = std::mem::replace(&mut mail.draft, !submits) == submits;
        drop(mail);
        // The worker is needed only when the status or the view changes with it.
        let scrolled = lock(&self.known).scrolled;
        if draft_changed || scrolled {
            self.post(|mail| mail.scroll_home = true);
        }
    }

    /// The worker has more to do for this pane.
    pub(super) fn requeue(self: &Arc<Self>) {
        self.post(|_| ());
    }

    /// Asks for the screen's text; none when too many ask already.
    pub(super) fn ask(self: &Arc<Self>) -> Option<oneshot::Receiver<String>> {
        let (answer, receiver) = oneshot::channel();
        self.post(|mail| {
            (mail.questions.len() < MAX_QUESTIONS).then(|| {
                mail.questions.push(answer);
                receiver
            })
        })
    }

    /// Sends bytes to the program without blocking.
    pub(super) fn send(&self, bytes: &[u8]) -> Result<(), TerminalError> {
        let sent = lock(&self.outbox).send(&self.tty, bytes);
        self.after(sent)
    }

    /// Sends a few bytes that must not be refused.
    pub(super) fn send_closing(&self, bytes: &[u8]) -> Result<(), TerminalError> {
        let sent = lock(&self.outbox).send_unbounded(&self.tty, bytes);
        self.after(sent)
    }

    fn after(&self, sent: Sent) -> Result<(), TerminalError> {
        match sent {
            Sent::Written => Ok(()),
            Sent::Waiting => {
                self.wake.ring();
                Ok(())
            }
            Sent::Full => Err(TerminalError::NotReading { lane: self.lane, limit: MAX_PENDING }),
            Sent::Gone => Err(TerminalError::Ended { lane: self.lane }),
        }
    }

    /// Bytes that the program has not read: ours and the kernel's.
    pub(super) fn unread(&self) -> io::Result<u64> {
        let waiting = lock(&self.outbox).waiting() as u64;
        Ok(waiting + self.tty.unread()?)
    }

    /// Whether the pane's own program, and not a child that it started, has the terminal.
    pub(super) fn in_foreground(&self) -> bool {
        self.tty.foreground() == Some(self.identity.group)
    }

    /// Whether the program is ready for a line (design §5).
    pub(super) fn readiness(&self, now: Instant) -> Readiness {
        if lock(&self.mail).draft { Readiness::No } else { self.at_rest(now) }
    }

    /// Whether the program waits for input, also for the rest of a line that is being typed.
    pub(super) fn at_rest(&self, now: Instant) -> Readiness {
        let mail = lock(&self.mail);
        if mail.ending.is_some() || !mail.inbox.is_empty() {
            return Readiness::No;
        }
        let ready_at = mail.last_output.map_or(self.opened + SILENT_START, |last| last + QUIET);
        drop(mail);
        if !lock(&self.known).modes.cursor_shown {
            return Readiness::No;
        }
        if now < ready_at {
            return Readiness::At(ready_at);
        }
        // Asked last: it is the only part that costs a system call.
        if self.in_foreground() { Readiness::Ready } else { Readiness::No }
    }

    pub(super) fn ended(&self) -> bool {
        lock(&self.mail).ending.is_some()
    }

    /// Waits until the program has ended and is reaped. False when the time is up.
    pub(super) fn wait_reaped(&self, deadline: Instant) -> bool {
        let mut mail = lock(&self.mail);
        while mail.ending.is_none() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            mail = match self.reaped.wait_timeout(mail, left) {
                Ok((mail, _)) => mail,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        true
    }
}
