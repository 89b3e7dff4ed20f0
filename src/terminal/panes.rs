//! [`Panes`]: the door of this room.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::colours::Colours;
use super::deliver::{self, Delivery};
use super::error::TerminalError;
use super::event::{PaneEvent, PointerUse};
use super::launch::{self, Launch};
use super::local::Program;
use super::outbox::Outbox;
use super::pane::{Hooks, Known, Mail, Pane};
use super::paste::Paste;
use super::processes::{self, Ended, ProcessIdentity};
use super::worker::{self, Shard, Sink};
use super::{keys, mouse};
use crate::base::lock;
use crate::domain::{
    Key, KeyCode, KeyEvent, KeyKind, LaneId, Modifiers, MouseEvent, MouseKind, PaneFrame, PaneText, ProgramState, Size,
};

/// Lines that one notch of the wheel moves a program that shows a full screen and takes no mouse.
const WHEEL_LINES: usize = 3;

/// How long a program may read nothing of a paste that waits for it.
const PASTE_PATIENCE: Duration = Duration::from_secs(10);

/// Counts the panes of this process: a pane's number is in its marker, which must be its alone.
static SERIAL: AtomicU64 = AtomicU64::new(1);

/// All panes of a workstation. Cheap to clone; the last clone dropped hangs up what still runs.
#[derive(Clone)]
pub struct Panes {
    inner: Arc<Inner>,
}

struct Inner {
    shards: Vec<Arc<Shard>>,
    panes: Mutex<HashMap<LaneId, Arc<Pane>>>,
    run: String,
}

impl Drop for Inner {
    fn drop(&mut self) {
        for pane in lock(&self.panes).values() {
            processes::hang_up(pane);
            forget(pane);
        }
        self.shards.iter().for_each(|shard| shard.stop());
    }
}

/// Lets the worker let go of a pane.
fn forget(pane: &Arc<Pane>) {
    pane.post(|mail| mail.closed = true);
}

impl std::fmt::Debug for Panes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Panes").field("open", &lock(&self.inner.panes).len()).finish_non_exhaustive()
    }
}

impl Panes {
    /// Starts the workers. The sink is called on their threads: it must be quick and must not block.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new(sink: impl Fn(PaneEvent) + Send + Sync + 'static) -> Result<Self, TerminalError> {
        let sink: Sink = Arc::new(sink);
        let shards = worker::start(&sink)
            .map_err(|source| TerminalError::System { doing: "start the screen workers", source })?;
        let own = std::process::id();
        let run = format!("{own}-{}", processes::start_time(own).unwrap_or_default());
        let inner = Inner { shards, panes: Mutex::default(), run };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Starts a program in the lane's pane. Takes some milliseconds; not for the event loop's thread.
    ///
    /// # Errors
    /// When the lane's pane still runs, or the program cannot be started.
    pub fn open(&self, lane: LaneId, launch: &Launch) -> Result<ProcessIdentity, TerminalError> {
        if self.find(lane).is_ok_and(|pane| !pane.ended()) {
            return Err(TerminalError::StillRunning { lane });
        }
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let marker = format!("{}-{serial}", self.inner.run);
        let launch::Started { tty, child, identity } = launch::start(lane, launch, &marker)?;
        let shard = &self.inner.shards[serial as usize % self.inner.shards.len()];
        let pane = Arc::new(Pane {
            lane,
            serial,
            tty,
            identity,
            marker,
            opened: Instant::now(),
            size: launch.size,
            colours: launch.colours.clone(),
            shard: Arc::clone(shard),
            mail: Mutex::new(Mail::default()),
            reaped: std::sync::Condvar::new(),
            outbox: Mutex::new(Outbox::default()),
            writing: std::sync::atomic::AtomicBool::new(false),
            given: std::sync::atomic::AtomicU64::new(0),
            paste: Mutex::new(Paste::default()),
            known: Mutex::new(Known::default()),
            hooks: Mutex::new(Hooks { governed: launch.governed.is_some(), ..Hooks::default() }),
            screen: launch.governed,
            slot: Mutex::new(None),
            status: tokio::sync::Notify::new(),
            delivering: std::sync::atomic::AtomicBool::new(false),
            focused: std::sync::atomic::AtomicBool::new(false),
        });
        let exit = processes::exit_watch(identity.pid);
        pane.post(|mail| mail.program = Some(Program { child, exit }));
        let old = lock(&self.inner.panes).insert(lane, pane);
        if let Some(old) = old {
            forget(&old);
        }
        Ok(identity)
    }

