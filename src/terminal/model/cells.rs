//! The emulator's cells as the house's own.

use std::collections::HashMap;
use std::sync::Arc;

use compact_str::CompactString;

use crate::domain::{Cell, CellStyle, Colour, LinkId, Underline};
use crate::terminal::filter::Tags;

/// Makes the cells of one picture and gathers their links.
pub(super) struct Picture<'a> {
    tags: &'a Tags,
    reversed: bool,
    /// Where the links lead, by the number that the cells have.
    pub(super) links: Vec<Arc<str>>,
    numbers: HashMap<u16, LinkId>,
    /// The cell before, for the right half of a wide one.
    last: CellStyle,
}

impl<'a> Picture<'a> {
    pub(super) fn new(tags: &'a Tags, reversed: bool) -> Self {
        Self { tags, reversed, links: Vec::new(), numbers: HashMap::new(), last: CellStyle::default() }
    }

    /// The next cell of a row.
    pub(super) fn cell(&mut self, cell: &vt100::Cell) -> Cell {
        if cell.is_wide_continuation() {
            return Cell { text: CompactString::const_new(""), style: self.last, continuation: true };
        }
        let (text, style) =
            if cell.has_contents() { self.printed(cell) } else { (CompactString::const_new(""), blank(cell)) };
        let mut style = style;
        style.inverse ^= self.reversed;
        self.last = style;
        Cell { text, style, continuation: false }
    }

    fn printed(&mut self, cell: &vt100::Cell) -> (CompactString, CellStyle) {
        let mut style = CellStyle {
            foreground: colour(cell.fgcolor()),
            background: colour(cell.bgcolor()),
            bold: cell.bold(),
            dim: cell.dim(),
            italic: cell.italic(),
            underline: if cell.underline() { Underline::Single } else { Underline::None },
            inverse: cell.inverse(),
            ..CellStyle::default()
        };
        let (text, entry) = self.tags.split(cell.contents());
        if let Some(entry) = entry {
            entry.apply(&mut style);
            style.link = entry.link().and_then(|link| self.link(link));
        }
        (CompactString::from(text), style)
    }

    fn link(&mut self, number: u16) -> Option<LinkId> {
        if let Some(&id) = self.numbers.get(&number) {
            return Some(id);
        }
        let target = self.tags.link(number)?;
        let id = LinkId(u16::try_from(self.links.len()).ok()?);
        self.links.push(Arc::clone(target));
        self.numbers.insert(number, id);
        Some(id)
    }
}

/// Erased cells keep the background alone (terminfo: bce).
fn blank(cell: &vt100::Cell) -> CellStyle {
    CellStyle { background: colour(cell.bgcolor()), ..CellStyle::default() }
}

const fn colour(colour: vt100::Color) -> Colour {
    match colour {
        vt100::Color::Default => Colour::Default,
        vt100::Color::Idx(index) => Colour::Indexed(index),
        vt100::Color::Rgb(r, g, b) => Colour::Rgb(r, g, b),
    }
}
