//! Windows as the loop draws them: a ratatui terminal each, frames out by number, acknowledged by the window.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use ratatui::Terminal;
use ratatui::backend::Backend as _;
use tokio::sync::mpsc;

use crate::app::State;
use crate::base::Report;
use crate::domain::{LaneId, PaneFrame, Size, WindowId};
use crate::protocol::{self, ServerMessage};
use crate::ui::backend::{ColourDepth, WindowBackend};
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
        let hello = &client.hello;
        let depth = ColourDepth::of(&hello.term, hello.colorterm.as_deref(), hello.no_color);
        let backend = WindowBackend::new(hello.size, depth);
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
        self.terminal.backend_mut().set_size(size);
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
        let drawn = self.render(state, id, frames, wall);
        self.dirty = false;
        self.urgent = false;
        self.drawn = Some(now);
        // The backend writes into memory and cannot fail.
        if drawn.is_ok() {
            self.send();
        }
    }

    /// One frame into the backend. As `Terminal::draw`, but the cursor's shape and the place where a hidden
    /// one rests are known only once the frame is made.
    fn render(&mut self, state: &State, id: WindowId, frames: &Frames, wall: Timestamp) -> io::Result<()> {
        self.terminal.autoresize()?;
        let caret = ui::view(state, id, frames, wall, &self.theme, &mut self.terminal.get_frame());
        self.terminal.flush()?;
        match caret.filter(|caret| caret.visible) {
            Some(caret) => {
                self.terminal.show_cursor()?;
                self.terminal.set_cursor_position(caret.at)?;
            }
            None => self.terminal.hide_cursor()?,
        }
        self.terminal.swap_buffers();
        let backend = self.terminal.backend_mut();
        backend.set_cursor_shape(caret.map(|caret| caret.shape).unwrap_or_default());
        backend.rest_cursor(caret.map(|caret| caret.at));
        backend.flush()
    }

    /// Rings once, in the ways that are configured.
    pub fn ring(&mut self, ways: &[String], project: &str, text: &str) {
        let backend = self.terminal.backend_mut();
        for way in ways {
            match way.as_str() {
                "bell" => backend.bell(),
                "osc9" => backend.notify(text),
                "osc777" => backend.notify_with_title(project, text),
                _ => {}
            }
        }
        self.send();
    }

    /// Gives text to the terminal's clipboard.
    pub fn copy(&mut self, text: &str) {
        // Text beyond what terminals take is not sent; the window said so when it was chosen.
        let _ = self.terminal.backend_mut().copy(text);
        self.send();
    }

    /// Sends what the backend has written. Without room it goes out with the next frame.
    fn send(&mut self) {
        let Ok(slot) = self.out.try_reserve() else { return };
        let bytes = self.terminal.backend_mut().take();
        if !bytes.is_empty() {
            self.sent += 1;
            slot.send(protocol::encode_output(self.sent, &bytes));
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
