//! The queue edited by the person: text, order, priority, lane.

use crate::base::Report;
use crate::command::MoveTo;
use crate::domain::{Change, ConflictEvent, LaneId, Priority, Prompt, PromptEvent, PromptId, PromptState};

use crate::scheduler::{self, Spot};

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
    let queue: Vec<(PromptId, i64)> = step
        .state
        .model
        .queue(lane)
        .into_iter()
        .filter(|p| p.priority == priority && !p.state.active())
        .map(|p| (p.id, p.position))
        .collect();
    let stays = lane == prompt.lane && priority == prompt.priority;
    let spot = match to {
        None if stays => return Err(Report::usage("nothing to move").hint("say where: `first`, `last`, `up`, `down` or `before ID`")),
        None | Some(MoveTo::Last) => Spot::Last,
        Some(MoveTo::First) => Spot::First,
        Some(MoveTo::Up) => Spot::Up,
        Some(MoveTo::Down) => Spot::Down,
        Some(MoveTo::Before(other)) => Spot::Before(other),
    };
    let moves = scheduler::place(&queue, id, spot).ok_or_else(|| {
        Report::refused(format!("that prompt is not among the waiting ones of {} priority", priority.word()))
            .hint("`paralane queue list` shows the order")
    })?;
    let own = moves.iter().any(|(moved, _)| *moved == id);
    if !own && !stays {
        step.change(Change::PromptPlaced { prompt: id, lane, position: prompt.position, priority });
    }
    for (moved, position) in moves {
        step.change(Change::PromptPlaced { prompt: moved, lane, position, priority });
    }
    Ok(format!("{id} moved in {}", step.state.model.name(lane)))
}
