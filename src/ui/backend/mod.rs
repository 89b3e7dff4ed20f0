//! The backend of one window: surfaces in, bytes for its terminal out.
//!
//! It compares a surface with the one before, turns what changed into as few bytes as it can, remembers
//! where the terminal's cursor stands and how it writes, and wraps each frame as one synchronised update.
//! Nothing is written anywhere: the owner fetches the bytes with [`WindowBackend::take`].
//!
//! Two rules hold for every cell. No control character ever passes (design §7, promise 7). And a cluster
//! whose width terminals disagree on never moves or spoils its neighbours: its room is blanked, it is
//! drawn, the cursor is placed anew, and what an old terminal may have drawn over is drawn again.

mod abilities;
mod colour;
mod pen;
mod signal;

use std::borrow::Cow;
use std::io::Write;

use ratatui::buffer::{Cell, CellDiffOption, CellWidth};
use ratatui::layout::Position;
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthChar;

use super::link::Link;
use super::surface::{Extra, Rows, Surface};
use super::view::Caret;
use crate::base::hidden;
use crate::domain::{CursorShape, Size};

pub use abilities::Abilities;
pub use colour::ColourDepth;
use pen::Pen;

/// Collects the bytes of one window.
#[derive(Debug)]
pub struct WindowBackend {
    size: Size,
    abilities: Abilities,
    /// Finished frames and signals.
    out: Vec<u8>,
    /// The frame being made.
    body: Vec<u8>,
    /// What the terminal shows.
    shown: Surface,
    /// Whether the terminal is to be emptied before the next frame.
    empty_first: bool,
    /// Where the terminal's cursor stands, if that is known.
    at: Option<Position>,
    /// How the terminal writes, if that is known.
    pen: Option<Pen>,
    /// The style that this pen was made of, if it was made of a style alone: the next cell mostly has the same, and
    /// finding the nearest of a terminal's few colours takes time.
    plain: Option<(Color, Color, Modifier)>,
    /// The link that it writes in.
    link: Option<Link>,
    sent: Option<Cursor>,
    /// Whether the terminal tells of every movement of the mouse.
    motion: bool,
}

/// The cursor as the person sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Cursor {
    visible: bool,
    at: Option<Position>,
    shape: CursorShape,
}

impl WindowBackend {
    /// A backend for a terminal of this size that can show so much.
    #[must_use]
    pub fn new(size: Size, abilities: Abilities) -> Self {
        Self {
            size,
            abilities,
            out: Vec::new(),
            body: Vec::new(),
            shown: Surface::new(size),
            empty_first: false,
            at: None,
            pen: None,
            plain: None,
            link: None,
            sent: None,
            motion: false,
        }
    }

    /// The terminal has another size: the next frame is drawn whole.
    pub fn set_size(&mut self, size: Size) {
        self.size = size;
        self.at = None;
        self.shown = Surface::new(size);
        self.empty_first = true;
    }

    /// Another program had the terminal: nothing is known of it any more, and the next frame is drawn whole.
    pub fn reopen(&mut self) {
        *self = Self { empty_first: true, ..Self::new(self.size, self.abilities) };
    }

    /// What the terminal shows.
    pub(super) const fn shown(&self) -> &Surface {
        &self.shown
    }

    /// The terminal's size.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The bytes since the last time; empty when nothing changed.
    #[must_use]
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    /// Shows these rows of a surface of the terminal's size and puts the cursor in its place. The surface is given
    /// back with old content. Parts of it are only shown while no cell has anything beside it.
    pub(super) fn show(&mut self, surface: &mut Surface, caret: Option<Caret>, rows: &Rows) {
        if self.empty_first {
            self.empty_first = false;
            // Erasing paints in the current background.
            self.write_pen(&Cell::EMPTY, None);
            self.body.extend_from_slice(b"\x1b[2J");
        }
        let extras = surface.has_extras() || self.shown.has_extras();
        for y in rows.within(self.size.rows) {
            self.row(surface, y, extras);
        }
        if self.link.is_some() {
            self.write_link(None);
        }
        surface.swap(&mut self.shown, rows);
        self.end_frame(caret);
    }

