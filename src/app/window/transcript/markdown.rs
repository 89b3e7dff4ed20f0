//! Markdown of answers: where its blocks stand, found once for each byte, and its lines, made where someone looks.
//!
//! [`Outline`] cuts a text into [`Chunk`]s of bounded size while it grows: what has been read is not read again, and
//! only the last chunk can still change. A line of the text is a unit of the outline (a few are none, such as the
//! end of a fence), so that places in it stay true at any width. [`lay_out`] makes the [`Line`]s of one chunk.

mod inline;
mod layout;
mod scan;
mod table;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub(super) use inline::inline;
pub(super) use layout::{MARGIN, language, lay_out};
use scan::Scan;
pub(super) use table::raw_width;

/// What a piece of Markdown is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Lines of running text, or of a list's entry behind its first.
    Paragraph {
        /// Cells that it stands in from the left.
        indent: u16,
    },
    /// An entry of a list.
    Item {
        /// Cells before its mark.
        indent: u16,
    },
    /// A heading of one line.
    Heading,
    /// A heading with a rule below it.
    Title,
    /// Quoted lines.
    Quote {
        /// Cells that it stands in from the left.
        indent: u16,
    },
    /// A rule.
    Rule,
    /// The line that begins a fence and names the language.
    Language {
        /// Cells that it stands in from the left.
        indent: u16,
    },
    /// Lines of code.
    Code {
        /// Cells that it stands in from the left.
        indent: u16,
        /// The byte at which the fence's first line begins; none without a fence.
        fence: Option<u32>,
        /// The byte at which the piece begins that is coloured together.
        piece: u32,
        /// The number of its first line in that piece.
        line: u32,
    },
    /// Rows of a table.
    Table {
        /// The byte at which the table begins.
        start: u32,
        /// The bytes of its rows that say how wide its columns are.
        end: u32,
    },
}

/// A piece of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chunk {
    start: u32,
    end: u32,
    /// The number of its first unit.
    first: u32,
    /// How many it has, the blank line before it among them.
    units: u32,
    /// Whether a blank line stands before it.
    pub gap: bool,
    /// What it is.
    pub kind: Kind,
}

impl Chunk {
    /// Its bytes.
    pub(super) const fn bytes(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Its units.
    pub(super) const fn units(&self) -> Range<usize> {
        self.first as usize..(self.first + self.units) as usize
    }
}

/// Bytes of both ends of what was read by which it is known again.
const KNOWN: usize = 64;

/// The chunks of a text that may still grow.
#[derive(Debug, Default, Clone)]
pub(super) struct Outline {
    chunks: Vec<Chunk>,
    /// How many of them stay as they are.
    firm: usize,
    scan: Scan,
    /// Both ends of the text as far as it has been read.
    known: (Vec<u8>, Vec<u8>),
    /// Bytes of the text it was last brought up to, and whether that was all of it; the text's end.
    seen: (usize, bool),
    end: Vec<u8>,
}

impl Outline {
    /// The outline of a whole text.
    #[cfg(test)]
    pub(super) fn of(text: &str) -> Self {
        let mut outline = Self::default();
        outline.extend(text, true);
        outline
    }

    /// Reads what a text has gained; one that is not the old one continued is read anew. `whole`: nothing will follow.
    pub(super) fn extend(&mut self, text: &str, whole: bool) {
        if self.is_at(text, whole) {
            return;
        }
        if !self.continues(text) {
            *self = Self::default();
        }
        self.chunks.truncate(self.firm);
        while let Some(piece) = self.scan.next_piece(text, whole) {
            self.scan.take(text, &piece, &mut self.chunks);
        }
        self.firm = self.chunks.len();
        self.scan.rest(text, whole, &mut self.chunks);
        let read = &text.as_bytes()[..self.scan.at()];
        self.known = (read[..read.len().min(KNOWN)].to_vec(), read[read.len().saturating_sub(KNOWN)..].to_vec());
        self.seen = (text.len(), whole);
        self.end = text.as_bytes()[text.len().saturating_sub(KNOWN)..].to_vec();
    }

    /// Whether it is the outline of this text already.
    pub(super) fn is_at(&self, text: &str, whole: bool) -> bool {
        self.seen == (text.len(), whole) && text.as_bytes().ends_with(&self.end) && self.continues(text)
    }

    fn continues(&self, text: &str) -> bool {
        let at = self.scan.at();
        let read = text.as_bytes().get(..at);
        !(self.seen.1 && self.seen.0 != text.len())
            && read.is_some_and(|read| read.starts_with(&self.known.0) && read.ends_with(&self.known.1))
    }

    /// How many units there are.
    pub(super) fn units(&self) -> usize {
        self.chunks.last().map_or(0, |chunk| chunk.units().end)
    }

    /// The chunks, in order.
    pub(super) fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// The number of the chunk in which a unit stands.
    pub(super) fn at(&self, unit: usize) -> usize {
        self.chunks.partition_point(|chunk| chunk.units().end <= unit)
    }

    /// The chunks of the piece of code, coloured together, to which a chunk belongs.
    pub(super) fn piece(&self, at: usize) -> Range<usize> {
        let Some(chunk) = self.chunks.get(at) else { return at..at };
        let same = |other: &Chunk| match (chunk.kind, other.kind) {
            (Kind::Code { piece: a, .. }, Kind::Code { piece: b, .. }) => a == b,
            _ => false,
        };
        let before = self.chunks[..at].iter().rev().take_while(|other| same(other)).count();
        let after = self.chunks[at + 1..].iter().take_while(|other| same(other)).count();
        at - before..at + 1 + after
    }

    /// The chunks of the fence or table to which a chunk belongs; itself, if it is neither.
    pub(super) fn block(&self, at: usize) -> Range<usize> {
        let Some(chunk) = self.chunks.get(at) else { return at..at };
        let same = |other: &Chunk| match (chunk.kind, other.kind) {
            (Kind::Code { fence: Some(a), .. }, Kind::Code { fence, .. }) => fence == Some(a),
            (Kind::Code { fence: None, piece: a, .. }, Kind::Code { fence: None, piece: b, .. }) => a == b,
            (Kind::Table { start: a, .. }, Kind::Table { start: b, .. }) => a == b,
            _ => false,
        };
        let before = self.chunks[..at].iter().rev().take_while(|other| same(other)).count();
        let after = self.chunks[at + 1..].iter().take_while(|other| same(other)).count();
        at - before..at + 1 + after
    }
}
