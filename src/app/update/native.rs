//! Native CLIs: what their hooks tell and what they are answered, from memory. Rules, holds and the person decide as they
//! do for own agents; what no mode allows was told with the call.

mod after;
mod asks;
mod decide;
mod notice;

pub(super) use after::{elsewhere, slipped, unannounced};
pub(super) use asks::{answered_in_pane, approve, deny, forget, gone, settle, started};

use crate::app::{Effect, Hooked, LaneOrder, PaneOrder, RequestId};
use crate::domain::{
    Answered, Asking, Change, Cli, Conversation, HookAnswer, HookCall, LaneId, LaneKind, NativeCall, NativeEvent,
    NativeLane, NeedKind, ProgramState, ReasonClass,
};

use super::step::Step;

/// A hook of a lane's program asks or tells.
pub(super) fn hook(step: &mut Step<'_>, lane: LaneId, id: RequestId, call: HookCall) {
    let native = step.state.model.lanes.get(&lane).and_then(|l| l.kind.native());
    let Some(cli) = native.map(|native| native.cli).filter(|_| step.is_open(lane)) else {
        let words = "this lane has no native CLI under our hooks any more".to_owned();
        return step.now.push(Effect::Hooked(id, HookAnswer::Deny(words)));
    };
    remember_session(step, lane, &call);
    let HookCall { name, event, usage, .. } = call;
    if usage.is_some() {
        step.live(lane).used = usage;
    }
    match event {
        NativeEvent::Before(call) => before(step, lane, id, cli, &name, *call),
        NativeEvent::Permission(call) => permission(step, lane, id, cli, &name, *call),
        event => {
            let answer = told(step, lane, &name, event);
            step.now.push(Effect::Hooked(id, answer));
        }
    }
}

/// The conversation that the lane goes on with after a restart.
fn remember_session(step: &mut Step<'_>, lane: LaneId, call: &HookCall) {
    let session = match call.event {
        // It is kept nowhere before its first prompt: to resume it would fail.
        NativeEvent::Started(Conversation::New) => None,
        NativeEvent::Started(Conversation::Old) | NativeEvent::Prompt(_) | NativeEvent::Stop { .. } => {
            if call.session.is_none() {
                return;
            }
            call.session.clone()
        }
        _ => return,
    };
    let Some(LaneKind::Pane { command, native: Some(native) }) = step.state.model.lanes.get(&lane).map(|l| &l.kind)
    else {
        return;
    };
    if native.session != session {
        let native = Some(Box::new(NativeLane { session, ..(**native).clone() }));
        let kind = LaneKind::Pane { command: command.clone(), native };
        step.change(Change::LaneKindSet { lane, kind });
    }
}

/// What only tells: the lane's state, and words for the model.
fn told(step: &mut Step<'_>, lane: LaneId, name: &str, event: NativeEvent) -> HookAnswer {
    match event {
        NativeEvent::Started(_) => {
            evidence(step, lane, name, ProgramState::Idle);
            step.live(lane).noticed = None;
            notice::for_model(step, lane)
        }
        NativeEvent::Prompt(_) => {
            asks::end_all(step, lane);
            step.live(lane).announced.clear();
            step.live(lane).running.clear();
            step.live(lane).last_answer = None;
            word(step, lane, name, ProgramState::Working, true);
            notice::for_model(step, lane)
        }
        NativeEvent::After(call) => {
            asks::ran(step, lane, call.as_deref());
            step.live(lane).announced.retain(|known| Some(known) != call.as_deref());
            evidence(step, lane, name, ProgramState::Working);
            // What it really did is compared with what it was to do.
            step.now.push(Effect::Lane(lane, LaneOrder::Look(Vec::new())));
            after::compare_base(step, lane, call.as_deref());
            notice::for_model(step, lane)
        }
        NativeEvent::Stop { again, answer } => {
            asks::end_all(step, lane);
            if let Some(words) = drifted(step, lane).filter(|_| !again) {
                let answer = HookAnswer::GoOn(words);
                keep(step, lane, name, "", &answer, ReasonClass::BranchDrift);
                return answer;
            }
            step.live(lane).last_answer = answer;
            evidence(step, lane, name, ProgramState::Done);
            HookAnswer::Pass
        }
        NativeEvent::Opened(words) => {
            opened(step, lane, name, &words);
            HookAnswer::Pass
        }
        NativeEvent::Waits => {
            evidence(step, lane, name, ProgramState::Blocked(NeedKind::Unnamed));
            HookAnswer::Pass
        }
        NativeEvent::Ended => {
            asks::end_all(step, lane);
            step.live(lane).hooked = None;
            HookAnswer::Pass
        }
        NativeEvent::Before(_) | NativeEvent::Permission(_) | NativeEvent::Other => HookAnswer::Pass,
    }
}

