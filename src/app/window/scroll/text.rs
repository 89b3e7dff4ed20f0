//! The frozen text that is scrolled through: a pane's, or a lane's transcript. Lines and places in it.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use regex::Regex;

use crate::app::window::text::Tone;
use crate::app::window::transcript::{Block, Laid, Memo, Part, Position, Transcript};
use crate::base::width;
use crate::domain::{CellStyle, PaneText};

/// Lines of a transcript that can be scrolled through; the oldest are left out.
const MOST: u64 = 400_000;

/// The number of a transcript's first line when it is frozen: what is read from the store later stands before it.
const FIRST: u64 = 1 << 40;

/// Bytes of a text that an editor is given at most; the oldest lines are left out.
const WHOLE: usize = 8 * 1024 * 1024;

/// A character of the text: its line's number and its first byte there. In an empty line the byte is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// The line's number.
    pub line: u64,
    /// The byte in the line's text.
    pub byte: usize,
}

/// How a piece of a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// As what it means.
    Tone(Tone),
    /// As the program asked.
    Cell(CellStyle),
}

/// How a line lies in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Shape {
    /// Cells before its first row.
    pub lead: usize,
    /// Cells before its other rows.
    pub more: usize,
    /// Whether rows are cut at blanks.
    pub words: bool,
    /// The byte from which it stands at the right edge, if it fits in one row.
    pub right: Option<usize>,
}

/// A transcript's lines, in parts that are made when they are read.
#[derive(Debug)]
struct Said {
    /// Each with the number of its first line.
    parts: VecDeque<(u64, Part)>,
    end: u64,
    /// The width that its tables fit.
    cells: u16,
}

impl Said {
    fn new(parts: Vec<Part>, cells: u16) -> Self {
        let mut numbered = VecDeque::with_capacity(parts.len());
        let mut end = FIRST;
        for part in parts {
            let lines = part.len() as u64;
            numbered.push_back((end, part));
            end += lines;
        }
        let gone = numbered.partition_point(|(from, part)| from + (part.len() as u64) + MOST <= end);
        numbered.drain(..gone);
        Self { parts: numbered, end, cells }
    }

    /// Parts that stand before an entry take the place of its own, which may begin otherwise now: lines keep their
    /// numbers.
    fn prepend(&mut self, before: u64, parts: Vec<Part>) {
        while self.parts.front().is_some_and(|(_, part)| part.seq <= before) {
            self.parts.pop_front();
        }
        for part in parts.into_iter().rev() {
            let start = self.numbers().start;
            if self.end - start < MOST {
                self.parts.push_front((start.saturating_sub(part.len() as u64), part));
            }
        }
    }

    fn numbers(&self) -> Range<u64> {
        self.parts.front().map_or(self.end, |(from, _)| *from)..self.end
    }

    /// The number of the part in which a line stands.
    fn at(&self, line: u64) -> Option<usize> {
        self.parts.partition_point(|(from, _)| *from <= line).checked_sub(1).filter(|_| line < self.end)
    }

    fn part(&self, line: u64) -> Option<&Part> {
        self.parts.get(self.at(line)?).map(|(_, part)| part)
    }

    fn line(&self, line: u64) -> Option<&Laid> {
        let (from, part) = self.parts.get(self.at(line)?)?;
        part.lines().get(usize::try_from(line - from).ok()?)
    }
}

/// A frozen text.
#[derive(Debug)]
pub struct ScrollText(Lines);

#[derive(Debug)]
enum Lines {
    Pane(PaneText),
    Said(Said),
}

impl ScrollText {
    /// A pane's.
    #[must_use]
    pub const fn pane(text: PaneText) -> Self {
        Self(Lines::Pane(text))
    }

    /// A transcript's.
    #[must_use]
    pub(in crate::app::window) fn transcript(transcript: &Transcript<'_>) -> Self {
        Self(Lines::Said(Said::new(transcript.freeze(), transcript.cells())))
    }

    /// These parts of a transcript.
    #[cfg(test)]
    pub(super) fn parts(parts: Vec<Part>) -> Self {
        Self(Lines::Said(Said::new(parts, 80)))
    }

    /// The width that a transcript is laid out for.
    pub(super) fn cells(&self) -> Option<u16> {
        match &self.0 {
            Lines::Said(said) => Some(said.cells),
            Lines::Pane(_) => None,
        }
    }

    /// The oldest entry in it.
    pub(super) fn first_entry(&self) -> Option<u64> {
        match &self.0 {
            Lines::Said(said) => said.parts.front().map(|(_, part)| part.seq),
            Lines::Pane(_) => None,
        }
    }

    /// What stands before an entry has come.
    pub(super) fn prepend(&mut self, before: u64, parts: Vec<Part>) {
        if let Lines::Said(said) = &mut self.0 {
            said.prepend(before, parts);
        }
    }

    /// The lines' numbers.
    #[must_use]
    pub fn numbers(&self) -> Range<u64> {
        match &self.0 {
            Lines::Pane(text) => text.numbers(),
            Lines::Said(said) => said.numbers(),
        }
    }

