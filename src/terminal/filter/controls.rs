//! Control characters and control sequences, one by one.

use super::Filter;
use super::cursor::moved_up;
use super::engine::Engine;
use super::pen::Extra;
use super::tabs::Tabs;
use super::text::place;
use super::window::Window;
use super::{Csi, sgr};
use crate::domain::Colour;

impl Filter {
    /// Takes a control character. True: it passes as it is.
    pub(super) fn control(&mut self, byte: u8, out: &mut Window<'_, impl Engine>) -> bool {
        match byte {
            0x0a..=0x0c if !self.lines_pass() => {
                self.line_feed(self.newline, out);
                false
            }
            0x08 => {
                settle(out);
                true
            }
            0x09 if !self.tabs.plain() || wraps(out) => {
                self.tab(1, true, out);
                false
            }
            0x0e | 0x0f => {
                self.charsets.shift(u8::from(byte == 0x0e));
                false
            }
            _ => true,
        }
    }

    /// Takes a whole sequence. First: whether it passes as it is; second: whether to stop behind it.
    pub(super) fn take(&mut self, sequence: &[u8], out: &mut Window<'_, impl Engine>) -> (bool, bool) {
        match sequence {
            [_, b'[', rest @ ..] => {
                let Some(csi) = Csi::read(rest) else { return (false, false) };
                let stop =
                    csi.marker == b'?' && csi.last == b'l' && csi.intermediate == 0 && csi.numbers().any(|n| n == 2026);
                (self.csi(&csi, sequence, out), stop)
            }
            [_, rest @ ..] => (self.escape(rest, out), false),
            [] => (false, false),
        }
    }

    /// Takes an escape sequence without its ESC. True: it passes as it is.
    fn escape(&mut self, rest: &[u8], out: &mut Window<'_, impl Engine>) -> bool {
        match *rest {
            [b'7'] => self.save(out),
            [b'8'] => self.restore_cursor(out),
            [b'D'] => self.line_feed(false, out),
            [b'E'] => {
                out.engine().feed(b"\r");
                self.line_feed(false, out);
            }
            [b'H'] => {
                let (column, columns) = place(out);
                self.tabs.set(column.min(columns - 1), true);
            }
            [b'M'] => self.reverse_line_feed(out),
            [b'N'] => self.charsets.shift_once(2),
            [b'O'] => self.charsets.shift_once(3),
            [b'n'] => self.charsets.shift(2),
            [b'o'] => self.charsets.shift(3),
            [b'=' | b'>'] => return true,
            [b'c'] => self.reset(out),
            [b'Z'] => self.ask(&Csi { marker: 0, parameters: b"", intermediate: 0, last: b'c' }, out),
            [b'#', b'8'] => self.align(out),
            [between, last] => {
                self.charsets.designate(between, last);
            }
            _ => {}
        }
        false
    }

