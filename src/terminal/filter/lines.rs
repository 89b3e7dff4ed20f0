//! Lines of text and SGR that need nothing of the filter: what they print, read without the emulator.
//!
//! Such a line has printable characters of one or two cells that never join with another, styles that need no
//! tag, a line end, and the default background there. [`Brush`] is the pen on its way over them: it measures lines
//! before anyone knows whether they are wanted, and gives away their text with its styles.

use unicode_width::UnicodeWidthChar;

use super::engine::Engine;
use super::pen::{Extra, Pen};
use super::{Filter, State, clusters, sgr};
use crate::domain::{CellStyle, Colour, MAX_LINE};

/// Bytes of the parameters of one SGR. Whoever needs more is no flood.
const LONGEST: usize = 256;

/// The pen between two lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::terminal) struct Brush(Pen);

/// What stands at the start of some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::terminal) enum Measured {
    Line(Line),
    /// The beginning of such a line.
    Part,
    /// Something else.
    Foreign,
}

/// One line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::terminal) struct Line {
    /// Bytes, its end included.
    pub(in crate::terminal) length: usize,
    /// Rows that it takes from the first column on.
    pub(in crate::terminal) rows: usize,
    /// It prints something.
    pub(in crate::terminal) text: bool,
}

/// A sequence at the start of some bytes.
enum Sequence<'a> {
    /// SGR with these parameters.
    Style(&'a [u8]),
    /// Perhaps SGR: its end has not come yet.
    Part,
    Foreign,
}

impl<'a> Sequence<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let [0x1b, b'[', rest @ ..] = bytes else {
            return if bytes == [0x1b] { Self::Part } else { Self::Foreign };
        };
        let reach = &rest[..rest.len().min(LONGEST)];
        match reach.iter().position(|byte| !matches!(byte, b'0'..=b';')) {
            None if reach.len() < LONGEST => Self::Part,
            Some(end) if rest[end] == b'm' => Self::Style(&rest[..end]),
            _ => Self::Foreign,
        }
    }
}

/// How many bytes at the start are printable ASCII.
fn ascii(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !matches!(byte, b' '..=b'~')).unwrap_or(bytes.len())
}

/// How many bytes at the start are no ASCII.
fn beyond(bytes: &[u8]) -> usize {
    bytes.iter().position(u8::is_ascii).unwrap_or(bytes.len())
}

/// Rows and columns that text takes.
struct Place {
    rows: usize,
    column: usize,
    columns: usize,
}

impl Place {
    /// So many characters of one cell.
    const fn cells(&mut self, count: usize) {
        self.column += count;
        if self.column > self.columns {
            self.rows += (self.column - 1) / self.columns;
            self.column = (self.column - 1) % self.columns + 1;
        }
    }

    /// Characters beyond ASCII. False when there is one that is not for the emulator as it is.
    fn wide(&mut self, text: &str) -> bool {
        for (at, character) in text.char_indices() {
            let Some(width @ 1..=2) = character.width() else { return false };
            // Tags begin with F3.
            if matches!(text.as_bytes()[at], 0xe2 | 0xef | 0xf0 | 0xf3)
                && (text.as_bytes()[at] == 0xf3 || clusters::may_join(&text.as_bytes()[at..]))
            {
                return false;
            }
            self.column += width;
            if self.column > self.columns {
                self.rows += 1;
                self.column = width;
            }
        }
        true
    }
}

impl Brush {
    /// Applies an SGR. False when text needs a tag behind it.
    fn apply(&mut self, parameters: &[u8]) -> bool {
        sgr::apply(&mut self.0, parameters);
        !self.0.needs_tag()
    }