    /// The line before which nothing stands on the live screen; the text's end in a transcript.
    pub(super) fn screen(&self) -> Option<u64> {
        match &self.0 {
            Lines::Pane(text) => Some(text.screen().clamp(text.numbers().start, text.numbers().end)),
            Lines::Said(_) => None,
        }
    }

    fn said(&self, line: u64) -> Option<&Laid> {
        match &self.0 {
            Lines::Said(said) => said.line(line),
            Lines::Pane(_) => None,
        }
    }

    /// A line's text; nothing beyond the ends.
    #[must_use]
    pub fn line(&self, line: u64) -> &str {
        match &self.0 {
            Lines::Pane(text) => text.line(line).map_or("", |line| &line.text),
            Lines::Said(_) => self.said(line).map_or("", |said| &said.text),
        }
    }

    pub(super) fn shape(&self, line: u64) -> Shape {
        self.said(line).map_or_else(Shape::default, |said| Shape {
            lead: width(&said.leads.0),
            more: width(&said.leads.1),
            words: true,
            right: said.right,
        })
    }

    /// What stands before a line's row.
    #[must_use]
    pub fn lead(&self, line: u64, row: usize) -> (Tone, &str) {
        self.said(line)
            .map_or((Tone::Text, ""), |said| (said.tone, if row == 0 { &said.leads.0 } else { &said.leads.1 }))
    }

    /// Shows each line that may have this word until one says that it is enough. Nothing is kept of what was not
    /// read before.
    pub(super) fn each_line(&self, word: &Regex, show: &mut impl FnMut(u64, &str) -> bool) {
        let said = match &self.0 {
            Lines::Said(said) => said,
            Lines::Pane(text) => {
                let mut lines = text.numbers().filter_map(|line| Some((line, text.line(line)?)));
                let _enough = lines.all(|(line, text)| show(line, &text.text));
                return;
            }
        };
        for (from, part) in &said.parts {
            if part.raw().is_some_and(|raw| !word.is_match(raw) && !parted(raw)) {
                continue;
            }
            let lines = part.glance();
            if !(*from..).zip(lines.iter().take(part.len())).all(|(line, laid)| show(line, &laid.text)) {
                return;
            }
        }
    }

    /// How a line is drawn, piece by piece; what the pieces do not reach is plain. Code has its colours from memory.
    #[must_use]
    pub fn paints(&self, line: u64, memo: &Memo) -> Vec<(Range<usize>, Paint)> {
        let plain = self.plain_paints(line);
        let Some(said) = self.said(line) else { return plain };
        let Some(at) = &said.code else { return plain };
        match memo.colours(at, &said.text) {
            Ok(spans) => in_order(spans.into_iter().map(|(length, tone)| (length as usize, Paint::Tone(tone)))),
            Err(wanted) => {
                if wanted {
                    memo.want(at, || self.piece(line, at.piece));
                }
                plain
            }
        }
    }

    /// The lines of a piece of code.
    fn piece(&self, line: u64, piece: u64) -> Vec<String> {
        let Lines::Said(said) = &self.0 else { return Vec::new() };
        let Some(at) = said.at(line) else { return Vec::new() };
        let same = |(_, part): &&(u64, Part)| {
            part.lines().iter().any(|line| line.code.as_ref().is_some_and(|code| code.piece == piece))
        };
        let first = at - said.parts.range(..at).rev().take_while(same).count();
        let parts = said.parts.range(first..).take_while(same);
        let lines = parts.flat_map(|(_, part)| part.lines()).filter(|line| line.code.is_some());
        lines.map(|line| line.text.clone()).collect()
    }

    fn plain_paints(&self, line: u64) -> Vec<(Range<usize>, Paint)> {
        let pieces: Vec<(usize, Paint)> = match &self.0 {
            Lines::Pane(text) => text
                .line(line)
                .map(|line| line.runs.iter().map(|run| (run.length, Paint::Cell(run.style))).collect())
                .unwrap_or_default(),
            Lines::Said(_) => self
                .said(line)
                .map(|said| said.spans.iter().map(|(length, tone, _)| (*length, Paint::Tone(*tone))).collect())
                .unwrap_or_default(),
        };
        in_order(pieces.into_iter())
    }

    /// Where the pieces of a transcript's line lead: the bytes of each link and its target.
    #[must_use]
    pub fn links(&self, line: u64) -> Vec<(Range<usize>, Arc<str>)> {
        let Some(said) = self.said(line) else { return Vec::new() };
        let mut links: Vec<(Range<usize>, Arc<str>)> = Vec::new();
        let mut at = 0;
        for (length, _, link) in &said.spans {
            let bytes = at..at + length;
            at = bytes.end;
            let Some(link) = link else { continue };
            match links.last_mut().filter(|(last, target)| last.end == bytes.start && target == link) {
                Some((last, _)) => last.end = bytes.end,
                None => links.push((bytes, Arc::clone(link))),
            }
        }
        links
    }