    fn row(&mut self, surface: &Surface, y: u16, extras: bool) {
        let columns = usize::from(self.size.columns);
        let start = usize::from(y) * columns;
        let Some(cells) = surface.buffer().content.get(start..start + columns) else { return };
        // Up to this column everything is drawn.
        let mut drawn = 0;
        // Columns before this one may show something else than they did in the frame before.
        let mut spoilt = 0;
        for (x, cell) in cells.iter().enumerate() {
            if x < drawn {
                continue;
            }
            let unchanged = x >= spoilt
                && same(cell, &self.shown.buffer().content[start + x])
                && (!extras || surface.extra_at(start + x) == self.shown.extra_at(start + x));
            // The right half of a wide glyph that stays has nothing of its own to show.
            if unchanged || x > drawn && width(&cells[x - 1]) > 1 {
                continue;
            }
            let extra = if extras { surface.extra_at(start + x) } else { None };
            let (width, reach) = self.put(x as u16, y, cell, extra);
            drawn = x + width;
            // What stood in the last of these columns may have been the left half of a wide glyph.
            let torn = usize::from(self::width(&self.shown.buffer().content[start + drawn - 1]) > 1);
            spoilt = spoilt.max(x + reach).max(drawn + torn);
        }
    }

    /// Writes one cell. Gives its width, and the most columns that a terminal may take for it.
    fn put(&mut self, x: u16, y: u16, cell: &Cell, extra: Option<&Extra>) -> (usize, usize) {
        let (text, width) = drawable(cell);
        let room = usize::from(self.size.columns - x);
        // Half of a wide character cannot be drawn at the edge.
        let (text, width) = if width > room { (Cow::Borrowed(" "), 1) } else { (text, width) };
        self.write_pen(cell, extra);
        self.move_to(x, y);
        if text.len() == 1 && width == 1 {
            self.body.extend_from_slice(text.as_bytes());
            self.at = (room > 1).then(|| Position::new(x + 1, y));
            return (1, 1);
        }
        let claimed = claimed_width(&text);
        if claimed != width || is_disputed(&text) {
            self.body.extend(std::iter::repeat_n(b' ', width));
            self.at = None;
            self.move_to(x, y);
            self.body.extend_from_slice(text.as_bytes());
            self.at = None;
        } else {
            self.body.extend_from_slice(text.as_bytes());
            // Behind the last column terminals differ on where the cursor stands.
            self.at = (width < room).then(|| Position::new(x + width as u16, y));
        }
        (width, claimed.max(width))
    }

    fn move_to(&mut self, x: u16, y: u16) {
        let to = Position::new(x, y);
        if self.at != Some(to) {
            write_move(&mut self.body, self.at, to);
            self.at = Some(to);
        }
    }

    fn write_pen(&mut self, cell: &Cell, extra: Option<&Extra>) {
        let plain = extra.is_none().then_some((cell.fg, cell.bg, cell.modifier));
        if plain.is_none() || plain != self.plain {
            self.plain = plain;
            let pen = Pen::of(cell, extra, self.abilities);
            if self.pen != Some(pen) {
                pen.write(self.pen, &mut self.body);
                self.pen = Some(pen);
            }
        }
        let link = extra.filter(|_| self.abilities.rich).and_then(|extra| extra.link.as_ref());
        if link != self.link.as_ref() {
            self.write_link(link);
        }
    }

    /// Writes in a link from now on, or in none. One may begin where another has not ended.
    fn write_link(&mut self, link: Option<&Link>) {
        let written = match link {
            Some(link) => write!(self.body, "\x1b]8;id={:08x};{}\x07", link.number(), link.target()),
            None => self.body.write_all(b"\x1b]8;;\x07"),
        };
        debug_assert!(written.is_ok(), "writing to memory");
        self.link = link.cloned();
    }

