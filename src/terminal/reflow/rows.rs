//! The emulator's rows as pieces.

use compact_str::CompactString;
use vt100::Screen;

use super::Piece;
use crate::domain::{CellStyle, Colour, Underline};

/// What stands in the last column of a wrapped row where a wide character did not fit: a blank and a
/// character that no tag begins with. The emulator takes a row with an empty last column for ended.
pub(in crate::terminal) const FILLER: &str = " \u{e01ef}";

/// One row: what was printed on it, blank ends cut.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::terminal) struct Row {
    pub(in crate::terminal) pieces: Vec<Piece>,
    /// It goes on in the next row.
    pub(in crate::terminal) wrapped: bool,
}

/// All rows of the screen that is shown.
pub(in crate::terminal) fn read(screen: &Screen) -> Vec<Row> {
    (0..screen.size().0.get()).map(|row| read_row(screen, row)).collect()
}

fn read_row(screen: &Screen, row: u16) -> Row {
    let columns = screen.size().1.get();
    let wrapped = screen.row_wrapped(row);
    let mut pieces = Vec::new();
    // Pieces up to the last that is more than an unwritten cell.
    let mut kept = 0;
    for column in 0..columns {
        let Some(cell) = screen.cell(row, column).filter(|cell| !cell.is_wide_continuation()) else { continue };
        let style = style(cell);
        let filler = cell.contents() == FILLER;
        if filler && wrapped && column + 1 == columns {
            break;
        }
        let raw = if cell.has_contents() && !filler { cell.contents() } else { " " };
        pieces.push(Piece { raw: CompactString::from(raw), style, width: if cell.is_wide() { 2 } else { 1 } });
        if wrapped || cell.has_contents() || style != CellStyle::default() {
            kept = pieces.len();
        }
    }
    pieces.truncate(kept);
    Row { pieces, wrapped }
}

/// What the emulator keeps of a cell's style. Erased cells keep the background alone (terminfo: bce).
pub(super) fn style(cell: &vt100::Cell) -> CellStyle {
    let background = colour(cell.bgcolor());
    if !cell.has_contents() {
        return CellStyle { background, ..CellStyle::default() };
    }
    CellStyle {
        foreground: colour(cell.fgcolor()),
        background,
        bold: cell.bold(),
        dim: cell.dim(),
        italic: cell.italic(),
        underline: if cell.underline() { Underline::Single } else { Underline::None },
        inverse: cell.inverse(),
        ..CellStyle::default()
    }
}

const fn colour(colour: vt100::Color) -> Colour {
    match colour {
        vt100::Color::Default => Colour::Default,
        vt100::Color::Idx(index) => Colour::Indexed(index),
        vt100::Color::Rgb(r, g, b) => Colour::Rgb(r, g, b),
    }
}
