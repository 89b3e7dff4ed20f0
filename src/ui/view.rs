//! One window as a frame.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::app::State;
use crate::app::window::{Areas, Breadth, Keyboard, Overlay, Rect, WindowState, layout};
use crate::domain::{CursorShape, LaneId, LaneState, PaneFrame, WindowId};

use super::canvas::{Canvas, Place};
use super::surface::Surface;
use super::{Theme, grid, header, lanes, main_area, overlay, panel, prompt_bar, small, status, toast};

/// Where the terminal's cursor belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caret {
    /// Column and row, from 0.
    pub at: (u16, u16),
    /// Whether it is shown. A hidden one rests at its place too: input methods open there.
    pub visible: bool,
    /// Its shape.
    pub shape: CursorShape,
}

/// What all parts of a view read.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) state: &'a State,
    pub(super) window: &'a WindowState,
    pub(super) frames: &'a BTreeMap<LaneId, Arc<PaneFrame>>,
    pub(super) now: Timestamp,
    pub(super) areas: Areas,
    /// Each open lane's state, found out once a frame.
    pub(super) states: &'a BTreeMap<LaneId, LaneState>,
}

impl Scene<'_> {
    /// What a person sees of a lane.
    pub(super) fn lane_state(&self, lane: LaneId) -> LaneState {
        self.states.get(&lane).cloned().unwrap_or(LaneState::Ended)
    }

    /// The picture of the spinner now.
    pub(super) fn spinner(&self) -> &'static str {
        const PICTURES: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
        let step = self.now.as_millisecond().div_euclid(120).rem_euclid(PICTURES.len() as i64);
        PICTURES[step as usize]
    }

    /// Whether the pane of the lane in focus is typed into.
    pub(super) fn types_into_pane(&self) -> bool {
        self.window.keyboard == Keyboard::Pane && self.window.overlay.is_none()
    }
}

/// Draws a window on a surface, whatever stood there. Returns where the cursor belongs.
pub fn view(
    state: &State,
    window: WindowId,
    frames: &BTreeMap<LaneId, Arc<PaneFrame>>,
    now: Timestamp,
    theme: &Theme,
    surface: &mut Surface,
) -> Option<Caret> {
    view_placed(state, window, frames, now, theme, surface, &mut Vec::new())
}

/// The theme that a window is drawn in: this one, unless its person wants no colours.
pub(super) fn theme_of<'a>(state: &State, window: WindowId, theme: &'a Theme) -> Cow<'a, Theme> {
    let plain = state.windows.get(&window).is_some_and(|window| window.hello.no_color);
    if plain { Cow::Owned(Theme::plain()) } else { Cow::Borrowed(theme) }
}

/// The same. Tells where pictures of panes stand.
pub(super) fn view_placed(
    state: &State,
    window: WindowId,
    frames: &BTreeMap<LaneId, Arc<PaneFrame>>,
    now: Timestamp,
    theme: &Theme,
    surface: &mut Surface,
    places: &mut Vec<Place>,
) -> Option<Caret> {
    let theme = &*theme_of(state, window, theme);
    let window = state.windows.get(&window)?;
    surface.reset(theme.base());
    let (buffer, extras) = surface.layers();
    let area = buffer.area;
    let mut canvas = Canvas { buffer, extras, theme, places };
    if window.too_small() || area.width < 40 || area.height < 10 {
        return small::draw(&mut canvas, state, window, (area.width, area.height));
    }
    let states = state.model.open_lanes().map(|lane| (lane.id, state.lane_state(lane.id))).collect();
    let scene = Scene { state, window, frames, now, areas: layout(state, window), states: &states };
    draw(&mut canvas, &scene)
}

fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>) -> Option<Caret> {
    let areas = &scene.areas;
    header::draw(canvas, scene);
    if areas.breadth == Breadth::Narrow {
        lanes::strip(canvas, scene, areas.top);
    } else {
        canvas.rule(0, areas.top.y, areas.top.width);
    }
    let mut caret = None;
    let covered = areas.panel.is_some_and(|panel| panel.x == areas.main.x);
    if !covered {
        caret = if scene.window.grid { grid::draw(canvas, scene) } else { main_area::draw(canvas, scene) };
    }
    // What a long draft covers of a pane is drawn over it.
    let below = Rect { y: areas.main.y + areas.main.height, height: areas.covered, ..areas.main };
    canvas.clear(below, canvas.theme.base());
    if let Some(list) = areas.lanes {
        lanes::draw(canvas, scene, list);
        upright(canvas, areas, list.width, list.height);
    }
    if let Some(area) = areas.panel {
        panel::draw(canvas, scene, area);
        if !covered {
            upright(canvas, areas, area.x - 1, area.height);
        }
    }
    status::rule(canvas, scene);
    let prompt = prompt_bar::draw(canvas, scene);
    status::draw(canvas, scene);
    if caret.is_none() && scene.window.keyboard == Keyboard::Prompt {
        caret = Some(prompt);
    }
    if let Some(searching) = status::search_line(canvas, scene) {
        caret = Some(searching);
    }
    // The board tells of its keys in itself.
    if !matches!(scene.window.overlay, Some(Overlay::Board(_))) {
        toast::draw(canvas, scene);
    }
    if scene.window.leader {
        status::which_key(canvas, scene);
    }
    match &scene.window.overlay {
        Some(overlay) => overlay::draw(canvas, scene, overlay),
        None => caret,
    }
}

/// An upright rule with its joints in the rules above and below.
fn upright(canvas: &mut Canvas<'_>, areas: &Areas, x: u16, height: u16) {
    canvas.upright(x, areas.main.y, height);
    let border = canvas.theme.border();
    if areas.breadth != Breadth::Narrow {
        canvas.styled(x, areas.top.y, 1, "┬", border);
    }
}
