//! What a pane shows, as plain data: the terminal room publishes it, the ui room draws it.

use std::hash::{Hash, Hasher};
use std::ops::Index;
use std::sync::Arc;

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use super::ProgramStatus;

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

/// How a cell is underlined (SGR 4, 4:1 to 4:5, 21).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "named after the lines")]
pub enum Underline {
    #[default]
    None,
    Single,
    Double,
    Curly,
    Dotted,
    Dashed,
}

/// A link of a picture or a text (OSC 8): its number in the list that goes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinkId(pub u16);

/// How a cell is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "named after the attributes")]
pub struct CellStyle {
    pub foreground: Colour,
    pub background: Colour,
    pub bold: bool,
    pub dim: bool,
    pub italic: bool,
    pub underline: Underline,
    /// The text's own when default.
    pub underline_colour: Colour,
    pub inverse: bool,
    pub strikethrough: bool,
    /// Takes its room but is not shown (SGR 8).
    pub hidden: bool,
    pub link: Option<LinkId>,
}

impl Colour {
    /// A number of its own for each colour.
    const fn number(self) -> u64 {
        match self {
            Self::Default => 0,
            Self::Indexed(index) => 1 << 24 | index as u64,
            Self::Rgb(r, g, b) => 2 << 24 | (r as u64) << 16 | (g as u64) << 8 | b as u64,
        }
    }
}

/// In two words: a flood of colours looks up a style for each cell.
impl Hash for CellStyle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let flags = [self.bold, self.dim, self.italic, self.inverse, self.strikethrough, self.hidden];
        let flags = flags.into_iter().fold(self.underline as u64, |all, on| all << 1 | u64::from(on));
        let link = self.link.map_or(0, |link| u64::from(link.0) + 1);
        state.write_u64(self.foreground.number() << 32 | self.background.number());
        state.write_u64(self.underline_colour.number() << 32 | flags << 20 | link);
    }
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
    /// The program wants every movement of the mouse, also without a button.
    pub motion: bool,
    /// The program wants focus events.
    pub focus: bool,
}

/// The cells of a picture, in rows of the same length. A row that stays the same is shared by the pictures it is
/// in: a copy of a picture costs little, and what two of them differ in is found without looking at cells.
#[derive(Debug, Clone, Default)]
pub struct Cells {
    rows: Vec<Arc<[Cell]>>,
}

impl Cells {
    /// Cells row by row, so many in each.
    #[must_use]
    pub fn new(columns: u16, cells: &[Cell]) -> Self {
        Self { rows: cells.chunks(usize::from(columns).max(1)).map(Arc::from).collect() }
    }

    /// Adds a row; it takes all that is in the buffer.
    pub fn push(&mut self, row: &mut Vec<Cell>) {
        self.rows.push(row.drain(..).collect());
    }

    /// The rows.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[Cell]> + ExactSizeIterator {
        self.rows.iter().map(AsRef::as_ref)
    }

    /// All cells, row by row.
    pub fn iter(&self) -> impl Iterator<Item = &Cell> {
        self.rows.iter().flat_map(|row| row.iter())
    }

    /// Puts other rows in the place of those from this one on.
    pub fn replace(&mut self, first: u16, rows: &Self) {
        for (row, new) in self.rows.iter_mut().skip(usize::from(first)).zip(&rows.rows) {
            if row != new {
                *row = Arc::clone(new);
            }
        }
    }

    /// Rows that are not shared with a picture of the same size before: their number, and what they are and were.
    pub fn changed<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = (usize, &'a [Cell], &'a [Cell])> {
        let pairs = self.rows.iter().zip(&before.rows).enumerate();
        pairs.filter(|(_, (row, old))| !Arc::ptr_eq(row, old)).map(|(at, (row, old))| (at, row.as_ref(), old.as_ref()))
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, two): (&Arc<[Cell]>, &Arc<[Cell]>)| Arc::ptr_eq(one, two) || one == two;
        self.rows.len() == other.rows.len() && self.rows.iter().zip(&other.rows).all(same)
    }
}

impl Eq for Cells {}

/// By number, row by row.
impl Index<usize> for Cells {
    type Output = Cell;

    fn index(&self, at: usize) -> &Cell {
        let columns = self.rows.first().map_or(1, |row| row.len()).max(1);
        &self.rows[at / columns][at % columns]
    }
}

/// One complete picture of a pane's screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaneFrame {
    /// Its size.
    pub size: Size,
    /// Cells, row by row: `size.rows` of `size.columns`.
    pub cells: Cells,
    /// Where the links lead, by their number. Untrusted text.
    pub links: Vec<Arc<str>>,
    /// Cursor column and row from 0, where the program put it.
    pub cursor: (u16, u16),
    /// Whether the program shows the cursor.
    pub cursor_visible: bool,
    /// The cursor's shape.
    pub cursor_shape: CursorShape,
    /// What the program asked for.
    pub modes: PaneModes,
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
    /// What the program says of its work, if it does.
    pub program: Option<ProgramStatus>,
    /// How far it says it is, in percent (OSC 9;4).
    pub progress: Option<u8>,
}
