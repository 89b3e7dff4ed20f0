//! Where a person stands in a text: the row on top and the cursor, and how they move together.

use super::motion::settled;
use super::page::{Page, RowAt};
use super::text::Place;

/// A view's top and its cursor. Both are places, so that they stay true at any width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stand {
    /// The row on top is the one in which this place stands.
    pub top: Place,
    /// The character under the cursor.
    pub cursor: Place,
    /// The column that moves up and down aim at.
    goal: usize,
}

impl Stand {
    /// At the end of the text, with the cursor in its last row.
    pub(super) fn at_end(page: &Page<'_>) -> Self {
        let mut stand = Self { top: page.start_of(page.floor()), ..Self::default() };
        stand.go(page, page.start_of(page.last()));
        stand
    }

    /// With this line on top and the cursor in it.
    pub(super) fn stand_on(&mut self, page: &Page<'_>, line: u64) {
        self.top = page.start_of(RowAt { line, row: 0 }.min(page.floor()));
        self.go(page, self.top);
    }

    /// The row on top: where it was left, or as far from there as the cursor needs. The width may be another one now.
    #[must_use]
    pub fn top_row(&self, page: &Page<'_>) -> RowAt {
        let floor = page.floor();
        let top = page.row_of(self.top).min(floor);
        let cursor = page.row_of(self.cursor);
        if cursor < top {
            cursor
        } else if cursor > page.bottom(top) {
            page.moved(cursor, -(page.height as i64 - 1)).min(floor)
        } else {
            top
        }
    }

    /// Whether the view stands at the end, as the live screen does.
    #[must_use]
    pub fn at_floor(&self, page: &Page<'_>) -> bool {
        self.top_row(page) == page.floor()
    }

    /// Moves the cursor to a place.
    pub(super) fn go(&mut self, page: &Page<'_>, place: Place) {
        self.cursor = settled(page.text, place);
        self.goal = page.column(self.cursor);
        self.follow(page);
    }

    /// Moves the cursor to a place; if it is not in view it comes into its middle.
    pub(super) fn show(&mut self, page: &Page<'_>, place: Place) {
        let at = page.row_of(place);
        let top = self.top_row(page);
        if at < top || at > page.bottom(top) {
            let middle = page.moved(at, -(page.height as i64 / 2));
            self.top = page.start_of(middle.min(page.floor()));
        }
        self.go(page, place);
    }

    /// Moves the cursor by rows, towards the column that it came from.
    pub(super) fn rows(&mut self, page: &Page<'_>, delta: i64) {
        self.step_into(page, page.moved(page.row_of(self.cursor), delta));
        self.follow(page);
    }

    /// Moves the cursor to the end of its line, also for the moves up and down that follow.
    pub(super) fn line_end(&mut self, page: &Page<'_>, place: Place) {
        self.go(page, place);
        self.goal = usize::MAX;
    }

    fn step_into(&mut self, page: &Page<'_>, at: RowAt) {
        self.cursor = page.place_at(at, self.goal);
    }

    /// Scrolls the view by rows; the cursor stays in it. False when the view stood at that end.
    pub(super) fn scroll(&mut self, page: &Page<'_>, delta: i64) -> bool {
        let old = self.top_row(page);
        let top = page.moved(old, delta).min(page.floor());
        self.top = page.start_of(top);
        let at = page.row_of(self.cursor);
        let bottom = page.bottom(top);
        if at < top || at > bottom {
            self.step_into(page, at.clamp(top, bottom));
        }
        top != old
    }

    /// Moves view and cursor together by so many rows.
    pub(super) fn leap(&mut self, page: &Page<'_>, delta: i64) {
        let top = page.moved(self.top_row(page), delta).min(page.floor());
        self.top = page.start_of(top);
        self.rows(page, delta);
    }

    /// Moves the cursor to the row that stands so many below the top, or above the last one in view if negative.
    pub(super) fn in_view(&mut self, page: &Page<'_>, row: i64) {
        let rows = page.view(self.top_row(page));
        let last = rows.len() as i64 - 1;
        let at = if row < 0 { last + 1 + row } else { row }.clamp(0, last.max(0));
        if let Some((at, _)) = rows.get(at as usize) {
            self.step_into(page, *at);
        }
    }

    /// The cursor to a cell of the view; rows below the text stand for its last one.
    pub(super) fn point(&mut self, page: &Page<'_>, x: usize, y: usize) {
        let rows = page.view(self.top_row(page));
        if let Some((at, _)) = rows.get(y).or(rows.last()) {
            self.goal = x;
            self.step_into(page, *at);
        }
    }

    /// Scrolls just as far as the cursor needs.
    fn follow(&mut self, page: &Page<'_>) {
        self.top = page.start_of(self.top_row(page));
    }
}
