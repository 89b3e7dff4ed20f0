//! What the threads of one pane share: its terminal, its inbox, its frame slot and what is known of it.
//!
//! Every lock here is a leaf, held for a few moves only. The order, where two are needed: mail, then the
//! shard's list.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, oneshot};

use super::TerminalError;
use super::colours::Colours;
use super::launch::ScreenWord;
use super::local::Program;
use super::model::Modes;
use super::outbox::{MAX_PENDING, Outbox, Sent};
use super::paste::Paste;
use super::processes::ProcessIdentity;
use super::tty::Tty;
use super::worker::Shard;
use crate::base::lock;
use crate::domain::{LaneId, PaneFrame, PaneText, ProgramState, Size};

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
    /// The pane stands in its worker's list.
    pub(super) queued: bool,
    pub(super) resize: Option<Size>,
    pub(super) colours: Option<Colours>,
    pub(super) visible: bool,
    /// When a key was typed that the worker has not seen yet.
    pub(super) key: Option<Instant>,
    /// The program that was just started.
    pub(super) program: Option<Program>,
    pub(super) questions: Vec<oneshot::Sender<String>>,
    /// Questions for scroll-back and screen.
    pub(super) readers: Vec<oneshot::Sender<PaneText>>,
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
    pub(super) says: Option<Says>,
    /// How often the program said that it began something.
    pub(super) begun: u64,
    /// How often it has told something in all, by reports or by its title.
    pub(super) told: u64,
    /// What its screen shows, as long as neither reports nor hooks have told anything.
    pub(super) seen: Option<ProgramState>,
}

/// What a program says of its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Says {
    pub(super) state: ProgramState,
    /// It reports each change, and does not only have a title that tells.
    pub(super) reports: bool,
    /// The process group that had the terminal when it was said.
    pub(super) by: Option<u32>,
}

/// What the hooks of a governed program have told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Hooks {
    /// It has such hooks.
    pub(super) governed: bool,
    /// What it is at.
    pub(super) state: Option<ProgramState>,
    /// How often it took what was typed.
    pub(super) begun: u64,
    /// How often it had told something when a hook last did: who spoke last counts.
    pub(super) after: u64,
    /// Whether a draft stood there when it began to ask its person something.
    pub(super) draft_before: bool,
}

impl Hooks {
    /// What the program is at, where it also reports.
    pub(super) fn weigh(self, known: &Known) -> Option<ProgramState> {
        let says = known.says.map(|says| says.state);
        if self.state.is_some() && self.after == known.told { self.state } else { says.or(self.state) }
    }
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
    pub(super) mail: Mutex<Mail>,
    /// Rung when the program has ended and is reaped.
    pub(super) reaped: Condvar,
    pub(super) outbox: Mutex<Outbox>,
    /// Something waits in the outbox.
    pub(super) writing: AtomicBool,
    /// How often something was sent.
    pub(super) given: AtomicU64,
    pub(super) paste: Mutex<Paste>,
    pub(super) known: Mutex<Known>,
    pub(super) hooks: Mutex<Hooks>,
    /// What its screen tells before that.
    pub(super) screen: Option<ScreenWord>,
    pub(super) slot: Mutex<Option<Arc<PaneFrame>>>,
    /// Rung with each status.
    pub(super) status: Notify,
    pub(super) delivering: AtomicBool,
    /// Whether the pane has the focus, also for a program that asks only later.
    pub(super) focused: AtomicBool,
}

impl Pane {
    /// Leaves something for the worker and wakes it.
    pub(super) fn post<T>(self: &Arc<Self>, leave: impl FnOnce(&mut Mail) -> T) -> T {
        let mut mail = lock(&self.mail);
        let result = leave(&mut mail);
        let push = !std::mem::replace(&mut mail.queued, true);
        drop(mail);
        if push {
            self.shard.push(Arc::clone(self));
        }
        result
    }

