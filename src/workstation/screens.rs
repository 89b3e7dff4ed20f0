//! Windows as the loop draws them: a terminal each, frames out by number, acknowledged by the window.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::mpsc;

use crate::app::State;
use crate::base::Report;
use crate::domain::{LaneId, PaneFrame, Size, WindowId};
use crate::protocol::{self, ServerMessage};
use crate::ui::backend::ColourDepth;
use crate::ui::{Theme, WindowTerminal};

use super::connection::{IN_FLIGHT, WindowClient};

/// The least time between two frames of one window, unless a key waits for its echo.
pub(super) const FRAME: Duration = Duration::from_millis(16);
/// Bytes a second that a window gets at most, beside what answers keys: more clogs a slow line, and nobody
/// reads it.
const RATE: f64 = 2_000_000.0;

/// Frames of the panes that are shown.
pub(super) type Frames = BTreeMap<LaneId, Arc<PaneFrame>>;

/// One window's screen.
pub(super) struct Screen {
    terminal: WindowTerminal,
    theme: Theme,
    out: mpsc::Sender<Vec<u8>>,
    shown: Arc<AtomicU64>,
    ended: Arc<AtomicBool>,
    sent: u64,
    drawn: Option<Instant>,
    /// The least time between the last frame and the next, by what the last one cost.
    pause: Duration,
    dirty: bool,
    urgent: bool,
    /// What to ring for with the next frame.
    rings: VecDeque<String>,
    /// What to put on the clipboard with the next frame.
    clipboard: Option<String>,
}

/// Rings of one window that wait for its terminal; the oldest go first.
const RINGS: usize = 4;

impl Screen {
    /// A screen for a window that has just attached.
    pub fn new(client: &WindowClient, theme: Theme) -> Result<Self, Report> {
        let hello = &client.hello;
        let depth = ColourDepth::of(&hello.term, hello.colorterm.as_deref(), hello.no_color);
        let terminal = WindowTerminal::new(hello.size, depth)
            .map_err(|e| Report::internal(format!("the window's screen cannot be made: {e}")))?;
        Ok(Self {
            terminal,
            theme,
            out: client.out.clone(),
            shown: Arc::clone(&client.shown),
            ended: Arc::clone(&client.ended),
            sent: 0,
            drawn: None,
            pause: FRAME,
            dirty: true,
            urgent: true,
            rings: VecDeque::new(),
            clipboard: None,
        })
    }

    /// Something may look different now.
    pub fn touch(&mut self) {
        self.dirty = true;
    }

    /// A key was typed: the next change is drawn at once.
    pub fn expect_change(&mut self) {
        self.urgent = true;
    }

    /// Whether a key waits for its echo, which is there and can be drawn now.
    pub fn hurries(&self, now: Instant) -> bool {
        self.urgent && self.due(now).is_some()
    }

    /// What is shown next answers a key: it is not held back.
    pub fn hurry(&mut self) {
        self.dirty = true;
        self.urgent = true;
    }

    /// Another theme.
    pub fn set_theme(&mut self, theme: Theme) {
        self.theme = theme;
        self.hurry();
    }

    /// Another size: everything is drawn anew.
    pub fn resize(&mut self, size: Size) {
        self.terminal.set_size(size);
        self.hurry();
    }

    /// When it wants to be drawn; none when nothing changed, or its terminal is behind.
    pub fn due(&self, now: Instant) -> Option<Instant> {
        if !self.dirty || self.sent.saturating_sub(self.shown.load(Ordering::Acquire)) >= IN_FLIGHT {
            return None;
        }
        if self.urgent {
            return Some(now);
        }
        Some(self.drawn.map_or(now, |at| at + self.pause))
    }

    /// Draws one frame and sends it out with what is to be rung and copied.
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
    ) -> Result<(), Report> {
        self.dirty = false;
        self.urgent = false;
        self.drawn = Some(now);
        self.signal(&state.settings.notify, &state.settings.project.name);
        // A fault in drawing is this window's alone. The state is only read, and this screen is given up.
        match catch_unwind(AssertUnwindSafe(|| self.terminal.draw(state, id, frames, wall, &self.theme))) {
            Ok(Ok(())) => self.send(),
            Ok(Err(error)) => return Err(Report::internal(format!("the window cannot be drawn: {error}"))),
            Err(_panic) => return Err(Report::internal("drawing the window broke down")),
        }
        Ok(())
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
    fn send(&mut self) {
        // There is room: no frame is made while too many are on their way.
        let Ok(slot) = self.out.try_reserve() else { return };
        let bytes = self.terminal.take();
        self.pause = FRAME.max(Duration::from_secs_f64(bytes.len() as f64 / RATE));
        if !bytes.is_empty() {
            self.sent += 1;
            slot.send(protocol::encode_output(self.sent, &bytes));
        }
    }

    /// Sends a message: a greeting or a farewell, for which there is always room.
    pub fn tell(&self, message: &ServerMessage) {
        if matches!(message, ServerMessage::Ended { .. }) {
            self.ended.store(true, Ordering::Release);
        }
        if let Ok(bytes) = protocol::encode_message(message) {
            let _ = self.out.try_send(bytes);
        }
    }
}