    fn find(&self, lane: LaneId) -> Result<Arc<Pane>, TerminalError> {
        lock(&self.inner.panes).get(&lane).map(Arc::clone).ok_or(TerminalError::NoPane { lane })
    }

    /// The pane itself, for tests that look inside.
    #[cfg(test)]
    pub(super) fn pane_of(&self, lane: LaneId) -> Arc<Pane> {
        self.find(lane).unwrap()
    }

    /// The latest frame; none before the first one or without a pane. Never waits for parsing.
    #[must_use]
    pub fn frame(&self, lane: LaneId) -> Option<Arc<PaneFrame>> {
        lock(&self.find(lane).ok()?.slot).clone()
    }

    /// Scroll-back and screen as text, frozen: what the program wrote until now. Costs little, the text is shared.
    ///
    /// # Errors
    /// Without a pane, when it is closed meanwhile, or when too many ask at once.
    pub async fn text(&self, lane: LaneId) -> Result<PaneText, TerminalError> {
        let asked = self.find(lane)?.ask_all().ok_or(TerminalError::NoAnswer { lane })?;
        asked.await.map_err(|_| TerminalError::NoAnswer { lane })
    }

    /// Whether frames of this lane are wanted. A pane begins hidden.
    ///
    /// # Errors
    /// Without a pane.
    pub fn set_visible(&self, lane: LaneId, visible: bool) -> Result<(), TerminalError> {
        let pane = self.find(lane)?;
        if lock(&pane.mail).visible != visible {
            pane.post(|mail| mail.visible = visible);
        }
        Ok(())
    }

    /// Gives the pane a new size. A storm of sizes comes to the last one.
    ///
    /// # Errors
    /// Without a pane.
    pub fn resize(&self, lane: LaneId, size: Size) -> Result<(), TerminalError> {
        self.find(lane)?.post(|mail| mail.resize = Some(size));
        Ok(())
    }

    /// Gives the pane the colours that are seen in it from now on; its program is told if it wants to know.
    ///
    /// # Errors
    /// Without a pane.
    pub fn set_colours(&self, lane: LaneId, colours: Colours) -> Result<(), TerminalError> {
        self.find(lane)?.post(|mail| mail.colours = Some(colours));
        Ok(())
    }

    /// The program's hooks prove what it is at; `begun` says that it took what was typed.
    ///
    /// # Errors
    /// Without a pane.
    pub fn word(&self, lane: LaneId, state: ProgramState, begun: bool) -> Result<(), TerminalError> {
        let pane = self.find(lane)?;
        let told = lock(&pane.known).told;
        let draft = lock(&pane.mail).draft;
        let asks = |state| matches!(state, Some(ProgramState::Blocked(_)));
        let (asked, before);
        {
            let mut hooks = lock(&pane.hooks);
            asked = asks(hooks.state);
            if !asked {
                hooks.draft_before = draft;
            }
            before = hooks.draft_before;
            if !begun && (hooks.state, hooks.after) == (Some(state), told) {
                // Nobody who waits for news need wake up.
                return Ok(());
            }
            (hooks.state, hooks.after) = (Some(state), told);
            hooks.begun += u64::from(begun);
        }
        // What was typed while it asked answered that, and is no part of a prompt.
        let answered = asked && !asks(Some(state));
        pane.post(|mail| mail.draft = if answered { before } else { mail.draft });
        pane.status.notify_waiters();
        Ok(())
    }

