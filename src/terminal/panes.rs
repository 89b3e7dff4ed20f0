//! [`Panes`]: the door of this room.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::sync::oneshot;

use super::deliver::{self, Delivery};
use super::error::TerminalError;
use super::event::{PaneEvent, PointerUse};
use super::launch::{self, Launch};
use super::outbox::Outbox;
use super::pane::{Known, Mail, Pane};
use super::paste::Paste;
use super::processes::{self, Ended, ProcessIdentity};
use super::worker::{self, Shard, Sink};
use super::{io, keys, mouse, wake};
use crate::base::lock;
use crate::domain::{Key, KeyCode, LaneId, Modifiers, MouseEvent, MouseKind, PaneFrame, Size};

/// Lines that one notch of the wheel moves a program that shows a full screen and takes no mouse.
const WHEEL_LINES: usize = 3;

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

/// Lets the threads of a pane go.
fn forget(pane: &Arc<Pane>) {
    pane.post(|mail| mail.closed = true);
    pane.wake.ring();
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
        let system = |doing| move |source| TerminalError::System { doing, source };
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let marker = format!("{}-{serial}", self.inner.run);
        let (wake, waiter) = wake::pair().map_err(system("make a pipe for a pane"))?;
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
            wake,
            mail: Mutex::new(Mail::default()),
            reaped: std::sync::Condvar::new(),
            outbox: Mutex::new(Outbox::default()),
            paste: Mutex::new(Paste::default()),
            known: Mutex::new(Known::default()),
            slot: Mutex::new(None),
            status: tokio::sync::Notify::new(),
            delivering: std::sync::atomic::AtomicBool::new(false),
        });
        // The worker makes the model now, so that what it knows (the cursor is shown) is right.
        pane.requeue();
        let exit = processes::exit_watch(identity.pid);
        if let Err(source) = io::start(Arc::clone(&pane), child, waiter, exit) {
            processes::hang_up(&pane);
            forget(&pane);
            return Err(TerminalError::System { doing: "start a pane's thread", source });
        }
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

    /// Moves the view by so many lines, back into the scroll-back when positive. Typing brings it home.
    ///
    /// # Errors
    /// Without a pane.
    pub fn scroll(&self, lane: LaneId, lines: i64) -> Result<(), TerminalError> {
        self.find(lane)?.post(|mail| mail.scroll = mail.scroll.saturating_add(lines));
        Ok(())
    }

    /// Types a key. Written at once, past all queues.
    ///
    /// # Errors
    /// Without a pane, when its program has ended, or when it does not read.
    pub fn key(&self, lane: LaneId, key: Key) -> Result<(), TerminalError> {
        let pane = self.find(lane)?;
        let bytes = keys::encode(key, lock(&pane.known).modes.application_cursor);
        // Noted first: the echo may be there before the write returns.
        pane.note_typed(submits(&pane, key, &bytes), Instant::now());
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

    /// Gives the mouse to the program; cells are relative to the pane.
    ///
    /// # Errors
    /// As [`Panes::key`].
    pub fn mouse(&self, lane: LaneId, event: MouseEvent) -> Result<PointerUse, TerminalError> {
        let pane = self.find(lane)?;
        let modes = lock(&pane.known).modes;
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
        if modes.mouse != mouse::Wanted::Nothing || !modes.alternate_screen {
            return Ok(PointerUse::NotWanted);
        }
        pane.send(&keys::encode(Key::plain(arrow), modes.application_cursor).repeat(WHEEL_LINES))?;
        Ok(PointerUse::Sent)
    }

    /// Tells the program that it got or lost the focus, if it asked.
    ///
    /// # Errors
    /// As [`Panes::key`].
    pub fn focus(&self, lane: LaneId, focused: bool) -> Result<(), TerminalError> {
        let pane = self.find(lane)?;
        if !lock(&pane.known).modes.focus {
            return Ok(());
        }
        pane.send(if focused { b"\x1b[I" } else { b"\x1b[O" })
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

    /// Resolves when the program is ready for a line again: what it was given is done.
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

/// Whether the key sends off what was typed: Enter alone, or the interrupt key where the kernel makes a
/// signal of it, since programs then give the line up.
fn submits(pane: &Pane, key: Key, bytes: &[u8]) -> bool {
    if key.code == KeyCode::Enter && key.modifiers == Modifiers::NONE {
        return true;
    }
    key.modifiers.ctrl && pane.tty.line().and_then(|line| line.interrupt).is_some_and(|code| bytes == [code])
}
