//! One pane's screen: the emulator behind this room's own words.

mod cells;
mod damage;
pub(super) mod feed;
mod grid;
mod resize;
mod skim;

use std::num::NonZeroU16;
use std::ops::Range;
use std::sync::Arc;

use vt100::{MouseProtocolEncoding, MouseProtocolMode, Parser};

use self::damage::{Before, Damage};
use super::colours::Colours;
use super::filter::Filter;
use super::host::Host;
use super::mouse;
use super::reflow::Cut;
use crate::domain::{Cell, Cells, CursorShape, Packer, PaneFrame, PaneModes, PaneText, Size};

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
    pub(super) application_keypad: bool,
    pub(super) focus: bool,
    pub(super) cursor_shown: bool,
    pub(super) mouse: mouse::Wanted,
    pub(super) mouse_encoding: mouse::Encoding,
    /// The wheel sends arrows on the alternate screen.
    pub(super) alternate_scroll: bool,
    /// Flags of the kitty keyboard protocol in force; 0: legacy keys.
    pub(super) kitty_keys: u8,
    /// Level of xterm's modifyOtherKeys, 0 to 2.
    pub(super) other_keys: u8,
}

/// The screen model.
pub(super) struct Model {
    parser: Parser<Host>,
    filter: Filter,
    /// Rows that the last resize cut.
    cuts: Vec<Cut>,
    damage: Damage,
    /// Lines that were offered and are not fed yet.
    progress: Option<skim::Progress>,
}

/// A size the emulator takes.
fn bounded(size: Size) -> (NonZeroU16, NonZeroU16) {
    let within = |n: u16, least: u16, most: u16| NonZeroU16::new(n.clamp(least, most)).unwrap_or(NonZeroU16::MIN);
    (within(size.rows, 1, MAX_ROWS), within(size.columns, MIN_COLUMNS, MAX_COLUMNS))
}

impl Model {
    pub(super) fn new(size: Size, colours: Colours) -> Self {
        let (rows, columns) = bounded(size);
        let parser = Parser::new_with_callbacks(rows, columns, 0, Host::new(colours));
        Self { parser, filter: Filter::default(), cuts: Vec::new(), damage: Damage::All, progress: None }
    }

