//! A pane as its worker sees it: the screen model, the bytes being parsed, and what was published.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::event::PaneEvent;
use super::model::Model;
use super::pacing::Pacing;
use super::pane::{Ending, Known, MAX_INBOX, Pane, Readiness};
use super::worker::Sink;
use crate::base::lock;
use crate::domain::{LaneId, PaneStatus, Size};

/// Bytes parsed in one turn: some tenths of a millisecond, up to two for the slowest floods.
const SLICE: usize = 8 * 1024;
/// Notifications of one pane: so many, then none until it was silent for this long.
const NOTES: u32 = 4;
const NOTE_PAUSE: Duration = Duration::from_secs(1);

/// What a turn found in the mail besides bytes.
struct Taken {
    scroll: i64,
    scroll_home: bool,
    resize: Option<Size>,
    questions: Vec<oneshot::Sender<String>>,
    ending: Option<Ending>,
}

/// One pane on its worker.
pub(super) struct Local {
    pane: Arc<Pane>,
    model: Model,
    pacing: Pacing,
    /// Bytes taken from the inbox; those before `done` are parsed.
    work: Vec<u8>,
    done: usize,
    status: PaneStatus,
    /// When readiness may change by time alone.
    ready_at: Option<Instant>,
    /// A changed status waits until this moment.
    status_at: Option<Instant>,
    notes_left: u32,
    last_note: Option<Instant>,
    exited: bool,
    closed: bool,
}

impl Local {
    pub(super) fn new(pane: Arc<Pane>) -> Self {
        let model = Model::new(pane.size, pane.colours.clone());
        Self {
            pane,
            model,
            pacing: Pacing::default(),
            work: Vec::new(),
            done: 0,
            status: PaneStatus::default(),
            ready_at: None,
            status_at: None,
            notes_left: NOTES,
            last_note: None,
            exited: false,
            closed: false,
        }
    }

    pub(super) fn lane(&self) -> LaneId {
        self.pane.lane
    }

    /// Whether the pane is closed for good.
    pub(super) const fn closed(&self) -> bool {
        self.closed
    }

    /// When something is due without anything happening.
    pub(super) fn due(&self) -> Option<Instant> {
        if self.closed {
            return None;
        }
        [self.pacing.frame_due(Instant::now()), self.status_at, self.ready_at].into_iter().flatten().min()
    }

    /// A blank screen after a panic. What was being parsed is given up.
    pub(super) fn rebuild(&mut self) {
        // The broken model's size is plain data and still right.
        self.model = Model::new(self.model.size(), self.pane.colours.clone());
        self.pacing.view_change();
        self.know();
        if self.done < self.work.len() {
            self.pane.requeue();
        }
    }

    /// Takes the mail, parses a slice, publishes what is due.
    pub(super) fn turn(&mut self, sink: &Sink) {
        let taken = self.take();
        if self.closed {
            return;
        }
        if let Some(size) = taken.resize
            && size != self.model.size()
        {
            // The model first: what the program draws after SIGWINCH is for the new size.
            self.model.resize(size);
            if let Err(source) = self.pane.tty.resize(size) {
                let message = super::TerminalError::Resize { lane: self.lane(), source }.to_string();
                sink(PaneEvent::Fault { lane: self.lane(), message });
            }
            self.pacing.view_change();
        }
        let moved = if taken.scroll_home { self.model.scroll_home() } else { self.model.scroll(taken.scroll) };
        if moved {
            self.pacing.view_change();
        }
        self.parse(sink);
        for question in taken.questions {
            // The asker may have given up.
            let _ = question.send(self.model.text());
        }
        self.know();
        let parsed = self.done == self.work.len();
        let ending = taken.ending.filter(|_| parsed && !self.exited);
        if ending.is_some() {
            self.pacing.last_change();
        }
        self.publish(sink);
        // Bytes that came while others were being parsed: their arrival made no new turn.
        if !parsed || !lock(&self.pane.mail).inbox.is_empty() {
            self.pane.requeue();
        }
        if let Some(ending) = ending {
            self.exited = true;
            let program = self.pane.identity;
            sink(PaneEvent::Exited { lane: self.lane(), program, status: ending.status, code: ending.code });
        }
    }

