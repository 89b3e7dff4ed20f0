//! Reading the emulator's grid as lines.

use vt100::Screen;

use crate::domain::Packer;
use crate::terminal::filter::Tags;
use crate::terminal::reflow;

/// Writes the rows of the screen that is shown as lines, up to the last one that holds something or the cursor.
pub(super) fn write_lines(screen: &Screen, tags: &Tags, packer: &mut Packer) {
    let rows = reflow::read(screen);
    let last = rows.iter().rposition(|row| !row.pieces.is_empty()).unwrap_or(0);
    for row in &rows[..=last.max(usize::from(screen.cursor_position().0))] {
        for piece in &row.pieces {
            for span in tags.spans(&piece.raw, piece.style) {
                let style = packer.span_style(&span);
                packer.push(&span.text, style);
            }
        }
        if !row.wrapped {
            packer.end_line();
        }
    }
    if packer.open() > 0 {
        packer.end_line();
    }
}