    /// Types a key once all these words stand on the screen. False when they do not within this time: then nothing was
    /// typed.
    ///
    /// # Errors
    /// Without a pane, when its program has ended, or when it does not read.
    pub async fn answer(
        &self,
        lane: LaneId,
        words: &[String],
        key: Key,
        within: Duration,
    ) -> Result<bool, TerminalError> {
        let pane = self.find(lane)?;
        if !deliver::shows(&pane, words, within).await {
            return Ok(false);
        }
        let draft = lock(&pane.mail).draft;
        self.key(lane, key)?;
        // It answers the dialog and is no part of a prompt.
        pane.post(|mail| mail.draft = draft);
        Ok(true)
    }

    /// Types a key, as the program asked for its keys. Written at once, past all queues.
    ///
    /// # Errors
    /// Without a pane, when its program has ended, or when it does not read.
    pub fn key(&self, lane: LaneId, event: impl Into<KeyEvent>) -> Result<(), TerminalError> {
        let (pane, event) = (self.find(lane)?, event.into());
        let bytes = keys::encode(&event, &lock(&pane.known).modes);
        if bytes.is_empty() {
            return Ok(());
        }
        // Noted first: the echo may be there before the write returns. Letting a key go types nothing.
        if event.kind != KeyKind::Release {
            let interrupts = interrupts(&pane, event.key, &bytes);
            let enters = event.key.code == KeyCode::Enter && event.key.modifiers == Modifiers::NONE;
            // Programs give the line up when they are interrupted.
            pane.note_typed(enters || interrupts, Instant::now());
            if interrupts && pane.interrupt() {
                return Ok(());
            }
        }
        pane.send(&bytes)
    }

    /// Pastes a piece of text; the first and the last piece of a paste say so.
    ///
    /// # Errors
    /// As [`Panes::key`]. A piece that is refused breaks the paste off: later pieces are dropped, and the
    /// program still gets the end marker.
    pub fn paste(&self, lane: LaneId, text: &str, first: bool, last: bool) -> Result<(), TerminalError> {
        let pane = self.find(lane)?;
        let bracketed = lock(&pane.known).modes.bracketed_paste;
        pane.note_typed(false, Instant::now());
        let mut paste = lock(&pane.paste);
        let bytes = paste.piece(text, first, last, bracketed);
        if bytes == Paste::end_marker() {
            return pane.send_closing(&bytes);
        }
        let sent = pane.send(&bytes);
        if sent.is_err() && paste.refused(first, last) {
            pane.send_closing(Paste::end_marker())?;
        }
        sent
    }

    /// Whether the pane takes more of a paste now; [`Panes::paste_room`] waits for it.
    #[must_use]
    pub fn has_paste_room(&self, lane: LaneId) -> bool {
        self.find(lane).map_or(true, |pane| pane.has_paste_room())
    }

    /// Resolves when the pane takes more of a paste: its program has read most of what it was given. A pane that is
    /// gone takes everything. One whose program reads nothing at all for ten seconds has its paste broken off.
    ///
    /// # Errors
    /// [`TerminalError::PasteBroken`], once for each paste: the rest of it is dropped.
    pub async fn paste_room(&self, lane: LaneId) -> Result<(), TerminalError> {
        self.paste_room_within(lane, PASTE_PATIENCE).await
    }

    pub(super) async fn paste_room_within(&self, lane: LaneId, patience: Duration) -> Result<(), TerminalError> {
        let Ok(pane) = self.find(lane) else { return Ok(()) };
        let drained = lock(&pane.outbox).drained();
        let mut taken = None;
        loop {
            let room = drained.notified();
            tokio::pin!(room);
            // Listened for before it is looked at, so that no drain falls in between.
            room.as_mut().enable();
            if pane.has_paste_room() {
                return Ok(());
            }
            let written = lock(&pane.outbox).written();
            if taken.replace(written) == Some(written) {
                return match pane.break_paste() {
                    Some(taken) => Err(TerminalError::PasteBroken { lane, taken }),
                    None => Ok(()),
                };
            }
            // Either way it is looked at again.
            let _ = tokio::time::timeout(patience, room).await;
        }
    }

