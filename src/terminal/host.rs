//! The terminal's side of the talk: answers to queries, titles, bell, notifications and the modes that
//! the emulator does not keep.
//!
//! Callbacks come in stream order with the screen as it is at that moment, so cursor reports are exact.
//! Kitty's keyboard query (`CSI ? u`) stays unanswered: an answer promises an encoding that we do not
//! speak, and every known program takes legacy keys when none comes. DA1, the sentinel that ends each
//! batch of queries, is answered at its place in the stream.

use vt100::{Callbacks, MouseProtocolEncoding, MouseProtocolMode, Screen};

use super::colours::{Colours, spec};

/// Answers kept for a program that asks without reading; what goes beyond is dropped.
const MAX_REPLIES: usize = 64 * 1024;
/// Characters of a title or a notification.
const MAX_TEXT: usize = 1024;
/// Titles that a program may save (`CSI 22 t`).
const MAX_TITLES: usize = 16;
/// Notifications between two looks of the worker.
const MAX_NOTES: usize = 4;
/// Cells in pixels, for programs that ask: no one measures the real font here.
const CELL: (u32, u32) = (8, 16);

/// What the callbacks gather.
#[derive(Debug)]
pub(super) struct Host {
    colours: Colours,
    /// Bytes to write back to the program, in order.
    pub(super) replies: Vec<u8>,
    /// The title.
    pub(super) title: String,
    titles: Vec<String>,
    /// How often the bell rang.
    pub(super) bells: u64,
    /// Texts to notify the person with.
    pub(super) notes: Vec<String>,
    /// A synchronized update is open (DECSET 2026).
    pub(super) synchronized: bool,
    /// Focus events are wanted (DECSET 1004).
    pub(super) focus: bool,
}

impl Host {
    pub(super) const fn new(colours: Colours) -> Self {
        Self {
            colours,
            replies: Vec::new(),
            title: String::new(),
            titles: Vec::new(),
            bells: 0,
            notes: Vec::new(),
            synchronized: false,
            focus: false,
        }
    }

    fn reply(&mut self, text: &str) {
        if self.replies.len() + text.len() <= MAX_REPLIES {
            self.replies.extend_from_slice(text.as_bytes());
        }
    }

    fn note(&mut self, text: String) {
        if !text.is_empty() && self.notes.len() < MAX_NOTES {
            self.notes.push(text);
        }
    }

    /// DECSET and DECRST of modes that the emulator does not know. A list may come several times.
    fn set(&mut self, modes: &[&[u16]], on: bool) {
        for mode in modes {
            match mode {
                [1004] => self.focus = on,
                [2026] => self.synchronized = on,
                _ => {}
            }
        }
    }

    /// DECRQM: 1 set, 2 reset, 3 always set, 0 unknown.
    fn mode(&self, screen: &Screen, mode: u16) -> u8 {
        let mouse = screen.mouse_protocol_mode();
        let encoding = screen.mouse_protocol_encoding();
        let on = match mode {
            1 => screen.application_cursor(),
            // Text always wraps at the margin here.
            7 => return 3,
            9 => mouse == MouseProtocolMode::Press,
            25 => !screen.hide_cursor(),
            47 | 1049 => screen.alternate_screen(),
            1000 => mouse == MouseProtocolMode::PressRelease,
            1002 => mouse == MouseProtocolMode::ButtonMotion,
            1003 => mouse == MouseProtocolMode::AnyMotion,
            1004 => self.focus,
            1005 => encoding == MouseProtocolEncoding::Utf8,
            1006 => encoding == MouseProtocolEncoding::Sgr,
            2004 => screen.bracketed_paste(),
            2026 => self.synchronized,
            _ => return 0,
        };
        if on { 1 } else { 2 }
    }

    /// `CSI … t`: sizes and the stack of titles.
    fn window(&mut self, screen: &Screen, parameters: &[&[u16]]) {
        let (rows, columns) = screen.size();
        let (rows, columns) = (u32::from(rows.get()), u32::from(columns.get()));
        match parameters.first() {
            Some([14]) => self.reply(&format!("\x1b[4;{};{}t", rows * CELL.1, columns * CELL.0)),
            Some([16]) => self.reply(&format!("\x1b[6;{};{}t", CELL.1, CELL.0)),
            Some([18]) => self.reply(&format!("\x1b[8;{rows};{columns}t")),
            Some([22]) if self.titles.len() < MAX_TITLES => self.titles.push(self.title.clone()),
            Some([23]) => self.title = self.titles.pop().unwrap_or_else(|| std::mem::take(&mut self.title)),
            _ => {}
        }
    }

