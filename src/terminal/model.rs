//! One pane's screen: the emulator behind this room's own words.

use std::num::NonZeroU16;

use compact_str::CompactString;
use vt100::{MouseProtocolEncoding, MouseProtocolMode, Parser};

use super::colours::Colours;
use super::filter::Filter;
use super::host::Host;
use super::mouse;
use crate::domain::{Cell, CellStyle, Colour, CursorShape, PaneFrame, PaneModes, Size};

/// Lines of scroll-back. A full one of 120 columns takes 7.7 MB.
const SCROLLBACK: usize = 2_000;
/// In one column the emulator fails on a character that the next one makes wide (`#` and U+FE0F).
const MIN_COLUMNS: u16 = 2;
/// A larger screen only costs memory: no window is that large.
const MAX_COLUMNS: u16 = 1_000;
const MAX_ROWS: u16 = 500;

/// What the program asked of the keyboard and the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Modes {
    pub(super) alternate_screen: bool,
    pub(super) bracketed_paste: bool,
    pub(super) application_cursor: bool,
    pub(super) focus: bool,
    pub(super) cursor_shown: bool,
    pub(super) mouse: mouse::Wanted,
    pub(super) mouse_encoding: mouse::Encoding,
}

/// The screen model.
pub(super) struct Model {
    parser: Parser<Host>,
    filter: Filter,
}

/// A size the emulator takes.
fn bounded(size: Size) -> (NonZeroU16, NonZeroU16) {
    let within = |n: u16, least: u16, most: u16| NonZeroU16::new(n.clamp(least, most)).unwrap_or(NonZeroU16::MIN);
    (within(size.rows, 1, MAX_ROWS), within(size.columns, MIN_COLUMNS, MAX_COLUMNS))
}

impl Model {
    pub(super) fn new(size: Size, colours: Colours) -> Self {
        let (rows, columns) = bounded(size);
        let parser = Parser::new_with_callbacks(rows, columns, SCROLLBACK, Host::new(colours));
        Self { parser, filter: Filter::default() }
    }

    /// Takes bytes; returns how many: all, or up to the end of a synchronized update.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> usize {
        self.filter.run(bytes, |bytes| self.parser.process(bytes))
    }

    pub(super) fn resize(&mut self, size: Size) {
        let (rows, columns) = bounded(size);
        self.parser.set_size(rows, columns);
    }

    pub(super) fn size(&self) -> Size {
        let (rows, columns) = self.parser.screen().size();
        Size { columns: columns.get(), rows: rows.get() }
    }

    /// Moves the view by so many lines, back into the scroll-back when positive. False when it stayed.
    pub(super) fn scroll(&mut self, lines: i64) -> bool {
        let screen = self.parser.screen_mut();
        let before = screen.scrollback();
        let wanted = i64::try_from(before).unwrap_or(i64::MAX).saturating_add(lines).max(0);
        screen.set_scrollback(usize::try_from(wanted).unwrap_or(usize::MAX));
        screen.scrollback() != before
    }

    /// Whether the view stands in the scroll-back.
    pub(super) fn scrolled(&self) -> bool {
        self.parser.screen().scrollback() > 0
    }

    /// Back to the live screen. False when it was there.
    pub(super) fn scroll_home(&mut self) -> bool {
        self.scroll(i64::MIN)
    }

    pub(super) fn host(&mut self) -> &mut Host {
        self.parser.callbacks_mut()
    }

    pub(super) fn modes(&self) -> Modes {
        let screen = self.parser.screen();
        Modes {
            alternate_screen: screen.alternate_screen(),
            bracketed_paste: screen.bracketed_paste(),
            application_cursor: screen.application_cursor(),
            focus: self.parser.callbacks().focus,
            cursor_shown: !screen.hide_cursor(),
            mouse: match screen.mouse_protocol_mode() {
                MouseProtocolMode::None => mouse::Wanted::Nothing,
                MouseProtocolMode::Press => mouse::Wanted::Presses,
                MouseProtocolMode::PressRelease => mouse::Wanted::PressesAndReleases,
                MouseProtocolMode::ButtonMotion => mouse::Wanted::Drags,
                MouseProtocolMode::AnyMotion => mouse::Wanted::Everything,
            },
            mouse_encoding: match screen.mouse_protocol_encoding() {
                MouseProtocolEncoding::Default => mouse::Encoding::Bytes,
                MouseProtocolEncoding::Utf8 => mouse::Encoding::Utf8,
                MouseProtocolEncoding::Sgr => mouse::Encoding::Sgr,
            },
        }
    }

    /// The picture as it stands.
    pub(super) fn frame(&self) -> PaneFrame {
        let screen = self.parser.screen();
        let size = self.size();
        let mut cells = Vec::with_capacity(usize::from(size.columns) * usize::from(size.rows));
        for row in 0..size.rows {
            for column in 0..size.columns {
                // A wide character whose right half has no column left is not drawn: it would reach out of the pane.
                let shown = screen.cell(row, column).filter(|cell| !cell.is_wide() || column + 1 < size.columns);
                cells.push(shown.map_or_else(Cell::default, cell));
            }
        }
        let modes = self.modes();
        let scrolled = screen.scrollback();
        let (row, column) = screen.cursor_position();
        let row = usize::from(row) + scrolled;
        let on_view = row < usize::from(size.rows);
        PaneFrame {
            size,
            cells,
            cursor: (column.min(size.columns - 1), if on_view { row as u16 } else { size.rows - 1 }),
            cursor_visible: modes.cursor_shown && on_view,
            cursor_shape: CursorShape(screen.cursor_style() as u8),
            modes: PaneModes {
                alternate_screen: modes.alternate_screen,
                bracketed_paste: modes.bracketed_paste,
                application_cursor: modes.application_cursor,
                mouse: modes.mouse != mouse::Wanted::Nothing,
                focus: modes.focus,
            },
            scrolled,
        }
    }

    /// What is in view as text: wrapped lines joined, wide characters once, blank ends cut.
    pub(super) fn text(&self) -> String {
        self.parser.screen().contents()
    }
}

fn cell(cell: &vt100::Cell) -> Cell {
    let continuation = cell.is_wide_continuation();
    Cell {
        text: if continuation { CompactString::const_new("") } else { CompactString::from(cell.contents()) },
        style: CellStyle {
            foreground: colour(cell.fgcolor()),
            background: colour(cell.bgcolor()),
            bold: cell.bold(),
            dim: cell.dim(),
            italic: cell.italic(),
            underline: cell.underline(),
            inverse: cell.inverse(),
            strikethrough: false,
        },
        continuation,
    }
}

const fn colour(colour: vt100::Color) -> Colour {
    match colour {
        vt100::Color::Default => Colour::Default,
        vt100::Color::Idx(index) => Colour::Indexed(index),
        vt100::Color::Rgb(r, g, b) => Colour::Rgb(r, g, b),
    }
}

#[cfg(test)]
mod tests;
