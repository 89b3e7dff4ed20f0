//! One window's terminal: frames and signals go in, bytes for the real terminal come out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use ratatui::buffer::Cell;
use ratatui::style::Style;

use crate::app::State;
use crate::app::window::pane_under_pointer;
use crate::base::width;
use crate::domain::{LaneId, PaneFrame, Size, WindowId};

use super::backend::{Abilities, WindowBackend};
use super::canvas::Place;
use super::surface::{Rows, Surface};
use super::view::{Caret, theme_of, view_placed};
use super::{Theme, pane};

/// The newest picture of each pane that is shown.
type Frames = BTreeMap<LaneId, Arc<PaneFrame>>;

/// A window's terminal as far as it has been drawn.
#[derive(Debug)]
pub struct WindowTerminal {
    backend: WindowBackend,
    /// Where the next frame is drawn.
    surface: Surface,
    /// What the frame before was made of; none when nothing of it counts.
    drawn: Option<Drawn>,
}

/// The pictures of panes that a frame was made of, and where they stand in it.
#[derive(Debug)]
struct Drawn {
    frames: Frames,
    places: Vec<Place>,
    caret: Option<Caret>,
}

impl Drawn {
    /// The pictures that have changed, each in its place, and the rows of the window in which they have; none when
    /// the window may change beside them.
    fn changes<'a>(&self, frames: &'a Frames) -> Option<(Vec<(Place, &'a PaneFrame)>, Rows)> {
        if frames.len() != self.frames.len() {
            return None;
        }
        let (mut changes, mut rows) = (Vec::new(), BTreeSet::new());
        for (lane, frame) in frames {
            let old = self.frames.get(lane)?;
            if Arc::ptr_eq(old, frame) {
                continue;
            }
            if old.size != frame.size || old.links != frame.links {
                return None;
            }
            for place in self.places.iter().filter(|place| place.lane == *lane) {
                // Of a picture that is too high, other rows may be seen now.
                if place.covered || place.skip > 0 || frame.size.rows > place.area.height {
                    return None;
                }
                let changed = frame.cells.changed(&old.cells).map(|(row, ..)| row as u16);
                rows.extend(changed.filter(|row| *row < place.area.height).map(|row| place.area.y + row));
                changes.push((*place, frame.as_ref()));
            }
        }
        Some((changes, Rows::Some(rows.into_iter().collect())))
    }
}

impl WindowTerminal {
    /// An empty one.
    #[must_use]
    pub fn new(size: Size, abilities: Abilities) -> Self {
        Self { backend: WindowBackend::new(size, abilities), surface: Surface::new(size), drawn: None }
    }

    /// It has another size: the next frame is drawn whole.
    pub fn set_size(&mut self, size: Size) {
        self.backend.set_size(size);
        self.surface = Surface::new(size);
        self.drawn = None;
    }

    /// Another program had the terminal: the next frame is drawn whole, over whatever stands there.
    pub fn reopen(&mut self) {
        self.backend.reopen();
        self.surface = Surface::new(self.backend.size());
        self.drawn = None;
    }

    /// Draws one frame.
    pub fn draw(&mut self, state: &State, window: WindowId, frames: &Frames, now: Timestamp, theme: &Theme) {
        self.follow_pointer(state, window, frames);
        let mut places = Vec::new();
        let caret = view_placed(state, window, frames, now, theme, &mut self.surface, &mut places);
        self.backend.show(&mut self.surface, caret, &Rows::All);
        self.drawn = Some(Drawn { frames: frames.clone(), places, caret });
    }

    /// Draws one frame that differs from the one before in nothing but the pictures of panes. Where it can be, only
    /// the rows in which these have changed are drawn and compared.
    pub fn draw_panes(&mut self, state: &State, window: WindowId, frames: &Frames, now: Timestamp, theme: &Theme) {
        let ground = theme_of(state, window, theme).base();
        if self.patch(frames, ground) {
            self.follow_pointer(state, window, frames);
        } else {
            self.draw(state, window, frames, now, theme);
        }
    }

    fn follow_pointer(&mut self, state: &State, window: WindowId, frames: &Frames) {
        let pointed = pane_under_pointer(state, window).and_then(|lane| frames.get(&lane));
        self.backend.follow_pointer(pointed.is_some_and(|frame| frame.modes.motion));
    }

    /// Draws the changed rows of pictures over what is shown. False when that is not enough, and nothing was shown.
    fn patch(&mut self, frames: &Frames, ground: Style) -> bool {
        let Some(drawn) = &mut self.drawn else { return false };
        let Some((changes, rows)) = drawn.changes(frames) else { return false };
        // What cells have beside them is kept for a surface as a whole.
        if self.backend.shown().has_extras() {
            return false;
        }
        self.surface.take_rows(self.backend.shown(), &rows);
        let (buffer, extras) = self.surface.layers();
        for (place, frame) in &changes {
            pane::paint(buffer, extras, ground, frame, *place, &rows);
        }
        // Beside a glyph that is wider than its cell other things are drawn than are known here.
        let edge = |place: &Place, y: u16| buffer.cell((place.area.x + place.area.width.saturating_sub(1), y));
        let wide = |cell: &Cell| cell.symbol().len() > 1 && width(cell.symbol()) > 1;
        let high = buffer.area.height;
        let juts = changes.iter().any(|(place, _)| rows.within(high).any(|y| edge(place, y).is_some_and(wide)));
        if juts || self.surface.has_extras() {
            return false;
        }
        let moved = changes.iter().find_map(|(place, frame)| {
            let old = drawn.frames.get(&place.lane)?;
            (place.typed && drawn.caret == Some(pane::caret(old, *place))).then(|| pane::caret(frame, *place))
        });
        let caret = moved.or(drawn.caret);
        self.backend.show(&mut self.surface, caret, &rows);
        drawn.caret = caret;
        drawn.frames.clone_from(frames);
        true
    }

    /// The backend, for bells, notifications and the clipboard.
    pub const fn signals(&mut self) -> &mut WindowBackend {
        &mut self.backend
    }

    /// The bytes since the last time; empty when nothing changed.
    pub fn take(&mut self) -> Vec<u8> {
        self.backend.take()
    }
}
