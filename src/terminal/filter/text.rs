//! Printable text on its way to the emulator.
//!
//! Most of it passes uncopied after one scan. The slow way, character by character, is taken while the
//! pen needs tags, a character set or a mode changes what is printed, and around characters that join
//! with the one before them (`clusters`).

use unicode_width::UnicodeWidthChar;

use super::clusters;
use super::engine::Engine;
use super::tags::{self, Printed};
use super::window::Window;
use super::{Filter, State};
use crate::domain::Colour;

/// Bytes of the last text that are remembered: more than one cell can hold.
const TAIL: usize = 32;

/// Bytes of the longest character.
const LONGEST: usize = 4;
/// Characters taken one by one where the text is no UTF-8, before it is scanned again.
const BROKEN: usize = 256;

const PLAIN: u8 = 0;
const CONTROL: u8 = 1;
/// May begin a character that joins, or is no UTF-8.
const LOOK: u8 = 2;

const fn class(byte: u8) -> u8 {
    match byte {
        0x00..=0x1f | 0x7f => CONTROL,
        0xc2 | 0xe0..=0xe2 | 0xea | 0xef | 0xf0 | 0xf3 => LOOK,
        _ => PLAIN,
    }
}

static CLASSES: [u8; 256] = {
    let mut classes = [PLAIN; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = class(byte as u8);
        byte += 1;
    }
    classes
};

/// The end of the last text that was printed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tail {
    bytes: [u8; TAIL],
    length: usize,
}

impl Tail {
    pub(super) fn clear(&mut self) {
        self.length = 0;
    }

    pub(super) fn add(&mut self, text: &[u8]) {
        let text = &text[text.len().saturating_sub(TAIL)..];
        let kept = self.length.min(TAIL - text.len());
        self.bytes.copy_within(self.length - kept..self.length, 0);
        self.bytes[kept..kept + text.len()].copy_from_slice(text);
        self.length = kept + text.len();
    }

    /// The last character with what is combined with it. Control characters that passed with the text are none of it.
    pub(super) fn last(&self) -> Option<String> {
        let bytes = &self.bytes[..self.length];
        let start = bytes.iter().position(|byte| !(0x80..=0xbf).contains(byte))?;
        let text = std::str::from_utf8(&bytes[start..]).ok()?;
        let (at, _) =
            text.char_indices().rev().find(|(_, character)| character.width().is_some_and(|width| width > 0))?;
        Some(text[at..].chars().filter(|character| character.width().is_some()).collect())
    }
}

/// How much of some bytes is text that can pass, and why it ends there.
enum Stop {
    /// At a control character or the end.
    End,
    /// At a character that may join.
    Joining,
}

/// Scans text; with `lines`, line ends pass as well.
fn scan(bytes: &[u8], lines: bool) -> (usize, Stop, bool) {
    let mut at = 0;
    let mut high = 0;
    loop {
        while let Some(&byte) = bytes.get(at)
            && CLASSES[usize::from(byte)] == PLAIN
        {
            high |= byte;
            at += 1;
        }
        let Some(&byte) = bytes.get(at) else { break };
        if CLASSES[usize::from(byte)] == CONTROL {
            if lines && bytes[at..].starts_with(b"\r\n") {
                at += 2;
                continue;
            }
            break;
        }
        if clusters::may_join(&bytes[at..]) {
            return (at, Stop::Joining, high >= 0x80);
        }
        high |= byte;
        at += 1;
    }
    (at, Stop::End, high >= 0x80)
}

impl Filter {
    /// Whether text can pass as it is.
    pub(super) fn text_passes(&self) -> bool {
        self.tag.is_none() && self.wrap && !self.insert && self.charsets.plain()
    }

    /// Whether line feeds can pass as they are.
    pub(super) fn lines_pass(&self) -> bool {
        !self.newline && self.pen.background == Colour::Default
    }

    /// Takes the text that begins at a place of the read. Returns where it stopped: at a control
    /// character or at the end of the read.
    pub(super) fn text(&mut self, bytes: &[u8], at: usize, out: &mut Window<'_, impl Engine>) -> usize {
        let active = self.contiguous && self.cluster.is_some();
        let (length, stop, high) = if active || !self.text_passes() {
            (0, Stop::Joining, false)
        } else {
            scan(&bytes[at..], self.lines_pass())
        };
        let end = at + length;
        let run = &bytes[at..end];
        if high && let Err(error) = std::str::from_utf8(run) {
            let valid = at + error.valid_up_to();
            if valid > at {
                self.note(&bytes[at..valid]);
                out.pass(valid);
            }
            let stop = bytes[valid..end].iter().position(|&byte| class(byte) == CONTROL);
            let stop = stop.map_or(end, |stop| valid + stop);
            return self.characters(&bytes[..stop], valid, stop == bytes.len(), Some(BROKEN), out);
        }
        if length > 0 {
            self.note(run);
            out.pass(end);
        }
        match stop {
            Stop::End => end,
            Stop::Joining => {
                // One character when the rest can pass, all up to the next control when not.
                let most = if self.text_passes() { Some(1) } else { None };
                let reach = if most.is_some() { bytes.len().min(end + LONGEST) } else { bytes.len() };
                let stop = bytes[end..reach].iter().position(|&byte| class(byte) == CONTROL);
                let stop = stop.map_or(reach, |stop| end + stop);
                self.characters(&bytes[..stop], end, stop == bytes.len(), most, out)
            }
        }
    }

