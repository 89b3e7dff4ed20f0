//! What a pane tells: its program, its status, and the prompts given to it.

use crate::app::{Effect, LaneOrder, LiveLane, NotKept, PaneMsg};
use crate::base::Report;
use crate::domain::{
    ConflictEvent, LaneId, LaneStage, LaneStageEvent, NoticeLevel, PaneStatus, ProgramState, ProgramStatus,
    PromptEvent, PromptId, PromptState,
};

use super::step::Step;
use super::{clipboard, native, turns};

pub(super) fn handle(step: &mut Step<'_>, id: LaneId, msg: PaneMsg) {
    // A text for the clipboard may be long, and is never kept.
    let msg = match msg {
        PaneMsg::Copied(text) => return clipboard::wanted(step, id, text),
        msg => msg,
    };
    let unkept = NotKept::Pane(id, msg.clone());
    match msg {
        PaneMsg::Started => {
            let now = step.env.now;
            step.live(id).pane_running = true;
            step.live(id).pane_since = Some(now);
            // A new pane begins hidden and at its first size: it is told what holds now.
            step.state.pane_visible.remove(&id);
            step.state.pane_focused.take_if(|lane| *lane == id);
            step.state.pane_sizes.remove(&id);
            step.state.pane_windows.remove(&id);
            step.now.push(Effect::Lane(id, LaneOrder::Look(Vec::new())));
        }
        PaneMsg::NotStarted(report) => {
            forget_program(step, id);
            step.now.push(Effect::Lane(id, LaneOrder::Look(Vec::new())));
            let _already_failed = step.move_lane(id, LaneStageEvent::Fail, Some(report.message.clone()));
            let name = step.state.model.name(id);
            step.problem(Some(id), report.hint(format!("`lane restart {name}` tries again")));
            step.then.push(Effect::IfNotKept(unkept));
        }
        PaneMsg::Status(status) => told(step, id, status),
        PaneMsg::Exited(words) => {
            exited(step, id, &words);
            step.then.push(Effect::IfNotKept(unkept));
        }
        PaneMsg::Notified(text) => {
            step.activity(Some(id), text.clone());
            step.attract(id, format!("{}: {text}", step.state.model.name(id)));
        }
        PaneMsg::Copied(_) => {}
        PaneMsg::Delivered(prompt) => {
            step.live(id).delivered = Some(prompt);
            step.activity(Some(id), format!("{prompt} was taken by the program"));
        }
        PaneMsg::Unconfirmed(prompt, reason) => {
            // One that was cancelled meanwhile needs nobody.
            if over(step, id, prompt, PromptEvent::Doubt, Some(reason.clone())) {
                step.notice(id, NoticeLevel::Warning, format!("{prompt} is unconfirmed: {reason}"));
                step.ring(format!("{} needs you: {prompt} is unconfirmed", step.state.model.name(id)));
            }
            step.then.push(Effect::IfNotKept(unkept));
        }
        PaneMsg::Finished(prompt) => {
            let result = step.live(id).last_answer.take();
            finished(step, id, prompt, result);
            step.then.push(Effect::IfNotKept(unkept));
        }
        PaneMsg::Refused(prompt, reason) => {
            over(step, id, prompt, PromptEvent::Fail, Some(reason));
            step.then.push(Effect::IfNotKept(unkept));
        }
        PaneMsg::NotAnswered(about) => {
            let name = step.state.model.name(id);
            let words =
                format!("the dialog for `{about}` was not on the screen of `{name}`, so nothing was typed there");
            step.problem(Some(id), Report::refused(words).hint(format!("look at lane `{name}` and answer there")));
        }
        PaneMsg::Fault(words) => {
            step.activity(Some(id), words.clone());
            let report = crate::base::Report::internal(words).hint("the lane runs on; `lane restart` makes it fresh");
            step.problem(Some(id), report);
        }
    }
}

/// How the message of a problem begins that a program reports.
const REPORTS: &str = "the program reports an error";

