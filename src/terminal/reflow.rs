//! The primary screen at another size: its logical lines wrapped anew, in one way for width and height.
//!
//! Rows of the old screen ([`rows::read`]) become lines, joined with the scroll-back's open one; lines come
//! back from the scroll-back when the screen grows; what does not fit goes there; the rest is written as
//! bytes for a fresh emulator ([`write`]). Rows that a program will repaint by counting them ([`live`]) stay
//! row by row, cut at the margin. The cursor and other places stay at their characters.

mod layout;
pub(super) mod live;
mod rows;
mod write;

use compact_str::CompactString;

use self::layout::Lines;
pub(super) use self::rows::{FILLER, Row, read};
pub(super) use self::write::{alternate, cell, place};
use super::history::History;
use crate::domain::{CellStyle, Size, Span};

/// What was printed into one cell, or two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// The cell's contents as the emulator has them, with tags; one blank for an empty cell.
    pub(super) raw: CompactString,
    /// What the emulator keeps of its style.
    pub(super) style: CellStyle,
    /// Columns: 1 or 2.
    pub(super) width: u16,
}

impl Piece {
    fn blank(&self) -> bool {
        self.raw == " "
    }
}

/// Between what cells hold and what is read.
pub(super) trait Tagged {
    /// A cell's text and whole style: one part.
    fn resolve(&self, piece: &Piece) -> Vec<Span>;
    /// The cells that show a text.
    fn pieces(&mut self, span: &Span) -> Vec<Piece>;
}

/// A place on the screen, row and column from 0. A column behind the last one: a wrap is pending.
pub(super) type Place = (u16, u16);

/// The primary screen before.
pub(super) struct Before<'a> {
    pub(super) rows: Vec<Row>,
    pub(super) size: Size,
    pub(super) cursor: Place,
    /// Another place that moves with its text.
    pub(super) saved: Option<Place>,
    /// The first row goes on the scroll-back's open line.
    pub(super) open: bool,
    /// The first row that will be repainted, and the last that its program has reached.
    pub(super) live: Option<(u16, u16)>,
    /// Rows that were cut at an earlier resize.
    pub(super) cuts: &'a mut Vec<Cut>,
}

/// And after.
pub(super) struct After {
    /// Draws it on a fresh emulator.
    pub(super) rows: Vec<u8>,
    /// Puts the cursor in its place.
    pub(super) cursor: Vec<u8>,
    pub(super) saved: Option<Place>,
    /// By how many rows the live ones went down.
    pub(super) live: Option<i64>,
}

/// A row that was cut at the margin.
#[derive(Debug)]
pub(super) struct Cut {
    shown: Vec<Piece>,
    whole: Vec<Piece>,
}

/// Wraps the screen anew.
pub(super) fn reflow(before: Before<'_>, size: Size, history: &mut History, tagged: &mut impl Tagged) -> After {
    let used = used(&before);
    let full = used == usize::from(before.size.rows);
    let mut lines = Lines::new(&before, used, size.columns);
    let mut rows = before.rows;
    rows.truncate(used);
    let first_live = before.live.map(|(first, _)| first);
    restore(&mut rows, first_live, before.cuts);
    lines.fill(rows);
    if before.open && !lines.first_is_live() {
        if let Some(spans) = history.pop() {
            lines.prepend(pieces(&spans, tagged), true);
        }
    } else {
        history.finish();
    }
    if full {
        while lines.rows() < usize::from(size.rows)
            && let Some(spans) = history.pop_recent()
        {
            lines.prepend(pieces(&spans, tagged), false);
        }
    } else {
        // What is above was cleared away or never on this screen: it stays there.
        history.detach();
    }
    // The cursor's row stays on the screen; below it there may be no room.
    let gone = lines.rows().saturating_sub(usize::from(size.rows)).min(lines.row_of_cursor());
    lines.each_row(0..gone, |pieces, ends| {
        let spans: Vec<Span> = pieces.iter().flat_map(|piece| tagged.resolve(piece)).collect();
        history.push_row(&spans);
        if ends {
            history.finish();
        }
    });
    let shown = gone..lines.rows().min(gone + usize::from(size.rows));
    let written = write::primary(&lines, shown, size);
    *before.cuts = written.cuts;
    let saved = lines.saved().map(|(row, column)| {
        let row = row.saturating_sub(gone).min(usize::from(size.rows) - 1);
        (row as u16, column.min(size.columns - 1))
    });
    let live = first_live.zip(lines.first_live());
    let live = live.map(|(from, to)| to as i64 - gone as i64 - i64::from(from));
    After { rows: written.rows, cursor: written.cursor, saved, live }
}

/// Rows that hold something or stand above one that does, or above a place that the program has been at.
fn used(before: &Before<'_>) -> usize {
    let last = before.rows.iter().rposition(|row| !row.pieces.is_empty());
    let reached = before.live.map_or(before.cursor.0, |(_, last)| last.max(before.cursor.0));
    last.map_or(0, |last| last + 1).max(usize::from(reached) + 1).min(before.rows.len())
}

/// Gives cut rows their ends back where they stand unchanged.
fn restore(rows: &mut [Row], live: Option<u16>, cuts: &mut Vec<Cut>) {
    let Some(live) = live else { return };
    let mut cuts = cuts.drain(..);
    let mut next = cuts.next();
    for row in rows.iter_mut().skip(usize::from(live)) {
        if let Some(cut) = next.take_if(|cut| cut.shown == row.pieces) {
            row.pieces = cut.whole;
            next = cuts.next();
        }
    }
}

fn pieces(spans: &[Span], tagged: &mut impl Tagged) -> Vec<Piece> {
    spans.iter().flat_map(|span| tagged.pieces(span)).collect()
}
