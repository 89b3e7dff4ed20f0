//! What a running turn of an own agent tells: records to keep, questions, progress, its end.

use crate::app::{Effect, LaneOrder, LiveLane, NotKept, TurnFeed, TurnMsg, TurnToken};
use crate::base::HeadTail;
use crate::domain::{
    CallId, CallState, Change, ConflictEvent, ConflictKind, EntryBody, LaneId, NoticeLevel, Prompt, PromptEvent,
    PromptId, PromptState, ToolOutcome, TurnOutcome, TurnRecord, Verdict,
};

use super::step::Step;
use super::{checkpoints, compact, memory, permits, spending};

pub(super) fn handle(step: &mut Step<'_>, lane: LaneId, msg: TurnMsg) {
    let alive = step.state.live(lane).and_then(|l| l.turn);
    match msg {
        TurnMsg::Ended(prompt, outcome) => ended(step, lane, prompt, outcome),
        TurnMsg::Record(token, record) => match alive {
            Some(prompt) => keep(step, lane, prompt, token, record),
            None => step.now.push(Effect::Recorded(token, Err("the turn is over".into()))),
        },
        TurnMsg::Last(token, record, answer) => match alive {
            Some(prompt) if runs_on(step, lane, prompt) => {
                write(step, lane, prompt, record);
                step.then.push(Effect::Recorded(token, Ok(())));
                over(step, lane, prompt, TurnOutcome::Done { answer });
            }
            // Its end is told when it may go on.
            Some(prompt) => keep(step, lane, prompt, token, record),
            None => step.now.push(Effect::Recorded(token, Err("the turn is over".into()))),
        },
        TurnMsg::Reserve(token, ask) => match alive {
            Some(prompt) => spending::reserve(step, lane, prompt, token, ask),
            None => match step.live(lane).compacting {
                Some(prompt) => spending::reserve(step, lane, prompt, token, ask),
                None => step.now.push(Effect::Reserved(token, Err("the turn is over".into()))),
            },
        },
        TurnMsg::Settle(spend, end) => spending::settle(step, lane, spend, end),
        TurnMsg::Remember(token, scope, text) => match alive {
            Some(prompt) => memory::propose(step, lane, prompt, token, scope, &text),
            None => step.now.push(Effect::Remembered(token, Err("the turn is over".into()))),
        },
        TurnMsg::Permit(token, request) => match alive {
            Some(_) => permits::ask(step, lane, token, request),
            None => step.now.push(Effect::Permitted(token, Verdict::Deny { reason: "the turn is over".into() })),
        },
        TurnMsg::Phase(words) if step.live(lane).compacting.is_some() => step.live(lane).busy = Some(words),
        TurnMsg::Answer(_) | TurnMsg::Reasoning(_) | TurnMsg::Output(..) | TurnMsg::Phase(_) if alive.is_none() => {}
        TurnMsg::Answer(text) => step.live(lane).push_answer(&text),
        TurnMsg::Reasoning(text) => step.live(lane).push_reasoning(&text),
        TurnMsg::Output(call, text) => step.live(lane).push_output(call, &text),
        TurnMsg::Phase(words) => step.live(lane).feed.phase = words,
    }
}

/// Whether a turn goes on: nobody has told it to end or to wait.
fn runs_on(step: &mut Step<'_>, lane: LaneId, prompt: PromptId) -> bool {
    !step.live(lane).ending && !step.state.model.prompts.get(&prompt).is_some_and(halted)
}

/// Resumed, but not admitted yet, is as good as paused.
fn halted(prompt: &Prompt) -> bool {
    matches!(prompt.state, PromptState::Paused | PromptState::Queued)
}

/// Keeps a record, and lets the turn go on unless its prompt is paused: that is the safe point.
fn keep(step: &mut Step<'_>, lane: LaneId, prompt: PromptId, token: TurnToken, record: TurnRecord) {
    let ending = step.live(lane).ending;
    // Nothing begins any more in a turn that was told to end; what it did before is kept.
    if matches!(record, TurnRecord::CallStarted(_)) && ending {
        return step.now.push(Effect::Recorded(token, Err("the prompt was cancelled".into())));
    }
    write(step, lane, prompt, record);
    if !ending && step.state.model.prompts.get(&prompt).is_some_and(halted) {
        step.live(lane).held_records.push(token);
        step.then.push(Effect::IfNotKept(NotKept::RefuseHeld(lane, token)));
    } else {
        step.then.push(Effect::Recorded(token, Ok(())));
    }
}