/// A new status: what follows from the difference to the one before.
fn told(step: &mut Step<'_>, id: LaneId, status: PaneStatus) {
    let now = step.env.now;
    let live = step.live(id);
    let before = live.activity();
    let old = std::mem::replace(&mut live.pane, status);
    let rang = live.pane.bells > old.bells;
    let asks = |status: &PaneStatus| {
        status.program.as_ref().is_some_and(|program| matches!(program.state, ProgramState::Blocked(_)))
    };
    let answered = asks(&old) && !asks(&live.pane);
    let news = live.pane.program.clone().filter(|program| old.program.as_ref() != Some(program));
    if let Some(program) = &news {
        live.unseen = program.state == ProgramState::Done;
    }
    if live.activity() != before {
        live.pane_since = Some(now);
    }
    if live.pane.program.as_ref().map(|program| program.state) != Some(ProgramState::Error) {
        step.state.problems.retain(|p| p.lane != Some(id) || !p.report.message.starts_with(REPORTS));
    }
    if answered {
        native::answered_in_pane(step, id);
    }
    // One ring for one status, for what tells most.
    let name = step.state.model.name(id);
    let words = news.as_ref().map(ProgramStatus::words).unwrap_or_default();
    match news.map(|program| program.state) {
        Some(ProgramState::Blocked(kind)) => {
            let what = if words.is_empty() { kind.word() } else { &words };
            step.activity(Some(id), format!("the program asks: {what}"));
            step.call(id, format!("{name} needs you: {what}"));
        }
        Some(ProgramState::Done) => step.call(id, format!("{name} is done")),
        Some(ProgramState::Error) => {
            let words = if words.is_empty() { words } else { format!(": {words}") };
            let report = Report::refused(format!("{REPORTS}{words}"));
            step.problem(Some(id), report.hint(format!("look at `{name}`: its program runs on")));
            step.call(id, format!("{name} reports an error{words}"));
        }
        _ if rang => step.attract(id, format!("{name} rings")),
        _ => {}
    }
}

/// The program is gone, and with it what it said and asked.
fn forget_program(step: &mut Step<'_>, id: LaneId) {
    step.state.copies.forget(id);
    native::forget(step, id);
    let live = step.live(id);
    live.pane = PaneStatus { bells: live.pane.bells, ..PaneStatus::default() };
    live.pane_running = false;
    live.pane_since = None;
    live.unseen = false;
    live.copies = false;
    (live.hooked, live.noticed, live.last_answer) = (None, None, None);
}

/// A prompt given to a pane is over. Whether it was at work until now. If it was not, that may not be kept yet.
fn over(step: &mut Step<'_>, id: LaneId, prompt: PromptId, event: PromptEvent, error: Option<String>) -> bool {
    ended(step, id, prompt, event, (None, error))
}

/// The program has done what it was given; its last words, if they are known.
fn finished(step: &mut Step<'_>, id: LaneId, prompt: PromptId, result: Option<String>) {
    ended(step, id, prompt, PromptEvent::Finish, (result, None));
}

fn ended(
    step: &mut Step<'_>,
    id: LaneId,
    prompt: PromptId,
    event: PromptEvent,
    (result, error): (Option<String>, Option<String>),
) -> bool {
    let moved = step.move_prompt(prompt, event, result, error).is_ok();
    step.in_order |= !moved;
    if step.state.live(id).and_then(|l| l.turn) == Some(prompt) {
        turns::clear(step, id);
    }
    turns::close_questions(step, prompt, ConflictEvent::Resolve);
    turns::close_turn(step, id, prompt);
    moved
}

/// The program ended: a prompt it was working on ends with it.
fn exited(step: &mut Step<'_>, id: LaneId, words: &str) {
    // What it said last tells more than how it ended.
    let fault = |live: &LiveLane| live.pane.program.clone().filter(|p| p.state == ProgramState::Error);
    let fault = step.state.live(id).and_then(fault);
    forget_program(step, id);
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
    let (event, how) = match fault.map(|program| program.words()) {
        Some(cause) if !cause.is_empty() => (LaneStageEvent::Fail, format!("{words}: {cause}")),
        Some(_) => (LaneStageEvent::Fail, words.to_owned()),
        None => (LaneStageEvent::End, words.to_owned()),
    };
    // One that was stopped has ended already.
    if step.state.model.lanes.get(&id).is_some_and(|l| l.stage != LaneStage::Ended) {
        let _failed_before = step.move_lane(id, event, Some(how));
    }
    step.activity(Some(id), format!("the program ended: {words}"));
}
