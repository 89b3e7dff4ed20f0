//! A lane's transcript as rows, made only where someone looks.
//!
//! Each entry becomes a [`Sheet`] of units without copying its text; a unit becomes [`Row`]s once it
//! is needed. Places are [`Position`]s, which stay true when the transcript grows and when the width
//! changes. What a running turn streams stands behind the last entry, under the number that its entry
//! will have, so that a view does not jump when the text is kept. What is dear to find out, outlines of
//! long answers and the colours of code, is remembered in a [`Memo`].

mod code;
mod diff;
mod folds;
mod frozen;
mod markdown;
mod memo;
mod rows;
mod sheet;
mod source;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::app::{LiveLane, State};
use crate::domain::{CallId, Entry, EntryBody, LaneId, PromptState, ToolOutcome};

use super::text::Row;
pub use code::{CodeColours, CodeJob};
pub use folds::Folds;
use frozen::Book;
pub use frozen::{Block, Laid, Part};
pub use memo::Memo;
use sheet::Sheet;
pub use source::{LineKind, Source};

/// Entries before the first one shown that are wanted in memory before someone comes to them.
const NEAR: u64 = 200;
/// How far apart a call and its result may stand: calls of one step are answered together, and children take steps.
const REACH: usize = 500;

/// A row of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The entry.
    pub seq: u64,
    /// The unit in it: a line of what was said.
    pub line: usize,
    /// The row of that unit at the current width.
    pub row: usize,
}

/// A lane's transcript at a width.
#[derive(Debug, Clone, Copy)]
pub struct Transcript<'a> {
    entries: Option<&'a VecDeque<Arc<Entry>>>,
    live: Option<&'a LiveLane>,
    state: &'a State,
    lane: LaneId,
    width: usize,
    cells: u16,
    folds: &'a Folds,
    spinner: &'static str,
    feed: u64,
}

impl<'a> Transcript<'a> {
    /// The transcript of a lane, `width` cells wide, with these folds.
    #[must_use]
    pub fn new(state: &'a State, lane: LaneId, width: u16, folds: &'a Folds) -> Self {
        Self {
            entries: state.model.entries.get(&lane),
            live: state.live(lane),
            state,
            lane,
            width: usize::from(width).max(8),
            cells: width,
            folds,
            spinner: "…",
            feed: state.model.next_seq(lane),
        }
    }

    /// The width.
    pub(super) const fn cells(&self) -> u16 {
        self.cells
    }

    /// With this picture of the spinner.
    #[must_use]
    pub const fn spinning(mut self, spinner: &'static str) -> Self {
        self.spinner = spinner;
        self
    }

    fn first(&self) -> u64 {
        self.entries.and_then(|e| e.front()).map_or(self.feed, |e| e.seq)
    }

