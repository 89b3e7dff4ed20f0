//! What a pane shows, as plain data: the terminal room publishes it, the ui room draws it.

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

/// Columns and rows, each at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// Columns.
    pub columns: u16,
    /// Rows.
    pub rows: u16,
}

/// A colour as the program asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Colour {
    /// The terminal's own.
    #[default]
    Default,
    /// One of 256.
    Indexed(u8),
    /// Red, green, blue.
    Rgb(u8, u8, u8),
}

/// How a cell is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "named after the attributes")]
pub struct CellStyle {
    pub foreground: Colour,
    pub background: Colour,
    pub bold: bool,
    pub dim: bool,
    pub italic: bool,
    pub underline: bool,
    pub inverse: bool,
    pub strikethrough: bool,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cell {
    /// What stands in it: a grapheme, or nothing.
    pub text: CompactString,
    /// How it is drawn.
    pub style: CellStyle,
    /// Whether it is the right half of the wide character before it.
    pub continuation: bool,
}

/// The cursor's shape (DECSCUSR numbers 0 to 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CursorShape(pub u8);

/// What the program in the pane asked its terminal for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PaneModes {
    /// The alternate screen is shown.
    pub alternate_screen: bool,
    /// Pastes are to be wrapped in markers.
    pub bracketed_paste: bool,
    /// Cursor keys are sent in application form.
    pub application_cursor: bool,
    /// The program wants the mouse.
    pub mouse: bool,
    /// The program wants focus events.
    pub focus: bool,
}

/// One complete picture of a pane's screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaneFrame {
    /// Its size.
    pub size: Size,
    /// Cells, row by row: `size.rows * size.columns`.
    pub cells: Vec<Cell>,
    /// Cursor column and row from 0, where the program put it.
    pub cursor: (u16, u16),
    /// Whether the program shows the cursor.
    pub cursor_visible: bool,
    /// The cursor's shape.
    pub cursor_shape: CursorShape,
    /// What the program asked for.
    pub modes: PaneModes,
    /// How many lines the picture is scrolled back.
    pub scrolled: usize,
}

/// What is known of a pane without looking at its cells. Published at most four times a second.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PaneStatus {
    /// The title the program set, control characters untouched.
    pub title: String,
    /// How often the bell rang.
    pub bells: u64,
    /// Whether the program is quiet and waits for input, be it for the rest of a line.
    pub ready: bool,
}