/// A tool is about to run.
fn before(step: &mut Step<'_>, lane: LaneId, id: RequestId, cli: Cli, name: &str, call: NativeCall) {
    evidence(step, lane, name, ProgramState::Working);
    let (answer, class) = decide::call(step.state, lane, &call);
    if matches!(answer, HookAnswer::Ask(_)) && cli.asking() == Asking::Holds {
        return asks::ask(step, lane, crate::app::Waits::Hook(id), name, call);
    }
    if !matches!(answer, HookAnswer::Deny(_)) {
        hold(step, lane, &call);
        after::begins(step, lane, &call);
        announce(step, lane, cli, &call);
    }
    keep(step, lane, name, &call.tool, &answer, class);
    step.now.push(Effect::Hooked(id, answer));
}

/// Its dialog opens. Where a rule decides, it need not.
fn permission(step: &mut Step<'_>, lane: LaneId, id: RequestId, cli: Cli, name: &str, call: NativeCall) {
    let (answer, class) = decide::call(step.state, lane, &call);
    if matches!(answer, HookAnswer::Allow(_) | HookAnswer::Deny(_)) {
        keep(step, lane, name, &call.tool, &answer, class);
        return step.now.push(Effect::Hooked(id, answer));
    }
    evidence(step, lane, name, ProgramState::Blocked(NeedKind::Permission));
    match cli.answered() {
        Answered::Beside => asks::ask(step, lane, crate::app::Waits::Hook(id), name, call),
        Answered::Keys => {
            step.now.push(Effect::Hooked(id, HookAnswer::Pass));
            asks::ask(step, lane, crate::app::Waits::Dialog, name, call);
        }
    }
}

/// A dialog may open for a call that was announced, and only its words will tell for which.
fn announce(step: &mut Step<'_>, lane: LaneId, cli: Cli, call: &NativeCall) {
    if cli.answered() == Answered::Keys {
        let announced = &mut step.live(lane).announced;
        if announced.len() >= ANNOUNCED {
            announced.remove(0);
        }
        announced.push(call.clone());
    }
}

/// Calls of one lane that are kept for their dialogs.
const ANNOUNCED: usize = 64;

/// A dialog stands on the screen: for the call that its words speak of, else for the newest. What a rule allows needs
/// nobody.
fn opened(step: &mut Step<'_>, lane: LaneId, name: &str, words: &str) {
    evidence(step, lane, name, ProgramState::Blocked(NeedKind::Permission));
    let speaks_of = |call: &NativeCall| {
        let shown = asks::shown(call);
        !shown.is_empty() && words.contains(&shown)
    };
    let announced = &mut step.live(lane).announced;
    let at = announced.iter().rposition(speaks_of).or_else(|| announced.len().checked_sub(1));
    let Some(call) = at.map(|at| announced.remove(at)) else { return };
    if asks::asks_already(step, lane, &call) {
        return;
    }
    let (answer, class) = decide::call(step.state, lane, &call);
    let allow = matches!(answer, HookAnswer::Allow(_));
    if allow || matches!(answer, HookAnswer::Deny(_)) {
        keep(step, lane, name, &call.tool, &answer, class);
        let order = asks::in_dialog(step, &call, lane, allow);
        return step.then.extend(order);
    }
    asks::ask(step, lane, crate::app::Waits::Dialog, name, call);
}

/// What a running prompt is about to write holds others back from now on.
fn hold(step: &mut Step<'_>, lane: LaneId, call: &NativeCall) {
    let known = step.state.model.written.get(&lane);
    let new: Vec<String> =
        call.writes.iter().filter(|path| known.is_none_or(|known| !known.contains(*path))).cloned().collect();
    if !new.is_empty() && step.state.model.active_prompt(lane).is_some() {
        step.change(Change::PathsWritten { lane, paths: new });
    }
}

/// Keeps a decision as an event.
fn keep(step: &mut Step<'_>, lane: LaneId, event: &str, tool: &str, answer: &HookAnswer, class: ReasonClass) {
    let (event, tool) = (event.to_owned(), tool.to_owned());
    if let HookAnswer::Deny(why) | HookAnswer::GoOn(why) = answer {
        step.activity(Some(lane), format!("refused {tool}: {}", crate::base::one_line(why)));
    }
    step.change(Change::HookAnswered { lane, event, tool, answer: answer.word().to_owned(), class });
}

/// Why the lane is not where it should be.
fn drifted(step: &Step<'_>, lane: LaneId) -> Option<String> {
    decide::drift(step.state, lane)
}

/// What a hook proves of the program's state. The pane's deliveries go by it too.
fn evidence(step: &mut Step<'_>, lane: LaneId, event: &str, state: ProgramState) {
    word(step, lane, event, state, false);
}

/// The same; `begun` when it has just taken a prompt.
fn word(step: &mut Step<'_>, lane: LaneId, event: &str, state: ProgramState, begun: bool) {
    let now = step.env.now;
    let live = step.live(lane);
    let before = live.activity();
    live.hooked = Some(Hooked { state, event: event.to_owned(), at: now });
    let speaks = live.pane.program.is_some();
    if !speaks && state == ProgramState::Done {
        live.unseen = true;
    }
    if live.activity() != before {
        live.pane_since = Some(now);
    }
    step.now.push(Effect::Pane(lane, PaneOrder::Word { state, begun }));
    if !speaks && state == ProgramState::Done && before == crate::app::Activity::Work {
        let name = step.state.model.name(lane);
        step.call(lane, format!("{name} is done"));
    }
}
