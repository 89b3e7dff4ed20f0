//! Windows as the loop draws them: a terminal each, frames out by number, acknowledged by the window.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use jiff::Timestamp;
use tokio::sync::mpsc;

use crate::app::{State, window};
use crate::base::Report;
use crate::domain::{LaneId, PaneFrame, Size, WindowId};
use crate::protocol::{self, ServerMessage};
use crate::ui::backend::Abilities;
use crate::ui::{Theme, WindowTerminal};

use super::connection::{IN_FLIGHT, WindowClient};
use super::desktop::Desktop;
use super::pace::Pace;

/// Frames of the panes that are shown.
pub(super) type Frames = BTreeMap<LaneId, Arc<PaneFrame>>;

/// One window's screen.
pub(super) struct Screen {
    terminal: WindowTerminal,
    /// The desktop it stands on.
    pub desktop: Desktop,
    theme: Theme,
    out: mpsc::Sender<Vec<u8>>,
    shown: Arc<AtomicU64>,
    ended: Arc<AtomicBool>,
    sent: u64,
    pace: Pace,
    dirty: bool,
    /// More than the pictures of panes may have changed.
    whole: bool,
    /// When something that is drawn changes by time alone.
    until: Option<Timestamp>,
    urgent: bool,
    /// What is shown next is not followed by more that is known of.
    rest: bool,
    /// Something more pressing is about to be done: nothing is drawn before this moment.
    held: Option<Instant>,
    /// What to ring for with the next frame.
    rings: VecDeque<String>,
    /// What to put on the clipboard with the next frame.
    clipboard: Option<String>,
}

/// Rings of one window that wait for its terminal; the oldest go first.
const RINGS: usize = 4;

impl Screen {
    /// A screen for a window that has just attached.
    pub fn new(client: &WindowClient, theme: Theme, desktop: Desktop) -> Self {
        let hello = &client.hello;
        let abilities = Abilities::of(&hello.term, hello.colorterm.as_deref(), hello.no_color);
        let terminal = WindowTerminal::new(hello.size, abilities);
        Self {
            terminal,
            desktop,
            theme,
            out: client.out.clone(),
            shown: Arc::clone(&client.shown),
            ended: Arc::clone(&client.ended),
            sent: 0,
            pace: Pace::default(),
            dirty: true,
            whole: true,
            until: None,
            urgent: true,
            rest: false,
            held: None,
            rings: VecDeque::new(),
            clipboard: None,
        }
    }

    /// Something may look different now.
    pub fn touch(&mut self) {
        self.dirty = true;
        self.whole = true;
    }

    /// Something may look different now, which the next frame will show.
    pub fn touch_later(&mut self) {
        self.whole = true;
    }

    /// A pane has something new to show. `echo` says that it answers a key, `rest` that nothing more is on its way.
    pub fn touch_pane(&mut self, echo: bool, rest: bool) {
        self.dirty = true;
        self.urgent |= echo;
        self.rest |= rest && !echo;
    }

    /// A key was typed: the next change is drawn at once.
    pub fn expect_change(&mut self) {
        self.urgent = true;
    }

    /// Whether more than pictures of panes may look different now.
    pub fn changes(&self, now: Timestamp) -> bool {
        self.whole || self.until.is_some_and(|until| until <= now)
    }

    /// Whether a key waits for its echo, which is there and can be drawn now.
    pub fn hurries(&self, now: Instant) -> bool {
        self.urgent && self.due(now).is_some()
    }

    /// What is shown next answers a key: it is not held back.
    pub fn hurry(&mut self) {
        self.touch();
        self.urgent = true;
    }

    /// Another theme, or the same.
    pub fn set_theme(&mut self, theme: Theme) {
        if self.theme != theme {
            self.theme = theme;
            self.hurry();
        }
    }

    /// Another size: everything is drawn anew.
    pub fn resize(&mut self, size: Size) {
        self.terminal.set_size(size);
        self.hurry();
    }