    /// OSC 4 with pairs of number and colour.
    fn palette(&mut self, pairs: &[&[u8]]) {
        for pair in pairs.chunks_exact(2) {
            if pair[1] == b"?"
                && let Some(index) = std::str::from_utf8(pair[0]).ok().and_then(|text| text.parse().ok())
            {
                self.reply(&format!("\x1b]4;{index};{}\x1b\\", spec(self.colours.indexed(index))));
            }
        }
    }

    /// OSC 10, 11, 12: each further parameter is for the next number.
    fn dynamic(&mut self, first: u8, questions: &[&[u8]]) {
        for (number, question) in (first..=12).zip(questions) {
            if *question == b"?" {
                let colour = match number {
                    10 => self.colours.foreground,
                    11 => self.colours.background,
                    _ => self.colours.cursor,
                };
                self.reply(&format!("\x1b]{number};{}\x1b\\", spec(colour)));
            }
        }
    }
}

/// The parts of an OSC put together again: `;` in a text splits it.
fn text(parts: &[&[u8]]) -> String {
    String::from_utf8_lossy(&parts.join(&b';')).chars().take(MAX_TEXT).collect()
}

impl Callbacks for Host {
    fn audible_bell(&mut self, _: &mut Screen) {
        self.bells += 1;
    }

    fn set_window_title(&mut self, _: &mut Screen, title: &[u8]) {
        self.title = text(&[title]);
    }

    fn unhandled_csi(&mut self, screen: &mut Screen, i1: Option<u8>, i2: Option<u8>, parameters: &[&[u16]], c: char) {
        let first = parameters.first().and_then(|p| p.first()).copied().unwrap_or(0);
        match (i1, i2, c) {
            (Some(b'?'), None, 'h') => self.set(parameters, true),
            (Some(b'?'), None, 'l') => self.set(parameters, false),
            // DA1: a VT220 with colours.
            (None, None, 'c') if first == 0 => self.reply("\x1b[?62;22c"),
            // DA2: 277 is the first xterm with SGR mouse, which programs infer from this number.
            (Some(b'>'), None, 'c') if first == 0 => self.reply("\x1b[>1;277;0c"),
            (Some(b'>'), None, 'q') if first == 0 => {
                self.reply(concat!("\x1bP>|paralane ", env!("CARGO_PKG_VERSION"), "\x1b\\"));
            }
            (None, None, 'n') if first == 5 => self.reply("\x1b[0n"),
            (None | Some(b'?'), None, 'n') if first == 6 => {
                let (row, column) = screen.cursor_position();
                // With a wrap pending the emulator's column lies behind the last one.
                let column = column.min(screen.size().1.get() - 1);
                let mark = if i1.is_some() { "?" } else { "" };
                self.reply(&format!("\x1b[{mark}{};{}R", row + 1, column + 1));
            }
            (Some(b'?'), None, 'n') if first == 996 => {
                self.reply(if self.colours.dark() { "\x1b[?997;1n" } else { "\x1b[?997;2n" });
            }
            (Some(b'?'), Some(b'$'), 'p') => {
                let state = self.mode(screen, first);
                self.reply(&format!("\x1b[?{first};{state}$y"));
            }
            (Some(b'$'), None, 'p') => self.reply(&format!("\x1b[{first};0$y")),
            (None, None, 't') => self.window(screen, parameters),
            _ => {}
        }
    }

    fn unhandled_escape(&mut self, _: &mut Screen, i1: Option<u8>, _: Option<u8>, b: u8) {
        // DECID, the old form of DA1.
        if i1.is_none() && b == b'Z' {
            self.reply("\x1b[?62;22c");
        }
    }

    fn unhandled_osc(&mut self, _: &mut Screen, parameters: &[&[u8]]) {
        match parameters {
            // A title with `;` in it.
            [b"0" | b"2", parts @ ..] => self.title = text(parts),
            [b"4", pairs @ ..] => self.palette(pairs),
            [b"10", questions @ ..] => self.dynamic(10, questions),
            [b"11", questions @ ..] => self.dynamic(11, questions),
            [b"12", questions @ ..] => self.dynamic(12, questions),
            // `9;4;…` is a progress bar, not a message.
            [b"9", b"4", ..] => {}
            [b"9", parts @ ..] => self.note(text(parts)),
            [b"777", b"notify", title, body @ ..] => {
                let (title, body) = (text(&[title]), text(body));
                self.note(if body.is_empty() { title } else { format!("{title}: {body}") });
            }
            _ => {}
        }
    }
}