    /// Measures the line at the start of some bytes, which begins in the first of so many columns, and goes on behind it.
    pub(in crate::terminal) fn measure(&mut self, bytes: &[u8], columns: usize) -> Measured {
        let mut place = Place { rows: 1, column: 0, columns };
        let (mut at, mut styles) = (0, 0);
        while at - styles <= MAX_LINE
            && let Some(&byte) = bytes.get(at)
        {
            match byte {
                b' '..=b'~' => {
                    let count = ascii(&bytes[at..]);
                    place.cells(count);
                    at += count;
                }
                0x1b => match Sequence::of(&bytes[at..]) {
                    Sequence::Style(parameters) if self.apply(parameters) => {
                        at += parameters.len() + 3;
                        styles += parameters.len() + 3;
                    }
                    Sequence::Part => return Measured::Part,
                    _ => return Measured::Foreign,
                },
                b'\r' => match bytes.get(at + 1) {
                    Some(b'\n') if self.0.background == Colour::Default => {
                        return Measured::Line(Line { length: at + 2, rows: place.rows, text: at > styles });
                    }
                    None => return Measured::Part,
                    _ => return Measured::Foreign,
                },
                0x80.. => {
                    let run = &bytes[at..at + beyond(&bytes[at..])];
                    match std::str::from_utf8(run) {
                        Ok(text) if place.wide(text) => at += run.len(),
                        Err(error) if error.error_len().is_none() && at + run.len() == bytes.len() => {
                            return Measured::Part;
                        }
                        _ => return Measured::Foreign,
                    }
                }
                _ => return Measured::Foreign,
            }
        }
        if at == bytes.len() { Measured::Part } else { Measured::Foreign }
    }

    /// Gives away the text of a measured line, part by part, and goes on behind it.
    pub(in crate::terminal) fn spans(&mut self, line: &[u8], mut take: impl FnMut(&str, CellStyle)) {
        let mut at = 0;
        while let Some(&byte) = line.get(at) {
            if byte == 0x1b {
                let Sequence::Style(parameters) = Sequence::of(&line[at..]) else { return };
                self.apply(parameters);
                at += parameters.len() + 3;
                continue;
            }
            let run = line[at..].iter().position(|byte| *byte < 0x20).unwrap_or(line.len() - at);
            if run == 0 {
                return;
            }
            if let Ok(text) = std::str::from_utf8(&line[at..at + run]) {
                take(text, self.style());
            }
            at += run;
        }
    }

    const fn style(&self) -> CellStyle {
        let Pen { foreground, background, bold, dim, italic, underline, inverse, .. } = self.0;
        CellStyle {
            foreground,
            background,
            bold,
            dim,
            italic,
            underline,
            underline_colour: Colour::Default,
            inverse,
            strikethrough: false,
            hidden: false,
            link: None,
        }
    }
}

impl Filter {
    /// The pen, if lines mean to the emulator what they are from here on.
    pub(in crate::terminal) fn brush(&self) -> Option<Brush> {
        let plain = self.extra == Extra::default() && !self.pen.needs_tag();
        (plain && self.steady() && self.pen.background == Colour::Default).then_some(Brush(self.pen))
    }

    /// Goes on with another pen: the lines that would have brought it were taken elsewhere.
    pub(in crate::terminal) fn paint(&mut self, brush: Brush, engine: &mut impl Engine) {
        if self.pen != brush.0 {
            self.pen = brush.0;
            let mut bytes = Vec::with_capacity(48);
            self.pen.write(&mut bytes);
            engine.feed(&bytes);
        }
    }

    /// The bytes at the start that end the line which the filter stands in, if nothing but text and SGR does.
    pub(in crate::terminal) fn ending(&self, bytes: &[u8]) -> Option<usize> {
        if !self.text_passes() || self.newline || self.region.is_some() {
            return None;
        }
        let rest = match self.state {
            State::Ground => 0,
            State::Character => bytes.iter().take_while(|byte| (0x80..=0xbf).contains(*byte)).take(3).count(),
            State::Sequence => {
                let end = bytes.iter().take(64).position(|byte| *byte == b'm')?;
                let whole = [&self.part, &bytes[..=end]].concat();
                match Sequence::of(&whole) {
                    Sequence::Style(parameters) if parameters.len() + 3 == whole.len() => end + 1,
                    _ => return None,
                }
            }
            _ => return None,
        };
        // Its styles count when the filter has read them; here nothing but its shape does.
        match Brush(Pen::default()).measure(&bytes[rest..], usize::MAX) {
            Measured::Line(line) => Some(rest + line.length),
            _ => None,
        }
    }
}
