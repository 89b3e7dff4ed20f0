//! A pane's scroll-back: rows as they leave the top of the primary screen, kept as logical lines.
//!
//! The emulator gives each row once, when it goes ([`History::take`]). Rows join while they are wrapped, so
//! a line has no width. Lines are packed in blocks that frozen texts share ([`History::freeze`]); a resize
//! takes the last ones back ([`History::pop`]) and gives back what does not fit ([`History::push_row`]).
//! Bounded in lines and bytes; the oldest go first.

mod row;

use std::collections::VecDeque;
use std::sync::Arc;

use vt100::capture::RowContents;

use super::filter::{self, Tags};
use crate::domain::{Block, CellStyle, Mark, Packer, PaneText, Span};

/// Lines kept.
pub(super) const MAX_LINES: usize = 10_000;
/// Bytes kept, all overhead included.
pub(super) const MAX_BYTES: usize = 4_000_000;
/// A block is sealed when it has so many bytes.
const BLOCK: usize = 32 * 1024;

/// The scroll-back of one pane.
#[derive(Debug, Default)]
pub(super) struct History {
    blocks: VecDeque<Arc<Block>>,
    /// The lines behind the blocks, and the open one.
    open: Packer,
    /// The open line has rows, if empty ones.
    started: bool,
    /// Lines of the first block that count no more.
    skipped: usize,
    /// The number of the first line that counts.
    first: u64,
    /// Ended lines, those that count no more included.
    lines: usize,
    /// Bytes of the blocks.
    bytes: usize,
    /// The number of the first line that may come back to the screen.
    floor: u64,
    /// Rows taken since the pane began.
    rows: u64,
    /// Rows that will leave the screen and are none.
    ignored: usize,
    taking: row::Taking,
    /// Where the first tags stand. They are resolved before their lines are sealed.
    tagged: Option<Mark>,
}

impl History {
    /// Takes a row that leaves the screen.
    pub(super) fn take(&mut self, row: &RowContents<'_>) {
        if self.ignored > 0 {
            self.ignored -= 1;
            return;
        }
        self.rows += 1;
        row::take(self, row);
        self.started = true;
    }

    /// How many rows have left the screen since the pane began.
    pub(super) const fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of the line that comes next, or is open.
    pub(super) const fn end(&self) -> u64 {
        self.first + (self.lines - self.skipped) as u64
    }

    /// Bytes that it takes.
    pub(super) fn size(&self) -> usize {
        self.bytes + self.open.reserved() + self.blocks.capacity() * size_of::<Arc<Block>>()
    }

    /// Forgets all lines. Their numbers are not used again.
    pub(super) fn clear(&mut self) {
        let first = self.end() + u64::from(self.started);
        *self = Self { first, rows: self.rows, ignored: self.ignored, ..Self::default() };
    }

    /// Whether the screen's first row goes on the open line. `screen` must show the primary screen.
    pub(super) fn continues(&self, screen: &vt100::Screen) -> bool {
        self.started && self.taking.continues(screen)
    }

    /// Ends the open line if it has rows.
    pub(super) fn finish(&mut self) {
        if self.started {
            self.end_line();
        }
        self.taking = row::Taking::default();
    }

    fn end_line(&mut self) {
        self.started = false;
        let before = self.open.lines();
        self.open.end_line();
        self.ended(before);
    }

    /// Counts the lines that ended since there were `before`, and keeps the bounds.
    fn ended(&mut self, before: usize) {
        self.lines += self.open.lines() - before;
        if self.open.size() >= BLOCK && self.tagged.is_none() {
            self.seal();
        }
        if self.lines - self.skipped > MAX_LINES {
            self.drop_lines(self.lines - self.skipped - MAX_LINES);
        }
    }

    fn seal(&mut self) {
        let block = Arc::new(self.open.seal());
        self.taking.forget_style();
        self.bytes += block.size();
        self.blocks.push_back(block);
        while self.size() > MAX_BYTES - 8 * BLOCK
            && let Some(front) = self.blocks.front()
        {
            self.drop_lines(front.lines() - self.skipped);
        }
    }

