//! A pane's picture on the screen: every colour and attribute, cut at the edges, never half a glyph.

use ratatui::style::{Color, Modifier, Style};

use crate::app::window::Rect;
use crate::base::visible;
use crate::domain::{CellStyle, Colour, PaneFrame};

use super::canvas::Canvas;
use super::view::Caret;

/// Rows of the picture down to the last one with something in it.
pub(super) fn used(frame: &PaneFrame) -> u16 {
    let columns = usize::from(frame.size.columns).max(1);
    let last = frame.cells.chunks(columns).rposition(|row| row.iter().any(|cell| !cell.text.trim().is_empty()));
    last.map_or(0, |row| row as u16 + 1)
}

/// Draws the picture into an area, without the first `skip` rows. A picture of another size is cut or leaves blanks.
pub(super) fn draw(canvas: &mut Canvas<'_>, frame: &PaneFrame, area: Rect, skip: u16) {
    let ground = canvas.theme.base();
    let columns = usize::from(frame.size.columns);
    let area = Rect { width: area.width.min(frame.size.columns), ..area };
    let rows = frame.cells.chunks(columns.max(1)).skip(usize::from(skip));
    for (row, cells) in rows.take(usize::from(area.height)).enumerate() {
        let y = area.y + row as u16;
        for (column, cell) in cells.iter().take(usize::from(area.width)).enumerate() {
            let x = area.x + column as u16;
            let Some(target) = canvas.buffer.cell_mut((x, y)) else { continue };
            let style = style(cell.style, ground);
            target.reset();
            target.set_style(style);
            // The right half of a wide glyph stays empty; so does a wide glyph that the edge would cut.
            let cut =
                column + 1 == usize::from(area.width) && cells.get(column + 1).is_some_and(|next| next.continuation);
            if !cell.continuation && !cut && !cell.text.is_empty() {
                target.set_symbol(&visible(&cell.text));
            }
        }
    }
}

/// Where the program's cursor stands on the screen.
pub(super) fn caret(frame: &PaneFrame, area: Rect) -> Caret {
    let x = area.x + frame.cursor.0.min(area.width.saturating_sub(1));
    let y = area.y + frame.cursor.1.min(area.height.saturating_sub(1));
    Caret { at: (x, y), visible: frame.cursor_visible && frame.scrolled == 0, shape: frame.cursor_shape }
}

fn style(cell: CellStyle, ground: Style) -> Style {
    let mut style = ground;
    if let Some(colour) = colour(cell.foreground) {
        style = style.fg(colour);
    }
    if let Some(colour) = colour(cell.background) {
        style = style.bg(colour);
    }
    let attributes = [
        (cell.bold, Modifier::BOLD),
        (cell.dim, Modifier::DIM),
        (cell.italic, Modifier::ITALIC),
        (cell.underline, Modifier::UNDERLINED),
        (cell.inverse, Modifier::REVERSED),
        (cell.strikethrough, Modifier::CROSSED_OUT),
    ];
    for (on, attribute) in attributes {
        if on {
            style = style.add_modifier(attribute);
        }
    }
    style
}

const fn colour(colour: Colour) -> Option<Color> {
    match colour {
        Colour::Default => None,
        Colour::Indexed(index) => Some(Color::Indexed(index)),
        Colour::Rgb(r, g, b) => Some(Color::Rgb(r, g, b)),
    }
}
