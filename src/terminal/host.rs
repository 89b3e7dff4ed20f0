//! The terminal's side of the talk: answers to queries, titles, bell, notifications and the modes that
//! the emulator does not keep.
//!
//! The filter hands over queries and strings in stream order, with the screen as it is at that moment,
//! so cursor reports are exact and DA1, the sentinel that ends each batch of queries, is answered last.

mod keyboard;

use keyboard::Keyboard;
use vt100::capture::RowContents;
use vt100::{Callbacks, Screen};

use super::asides::Asides;
use super::colours::Colours;
use super::filter::Csi;
use super::history::History;
use super::notices::text;
use super::reflow::live::Live;

/// Answers kept for a program that asks without reading; what goes beyond is dropped.
const MAX_REPLIES: usize = 64 * 1024;
/// Titles that a program may save (`CSI 22 t`).
const MAX_TITLES: usize = 16;
/// Cells in pixels, for programs that ask: no one measures the real font here.
const CELL: (u32, u32) = (8, 16);

/// What is gathered.
#[derive(Debug)]
pub(super) struct Host {
    /// What the program tells and asks beside its screen.
    pub(super) asides: Asides,
    /// Bytes to write back to the program, in order.
    pub(super) replies: Vec<u8>,
    /// The title.
    pub(super) title: String,
    titles: Vec<String>,
    /// How often the bell rang.
    pub(super) bells: u64,
    /// A synchronized update is open (DECSET 2026).
    pub(super) synchronized: bool,
    /// Focus events are wanted (DECSET 1004).
    pub(super) focus: bool,
    /// A change between dark and light is to be told (DECSET 2031).
    pub(super) colour_reports: bool,
    /// The wheel sends arrows on the alternate screen (DECSET 1007).
    pub(super) alternate_scroll: bool,
    /// The mouse is reported in urxvt's form (DECSET 1015).
    pub(super) urxvt_mouse: bool,
    /// The cursor blinks (DECSET 12).
    blink: bool,
    /// How keys are to be encoded.
    pub(super) keyboard: Keyboard,
    /// What has scrolled off.
    pub(super) history: History,
    /// What will be repainted.
    pub(super) live: Live,
}

impl Host {
    pub(super) fn new(colours: Colours) -> Self {
        Self {
            asides: Asides::new(colours),
            replies: Vec::new(),
            title: String::new(),
            titles: Vec::new(),
            bells: 0,
            synchronized: false,
            focus: false,
            colour_reports: false,
            alternate_scroll: true,
            urxvt_mouse: false,
            blink: false,
            keyboard: Keyboard::default(),
            history: History::default(),
            live: Live::default(),
        }
    }

    /// RIS: what the program asked for is forgotten; what it said stays said.
    pub(super) fn reset(&mut self) {
        self.titles.clear();
        (self.synchronized, self.focus, self.colour_reports) = (false, false, false);
        (self.alternate_scroll, self.urxvt_mouse, self.blink) = (true, false, false);
        self.keyboard = Keyboard::default();
        self.asides.reset();
    }

    /// Answers the program.
    pub(super) fn reply(&mut self, text: &str) {
        if self.replies.len() + text.len() <= MAX_REPLIES {
            self.replies.extend_from_slice(text.as_bytes());
        }
    }

    /// The terminal has other colours from now on.
    pub(super) fn set_colours(&mut self, colours: Colours) {
        if self.asides.set_colours(colours) && self.colour_reports {
            self.report_darkness();
        }
    }

    fn report_darkness(&mut self) {
        self.reply(if self.asides.dark() { "\x1b[?997;1n" } else { "\x1b[?997;2n" });
    }

    /// DECSET and DECRST of modes that neither the filter nor the emulator keeps.
    pub(super) fn set(&mut self, mode: u16, on: bool) {
        match mode {
            12 => self.blink = on,
            1004 => self.focus = on,
            1007 => self.alternate_scroll = on,
            1015 => self.urxvt_mouse = on,
            2026 => self.synchronized = on,
            2031 => self.colour_reports = on,
            _ => {}
        }
    }

    /// Whether one of these modes is set; none when it is unknown.
    pub(super) fn mode(&self, mode: u16) -> Option<bool> {
        Some(match mode {
            12 => self.blink,
            1004 => self.focus,
            1007 => self.alternate_scroll,
            1015 => self.urxvt_mouse,
            2026 => self.synchronized,
            2031 => self.colour_reports,
            _ => return None,
        })
    }

