//! A lane's transcript as rows, made only where someone looks.
//!
//! Each entry becomes [`Source`] lines without copying its text; a source line becomes [`Row`]s once it
//! is needed. Places are [`Position`]s, which stay true when the transcript grows and when the width
//! changes. What a running turn streams stands behind the last entry, under the number that its entry
//! will have, so that a view does not jump when the text is kept.

mod rows;
mod source;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::app::{LiveLane, State};
use crate::domain::{CallId, Entry, EntryBody, LaneId, PromptState, ToolOutcome};

use super::text::Row;
pub use source::{LineKind, Source};

/// How far apart a call and its result may stand: calls of one step are answered together.
const REACH: usize = 200;

/// A row of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The entry.
    pub seq: u64,
    /// The source line in it.
    pub line: usize,
    /// The row of that line at the current width.
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
    unfolded: bool,
    spinner: &'static str,
    feed: u64,
}

impl<'a> Transcript<'a> {
    /// The transcript of a lane, `width` cells wide, with folds open or not.
    #[must_use]
    pub fn new(state: &'a State, lane: LaneId, width: u16, unfolded: bool) -> Self {
        Self {
            entries: state.model.entries.get(&lane),
            live: state.live(lane),
            state,
            lane,
            width: usize::from(width).max(8),
            unfolded,
            spinner: "…",
            feed: state.model.next_seq(lane),
        }
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

    fn entry(&self, seq: u64) -> Option<&'a Entry> {
        let at = usize::try_from(seq.checked_sub(self.first())?).ok()?;
        self.entries?.get(at).map(Arc::as_ref)
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

    /// Whether a turn of this lane runs now.
    fn runs(&self) -> bool {
        self.state.model.active_prompt(self.lane).is_some_and(|p| p.state == PromptState::Running)
    }

    /// Rows of a source line.
    fn rows(&self, source: &Source<'_>) -> Vec<Row> {
        rows::rows(source, self.width)
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
        if from.seq < seq {
            (line, row) = (0, 0);
        }
        while seq <= self.feed && out.len() < height {
            let lines = self.lines(seq);
            for (number, source) in lines.iter().enumerate().skip(line) {
                for (at, text) in self.rows(source).into_iter().enumerate().skip(row) {
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
                let lines = self.lines(seq);
                let (last, cut) = limit.unwrap_or((lines.len(), 0));
                for number in (0..lines.len().min(last + 1)).rev() {
                    let mut texts = self.rows(&lines[number]);
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

    /// The very first row.
    #[must_use]
    pub fn top(&self) -> Option<Position> {
        self.rows_from(Position { seq: 0, line: 0, row: 0 }, 1).first().map(|(at, _)| *at)
    }

    /// The whole source lines from one position to another, as text to copy.
    #[must_use]
    pub fn copy(&self, a: Position, b: Position) -> String {
        let (from, to) = if a <= b { (a, b) } else { (b, a) };
        let mut out = String::new();
        for seq in from.seq..=to.seq.min(self.feed) {
            for (number, source) in self.lines(seq).iter().enumerate() {
                let before = (seq, number) < (from.seq, from.line);
                if before || (seq, number) > (to.seq, to.line) {
                    continue;
                }
                out.push_str(&source.plain());
                out.push('\n');
            }
        }
        out
    }

    /// The nearest source line that contains the words (letter case ignored), beyond `from`, going
    /// round at the end. Reads the whole transcript: only for a search that the person asked for.
    #[must_use]
    pub fn find(&self, from: Position, words: &str, down: bool) -> Option<Position> {
        let words = words.to_lowercase();
        let hit = |seq: u64| {
            let lines = self.lines(seq);
            let found = lines.iter().enumerate().filter(|(_, s)| s.plain().to_lowercase().contains(&words));
            found.map(|(line, _)| Position { seq, line, row: 0 }).collect::<Vec<_>>()
        };
        let beyond = |at: &Position| {
            if down { (at.seq, at.line) > (from.seq, from.line) } else { (at.seq, at.line) < (from.seq, from.line) }
        };
        let (first, last) = (self.first(), self.feed);
        let here = from.seq.clamp(first, last);
        if down {
            (here..=last)
                .flat_map(hit)
                .find(beyond)
                .or_else(|| (first..=here).find_map(|seq| hit(seq).into_iter().next()))
        } else {
            (first..=here)
                .rev()
                .flat_map(|seq| hit(seq).into_iter().rev())
                .find(beyond)
                .or_else(|| (here..=last).rev().find_map(|seq| hit(seq).into_iter().next_back()))
        }
    }
}
