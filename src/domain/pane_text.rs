//! What a pane has shown and shows, frozen for reading: scroll-back and screen as logical lines.
//!
//! A logical line is what the program wrote up to a line end, however many rows it took. Lines have
//! numbers that stay theirs while older ones are dropped. Cloning is cheap: the text is shared. It is kept
//! packed ([`Block`]); a block is unpacked when the first of its lines is read.

mod block;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

pub use block::{Block, MAX_LINE, Mark, Packer, Span, StyleNumber};

use super::CellStyle;

/// Part of a line in one style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Bytes of the line's text that it covers, from where the run before ends.
    pub length: usize,
    /// The style; a link's number is one of [`PaneText::link`].
    pub style: CellStyle,
}

/// One logical line. Blank ends are cut; wide characters stand once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// Its text, a grapheme per cell or two. Untrusted.
    pub text: String,
    /// Its styles, in order; what they do not reach has the default style.
    pub runs: Vec<Run>,
}

/// Consecutive lines, unpacked when read.
#[derive(Debug)]
struct Part {
    /// The number of the block's first line.
    from: u64,
    block: Arc<Block>,
    /// The first of its links in the whole text.
    links: usize,
    lines: OnceLock<Vec<Line>>,
}

/// The frozen text of a pane.
#[derive(Debug, Clone, Default)]
pub struct PaneText {
    parts: Arc<[Part]>,
    numbers: Range<u64>,
    screen: u64,
}

impl PartialEq for PaneText {
    fn eq(&self, other: &Self) -> bool {
        self.numbers == other.numbers
            && self.screen == other.screen
            && self.numbers().all(|number| self.line(number) == other.line(number))
            && self.links().eq(other.links())
    }
}

impl Eq for PaneText {}

impl PaneText {
    /// A text whose first line has this number, and whose screen began with line `screen`.
    #[must_use]
    pub fn new(first: u64, lines: Vec<Arc<Line>>, links: Vec<Arc<str>>, screen: u64) -> Self {
        let numbers = first..first + lines.len() as u64;
        let lines: Vec<Line> = lines.into_iter().map(Arc::unwrap_or_clone).collect();
        let part =
            Part { from: first, block: Arc::new(Block::of_links(links)), links: 0, lines: OnceLock::from(lines) };
        Self { parts: Arc::new([part]), numbers, screen }
    }

    /// A text of packed lines, the first of which has this number. Its first `skipped` lines do not belong to it.
    #[must_use]
    pub fn packed(first: u64, skipped: usize, blocks: impl IntoIterator<Item = Arc<Block>>, screen: u64) -> Self {
        let start = first.saturating_sub(skipped as u64);
        let (mut from, mut links) = (start, 0);
        let part = |block: Arc<Block>| {
            let part = Part { from, links, lines: OnceLock::new(), block };
            from += part.block.lines() as u64;
            links += part.block.links().len();
            part
        };
        let parts: Arc<[Part]> = blocks.into_iter().map(part).collect();
        Self { parts, numbers: first..from.max(first), screen }
    }

    /// The numbers of its lines, the oldest first.
    #[must_use]
    pub fn numbers(&self) -> Range<u64> {
        self.numbers.clone()
    }

    /// The first line of the screen when the text was taken.
    #[must_use]
    pub const fn screen(&self) -> u64 {
        self.screen
    }

    /// A line, unless there is none with this number.
    #[must_use]
    pub fn line(&self, number: u64) -> Option<&Line> {
        if !self.numbers.contains(&number) {
            return None;
        }
        let part = self.parts.get(self.parts.partition_point(|part| part.from <= number).checked_sub(1)?)?;
        let unpack = || (0..part.block.lines()).map(|line| part.block.line(line, part.links)).collect();
        part.lines.get_or_init(unpack).get(usize::try_from(number - part.from).ok()?)
    }

    /// Where a link leads. Untrusted text.
    #[must_use]
    pub fn link(&self, id: super::LinkId) -> Option<&str> {
        let at = usize::from(id.0);
        let part = self.parts.get(self.parts.partition_point(|part| part.links <= at).checked_sub(1)?)?;
        part.block.links().get(at - part.links).map(|link| &**link)
    }

    fn links(&self) -> impl Iterator<Item = &Arc<str>> {
        self.parts.iter().flat_map(|part| part.block.links())
    }
}

#[cfg(test)]
mod tests;
