//! The mouse over a frozen text: the wheel scrolls, a click moves the cursor, a drag selects by characters, words
//! or lines, and letting go copies.

use crate::app::window::WindowAction;
use crate::domain::{MouseButton, MouseKind};

use super::mode::{Outcome, ScrollMode};
use super::motion;
use super::page::Page;
use super::select::Extent;
use super::text::Place;

/// Rows that one notch of the wheel scrolls.
pub(in crate::app::window) const NOTCH: i64 = 3;

/// What the mouse did, relative to the text's upper left cell; beyond its edges while it drags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app::window) struct Pointer {
    pub kind: MouseKind,
    pub x: i32,
    pub y: i32,
    pub ctrl: bool,
    pub shift: bool,
    /// How often the button was pressed here in quick succession.
    pub clicks: u8,
}

/// What is drawn with the button held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app::window) struct Drag {
    /// What grows with it: characters, words or lines.
    unit: Unit,
    /// The first and the last character of the unit that it began on.
    from: (Place, Place),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Char,
    Word,
    Line,
}

impl ScrollMode {
    /// The mouse, in a view of so many cells and rows.
    pub(super) fn pointer(&mut self, (cells, rows): (u16, u16), pointer: Pointer) -> Outcome {
        match pointer.kind {
            MouseKind::WheelUp => self.wheel((cells, rows), -NOTCH),
            MouseKind::WheelDown => {
                let page = Page::new(&self.text, cells, rows);
                if self.stand.at_floor(&page) && self.mark.is_none() {
                    return Outcome::leave();
                }
                self.wheel((cells, rows), NOTCH)
            }
            MouseKind::Down(MouseButton::Left) => self.press((cells, rows), pointer),
            MouseKind::Drag(MouseButton::Left) => {
                self.draw_on((cells, rows), pointer);
                Outcome::default()
            }
            MouseKind::Up(MouseButton::Left) => self.release((cells, rows)),
            _ => Outcome::default(),
        }
    }

    fn wheel(&mut self, (cells, rows): (u16, u16), delta: i64) -> Outcome {
        let page = Page::new(&self.text, cells, rows);
        self.stand.scroll(&page, delta);
        Outcome::default()
    }

    fn press(&mut self, (cells, rows): (u16, u16), pointer: Pointer) -> Outcome {
        let page = Page::new(&self.text, cells, rows);
        let (x, y) = (pointer.x.max(0) as usize, pointer.y.max(0) as usize);
        let before = self.stand.cursor;
        self.stand.point(&page, x, y);
        let at = self.stand.cursor;
        if pointer.ctrl {
            self.mark = None;
            let open = self.link().map(|link| WindowAction::Open(link.target));
            return Outcome { leave: self.brief, actions: open.into_iter().collect(), ..Outcome::default() };
        }
        if pointer.shift && !self.brief && pointer.clicks == 1 {
            let (mark, extent) = self.mark.unwrap_or((before, Extent::Chars));
            self.mark = Some((mark, extent));
            self.drag = Some(Drag { unit: Unit::Char, from: (mark, mark) });
            return Outcome::default();
        }
        let unit = match pointer.clicks {
            0 | 1 => Unit::Char,
            2 => Unit::Word,
            _ => Unit::Line,
        };
        self.mark = None;
        let from = match unit {
            Unit::Char => (at, at),
            Unit::Word => self.word(at),
            Unit::Line => (motion::line_start(at), motion::line_end(&self.text, at)),
        };
        self.drag = Some(Drag { unit, from });
        if unit != Unit::Char {
            self.draw_to((cells, rows), at);
        }
        Outcome::default()
    }

    /// The first and the last character of the word at a place; the place alone on a blank.
    fn word(&self, at: Place) -> (Place, Place) {
        let Some(word) = motion::word_at(&self.text, at, false) else { return (at, at) };
        let last = motion::left(&self.text, Place { byte: word.end, ..at });
        (Place { byte: word.start, ..at }, last)
    }

    fn draw_on(&mut self, (cells, rows): (u16, u16), pointer: Pointer) {
        if self.drag.is_none() {
            return;
        }
        let page = Page::new(&self.text, cells, rows);
        let last = i32::from(rows) - 1;
        // Beyond an edge the text comes along, the faster the further.
        let beyond = if pointer.y < 0 { pointer.y } else { (pointer.y - last).max(0) };
        if beyond != 0 {
            self.stand.scroll(&page, i64::from(beyond));
        }
        let (x, y) = (pointer.x.max(0) as usize, pointer.y.clamp(0, last.max(0)) as usize);
        self.stand.point(&page, x, y);
        self.draw_to((cells, rows), self.stand.cursor);
    }

    /// The selection reaches from where the drag began to this place.
    fn draw_to(&mut self, (cells, rows): (u16, u16), to: Place) {
        let Some(drag) = self.drag else { return };
        let (first, last) = drag.from;
        let (from, to, extent) = match drag.unit {
            Unit::Char if to == first && self.mark.is_none() => return,
            Unit::Char => (first, to, Extent::Chars),
            Unit::Line => (first, to, Extent::Lines),
            Unit::Word if to < first => (last, self.word(to).0, Extent::Chars),
            Unit::Word => (first, self.word(to).1, Extent::Chars),
        };
        self.mark = Some((from, extent));
        let page = Page::new(&self.text, cells, rows);
        self.stand.go(&page, to);
    }

    fn release(&mut self, size: (u16, u16)) -> Outcome {
        if self.drag.take().is_none() {
            return Outcome::default();
        }
        if self.mark.is_none() {
            return Outcome { leave: self.brief, ..Outcome::default() };
        }
        let kept = self.mark;
        let outcome = self.copy(size);
        // What was copied stays marked where the person stays to read.
        self.mark = kept.filter(|_| !self.brief);
        Outcome { leave: self.brief, ..outcome }
    }
}