fn write(step: &mut Step<'_>, lane: LaneId, prompt: PromptId, record: TurnRecord) {
    match record {
        TurnRecord::Step { text, cut, calls, usage, reasoning } => {
            step.live(lane).feed.answer.clear();
            step.live(lane).feed.reasoning.clear();
            if usage.is_some() {
                step.live(lane).usage = usage;
            }
            // Also an empty one: it begins a new step, and calls that follow belong to it.
            step.entry(lane, Some(prompt), EntryBody::Answer { text, cut, usage, reasoning });
            for (call, action) in calls {
                let id = call.id.clone();
                step.entry(lane, Some(prompt), EntryBody::Call { call, action });
                step.change(Change::CallMoved { lane, prompt, call: id, state: CallState::Requested });
            }
        }
        TurnRecord::Notice { level, text } => step.entry(lane, Some(prompt), EntryBody::Notice { level, text }),
        TurnRecord::Compacted(compaction) => compact::keep(step, lane, Some(prompt), *compaction),
        TurnRecord::Told { event, by, text } => step.entry(lane, Some(prompt), EntryBody::Told { event, by, text }),
        TurnRecord::Withheld => step.entry(lane, Some(prompt), EntryBody::Withheld),
        TurnRecord::Checkpoint(taken) => checkpoints::keep(step, lane, Some(prompt), taken),
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
            step.now.push(Effect::Lane(lane, LaneOrder::Look(Vec::new())));
        }
        TurnRecord::Child { under, finished, step: made, written } => {
            // What it streamed is now kept as a step.
            step.live(lane).feed.output.remove(&under);
            if !written.is_empty() {
                step.change(Change::PathsWritten { lane, paths: written });
            }
            step.entry(lane, Some(prompt), EntryBody::Child { under, step: made });
            if let Some(call) = finished {
                step.change(Change::CallMoved { lane, prompt, call, state: CallState::Finished });
                step.now.push(Effect::Lane(lane, LaneOrder::Look(Vec::new())));
            }
        }
    }
}

fn ended(step: &mut Step<'_>, lane: LaneId, prompt: PromptId, outcome: TurnOutcome) {
    spending::abandon(step, |_, spend| spend.lane != lane || spend.prompt != prompt);
    let told =
        step.state.model.prompts.get(&prompt).is_some_and(|p| p.state.ended()) && step.live(lane).turn != Some(prompt);
    // One that has ended with its last record has nothing more to say.
    if step.is_open(lane) && !told {
        let unkept = NotKept::Turn(lane, TurnMsg::Ended(prompt, outcome.clone()));
        over(step, lane, prompt, outcome);
        step.then.push(Effect::IfNotKept(unkept));
    }
}

/// A turn is over.
fn over(step: &mut Step<'_>, lane: LaneId, prompt: PromptId, outcome: TurnOutcome) {
    let cancelled = step.live(lane).ending || outcome == TurnOutcome::Cancelled;
    // An answer alone changes no file; what others change is told by the watcher.
    if cancelled || worked(step, lane, prompt) {
        step.now.push(Effect::Lane(lane, LaneOrder::Look(Vec::new())));
    }
    clear(step, lane);
    let Some(state) = step.state.model.prompts.get(&prompt).map(|p| p.state) else { return };
    close_questions(step, prompt, ConflictEvent::Resolve);
    close_turn(step, lane, prompt);
    let name = step.state.model.name(lane);
    if cancelled {
        // The prompt moved when the person cancelled it; by now it may even be queued again.
        step.entry(lane, Some(prompt), EntryBody::Cancelled);
        if state.active() {
            step.nudge_prompt(prompt, PromptEvent::Cancel);
        }
    } else {
        // One that ended while it was paused, or waited to go on, ends like a running one.
        if matches!(state, PromptState::Paused | PromptState::Queued) {
            step.nudge_prompt(prompt, PromptEvent::Resume);
            step.nudge_prompt(prompt, PromptEvent::Admit);
            step.nudge_prompt(prompt, PromptEvent::Start);
        }
        match outcome {
            TurnOutcome::Done { answer } => {
                let _ended_before = step.move_prompt(prompt, PromptEvent::Finish, Some(result(answer)), None);
                step.ring(format!("{name} is done"));
            }
            TurnOutcome::Failed { error } => {
                step.entry(lane, Some(prompt), EntryBody::Notice { level: NoticeLevel::Error, text: error.clone() });
                let _ended_before = step.move_prompt(prompt, PromptEvent::Fail, None, Some(error));
                step.ring(format!("{name} failed"));
                step.activity(Some(lane), format!("{prompt} failed"));
            }
            TurnOutcome::Cancelled => {}
        }
    }
}

/// Whether a turn has made any call.
fn worked(step: &Step<'_>, lane: LaneId, prompt: PromptId) -> bool {
    let said = |body: &EntryBody| matches!(body, EntryBody::Prompt { .. });
    let turn = step.state.model.entries(lane).rev().take_while(|e| e.prompt != Some(prompt) || !said(&e.body));
    turn.into_iter().any(|e| matches!(e.body, EntryBody::Call { .. } | EntryBody::Child { .. }))
}

