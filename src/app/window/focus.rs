//! Which lane is in focus, and whether its pane is typed into.

use crate::app::State;
use crate::base::Report;
use crate::domain::{LaneId, LaneKind, LaneStage, LaneState, WindowId};

use super::{Keyboard, WindowAction, WindowState};

/// The pane that is typed into, if one is.
pub(super) fn typed_into(state: &State, window: &WindowState) -> Option<LaneId> {
    let lane = window.focus.filter(|_| window.keyboard == Keyboard::Pane && window.overlay.is_none())?;
    is_pane(state, lane).then_some(lane)
}

/// The pane that has the focus of the person: the one that is typed into in the window used last, while that window's
/// terminal has the focus itself.
#[must_use]
pub fn pane_in_focus(state: &State) -> Option<LaneId> {
    let window = state.last_window.and_then(|window| state.windows.get(&window))?;
    typed_into(state, window).filter(|_| window.attentive)
}

/// The pane that gets the mouse in a window, if there is one.
#[must_use]
pub fn pane_under_pointer(state: &State, window: WindowId) -> Option<LaneId> {
    let window = state.windows.get(&window)?;
    let taken = window.grid || window.overlay.is_some() || window.scroll.is_some() || window.too_small();
    window.focus.filter(|lane| !taken && takes_keys(state, *lane))
}

/// Whether a lane's session is a program in a pane.
pub(super) fn is_pane(state: &State, lane: LaneId) -> bool {
    state.model.lanes.get(&lane).is_some_and(|l| matches!(l.kind, LaneKind::Pane { .. }))
}

/// Whether a pane's program is there, or on its way, to take keys.
pub(super) fn takes_keys(state: &State, lane: LaneId) -> bool {
    let over = |stage| matches!(stage, LaneStage::Ended | LaneStage::Failed);
    is_pane(state, lane) && !state.model.lanes.get(&lane).is_some_and(|l| over(l.stage))
}

/// Puts a lane in focus. Who types into a pane goes on typing if the new lane is a pane too.
pub(super) fn focus(state: &State, window: &mut WindowState, lane: LaneId) -> Vec<WindowAction> {
    window.focus_on(lane);
    if matches!(window.keyboard, Keyboard::Pane | Keyboard::Ended) {
        window.keyboard = if takes_keys(state, lane) { Keyboard::Pane } else { Keyboard::Prompt };
    }
    vec![WindowAction::Looked(lane)]
}

/// Puts the lane with this number in focus.
pub(super) fn focus_number(state: &State, window: &mut WindowState, number: usize) -> Vec<WindowAction> {
    if let Some(lane) = state.model.lane_at(number).map(|l| l.id) {
        return focus(state, window, lane);
    }
    let count = state.model.open_lanes().count();
    let report = Report::refused(format!("there is no lane {number}"));
    window.say(match count {
        0 => report.hint("`/lane new api` makes the first"),
        1 => report.hint("there is one lane"),
        _ => report.hint(format!("there are {count} lanes")),
    });
    Vec::new()
}

/// Puts the next or previous lane in focus, going round at the ends.
pub(super) fn step(state: &State, window: &mut WindowState, down: bool) -> Vec<WindowAction> {
    let count = state.model.open_lanes().count();
    if count == 0 {
        return Vec::new();
    }
    let at = window.focus.and_then(|lane| state.model.number(lane)).map_or(if down { count - 1 } else { 0 }, |n| n - 1);
    let next = (at + if down { 1 } else { count - 1 }) % count;
    focus_number(state, window, next + 1)
}

/// Puts the next lane that needs the person in focus.
pub(super) fn next_needy(state: &State, window: &mut WindowState) -> Vec<WindowAction> {
    let lanes: Vec<LaneId> = state.model.open_lanes().map(|l| l.id).collect();
    let at = lanes.iter().position(|l| Some(*l) == window.focus).map_or(0, |at| at + 1);
    let round = lanes[at.min(lanes.len())..].iter().chain(&lanes[..at.min(lanes.len())]);
    let needy =
        |lane: &LaneId| matches!(state.lane_state(*lane), LaneState::NeedsYou | LaneState::Failed | LaneState::Done);
    if let Some(lane) = round.copied().find(needy) {
        return focus(state, window, lane);
    }
    window.say(Report::done("no lane needs you"));
    Vec::new()
}

/// Something was typed for a program that has ended.
pub(super) fn say_ended(state: &State, window: &mut WindowState) {
    let name = window.focus.map(|lane| state.model.name(lane)).unwrap_or_default();
    window.say(
        Report::refused(format!("the program in `{name}` has ended; what is typed goes nowhere"))
            .hint(format!("Esc returns to the prompt bar, `/lane restart {name}` runs it again")),
    );
}

/// Gives the keys to the pane of the lane in focus.
pub(super) fn type_into(state: &State, window: &mut WindowState) {
    match window.focus {
        Some(lane) if takes_keys(state, lane) => {
            window.end_scroll_mode();
            window.panel.open = false;
            window.keyboard = Keyboard::Pane;
        }
        Some(lane) if is_pane(state, lane) => {
            let name = state.model.name(lane);
            window.say(
                Report::refused(format!("the program in `{name}` has ended"))
                    .hint(format!("`/lane restart {name}` runs it again")),
            );
        }
        Some(_) => window.say(
            Report::refused("this lane is an agent; there is no program to type into")
                .hint("type in the prompt bar and press Enter"),
        ),
        None => {
            window.say(Report::refused("there is no lane yet").hint("`/lane new sh -- bash` makes one with a shell"));
        }
    }
}