    /// Takes a control sequence. True: it passes as it is.
    fn csi(&mut self, csi: &Csi<'_>, sequence: &[u8], out: &mut Window<'_, impl Engine>) -> bool {
        match (csi.marker, csi.intermediate, csi.last) {
            (0, 0, b'm') => return self.style(csi, out),
            // Up, and places that may lie above.
            (0, 0, b'A' | b'F' | b'H' | b'f') => {
                if csi.last == b'A' {
                    settle(out);
                }
                out.engine().feed(sequence);
                moved_up(out);
            }
            (0, 0, b'd') => {
                let (column, columns) = place(out);
                let row = csi.count() - 1;
                let mut bytes = Vec::new();
                // The emulator's own does not count from the region.
                let top = if self.origin { self.region.map_or(0, |(top, _)| top) } else { 0 };
                self.go(row.saturating_add(top), column.min(columns - 1), &mut bytes);
                out.engine().feed(&bytes);
                moved_up(out);
            }
            (0, 0, b'B' | b'D') => {
                settle(out);
                return true;
            }
            (0, 0, b'C' | b'E' | b'G' | b'`' | b'X') => return true,
            (0 | b'?', 0, b'J') if csi.number(0) == 3 => out.engine().clear_history(),
            (0 | b'?', 0, b'J' | b'K') => {
                self.part(csi, out);
                return true;
            }
            (0, b' ', b'q') => return true,
            (0, 0, b'@' | b'P' | b'L' | b'M' | b'S' | b'T') => {
                // Five parameters: a mouse mode that no one has.
                let scroll = csi.last != b'T' || csi.numbers().count() == 1;
                if scroll && self.pen.background == Colour::Default {
                    return true;
                }
                if scroll {
                    out.engine().feed(sequence);
                    self.fill(csi.last, csi.count(), out);
                }
            }
            (0, 0, b'^') => {
                make(csi.count(), b'T', out);
                self.fill(b'T', csi.count(), out);
            }
            (0, 0, b'a') => make(csi.count(), b'C', out),
            (0, 0, b'e') => {
                settle(out);
                make(csi.count(), b'B', out);
            }
            (0, 0, b'I') => self.tab(csi.count(), true, out),
            (0, 0, b'Z') => self.tab(csi.count(), false, out),
            (0, 0, b'g') => match csi.number(0) {
                0 => {
                    let (column, columns) = place(out);
                    self.tabs.set(column.min(columns - 1), false);
                }
                3 => self.tabs.clear(),
                _ => {}
            },
            (b'?', 0, b'W') if csi.number(0) == 5 => self.tabs = Tabs::default(),
            (0, 0, b'b') => self.repeat(csi.count(), out),
            (0, 0, b'r') => self.set_region(csi, out),
            (0, 0, b's') => self.save(out),
            (0, 0, b'u') => self.restore_cursor(out),
            (0 | b'?', 0, b'h' | b'l') => return self.set_modes(csi, out),
            (0, b'!', b'p') => self.soft_reset(out),
            _ => self.ask(csi, out),
        }
        false
    }

    /// SGR. True: it passes as it is.
    fn style(&mut self, csi: &Csi<'_>, out: &mut Window<'_, impl Engine>) -> bool {
        let native = sgr::apply(&mut self.pen, csi.parameters);
        if !native {
            let mut bytes = Vec::with_capacity(48);
            self.pen.write(&mut bytes);
            out.engine().feed(&bytes);
        }
        self.retag(out);
        native
    }

    /// Finds the tag for a pen that changed.
    pub(super) fn retag(&mut self, out: &mut Window<'_, impl Engine>) {
        let extra = self.pen.extra();
        if extra != self.extra {
            self.extra = extra;
            self.tag = if extra == Extra::default() { None } else { self.tags.pen(extra, out.engine()) };
        }
    }

    fn tab(&mut self, count: u16, forward: bool, out: &mut Window<'_, impl Engine>) {
        // Nothing is to the right of it, and what comes next still begins the next line.
        if forward && wraps(out) {
            return;
        }
        let (column, columns) = place(out);
        let column = column.min(columns - 1);
        let to = if forward { self.tabs.next(column, count, columns) } else { self.tabs.before(column, count) };
        make(to + 1, b'G', out);
    }

    /// Hands a query, or what only the host keeps, to the host.
    fn ask(&mut self, csi: &Csi<'_>, out: &mut Window<'_, impl Engine>) {
        let top = if self.origin { self.region.map_or(0, |(top, _)| top) } else { 0 };
        let known = if csi.last == b'p' && csi.intermediate == b'$' {
            self.mode(csi.marker == b'?', csi.number(0), out)
        } else {
            None
        };
        let (screen, host) = out.engine().parts();
        host.csi(screen, csi, top, known);
    }
}

/// Feeds a sequence with one number.
fn make(number: u16, last: u8, out: &mut Window<'_, impl Engine>) {
    out.engine().feed(format!("\x1b[{number}{}", char::from(last)).as_bytes());
}

/// Whether a wrap is pending: the next character goes to the next line.
fn wraps(out: &mut Window<'_, impl Engine>) -> bool {
    let (column, columns) = place(out);
    column >= columns
}

/// Ends a pending wrap: the cursor stands on the last column. The emulator counts it as one beyond, which
/// makes moves from there fall short.
fn settle(out: &mut Window<'_, impl Engine>) {
    if wraps(out) {
        let (_, columns) = place(out);
        make(columns, b'G', out);
    }
}