/// Lets turns go on whose records were held back and whose prompts run again.
pub(super) fn settle(step: &mut Step<'_>) {
    let runs = |prompt: &PromptId| {
        let prompt = step.state.model.prompts.get(prompt);
        prompt.is_some_and(|p| matches!(p.state, PromptState::Running | PromptState::Waiting))
    };
    let held = |l: &LiveLane| !l.held_records.is_empty() && !l.ending && l.turn.as_ref().is_some_and(runs);
    let lanes: Vec<LaneId> = step.state.live.iter().filter(|(_, live)| held(live)).map(|(id, _)| *id).collect();
    for lane in lanes {
        for token in std::mem::take(&mut step.live(lane).held_records) {
            step.then.push(Effect::Recorded(token, Ok(())));
            step.then.push(Effect::IfNotKept(NotKept::HoldAgain(lane, token)));
        }
    }
}

/// Bytes of a prompt's result; an answer beyond that stands whole in the transcript only.
const RESULT_BYTES: usize = 256 * 1024;

/// The answer as the prompt keeps it.
fn result(answer: String) -> String {
    if answer.len() <= RESULT_BYTES {
        return answer;
    }
    let mut short = HeadTail::new(RESULT_BYTES);
    short.push(answer.as_bytes());
    short.text()
}

/// Tells a living turn to end. Its questions die with it, and its end is told as [`TurnMsg::Ended`].
pub(super) fn end(step: &mut Step<'_>, lane: LaneId) {
    let live = step.live(lane);
    live.ending = true;
    // A turn that waits for its record hears of nothing else.
    for token in std::mem::take(&mut live.held_records) {
        step.then.push(Effect::Recorded(token, Err("the prompt was cancelled".into())));
        step.then.push(Effect::IfNotKept(NotKept::HoldAgain(lane, token)));
    }
    for call in std::mem::take(&mut step.live(lane).waiting_calls) {
        step.now.push(Effect::Reserved(call.token, Err("the prompt was cancelled".into())));
    }
    step.then.push(Effect::Lane(lane, LaneOrder::CancelTurn));
}

/// Forgets what only a living turn has.
pub(super) fn clear(step: &mut Step<'_>, lane: LaneId) {
    let live = step.live(lane);
    live.turn = None;
    live.ending = false;
    live.feed = TurnFeed::default();
    live.parked.clear();
    live.held_records.clear();
    live.waiting_calls.clear();
}

/// Ends what a prompt still asks the person.
pub(super) fn close_questions(step: &mut Step<'_>, prompt: PromptId, event: ConflictEvent) {
    let model = &step.state.model;
    let approvals: Vec<_> =
        model.pending_approvals().filter(|a| a.prompt == Some(prompt)).map(|a| (a.id, a.state)).collect();
    // What happened in the base checkout is for the person to see, also when the prompt is over.
    let of = |c: &&crate::domain::Conflict| c.prompt == prompt && c.kind != ConflictKind::Base;
    let conflicts: Vec<_> = model.open_conflicts().filter(of).map(|c| (c.id, c.state)).collect();
    for (approval, state) in approvals {
        step.expire(approval, state);
    }
    for (conflict, state) in conflicts {
        if let Ok(state) = state.next(event) {
            step.change(Change::ConflictMoved { conflict, state });
        }
    }
}

/// Closes what a prompt's turn left open, once no task of it lives: unfinished calls, and the paths it wrote. A call
/// that had started gets a result that says so, since a retry would run one without a result again.
pub(super) fn close_turn(step: &mut Step<'_>, lane: LaneId, prompt: PromptId) {
    let model = &step.state.model;
    let own = |call: &CallId| model.prompt_of_call(lane, call).is_none_or(|p| p == prompt);
    let calls: Vec<(CallId, CallState)> = model
        .calls
        .iter()
        .filter(|((l, call), _)| *l == lane && own(call))
        .map(|((_, c), s)| (c.clone(), *s))
        .collect();
    let begun = model.prompts.get(&prompt).is_some_and(|p| p.started.is_some());
    let others = model
        .prompts
        .open(lane)
        .any(|p| p.id != prompt && (p.state.active() || p.state == PromptState::Paused && p.started.is_some()));
    let writes = model.written.contains_key(&lane) && begun && !others;
    for (call, state) in calls {
        // A child's call has no entry of its own: the call that started the child tells of the cut.
        if state == CallState::Started && call.parent().is_none() {
            let outcome = ToolOutcome {
                ok: false,
                output: "cut off; unknown whether it had an effect: look before you repeat it".into(),
                summary: "cut off".into(),
                ..ToolOutcome::default()
            };
            step.entry(lane, Some(prompt), EntryBody::Result { call: call.clone(), outcome });
        }
        step.change(Change::CallMoved { lane, prompt, call, state: CallState::Finished });
    }
    if writes {
        step.change(Change::PathsReleased { lane });
    }
}
