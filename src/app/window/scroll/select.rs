//! What is selected between two ends: characters, whole lines, or a block of columns.
//!
//! One function says whether a character is selected; what is drawn and what is copied both ask it.

use super::page::{Glyph, Page, RowAt};
use super::text::Place;

/// How much is taken of the lines between the ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// From one character to the other (`v`).
    Chars,
    /// Whole lines (`V`).
    Lines,
    /// The columns between the ends, in every row (`Ctrl-V`).
    Block,
}

/// A selection from one end to the other, both taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    /// How much is taken.
    pub extent: Extent,
    from: Place,
    to: Place,
    /// The rows and columns of a block: the upper left and the lower right cell.
    corners: ((RowAt, usize), (RowAt, usize)),
}

impl Selection {
    /// Everything between two places, in this order or the other.
    #[must_use]
    pub fn new(page: &Page<'_>, extent: Extent, a: Place, b: Place) -> Self {
        let (from, to) = if a <= b { (a, b) } else { (b, a) };
        let corners = if extent == Extent::Block {
            let cell = |place| {
                let at = page.row_of(place);
                (at, page.column(place), page.column(place) + wide(page, place) - 1)
            };
            let ((row_a, left_a, right_a), (row_b, left_b, right_b)) = (cell(a), cell(b));
            ((row_a.min(row_b), left_a.min(left_b)), (row_a.max(row_b), right_a.max(right_b)))
        } else {
            ((RowAt::default(), 0), (RowAt::default(), 0))
        };
        Self { extent, from, to, corners }
    }

    /// Whether a character is selected.
    #[must_use]
    pub fn has(&self, at: RowAt, glyph: &Glyph) -> bool {
        match self.extent {
            Extent::Chars => {
                let place = Place { line: at.line, byte: glyph.bytes.start };
                place >= self.from && place <= self.to
            }
            Extent::Lines => at.line >= self.from.line && at.line <= self.to.line,
            Extent::Block => {
                let ((top, left), (bottom, right)) = self.corners;
                at >= top && at <= bottom && glyph.x <= right && glyph.x + glyph.width > left
            }
        }
    }

    /// Whether the empty row belongs to it, so that it can be drawn as selected.
    #[must_use]
    pub fn has_empty(&self, at: RowAt) -> bool {
        self.extent != Extent::Block && at.line >= self.from.line && at.line <= self.to.line
    }

    /// The selected text: wrapped rows joined, wide characters once, nothing that only fills up a row, be it painted
    /// (a program that colours its whole screen writes blanks to the edge). Whole lines end in a line end.
    #[must_use]
    pub fn text(&self, page: &Page<'_>) -> String {
        let mut out = String::new();
        for line in self.from.line..=self.to.line {
            if self.extent == Extent::Block {
                self.block_rows(page, line, &mut out);
                continue;
            }
            let text = page.text.line(line).trim_end_matches(' ');
            let start = if self.extent == Extent::Chars && line == self.from.line { self.from.byte } else { 0 };
            let end = if self.extent == Extent::Chars && line == self.to.line {
                end_of(page, self.to).min(text.len())
            } else {
                text.len()
            };
            out.push_str(&text[start.min(end)..end]);
            if self.extent == Extent::Lines || line < self.to.line {
                out.push('\n');
            }
        }
        if self.extent == Extent::Block {
            out.pop();
        }
        out
    }

    fn block_rows(&self, page: &Page<'_>, line: u64, out: &mut String) {
        for (row, bytes) in page.rows(line).into_iter().enumerate() {
            let at = RowAt { line, row };
            if at < self.corners.0.0 || at > self.corners.1.0 {
                continue;
            }
            let text = page.text.line(line);
            let mut kept = String::new();
            for glyph in page.glyphs(line, row, bytes).into_iter().filter(|glyph| self.has(at, glyph)) {
                kept.push_str(&text[glyph.bytes]);
            }
            out.push_str(kept.trim_end());
            out.push('\n');
        }
    }
}

/// Cells of the character at a place.
fn wide(page: &Page<'_>, place: Place) -> usize {
    let text = page.text.line(place.line);
    crate::app::window::text::cells_of(&text[place.byte.min(text.len())..end_of(page, place)])
}

/// The byte behind the character at a place.
fn end_of(page: &Page<'_>, place: Place) -> usize {
    use unicode_segmentation::UnicodeSegmentation;
    let text = page.text.line(place.line);
    let at = place.byte.min(text.len());
    at + text[at..].graphemes(true).next().map_or(0, str::len)
}
