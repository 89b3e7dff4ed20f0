//! Reading a row that the emulator gives away: it writes text and SGR, nothing else, cell by cell.

use std::fmt::{self, Write};

use vt100::capture::{BasicFormattedCaptureRange, BasicFormattedCaptureState, RowContents};

use super::History;
use crate::domain::{CellStyle, Colour, StyleNumber, Underline};
use crate::terminal::filter;
use crate::terminal::reflow::FILLER;

/// Numbers of one SGR; the emulator writes at most 14.
const MAX_NUMBERS: usize = 16;

/// What is known between two rows.
#[derive(Debug, Default)]
pub(super) struct Taking {
    capture: BasicFormattedCaptureState,
    style: CellStyle,
    /// The style's number in the open block, while it is known.
    number: Option<StyleNumber>,
    /// The numbers of the SGR that is being written.
    sgr: Option<Numbers>,
}

#[derive(Debug, Default)]
struct Numbers {
    all: [u8; MAX_NUMBERS],
    count: usize,
}

impl Taking {
    /// The open block is another one.
    pub(super) const fn forget_style(&mut self) {
        self.number = None;
    }

    /// Whether the row taken last is wrapped into the screen's first one.
    pub(super) fn continues(&self, screen: &vt100::Screen) -> bool {
        let mut first = First(None);
        let mut capture = self.capture.clone();
        // It stops at the first character.
        let _ = screen.write_contents_formatted_basic(&mut first, BasicFormattedCaptureRange::Full(&mut capture));
        first.0.is_some_and(|c| c != '\n')
    }
}

/// Notes the first character and wants no more.
struct First(Option<char>);

impl Write for First {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = text.chars().next();
        if self.0.is_some() { Err(fmt::Error) } else { Ok(()) }
    }
}

/// Takes a row into the history.
pub(super) fn take(history: &mut History, row: &RowContents<'_>) {
    let mut capture = std::mem::take(&mut history.taking.capture);
    // The writer never fails.
    let _ = row.write_formatted_basic(&mut Taker(history), &mut capture);
    history.taking.capture = capture;
}

struct Taker<'a>(&'a mut History);

impl Write for Taker<'_> {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let taking = &mut self.0.taking;
        if let Some(numbers) = &mut taking.sgr {
            if let Ok(number) = text.parse()
                && numbers.count < MAX_NUMBERS
            {
                numbers.all[numbers.count] = number;
                numbers.count += 1;
            }
        } else if text.starts_with('\x1b') {
            if text == "\x1b[m" {
                taking.style = CellStyle::default();
                taking.number = Some(StyleNumber::PLAIN);
            } else {
                taking.sgr = Some(Numbers::default());
            }
        } else if text.len() == 1 {
            self.cell(text);
        } else if text != FILLER {
            if filter::may_have_tag(text) && self.0.tagged.is_none() {
                self.0.tagged = Some(self.0.open.mark());
            }
            self.cell(text);
        }
        Ok(())
    }

    #[inline]
    fn write_char(&mut self, c: char) -> fmt::Result {
        let taking = &mut self.0.taking;
        match c {
            '\n' => self.0.end_line(),
            ' ' => self.blank(),
            'm' => {
                if let Some(numbers) = taking.sgr.take() {
                    apply(&mut taking.style, &numbers.all[..numbers.count]);
                    taking.number = None;
                }
            }
            // Between two numbers.
            _ => {}
        }
        Ok(())
    }
}

impl Taker<'_> {
    /// An empty cell. It has the background alone.
    fn blank(&mut self) {
        let style = self.0.taking.style;
        let blank = CellStyle { background: style.background, ..CellStyle::default() };
        if style == blank {
            self.cell(" ");
        } else {
            let number = self.0.open.style(blank);
            self.push(" ", number);
        }
    }

    #[inline]
    fn cell(&mut self, contents: &str) {
        let History { open, taking, .. } = &mut *self.0;
        let number = match taking.number {
            Some(number) => number,
            None => *taking.number.insert(open.style(taking.style)),
        };
        self.push(contents, number);
    }

    #[inline]
    fn push(&mut self, text: &str, style: StyleNumber) {
        let before = self.0.open.lines();
        self.0.open.push(text, style);
        if self.0.open.lines() != before {
            self.0.ended(before);
        }
    }
}

fn apply(style: &mut CellStyle, numbers: &[u8]) {
    let mut numbers = numbers.iter().copied();
    while let Some(number) = numbers.next() {
        match number {
            1 => (style.bold, style.dim) = (true, false),
            2 => (style.bold, style.dim) = (false, true),
            22 => (style.bold, style.dim) = (false, false),
            3 | 23 => style.italic = number == 3,
            4 => style.underline = Underline::Single,
            24 => style.underline = Underline::None,
            7 | 27 => style.inverse = number == 7,
            30..=37 => style.foreground = Colour::Indexed(number - 30),
            90..=97 => style.foreground = Colour::Indexed(number - 82),
            38 => style.foreground = colour(&mut numbers),
            39 => style.foreground = Colour::Default,
            40..=47 => style.background = Colour::Indexed(number - 40),
            100..=107 => style.background = Colour::Indexed(number - 92),
            48 => style.background = colour(&mut numbers),
            49 => style.background = Colour::Default,
            _ => {}
        }
    }
}

fn colour(numbers: &mut impl Iterator<Item = u8>) -> Colour {
    let mut next = || numbers.next().unwrap_or_default();
    match next() {
        5 => Colour::Indexed(next()),
        _ => Colour::Rgb(next(), next(), next()),
    }
}
