//! After a start, and after the store has answered a commit: the state is brought to what is kept.

use crate::app::{Effect, LaneMsg, LaneOrder, Model, NotKept, PaneOrder, SetupPlan, TurnMsg, TurnToken};
use crate::base::Report;
use crate::domain::{
    Approval, CallId, CallState, Change, EntryBody, LaneId, LaneKind, LaneStage, LaneStageEvent, NoticeLevel, Prompt,
    PromptEvent, PromptId, PromptState, Snapshot,
};
use crate::protocol::Reply;

use super::step::Step;
use super::{lanes, memory, native, prompts, reservations, rewind, run, settings, spending, turns, waiters};

/// How long nothing is decided or started after the store refused a write, in seconds.
const RETRY_SECONDS: i64 = 2;

const REFUSED: &str = "the store refused a write";

/// The workstation starts: what was cut is mended or offered, what was waiting goes on.
pub(super) fn started(step: &mut Step<'_>) {
    step.then.push(Effect::IfNotKept(NotKept::Start));
    settings::told(step);
    native::started(step);
    reservations::begin_leases(step);
    // What is late, and what is to be sent later, is found with the first look.
    step.state.next_late = Some(step.env.now);
    spending::abandon(step, |state, spend| {
        state.live(spend.lane).is_some_and(|l| l.turn.or(l.compacting) == Some(spend.prompt))
    });
    spending::warn(step);
    let open: Vec<(LaneId, LaneStage, bool)> =
        step.state.model.open_lanes().map(|l| (l.id, l.stage, matches!(l.kind, LaneKind::Pane { .. }))).collect();
    for (id, stage, pane) in open {
        let counted = step.state.model.entries(id).rev().find_map(|entry| match &entry.body {
            EntryBody::Answer { usage: Some(usage), .. } => Some(Some(*usage)),
            EntryBody::Notes(_) => Some(None),
            _ => None,
        });
        let counted = counted.flatten();
        let live = step.live(id);
        live.usage = live.usage.or(counted);
        rewind::tell_of_cut(step, id);
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
    let alive = |p: &Prompt| step.state.live(p.lane).is_some_and(|l| l.turn == Some(p.id));
    let active = step.state.model.prompts.values().filter(|p| p.state.active());
    let cut: Vec<Prompt> = active.filter(|p| !alive(p)).cloned().collect();
    for prompt in cut {
        resume_or_offer(step, &prompt);
    }
    // A cancelled turn that the workstation's end outran.
    let model = &step.state.model;
    let over = |lane: LaneId, call: &CallId| {
        let prompt = model.prompt_of_call(lane, call)?;
        model.prompts.get(&prompt).is_none_or(|p| p.state.ended()).then_some((lane, prompt))
    };
    let left: Vec<(LaneId, PromptId)> = model.calls.keys().filter_map(|(lane, call)| over(*lane, call)).collect();
    for (lane, prompt) in left {
        turns::close_turn(step, lane, prompt);
    }
    release_paths(step);
}

/// Turns that go on by themselves at the next start wait until then.
pub(super) fn at_rest(step: &mut Step<'_>) {
    let runs = |p: &&Prompt| matches!(p.state, PromptState::Running | PromptState::Preflight);
    let running: Vec<PromptId> = step.state.model.prompts.values().filter(runs).map(|p| p.id).collect();
    for prompt in running {
        step.nudge_prompt(prompt, PromptEvent::Await);
    }
}

/// Paths are held by turns that live or are paused, and by no others.
fn release_paths(step: &mut Step<'_>) {
    let model = &step.state.model;
    let holds = |lane: LaneId| model.prompts.open(lane).any(|p| p.state.active() || p.state == PromptState::Paused);
    let free: Vec<LaneId> = model.written.keys().copied().filter(|lane| !holds(*lane)).collect();
    for lane in free {
        step.change(Change::PathsReleased { lane });
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
    // What a child agent asked goes with it: the call that started it is not run again.
    let of_child = |a: &&Approval| a.prompt == Some(prompt.id) && a.call.parent().is_some();
    let asked: Vec<_> = step.state.model.pending_approvals().filter(of_child).map(|a| (a.id, a.state)).collect();
    for (approval, state) in asked {
        step.expire(approval, state);
    }
    let words = "interrupted: the workstation ended while this ran";
    let _was_active = step.move_prompt(prompt.id, PromptEvent::Interrupt, None, Some(words.into()));
    step.entry(
        prompt.lane,
        Some(prompt.id),
        EntryBody::Notice {
            level: NoticeLevel::Warning,
            text: format!(
                "{words}; `/retry {0}` goes on, `/cancel {0}` gives it up, `/rewind` goes back to before it",
                prompt.id
            ),
        },
    );
    step.activity(Some(prompt.lane), format!("{} was cut off", prompt.id));
}

/// A commit is kept: what waited for it is carried out.
pub(super) fn committed(step: &mut Step<'_>, then: Vec<Effect>) {
    step.state.problems.retain(|p| !p.report.message.starts_with(REFUSED));
    step.carry_out(then);
}

/// Nothing of the commit was kept: back to what is kept, and everyone who waits is told.
pub(super) fn commit_failed(step: &mut Step<'_>, report: Report, snapshot: Snapshot, then: Vec<Effect>) {
    step.state.model = Model::from_snapshot(snapshot);
    step.state.retry_at = step.env.now.checked_add(jiff::SignedDuration::from_secs(RETRY_SECONDS)).ok();
    let report = Report { message: format!("{REFUSED}: {}", report.message), ..report };
    waiters::not_kept(step, &report);
    let mut held: Vec<TurnToken> = Vec::new();
    for effect in &then {
        if let Effect::IfNotKept(NotKept::HoldAgain(lane, token)) = effect {
            step.live(*lane).held_records.push(*token);
            held.push(*token);
        }
    }
    for effect in then {
        match effect {
            Effect::Reply(id, _) => step.now.push(Effect::Reply(id, Reply::failed(report.clone()))),
            Effect::Recorded(token, _) if held.contains(&token) => {}
            Effect::Recorded(token, _) => step.now.push(Effect::Recorded(token, Err(report.message.clone()))),
            Effect::Remembered(token, _) => step.now.push(Effect::Remembered(token, Err(report.message.clone()))),
            // What was to be told with it is not so.
            Effect::Errand(errand) => run::answer_later(step, Some(run::Origin::of(errand.asker)), Err(report.clone())),
            Effect::UserFact(asker, _) => memory::settled(step, asker, Err(report.clone())),
            Effect::Reserved(token, _) => step.now.push(Effect::Reserved(token, Err(report.message.clone()))),
            // The call is still parked, and is decided anew when the store takes writes.
            Effect::Permitted(token, _) => {
                for parked in step.state.live.values_mut().flat_map(|l| l.parked.values_mut()) {
                    parked.decided &= parked.token != token;
                }
            }
            Effect::Lane(id, LaneOrder::StartTurn(_)) | Effect::Pane(id, PaneOrder::Deliver(..)) => {
                turns::clear(step, id);
            }
            Effect::Lane(id, LaneOrder::CancelTurn) => step.live(id).ending = false,
            Effect::Lane(id, LaneOrder::Close { .. }) => {
                step.live(id).busy = None;
                run::answer_close(step, id, Err(report.clone()));
            }
            Effect::Lane(id, LaneOrder::Compact(_)) => {
                step.live(id).compacting = None;
                rewind::finish(step, id, Err(report.clone()));
            }
            Effect::Lane(id, LaneOrder::Checkpoint { .. }) => rewind::finish(step, id, Err(report.clone())),
            Effect::Pane(id, PaneOrder::Withdraw(prompt)) => step.live(id).turn = Some(prompt),
            // A person can end the workstation also when the disk is full.
            Effect::EndWindow(..) | Effect::Shutdown => step.now.push(effect),
            Effect::IfNotKept(NotKept::GiveBack(window, text)) => {
                if let Some(window) = step.state.windows.get_mut(&window) {
                    window.give_back(&text);
                }
                step.toast(window, report.clone());
            }
            Effect::IfNotKept(NotKept::RefuseHeld(lane, token)) => {
                step.live(lane).held_records.retain(|t| *t != token);
                step.now.push(Effect::Recorded(token, Err(report.message.clone())));
            }
            Effect::IfNotKept(NotKept::HoldAgain(..)) => {}
            Effect::IfNotKept(told) => {
                // Nothing begins in the lane before its notes are kept.
                if let NotKept::Lane(lane, LaneMsg::Compacted(_)) = &told {
                    step.state.rewinding.insert(*lane, None);
                }
                step.state.unsaved.push(told);
            }
            _ => {}
        }
    }
    end_again(step);
    let report =
        report.hint("nothing of the last step was kept; what ended meanwhile is tried again every two seconds");
    step.problem(None, report);
}

/// Turns whose end was not kept have not ended: what came after it in the same step, such as the lane's next turn, is not
/// kept either.
fn end_again(step: &mut Step<'_>) {
    let ended = |told: &NotKept| match told {
        NotKept::Turn(lane, TurnMsg::Ended(prompt, _)) => Some((*lane, *prompt)),
        _ => None,
    };
    let again: Vec<(LaneId, PromptId)> = step.state.unsaved.iter().filter_map(ended).collect();
    for (lane, prompt) in again {
        let cancelled = step.state.model.prompts.get(&prompt).is_some_and(|p| p.state.ended());
        let live = step.live(lane);
        (live.turn, live.ending) = (Some(prompt), cancelled);
    }
}