    fn drop_lines(&mut self, count: usize) {
        self.skipped += count;
        self.first += count as u64;
        while let Some(front) = self.blocks.front().filter(|front| front.lines() <= self.skipped) {
            self.skipped -= front.lines();
            self.lines -= front.lines();
            self.bytes -= front.size();
            self.blocks.pop_front();
        }
    }

    /// Resolves the tags in what was taken. Until then the side table must keep what they name.
    pub(super) fn settle(&mut self, tags: &Tags) {
        let Some(mark) = self.tagged.take() else { return };
        let before = self.open.lines();
        let lines = self.open.take_behind(mark);
        let last = lines.len() - 1;
        for (number, spans) in lines.into_iter().enumerate() {
            for span in spans.into_iter().flat_map(|span| resolved(span, tags)) {
                let style = self.open.span_style(&span);
                self.open.push(&span.text, style);
            }
            if number < last {
                self.open.end_line();
            }
        }
        self.ended(before);
    }

    /// Hands over all tags that are not resolved yet.
    pub(super) fn each_tagged(&self, take: &mut dyn FnMut(&str)) {
        if let Some(mark) = self.tagged {
            filter::each_tag(self.open.text_behind(mark), take);
        }
    }

    /// Takes back the open line, or else the last one. None when there is none.
    pub(super) fn pop(&mut self) -> Option<Vec<Span>> {
        self.taking = row::Taking::default();
        if std::mem::take(&mut self.started) {
            return Some(self.open.take_open());
        }
        if self.lines == self.skipped {
            return None;
        }
        if self.open.lines() == 0
            && let Some(block) = self.blocks.pop_back()
        {
            self.bytes -= block.size();
            for line in 0..block.lines() {
                self.open.push_line(&block, line);
                self.open.end_line();
            }
        }
        if !self.open.reopen() {
            return None;
        }
        self.lines -= 1;
        Some(self.open.take_open())
    }

    /// Adds part of a line that the screen has not seen. No row is open.
    pub(super) fn push_part(&mut self, text: &str, style: CellStyle) {
        let style = self.open.style(style);
        self.open.push(text, style);
    }

    /// Ends the line of these parts, which takes so many rows of the screen.
    pub(super) fn end_parts(&mut self, rows: usize) {
        self.rows += rows as u64;
        let before = self.open.lines();
        self.open.end_line();
        self.ended(before);
    }

    /// The next rows that leave the screen are none.
    pub(super) const fn ignore(&mut self, rows: usize) {
        self.ignored += rows;
    }

    /// Takes back the last line, if it may come back to the screen.
    pub(super) fn pop_recent(&mut self) -> Option<Vec<Span>> {
        if self.end() > self.floor { self.pop() } else { None }
    }

    /// The lines so far stay here from now on: what is on the screen did not push them off.
    pub(super) const fn detach(&mut self) {
        self.floor = self.end();
    }

    /// Writes a row on the open line. The line stays open for the next row; [`History::finish`] ends it.
    pub(super) fn push_row(&mut self, spans: &[Span]) {
        self.taking = row::Taking::default();
        self.started = true;
        let before = self.open.lines();
        for span in spans {
            let style = self.open.span_style(span);
            self.open.push(&span.text, style);
        }
        self.ended(before);
    }

    /// Its lines and those of the screen, which `screen` writes; it gets whether the screen's first row goes
    /// on the open line.
    pub(super) fn freeze(&self, continues: bool, screen: impl FnOnce(&mut Packer)) -> PaneText {
        let mut rest = self.open.clone();
        let mut first = self.end();
        if self.started && !continues {
            rest.end_line();
            first += 1;
        }
        screen(&mut rest);
        let blocks = self.blocks.iter().map(Arc::clone).chain([Arc::new(rest.seal())]);
        PaneText::packed(self.first, self.skipped, blocks, first)
    }
}

/// A span without tags. What was resolved before has none, and keeps its link.
fn resolved(span: Span, tags: &Tags) -> Vec<Span> {
    if filter::may_have_tag(&span.text) { tags.spans(&span.text, span.style) } else { vec![span] }
}
