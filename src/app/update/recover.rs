//! After a start, and after a commit that failed: the state is brought back to what is kept.

use crate::app::{Effect, LaneOrder, Model, NotKept, SetupPlan};
use crate::base::Report;
use crate::domain::{
    CallState, Change, EntryBody, LaneId, LaneKind, LaneStage, LaneStageEvent, NoticeLevel, Prompt, PromptEvent,
    Snapshot, ToolOutcome, Verdict,
};
use crate::protocol::Reply;

use super::step::Step;
use super::{lanes, prompts};

/// How long nothing new is started after the store refused a write, in seconds.
const RETRY_SECONDS: i64 = 2;

/// The workstation starts: what was cut is mended or offered, what was waiting goes on.
pub(super) fn started(step: &mut Step<'_>) {
    super::settings::tell(step);
    let open: Vec<(LaneId, LaneStage, bool)> = step
        .state
        .model
        .open_lanes()
        .map(|l| (l.id, l.stage, matches!(l.kind, LaneKind::Pane { .. })))
        .collect();
    for (id, stage, pane) in open {
        step.live(id);
        match stage {
            LaneStage::Creating => lanes::set_up(step, id, SetupPlan::Ensure),
            LaneStage::Open | LaneStage::Paused if pane => {
                let words = "its program ended with the workstation";
                let _was_open = step.move_lane(id, LaneStageEvent::End, Some(words.into()));
            }
            _ => {}
        }
        step.then.push(Effect::Lane(id, LaneOrder::Look(Vec::new())));
    }
    let cut: Vec<Prompt> = step.state.model.prompts.values().filter(|p| p.state.active()).cloned().collect();
    for prompt in cut {
        resume_or_offer(step, &prompt);
    }
}

/// A prompt whose turn was alive when the workstation died. If its turn only waited for a decision, it
/// goes on waiting; anything else is offered for retry, since an effect may have happened.
fn resume_or_offer(step: &mut Step<'_>, prompt: &Prompt) {
    let calls: Vec<CallState> =
        step.state.model.calls.iter().filter(|((l, _), _)| *l == prompt.lane).map(|(_, s)| *s).collect();
    let lane = step.state.model.lanes.get(&prompt.lane);
    let agent = lane.is_some_and(|l| matches!(l.kind, LaneKind::Agent { .. }));
    let open = lane.is_some_and(|l| l.stage == LaneStage::Open);
    let untouched = !calls.is_empty() && calls.iter().all(|c| *c != CallState::Started);
    if agent && open && untouched && step.state.provider_of(prompt.lane).is_some() {
        prompts::start_turn(step, prompt);
        return;
    }
    close_calls(step, prompt);
    let words = "interrupted: the workstation ended while this ran";
    let _was_active = step.move_prompt(prompt.id, PromptEvent::Interrupt, None, Some(words.into()));
    if step.state.model.written.contains_key(&prompt.lane) {
        step.change(Change::PathsReleased { lane: prompt.lane });
    }
    step.entry(
        prompt.lane,
        Some(prompt.id),
        EntryBody::Notice {
            level: NoticeLevel::Warning,
            text: format!("{words}; `/retry {0}` goes on, `/cancel {0}` gives it up", prompt.id),
        },
    );
    step.activity(Some(prompt.lane), format!("{} was interrupted", prompt.id));
}

/// Calls that had begun get their result now, so that every later turn of the lane knows of them; the others
/// are asked for again when the prompt is retried.
fn close_calls(step: &mut Step<'_>, prompt: &Prompt) {
    let (lane, id) = (prompt.lane, prompt.id);
    let open: Vec<_> =
        step.state.model.calls.iter().filter(|((l, _), _)| *l == lane).map(|((_, c), s)| (c.clone(), *s)).collect();
    for (call, state) in open {
        if state == CallState::Started {
            let output = "interrupted by a crash; unknown whether it had an effect: look before you repeat it";
            let outcome = ToolOutcome {
                ok: false,
                output: output.into(),
                summary: "interrupted".into(),
                diff: None,
                written: Vec::new(),
            };
            step.entry(lane, Some(id), EntryBody::Result { call: call.clone(), outcome });
        }
        step.change(Change::CallMoved { lane, prompt: id, call, state: CallState::Finished });
    }
}

/// Nothing of the commit was kept: back to what is kept, and everyone who waits is told.
pub(super) fn commit_failed(step: &mut Step<'_>, report: Report, snapshot: Snapshot, then: Vec<Effect>) {
    step.state.model = Model::from_snapshot(snapshot);
    step.state.retry_at = step.env.now.checked_add(jiff::SignedDuration::from_secs(RETRY_SECONDS)).ok();
    for effect in then {
        match effect {
            Effect::Reply(id, _) => step.now.push(Effect::Reply(id, Reply::failed(report.clone()))),
            Effect::Recorded(token, _) => step.now.push(Effect::Recorded(token, Err(report.message.clone()))),
            Effect::Permitted(token, _) => {
                let reason = format!("the call could not be recorded and did not run: {}", report.message);
                step.now.push(Effect::Permitted(token, Verdict::Deny { reason }));
            }
            Effect::Lane(id, LaneOrder::StartTurn(_)) => super::turns::clear(step, id),
            Effect::Lane(id, LaneOrder::CancelTurn) => step.live(id).turn_ending = false,
            Effect::IfNotKept(NotKept::GiveBack(window, text)) => {
                if let Some(window) = step.state.windows.get_mut(&window) {
                    window.give_back(&text);
                }
                step.toast(window, report.clone());
            }
            Effect::IfNotKept(told) => step.state.unsaved.push(told),
            _ => {}
        }
    }
    let report = report.hint("nothing of the last step was kept; what ended meanwhile is tried again every two seconds");
    step.problem(None, report);
}