    /// Gives the mouse to the program; cells are relative to the pane.
    ///
    /// # Errors
    /// As [`Panes::key`].
    pub fn mouse(&self, lane: LaneId, event: MouseEvent) -> Result<PointerUse, TerminalError> {
        let pane = self.find(lane)?;
        let modes = lock(&pane.known).modes;
        // Another window's size may leave room around the picture: nothing there is the program's.
        let size = lock(&pane.slot).as_ref().map_or(pane.size, |frame| frame.size);
        let Some(event) = mouse::inside(event, size) else { return Ok(PointerUse::NotWanted) };
        if let Some(bytes) = mouse::encode(event, modes.mouse, modes.mouse_encoding) {
            pane.send(&bytes)?;
            return Ok(PointerUse::Sent);
        }
        // Pagers and the like scroll by cursor keys on the alternate screen, as xterm does it.
        let arrow = match event.kind {
            MouseKind::WheelUp => KeyCode::Up,
            MouseKind::WheelDown => KeyCode::Down,
            _ => return Ok(PointerUse::NotWanted),
        };
        if modes.mouse != mouse::Wanted::Nothing || !(modes.alternate_screen && modes.alternate_scroll) {
            return Ok(PointerUse::NotWanted);
        }
        pane.send(&keys::encode(&Key::plain(arrow).into(), &modes).repeat(WHEEL_LINES))?;
        Ok(PointerUse::Sent)
    }

    /// Tells the program that it got or lost the focus, if it asked or as soon as it asks.
    ///
    /// # Errors
    /// As [`Panes::key`].
    pub fn focus(&self, lane: LaneId, focused: bool) -> Result<(), TerminalError> {
        let pane = self.find(lane)?;
        // Kept first: the worker that learns of the wish in between tells it then.
        let was = pane.focused.swap(focused, Ordering::SeqCst);
        if was == focused || !lock(&pane.known).modes.focus {
            return Ok(());
        }
        pane.tell_focus(focused)
    }

    /// Gives a prompt to the pane's program: waits until it is ready (design §5), for as long as that
    /// takes, then types the text and submits it, and looks for evidence that it was taken.
    ///
    /// Dropped before the text was typed, nothing has happened; dropped later, the text may stand
    /// unsubmitted, and nothing more is delivered until the person has pressed Enter.
    ///
    /// # Errors
    /// When nothing was typed: without a pane, after its end, for a text that the program cannot take, or
    /// while another prompt is being delivered.
    pub async fn deliver(&self, lane: LaneId, text: &str) -> Result<Delivery, TerminalError> {
        deliver::deliver(&self.find(lane)?, text).await
    }

    /// Resolves when the program waits for input again: what it was given is done.
    ///
    /// # Errors
    /// Without a pane, or when its program ended first.
    pub async fn finished(&self, lane: LaneId) -> Result<(), TerminalError> {
        deliver::finished(&self.find(lane)?).await
    }

    /// Ends the program and all that it started: HUP and TERM, KILL after 2 s. The pane stays readable.
    ///
    /// # Errors
    /// Without a pane, or when the system gives no thread to do it.
    pub async fn end(&self, lane: LaneId) -> Result<Ended, TerminalError> {
        let pane = self.find(lane)?;
        let (done, result) = oneshot::channel();
        // A thread of its own: it waits for processes, also when no runtime is left to wait on.
        std::thread::Builder::new()
            .name(format!("end-{lane}"))
            .spawn(move || {
                // The asker may have given up; the ending goes on.
                let _ = done.send(processes::end(&pane));
            })
            .map_err(|source| TerminalError::System { doing: "start a thread to end a pane", source })?;
        result.await.map_err(|_| TerminalError::NoAnswer { lane })
    }

    /// Ends what runs in the lane's pane and forgets the pane.
    ///
    /// # Errors
    /// As [`Panes::end`].
    pub async fn close(&self, lane: LaneId) -> Result<Ended, TerminalError> {
        let ended = self.end(lane).await?;
        let removed = lock(&self.inner.panes).remove(&lane);
        if let Some(pane) = removed {
            forget(&pane);
        }
        Ok(ended)
    }
}

/// Whether it is the interrupt key, and the kernel makes a signal of it.
fn interrupts(pane: &Pane, key: Key, bytes: &[u8]) -> bool {
    key.modifiers.ctrl && pane.tty.line().and_then(|line| line.interrupt).is_some_and(|code| bytes == [code])
}
