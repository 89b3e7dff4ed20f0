//! The one door to the screen: text is made safe, cut in cells and drawn in a tone.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use crate::app::window::Rect;
use crate::app::window::text::{Row, Tone, clean};
use crate::base::{clip, width};

use super::Theme;

/// A buffer to draw on, with its theme.
pub(super) struct Canvas<'a> {
    pub(super) buffer: &'a mut Buffer,
    pub(super) theme: &'a Theme,
}

impl Canvas<'_> {
    /// Text at a place, in at most `room` cells. How many it took.
    pub(super) fn styled(&mut self, x: u16, y: u16, room: u16, text: &str, style: Style) -> u16 {
        let inside = self.buffer.area.contains((x, y).into());
        if room == 0 || !inside {
            return 0;
        }
        let shown = clip(&clean(text), usize::from(room));
        let (end, _) = self.buffer.set_stringn(x, y, &shown, usize::from(room), style);
        end - x
    }

    /// Text of a tone at a place.
    pub(super) fn text(&mut self, x: u16, y: u16, room: u16, text: &str, tone: Tone) -> u16 {
        self.styled(x, y, room, text, self.theme.tone(tone))
    }

    /// Text of a tone that ends at `end` (exclusive). Where it begins.
    pub(super) fn right(&mut self, end: u16, y: u16, room: u16, text: &str, tone: Tone) -> u16 {
        let shown = clip(&clean(text), usize::from(room));
        let x = end.saturating_sub(width(&shown) as u16);
        self.text(x, y, room, &shown, tone);
        x
    }

    /// Runs of text one after the other; what does not fit ends in `…`. How many cells they took.
    pub(super) fn row(&mut self, x: u16, y: u16, room: u16, row: &Row) -> u16 {
        let cut = row.width() > usize::from(room);
        let limit = if cut { room.saturating_sub(1) } else { room };
        let mut used = 0;
        for run in &row.0 {
            let left = limit - used;
            if width(&run.text) > usize::from(left) {
                return used + self.text(x + used, y, room - used, &run.text, run.tone);
            }
            used += self.text(x + used, y, left, &run.text, run.tone);
        }
        used
    }

    /// A style over everything in an area; what stands there stays.
    pub(super) fn tint(&mut self, area: Rect, style: Style) {
        self.buffer.set_style(area.into(), style);
    }

    /// Empties an area.
    pub(super) fn clear(&mut self, area: Rect, style: Style) {
        let area = ratatui::layout::Rect::from(area).intersection(self.buffer.area);
        for position in area.positions() {
            if let Some(cell) = self.buffer.cell_mut(position) {
                cell.reset();
                cell.set_style(style);
            }
        }
    }

    /// A thin rule.
    pub(super) fn rule(&mut self, x: u16, y: u16, length: u16) {
        self.styled(x, y, length, &"─".repeat(usize::from(length)), self.theme.border());
    }

    /// A thin upright rule.
    pub(super) fn upright(&mut self, x: u16, y: u16, length: u16) {
        for row in y..y + length {
            self.styled(x, row, 1, "│", self.theme.border());
        }
    }
}

impl From<Rect> for ratatui::layout::Rect {
    fn from(area: Rect) -> Self {
        Self { x: area.x, y: area.y, width: area.width, height: area.height }
    }
}
