//! Rows as bytes for a fresh emulator.

use std::io::Write;
use std::ops::Range;

use super::layout::Lines;
use super::rows::{FILLER, style};
use super::{Cut, Piece, Place, Row};
use crate::domain::{CellStyle, Colour, Size, Underline};

/// Bytes with the style that they leave.
#[derive(Debug)]
struct Out {
    bytes: Vec<u8>,
    /// None: not known.
    style: Option<CellStyle>,
}

impl Default for Out {
    fn default() -> Self {
        Self { bytes: Vec::new(), style: Some(CellStyle::default()) }
    }
}

impl Out {
    /// Writing to memory does not fail.
    fn sequence(&mut self, arguments: std::fmt::Arguments<'_>) {
        let _ = self.bytes.write_fmt(arguments);
    }

    fn style(&mut self, style: CellStyle) {
        if self.style != Some(style) {
            self.style = Some(style);
            self.bytes.extend_from_slice(b"\x1b[0");
            for (on, number) in [
                (style.bold, 1),
                (style.dim, 2),
                (style.italic, 3),
                (style.underline != Underline::None, 4),
                (style.inverse, 7),
            ] {
                if on {
                    self.sequence(format_args!(";{number}"));
                }
            }
            self.colour(style.foreground, 38);
            self.colour(style.background, 48);
            self.bytes.push(b'm');
        }
    }

    fn colour(&mut self, colour: Colour, layer: u8) {
        match colour {
            Colour::Default => {}
            Colour::Indexed(index) => self.sequence(format_args!(";{layer};5;{index}")),
            Colour::Rgb(r, g, b) => self.sequence(format_args!(";{layer};2;{r};{g};{b}")),
        }
    }

    fn piece(&mut self, piece: &Piece) {
        self.style(piece.style);
        self.bytes.extend_from_slice(piece.raw.as_bytes());
    }

    fn go(&mut self, (row, column): Place) {
        self.sequence(format_args!("\x1b[{};{}H", row + 1, column + 1));
    }

    /// Goes to a place; behind the last column by printing what stands there again.
    fn cursor(&mut self, (row, column): Place, columns: u16, last: Option<&Piece>) {
        match last.filter(|_| column >= columns) {
            Some(piece) => {
                self.go((row, columns - piece.width));
                self.piece(piece);
            }
            None => self.go((row, column.min(columns - 1))),
        }
    }
}

/// A cell as bytes that print it again.
pub(in crate::terminal) fn cell(cell: &vt100::Cell) -> Vec<u8> {
    let mut out = Out { style: None, ..Out::default() };
    out.style(style(cell));
    out.bytes.extend_from_slice(if cell.has_contents() { cell.contents().as_bytes() } else { b" " });
    out.bytes
}

/// How many pieces fit.
fn fitting(pieces: &[Piece], columns: u16) -> usize {
    let mut left = columns;
    pieces.iter().take_while(|piece| left.checked_sub(piece.width).map(|rest| left = rest).is_some()).count()
}

/// A screen as bytes.
pub(super) struct Written {
    pub(super) rows: Vec<u8>,
    pub(super) cursor: Vec<u8>,
    /// What of the rows was cut.
    pub(super) cuts: Vec<Cut>,
}

/// Some rows of lines as a screen.
pub(super) fn primary(lines: &Lines, shown: Range<usize>, size: Size) -> Written {
    let columns = lines.columns();
    let (cursor_row, cursor_column) = lines.cursor();
    let mut out = Out::default();
    let mut cuts = Vec::new();
    let mut last = None;
    let mut row = shown.start;
    lines.each_row(shown.clone(), |pieces, ends| {
        let fit = &pieces[..fitting(pieces, columns)];
        if fit.len() < pieces.len() {
            let mut seen = fit.len();
            // As the row is read again.
            while fit[..seen].last().is_some_and(|piece| piece.raw == " " && piece.style == CellStyle::default()) {
                seen -= 1;
            }
            cuts.push(Cut { shown: fit[..seen].to_vec(), whole: pieces.to_vec() });
        }
        for piece in fit {
            out.piece(piece);
        }
        if row == cursor_row {
            last = fit.last().cloned();
        }
        row += 1;
        if !ends {
            // The next character wraps. A wide one that does not fit leaves a column, which must not be empty.
            if pieces.iter().map(|piece| piece.width).sum::<u16>() < columns {
                out.bytes.extend_from_slice(FILLER.as_bytes());
            }
        } else if row < shown.end {
            out.style(CellStyle::default());
            out.bytes.extend_from_slice(b"\r\n");
        }
    });
    out.style(CellStyle::default());
    let row = cursor_row.saturating_sub(shown.start).min(usize::from(size.rows) - 1) as u16;
    // The pen is the program's by then.
    let mut cursor = Out { style: None, ..Out::default() };
    cursor.cursor((row, cursor_column), columns, last.as_ref());
    Written { rows: out.bytes, cursor: cursor.bytes, cuts }
}

/// The alternate screen: cut or padded.
pub(in crate::terminal) fn alternate(rows: &[Row], size: Size) -> Vec<u8> {
    let mut out = Out::default();
    for (number, row) in (0..size.rows).zip(rows) {
        out.go((number, 0));
        for piece in &row.pieces[..fitting(&row.pieces, size.columns)] {
            out.piece(piece);
        }
    }
    out.style(CellStyle::default());
    out.bytes
}

/// Goes to a place, or to the nearest there is.
pub(in crate::terminal) fn place((row, column): Place, size: Size) -> Vec<u8> {
    let mut out = Out::default();
    out.go((row.min(size.rows - 1), column.min(size.columns - 1)));
    out.bytes
}
