//! Modes, the scroll region, the two screens and resets.

use vt100::{MouseProtocolEncoding, MouseProtocolMode};

use super::charsets::Charsets;
use super::cursor::moved_up;
use super::engine::Engine;
use super::pen::Pen;
use super::window::Window;
use super::{Csi, Filter};

impl Filter {
    /// SM, RM, DECSET and DECRST. True: the sequence passes as it is.
    pub(super) fn set_modes(&mut self, csi: &Csi<'_>, out: &mut Window<'_, impl Engine>) -> bool {
        let on = csi.last == b'h';
        let private = csi.marker == b'?';
        if private && csi.numbers().all(|mode| matches!(mode, 1 | 25 | 2004)) {
            return true;
        }
        for mode in csi.numbers() {
            if private { self.set_private(mode, on, out) } else { self.set_ansi(mode, on) }
        }
        false
    }

    fn set_ansi(&mut self, mode: u16, on: bool) {
        match mode {
            4 => self.insert = on,
            20 => self.newline = on,
            _ => {}
        }
    }

    fn set_private(&mut self, mode: u16, on: bool, out: &mut Window<'_, impl Engine>) {
        let end = if on { 'h' } else { 'l' };
        match mode {
            // DECCOLM: the size is the window's, but what goes with it is done, where mode 40 allows it as in xterm.
            3 if self.column_switch => {
                self.region = None;
                let mut bytes = b"\x1b[r\x1b[2J".to_vec();
                self.write_region(&mut bytes);
                bytes.extend_from_slice(b"\x1b[H");
                out.engine().feed(&bytes);
                moved_up(out);
            }
            5 => self.reversed = on,
            6 => {
                self.origin = on;
                out.engine().feed(format!("\x1b[?6{end}").as_bytes());
                moved_up(out);
            }
            7 => {
                self.wrap = on;
                let (column, columns) = super::text::place(out);
                // What was printed without wrapping leaves no wrap pending.
                if on && column >= columns {
                    out.engine().feed(format!("\x1b[{columns}G").as_bytes());
                }
            }
            47 | 1047 => {
                if mode == 1047 && !on && out.engine().screen().alternate_screen() {
                    out.engine().feed(b"\x1b[2J");
                }
                self.switch(on, out);
            }
            66 => out.engine().feed(if on { b"\x1b=" } else { b"\x1b>" }),
            1048 if on => self.save(out),
            1048 => self.restore_cursor(out),
            1049 if on => {
                self.save(out);
                self.switch(true, out);
                out.engine().feed(b"\x1b[2J");
            }
            1049 => {
                self.switch(false, out);
                self.restore_cursor(out);
            }
            // One tracking mode replaces the other, and the end of any ends tracking.
            9 | 1000 | 1002 | 1003 if !on => out.engine().feed(b"\x1b[?9;1000;1002;1003l"),
            1 | 9 | 25 | 1000 | 1002 | 1003 | 1005 | 1006 | 2004 => {
                out.engine().feed(format!("\x1b[?{mode}{end}").as_bytes());
            }
            _ => {
                if mode == 40 {
                    self.column_switch = on;
                }
                out.engine().parts().1.set(mode, on);
            }
        }
    }

    /// Shows one of the two screens. Cursor, region and origin are common to both.
    fn switch(&mut self, alternate: bool, out: &mut Window<'_, impl Engine>) {
        let screen = out.engine().screen();
        if screen.alternate_screen() == alternate {
            return;
        }
        let (row, column) = screen.cursor_position();
        let column = column.min(screen.size().1.get() - 1);
        let mut bytes = if alternate { b"\x1b[?47h".to_vec() } else { b"\x1b[?47l".to_vec() };
        self.write_region(&mut bytes);
        self.go(row, column, &mut bytes);
        let engine = out.engine();
        engine.feed(&bytes);
        engine.parts().1.keyboard.switch(alternate);
    }

