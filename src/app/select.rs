//! Which lanes a selector means, and the plan that is shown before anything is done to them.

use serde_json::json;

use super::State;
use super::report::Document;
use crate::command::{BulkDeed, Selector};
use crate::domain::{BudgetScope, Lane, LaneId, LaneState};

/// The lanes that all of the selector fits, in the order of the lane list.
#[must_use]
pub fn selected(state: &State, select: &Selector) -> Vec<LaneId> {
    state.model.open_lanes().filter(|lane| fits(state, select, lane)).map(|lane| lane.id).collect()
}

fn fits(state: &State, select: &Selector, lane: &Lane) -> bool {
    let live = state.live(lane.id);
    let provider = || state.provider_of(lane.id).filter(|_| matches!(lane.kind, crate::domain::LaneKind::Agent { .. }));
    let outcome = || state.model.last_ended(lane.id).map_or("none", |prompt| prompt.state.word());
    let drifted = || live.and_then(|live| live.git.as_ref()).is_some_and(|git| git.drifted_to.is_some());
    // One that has finished and was not looked at rests as well.
    let rests = || {
        matches!(state.lane_state(lane.id), LaneState::Idle | LaneState::Done) && state.model.queue(lane.id).is_empty()
    };
    (select.names.is_empty() || select.names.iter().any(|name| *name == lane.name.as_str()))
        && select.provider.as_ref().is_none_or(|wanted| provider().is_some_and(|(provider, _)| provider == *wanted))
        && select.state.as_ref().is_none_or(|wanted| state.lane_state(lane.id).json_word() == *wanted)
        && select.outcome.as_ref().is_none_or(|wanted| outcome() == wanted)
        && (!select.drifted || drifted())
        && (!select.idle || rests())
        && (!select.over_budget || over_budget(state, lane))
}

/// Whether a budget that counts the lane is used up.
#[must_use]
pub fn over_budget(state: &State, lane: &Lane) -> bool {
    let counts = |scope: &BudgetScope| match scope {
        BudgetScope::Project => true,
        BudgetScope::Lane(own) => *own == lane.id,
        BudgetScope::Provider(name) => state.provider_of(lane.id).is_some_and(|(provider, _)| provider == *name),
    };
    state.due_budgets().any(|due| {
        let used_up = due.budget.rule.percent(&due.budget.standing(state)) >= 100;
        used_up && counts(&due.budget.rule.scope)
    })
}

/// What would be done, to which lanes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What.
    pub deed: BulkDeed,
    /// The lanes' names, in the order of the lane list.
    pub lanes: Vec<String>,
    /// Lanes that fit and to which it cannot be done, with their state.
    pub skipped: Vec<(String, &'static str)>,
}

impl Plan {
    /// The plan for the lanes that fit now.
    #[must_use]
    pub fn new(state: &State, select: &Selector, deed: BulkDeed) -> Self {
        let all = selected(state, select);
        let can = |lane: &LaneId| state.model.lanes.get(lane).is_some_and(|lane| deed.fits(lane.stage));
        let (can, cannot): (Vec<LaneId>, Vec<LaneId>) = all.into_iter().partition(can);
        let lanes = can.into_iter().map(|lane| state.model.name(lane)).collect();
        let told = |lane| (state.model.name(lane), state.lane_state(lane).word());
        let skipped = cannot.into_iter().map(told).collect();
        Self { deed, lanes, skipped }
    }

    /// `pause 2 lanes: api, ui`
    #[must_use]
    pub fn words(&self) -> String {
        let skipped: Vec<String> = self.skipped.iter().map(|(lane, state)| format!("{lane} is {state}")).collect();
        let skipped = skipped.join(", ");
        let many = match self.lanes.len() {
            0 if skipped.is_empty() => return "no lane fits: nothing is done".to_owned(),
            0 => return format!("nothing to {}: {skipped}", self.deed.verb()),
            1 => "1 lane".to_owned(),
            many => format!("{many} lanes"),
        };
        let words = format!("{} {many}: {}", self.deed.verb(), self.lanes.join(", "));
        if skipped.is_empty() { words } else { format!("{words} (skipped: {skipped})") }
    }

    /// The same as a document.
    #[must_use]
    pub fn document(&self) -> Document {
        let skipped: Vec<_> =
            self.skipped.iter().map(|(lane, state)| json!({ "name": lane, "state": state })).collect();
        let plan = json!({
            "action": self.deed.verb(), "lanes": self.lanes, "skipped": skipped, "words": self.words(),
        });
        let json = json!({ "plan": plan });
        Document { title: "plan".into(), json, text: self.words() }
    }
}
