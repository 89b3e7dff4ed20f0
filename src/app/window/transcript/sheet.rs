//! An entry as lines: what it is made of, and the lines of each part, made where someone looks.

use std::cell::RefCell;
use std::sync::Arc;

use crate::app::window::line::Line;
use crate::app::window::text::Row;

use super::markdown::{Outline, lay_out};
use super::memo::Memo;
use super::rows;
use super::source::Source;

/// An entry. Its units are lines of what was said; each has one line on the screen or, as a table's row, several.
pub(super) struct Sheet<'a> {
    pub head: Vec<Source<'a>>,
    pub said: Option<Said<'a>>,
    pub tail: Vec<Source<'a>>,
}

/// An answer, or as much of it as has come.
pub(super) struct Said<'a> {
    pub text: &'a str,
    pub outline: Arc<Outline>,
    /// Tells the text from others.
    pub key: u64,
    /// More may follow.
    pub grows: bool,
    /// The chunk that was laid out last.
    laid: RefCell<Option<(usize, Vec<Vec<Line>>)>>,
}

/// What stands in a unit.
pub(super) enum Unit<'s, 'a> {
    Source(&'s Source<'a>),
    /// The chunk and which of its units.
    Said(&'s Said<'a>, usize, usize),
}

impl<'a> Said<'a> {
    pub(super) fn new(text: &'a str, outline: Arc<Outline>, key: u64, grows: bool) -> Self {
        Self { text, outline, key, grows, laid: RefCell::new(None) }
    }

    /// The lines of a chunk's units, without colours.
    pub(super) fn chunk(&self, number: usize, cells: usize) -> Vec<Vec<Line>> {
        let chunks = self.outline.chunks();
        let tail = self.grows && number + 1 == chunks.len();
        chunks.get(number).map(|chunk| lay_out(self.text, chunk, cells, self.key, tail)).unwrap_or_default()
    }

    fn lines(&self, number: usize, unit: usize, cells: usize, memo: &Memo) -> Vec<Line> {
        let mut laid = self.laid.borrow_mut();
        if laid.as_ref().is_none_or(|(of, _)| *of != number) {
            *laid = Some((number, self.chunk(number, cells)));
        }
        let lines = laid.as_ref().and_then(|(_, units)| units.get(unit)).cloned();
        drop(laid);
        let mut lines = lines.unwrap_or_default();
        for line in &mut lines {
            if !memo.paint(line)
                && let Some(at) = &line.code
            {
                memo.want(at, || self.piece(number, cells));
            }
        }
        lines
    }

    /// The finished lines of the piece of code to which a chunk belongs.
    fn piece(&self, number: usize, cells: usize) -> Vec<String> {
        let chunks = self.outline.piece(number);
        let last = chunks.end == self.outline.chunks().len();
        let lines = chunks.flat_map(|at| self.chunk(at, cells)).flatten();
        let mut lines: Vec<String> = lines.filter(|line| line.code.is_some()).map(|line| line.text()).collect();
        if last && self.grows && !self.text.ends_with('\n') {
            lines.pop();
        }
        lines
    }
}

impl<'a> Sheet<'a> {
    pub(super) const fn of(head: Vec<Source<'a>>) -> Self {
        Self { head, said: None, tail: Vec::new() }
    }

    /// How many units it has.
    pub(super) fn units(&self) -> usize {
        let said = self.said.as_ref().map_or(0, |said| said.outline.units());
        self.head.len() + said + self.tail.len()
    }

    fn unit(&self, number: usize) -> Option<Unit<'_, 'a>> {
        if let Some(source) = self.head.get(number) {
            return Some(Unit::Source(source));
        }
        let number = number - self.head.len();
        let said = self.said.as_ref().map_or(0, |said| said.outline.units());
        if let Some(said) = self.said.as_ref().filter(|_| number < said) {
            let chunk = said.outline.at(number);
            let first = said.outline.chunks().get(chunk)?.units().start;
            return Some(Unit::Said(said, chunk, number - first));
        }
        self.tail.get(number - said).map(Unit::Source)
    }

    /// The rows of a unit, in so many cells.
    pub(super) fn rows(&self, number: usize, cells: usize, memo: &Memo) -> Vec<Row> {
        match self.unit(number) {
            None => Vec::new(),
            Some(Unit::Source(source)) => rows::rows(source, cells),
            Some(Unit::Said(said, chunk, unit)) => {
                said.lines(chunk, unit, cells, memo).iter().flat_map(|line| line.rows(cells)).collect()
            }
        }
    }
}
