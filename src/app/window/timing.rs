//! When a window must be drawn again although nothing happens.

use jiff::{SignedDuration, Timestamp};

use crate::app::{Activity, State};
use crate::domain::{LaneId, LaneState, PromptState, WindowId};

use super::geometry::{lane_rows, layout, tiles};
use super::{Tab, WindowState};

/// How long one picture of the spinner stands.
pub(super) const SPIN: i64 = 120;

/// The next moment this window must be drawn again; none while it is at rest and nothing is shown
/// whose age is counted. Ages older than an hour change once a minute, others of lanes at rest too.
#[must_use]
pub fn next_deadline(state: &State, window: WindowId, now: Timestamp) -> Option<Timestamp> {
    let window = state.windows.get(&window)?;
    if window.too_small() {
        return None;
    }
    let toast = window.toast.as_ref().and_then(|toast| toast.until);
    let spin = spins(state, window).then(|| {
        let at = now.as_millisecond();
        Timestamp::from_millisecond(at + SPIN - at.rem_euclid(SPIN)).unwrap_or(now)
    });
    let areas = layout(state, window);
    let mut ages: Vec<Timestamp> = Vec::new();
    let mut lanes: Vec<LaneId> =
        areas.lanes.map(|area| lane_rows(state, window, area).iter().map(|r| r.lane).collect()).unwrap_or_default();
    if window.grid {
        lanes.extend(tiles(state, window, areas.main).iter().map(|t| t.lane));
    }
    lanes.extend(window.focus);
    for lane in lanes {
        if let Some((since, ticks)) = state.lane_age(lane) {
            ages.push(tick(since, now, ticks));
        }
    }
    if areas.panel.is_some() {
        let asked: Vec<Timestamp> = match window.panel.tab {
            Tab::Approvals => state.pending_approvals().map(|a| a.created).collect(),
            Tab::Conflicts => state.model.open_conflicts().map(|c| c.created).collect(),
            Tab::Mail | Tab::Problems | Tab::Activity => Vec::new(),
        };
        ages.extend(asked.into_iter().map(|since| tick(since, now, true)));
        let listed = match window.panel.tab {
            Tab::Mail => !state.model.shared.mail.recent.is_empty(),
            tab @ Tab::Problems => !tab.is_empty(state),
            Tab::Activity => !state.activity.is_empty(),
            Tab::Approvals | Tab::Conflicts => false,
        };
        // Ages in these lists read in minutes; each has its own moment, one a minute serves them all.
        ages.extend(listed.then(|| tick(now, now, false)));
    }
    let board = matches!(window.overlay, Some(super::Overlay::Board(_)));
    ages.extend(board.then(|| tick(now, now, false)));
    toast.into_iter().chain(spin).chain(ages).min()
}

/// When an age next reads differently.
fn tick(since: Timestamp, now: Timestamp, seconds: bool) -> Timestamp {
    let old = now.duration_since(since).as_secs().max(0);
    let step = if seconds && old < 3600 { 1 } else { 60 };
    let next = (old / step + 1) * step;
    since.checked_add(SignedDuration::from_secs(next)).unwrap_or(Timestamp::MAX)
}

/// Whether a running turn is in sight.
fn spins(state: &State, window: &WindowState) -> bool {
    let turns = |lane: LaneId| {
        state
            .model
            .active_prompt(lane)
            .is_some_and(|p| matches!(p.state, PromptState::Running | PromptState::Preflight))
            || state.live(lane).is_some_and(|live| live.busy.is_some())
    };
    if window.grid {
        return tiles(state, window, layout(state, window).main).iter().any(|t| turns(t.lane));
    }
    window.focus.is_some_and(turns)
}

impl State {
    /// Since when a lane is in its state, and whether its age counts seconds: while something happens
    /// or waits for the person.
    #[must_use]
    pub fn lane_age(&self, lane: LaneId) -> Option<(Timestamp, bool)> {
        let state = self.lane_state(lane);
        if let Some(asked) = self.program_asks(lane) {
            return Some((asked.created, true));
        }
        // A program goes to work and to rest, and asks, without any prompt of ours.
        let own = self.live(lane).filter(|live| match (&state, live.activity()) {
            (LaneState::NeedsYou, Activity::Asks) => !self.model.needs_person(lane),
            (LaneState::Working | LaneState::Idle | LaneState::Done | LaneState::Failed, _) => {
                self.model.active_prompt(lane).is_none()
            }
            _ => false,
        });
        let own = own.and_then(|live| live.pane_since);
        let since = self.model.state_since(lane)?;
        let since = own.map_or(since, |own| own.max(since));
        let ticks =
            matches!(state, LaneState::Starting | LaneState::Working | LaneState::Waiting(_) | LaneState::NeedsYou);
        Some((since, ticks))
    }
}
