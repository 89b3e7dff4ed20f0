//! What stands between a program's bytes and the emulator.
//!
//! The emulator (vt100) lacks or misreads a part of what an xterm understands. The filter reads the
//! stream with a tokeniser of its own and rewrites that part into what the emulator knows: character
//! sets to Unicode, tab stops and no-wrap into moves from the cursor's place, saved cursors into the
//! sequences that bring them back, and so on. What its cells cannot hold goes into a side table, named
//! by a tag that is printed behind the character (`tags`). Strings (OSC, DCS) and queries never reach
//! the emulator: the filter hands them to the host, at their place in the stream.
//!
//! What needs nothing passes uncopied. Where a read was cut does not matter, at any byte. It stops
//! behind the end of a synchronized update so that the finished picture can be shown first.

mod charsets;
mod clusters;
mod controls;
mod cursor;
mod engine;
mod erase;
mod lines;
mod modes;
mod pen;
mod sgr;
mod strings;
mod tabs;
mod tags;
#[cfg(test)]
mod tests;
mod text;
mod tokens;
mod window;

use charsets::Charsets;
use clusters::Cluster;
pub(super) use cursor::Saved;
pub(super) use engine::Engine;
pub(super) use lines::{Brush, Line, Measured, Part, Reading};
use pen::{Extra, Pen};
use tabs::Tabs;
use tags::Printed;
pub(super) use tags::{Tags, each_tag, may_have_tag};
use text::Tail;
pub(super) use tokens::Csi;
use tokens::{MAX_SEQUENCE, Shape, continued, shape};
use window::Window;

/// Bytes kept of an OSC: a clipboard of 1 MiB in base64 fits. What goes beyond makes it void.
const MAX_OSC: usize = 1536 * 1024;
/// Bytes kept of a DCS that may be a query.
const MAX_DCS: usize = 4096;

/// Where in the stream we are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Between sequences.
    #[default]
    Ground,
    /// In a character whose rest has not come yet.
    Character,
    /// In a sequence, with its beginning kept.
    Sequence,
    /// In a sequence that is too long.
    TooLong,
    Osc,
    Dcs,
    /// In a string that nobody reads.
    Skip,
}

/// The filter's memory.
#[derive(Debug)]
pub(super) struct Filter {
    state: State,
    /// The beginning of a character, a sequence or a string whose rest has not come yet.
    part: Vec<u8>,
    pen: Pen,
    /// What of the pen needs a tag, and that tag.
    extra: Extra,
    tag: Option<Printed>,
    tags: Tags,
    charsets: Charsets,
    tabs: Tabs,
    /// First and last row of the scroll region from 0; none: the whole screen.
    region: Option<(u16, u16)>,
    /// Rows are counted from the region's first (DECOM).
    origin: bool,
    /// Text goes on in the next row at the margin (DECAWM).
    wrap: bool,
    /// Text moves what stands there to the right (IRM).
    insert: bool,
    /// A line feed also returns (LNM).
    newline: bool,
    /// The screen is shown in reverse (DECSCNM).
    reversed: bool,
    /// DECCOLM does what goes with a change of columns (mode 40).
    column_switch: bool,
    /// Saved cursors of the primary and the alternate screen.
    saved: [Option<Saved>; 2],
    /// The end of the last text, and whether nothing came after it.
    tail: Tail,
    contiguous: bool,
    cluster: Option<Cluster>,
    /// Bytes made for the emulator and not fed yet.
    buffer: Vec<u8>,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            state: State::Ground,
            part: Vec::new(),
            pen: Pen::default(),
            extra: Extra::default(),
            tag: None,
            tags: Tags::default(),
            charsets: Charsets::default(),
            tabs: Tabs::default(),
            region: None,
            origin: false,
            wrap: true,
            insert: false,
            newline: false,
            reversed: false,
            column_switch: false,
            saved: [None; 2],
            tail: Tail::default(),
            contiguous: false,
            cluster: None,
            buffer: Vec::new(),
        }
    }
}

impl Filter {
    /// Passes bytes on to the engine and returns how many were used: all, or up to the end of a
    /// synchronized update.
    pub(super) fn run(&mut self, bytes: &[u8], engine: &mut impl Engine) -> usize {
        let mut out = Window::new(engine, bytes);
        let mut at = 0;
        while at < bytes.len() {
            let (next, stop) = match self.state {
                State::Ground => self.ground(bytes, at, &mut out),
                State::Character => (self.character(bytes, at, &mut out), false),
                State::Sequence => self.sequence(bytes, at, &mut out),
                State::TooLong => (self.too_long(bytes, at, &mut out), false),
                State::Osc | State::Dcs | State::Skip => (self.string(bytes, at, &mut out), false),
            };
            at = next;
            if stop {
                break;
            }
        }
        out.flush();
        at
    }

    /// Whether printable ASCII and line ends mean to the emulator what they are: between sequences, with a pen
    /// that needs no tag, on the whole screen.
    pub(super) fn steady(&self) -> bool {
        let between = self.state == State::Ground && self.part.is_empty();
        between && self.text_passes() && !self.newline && self.region.is_none()
    }

    /// The side table for what cells hold beyond the emulator's attributes.
    pub(super) const fn tags(&self) -> &Tags {
        &self.tags
    }

    /// The same, to add to.
    pub(super) const fn tags_mut(&mut self) -> &mut Tags {
        &mut self.tags
    }

