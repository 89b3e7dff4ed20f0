//! Lines of text and SGR that need nothing of the filter: what they print, read without the emulator.
//!
//! Such a line has printable characters of one or two cells that never join with another, styles that need no
//! tag, a line end, and the default background there. [`Reading`] measures lines before anyone knows whether they are
//! wanted, and tells their parts with their styles.

use std::collections::VecDeque;

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

/// Text of a line in one style.
#[derive(Debug, Clone, Copy)]
pub(in crate::terminal) struct Part {
    /// Where it begins in the line, and ends.
    from: usize,
    to: usize,
    style: CellStyle,
}

impl Part {
    /// Its text and style.
    pub(in crate::terminal) fn of<'a>(&self, line: &'a [u8]) -> (&'a str, CellStyle) {
        // What was measured is text.
        (std::str::from_utf8(&line[self.from..self.to]).unwrap_or_default(), self.style)
    }
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
    /// So many parts.
    pub(in crate::terminal) parts: usize,
    /// The pen behind it.
    pub(in crate::terminal) brush: Brush,
}

/// A sequence at the start of some bytes.
enum Sequence<'a> {
    /// SGR with these parameters, and their numbers.
    Style(&'a [u8], Option<sgr::Numbers>),
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
        let (end, numbers) = sgr::scan(reach);
        match reach.get(end) {
            None if reach.len() < LONGEST => Self::Part,
            Some(b'm') => Self::Style(&rest[..end], numbers),
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
    fn apply(&mut self, parameters: &[u8], numbers: Option<&sgr::Numbers>) -> bool {
        match numbers {
            Some(numbers) => sgr::apply_numbers(&mut self.0, numbers),
            None => sgr::apply(&mut self.0, parameters),
        };
        !self.0.needs_tag()
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

/// A line that is being read, from its first byte on. What was read once is not read again.
#[derive(Debug, Clone, Copy)]
pub(in crate::terminal) struct Reading {
    /// The pen in front of the line.
    start: Brush,
    brush: Brush,
    /// Bytes read, and those of them that are styles.
    at: usize,
    styles: usize,
    /// Where the part begins that is being read.
    from: usize,
    /// Rows that it takes so far, and the column that it has come to.
    rows: usize,
    column: usize,
    /// Parts that are told.
    parts: usize,
}

impl Reading {
    /// Begins a line.
    pub(in crate::terminal) const fn of(brush: Brush) -> Self {
        Self { start: brush, brush, at: 0, styles: 0, from: 0, rows: 1, column: 0, parts: 0 }
    }

    /// Measures the line at the start of some bytes, which begins in the first of so many columns. Its parts are added
    /// to `parts`. Behind a line the next one begins; of the beginning of a line, the same bytes with more are measured
    /// next.
    pub(in crate::terminal) fn measure(
        &mut self,
        bytes: &[u8],
        columns: usize,
        parts: &mut VecDeque<Part>,
    ) -> Measured {
        let mut place = Place { rows: self.rows, column: self.column, columns };
        let measured = self.read(bytes, &mut place, parts);
        (self.rows, self.column) = (place.rows, place.column);
        match measured {
            Measured::Line(line) => *self = Self::of(line.brush),
            Measured::Part => {}
            Measured::Foreign => {
                parts.truncate(parts.len() - self.parts);
                *self = Self::of(self.start);
            }
        }
        measured
    }

    fn read(&mut self, bytes: &[u8], place: &mut Place, parts: &mut VecDeque<Part>) -> Measured {
        while self.at - self.styles <= MAX_LINE
            && let Some(&byte) = bytes.get(self.at)
        {
            let rest = &bytes[self.at..];
            match byte {
                b' '..=b'~' => {
                    let count = ascii(rest);
                    place.cells(count);
                    self.at += count;
                }
                0x1b => match Sequence::of(rest) {
                    Sequence::Style(parameters, numbers) => {
                        self.end_part(parts);
                        if !self.brush.apply(parameters, numbers.as_ref()) {
                            return Measured::Foreign;
                        }
                        self.at += parameters.len() + 3;
                        self.styles += parameters.len() + 3;
                        self.from = self.at;
                    }
                    Sequence::Part => return Measured::Part,
                    Sequence::Foreign => return Measured::Foreign,
                },
                b'\r' => match rest.get(1) {
                    Some(b'\n') if self.brush.0.background == Colour::Default => {
                        self.end_part(parts);
                        return Measured::Line(Line {
                            length: self.at + 2,
                            rows: place.rows,
                            text: self.at > self.styles,
                            parts: self.parts,
                            brush: self.brush,
                        });
                    }
                    None => return Measured::Part,
                    _ => return Measured::Foreign,
                },
                0x80.. => {
                    let run = &rest[..beyond(rest)];
                    match std::str::from_utf8(run) {
                        Ok(text) if place.wide(text) => self.at += run.len(),
                        Err(error) if error.error_len().is_none() && run.len() == rest.len() => {
                            return Measured::Part;
                        }
                        _ => return Measured::Foreign,
                    }
                }
                _ => return Measured::Foreign,
            }
        }
        if self.at == bytes.len() { Measured::Part } else { Measured::Foreign }
    }

    fn end_part(&mut self, parts: &mut VecDeque<Part>) {
        if self.from < self.at {
            parts.push_back(Part { from: self.from, to: self.at, style: self.brush.style() });
            self.parts += 1;
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
                    Sequence::Style(parameters, _) if parameters.len() + 3 == whole.len() => end + 1,
                    _ => return None,
                }
            }
            _ => return None,
        };
        // Its styles count when the filter has read them; here nothing but its shape does.
        match Reading::of(Brush(Pen::default())).measure(&bytes[rest..], usize::MAX, &mut VecDeque::new()) {
            Measured::Line(line) => Some(rest + line.length),
            _ => None,
        }
    }
}
