//! A mouse button that is held down: what follows a press in a pane is that pane's, wherever the pointer goes.
//!
//! A program that saw a button go down sees its drags at the pane's edge and, in any case, its release.

use crate::app::State;
use crate::domain::{LaneId, MouseEvent, MouseKind};

use super::focus::typed_into;
use super::geometry::{layout, pane_area};
use super::{WindowAction, WindowState};

/// What a drag or a release means for the pane that got the press; none when no pane did.
pub(super) fn held(state: &State, window: &mut WindowState, event: MouseEvent) -> Option<Vec<WindowAction>> {
    let lane = window.grab?;
    let ends = match event.kind {
        MouseKind::Drag(_) => false,
        MouseKind::Up(_) => true,
        _ => return None,
    };
    // Scroll mode took the pointer over, or another lane stands there now.
    let scrolls = window.scroll.is_some() || window.asked.is_some();
    let stays = typed_into(state, window) == Some(lane) && !scrolls && !window.grid;
    if ends || !stays {
        window.grab = None;
    }
    if !stays {
        return None;
    }
    let area = pane_area(&layout(state, window));
    let within = |at: u16, from: u16, room: u16| at.clamp(from, from + room.saturating_sub(1)) - from;
    let (column, row) = (within(event.column, area.x, area.width), within(event.row, area.y, area.height));
    Some(vec![WindowAction::PaneMouse(lane, MouseEvent { column, row, ..event })])
}

/// Whether an event that a pane's program did not ask for is its own all the same, because it has taken the press
/// before. A press that it did not want is given up.
pub(super) fn keeps(window: &mut WindowState, lane: LaneId, event: MouseEvent) -> bool {
    if matches!(event.kind, MouseKind::Down(_)) {
        window.grab.take_if(|of| *of == lane);
    }
    window.grab == Some(lane)
}

/// Notes which pane got a press.
pub(super) fn note(window: &mut WindowState, event: MouseEvent, actions: &[WindowAction]) {
    if matches!(event.kind, MouseKind::Down(_)) {
        window.grab = actions.iter().find_map(|action| match action {
            WindowAction::PaneMouse(lane, _) => Some(*lane),
            _ => None,
        });
    }
}
