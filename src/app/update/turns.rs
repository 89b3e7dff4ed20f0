//! What a running turn of an own agent tells: records to keep, questions, progress, its end.

use crate::app::{Effect, NotKept, TurnMsg};
use crate::domain::{
    ApprovalEvent, CallState, Change, ConflictEvent, EntryBody, LaneId, LaneStage, NoticeLevel, PromptEvent,
    PromptId, PromptState, TurnOutcome, TurnRecord,
};

use super::permits;
use super::step::Step;

pub(super) fn handle(step: &mut Step<'_>, lane: LaneId, msg: TurnMsg) {
    match msg {
        TurnMsg::Answer(text) => step.live(lane).feed.answer.push_str(&text),
        TurnMsg::Output(call, text) => step.live(lane).push_output(call, &text),
        TurnMsg::Phase(words) => step.live(lane).feed.phase = words,
        TurnMsg::Record(token, record) => {
            keep(step, lane, record);
            // The safe point: a paused lane's turn goes no further until it is resumed.
            if step.state.model.lanes.get(&lane).is_some_and(|l| l.stage == LaneStage::Paused) {
                step.live(lane).held_records.push(token);
            } else {
                step.then.push(Effect::Recorded(token, Ok(())));
            }
        }
        TurnMsg::Permit(token, request) => permits::ask(step, lane, token, request),
        TurnMsg::Ended(prompt, outcome) => ended(step, lane, prompt, outcome),
    }
}

fn keep(step: &mut Step<'_>, lane: LaneId, record: TurnRecord) {
    let Some(prompt) = step.live(lane).turn else { return };
    match record {
        TurnRecord::Step { text, cut, calls, usage } => {
            step.live(lane).feed.answer.clear();
            if usage.is_some() {
                step.live(lane).usage = usage;
            }
            // Also an empty one: it begins a new step, and calls that follow belong to it.
            step.entry(lane, Some(prompt), EntryBody::Answer { text, cut, usage });
            for (call, action) in calls {
                let id = call.id.clone();
                step.entry(lane, Some(prompt), EntryBody::Call { call, action });
                step.change(Change::CallMoved { lane, prompt, call: id, state: CallState::Requested });
            }
        }
        TurnRecord::CallStarted(call) => {
            step.change(Change::CallMoved { lane, prompt, call, state: CallState::Started });
        }
        TurnRecord::CallFinished { call, outcome } => {
            step.live(lane).feed.output.remove(&call);
            if !outcome.written.is_empty() {
                step.change(Change::PathsWritten { lane, paths: outcome.written.clone() });
            }
            step.entry(lane, Some(prompt), EntryBody::Result { call: call.clone(), outcome });
            step.change(Change::CallMoved { lane, prompt, call, state: CallState::Finished });
            step.now.push(Effect::Lane(lane, crate::app::LaneOrder::Look(Vec::new())));
        }
        TurnRecord::Notice { level, text } => {
            step.entry(lane, Some(prompt), EntryBody::Notice { level, text });
        }
    }
}

fn ended(step: &mut Step<'_>, lane: LaneId, prompt: PromptId, outcome: TurnOutcome) {
    let unkept = NotKept::Turn(lane, TurnMsg::Ended(prompt, outcome.clone()));
    clear(step, lane);
    let Some(state) = step.state.model.prompts.get(&prompt).map(|p| p.state) else { return };
    release(step, lane, prompt);
    // Whatever the turn of a cancelled prompt stumbled over on its way out is no failure.
    let outcome = if state == PromptState::Cancelled { TurnOutcome::Cancelled } else { outcome };
    // A cancelled prompt was moved when the person cancelled; a paused one ends like a running one.
    if state == PromptState::Paused && !matches!(outcome, TurnOutcome::Cancelled) {
        step.nudge_prompt(prompt, PromptEvent::Resume);
        step.nudge_prompt(prompt, PromptEvent::Admit);
        step.nudge_prompt(prompt, PromptEvent::Start);
    }
    match outcome {
        TurnOutcome::Done { answer } => {
            let _not_running_any_more = step.move_prompt(prompt, PromptEvent::Finish, Some(answer), None);
            step.ring(format!("{} is done", step.state.model.name(lane)));
        }
        TurnOutcome::Failed { error } => {
            step.entry(lane, Some(prompt), EntryBody::Notice { level: NoticeLevel::Error, text: error.clone() });
            let _not_running_any_more = step.move_prompt(prompt, PromptEvent::Fail, None, Some(error));
            step.ring(format!("{} failed", step.state.model.name(lane)));
        }
        TurnOutcome::Cancelled => {
            step.entry(lane, Some(prompt), EntryBody::Notice { level: NoticeLevel::Warning, text: "cancelled".into() });
            step.nudge_prompt(prompt, PromptEvent::Cancel);
        }
    }
    step.then.push(Effect::IfNotKept(unkept));
    step.now.push(Effect::Lane(lane, crate::app::LaneOrder::Look(Vec::new())));
}

/// Forgets what only a living turn has.
pub(super) fn clear(step: &mut Step<'_>, lane: LaneId) {
    let live = step.live(lane);
    live.turn = None;
    live.feed = crate::app::TurnFeed::default();
    live.parked.clear();
    live.held_records.clear();
}

/// Ends what a prompt's turn left open: its holds, questions, conflicts and unfinished calls.
pub(super) fn release(step: &mut Step<'_>, lane: LaneId, prompt: PromptId) {
    let at = step.env.now;
    if step.state.model.written.contains_key(&lane) {
        step.change(Change::PathsReleased { lane });
    }
    let open: Vec<_> = step.state.model.pending_approvals().filter(|a| a.prompt == prompt).map(|a| (a.id, a.state)).collect();
    for (approval, state) in open {
        if let Ok(state) = state.next(ApprovalEvent::Expire) {
            step.change(Change::ApprovalMoved { approval, state, scope: None, reason: None, arguments: None, at });
        }
    }
    let open: Vec<_> = step.state.model.open_conflicts().filter(|c| c.prompt == prompt).map(|c| (c.id, c.state)).collect();
    for (conflict, state) in open {
        if let Ok(state) = state.next(ConflictEvent::Resolve) {
            step.change(Change::ConflictMoved { conflict, state });
        }
    }
    let calls: Vec<_> = step.state.model.calls.keys().filter(|(l, _)| *l == lane).map(|(_, c)| c.clone()).collect();
    for call in calls {
        step.change(Change::CallMoved { lane, prompt, call, state: CallState::Finished });
    }
}
