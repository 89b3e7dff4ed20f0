//! What became of approvals: asked of the store, and told to whoever wants to know.

use crate::app::{ApprovalQuery, Asker, Effect, report};
use crate::base::Report;
use crate::domain::Event;

use super::run::{Done, Origin};
use super::step::Step;
use super::{contexts, find};

/// Has the history looked up. A closed lane has one too.
pub(super) fn ask(step: &mut Step<'_>, origin: Origin, lane: Option<&str>, last: usize) -> Result<Done, Report> {
    let of = |name: &str| match step.state.model.lane_named(name) {
        Some(lane) => Ok(lane.id),
        None => find::closed_lane(step.state, name),
    };
    let lane = lane.map(of).transpose()?;
    step.now.push(Effect::ApprovalHistory(origin.asker(), ApprovalQuery { lane, last }));
    Ok(Done::Later)
}

/// It is there, or cannot be had.
pub(super) fn found(step: &mut Step<'_>, asker: Asker, query: &ApprovalQuery, found: Result<Vec<Event>, Report>) {
    let document = found.map(|events| report::approval_history_document(&step.state.model, query, &events));
    contexts::tell(step, asker, document);
}
