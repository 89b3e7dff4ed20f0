//! A frozen text in rows of a width, of which so many are in view: where each character stands.
//!
//! Nothing is kept: a line is wrapped when it is looked at, so that a key costs what it passes.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::text::{Place, ScrollText, Shape};
use crate::app::window::text::{breaks, cells_of};
use crate::base::width;

/// A row: its line and which of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RowAt {
    /// The line's number.
    pub line: u64,
    /// The row of that line, from 0.
    pub row: usize,
}

/// A character in its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glyph {
    /// Its bytes in the line.
    pub bytes: Range<usize>,
    /// Its first cell, from the row's left edge.
    pub x: usize,
    /// Its cells, at least one.
    pub width: usize,
}

/// A text in rows.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// The text.
    pub text: &'a ScrollText,
    /// Cells of a row.
    pub cells: usize,
    /// Rows in view.
    pub height: usize,
}

impl<'a> Page<'a> {
    /// The text in rows of so many cells, so many of them in view.
    #[must_use]
    pub fn new(text: &'a ScrollText, cells: u16, height: u16) -> Self {
        Self { text, cells: usize::from(cells).max(1), height: usize::from(height).max(1) }
    }

    fn room(&self, shape: Shape) -> usize {
        self.cells.saturating_sub(shape.lead.max(shape.more)).max(1)
    }

    /// The rows of a line, as its bytes.
    #[must_use]
    pub fn rows(&self, line: u64) -> Vec<Range<usize>> {
        let shape = self.text.shape(line);
        breaks(self.text.line(line), self.room(shape), shape.words)
    }

    /// The characters of a row.
    #[must_use]
    pub fn glyphs(&self, line: u64, row: usize, bytes: Range<usize>) -> Vec<Glyph> {
        let shape = self.text.shape(line);
        let text = self.text.line(line);
        let mut x = if row == 0 { shape.lead } else { shape.more };
        let whole = bytes == (0..text.len());
        let right = shape.right.filter(|at| whole && *at <= text.len());
        let mut glyphs = Vec::with_capacity(bytes.len());
        for (at, grapheme) in text[bytes.clone()].grapheme_indices(true) {
            let at = bytes.start + at;
            if right == Some(at) {
                x = x.max(self.cells.saturating_sub(width(&text[at..]) + 1));
            }
            let wide = cells_of(grapheme);
            glyphs.push(Glyph { bytes: at..at + grapheme.len(), x, width: wide });
            x += wide;
        }
        glyphs
    }

    /// The row in which a place stands.
    #[must_use]
    pub fn row_of(&self, place: Place) -> RowAt {
        let rows = self.rows(place.line);
        let row = rows.iter().rposition(|row| row.start <= place.byte).unwrap_or(0);
        RowAt { line: place.line, row }
    }

    /// The place where a row begins.
    #[must_use]
    pub fn start_of(&self, at: RowAt) -> Place {
        let byte = self.rows(at.line).get(at.row).map_or(0, |row| row.start);
        Place { line: at.line, byte }
    }

    /// The cell in its row where a place begins.
    #[must_use]
    pub fn column(&self, place: Place) -> usize {
        let at = self.row_of(place);
        let Some(bytes) = self.rows(at.line).into_iter().nth(at.row) else { return 0 };
        let glyphs = self.glyphs(at.line, at.row, bytes);
        let shape = self.text.shape(at.line);
        let empty = if at.row == 0 { shape.lead } else { shape.more };
        glyphs.iter().find(|glyph| glyph.bytes.contains(&place.byte)).map_or(empty, |glyph| glyph.x)
    }

    /// The character of a row that stands in this cell, or the nearest one to it.
    #[must_use]
    pub fn place_at(&self, at: RowAt, x: usize) -> Place {
        let Some(bytes) = self.rows(at.line).into_iter().nth(at.row) else {
            return Place { line: at.line, byte: 0 };
        };
        let glyphs = self.glyphs(at.line, at.row, bytes.clone());
        let hit = glyphs.iter().rfind(|glyph| glyph.x <= x).or(glyphs.first());
        Place { line: at.line, byte: hit.map_or(bytes.start, |glyph| glyph.bytes.start) }
    }

    /// The row so many rows further down, or up if negative; at the ends the first or last one.
    #[must_use]
    pub fn moved(&self, from: RowAt, delta: i64) -> RowAt {
        let numbers = self.text.numbers();
        let (mut at, mut left) = (from, delta.unsigned_abs());
        if delta < 0 {
            while left > at.row as u64 {
                if at.line <= numbers.start {
                    return RowAt { line: at.line, row: 0 };
                }
                left -= at.row as u64 + 1;
                at.line -= 1;
                at.row = self.rows(at.line).len() - 1;
            }
            at.row -= left as usize;
            return at;
        }
        loop {
            let rows = self.rows(at.line).len();
            let below = rows.saturating_sub(at.row + 1) as u64;
            if left <= below {
                at.row += left as usize;
                return at;
            }
            if at.line + 1 >= numbers.end {
                at.row = rows - 1;
                return at;
            }
            left -= below + 1;
            at = RowAt { line: at.line + 1, row: 0 };
        }
    }

    /// The very last row.
    #[must_use]
    pub fn last(&self) -> RowAt {
        let line = self.text.last().unwrap_or(self.text.numbers().start);
        RowAt { line, row: self.rows(line).len() - 1 }
    }

    /// The top row of the view that stands at the end: where the live screen stands.
    #[must_use]
    pub fn floor(&self) -> RowAt {
        let full = self.moved(self.last(), -(self.height as i64 - 1));
        match self.text.screen() {
            Some(screen) if screen < self.text.numbers().end => full.max(RowAt { line: screen, row: 0 }),
            _ => full,
        }
    }

    /// The rows in view from this one on.
    #[must_use]
    pub fn view(&self, top: RowAt) -> Vec<(RowAt, Range<usize>)> {
        let mut out = Vec::with_capacity(self.height);
        let (mut line, mut skip) = (top.line, top.row);
        while out.len() < self.height && self.text.numbers().contains(&line) {
            let rows = self.rows(line).into_iter().enumerate().skip(skip);
            out.extend(rows.map(|(row, bytes)| (RowAt { line, row }, bytes)).take(self.height - out.len()));
            (line, skip) = (line + 1, 0);
        }
        out
    }

    /// The last row in view.
    #[must_use]
    pub fn bottom(&self, top: RowAt) -> RowAt {
        self.moved(top, self.height as i64 - 1)
    }
}