    /// Whether the screen is shown in reverse.
    pub(super) const fn reversed(&self) -> bool {
        self.reversed
    }

    /// The saved cursors of the primary and the alternate screen, to be moved with their text.
    #[allow(dead_code, reason = "for those who make a new emulator of another size")]
    pub(super) const fn saved_mut(&mut self) -> &mut [Option<Saved>; 2] {
        &mut self.saved
    }

    /// The bytes that put a fresh emulator into what is known here: scroll region, origin and pen. They
    /// move the cursor. Cursor, input modes and the cursor's looks are for the caller to bring over.
    #[allow(dead_code, reason = "for those who make a new emulator of another size")]
    pub(super) fn restore(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write_region(&mut bytes);
        self.pen.write(&mut bytes);
        bytes
    }

    /// The screen has a new size: the region is the whole screen again.
    pub(super) fn resized(&mut self) {
        self.region = None;
        // What stood before the cursor may stand on the row above now.
        self.contiguous = false;
        self.cluster = None;
    }

    /// Text, a control character or the beginning of a sequence. True: stop here.
    fn ground(&mut self, bytes: &[u8], at: usize, out: &mut Window<'_, impl Engine>) -> (usize, bool) {
        match bytes[at] {
            0x1b => {
                let rest = &bytes[at..];
                match shape(rest) {
                    Shape::Whole(length) if length <= MAX_SEQUENCE => {
                        self.contiguous = false;
                        let (pass, stop) = self.take(&rest[..length], out);
                        out.done(at + length, pass);
                        (at + length, stop)
                    }
                    Shape::Osc(length) => (self.begin(State::Osc, at + length, out), false),
                    Shape::Dcs(length) => (self.begin(State::Dcs, at + length, out), false),
                    Shape::Skip(length) => (self.begin(State::Skip, at + length, out), false),
                    Shape::Part | Shape::Foreign(_) | Shape::Whole(_) => {
                        self.contiguous = false;
                        self.part.push(0x1b);
                        self.state = State::Sequence;
                        out.skip(at + 1);
                        (at + 1, false)
                    }
                }
            }
            byte @ (0x00..=0x1f | 0x7f) => {
                self.contiguous = false;
                let pass = self.control(byte, out);
                out.done(at + 1, pass);
                (at + 1, false)
            }
            _ => (self.text(bytes, at, out), false),
        }
    }

    fn begin(&mut self, state: State, at: usize, out: &mut Window<'_, impl Engine>) -> usize {
        self.contiguous = false;
        self.part.clear();
        self.state = state;
        out.skip(at);
        at
    }

    /// The rest of a character that a read had cut.
    fn character(&mut self, bytes: &[u8], at: usize, out: &mut Window<'_, impl Engine>) -> usize {
        self.state = State::Ground;
        let mut part = std::mem::take(&mut self.part);
        let before = part.len();
        part.push(bytes[at]);
        let used = self.characters(&part, 0, true, Some(1), out);
        // A byte that does not belong to it stands for itself.
        let at = if used <= before { at } else { at + 1 };
        out.skip(at);
        at
    }

    /// The next byte of a sequence that did not come in one piece. True: stop here.
    fn sequence(&mut self, bytes: &[u8], at: usize, out: &mut Window<'_, impl Engine>) -> (usize, bool) {
        let byte = bytes[at];
        out.skip(at + 1);
        match byte {
            // Cancelled.
            0x18 | 0x1a => self.end(),
            0x1b => {
                self.part.clear();
                self.part.push(byte);
            }
            0x00..=0x1f => {
                if self.control(byte, out) {
                    out.engine().feed(&[byte]);
                }
            }
            0x7f..=0xff => {}
            _ => {
                self.part.push(byte);
                match continued(&self.part) {
                    Shape::Whole(_) => {
                        let sequence = std::mem::take(&mut self.part);
                        self.state = State::Ground;
                        let (pass, stop) = self.take(&sequence, out);
                        if pass {
                            out.engine().feed(&sequence);
                        }
                        self.part = sequence;
                        self.part.clear();
                        return (at + 1, stop);
                    }
                    Shape::Osc(_) => self.enter(State::Osc),
                    Shape::Dcs(_) => self.enter(State::Dcs),
                    Shape::Skip(_) => self.enter(State::Skip),
                    Shape::Part if self.part.len() < MAX_SEQUENCE => {}
                    Shape::Part | Shape::Foreign(_) => self.enter(State::TooLong),
                }
            }
        }
        (at + 1, false)
    }

    fn enter(&mut self, state: State) {
        self.part.clear();
        self.state = state;
    }

    fn end(&mut self) {
        self.enter(State::Ground);
    }

    /// Skips a sequence that is too long or malformed up to its end.
    fn too_long(&mut self, bytes: &[u8], at: usize, out: &mut Window<'_, impl Engine>) -> usize {
        let end = bytes[at..].iter().position(|&byte| byte < 0x20 || (0x40..=0x7e).contains(&byte));
        let Some(end) = end else {
            out.skip(bytes.len());
            return bytes.len();
        };
        let at = at + end;
        out.skip(at + 1);
        match bytes[at] {
            0x1b => {
                self.enter(State::Sequence);
                self.part.push(0x1b);
            }
            byte @ 0x00..=0x1f if byte != 0x18 && byte != 0x1a => {
                if self.control(byte, out) {
                    out.engine().feed(&[byte]);
                }
            }
            _ => self.end(),
        }
        at + 1
    }
}
