//! What one window looks like: ratatui's cells, and beside them what such a cell cannot hold.
//!
//! A pane's cell may have a kind of underline, a colour for it, and a link. These lie in a side layer,
//! [`Extra`] by cell, written by the pane's drawing and lifted by whatever is drawn over it. The backend
//! reads both layers and compares them with those of the frame before.

use std::ops::Range;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use super::link::Link;
use crate::domain::{Size, Underline};

/// The rows of a window that a frame may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rows {
    All,
    /// These, upwards, each once.
    Some(Vec<u16>),
}

impl Rows {
    /// Whether this one is among them.
    pub(super) fn has(&self, y: u16) -> bool {
        match self {
            Self::All => true,
            Self::Some(rows) => rows.binary_search(&y).is_ok(),
        }
    }

    /// Those of a window of this height.
    pub(super) fn within(&self, height: u16) -> impl Iterator<Item = u16> {
        let (all, some) = match self {
            Self::All => (0..height, &[][..]),
            Self::Some(rows) => (0..0, rows.as_slice()),
        };
        all.chain(some.iter().copied().filter(move |y| *y < height))
    }
}

/// A window's cells.
#[derive(Debug, Clone, Default)]
pub struct Surface {
    buffer: Buffer,
    extras: Extras,
}

/// What a cell has beside its symbol, colours and attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extra {
    /// The kind of its underline; counts when the cell has the attribute.
    pub underline: Underline,
    /// The underline's colour; the text's own when none.
    pub colour: Option<Color>,
    /// Where it leads.
    pub link: Option<Link>,
}

/// The side layer. Frames without extras cost nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Extras {
    /// For each cell, up to the last that has one, 0 or, counted from 1, a place in the list.
    numbers: Vec<u32>,
    list: Vec<Extra>,
}

impl Surface {
    /// An empty one.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let area = Rect::new(0, 0, size.columns, size.rows);
        Self { buffer: Buffer::filled(area, Cell::EMPTY), extras: Extras::default() }
    }

    /// Empties it for the next frame, in a style's colours.
    pub(super) fn reset(&mut self, ground: Style) {
        let (foreground, background) = (ground.fg.unwrap_or_default(), ground.bg.unwrap_or_default());
        for cell in &mut self.buffer.content {
            cell.reset();
            cell.fg = foreground;
            cell.bg = background;
        }
        self.extras.clear();
    }

    /// Takes over these rows of another surface of the same size. What cells have beside them is not taken.
    pub(super) fn take_rows(&mut self, other: &Self, rows: &Rows) {
        for y in rows.within(self.buffer.area.height.min(other.buffer.area.height)) {
            let span = self.span(y);
            self.buffer.content[span.clone()].clone_from_slice(&other.buffer.content[span]);
        }
        self.extras.clear();
    }

    /// Exchanges these rows with another surface of the same size. All of them are exchanged with what their cells
    /// have beside them.
    pub(super) fn swap(&mut self, other: &mut Self, rows: &Rows) {
        if matches!(rows, Rows::All) {
            return std::mem::swap(self, other);
        }
        debug_assert!(!self.has_extras() && !other.has_extras(), "those have no rows");
        for y in rows.within(self.buffer.area.height.min(other.buffer.area.height)) {
            let span = self.span(y);
            self.buffer.content[span.clone()].swap_with_slice(&mut other.buffer.content[span]);
        }
    }

    /// Where the cells of a row stand.
    fn span(&self, y: u16) -> Range<usize> {
        let columns = usize::from(self.buffer.area.width);
        usize::from(y) * columns..usize::from(y + 1) * columns
    }

    /// Symbols, colours and attributes.
    #[must_use]
    pub const fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// What else the cell at this column and row has.
    #[must_use]
    pub fn extra(&self, x: u16, y: u16) -> Option<&Extra> {
        self.extra_at(usize::from(y) * usize::from(self.buffer.area.width) + usize::from(x))
    }

    pub(super) fn extra_at(&self, index: usize) -> Option<&Extra> {
        self.extras.get(index)
    }

    /// Whether any cell has an extra.
    pub(super) const fn has_extras(&self) -> bool {
        !self.extras.list.is_empty()
    }

    /// Both layers, to draw on.
    pub(super) const fn layers(&mut self) -> (&mut Buffer, &mut Extras) {
        (&mut self.buffer, &mut self.extras)
    }
}

impl Extras {
    /// A number for an extra; the last one's where it is the same.
    pub(super) fn add(&mut self, extra: Extra) -> u32 {
        if self.list.last() != Some(&extra) {
            self.list.push(extra);
        }
        self.list.len() as u32
    }

    /// Gives a cell the extra of this number.
    pub(super) fn put(&mut self, index: usize, number: u32) {
        if self.numbers.len() <= index {
            self.numbers.resize(index + 1, 0);
        }
        self.numbers[index] = number;
    }

    /// Takes the extras of some cells away: something else is drawn there.
    pub(super) fn lift(&mut self, cells: Range<usize>) {
        let end = cells.end.min(self.numbers.len());
        if cells.start < end {
            self.numbers[cells.start..end].fill(0);
        }
    }

    fn get(&self, index: usize) -> Option<&Extra> {
        let number = *self.numbers.get(index)? as usize;
        self.list.get(number.checked_sub(1)?)
    }

    fn clear(&mut self) {
        self.numbers.clear();
        self.list.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extra(link: &str) -> Extra {
        Extra { underline: Underline::Curly, colour: None, link: Link::new(&link.into()) }
    }

    #[test]
    fn extras_lie_beside_cells_until_something_is_drawn_over() {
        let mut surface = Surface::new(Size { columns: 4, rows: 2 });
        assert_eq!(surface.extra(0, 0), None);
        let (_, extras) = surface.layers();
        let a = extras.add(extra("a"));
        assert_eq!(extras.add(extra("a")), a);
        extras.put(5, a);
        extras.put(6, a);
        let b = extras.add(extra("b"));
        extras.put(7, b);
        extras.lift(6..7);
        assert_eq!(surface.extra(1, 1), Some(&extra("a")));
        assert_eq!(surface.extra(2, 1), None);
        assert_eq!(surface.extra(3, 1), Some(&extra("b")));
        surface.reset(Style::new());
        assert!(!surface.has_extras());
        assert_eq!(surface.extra(1, 1), None);
    }
}