    /// Takes characters one by one, so many at most. `open` says that more bytes may follow: a character
    /// that is cut at the end is kept for the next read.
    pub(super) fn characters(
        &mut self,
        bytes: &[u8],
        at: usize,
        open: bool,
        most: Option<usize>,
        out: &mut Window<'_, impl Engine>,
    ) -> usize {
        let mut at = at;
        if most.is_none()
            && let Some(end) = self.unwrapped(bytes, at, out)
        {
            return end;
        }
        let mut left = most.unwrap_or(usize::MAX);
        out.flush();
        while at < bytes.len() && left > 0 {
            left -= 1;
            match first(&bytes[at..]) {
                First::Character(character) => {
                    at += character.len_utf8();
                    self.put(character, out);
                }
                First::Invalid(length) => {
                    at += length;
                    self.put(char::REPLACEMENT_CHARACTER, out);
                }
                First::Part if open => {
                    self.part.extend_from_slice(&bytes[at..]);
                    self.state = State::Character;
                    at = bytes.len();
                }
                First::Part => {
                    self.put(char::REPLACEMENT_CHARACTER, out);
                    at = bytes.len();
                }
            }
        }
        out.skip(at);
        self.drain(out);
        at
    }

    /// Plain ASCII without wrapping: what fits, and of what does not the last character.
    fn unwrapped(&mut self, bytes: &[u8], at: usize, out: &mut Window<'_, impl Engine>) -> Option<usize> {
        let run = &bytes[at..];
        if self.wrap || self.insert || self.tag.is_some() || !self.charsets.plain() || !run.is_ascii() {
            return None;
        }
        let (last, _) = run.split_last()?;
        self.note(run);
        let (column, columns) = place(out);
        let room = usize::from(columns - column.min(columns));
        if run.len() <= room {
            out.engine().feed(run);
        } else {
            let engine = out.engine();
            engine.feed(&run[..room]);
            engine.feed(format!("\x1b[{columns}G").as_bytes());
            engine.feed(&[*last]);
        }
        out.skip(bytes.len());
        Some(bytes.len())
    }

    /// Remembers the end of text that passed.
    fn note(&mut self, run: &[u8]) {
        // Of several lines the last one that is not empty.
        let text = &run[..run.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n')).map_or(0, |last| last + 1)];
        let near = &text[text.len().saturating_sub(TAIL)..];
        let line = near.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if !near.is_empty() {
            if !self.contiguous || line > 0 {
                self.tail.clear();
            }
            self.tail.add(&near[line..]);
            self.cluster = None;
        }
        self.contiguous = text.len() == run.len();
    }

    /// Takes one character.
    pub(super) fn put(&mut self, character: char, out: &mut Window<'_, impl Engine>) {
        if tags::is_tag(character) {
            return;
        }
        let character =
            if character.is_ascii() && !self.charsets.plain() { self.charsets.map(character) } else { character };
        if clusters::spaces(character) {
            return self.start(character, 1, out);
        }
        if self.contiguous && self.join(character, out) {
            return;
        }
        if clusters::only_joins(character) {
            return;
        }
        let Some(width) = character.width() else { return };
        if width == 0 {
            if !self.contiguous {
                self.tail.clear();
                self.contiguous = true;
                self.cluster = None;
            }
            // The emulator combines it with the cell before the cursor.
            let mut bytes = [0; 4];
            self.buffer.extend_from_slice(character.encode_utf8(&mut bytes).as_bytes());
            self.tail.add(character.encode_utf8(&mut bytes).as_bytes());
            return;
        }
        self.start(character, width.min(2) as u16, out);
    }

    /// Prints a text of one or two cells at the cursor.
    pub(super) fn print(&mut self, text: &str, width: u16, tag: Option<Printed>, out: &mut Window<'_, impl Engine>) {
        if self.insert || !self.wrap {
            self.drain(out);
            let (column, columns) = place(out);
            if !self.wrap && column + width > columns {
                self.buffer.extend_from_slice(format!("\x1b[{}G", (columns + 1).saturating_sub(width)).as_bytes());
            } else if self.insert && column >= columns {
                self.buffer.extend_from_slice(b"\r\n");
            }
            if self.insert {
                self.buffer.extend_from_slice(format!("\x1b[{width}@").as_bytes());
            }
        }
        self.buffer.extend_from_slice(text.as_bytes());
        if let Some(tag) = tag {
            self.buffer.extend_from_slice(&tag);
        }
    }

    /// Feeds what was gathered.
    pub(super) fn drain(&mut self, out: &mut Window<'_, impl Engine>) {
        if !self.buffer.is_empty() {
            out.engine().feed(&self.buffer);
            self.buffer.clear();
        }
    }
}

/// The cursor's column, which is the number of columns while a wrap is pending, and that number.
pub(super) fn place(out: &mut Window<'_, impl Engine>) -> (u16, u16) {
    let screen = out.engine().screen();
    (screen.cursor_position().1, screen.size().1.get())
}

enum First {
    Character(char),
    Invalid(usize),
    Part,
}

/// What stands at the start of some bytes, which are not empty.
fn first(bytes: &[u8]) -> First {
    let head = &bytes[..bytes.len().min(4)];
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() > 0 => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
        Err(error) => return error.error_len().map_or(First::Part, First::Invalid),
    };
    valid.chars().next().map_or(First::Part, First::Character)
}
