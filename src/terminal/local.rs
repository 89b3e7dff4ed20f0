//! A pane as its worker sees it: the terminal being read, the screen model, and what was published.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use portable_pty::Child;
use tokio::sync::oneshot;

use super::calm::Calm;
use super::colours::Colours;
use super::event::PaneEvent;
use super::gather::Gather;
use super::model::Model;
use super::pacing::Pacing;
use super::pane::{Ending, Known, Pane, QUIET, Readiness};
use super::question::Question;
use super::speaker::Speaker;
use super::tty::Got;
use super::worker::Sink;
use crate::base::lock;
use crate::domain::{Cell, Colour, LaneId, PaneFrame, PaneStatus, PaneText, ProgramState, ProgramStatus, Saying, Size};

/// Bytes parsed in one turn: some tenths of a millisecond for the slowest floods.
const SLICE: usize = 4 * 1024;
/// Bytes read in one turn, and bytes read but not parsed, at most, unless they are gathered. Beyond them the kernel
/// holds the program back.
const BATCH: usize = 64 * 1024;
/// Notifications of one pane: so many, then none until it was silent for this long.
const NOTES: u32 = 4;
const NOTE_PAUSE: Duration = Duration::from_secs(1);
/// A program whose terminal is closed has ended by then.
const ENDING: Duration = Duration::from_secs(1);
/// A thread that waits for a program needs little.
const REAPER_STACK: usize = 64 * 1024;

/// A program until it is reaped.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) child: Box<dyn Child + Send + Sync>,
    /// Readable once it has ended; none where the system has no such thing.
    pub(super) exit: Option<OwnedFd>,
}

/// What a look at the kernel was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// The terminal can be read or written, or is hung up.
    Terminal,
    /// The program has ended.
    Exit,
}

/// What a turn found in the mail.
struct Taken {
    resize: Option<Size>,
    colours: Option<Colours>,
    questions: Vec<oneshot::Sender<String>>,
    readers: Vec<oneshot::Sender<PaneText>>,
}

/// One pane on its worker.
pub(super) struct Local {
    pane: Arc<Pane>,
    model: Model,
    colours: Colours,
    speaker: Speaker,
    question: Question,
    /// What the screen shows of a program that has told nothing yet.
    seen: Option<ProgramState>,
    /// How much had been written when the screen was looked at for that.
    looked: u64,
    /// Whether a draft stood there when the program asked its person something.
    draft_before: bool,
    pacing: Pacing,
    gather: Gather,
    program: Option<Program>,
    /// The program has ended; what it has started may still write.
    over: bool,
    /// The terminal may still be written to on the program's side.
    open: bool,
    /// When it was closed there, until it was told that the program runs on all the same.
    closed_at: Option<Instant>,
    /// The terminal can be written to again.
    writable: bool,
    /// Bytes read; those before `done` are parsed.
    work: Vec<u8>,
    done: usize,
    /// Until those before this one are parsed the screen is not whole: it was cleared for them.
    whole: usize,
    /// Those before this one are not worth another look for lines that need not be shown.
    dull: usize,
    /// The last read left nothing behind.
    drained: bool,
    /// It was read since the last turn.
    fresh: bool,
    /// It stands in the worker's list of panes with something to do.
    pub(super) queued: bool,
    status: PaneStatus,
    calm: Calm,
    /// When readiness may change by time alone.
    ready_at: Option<Instant>,
    /// A changed status waits until this moment.
    status_at: Option<Instant>,
    notes_left: u32,
    last_note: Option<Instant>,
    exited: bool,
    closed: bool,
    /// Rows with something in them in the frame that was published last.
    rows_shown: usize,
}

impl Local {
    pub(super) fn new(pane: Arc<Pane>) -> Self {
        let colours = pane.colours.clone();
        Self {
            model: Model::new(pane.size, colours.clone()),
            pane,
            colours,
            speaker: Speaker::default(),
            question: Question::default(),
            seen: None,
            looked: 0,
            draft_before: false,
            pacing: Pacing::default(),
            gather: Gather::default(),
            program: None,
            over: false,
            open: true,
            closed_at: None,
            writable: false,
            work: Vec::new(),
            done: 0,
            whole: 0,
            dull: 0,
            drained: true,
            fresh: false,
            queued: false,
            status: PaneStatus::default(),
            calm: Calm::default(),
            ready_at: None,
            status_at: None,
            notes_left: NOTES,
            last_note: None,
            exited: false,
            closed: false,
            rows_shown: 0,
        }
    }

