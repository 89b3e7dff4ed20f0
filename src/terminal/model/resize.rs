//! Another size: a fresh emulator screen, drawn from what the old one held.

use std::num::NonZeroU16;

use vt100::Parser;

use super::{Model, bounded};
use crate::domain::{CellStyle, Colour, Size, Span, Underline};
use crate::terminal::filter::Tags;
use crate::terminal::reflow::{self, Before, Piece, Place, Row, Tagged};

/// What is on the two screens.
struct Held {
    primary: Vec<Row>,
    cursor: Place,
    /// The first row of the primary screen goes on the scroll-back's last line.
    open: bool,
    alternate: Option<(Vec<Row>, Place)>,
}

impl Model {
    /// Takes another size. Both screens, the scroll-back and the places on them move along.
    pub(in crate::terminal) fn resize(&mut self, size: Size) {
        let (rows, columns) = bounded(size);
        let (size, before) = (Size { columns: columns.get(), rows: rows.get() }, self.size());
        if size == before {
            return;
        }
        self.damage = super::damage::Damage::All;
        self.progress = None;
        let held = self.held(rows, columns);
        let host = self.parser.callbacks_mut();
        let top = host.history.rows() as i64;
        let hidden = self.parser.screen().hide_cursor();
        let host = self.parser.callbacks_mut();
        let live = host.live.region(top + i64::from(held.cursor.0), hidden, before.rows);
        let on_screen = |row: i64| u16::try_from(row - top).unwrap_or_default();
        let live = live.map(|(first, last)| (on_screen(first), on_screen(last)));
        let saved = self.filter.saved_mut()[0].map(|saved| (saved.row, saved.column));
        let old = Before {
            rows: held.primary,
            size: before,
            cursor: held.cursor,
            saved,
            open: held.open,
            live,
            cuts: &mut self.cuts,
        };
        let after = reflow::reflow(old, size, &mut host.history, &mut Side(self.filter.tags_mut()));
        host.live.shift(after.live);
        self.filter.resized();
        let [primary, alternate] = self.filter.saved_mut();
        if let (Some(saved), Some(place)) = (primary, after.saved) {
            (saved.row, saved.column) = place;
        }
        if let Some(saved) = alternate {
            (saved.row, saved.column) = (saved.row.min(size.rows - 1), saved.column.min(size.columns - 1));
        }
        let shown = self.parser.screen();
        let mut fresh = Parser::new(rows, columns, 0);
        fresh.process(&after.rows);
        fresh.process(&self.filter.restore());
        fresh.process(&after.cursor);
        if let Some((rows, cursor)) = held.alternate {
            fresh.process(b"\x1b[?47h\x1b[m");
            fresh.process(&reflow::alternate(&rows, size));
            fresh.process(&self.filter.restore());
            fresh.process(&reflow::place(cursor, size));
        }
        fresh.process(shown.attributes_formatted().as_bytes());
        fresh.process(shown.input_mode_formatted().as_bytes());
        fresh.process(if shown.hide_cursor() { b"\x1b[?25l" } else { b"\x1b[?25h" });
        std::mem::swap(self.parser.screen_mut(), fresh.screen_mut());
    }

    /// Reads both screens, on a copy.
    fn held(&self, rows: NonZeroU16, columns: NonZeroU16) -> Held {
        let mut copy = Parser::new(rows, columns, 0);
        *copy.screen_mut() = self.parser.screen().clone();
        let alternate =
            copy.screen().alternate_screen().then(|| (reflow::read(copy.screen()), copy.screen().cursor_position()));
        if alternate.is_some() {
            copy.process(b"\x1b[?47l");
        }
        let primary = reflow::read(copy.screen());
        let cursor = copy.screen().cursor_position();
        let open = self.parser.callbacks().history.continues(copy.screen());
        Held { primary, cursor, open, alternate }
    }
}

/// By the filter's side table.
struct Side<'a>(&'a mut Tags);

impl Tagged for Side<'_> {
    fn resolve(&self, piece: &Piece) -> Vec<Span> {
        self.0.spans(&piece.raw, piece.style)
    }

    fn pieces(&mut self, span: &Span) -> Vec<Piece> {
        let mut style = CellStyle {
            underline_colour: Colour::Default,
            strikethrough: false,
            hidden: false,
            dim: span.style.dim && !span.style.bold,
            ..span.style
        };
        if style.underline != Underline::None {
            style.underline = Underline::Single;
        }
        self.0.cells(span).into_iter().map(|(raw, width)| Piece { raw, style, width }).collect()
    }
}