    /// A control sequence that changes nothing on the screen. `top` is the row that reports count from,
    /// `mode` the state of the mode that DECRQM asks for.
    pub(super) fn csi(&mut self, screen: &Screen, csi: &Csi<'_>, top: u16, mode: Option<u8>) {
        let first = csi.number(0);
        match (csi.marker, csi.intermediate, csi.last) {
            // DA1: a VT220 with colours.
            (0, 0, b'c') if first == 0 => self.reply("\x1b[?62;22c"),
            // DA2: 277 is the first xterm with SGR mouse, which programs infer from this number.
            (b'>', 0, b'c') if first == 0 => self.reply("\x1b[>1;277;0c"),
            // DA3: a unit number that says nothing.
            (b'=', 0, b'c') if first == 0 => self.reply("\x1bP!|00000000\x1b\\"),
            (b'>', 0, b'q') if first == 0 => {
                self.reply(concat!("\x1bP>|paralane ", env!("CARGO_PKG_VERSION"), "\x1b\\"));
            }
            (marker @ (0 | b'?'), 0, b'n') => self.status(screen, marker == b'?', first, top),
            (marker @ (0 | b'?'), b'$', b'p') => {
                let mark = if marker == b'?' { "?" } else { "" };
                self.reply(&format!("\x1b[{mark}{first};{}$y", mode.unwrap_or(0)));
            }
            (0, 0, b't') => self.window(screen, csi),
            // DECREQTPARM: no parity, 8 bits, 38,400 baud.
            (0, 0, b'x') if first <= 1 => self.reply(&format!("\x1b[{};1;1;128;128;1;0x", first + 2)),
            (b'?', 0, b'u') => self.reply(&format!("\x1b[?{}u", self.keyboard.flags())),
            (b'>', 0, b'u') => self.keyboard.push(first),
            (b'<', 0, b'u') => self.keyboard.pop(first),
            (b'=', 0, b'u') => self.keyboard.set(first, csi.number(1)),
            (b'>', 0, b'm') if first == 4 || csi.parameters.is_empty() => self.keyboard.set_other_keys(csi.number(1)),
            (b'>', 0, b'n') if first == 4 => self.keyboard.set_other_keys(0),
            (b'?', 0, b'm') if first == 4 => self.reply(&format!("\x1b[>4;{}m", self.keyboard.other_keys())),
            _ => {}
        }
    }

    /// DSR.
    fn status(&mut self, screen: &Screen, private: bool, what: u16, top: u16) {
        match (private, what) {
            (false, 5) => self.reply("\x1b[0n"),
            (_, 6) => {
                let (row, column) = screen.cursor_position();
                // With a wrap pending the emulator's column lies behind the last one.
                let column = column.min(screen.size().1.get() - 1);
                let mark = if private { "?" } else { "" };
                self.reply(&format!("\x1b[{mark}{};{}R", row.saturating_sub(top) + 1, column + 1));
            }
            // No printer, locked user keys, a north American keyboard, no locator.
            (true, 15) => self.reply("\x1b[?13n"),
            (true, 25) => self.reply("\x1b[?21n"),
            (true, 26) => self.reply("\x1b[?27;1;0;0n"),
            (true, 53 | 55) => self.reply("\x1b[?50n"),
            (true, 996) => self.report_darkness(),
            _ => {}
        }
    }

    /// `CSI … t`: sizes and the stack of titles.
    fn window(&mut self, screen: &Screen, csi: &Csi<'_>) {
        let (rows, columns) = screen.size();
        let (rows, columns) = (u32::from(rows.get()), u32::from(columns.get()));
        match csi.number(0) {
            11 => self.reply("\x1b[1t"),
            14 => self.reply(&format!("\x1b[4;{};{}t", rows * CELL.1, columns * CELL.0)),
            16 => self.reply(&format!("\x1b[6;{};{}t", CELL.1, CELL.0)),
            18 => self.reply(&format!("\x1b[8;{rows};{columns}t")),
            19 => self.reply(&format!("\x1b[9;{rows};{columns}t")),
            22 if self.titles.len() < MAX_TITLES => self.titles.push(self.title.clone()),
            23 => self.title = self.titles.pop().unwrap_or_else(|| std::mem::take(&mut self.title)),
            _ => {}
        }
    }

    /// An OSC, split at `;`, and whether BEL ended it: answers end in the same way.
    pub(super) fn osc(&mut self, parameters: &[&[u8]], bell: bool) {
        match parameters {
            // A title may have `;` in it.
            [b"0" | b"2", parts @ ..] => self.title = text(parts),
            [b"52", selection, data @ ..] => self.asides.copy(selection, &data.join(&b';')),
            _ => {
                let answer = self.asides.osc(parameters).unwrap_or_default();
                self.reply(&if bell { answer.replace("\x1b\\", "\x07") } else { answer });
            }
        }
    }
}

impl Callbacks for Host {
    fn on_scroll(&mut self, row: RowContents<'_>, alternate_screen: bool) {
        if !alternate_screen {
            self.history.take(&row);
        }
    }

    fn audible_bell(&mut self, _: &mut Screen) {
        self.bells += 1;
    }
}