    pub(super) fn lane(&self) -> LaneId {
        self.pane.lane
    }

    /// Whether the pane is closed for good.
    pub(super) const fn closed(&self) -> bool {
        self.closed
    }

    /// Whether another turn would find something to do at once.
    pub(super) const fn busy(&self) -> bool {
        let parses = !self.parsed() && self.gather.until().is_none();
        parses || (self.open && (self.over || !self.drained))
    }

    /// When something is due without anything happening.
    pub(super) fn due(&self) -> Option<Instant> {
        if self.closed {
            return None;
        }
        let frame = self.pacing.frame_due(Instant::now()).filter(|_| self.is_whole());
        let question = self.question.due();
        [frame, self.status_at, self.ready_at, question, self.gather.until(), self.outlives()]
            .into_iter()
            .flatten()
            .min()
    }

    /// What the program's side of the terminal is looked at by.
    pub(super) fn terminal(&self) -> BorrowedFd<'_> {
        self.pane.tty.fd()
    }

    /// Whether the program may still write.
    pub(super) const fn reads(&self) -> bool {
        self.open
    }

    /// Whether bytes wait for the program to read.
    pub(super) fn writes(&self) -> bool {
        self.pane.writes()
    }

    /// What tells of the program's end; none once it has told, or where the system has no such thing.
    pub(super) fn exit(&self) -> Option<BorrowedFd<'_>> {
        let program = self.program.as_ref().filter(|_| !self.over)?;
        program.exit.as_ref().map(AsFd::as_fd)
    }

    /// Notes what the kernel said; `writable`: that the terminal takes more.
    pub(super) fn saw(&mut self, seen: Seen, writable: bool) {
        match seen {
            Seen::Terminal => self.writable |= writable,
            Seen::Exit => self.over = true,
        }
    }

    /// A blank screen after a panic. The slice that broke the model is given up.
    pub(super) fn rebuild(&mut self) {
        // The broken model's size is plain data and still right.
        self.model = Model::new(self.model.size(), self.colours.clone());
        self.whole = self.done;
        self.pacing.view_change(Instant::now());
        self.know();
    }

    /// Takes the mail, reads, parses a slice, publishes what is due.
    pub(super) fn turn(&mut self, sink: &Sink) {
        let now = Instant::now();
        let taken = self.take(now);
        if self.closed {
            self.leave();
            return;
        }
        if let Some(size) = taken.resize
            && size != self.model.size()
        {
            self.make_whole(sink);
            // The model first: what the program draws after SIGWINCH is for the new size.
            self.model.resize(size);
            if let Err(source) = self.pane.tty.resize(size) {
                let message = super::TerminalError::Resize { lane: self.lane(), source }.to_string();
                sink(PaneEvent::Fault { lane: self.lane(), message });
            }
            self.pacing.view_change(now);
        }
        if let Some(colours) = taken.colours {
            self.colours = colours.clone();
            self.model.host().set_colours(colours);
            self.answer(sink, Instant::now());
        }
        if std::mem::take(&mut self.writable) {
            self.pane.write_on();
        }
        if !std::mem::take(&mut self.fresh) {
            self.read();
            self.fresh = false;
        }
        let asked = !taken.questions.is_empty() || !taken.readers.is_empty();
        if asked || !self.gathers() {
            self.parse(sink);
        }
        if asked {
            self.make_whole(sink);
        }
        for question in taken.questions {
            // The asker may have given up.
            let _ = question.send(self.model.text());
        }
        for reader in taken.readers {
            let _ = reader.send(self.model.pane_text());
        }
        self.know();
        let ending = self.ending();
        if ending.is_some() {
            self.pacing.last_change(Instant::now());
        }
        self.pacing.rest(self.parsed() && self.drained);
        self.publish(sink);
        if let Some(ending) = ending {
            let program = self.pane.identity;
            sink(PaneEvent::Exited { lane: self.lane(), program, status: ending.status, code: ending.code });
        }
    }

    fn take(&mut self, now: Instant) -> Taken {
        let mut mail = lock(&self.pane.mail);
        mail.queued = false;
        self.closed = mail.closed;
        self.pacing.set_visible(mail.visible, now);
        if let Some(key) = mail.key.take() {
            self.pacing.key(key);
        }
        if let Some(program) = mail.program.take() {
            self.program = Some(program);
        }
        Taken {
            resize: mail.resize.take(),
            colours: mail.colours.take(),
            questions: std::mem::take(&mut mail.questions),
            readers: std::mem::take(&mut mail.readers),
        }
    }

    /// Reads what is there, as far as there is room. Whether something came.
    pub(super) fn read(&mut self) -> bool {
        if !self.open {
            return false;
        }
        if self.parsed() {
            self.work.clear();
            self.work.shrink_to(2 * BATCH);
            (self.done, self.whole, self.dull) = (0, 0, 0);
        }
        let before = self.work.len();
        let gathers = self.gather.going();
        while self.work.len() - before < BATCH && (gathers || self.work.len() - self.done < BATCH) {
            match self.pane.tty.read(&mut self.work) {
                Got::All => self.drained = true,
                Got::Some => {
                    self.drained = false;
                    continue;
                }
                Got::Nothing => {
                    self.drained = true;
                    // What children of an ended program still write is nobody's.
                    self.open = !self.over;
                }
                Got::Closed => {
                    (self.drained, self.open) = (true, false);
                    self.closed_at = Some(Instant::now());
                }
            }
            break;
        }
        if !self.open {
            self.pane.close_writing();
        }
        self.fresh = self.work.len() > before;
        if self.fresh {
            let mut mail = lock(&self.pane.mail);
            mail.last_output = Some(Instant::now());
            mail.output += (self.work.len() - before) as u64;
        }
        self.fresh
    }

    /// Everything that was read is parsed.
    const fn parsed(&self) -> bool {
        self.done == self.work.len()
    }

    /// The screen shows what it should.
    const fn is_whole(&self) -> bool {
        self.done >= self.whole
    }

    /// Whether what was read waits for more. What need not be shown is taken meanwhile.
    fn gathers(&mut self) -> bool {
        let now = Instant::now();
        // What has waited once, or was looked at in vain, is parsed before anything is gathered anew.
        let may = self.gather.going() || (self.is_whole() && self.done >= self.dull);
        let alone = may && self.open && !self.over && !self.pacing.hurries(now);
        let open = alone && self.skim();
        let waits = open && self.gather.waits(self.work.len() - self.done, now);
        if open && !waits {
            self.dull = self.work.len();
        }
        if self.done > BATCH {
            self.work.drain(..self.done);
            self.whole = self.whole.saturating_sub(self.done);
            self.dull = self.dull.saturating_sub(self.done);
            self.done = 0;
        }
        if !waits {
            self.gather.over();
        }
        waits
    }

    /// Takes what lines would only pass through the screen. Whether more could be taken if more came.
    fn skim(&mut self) -> bool {
        let skimmed = self.model.skim(&self.work[self.done..]);
        if skimmed.taken > 0 {
            let synchronized = self.model.host().synchronized;
            self.pacing.change(Instant::now(), synchronized);
        }
        if skimmed.whole > skimmed.taken {
            self.whole = self.done + skimmed.whole;
        }
        self.dull = self.done + skimmed.read;
        self.done += skimmed.taken;
        skimmed.open
    }

    /// Parses what the screen was cleared for.
    fn make_whole(&mut self, sink: &Sink) {
        while !self.is_whole() {
            self.parse(sink);
        }
    }

    /// Parses a slice. Frames may go out in between, where the program closed a synchronized update.
    fn parse(&mut self, sink: &Sink) {
        if self.is_whole() && self.done >= self.dull {
            self.skim();
        }
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
                self.pacing.whole();
                self.publish_frame(sink, now);
            }
        }
    }

    /// How the program ended, once: when all that it wrote is parsed and it is reaped.
    fn ending(&mut self) -> Option<Ending> {
        if self.exited || self.open || !self.parsed() {
            return None;
        }
        if self.over || self.program.as_ref().is_some_and(|program| program.exit.is_none()) {
            self.leave();
        }
        let ending = lock(&self.pane.mail).ending.clone()?;
        self.exited = true;
        // An idle pane keeps no buffer.
        self.work = Vec::new();
        (self.done, self.whole, self.dull) = (0, 0, 0);
        Some(ending)
    }

    /// Lets go of the program: it is reaped at once when it has ended, else by a thread that waits for it.
    pub(super) fn leave(&mut self) {
        let Some(program) = self.program.take() else { return };
        let pane = Arc::clone(&self.pane);
        if self.over {
            return reap(&pane, program);
        }
        // Without a thread it stays a zombie until this process ends; nothing else depends on it.
        let _ = std::thread::Builder::new()
            .name(format!("reap-{}", pane.lane))
            .stack_size(REAPER_STACK)
            .spawn(move || reap(&pane, program));
    }

    /// Passes on what the host gathered: answers to the program, notifications to the person.
    fn answer(&mut self, sink: &Sink, now: Instant) {
        let host = self.model.host();
        if !host.replies.is_empty() {
            // A program that asks without reading loses its answers, nothing else.
            let _ = self.pane.send(&host.replies);
            host.replies.clear();
        }
        if let Some(text) = host.asides.clipboard.take() {
            sink(PaneEvent::Copied { lane: self.pane.lane, text });
        }
        for text in std::mem::take(&mut host.asides.notices.texts) {
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
    fn know(&mut self) {
        let host = self.model.host();
        let asked = self.speaker.asks();
        self.speaker.hear(&mut host.asides, &host.title, || self.pane.tty.foreground());
        match (asked, self.speaker.asks()) {
            (false, true) => self.draft_before = lock(&self.pane.mail).draft,
            // What was typed meanwhile was the answer.
            (true, false) => lock(&self.pane.mail).draft = self.draft_before,
            _ => {}
        }
        let (says, begun) = (self.speaker.says(), self.speaker.begun());
        let known = Known { modes: self.model.modes(), says, begun, told: self.speaker.told(), seen: self.seen };
        let before = std::mem::replace(&mut *lock(&self.pane.known), known);
        // Who asks to be told is told at once how it stands.
        if known.modes.focus && !before.modes.focus {
            let _ = self.pane.tell_focus(self.pane.focused.load(Ordering::SeqCst));
        }
    }

    /// Publishes what is due now.
    pub(super) fn publish(&mut self, sink: &Sink) {
        let now = Instant::now();
        // When a flood has paused, the next turn parses what was gathered.
        self.gather.ripens(now);
        self.publish_frame(sink, now);
        self.publish_status(sink, now);
        if self.outlives().is_some_and(|due| due <= now) {
            self.closed_at = None;
            let message =
                "the program closed its terminal and runs on without one; close the lane to end it".to_owned();
            sink(PaneEvent::Fault { lane: self.lane(), message });
        }
    }

    /// When it is clear that the program has closed its terminal and did not end with it.
    fn outlives(&self) -> Option<Instant> {
        let seen = self.program.as_ref().is_some_and(|program| program.exit.is_some());
        self.closed_at.filter(|_| seen && !self.over).map(|at| at + ENDING)
    }

    fn publish_frame(&mut self, sink: &Sink, now: Instant) {
        if !self.is_whole() || self.pacing.frame_due(now).is_none_or(|due| due > now) {
            return;
        }
        let last = lock(&self.pane.slot).clone();
        let frame = self.model.picture(last.as_deref());
        let rows = rows_in_use(&frame, last.as_deref().map(|last| (last, self.rows_shown)));
        if rows * 4 < self.rows_shown * 3 && self.pacing.doubt() {
            return;
        }
        let ends = self.pacing.frame_published(now);
        self.model.pictured();
        // Bytes that changed nothing on the screen cost nobody a redraw.
        if last.as_deref() == Some(&frame) {
            return;
        }
        self.rows_shown = rows;
        *lock(&self.pane.slot) = Some(Arc::new(frame));
        drop(last);
        sink(PaneEvent::FrameReady { lane: self.lane(), ends });
    }

    /// Of a program that does not say what it is at, the screen may.
    fn look_for_question(&mut self, now: Instant) {
        if !self.parsed() || !self.is_whole() {
            self.question.put_off();
            return;
        }
        let silent = self.speaker.says().is_none() && !lock(&self.pane.hooks).governed;
        let hidden = silent && !self.over && !self.model.modes().cursor_shown;
        let output = lock(&self.pane.mail).output;
        self.question.look(hidden, output, now, || self.model.text());
    }

    /// What the screen of a governed program shows, until its reports or hooks tell: looked at once in each pause.
    fn look(&mut self, now: Instant) {
        let Some(read) = self.pane.screen else { return };
        let told = lock(&self.pane.hooks).state.is_some() || self.speaker.says().is_some();
        let (output, last) = {
            let mail = lock(&self.pane.mail);
            (mail.output, mail.last_output)
        };
        if told {
            self.seen = None;
        } else if self.parsed() && output != self.looked && last.is_some_and(|last| last + QUIET <= now) {
            self.looked = output;
            let before = std::mem::replace(&mut self.seen, read(&self.model.text()));
            let asks = |state| matches!(state, Some(ProgramState::Blocked(_)));
            if asks(before) && !asks(self.seen) {
                // What was typed answered that; there was no prompt before.
                lock(&self.pane.mail).draft = false;
            }
        }
        lock(&self.pane.known).seen = self.seen;
    }

    fn publish_status(&mut self, sink: &Sink, now: Instant) {
        self.look(now);
        let readiness = if self.parsed() { self.pane.at_rest(now) } else { Readiness::No };
        let wrote = lock(&self.pane.mail).last_output;
        let calm = self.calm.rests(readiness == Readiness::Ready, self.status.ready, self.pane.given(), wrote, now);
        self.ready_at = match readiness {
            Readiness::At(at) => Some(at),
            Readiness::Ready | Readiness::No => calm.err().flatten(),
        };
        let ready = calm.is_ok();
        self.look_for_question(now);
        let host = self.model.host();
        let seen = self.seen.map(|state| ProgramStatus { state, message: String::new(), by: Saying::Screen });
        let program = self.speaker.status().or(seen.as_ref()).or(self.question.status());
        let progress = host.asides.notices.progress;
        let old = &self.status;
        let told = (ready, host.bells, host.title.as_str(), program, progress);
        if told == (old.ready, old.bells, old.title.as_str(), old.program.as_ref(), old.progress) {
            self.status_at = None;
            return;
        }
        let due = self.pacing.status_due(now);
        if due > now {
            self.status_at = Some(due);
            return;
        }
        self.status_at = None;
        self.status =
            PaneStatus { title: host.title.clone(), bells: host.bells, ready, program: program.cloned(), progress };
        self.pacing.status_published(now);
        sink(PaneEvent::Status(self.lane(), self.status.clone()));
        self.pane.status.notify_waiters();
    }
}

/// How many rows have something in them. Where the picture before and its rows are known, only those that changed
/// are looked at.
fn rows_in_use(frame: &PaneFrame, before: Option<(&PaneFrame, usize)>) -> usize {
    let blank = |cell: &Cell| cell.text.is_empty() && cell.style.background == Colour::Default;
    let used = |row: &[Cell]| usize::from(!row.iter().all(blank));
    match before.filter(|(last, _)| last.size == frame.size) {
        Some((last, rows)) => {
            let changed = frame.cells.changed(&last.cells);
            changed.fold(rows, |rows, (_, row, old)| (rows + used(row)).saturating_sub(used(old)))
        }
        None => frame.cells.rows().map(used).sum(),
    }
}

/// Reaps the program and says how it ended.
fn reap(pane: &Arc<Pane>, mut program: Program) {
    let ending = match program.child.wait() {
        Ok(status) => match status.signal() {
            Some(signal) => Ending { status: format!("ended by a signal ({signal})"), code: None },
            None => {
                Ending { status: format!("exited with status {}", status.exit_code()), code: Some(status.exit_code()) }
            }
        },
        Err(error) => Ending { status: format!("ended; its status is unknown: {error}"), code: None },
    };
    pane.close_writing();
    pane.post(|mail| mail.ending = Some(ending));
    pane.reaped.notify_all();
}
