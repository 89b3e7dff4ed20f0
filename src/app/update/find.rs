//! Finding a lane by what was typed, and suggesting the nearest when there is none.

use crate::app::State;
use crate::base::{Report, nearest};
use crate::domain::{LaneId, LaneStage, WindowId};

/// The open lane that is meant: a name or a number; none means the window's focused lane.
pub(super) fn lane(state: &State, window: Option<WindowId>, typed: Option<&str>) -> Result<LaneId, Report> {
    let Some(typed) = typed else {
        let window = window.or(state.last_window);
        return window
            .and_then(|w| state.windows.get(&w))
            .and_then(|w| w.focus)
            .ok_or_else(|| Report::usage("no lane is named and none is in focus").hint("name the lane"));
    };
    let by_number = || typed.parse().ok().and_then(|n| state.model.lane_at(n));
    state.model.lane_named(typed).or_else(by_number).map(|l| l.id).ok_or_else(|| no_lane(state, typed))
}

/// The lane of this name or number, open or else closed.
pub(super) fn any_lane(state: &State, window: Option<WindowId>, typed: &str) -> Result<LaneId, Report> {
    let closed = || state.model.closed_lane_named(typed).map(|lane| lane.id);
    lane(state, window, Some(typed)).or_else(|report| closed().ok_or(report))
}

/// The closed lane of this name.
pub(super) fn closed_lane(state: &State, typed: &str) -> Result<LaneId, Report> {
    state.model.closed_lane_named(typed).map(|l| l.id).ok_or_else(|| no_closed(state, typed))
}

fn no_closed(state: &State, typed: &str) -> Report {
    let names: Vec<String> =
        state.model.lanes.values().filter(|l| l.stage == LaneStage::Closed).map(|l| l.name.to_string()).collect();
    let report = Report::refused(format!("there is no closed lane `{typed}`"));
    if names.is_empty() {
        report.hint("no lane is closed")
    } else {
        report.hint(format!("closed: {}", names.join(", ")))
    }
}

/// There is no such lane.
pub(super) fn no_lane(state: &State, typed: &str) -> Report {
    let names: Vec<&str> = state.model.open_lanes().map(|l| l.name.as_str()).collect();
    let report = Report::refused(format!("there is no lane `{typed}`"));
    match nearest(typed, names.iter().copied()) {
        Some(name) => report.hint(format!("did you mean `{name}`?")),
        None if names.is_empty() => report.hint("`paralane lane new NAME` makes one"),
        None => report.hint(format!("lanes: {}", names.join(", "))),
    }
}

/// There is no such prompt.
pub(super) fn no_prompt(state: &State, id: crate::domain::PromptId) -> Report {
    let open: Vec<String> =
        state.model.prompts.values().filter(|p| !p.state.ended()).map(|p| p.id.to_string()).take(8).collect();
    let report = Report::refused(format!("there is no prompt `{id}`"));
    if open.is_empty() {
        report.hint("`paralane queue list --all` shows all")
    } else {
        report.hint(format!("open: {}", open.join(", ")))
    }
}