    /// DECSTBM.
    pub(super) fn set_region(&mut self, csi: &Csi<'_>, out: &mut Window<'_, impl Engine>) {
        let rows = out.engine().screen().size().0.get();
        let top = csi.number(0).max(1) - 1;
        let bottom = Some(csi.number(1)).filter(|&row| row > 0 && row <= rows).unwrap_or(rows) - 1;
        if top >= bottom {
            return;
        }
        self.region = ((top, bottom) != (0, rows - 1)).then_some((top, bottom));
        let mut bytes = format!("\x1b[{};{}r", top + 1, bottom + 1).into_bytes();
        // The emulator goes to the region's first row, whatever the origin.
        bytes.extend_from_slice(b"\x1b[H");
        out.engine().feed(&bytes);
        moved_up(out);
    }

    /// Adds what sets region and origin; it moves the cursor.
    pub(super) fn write_region(&self, out: &mut Vec<u8>) {
        match self.region {
            Some((top, bottom)) => out.extend_from_slice(format!("\x1b[{};{}r", top + 1, bottom + 1).as_bytes()),
            None => out.extend_from_slice(b"\x1b[r"),
        }
        out.extend_from_slice(if self.origin { b"\x1b[?6h" } else { b"\x1b[?6l" });
    }

    /// RIS.
    pub(super) fn reset(&mut self, out: &mut Window<'_, impl Engine>) {
        let tags = std::mem::take(&mut self.tags);
        *self = Self { tags, ..Self::default() };
        self.tags.pen_link = None;
        let engine = out.engine();
        engine.feed(b"\x1bc");
        engine.parts().1.reset();
        moved_up(out);
    }

    /// DECSTR: the modes and the pen, but neither the screen nor the cursor's place.
    pub(super) fn soft_reset(&mut self, out: &mut Window<'_, impl Engine>) {
        let screen = out.engine().screen();
        let (row, column) = screen.cursor_position();
        let slot = usize::from(screen.alternate_screen());
        self.region = None;
        (self.origin, self.insert, self.newline, self.wrap) = (false, false, false, true);
        self.charsets = Charsets::default();
        self.pen = Pen { link: self.pen.link, ..Pen::default() };
        self.saved[slot] = None;
        let mut bytes = b"\x1b[?25h\x1b[?1l\x1b>".to_vec();
        self.write_region(&mut bytes);
        self.pen.write(&mut bytes);
        self.go(row, column, &mut bytes);
        let engine = out.engine();
        engine.feed(&bytes);
        engine.parts().1.keyboard.soft_reset();
        self.retag(out);
    }

    /// DECRQM for what is kept here or in the emulator: 1 set, 2 reset, 3 always set, 4 never.
    pub(super) fn mode(&self, private: bool, mode: u16, out: &mut Window<'_, impl Engine>) -> Option<u8> {
        let (screen, host) = out.engine().parts();
        let mouse = screen.mouse_protocol_mode();
        let encoding = screen.mouse_protocol_encoding();
        let on = match (private, mode) {
            (false, 4) => self.insert,
            (false, 20) => self.newline,
            (false, 2 | 12) => return Some(4),
            (false, _) => return None,
            (true, 1) => screen.application_cursor(),
            (true, 5) => self.reversed,
            (true, 6) => self.origin,
            (true, 7) => self.wrap,
            (true, 9) => mouse == MouseProtocolMode::Press,
            (true, 25) => !screen.hide_cursor(),
            (true, 47 | 1047 | 1049) => screen.alternate_screen(),
            (true, 66) => screen.application_keypad(),
            (true, 1000) => mouse == MouseProtocolMode::PressRelease,
            (true, 1002) => mouse == MouseProtocolMode::ButtonMotion,
            (true, 1003) => mouse == MouseProtocolMode::AnyMotion,
            (true, 1005) => encoding == MouseProtocolEncoding::Utf8,
            (true, 1006) => encoding == MouseProtocolEncoding::Sgr,
            (true, 1048) => self.saved[usize::from(screen.alternate_screen())].is_some(),
            (true, 2004) => screen.bracketed_paste(),
            (true, 2027) => return Some(3),
            (true, mode) => host.mode(mode)?,
        };
        Some(if on { 1 } else { 2 })
    }
}
