//! One window's terminal: frames and signals go in, bytes for the real terminal come out.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use jiff::Timestamp;
use ratatui::Terminal;
use ratatui::backend::Backend as _;

use crate::app::State;
use crate::domain::{LaneId, PaneFrame, Size, WindowId};

use super::backend::{ColourDepth, WindowBackend};
use super::{Theme, view};

/// A window's terminal as far as it has been drawn.
#[derive(Debug)]
pub struct WindowTerminal(Terminal<WindowBackend>);

impl WindowTerminal {
    /// An empty one.
    ///
    /// # Errors
    /// When its buffers cannot be made.
    pub fn new(size: Size, depth: ColourDepth) -> io::Result<Self> {
        Terminal::new(WindowBackend::new(size, depth)).map(Self)
    }

    /// It has another size: the next frame is drawn whole.
    pub fn set_size(&mut self, size: Size) {
        self.0.backend_mut().set_size(size);
    }

    /// Draws one frame. As ratatui's own `draw`, but the cursor's shape and the place where a hidden one
    /// rests are known only once the frame is made.
    ///
    /// # Errors
    /// When the frame cannot be drawn.
    pub fn draw(
        &mut self,
        state: &State,
        window: WindowId,
        frames: &BTreeMap<LaneId, Arc<PaneFrame>>,
        now: Timestamp,
        theme: &Theme,
    ) -> io::Result<()> {
        self.0.autoresize()?;
        let caret = view(state, window, frames, now, theme, &mut self.0.get_frame());
        self.0.flush()?;
        match caret.filter(|caret| caret.visible) {
            Some(caret) => {
                self.0.show_cursor()?;
                self.0.set_cursor_position(caret.at)?;
            }
            None => self.0.hide_cursor()?,
        }
        self.0.swap_buffers();
        let backend = self.0.backend_mut();
        backend.set_cursor_shape(caret.map(|caret| caret.shape).unwrap_or_default());
        backend.rest_cursor(caret.map(|caret| caret.at));
        backend.flush()
    }

    /// The backend, for bells, notifications and the clipboard.
    pub const fn signals(&mut self) -> &mut WindowBackend {
        self.0.backend_mut()
    }

    /// The bytes since the last time; empty when nothing changed.
    pub fn take(&mut self) -> Vec<u8> {
        self.0.backend_mut().take()
    }
}
