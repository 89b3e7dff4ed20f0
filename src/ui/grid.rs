//! The main area with all lanes side by side.

use crate::app::window::text::Tone;
use crate::app::window::transcript::{Folds, Transcript};
use crate::app::window::{Keyboard, Rect, Tile, tiles};
use crate::domain::{Lane, LaneId, LaneKind};

use super::canvas::{Canvas, Place};
use super::view::{Caret, Scene};
use super::{main_area, pane, welcome};

pub(super) fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>) -> Option<Caret> {
    let main = scene.areas.main;
    let area = Rect { height: main.height + scene.areas.covered, ..main };
    let tiles = tiles(scene.state, scene.window, area);
    if tiles.is_empty() {
        welcome::no_lane(canvas, scene, main.inset());
        return None;
    }
    let lanes: Vec<LaneId> = scene.state.model.open_lanes().map(|lane| lane.id).collect();
    if tiles.len() < lanes.len() {
        let at = |tile: Option<&Tile>| {
            tile.and_then(|tile| lanes.iter().position(|lane| *lane == tile.lane)).unwrap_or(0) + 1
        };
        let (first, last) = (at(tiles.first()), at(tiles.last()));
        let words = format!("lanes {first} to {last} of {} · Ctrl-G j · k go on to the others", lanes.len());
        canvas.text(
            area.x + 1,
            (area.y + area.height).saturating_sub(1),
            area.width.saturating_sub(1),
            &words,
            Tone::Dim,
        );
    }
    let mut caret = None;
    for tile in &tiles {
        let Some(lane) = scene.state.model.lanes.get(&tile.lane) else { continue };
        caret = one(canvas, scene, lane, tile).or(caret);
        let right = tile.area.x + tile.area.width;
        if right < area.x + area.width {
            canvas.upright(right, tile.area.y, tile.area.height);
        }
    }
    caret
}

fn one(canvas: &mut Canvas<'_>, scene: &Scene<'_>, lane: &Lane, tile: &Tile) -> Option<Caret> {
    let focused = scene.window.focus == Some(lane.id);
    let head = Rect { height: 1, ..tile.area };
    main_area::title(canvas, scene, lane, head);
    canvas.tint(head, canvas.theme.selection());
    if focused {
        canvas.text(head.x, head.y, 1, "▌", Tone::Accent);
    }
    let body = tile.body();
    if matches!(lane.kind, LaneKind::Pane { .. })
        && let Some(frame) = scene.frames.get(&lane.id)
    {
        let typed = focused && scene.window.keyboard == Keyboard::Pane;
        let place = Place::new(lane.id, body, pane::hidden_rows(frame, body.height), typed);
        pane::draw(canvas, frame, place);
        return typed.then(|| pane::caret(frame, place));
    }
    let text = body.inset();
    let closed = Folds::default();
    let transcript = Transcript::new(scene.state, lane.id, text.width, &closed).spinning(scene.spinner());
    for ((_, row), y) in transcript.tail(usize::from(text.height)).iter().zip(text.y..) {
        canvas.row(text.x, y, text.width, row);
    }
    None
}