    /// Its terminal was another program's for a while: everything is drawn anew, over whatever stands there.
    pub fn reopen(&mut self) {
        self.terminal.reopen();
        self.hurry();
    }

    /// When it wants to be drawn; none when nothing changed, or its terminal is behind.
    pub fn due(&self, now: Instant) -> Option<Instant> {
        if !self.dirty || self.sent.saturating_sub(self.shown.load(Ordering::Acquire)) >= IN_FLIGHT {
            return None;
        }
        let due = if self.urgent { now } else { self.pace.due(self.rest).unwrap_or(now) };
        Some(self.held.map_or(due, |held| held.max(due)))
    }

    /// Draws nothing before this moment, or before it is released.
    pub const fn hold(&mut self, until: Instant) {
        self.held = Some(until);
    }

    /// What it was held for is done.
    pub const fn release(&mut self) {
        self.held = None;
    }

    /// Draws one frame and sends it out with what is to be rung and copied. Says when the next one is due although
    /// nothing happens.
    ///
    /// # Errors
    /// When this window cannot be drawn; the others can.
    pub fn draw(
        &mut self,
        state: &State,
        id: WindowId,
        frames: &Frames,
        wall: Timestamp,
        now: Instant,
    ) -> Result<Option<Timestamp>, Report> {
        self.dirty = false;
        self.urgent = false;
        self.rest = false;
        self.held = None;
        let whole = self.changes(wall);
        self.whole = false;
        self.signal(&state.settings.notify, &state.settings.project.name);
        // A fault in drawing is this window's alone. The state is only read, and this screen is given up.
        let drawn = catch_unwind(AssertUnwindSafe(|| {
            if whole {
                self.terminal.draw(state, id, frames, wall, &self.theme);
                self.until = window::next_deadline(state, id, wall);
            } else {
                self.terminal.draw_panes(state, id, frames, wall, &self.theme);
            }
        }));
        drawn.map_err(|_panic| Report::internal("drawing the window broke down"))?;
        self.send(now);
        Ok(self.until)
    }

    /// Rings and copies what waits.
    fn signal(&mut self, ways: &[String], project: &str) {
        let backend = self.terminal.signals();
        if !self.rings.is_empty() && ways.iter().any(|way| way == "bell") {
            backend.bell();
        }
        for text in self.rings.drain(..) {
            for way in ways {
                match way.as_str() {
                    "osc9" => backend.notify(&text),
                    "osc777" => backend.notify_with_title(project, &text),
                    _ => {}
                }
            }
        }
        if let Some(text) = self.clipboard.take() {
            // Text beyond what terminals take is not sent; the window said so when it was chosen.
            let _ = backend.copy(&text);
        }
    }

    /// Rings with the next frame: a terminal that is behind gets no queue of rings.
    pub fn ring(&mut self, text: &str) {
        self.rings.push_back(text.to_owned());
        if self.rings.len() > RINGS {
            self.rings.pop_front();
        }
        self.hurry();
    }

    /// Gives text to the terminal's clipboard with the next frame.
    pub fn copy(&mut self, text: String) {
        self.clipboard = Some(text);
        self.hurry();
    }

    /// Sends what the backend has written, if anything.
    fn send(&mut self, now: Instant) {
        // There is room: no frame is made while too many are on their way.
        let Ok(slot) = self.out.try_reserve() else { return };
        let bytes = self.terminal.take();
        self.pace.drawn(now, bytes.len());
        if !bytes.is_empty() {
            self.sent += 1;
            slot.send(protocol::encode_output(self.sent, &bytes));
        }
    }

    /// The way to its window, for as long as the window is there.
    pub fn line(&self) -> mpsc::WeakSender<Vec<u8>> {
        self.out.downgrade()
    }

    /// Sends a message: for a few beside the frames there is always room.
    pub fn tell(&self, message: &ServerMessage) {
        if matches!(message, ServerMessage::Ended { .. }) {
            self.ended.store(true, Ordering::Release);
        }
        if let Ok(bytes) = protocol::encode_message(message) {
            let _ = self.out.try_send(bytes);
        }
    }
}
