//! The queue edited by the person: text, order, priority, lane.

use crate::base::Report;
use crate::command::MoveTo;
use crate::domain::{Change, ConflictEvent, LaneId, Priority, Prompt, PromptEvent, PromptId, PromptState};

use crate::scheduler::{self, Spot};

use super::step::Step;
use super::{find, lanes, prompts, turns};

fn waiting(step: &Step<'_>, id: PromptId) -> Result<Prompt, Report> {
    let Some(prompt) = step.state.model.prompts.get(&id) else { return Err(find::no_prompt(step.state, id)) };
    // Paused and resumed, it waits to go on; its turn lives and stays what it is.
    if step.state.live(prompt.lane).is_some_and(|l| l.turn == Some(id)) {
        return Err(Report::refused(format!("prompt {id} has begun: only a waiting one can be changed"))
            .hint("send another prompt, or cancel this one"));
    }
    match prompt.state {
        PromptState::Held | PromptState::Queued | PromptState::Blocked => Ok(prompt.clone()),
        state => Err(Report::refused(format!("prompt {id} is {}: only a waiting one can be changed", state.word()))
            .hint("send another prompt, or cancel this one")),
    }
}

/// Changes a waiting prompt's text. A blocked one is looked at anew.
pub(super) fn edit(step: &mut Step<'_>, id: PromptId, text: String) -> Result<String, Report> {
    let prompt = waiting(step, id)?;
    prompts::check_text(&text)?;
    step.change(Change::PromptEdited { prompt: id, text });
    look_anew(step, &prompt);
    Ok(format!("{id} changed"))
}

/// A blocked prompt that is not what or where it was is compared with other lanes' holds again.
fn look_anew(step: &mut Step<'_>, prompt: &Prompt) {
    if prompt.state == PromptState::Blocked {
        turns::close_questions(step, prompt.id, ConflictEvent::Resolve);
        step.nudge_prompt(prompt.id, PromptEvent::Unblock);
    }
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
    if lane != prompt.lane {
        lanes::check_stays(step.state, lane)?;
        prompts::check_room(step, lane)?;
        if prompt.started.is_some() {
            let here = step.state.model.name(prompt.lane);
            return Err(Report::refused(format!("prompt {id} has begun in lane `{here}` and goes on there"))
                .hint("cancel it and send a new one to the other lane"));
        }
    }
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
        None if stays => {
            return Err(
                Report::usage("nothing to move").hint("say where: `first`, `last`, `up`, `down` or `before ID`")
            );
        }
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
    for (moved, position) in moves {
        step.change(Change::PromptPlaced { prompt: moved, lane, position, priority });
    }
    if lane != prompt.lane {
        look_anew(step, &prompt);
    }
    Ok(format!("{id} moved in {}", step.state.model.name(lane)))
}
