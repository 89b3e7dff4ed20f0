//! Saved cursors (DECSC, `CSI s`, ?1048, ?1049), one per screen.

use super::Filter;
use super::charsets::Charsets;
use super::engine::Engine;
use super::pen::Pen;
use super::window::Window;

/// What is saved with the cursor. The place counts from 0 and may lie outside a screen that shrank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::terminal) struct Saved {
    pub(in crate::terminal) row: u16,
    pub(in crate::terminal) column: u16,
    pub(super) pen: Pen,
    pub(super) charsets: Charsets,
    pub(super) origin: bool,
}

impl Filter {
    /// Saves the cursor of the screen in view.
    pub(super) fn save(&mut self, out: &mut Window<'_, impl Engine>) {
        let screen = out.engine().screen();
        let (row, column) = screen.cursor_position();
        let slot = usize::from(screen.alternate_screen());
        let column = column.min(screen.size().1.get() - 1);
        self.saved[slot] = Some(Saved { row, column, pen: self.pen, charsets: self.charsets, origin: self.origin });
    }

    /// Goes back to the cursor that the screen in view has saved, or to the upper left corner.
    pub(super) fn restore_cursor(&mut self, out: &mut Window<'_, impl Engine>) {
        let slot = usize::from(out.engine().screen().alternate_screen());
        let saved = self.saved[slot].unwrap_or_default();
        self.charsets = saved.charsets;
        // A link is not saved: it ends where the program says so.
        self.pen = Pen { link: self.pen.link, ..saved.pen };
        let mut bytes = Vec::with_capacity(64);
        if self.origin != saved.origin {
            self.origin = saved.origin;
            bytes.extend_from_slice(if saved.origin { b"\x1b[?6h" } else { b"\x1b[?6l" });
        }
        self.pen.write(&mut bytes);
        self.go(saved.row, saved.column, &mut bytes);
        out.engine().feed(&bytes);
        self.retag(out);
        moved_up(out);
    }

    /// Adds the sequence that moves to a place of the screen, counted from 0.
    pub(super) fn go(&self, row: u16, column: u16, out: &mut Vec<u8>) {
        let top = if self.origin { self.region.map_or(0, |(top, _)| top) } else { 0 };
        let (row, column) = (row.saturating_sub(top).saturating_add(1), column.saturating_add(1));
        out.extend_from_slice(format!("\x1b[{row};{column}H").as_bytes());
    }
}

/// Tells the engine of a move that may have gone up.
pub(super) fn moved_up(out: &mut Window<'_, impl Engine>) {
    let engine = out.engine();
    if !engine.screen().alternate_screen() {
        engine.moved_up();
    }
}
