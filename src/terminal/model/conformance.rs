//! The conformance table: what a program sends, and the screen, the styles or the answers that follow, as
//! a current xterm has them. Every row is also fed one byte at a time and cut in two at every byte.

mod clusters;
mod keyboard;
mod replies;
mod screen;
mod styles;

use super::Model;
use crate::domain::{CellStyle, PaneFrame, Size};
use crate::terminal::Colours;

/// The screen of every row.
const SIZE: Size = Size { columns: 12, rows: 5 };

fn feed(model: &mut Model, bytes: &[u8]) {
    let mut at = 0;
    while at < bytes.len() {
        at += model.feed(&bytes[at..]);
    }
}

/// Everything that a row may be judged by.
#[derive(Debug, PartialEq)]
struct Seen {
    frame: PaneFrame,
    text: String,
    replies: String,
    title: String,
    bells: u64,
    modes: super::Modes,
}

fn seen(size: Size, pieces: &[&[u8]]) -> Seen {
    let mut model = Model::new(size, Colours::default());
    for piece in pieces {
        feed(&mut model, piece);
    }
    let (frame, text, modes) = (model.frame(), model.text(), model.modes());
    let host = model.host();
    let replies = String::from_utf8(host.replies.clone()).unwrap();
    Seen { frame, text, replies, title: host.title.clone(), bells: host.bells, modes }
}

/// What is seen after the bytes, with a check that no cut changes it.
fn after(size: Size, bytes: &[u8]) -> Seen {
    let whole = seen(size, &[bytes]);
    let singles: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(seen(size, &singles), whole, "byte by byte: {:?}", String::from_utf8_lossy(bytes));
    for cut in 1..bytes.len() {
        let (a, b) = bytes.split_at(cut);
        assert_eq!(seen(size, &[a, b]), whole, "cut at {cut}: {:?}", String::from_utf8_lossy(bytes));
    }
    whole
}

/// The rows of a picture, blank ends cut; wide characters stand once.
fn rows(frame: &PaneFrame) -> Vec<String> {
    let row = |cells: &[crate::domain::Cell]| {
        let texts = cells
            .iter()
            .filter(|cell| !cell.continuation)
            .map(|cell| if cell.text.is_empty() { " " } else { &cell.text });
        texts.collect::<String>().trim_end().to_owned()
    };
    frame.cells.rows().map(row).collect()
}

/// The style of the cell at a row and a column.
fn style(frame: &PaneFrame, row: usize, column: usize) -> CellStyle {
    frame.cells[row * usize::from(frame.size.columns) + column].style
}

/// A row of the table: its name, what is sent, the screen, and the cursor's row and column from 1.
type Row = (&'static str, &'static str, &'static [&'static str], (u16, u16));

fn check(table: &[Row]) {
    for &(name, sent, screen, cursor) in table {
        let seen = after(SIZE, sent.as_bytes());
        let mut shown = rows(&seen.frame);
        while shown.last().is_some_and(String::is_empty) {
            shown.pop();
        }
        assert_eq!(shown, screen, "{name}: {sent:?}");
        let (column, row) = seen.frame.cursor;
        assert_eq!((row + 1, column + 1), cursor, "{name}: {sent:?}");
    }
}