    /// Ends a frame: one synchronised update, unless nothing changed. A hidden cursor rests at its place, for
    /// input methods open their windows there.
    fn end_frame(&mut self, caret: Option<Caret>) {
        let wanted = caret.map_or_else(Cursor::default, |caret| Cursor {
            visible: caret.visible,
            at: Some(Position::from(caret.at)),
            shape: caret.shape,
        });
        if self.body.is_empty() && self.sent == Some(wanted) {
            return;
        }
        self.out.extend_from_slice(b"\x1b[?2026h");
        if self.sent.is_none() {
            // What an old terminal makes too wide must not run over into the next row.
            self.out.extend_from_slice(b"\x1b[?7l");
        }
        let mut hidden = self.sent.is_some_and(|sent| !sent.visible);
        if !hidden && (!self.body.is_empty() || !wanted.visible) {
            self.out.extend_from_slice(b"\x1b[?25l");
            hidden = true;
        }
        self.out.append(&mut self.body);
        if let Some(to) = wanted.at
            && self.at != Some(to)
        {
            write_move(&mut self.out, self.at, to);
            self.at = Some(to);
        }
        if self.sent.map_or(CursorShape::default(), |sent| sent.shape) != wanted.shape {
            self.out.extend_from_slice(&[0x1b, b'[', b'0' + wanted.shape.0.min(6), b' ', b'q']);
        }
        if hidden && wanted.visible {
            self.out.extend_from_slice(b"\x1b[?25h");
        }
        self.out.extend_from_slice(b"\x1b[?2026l");
        self.sent = Some(wanted);
    }
}

/// Moves the cursor by the shortest sequence that is sure.
fn write_move(out: &mut Vec<u8>, from: Option<Position>, to: Position) {
    let written = match from {
        Some(from) if from.y == to.y && to.x == 0 => {
            out.push(b'\r');
            Ok(())
        }
        Some(from) if from.y == to.y && to.x == from.x + 1 => out.write_all(b"\x1b[C"),
        Some(from) if from.y == to.y && to.x > from.x => write!(out, "\x1b[{}C", to.x - from.x),
        _ => write!(out, "\x1b[{};{}H", u32::from(to.y) + 1, u32::from(to.x) + 1),
    };
    debug_assert!(written.is_ok(), "writing to memory");
}

/// Whether the symbol is one character that each terminal draws in one column.
fn plain(symbol: &str) -> bool {
    matches!(symbol.as_bytes(), [byte] if !byte.is_ascii_control())
}

/// Whether two cells look the same, but for their extras.
fn same(one: &Cell, other: &Cell) -> bool {
    let symbols = || match (one.symbol().as_bytes(), other.symbol().as_bytes()) {
        ([one], [other]) => one == other,
        (one, other) => one == other,
    };
    one.modifier == other.modifier
        && one.fg == other.fg
        && one.bg == other.bg
        && one.diff_option == other.diff_option
        && symbols()
}

/// How many columns a cell takes: at least one.
fn width(cell: &Cell) -> usize {
    if plain(cell.symbol()) { 1 } else { drawable(cell).1 }
}

/// What is written for a cell, and how many columns it takes: at least one.
fn drawable(cell: &Cell) -> (Cow<'_, str>, usize) {
    let symbol = cell.symbol();
    if plain(symbol) {
        return (Cow::Borrowed(symbol), 1);
    }
    let text = harmless(symbol);
    let width = match cell.diff_option {
        CellDiffOption::ForcedWidth(width) => width.get(),
        _ => text.as_ref().cell_width(),
    };
    if width == 0 { (Cow::Borrowed(" "), 1) } else { (text, usize::from(width)) }
}

/// The text without control characters and marks that turn or hide text, as long as before.
fn harmless(symbol: &str) -> Cow<'_, str> {
    let harmful = |c: char| c.is_control() || hidden(c);
    if !symbol.chars().any(harmful) {
        return Cow::Borrowed(symbol);
    }
    let picture = |c: char| match u32::from(c) {
        code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '\u{2421}',
        _ if harmful(c) => char::REPLACEMENT_CHARACTER,
        _ => c,
    };
    Cow::Owned(symbol.chars().map(picture).collect())
}

/// Whether terminals disagree on the width: clusters of several characters, marks that stand alone, and the emoji
/// planes.
fn is_disputed(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c >= '\u{1f000}' || c.width() == Some(0)) || chars.next().is_some()
}

/// The most columns that a terminal may take for it: one that knows nothing of clusters, draws each half of
/// a flag as a wide letter, and widens what stands before a variation selector.
fn claimed_width(text: &str) -> usize {
    let width = |c: char| match c {
        '\u{fe0f}' => 1,
        '\u{1f000}'.. => 2,
        c => c.width().unwrap_or(0),
    };
    text.chars().map(width).sum()
}

#[cfg(test)]
mod tests;