    fn take(&mut self) -> Taken {
        let mut mail = lock(&self.pane.mail);
        mail.queued = false;
        if self.done == self.work.len() {
            self.work.clear();
            self.done = 0;
            std::mem::swap(&mut self.work, &mut mail.inbox);
            if std::mem::take(&mut mail.stalled) {
                self.pane.wake.ring();
            }
        }
        self.closed = mail.closed;
        self.pacing.set_visible(mail.visible);
        if let Some(key) = mail.key.take() {
            self.pacing.key(key);
        }
        Taken {
            scroll: std::mem::take(&mut mail.scroll),
            scroll_home: std::mem::take(&mut mail.scroll_home),
            resize: mail.resize.take(),
            questions: std::mem::take(&mut mail.questions),
            // The end comes after the last byte.
            ending: mail.ending.clone().filter(|_| mail.inbox.is_empty()),
        }
    }

    /// Parses a slice. Frames may go out in between, where the program closed a synchronized update.
    fn parse(&mut self, sink: &Sink) {
        let end = self.work.len().min(self.done + SLICE);
        while self.done < end {
            let slice = &self.work[self.done..end];
            // Counted before parsing, so that bytes that break the model are not parsed again.
            let start = std::mem::replace(&mut self.done, end);
            self.done = start + self.model.feed(slice);
            let now = Instant::now();
            let synchronized = self.model.host().synchronized;
            self.pacing.change(now, synchronized);
            self.answer(sink, now);
            if self.done < end && !synchronized {
                self.publish_frame(sink, now);
            }
        }
        // Kept small between floods; the swap hands one of the two buffers back to the inbox.
        if self.done == self.work.len() && self.work.capacity() > 2 * MAX_INBOX {
            self.work = Vec::new();
            self.done = 0;
        }
    }

    /// Passes on what the host gathered: answers to the program, notifications to the person.
    fn answer(&mut self, sink: &Sink, now: Instant) {
        let host = self.model.host();
        if !host.replies.is_empty() {
            // A program that asks without reading loses its answers, nothing else.
            let _ = self.pane.send(&host.replies);
            host.replies.clear();
        }
        for text in std::mem::take(&mut host.notes) {
            if self.last_note.is_none_or(|last| now.saturating_duration_since(last) >= NOTE_PAUSE) {
                self.notes_left = NOTES;
            }
            if self.notes_left > 0 {
                self.notes_left -= 1;
                self.last_note = Some(now);
                sink(PaneEvent::Notified { lane: self.pane.lane, text });
            }
        }
    }

    /// Leaves what callers of the pane need to know.
    fn know(&self) {
        let known = Known { modes: self.model.modes(), scrolled: self.model.scrolled() };
        *lock(&self.pane.known) = known;
    }

    /// Publishes what is due now.
    pub(super) fn publish(&mut self, sink: &Sink) {
        let now = Instant::now();
        self.publish_frame(sink, now);
        self.publish_status(sink, now);
    }

    fn publish_frame(&mut self, sink: &Sink, now: Instant) {
        if self.pacing.frame_due(now).is_none_or(|due| due > now) {
            return;
        }
        self.pacing.frame_published(now);
        let frame = self.model.frame();
        let mut slot = lock(&self.pane.slot);
        // Bytes that changed nothing on the screen cost nobody a redraw.
        if slot.as_deref() == Some(&frame) {
            return;
        }
        let old = slot.replace(Arc::new(frame));
        drop(slot);
        drop(old);
        sink(PaneEvent::FrameReady(self.lane()));
    }

    fn publish_status(&mut self, sink: &Sink, now: Instant) {
        let parsed = self.done == self.work.len();
        let readiness = if parsed { self.pane.at_rest(now) } else { Readiness::No };
        self.ready_at = match readiness {
            Readiness::At(at) => Some(at),
            Readiness::Ready | Readiness::No => None,
        };
        let ready = readiness == Readiness::Ready;
        let host = self.model.host();
        if ready == self.status.ready && host.bells == self.status.bells && host.title == self.status.title {
            self.status_at = None;
            return;
        }
        let due = self.pacing.status_due(now);
        if due > now {
            self.status_at = Some(due);
            return;
        }
        self.status_at = None;
        self.status = PaneStatus { title: host.title.clone(), bells: host.bells, ready };
        self.pacing.status_published(now);
        sink(PaneEvent::Status(self.lane(), self.status.clone()));
        self.pane.status.notify_waiters();
    }
}