    /// Takes bytes; returns how many: all, or up to the end of a synchronized update.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> usize {
        self.progress = None;
        let before = Before::of(bytes, &self.filter, &self.parser);
        let used = self.filter.run(bytes, &mut self.parser);
        self.parser.callbacks_mut().history.settle(self.filter.tags());
        self.damage.add(&before, &self.filter);
        used
    }

    pub(super) fn size(&self) -> Size {
        let (rows, columns) = self.parser.screen().size();
        Size { columns: columns.get(), rows: rows.get() }
    }

    pub(super) fn host(&mut self) -> &mut Host {
        self.parser.callbacks_mut()
    }

    pub(super) fn modes(&self) -> Modes {
        let screen = self.parser.screen();
        let host = self.parser.callbacks();
        Modes {
            alternate_screen: screen.alternate_screen(),
            bracketed_paste: screen.bracketed_paste(),
            application_cursor: screen.application_cursor(),
            application_keypad: screen.application_keypad(),
            focus: host.focus,
            cursor_shown: !screen.hide_cursor(),
            mouse: match screen.mouse_protocol_mode() {
                MouseProtocolMode::None => mouse::Wanted::Nothing,
                MouseProtocolMode::Press => mouse::Wanted::Presses,
                MouseProtocolMode::PressRelease => mouse::Wanted::PressesAndReleases,
                MouseProtocolMode::ButtonMotion => mouse::Wanted::Drags,
                MouseProtocolMode::AnyMotion => mouse::Wanted::Everything,
            },
            mouse_encoding: match screen.mouse_protocol_encoding() {
                MouseProtocolEncoding::Default if self.parser.callbacks().urxvt_mouse => mouse::Encoding::Urxvt,
                MouseProtocolEncoding::Default => mouse::Encoding::Bytes,
                MouseProtocolEncoding::Utf8 => mouse::Encoding::Utf8,
                MouseProtocolEncoding::Sgr => mouse::Encoding::Sgr,
            },
            alternate_scroll: host.alternate_scroll,
            kitty_keys: host.keyboard.flags(),
            other_keys: host.keyboard.other_keys(),
        }
    }

    /// The picture as it stands.
    pub(super) fn frame(&self) -> PaneFrame {
        let (cells, links) = self.rows(0..self.size().rows);
        self.finish(cells, links)
    }

    /// The picture as it stands, given the last one: what cannot have changed is taken from there.
    pub(super) fn picture(&self, last: Option<&PaneFrame>) -> PaneFrame {
        let size = self.size();
        if let Damage::Rows(rows) = self.damage
            && let Some(last) = last.filter(|last| last.size == size && last.links.is_empty())
        {
            let mut cells = last.cells.clone();
            let Some((first, end)) = rows else { return self.finish(cells, Vec::new()) };
            let (changed, links) = self.rows(first..end + 1);
            if links.is_empty() {
                cells.replace(first, &changed);
                return self.finish(cells, Vec::new());
            }
        }
        let mut frame = self.frame();
        if let Some(last) = last.filter(|last| last.size == size) {
            let mut cells = last.cells.clone();
            cells.replace(0, &frame.cells);
            frame.cells = cells;
        }
        frame
    }

    /// A picture was taken, and is the last one from now on.
    pub(super) fn pictured(&mut self) {
        self.damage = Damage::Rows(None);
    }

    /// The cells of some rows, and the links in them.
    fn rows(&self, rows: Range<u16>) -> (Cells, Vec<Arc<str>>) {
        let screen = self.parser.screen();
        let columns = self.size().columns;
        let (mut all, mut cells) = (Cells::default(), Vec::with_capacity(usize::from(columns)));
        let mut picture = cells::Picture::new(self.filter.tags(), self.filter.reversed());
        for row in rows {
            for column in 0..columns {
                // A wide character whose right half has no column left is not drawn: it would reach out of the pane.
                let shown = screen.cell(row, column).filter(|cell| !cell.is_wide() || column + 1 < columns);
                let cell = shown.map_or_else(Cell::default, |cell| picture.cell(cell));
                cells.push(cell);
            }
            self.parser.callbacks().asides.shown().dress(&mut cells);
            all.push(&mut cells);
        }
        (all, picture.links)
    }

    fn finish(&self, cells: Cells, links: Vec<Arc<str>>) -> PaneFrame {
        let screen = self.parser.screen();
        let size = self.size();
        let modes = self.modes();
        let (row, column) = screen.cursor_position();
        PaneFrame {
            size,
            cells,
            links,
            cursor: (column.min(size.columns - 1), row),
            cursor_visible: modes.cursor_shown,
            cursor_shape: CursorShape(screen.cursor_style() as u8),
            modes: PaneModes {
                alternate_screen: modes.alternate_screen,
                bracketed_paste: modes.bracketed_paste,
                application_cursor: modes.application_cursor,
                mouse: modes.mouse != mouse::Wanted::Nothing,
                motion: modes.mouse == mouse::Wanted::Everything,
                focus: modes.focus,
            },
        }
    }

    /// Scroll-back and screen, frozen. On the alternate screen its rows stand behind the scroll-back, each a line.
    pub(super) fn pane_text(&self) -> PaneText {
        let screen = self.parser.screen();
        let history = &self.parser.callbacks().history;
        let continues = !screen.alternate_screen() && history.continues(screen);
        history.freeze(continues, |packer| grid::write_lines(screen, self.filter.tags(), packer))
    }

    /// The screen as text: wrapped lines joined, wide characters once, blank ends cut.
    pub(super) fn text(&self) -> String {
        let mut packer = Packer::default();
        grid::write_lines(self.parser.screen(), self.filter.tags(), &mut packer);
        let block = packer.seal();
        let lines: Vec<&str> = (0..block.lines()).map(|line| block.text(line)).collect();
        let mut text = lines.join("\n");
        text.truncate(text.trim_end_matches('\n').len());
        text
    }
}

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod history_tests;
#[cfg(test)]
mod skim_tests;
#[cfg(test)]
mod tests;
