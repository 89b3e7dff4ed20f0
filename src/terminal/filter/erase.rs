//! Line feeds and the scrolling, inserting and deleting that bring in blank cells.
//!
//! A blank cell that comes in has the pen's background (terminfo: bce); the emulator's have the default
//! one, so they are erased once more.

use super::cursor::moved_up;
use super::engine::Engine;
use super::window::Window;
use super::{Csi, Filter};
use crate::domain::Colour;
use crate::terminal::reflow;

impl Filter {
    /// First and last row of the scroll region.
    fn rows(&self, out: &mut Window<'_, impl Engine>) -> (u16, u16) {
        self.region.unwrap_or_else(|| (0, out.engine().screen().size().0.get() - 1))
    }

    /// LF and IND; with a return when asked.
    pub(super) fn line_feed(&mut self, with_return: bool, out: &mut Window<'_, impl Engine>) {
        let (_, bottom) = self.rows(out);
        let engine = out.engine();
        let scrolls = engine.screen().cursor_position().0 == bottom;
        engine.feed(if with_return { b"\r\n" } else { b"\n" });
        if scrolls && self.pen.background != Colour::Default {
            engine.feed(b"\x1b[2K");
        }
    }

    /// RI.
    pub(super) fn reverse_line_feed(&mut self, out: &mut Window<'_, impl Engine>) {
        let (top, _) = self.rows(out);
        let engine = out.engine();
        let row = engine.screen().cursor_position().0;
        // Above the region the emulator would scroll it.
        if row > 0 || top == 0 {
            engine.feed(b"\x1bM");
        }
        if row == top && self.pen.background != Colour::Default {
            engine.feed(b"\x1b[2K");
        }
        moved_up(out);
    }

    /// Before a row is erased whole: the row above does not go on in it any more.
    pub(super) fn part(&self, csi: &Csi<'_>, out: &mut Window<'_, impl Engine>) {
        let screen = out.engine().screen();
        let (row, column) = screen.cursor_position();
        let whole = match (csi.last, csi.number(0)) {
            (_, 0) => column == 0,
            (last, number) => (last, number) == (b'K', 2),
        };
        let Some(above) = row.checked_sub(1).filter(|above| whole && screen.row_wrapped(*above)) else { return };
        let last = screen.size().1.get() - 1;
        let wide = screen.cell(above, last).is_some_and(vt100::Cell::is_wide_continuation);
        let place = last - u16::from(wide);
        let Some(printed) = screen.cell(above, place).map(reflow::cell) else { return };
        let mut bytes = b"\x1b7".to_vec();
        self.go(above, place, &mut bytes);
        bytes.extend_from_slice(&printed);
        // Behind the last column the emulator inserts nothing, and takes the row for ended.
        bytes.extend_from_slice(b"\x1b[@\x1b8");
        out.engine().feed(&bytes);
    }

    /// Gives the blank cells that a sequence brought in the pen's background.
    pub(super) fn fill(&mut self, last: u8, count: u16, out: &mut Window<'_, impl Engine>) {
        if self.pen.background == Colour::Default {
            return;
        }
        let (top, bottom) = self.rows(out);
        let screen = out.engine().screen();
        let (row, column) = screen.cursor_position();
        let columns = screen.size().1.get();
        let inside = (top..=bottom).contains(&row);
        let mut bytes = b"\x1b7".to_vec();
        let blank = match last {
            b'@' => {
                bytes.extend_from_slice(format!("\x1b[{count}X").as_bytes());
                None
            }
            b'P' => {
                let count = count.min(columns - column.min(columns));
                if count > 0 {
                    bytes.extend_from_slice(format!("\x1b[{}G\x1b[{count}X", columns - count + 1).as_bytes());
                }
                None
            }
            b'L' if inside => Some((row, row.saturating_add(count - 1))),
            b'M' if inside => Some((row.max((bottom + 1).saturating_sub(count)), bottom)),
            b'S' => Some((top.max((bottom + 1).saturating_sub(count)), bottom)),
            b'T' => Some((top, top.saturating_add(count - 1))),
            _ => None,
        };
        if let Some((first, last)) = blank {
            for row in first..=last.min(bottom) {
                self.go(row, 0, &mut bytes);
                bytes.extend_from_slice(b"\x1b[2K");
            }
        }
        bytes.extend_from_slice(b"\x1b8");
        out.engine().feed(&bytes);
    }

    /// DECALN: the whole screen full of `E`.
    pub(super) fn align(&mut self, out: &mut Window<'_, impl Engine>) {
        self.region = None;
        self.origin = false;
        let (rows, columns) = out.engine().screen().size();
        let mut bytes = b"\x1b[?6l\x1b[r\x1b[0m".to_vec();
        for row in 1..=rows.get() {
            bytes.extend_from_slice(format!("\x1b[{row}H").as_bytes());
            bytes.extend(std::iter::repeat_n(b'E', usize::from(columns.get())));
        }
        bytes.extend_from_slice(b"\x1b[H");
        self.pen.write(&mut bytes);
        out.engine().feed(&bytes);
        moved_up(out);
    }
}
