//! The one door to the screen: text is made safe, cut in cells and drawn in a tone.

use std::sync::Arc;

use ratatui::buffer::{Buffer, CellDiffOption};
use ratatui::style::Style;

use crate::app::window::Rect;
use crate::app::window::text::{Row, Tone, clean};
use crate::base::{clip, width};
use crate::domain::LaneId;
use crate::domain::Underline;

use super::Theme;
use super::link::Link;
use super::surface::{Extra, Extras};

/// A surface to draw on, with its theme.
pub(super) struct Canvas<'a> {
    pub(super) buffer: &'a mut Buffer,
    pub(super) extras: &'a mut Extras,
    pub(super) theme: &'a Theme,
    /// Where pictures of panes were drawn.
    pub(super) places: &'a mut Vec<Place>,
}

/// Where a pane's picture stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) lane: LaneId,
    pub(super) area: Rect,
    /// So many rows of the picture are left out above.
    pub(super) skip: u16,
    /// The window's cursor is the pane's.
    pub(super) typed: bool,
    /// Something was drawn over it.
    pub(super) covered: bool,
}

impl Place {
    /// The place of a picture that is about to be drawn.
    pub(super) const fn new(lane: LaneId, area: Rect, skip: u16, typed: bool) -> Self {
        Self { lane, area, skip, typed, covered: false }
    }
}

impl Canvas<'_> {
    /// Text at a place, in at most `room` cells. How many it took.
    pub(super) fn styled(&mut self, x: u16, y: u16, room: u16, text: &str, style: Style) -> u16 {
        let inside = self.buffer.area.contains((x, y).into());
        if room == 0 || !inside {
            return 0;
        }
        let shown = clip(&clean(text), usize::from(room));
        self.halve(x, y);
        let (end, _) = self.buffer.set_stringn(x, y, &shown, usize::from(room), style);
        let drawn = Rect { x, y, width: end - x, height: 1 };
        self.cover(drawn);
        self.lift(drawn);
        end - x
    }

    /// Notes what is drawn over panes.
    fn cover(&mut self, area: Rect) {
        for place in self.places.iter_mut() {
            let own = ratatui::layout::Rect::from(place.area);
            place.covered |= own.intersects(area.into());
        }
    }

    /// Takes away what panes have beside their cells: something else is drawn there.
    pub(super) fn lift(&mut self, area: Rect) {
        let columns = usize::from(self.buffer.area.width);
        for y in area.y..area.y.saturating_add(area.height).min(self.buffer.area.height) {
            let start = usize::from(y) * columns + usize::from(area.x).min(columns);
            self.extras.lift(start..start + usize::from(area.width).min(columns - usize::from(area.x).min(columns)));
        }
    }

    /// Blanks a wide glyph whose right half is about to be drawn over: it would hide what is drawn.
    fn halve(&mut self, x: u16, y: u16) {
        if let Some(before) = x.checked_sub(1)
            && let Some(cell) = self.buffer.cell_mut((before, y))
            && cell.symbol().len() > 1
            && width(cell.symbol()) > 1
        {
            cell.set_symbol(" ").set_diff_option(CellDiffOption::None);
        }
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
            let cut = width(&run.text) > usize::from(left);
            let shown = self.text(x + used, y, if cut { room - used } else { left }, &run.text, run.tone);
            if let Some(target) = &run.link {
                self.link(x + used, y, shown, target);
            }
            used += shown;
            if cut {
                return used;
            }
        }
        used
    }

    /// Lays a link under cells that are drawn.
    pub(super) fn link(&mut self, x: u16, y: u16, cells: u16, target: &Arc<str>) {
        let Some(link) = Link::new(target) else { return };
        let area = self.buffer.area;
        if y >= area.height {
            return;
        }
        let number = self.extras.add(Extra { underline: Underline::Single, colour: None, link: Some(link) });
        for x in x..x.saturating_add(cells).min(area.width) {
            self.extras.put(usize::from(y) * usize::from(area.width) + usize::from(x), number);
        }
    }

    /// A style over everything in an area; what stands there stays.
    pub(super) fn tint(&mut self, area: Rect, style: Style) {
        self.cover(area);
        self.buffer.set_style(area.into(), style);
    }

    /// Empties an area.
    pub(super) fn clear(&mut self, area: Rect, style: Style) {
        self.cover(area);
        self.lift(area);
        let area = ratatui::layout::Rect::from(area).intersection(self.buffer.area);
        for y in area.y..area.y + area.height {
            self.halve(area.x, y);
        }
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
