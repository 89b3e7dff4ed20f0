//! The ratatui backend of one window: frames in, bytes for its terminal out.
//!
//! ratatui tells which cells changed; the backend turns them into as few bytes as it can, remembers where
//! the terminal's cursor stands and how it writes, and wraps each frame as one synchronised update.
//! Nothing is written anywhere: the owner fetches the bytes with [`WindowBackend::take`].
//!
//! Two rules hold for every cell. No control character ever passes (design §7, promise 7). And a cluster
//! whose width terminals disagree on never moves or spoils its neighbours: its room is blanked, it is
//! drawn, the cursor is placed anew, and what an old terminal may have drawn over is drawn again.

mod colour;
mod pen;
mod signal;

use std::borrow::Cow;
use std::io::{self, Write};

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::{Cell, CellDiffOption, CellWidth};
use ratatui::layout::{Position, Size};
use unicode_width::UnicodeWidthChar;

use crate::base::visible;
use crate::domain::{self, CursorShape};

pub use colour::ColourDepth;
use pen::Pen;

/// Collects the bytes of one window.
#[derive(Debug)]
pub struct WindowBackend {
    size: Size,
    depth: ColourDepth,
    /// Finished frames and signals.
    out: Vec<u8>,
    /// The frame being made.
    body: Vec<u8>,
    /// What the terminal shows, row by row. The right half of a wide cell is a blank in its style.
    shown: Vec<Cell>,
    /// Where the terminal's cursor stands, if that is known.
    at: Option<Position>,
    /// How the terminal writes, if that is known.
    pen: Option<Pen>,
    wanted: Cursor,
    sent: Option<Cursor>,
    /// Where a hidden cursor rests.
    rest: Option<Position>,
}

/// The cursor as the person sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Cursor {
    visible: bool,
    at: Option<Position>,
    shape: CursorShape,
}

/// Columns of a row that are to be drawn again, as they stood.
#[derive(Debug, Clone, Copy, Default)]
struct Repair {
    row: u16,
    from: u16,
    to: u16,
}

impl WindowBackend {
    /// A backend for a terminal of this size and colour depth.
    #[must_use]
    pub fn new(size: domain::Size, depth: ColourDepth) -> Self {
        let mut backend = Self {
            size: Size::default(),
            depth,
            out: Vec::new(),
            body: Vec::new(),
            shown: Vec::new(),
            at: None,
            pen: None,
            wanted: Cursor::default(),
            sent: None,
            rest: None,
        };
        backend.set_size(size);
        backend
    }

    /// The terminal has another size; ratatui clears and draws everything in its next frame.
    pub fn set_size(&mut self, size: domain::Size) {
        self.size = Size::new(size.columns, size.rows);
        self.at = None;
        self.shown = vec![Cell::EMPTY; usize::from(size.columns) * usize::from(size.rows)];
    }

    /// The shape that the cursor has from the next frame on.
    pub fn set_cursor_shape(&mut self, shape: CursorShape) {
        self.wanted.shape = shape;
    }

    /// Where the cursor rests (column, row) in frames that hide it: input methods open their windows at a
    /// hidden cursor, too.
    pub fn rest_cursor(&mut self, at: Option<(u16, u16)>) {
        self.rest = at.map(Position::from);
    }

    /// The bytes since the last time; empty when nothing changed.
    #[must_use]
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    fn index(&self, x: u16, y: u16) -> usize {
        usize::from(y) * usize::from(self.size.width) + usize::from(x)
    }

    /// Puts one cell on the screen. Gives its width and the column up to which neighbours may be spoilt.
    fn put(&mut self, x: u16, y: u16, cell: &Cell) -> (u16, u16) {
        let (text, width) = drawable(cell);
        let room = self.size.width - x;
        // Half of a wide character cannot be drawn at the edge.
        let (text, width) = if width > room { (Cow::Borrowed(" "), 1) } else { (text, width) };
        let claimed = claimed_width(&text).max(width);
        self.write_pen(cell);
        self.move_to(x, y);
        if is_disputed(&text) {
            self.body.extend(std::iter::repeat_n(b' ', usize::from(width)));
            self.at = None;
            self.move_to(x, y);
            self.body.extend_from_slice(text.as_bytes());
            self.at = None;
        } else {
            self.body.extend_from_slice(text.as_bytes());
            // Behind the last column terminals differ on where the cursor stands.
            self.at = (width < room).then(|| Position::new(x + width, y));
        }

        let last = self.index(x + width - 1, y);
        let torn = x + width < self.size.width && drawable(&self.shown[last]).1 > 1;
        let mut half = cell.clone();
        half.set_symbol(" ").set_diff_option(CellDiffOption::None);
        let first = self.index(x, y);
        self.shown[first + 1..=last].fill(half);
        self.shown[first] = cell.clone();
        (width, x.saturating_add(claimed).max(x + width + u16::from(torn)))
    }

