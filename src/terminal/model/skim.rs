//! Lines that would only pass through the screen go straight to the scroll-back.
//!
//! In a flood of lines nobody sees most of them: the picture is made later. While the cursor stands in the
//! last row of the primary screen and nothing but text, SGR and line ends comes, each line pushes others off at the
//! top. The lines that a screenful of others follows are written to the scroll-back as they are; the emulator parses
//! only the last ones. What is kept and shown is the same.
//!
//! The last ones need not be fed at once. Until then the screen is blank, and with more bytes behind them more lines
//! are taken. What was read once is not read again ([`Progress`]).

use std::collections::VecDeque;

use super::Model;
use super::damage::Damage;
use crate::terminal::filter::{Brush, Line, Measured, Part, Reading};

/// With fewer bytes there is nothing to win.
const LEAST: usize = 1024;
/// Lines of so many bytes cost the emulator more than a screen of blank rows.
const WORTH: usize = 32 * 1024;

/// What became of some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::terminal) struct Skimmed {
    /// So many were taken.
    pub(in crate::terminal) taken: usize,
    /// When those before this one are fed the screen is what it should be.
    pub(in crate::terminal) whole: usize,
    /// So many are lines that stand for themselves.
    pub(in crate::terminal) read: usize,
    /// All are such lines: with more of them, more could be taken.
    pub(in crate::terminal) open: bool,
}

/// How far lines that are not fed yet were read.
#[derive(Debug)]
pub(super) struct Progress {
    /// The pen in front of them.
    brush: Brush,
    /// The line behind those that were measured.
    front: Reading,
    /// The parts of all lines that are not kept yet.
    parts: VecDeque<Part>,
    tail: Tail,
    /// Lines that a screenful follows, until it is sure that they are worth it.
    ready: Tail,
    /// The screen was pushed off for them, and is blank.
    cleared: bool,
}

/// Lines that follow each other.
#[derive(Debug, Default)]
struct Tail {
    lines: VecDeque<Line>,
    rows: usize,
    /// Those that print something.
    texts: usize,
    bytes: usize,
}

impl Tail {
    fn push(&mut self, line: Line) {
        self.rows += line.rows;
        self.texts += usize::from(line.text);
        self.bytes += line.length;
        self.lines.push_back(line);
    }

    /// Takes the first line if those that follow have so many rows and lines that print something.
    fn pop(&mut self, rows: usize, texts: usize) -> Option<Line> {
        let first = self.lines.front()?;
        let left = self.texts - usize::from(first.text);
        if self.rows - first.rows < rows || left < texts {
            return None;
        }
        let first = self.lines.pop_front()?;
        (self.rows, self.texts, self.bytes) = (self.rows - first.rows, left, self.bytes - first.length);
        Some(first)
    }
}

impl Model {
    /// Takes lines at the start of some bytes, if they are more than the screen shows. Cheap, however many they are.
    /// What is left is to be fed, or offered again with more behind it.
    pub(in crate::terminal) fn skim(&mut self, bytes: &[u8]) -> Skimmed {
        match self.progress.take() {
            Some(progress) => self.skim_on(progress, bytes),
            None if bytes.len() >= LEAST && self.at_bottom() => self.begin(bytes).unwrap_or_default(),
            None => Skimmed::default(),
        }
    }

    fn begin(&mut self, bytes: &[u8]) -> Option<Skimmed> {
        // The line that the cursor stands in.
        let first = self.filter.ending(bytes)?;
        let used = self.feed(&bytes[..first]);
        let brush = self.filter.brush().filter(|_| used == first && self.at_bottom());
        let skimmed = brush.map_or_else(Skimmed::default, |brush| {
            let tails = (Tail::default(), Tail::default());
            let parts = VecDeque::new();
            let progress =
                Progress { brush, front: Reading::of(brush), parts, tail: tails.0, ready: tails.1, cleared: false };
            self.skim_on(progress, &bytes[used..])
        });
        Some(Skimmed { taken: used + skimmed.taken, whole: used + skimmed.whole, read: used + skimmed.read, ..skimmed })
    }

    fn skim_on(&mut self, mut progress: Progress, bytes: &[u8]) -> Skimmed {
        let (rows, columns) = (usize::from(self.size().rows), usize::from(self.size().columns));
        let Progress { brush, front, parts, tail, ready, cleared } = &mut progress;
        let mut taken = 0;
        let open = loop {
            match front.measure(&bytes[taken + ready.bytes + tail.bytes..], columns, parts) {
                Measured::Line(line) => tail.push(line),
                end => break end == Measured::Part,
            }
            // One that prints must be left: what the program printed last may be repeated.
            while let Some(line) = tail.pop(rows, 1) {
                ready.push(line);
            }
            if !*cleared && (ready.rows > 2 * rows || ready.bytes > WORTH) {
                self.clear(rows);
                *cleared = true;
            }
            while *cleared && let Some(line) = ready.pop(0, 0) {
                self.keep(line, &bytes[taken..], parts);
                *brush = line.brush;
                taken += line.length;
            }
        };
        self.filter.paint(*brush, &mut self.parser);
        let read = taken + ready.bytes + tail.bytes;
        let whole = if *cleared { read } else { 0 };
        self.progress = Some(progress);
        Skimmed { taken, whole, read, open }
    }

    fn at_bottom(&self) -> bool {
        let screen = self.parser.screen();
        screen.cursor_position().0 + 1 >= screen.size().0.get() && !screen.alternate_screen()
    }

    /// All that is on the screen goes. The cursor stands at the start of the last row.
    fn clear(&mut self, rows: usize) {
        self.parser.process(&vec![b'\n'; rows - 1]);
        let history = &mut self.parser.callbacks_mut().history;
        history.finish();
        history.settle(self.filter.tags());
        // What follows pushes off the blank rows that stand where the lines would.
        history.ignore(rows - 1);
        self.damage = Damage::All;
    }

    /// Writes a line to the scroll-back.
    fn keep(&mut self, line: Line, bytes: &[u8], parts: &mut VecDeque<Part>) {
        let history = &mut self.parser.callbacks_mut().history;
        for part in parts.drain(..line.parts) {
            let (text, style) = part.of(bytes);
            history.push_part(text, style);
        }
        history.end_parts(line.rows);
    }
}