    fn kept(&self, seq: u64) -> Option<&'a Arc<Entry>> {
        let at = usize::try_from(seq.checked_sub(self.first())?).ok()?;
        self.entries?.get(at)
    }

    fn entry(&self, seq: u64) -> Option<&'a Entry> {
        self.kept(seq).map(Arc::as_ref)
    }

    /// The result of a call, which stands a few entries behind it.
    fn result(&self, after: u64, call: &CallId) -> Option<&'a ToolOutcome> {
        (after + 1..self.feed.min(after + REACH as u64)).find_map(|seq| match &self.entry(seq)?.body {
            EntryBody::Result { call: of, outcome } if of == call => Some(outcome),
            _ => None,
        })
    }

    /// Whether a result's call is shown, so that the result stands there.
    fn has_call(&self, before: u64, call: &CallId) -> bool {
        let from = before.saturating_sub(REACH as u64).max(self.first());
        (from..before).rev().any(|seq| {
            self.entry(seq).is_some_and(|e| matches!(&e.body, EntryBody::Call { call: of, .. } if of.id == *call))
        })
    }

    /// Whether an entry's fold is open.
    fn open(&self, seq: u64) -> bool {
        self.folds.open(self.lane, seq)
    }

    /// Whether a turn of this lane runs now.
    fn runs(&self) -> bool {
        self.state.model.active_prompt(self.lane).is_some_and(|p| p.state == PromptState::Running)
    }

    /// Rows of a unit.
    fn rows(&self, sheet: &Sheet<'_>, unit: usize) -> Vec<Row> {
        sheet.rows(unit, self.width, &self.state.memo)
    }

    /// The end: the position behind the last row.
    const fn end(&self) -> Position {
        Position { seq: self.feed + 1, line: 0, row: 0 }
    }

    /// At most `height` rows from `from` on.
    #[must_use]
    pub fn rows_from(&self, from: Position, height: usize) -> Vec<(Position, Row)> {
        let mut out = Vec::new();
        let (mut seq, mut line, mut row) = (from.seq.max(self.first()), from.line, from.row);
        if seq < self.first() + NEAR {
            self.want_older();
        }
        if from.seq < seq {
            (line, row) = (0, 0);
        }
        while seq <= self.feed && out.len() < height {
            let sheet = self.sheet(seq);
            for number in line..sheet.units() {
                for (at, text) in self.rows(&sheet, number).into_iter().enumerate().skip(row) {
                    out.push((Position { seq, line: number, row: at }, text));
                    if out.len() == height {
                        return out;
                    }
                }
                row = 0;
            }
            (seq, line, row) = (seq + 1, 0, 0);
        }
        out
    }

    /// At most `count` rows that stand right before `before`, in reading order.
    #[must_use]
    pub fn rows_before(&self, before: Position, count: usize) -> Vec<(Position, Row)> {
        let mut out = Vec::new();
        let mut seq = before.seq.min(self.feed + 1);
        let mut limit = Some((before.line, before.row));
        if before.seq > seq {
            limit = None;
        }
        loop {
            if seq <= self.feed {
                let sheet = self.sheet(seq);
                let (last, cut) = limit.unwrap_or((sheet.units(), 0));
                for number in (0..sheet.units().min(last + 1)).rev() {
                    let mut texts = self.rows(&sheet, number);
                    if number == last {
                        texts.truncate(cut);
                    }
                    for (row, text) in texts.into_iter().enumerate().rev() {
                        out.push((Position { seq, line: number, row }, text));
                        if out.len() >= count {
                            out.reverse();
                            return out;
                        }
                    }
                }
            }
            limit = None;
            if seq <= self.first() {
                break;
            }
            seq -= 1;
        }
        out.reverse();
        out
    }

    /// The last `height` rows.
    #[must_use]
    pub fn tail(&self, height: usize) -> Vec<(Position, Row)> {
        if height == 0 {
            return Vec::new();
        }
        self.rows_before(self.end(), height)
    }

    /// The rows to show: from the anchor, or the last ones if there is none or it stands so near the
    /// end that less than a screen follows.
    #[must_use]
    pub fn view(&self, anchor: Option<Position>, height: usize) -> Vec<(Position, Row)> {
        if let Some(at) = anchor {
            let rows = self.rows_from(at, height);
            if rows.len() >= height {
                return rows;
            }
        }
        self.tail(height)
    }

    /// The top row after scrolling by `delta` rows (negative is back) from `anchor`; none at the end.
    #[must_use]
    pub fn scrolled(&self, anchor: Option<Position>, delta: i32, height: usize) -> Option<Position> {
        let steps = delta.unsigned_abs() as usize;
        if delta < 0 {
            if let Some(at) = anchor {
                return Some(self.rows_before(at, steps).first().map_or(at, |(at, _)| *at));
            }
            let rows = self.tail(height + steps);
            return rows.first().filter(|_| rows.len() > height).map(|(at, _)| *at);
        }
        let rows = self.rows_from(anchor?, height + steps + 1);
        (rows.len() > height + steps).then(|| rows[steps].0)
    }

    /// The whole of it, as it stands now: lines before they are wrapped, made when they are read.
    pub(super) fn freeze(&self) -> Vec<Part> {
        (self.first()..=self.feed).flat_map(|seq| self.freeze_entry(seq)).collect()
    }

    /// What stands before an entry and the entry itself, which may begin otherwise now that something stands before it.
    pub(super) fn freeze_to(&self, last: u64) -> Vec<Part> {
        (self.first()..=last.min(self.feed)).flat_map(|seq| self.freeze_entry(seq)).collect()
    }

    /// Older entries stand in the store, and someone wants to see them.
    pub(super) fn want_older(&self) {
        if self.first() > 1 {
            self.state.memo.want_older(self.lane, self.first());
        }
    }

    fn freeze_entry(&self, seq: u64) -> Vec<Part> {
        let sheet = self.sheet(seq);
        let entry = self.kept(seq);
        let mut parts = Vec::new();
        let mut unit = 0;
        // Lines of one kind stand together, so that what is copied as a block is known.
        let mut add = |unit: usize, sources: &[Source<'_>]| {
            let mut from = 0;
            for same in sources.chunk_by(|a, b| a.is_outcome() == b.is_outcome()) {
                let folds = same.iter().any(|source| matches!(source, Source::Call { open: Some(_), .. }));
                let block = self.block(seq, entry, same[0].is_outcome(), folds);
                parts.push(Part::ready(seq, unit + from, block, same.iter().map(rows::line).collect()));
                from += same.len();
            }
        };
        add(unit, &sheet.head);
        unit += sheet.head.len();
        let mut said = Vec::new();
        if let Some(answer) = &sheet.said {
            let (outline, key) = (Arc::clone(&answer.outline), answer.key);
            let book = Arc::new(match entry {
                Some(entry) => Book::kept(Arc::clone(entry), outline, key),
                None => Book::live(answer.text.to_owned(), outline, key),
            });
            let chunks = answer.outline.chunks();
            said.extend(
                (0..chunks.len())
                    .map(|number| Part::chunk(seq, unit + chunks[number].units().start, &book, number, self.width)),
            );
            unit += answer.outline.units();
        }
        parts.extend(said);
        let tail = Part::ready(seq, unit, Block::None, sheet.tail.iter().map(rows::line).collect());
        parts.push(tail);
        parts.retain(|part| part.len() > 0);
        parts
    }

    /// What a part of an entry is copied as.
    fn block(&self, seq: u64, entry: Option<&Arc<Entry>>, outcome: bool, folds: bool) -> Block {
        let Some(entry) = entry else { return Block::None };
        match &entry.body {
            EntryBody::Prompt { .. } => Block::Prompt(Arc::clone(entry)),
            EntryBody::Call { call, .. } if outcome => {
                let of = |seq: &u64| matches!(self.entry(*seq).map(|e| &e.body), Some(EntryBody::Result { call: of, .. }) if *of == call.id);
                let found = (seq + 1..self.feed.min(seq + REACH as u64)).find(of).and_then(|seq| self.kept(seq));
                found.map_or(Block::None, |entry| Block::Outcome(Arc::clone(entry)))
            }
            EntryBody::Call { .. } => Block::Call(Arc::clone(entry), folds),
            EntryBody::Result { .. } => Block::Outcome(Arc::clone(entry)),
            EntryBody::Notice { .. }
            | EntryBody::Told { .. }
            | EntryBody::Rewinding { .. }
            | EntryBody::Rewound { .. }
            | EntryBody::Cancelled
            | EntryBody::Withheld => Block::Other(Arc::clone(entry)),
            EntryBody::Notes(_) => Block::Call(Arc::clone(entry), folds),
            EntryBody::Answer { .. } if folds => Block::Call(Arc::clone(entry), true),
            EntryBody::Answer { .. } if outcome => Block::Outcome(Arc::clone(entry)),
            EntryBody::Answer { .. } | EntryBody::Child { .. } => Block::None,
        }
    }
}