    /// Draws again what the cells before may have spoilt, up to a column.
    fn repair(&mut self, repair: &mut Repair, before: u16) {
        while repair.from < repair.to.min(before).min(self.size.width) {
            let cell = self.shown[self.index(repair.from, repair.row)].clone();
            let (width, reach) = self.put(repair.from, repair.row, &cell);
            repair.from += width;
            repair.to = repair.to.max(reach);
        }
    }

    fn move_to(&mut self, x: u16, y: u16) {
        let to = Position::new(x, y);
        if self.at != Some(to) {
            write_move(&mut self.body, self.at, to);
            self.at = Some(to);
        }
    }

    fn write_pen(&mut self, cell: &Cell) {
        let pen = Pen::of(cell, self.depth);
        if self.pen != Some(pen) {
            pen.write(self.pen, &mut self.body);
            self.pen = Some(pen);
        }
    }
}

impl Backend for WindowBackend {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut repair = Repair::default();
        let mut covered = Position::new(0, u16::MAX);
        for (x, y, cell) in content {
            if x >= self.size.width || y >= self.size.height {
                continue;
            }
            let before = if repair.row == y { x } else { u16::MAX };
            self.repair(&mut repair, before);
            // The right half of a cell drawn just now: a blank there would take the left half away.
            if covered.y == y && x < covered.x {
                continue;
            }
            let (width, reach) = self.put(x, y, cell);
            covered = Position::new(x + width, y);
            let still_spoilt = if repair.row == y { repair.to } else { 0 };
            repair = Repair { row: y, from: x + width, to: reach.max(still_spoilt) };
        }
        self.repair(&mut repair, u16::MAX);
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.wanted.visible = false;
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.wanted.visible = true;
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.wanted.at.unwrap_or_default())
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.wanted.at = Some(position.into());
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        // Erasing paints in the current background.
        self.write_pen(&Cell::EMPTY);
        let at = self.wanted.at.unwrap_or_default();
        let here = self.index(at.x, at.y).min(self.shown.len());
        let row = self.index(0, at.y).min(self.shown.len());
        let next_row = (row + usize::from(self.size.width)).min(self.shown.len());
        let (code, cells) = match region {
            ClearType::All => ("2J", 0..self.shown.len()),
            ClearType::AfterCursor => ("J", here..self.shown.len()),
            ClearType::BeforeCursor => ("1J", 0..here),
            ClearType::CurrentLine => ("2K", row..next_row),
            ClearType::UntilNewLine => ("K", here..next_row),
        };
        self.at = None;
        self.move_to(at.x, at.y);
        write!(self.body, "\x1b[{code}")?;
        self.shown[cells].fill(Cell::EMPTY);
        Ok(())
    }

    fn size(&self) -> io::Result<Size> {
        Ok(self.size)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size, pixels: Size::default() })
    }

    /// Ends a frame: one synchronised update, unless nothing changed.
    fn flush(&mut self) -> io::Result<()> {
        let wanted = Cursor { at: if self.wanted.visible { self.wanted.at } else { self.rest }, ..self.wanted };
        if self.body.is_empty() && self.sent == Some(wanted) {
            return Ok(());
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
            write!(self.out, "\x1b[{} q", wanted.shape.0.min(6))?;
        }
        if hidden && wanted.visible {
            self.out.extend_from_slice(b"\x1b[?25h");
        }
        self.out.extend_from_slice(b"\x1b[?2026l");
        self.sent = Some(wanted);
        Ok(())
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

/// What is written for a cell, and how many columns it takes: at least one.
fn drawable(cell: &Cell) -> (Cow<'_, str>, u16) {
    let symbol = cell.symbol();
    if let [byte] = symbol.as_bytes()
        && !byte.is_ascii_control()
    {
        return (Cow::Borrowed(symbol), 1);
    }
    let text = harmless(symbol);
    let width = match cell.diff_option {
        CellDiffOption::ForcedWidth(width) => width.get(),
        _ => text.as_ref().cell_width(),
    };
    if width == 0 { (Cow::Borrowed(" "), 1) } else { (text, width) }
}

/// The text without control characters and marks that turn or hide text, as long as before.
fn harmless(symbol: &str) -> Cow<'_, str> {
    let harmful = |c: char| c.is_control() || matches!(visible(c.encode_utf8(&mut [0; 4])), Cow::Owned(_));
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

/// Whether terminals disagree on the width: clusters of several characters, and the emoji planes.
fn is_disputed(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c >= '\u{1f000}') || chars.next().is_some()
}

/// The width on a terminal that knows nothing of clusters.
fn claimed_width(text: &str) -> u16 {
    text.chars().map(|c| c.width().unwrap_or(0) as u16).sum()
}

#[cfg(test)]
mod tests;
