//! What a pane tells: its program, its status, and the prompts given to it.

use crate::app::{Effect, NotKept, PaneMsg};
use crate::domain::{ConflictEvent, LaneId, LaneStageEvent, NoticeLevel, PromptEvent, PromptId, PromptState};

use super::step::Step;
use super::turns;

pub(super) fn handle(step: &mut Step<'_>, id: LaneId, msg: PaneMsg) {
    let unkept = NotKept::Pane(id, msg.clone());
    match msg {
        PaneMsg::Started => {
            let now = step.env.now;
            step.live(id).pane_running = true;
            step.live(id).pane_since = Some(now);
            // A new pane begins hidden and at its first size: it is told what holds now.
            step.state.pane_visible.remove(&id);
            step.state.pane_sizes.remove(&id);
        }
        PaneMsg::NotStarted(report) => {
            step.live(id).pane_running = false;
            let _already_failed = step.move_lane(id, LaneStageEvent::Fail, Some(report.message.clone()));
            let name = step.state.model.name(id);
            step.problem(Some(id), report.hint(format!("`lane restart {name}` tries again")));
            step.then.push(Effect::IfNotKept(unkept));
        }
        PaneMsg::Status(status) => {
            let rang = status.bells > step.live(id).pane.bells;
            if status.ready != step.live(id).pane.ready {
                let now = step.env.now;
                step.live(id).pane_since = Some(now);
            }
            step.live(id).pane = status;
            if rang {
                step.ring(format!("{} rings", step.state.model.name(id)));
            }
        }
        PaneMsg::Exited(words) => {
            exited(step, id, &words);
            step.then.push(Effect::IfNotKept(unkept));
        }
        PaneMsg::Notified(text) => {
            step.activity(Some(id), text.clone());
            step.ring(format!("{}: {text}", step.state.model.name(id)));
        }
        PaneMsg::Delivered(prompt) => {
            step.live(id).delivered = Some(prompt);
            step.activity(Some(id), format!("{prompt} was taken by the program"));
        }
        PaneMsg::Unconfirmed(prompt, reason) => {
            // One that was cancelled meanwhile needs nobody.
            if over(step, id, prompt, PromptEvent::Doubt, Some(reason.clone())) {
                step.notice(id, NoticeLevel::Warning, format!("{prompt} is unconfirmed: {reason}"));
                step.ring(format!("{} needs you: {prompt} is unconfirmed", step.state.model.name(id)));
                step.then.push(Effect::IfNotKept(unkept));
            }
        }
        PaneMsg::Finished(prompt) => {
            over(step, id, prompt, PromptEvent::Finish, None);
            step.then.push(Effect::IfNotKept(unkept));
        }
        PaneMsg::Refused(prompt, reason) => {
            over(step, id, prompt, PromptEvent::Fail, Some(reason));
            step.then.push(Effect::IfNotKept(unkept));
        }
        PaneMsg::Fault(words) => {
            step.activity(Some(id), words.clone());
            let report = crate::base::Report::internal(words).hint("the lane runs on; `lane restart` makes it fresh");
            step.problem(Some(id), report);
        }
    }
}

/// A prompt given to a pane is over. Whether it was at work until now.
fn over(step: &mut Step<'_>, id: LaneId, prompt: PromptId, event: PromptEvent, error: Option<String>) -> bool {
    let moved = step.move_prompt(prompt, event, None, error).is_ok();
    if step.state.live(id).and_then(|l| l.turn) == Some(prompt) {
        turns::clear(step, id);
    }
    turns::close_questions(step, prompt, ConflictEvent::Resolve);
    turns::close_turn(step, id, prompt);
    moved
}

/// The program ended: a prompt it was working on ends with it.
fn exited(step: &mut Step<'_>, id: LaneId, words: &str) {
    step.live(id).pane_running = false;
    step.live(id).pane_since = None;
    let active = step.state.model.active_prompt(id).map(|p| (p.id, p.state));
    if let Some((prompt, PromptState::Running)) = active {
        let taken = step.live(id).delivered == Some(prompt);
        if taken && words == "exit 0" {
            over(step, id, prompt, PromptEvent::Finish, None);
        } else {
            let before = if taken { "it was ready again" } else { "the prompt could be given to it" };
            let error = format!("the program ended ({words}) before {before}");
            over(step, id, prompt, PromptEvent::Fail, Some(error));
        }
    }
    let _stopped_before = step.move_lane(id, LaneStageEvent::End, Some(words.to_owned()));
    step.activity(Some(id), format!("the program ended: {words}"));
}
