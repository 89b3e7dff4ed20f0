//! Windows as the loop draws them: a ratatui terminal each, frames out by number, acknowledged by the window.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use ratatui::Terminal;
use tokio::sync::mpsc;

use crate::app::State;
use crate::base::Report;
use crate::domain::{LaneId, PaneFrame, Size, WindowId};
use crate::protocol::{self, ServerMessage};
use crate::ui::backend::WindowBackend;
use crate::ui::{self, Theme};

use super::connection::{IN_FLIGHT, WindowClient};

/// The least time between two frames of one window, unless a key waits for its echo.
const FRAME: Duration = Duration::from_millis(16);

/// Frames of the panes that are shown.
pub(super) type Frames = BTreeMap<LaneId, Arc<PaneFrame>>;

/// One window's screen.
pub(super) struct Screen {
    terminal: Terminal<WindowBackend>,
    theme: Theme,
    out: mpsc::Sender<Vec<u8>>,
    shown: Arc<AtomicU64>,
    ended: Arc<AtomicBool>,
    sent: u64,
    drawn: Option<Instant>,
    dirty: bool,
    urgent: bool,
}

impl Screen {
    /// A screen for a window that has just attached.
    pub fn new(client: &WindowClient, theme: Theme) -> Result<Self, Report> {
        let backend = WindowBackend::new(client.hello.size, ui::backend::ColourDepth::of(&client.hello));
        let terminal =
            Terminal::new(backend).map_err(|e| Report::internal(format!("the window's screen cannot be made: {e}")))?;
        Ok(Self {
            terminal,
            theme,
            out: client.out.clone(),
            shown: Arc::clone(&client.shown),
            ended: Arc::clone(&client.ended),
            sent: 0,
            drawn: None,
            dirty: true,
            urgent: true,
        })
    }

    /// Something may look different now.
    pub fn touch(&mut self) {
        self.dirty = true;
    }

    /// A key was typed: what waits to be drawn is drawn at once.
    pub fn hurry_if_dirty(&mut self) {
        self.urgent = true;
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
        self.terminal.backend_mut().resize(size);
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
        Some(self.drawn.map_or(now, |at| at + FRAME))
    }

    /// Draws one frame and sends it out.
    pub fn draw(&mut self, state: &State, id: WindowId, frames: &Frames, wall: Timestamp, now: Instant) {
        // Drawing without room to send would lose what the terminal's model believes was shown.
        let Ok(slot) = self.out.try_reserve() else { return };
        let theme = &self.theme;
        let mut cursor_shape = None;
        let drawn = self.terminal.draw(|frame| cursor_shape = ui::view(state, id, frames, wall, theme, frame));
        self.dirty = false;
        self.urgent = false;
        self.drawn = Some(now);
        if drawn.is_err() {
            return;
        }
        let backend = self.terminal.backend_mut();
        backend.set_cursor_shape(cursor_shape);
        let bytes = backend.take();
        if !bytes.is_empty() {
            self.sent += 1;
            slot.send(protocol::encode_output(self.sent, &bytes));
        }
    }

    /// Sends bytes beside the frames: a bell, a notification, text for the clipboard.
    pub fn beside(&mut self, bytes: &[u8]) {
        if let Ok(slot) = self.out.try_reserve() {
            self.sent += 1;
            slot.send(protocol::encode_output(self.sent, bytes));
        }
    }

    /// Sends a message. A window that does not read it is gone or will be ended.
    pub fn tell(&self, message: &ServerMessage) {
        if matches!(message, ServerMessage::Ended { .. }) {
            self.ended.store(true, Ordering::Release);
        }
        if let Ok(bytes) = protocol::encode_message(message) {
            let _ = self.out.try_send(bytes);
        }
    }
}