    /// Notes that something was typed; `submits` says that it sends the line off.
    pub(super) fn note_typed(self: &Arc<Self>, submits: bool, now: Instant) {
        let mut mail = lock(&self.mail);
        mail.key = Some(now);
        mail.typed += 1;
        let draft_changed = std::mem::replace(&mut mail.draft, !submits) == submits;
        drop(mail);
        self.shard.typed(self.serial, now);
        // The worker is needed only when the status changes with it.
        if draft_changed {
            self.post(|_| ());
        }
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

    /// Asks for scroll-back and screen; none when too many ask already.
    pub(super) fn ask_all(self: &Arc<Self>) -> Option<oneshot::Receiver<PaneText>> {
        let (answer, receiver) = oneshot::channel();
        self.post(|mail| {
            (mail.readers.len() < MAX_QUESTIONS).then(|| {
                mail.readers.push(answer);
                receiver
            })
        })
    }

    /// Sends bytes to the program without blocking.
    pub(super) fn send(self: &Arc<Self>, bytes: &[u8]) -> Result<(), TerminalError> {
        self.sending(|outbox| outbox.send(&self.tty, bytes))
    }

    /// Whether more of a paste may come: there is room, or it is dropped anyway.
    pub(super) fn has_paste_room(&self) -> bool {
        lock(&self.outbox).has_room() || lock(&self.paste).broken()
    }

    /// Tells the program that it got or lost the focus.
    pub(super) fn tell_focus(self: &Arc<Self>, focused: bool) -> Result<(), TerminalError> {
        self.send(if focused { b"\x1b[I" } else { b"\x1b[O" })
    }

    /// Gives up a paste that is under way, and what the program has not taken of it. How many bytes it has taken; none
    /// when there is no paste.
    pub(super) fn break_paste(self: &Arc<Self>) -> Option<u64> {
        let broken = lock(&self.paste).break_off()?;
        let waited = {
            let mut outbox = lock(&self.outbox);
            let waited = outbox.waiting() as u64;
            outbox.drop_waiting();
            waited
        };
        // A program that is gone needs no end of it.
        let _ = self.send_closing(broken.closing);
        Some(broken.given.saturating_sub(waited))
    }

    /// Interrupts what is in the foreground although it reads nothing: what waits for it is dropped, and the signal is
    /// sent as the kernel would, past all that stands before the key. False when nothing waits.
    pub(super) fn interrupt(self: &Arc<Self>) -> bool {
        if lock(&self.outbox).waiting() == 0 {
            return false;
        }
        if self.break_paste().is_none() {
            lock(&self.outbox).drop_waiting();
        }
        let group = self.tty.foreground().and_then(|pid| rustix::process::Pid::from_raw(pid.cast_signed()));
        group.is_some_and(|group| rustix::process::kill_process_group(group, rustix::process::Signal::INT).is_ok())
    }

    /// Sends a few bytes that must not be refused.
    pub(super) fn send_closing(self: &Arc<Self>, bytes: &[u8]) -> Result<(), TerminalError> {
        self.sending(|outbox| outbox.send_unbounded(&self.tty, bytes))
    }

    fn sending(self: &Arc<Self>, send: impl FnOnce(&mut Outbox) -> Sent) -> Result<(), TerminalError> {
        let sent = self.with_outbox(send);
        self.given.fetch_add(1, Ordering::Relaxed);
        match sent {
            Sent::Written => Ok(()),
            Sent::Waiting => {
                // The worker has to hear of it when there is room again.
                self.post(|_| ());
                Ok(())
            }
            Sent::Full => Err(TerminalError::NotReading { lane: self.lane, limit: MAX_PENDING }),
            Sent::Gone => Err(TerminalError::Ended { lane: self.lane }),
        }
    }

    fn with_outbox<T>(&self, step: impl FnOnce(&mut Outbox) -> T) -> T {
        let mut outbox = lock(&self.outbox);
        let result = step(&mut outbox);
        self.writing.store(outbox.waiting() > 0, Ordering::Release);
        result
    }

    /// How often something was sent to the program.
    pub(super) fn given(&self) -> u64 {
        self.given.load(Ordering::Relaxed)
    }

    /// Whether bytes wait for the program to read.
    pub(super) fn writes(&self) -> bool {
        self.writing.load(Ordering::Acquire)
    }

    /// Writes on what waits, as much as fits.
    pub(super) fn write_on(&self) {
        self.with_outbox(|outbox| outbox.flush(&self.tty));
    }

    /// Nothing more can be written to the program.
    pub(super) fn close_writing(&self) {
        self.with_outbox(Outbox::close);
    }

    /// Bytes that the program has not read: ours and the kernel's.
    pub(super) fn unread(&self) -> io::Result<u64> {
        let waiting = lock(&self.outbox).waiting() as u64;
        Ok(waiting + self.tty.unread()?)
    }

    /// Whether the program is ready for a line (design §5).
    pub(super) fn readiness(&self, now: Instant) -> Readiness {
        if lock(&self.mail).draft { Readiness::No } else { self.at_rest(now) }
    }

    /// Whether the program waits for input, also for the rest of a line that is being typed.
    pub(super) fn at_rest(&self, now: Instant) -> Readiness {
        let mail = lock(&self.mail);
        if mail.ending.is_some() {
            return Readiness::No;
        }
        let ready_at = mail.last_output.map_or(self.opened + SILENT_START, |last| last + QUIET);
        drop(mail);
        let known = *lock(&self.known);
        let Known { modes, says, .. } = known;
        // Its own word goes before what its screen looks like.
        let hooks = *lock(&self.hooks);
        let told = hooks.weigh(&known);
        let rests = told.or(known.seen).map(ProgramState::at_rest);
        let unready = rests == Some(false) || rests.is_none() && (hooks.governed || !modes.cursor_shown);
        // Where its screen tells, it is looked at anew once it is quiet.
        let looked_at = told.is_none() && self.screen.is_some();
        if unready && !looked_at {
            return Readiness::No;
        }
        if now < ready_at {
            return Readiness::At(ready_at);
        }
        if unready {
            return Readiness::No;
        }
        // Asked last: it is the only part that costs a system call.
        let foreground = self.tty.foreground();
        let it_said = says.is_some_and(|says| says.by == foreground);
        let shown = modes.cursor_shown || hooks.state.is_some() || known.seen.is_some();
        let itself = foreground == Some(self.identity.group) && shown;
        if it_said || itself { Readiness::Ready } else { Readiness::No }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_hooks_and_reports_the_last_word_counts() {
        let says = |state| Some(Says { state, reports: true, by: None });
        let known = |state, told| Known { says: says(state), told, ..Known::default() };
        let hooks =
            Hooks { governed: true, state: Some(ProgramState::Working), begun: 1, after: 3, draft_before: false };
        // It has taken the prompt and not reported it yet.
        assert_eq!(hooks.weigh(&known(ProgramState::Idle, 3)), Some(ProgramState::Working));
        // The person interrupted it, of which no hook tells.
        assert_eq!(hooks.weigh(&known(ProgramState::Idle, 4)), Some(ProgramState::Idle));
        assert_eq!(hooks.weigh(&Known::default()), Some(ProgramState::Working), "it does not report");
        assert_eq!(Hooks::default().weigh(&known(ProgramState::Done, 0)), Some(ProgramState::Done));
    }
}
