//! The queue edited by the person: text, order, priority, lane.

use crate::base::Report;
use crate::command::MoveTo;
use crate::domain::{Change, ConflictEvent, LaneId, Priority, Prompt, PromptEvent, PromptId, PromptState};

use super::find;
use super::step::Step;

fn waiting(step: &Step<'_>, id: PromptId) -> Result<Prompt, Report> {
    let Some(prompt) = step.state.model.prompts.get(&id) else { return Err(find::no_prompt(step.state, id)) };
    match prompt.state {
        PromptState::Held | PromptState::Queued | PromptState::Blocked => Ok(prompt.clone()),
        state => Err(Report::refused(format!("prompt {id} is {}: only a waiting one can be changed", state.word()))
            .hint("send another prompt, or cancel this one")),
    }
}

/// Changes a waiting prompt's text. A blocked one is looked at anew.
pub(super) fn edit(step: &mut Step<'_>, id: PromptId, text: String) -> Result<String, Report> {
    let prompt = waiting(step, id)?;
    if text.trim().is_empty() {
        return Err(Report::usage("the prompt would be empty").hint("`queue cancel` takes it out of the queue"));
    }
    step.change(Change::PromptEdited { prompt: id, text });
    if prompt.state == PromptState::Blocked {
        let open: Vec<_> = step.state.model.open_conflicts().filter(|c| c.prompt == id).map(|c| (c.id, c.state)).collect();
        for (conflict, state) in open {
            if let Ok(state) = state.next(ConflictEvent::Resolve) {
                step.change(Change::ConflictMoved { conflict, state });
            }
        }
        step.nudge_prompt(id, PromptEvent::Unblock);
    }
    Ok(format!("{id} changed"))
}

/// Puts a waiting prompt elsewhere: in its queue, in another lane, at another priority.
pub(super) fn place(
    step: &mut Step<'_>,
    id: PromptId,
    to: Option<MoveTo>,
    lane: Option<LaneId>,
    priority: Option<Priority>,
) -> Result<String, Report> {
    let prompt = waiting(step, id)?;
    let lane = lane.unwrap_or(prompt.lane);
    let priority = priority.unwrap_or(prompt.priority);
    let mut order: Vec<PromptId> = step
        .state
        .model
        .queue(lane)
        .into_iter()
        .filter(|p| p.id != id && p.priority == priority && !p.state.active())
        .map(|p| p.id)
        .collect();
    let old = order.partition_point(|other| {
        step.state.model.prompts.get(other).is_some_and(|p| (p.position, p.id) < (prompt.position, prompt.id))
    });
    let stays = lane == prompt.lane && priority == prompt.priority;
    let index = match to {
        None if stays => old,
        None | Some(MoveTo::Last) => order.len(),
        Some(MoveTo::First) => 0,
        Some(MoveTo::Up) => old.saturating_sub(1),
        Some(MoveTo::Down) => (old + 1).min(order.len()),
        Some(MoveTo::Before(other)) => order.iter().position(|p| *p == other).ok_or_else(|| {
            Report::refused(format!("prompt {other} is not among the waiting ones of {} priority", priority.word()))
                .hint("`paralane queue list` shows the order")
        })?,
    };
    order.insert(index, id);
    for (position, other) in (1i64..).zip(order) {
        let Some(p) = step.state.model.prompts.get(&other) else { continue };
        if p.position != position || other == id {
            step.change(Change::PromptPlaced { prompt: other, lane, position, priority });
        }
    }
    Ok(format!("{id} is number {} of its priority in {}", index + 1, step.state.model.name(lane)))
}
