//! Which rows of the primary screen a program will repaint by counting lines.
//!
//! Such a program goes up by as many lines as it has printed and prints them again, over and over. The live
//! region begins with the topmost row that the last such move reached. It is over when the program has
//! gone on below where it stood before the move, as a shell does behind an edited line; one that hides the
//! cursor is taken to come back, also when it has grown. One that goes up once more, to where its cursor is to
//! stand, will go up from its last row as far as before.

/// Rows are counted from the pane's beginning: those that scrolled off and those on the screen.
#[derive(Debug, Default)]
pub(in crate::terminal) struct Live {
    /// The topmost row that was reached, and the lowest before; none: no move up.
    rows: Option<(i64, i64)>,
    /// How many rows the repaint before went up.
    height: i64,
    /// Text was printed since the last move up.
    printed: bool,
    /// What was fed last ended in this byte, and the cursor stood in this row before it.
    last: u8,
    before: i64,
}

impl Live {
    /// These bytes are next, with the cursor in this row.
    pub(in crate::terminal) fn feed(&mut self, bytes: &[u8], row: i64) {
        self.printed = self.printed || has_text(bytes);
        self.last = bytes.last().copied().unwrap_or(self.last);
        self.before = row;
    }

    /// What was fed last may have moved the cursor up, to this row.
    pub(in crate::terminal) fn moved(&mut self, to: i64, hidden: bool) {
        match self.last {
            // CUU, CPL, RI: relative.
            b'A' | b'F' | b'M' => self.up(to, hidden),
            // Whoever says where to go does not count lines.
            _ => self.rows = self.rows.filter(|(top, _)| *top <= to),
        }
    }

    fn up(&mut self, to: i64, hidden: bool) {
        if to >= self.before {
            return;
        }
        if self.printed || self.rows.is_none() {
            let again = self.rows.filter(|(_, bottom)| hidden || self.before <= *bottom);
            self.height = again.map_or(0, |(top, bottom)| bottom - top);
            self.rows = Some((to, self.before));
        } else {
            self.rows = self.rows.map(|(top, bottom)| (top.min(to), bottom));
        }
        self.printed = false;
    }

    /// The first live row and the last that was reached, if any row is live.
    pub(in crate::terminal) fn region(&self, cursor: i64, hidden: bool, height: u16) -> Option<(i64, i64)> {
        let (mut top, bottom) = self.rows?;
        if !self.printed {
            top = top.min(bottom - self.height);
        }
        let near = cursor - top < 2 * i64::from(height);
        (top <= cursor && near && (hidden || cursor <= bottom)).then_some((top, bottom))
    }

    /// The rows were moved by so many.
    pub(in crate::terminal) fn shift(&mut self, rows: Option<i64>) {
        self.rows = self.rows.zip(rows).map(|((top, bottom), by)| (top + by, bottom + by));
    }
}

/// Whether there is text outside of control sequences.
fn has_text(bytes: &[u8]) -> bool {
    let mut bytes = bytes.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            0x1b => {
                if bytes.next() == Some(&b'[') {
                    bytes.find(|byte| (0x40..=0x7e).contains(*byte));
                }
            }
            0x00..=0x1f | 0x7f => {}
            _ => return true,
        }
    }
    false
}