    /// The link that a program laid under a place (OSC 8), and the bytes that it covers.
    pub(super) fn laid_link(&self, place: Place) -> Option<(Range<usize>, Arc<str>)> {
        let Lines::Pane(text) = &self.0 else {
            return self.links(place.line).into_iter().find(|(bytes, _)| bytes.contains(&place.byte));
        };
        let paints = self.plain_paints(place.line);
        let link = |paint: &Paint| match paint {
            Paint::Cell(style) => style.link,
            Paint::Tone(_) => None,
        };
        let at = paints.iter().position(|(range, _)| range.contains(&place.byte))?;
        let id = link(&paints[at].1)?;
        let same = |(_, paint): &&(Range<usize>, Paint)| link(paint) == Some(id);
        let start = paints[..=at].iter().rev().take_while(same).last()?.0.start;
        let end = paints[at..].iter().take_while(same).last()?.0.end;
        Some((start..end, text.link(id)?.into()))
    }

    /// The block of a transcript in which a line stands.
    pub(super) fn block(&self, line: u64) -> Option<&Block> {
        match &self.0 {
            Lines::Said(said) => said.part(line).map(|part| &part.block),
            Lines::Pane(_) => None,
        }
    }

    /// The first line of the next turn of a transcript, or of the turn before: where a person said something.
    pub(super) fn turn(&self, line: u64, down: bool) -> Option<u64> {
        let Lines::Said(said) = &self.0 else { return None };
        // A blank line stands before most: the words themselves are meant.
        let prompt = |(from, part): &(u64, Part)| {
            let Block::Prompt(_) = part.block else { return None };
            let blank = part.lines().iter().take_while(|line| line.text.is_empty() && line.leads.0.is_empty()).count();
            Some(from + blank as u64)
        };
        if down {
            let at = said.parts.partition_point(|(from, _)| *from <= line);
            return said.parts.range(at.saturating_sub(1)..).filter_map(prompt).find(|first| *first > line);
        }
        let at = said.parts.partition_point(|(from, _)| *from < line);
        said.parts.range(..at).rev().filter_map(prompt).find(|first| *first < line)
    }

    /// The entry whose fold can be opened or closed at a line.
    pub(super) fn fold(&self, line: u64) -> Option<u64> {
        let Lines::Said(said) = &self.0 else { return None };
        let part = said.part(line)?;
        match part.block {
            Block::Outcome(_) => Some(part.seq),
            Block::Call(_, true) => Some(part.seq),
            _ => None,
        }
    }

    /// The entry in which a line stands.
    pub(super) fn entry(&self, line: u64) -> Option<u64> {
        match &self.0 {
            Lines::Said(said) => said.part(line).map(|part| part.seq),
            Lines::Pane(_) => None,
        }
    }

    /// Where a row of the live transcript stands here.
    pub(super) fn find(&self, at: Position) -> Option<u64> {
        let Lines::Said(said) = &self.0 else { return None };
        let behind = said.parts.partition_point(|(_, part)| (part.seq, part.unit) <= (at.seq, at.line));
        let (from, part) = said.parts.get(behind.checked_sub(1)?)?;
        if part.seq < at.seq {
            return said.parts.get(behind).map(|(from, _)| *from);
        }
        let line = part.lines().partition_point(|line| line.unit < at.line).min(part.len().saturating_sub(1));
        Some(from + line as u64)
    }

    /// The transcript's row of a line.
    pub(super) fn position(&self, line: u64) -> Option<Position> {
        Some(Position { seq: self.entry(line)?, line: self.said(line)?.unit, row: 0 })
    }

    /// The whole text, and how many of the oldest lines are left out of it because it would be too much for an
    /// editor.
    pub(super) fn whole(&self) -> (String, u64) {
        let numbers = self.numbers();
        let mut room = WHOLE;
        let fits = numbers.clone().rev().take_while(|line| {
            let need = self.line(*line).len() + 1;
            let fits = need <= room;
            room = room.saturating_sub(need);
            fits
        });
        let first = fits.last().unwrap_or(numbers.end);
        let lines = (first..numbers.end).flat_map(|line| [self.line(line), "\n"]);
        (lines.collect(), first - numbers.start)
    }

    /// The last line's number; none when there is no line.
    #[must_use]
    pub(super) fn last(&self) -> Option<u64> {
        let numbers = self.numbers();
        (!numbers.is_empty()).then(|| numbers.end - 1)
    }
}

/// Whether marks may stand within a word of a text: what is shown then has words that the text has not.
fn parted(raw: &str) -> bool {
    let bytes = raw.as_bytes();
    let word = |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    let mark = |byte: u8| matches!(byte, b'*' | b'_' | b'`' | b'~' | b'<' | b'[' | b']');
    (0..bytes.len()).any(|at| match bytes[at] {
        b'&' | b'\\' => true,
        byte if mark(byte) && at > 0 && word(at - 1) => {
            let marks = bytes[at..].iter().take_while(|byte| mark(**byte)).count();
            word(at + marks) && (marks > 1 || byte != b'_')
        }
        _ => false,
    })
}

/// Pieces one behind the other.
fn in_order(pieces: impl Iterator<Item = (usize, Paint)>) -> Vec<(Range<usize>, Paint)> {
    let mut at = 0;
    let range = |(length, paint)| {
        let range = at..at + length;
        at += length;
        (range, paint)
    };
    pieces.map(range).collect()
}
