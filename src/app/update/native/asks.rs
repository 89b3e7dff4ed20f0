//! Questions of native CLIs' tools: asked in the approvals panel, answered there or in the CLI's own dialog, whichever
//! comes first.

use crate::app::{Ask, Effect, PaneOrder, RequestId, Waits};
use crate::base::{Report, one_line};
use crate::domain::{
    AnswerScope, Answerer, Approval, ApprovalId, ApprovalState, CallId, Change, HookAnswer, LaneId, NativeCall,
    ProgramState, ReasonClass,
};
use crate::policy::remember_key;

use super::super::step::Step;
use super::{decide, hold, keep};

/// Characters of a call that are looked for on the screen.
const SHOWN: usize = 32;

/// Puts a question into the list.
pub(super) fn ask(step: &mut Step<'_>, lane: LaneId, waits: Waits, event: &str, call: NativeCall) {
    let id = step.state.copies.take_id(step.state.model.last_ids.approval);
    let decision = decide::rules(step.state, lane, &call);
    // One yes is enough: calls that need two are denied.
    let approval = Approval {
        action: call.action.clone(),
        arguments: call.arguments.clone(),
        diff: call.diff.clone(),
        directory: call.directory.clone(),
        ..Approval::asked(id, lane, CallId(event.to_owned()), call.tool.clone(), decision.rule, step.env.now)
    };
    step.activity(Some(lane), format!("{id} asks: {} {}", call.tool, one_line(&call.action)));
    let words = format!("{} needs you: allow {}?", step.state.model.name(lane), call.tool);
    step.change(Change::ApprovalAdded { approval: Box::new(approval) });
    step.state.asks.add(id, Ask { lane, call, waits, event: event.to_owned() });
    step.ring(words);
}

/// Allows it; none when the question is none of these.
pub(in crate::app::update) fn approve(
    step: &mut Step<'_>,
    who: &Answerer,
    id: ApprovalId,
    scope: AnswerScope,
    edited: bool,
) -> Option<Result<String, Report>> {
    let lane = step.state.asks.get(id)?.lane;
    if edited {
        let report = Report::refused("a call of a native CLI cannot be edited here");
        return Some(Err(report.hint(format!("`deny {id} --reason \"what it should do instead\"` tells it"))));
    }
    if let Some(place) = step.state.policy(Some(lane)).forgetful().filter(|_| scope != AnswerScope::Once) {
        let report = Report::refused(format!("answers are not remembered here: `policy.remember` is off ({place})"));
        return Some(Err(report.hint(format!("`approve {id}` allows it once"))));
    }
    if let Err(report) = reachable(step, id) {
        return Some(Err(report));
    }
    if let Some(HookAnswer::Deny(why)) = step.state.asks.get(id).map(|ask| decide::call(step.state, lane, &ask.call).0)
    {
        let report = Report::refused(format!("`{id}` does not run by now: {why}"));
        return Some(Err(report.hint(format!("`deny {id}` tells the agent so; or change what denies it first"))));
    }
    let ask = step.state.asks.take(id)?;
    let tool = ask.call.tool.clone();
    moved(step, id, ApprovalState::Allowed, Some(scope), None, Some(who.clone()));
    let action = remember_key(&tool, &ask.call.arguments);
    match scope {
        AnswerScope::Once => {}
        AnswerScope::Session => step.change(Change::CallRemembered { lane: Some(lane), tool: tool.clone(), action }),
        AnswerScope::Always => step.change(Change::CallRemembered { lane: None, tool: tool.clone(), action }),
    }
    hold(step, lane, &ask.call);
    let words = format!("the person allowed it {}", scope.word());
    answer(step, &ask, HookAnswer::Allow(words), ReasonClass::Person);
    step.activity(Some(lane), format!("{id} allowed {}: {tool}", scope.word()));
    Some(Ok(format!("{id} allowed {}: {} runs it now", scope.word(), step.state.model.name(lane))))
}

/// Denies it; none when the question is none of these.
pub(in crate::app::update) fn deny(
    step: &mut Step<'_>,
    who: &Answerer,
    id: ApprovalId,
    reason: &str,
) -> Option<Result<String, Report>> {
    step.state.asks.get(id)?;
    if let Err(report) = reachable(step, id) {
        return Some(Err(report));
    }
    let ask = step.state.asks.take(id)?;
    moved(step, id, ApprovalState::Denied, None, Some(reason.to_owned()), Some(who.clone()));
    let words = "the person denied this call; do not try it again";
    let words = if reason.is_empty() { words.to_owned() } else { format!("{words}. Reason: {reason}") };
    answer(step, &ask, HookAnswer::Deny(words), ReasonClass::Person);
    let lane = ask.lane;
    step.activity(Some(lane), format!("{id} denied"));
    Some(Ok(format!("{id} denied: {} is told so", step.state.model.name(lane))))
}

/// A dialog takes keys only while it is on the screen: the program says that it waits, and for nothing newer.
fn reachable(step: &Step<'_>, id: ApprovalId) -> Result<(), Report> {
    let Some(ask) = step.state.asks.get(id).filter(|ask| ask.waits == Waits::Dialog) else { return Ok(()) };
    let lane = ask.lane;
    // Its title may be a little behind its hooks; the screen is looked at before anything is typed.
    let shown = step.state.live(lane).is_some_and(|live| {
        let said = live.pane.program.as_ref().map(|program| program.state);
        let hooked = live.hooked.as_ref().map(|hooked| hooked.state);
        [said, hooked].into_iter().flatten().any(|state| matches!(state, ProgramState::Blocked(_)))
    });
    let newest = step.state.asks.ids(|other| other.lane == lane && other.waits == Waits::Dialog);
    if shown && newest.last() == Some(&id) {
        return Ok(());
    }
    let name = step.state.model.name(lane);
    Err(Report::refused(format!("the dialog of `{id}` is not the one on the screen of `{name}`"))
        .hint(format!("look at lane `{name}` and answer there")))
}

/// Lets the answer go once it is kept.
fn answer(step: &mut Step<'_>, ask: &Ask, answer: HookAnswer, class: ReasonClass) {
    let lane = ask.lane;
    keep(step, lane, &ask.event, &ask.call.tool, &answer, class);
    match ask.waits {
        Waits::Hook(id) => step.then.push(Effect::Hooked(id, answer)),
        Waits::Dialog => {
            let order = in_dialog(step, &ask.call, lane, matches!(answer, HookAnswer::Allow(_)));
            step.then.extend(order);
        }
    }
}

/// Keeps what became of a question.
fn moved(
    step: &mut Step<'_>,
    approval: ApprovalId,
    state: ApprovalState,
    scope: Option<AnswerScope>,
    reason: Option<String>,
    by: Option<Answerer>,
) {
    let at = step.env.now;
    step.change(Change::ApprovalMoved { approval, state, scope, reason, arguments: None, by, at });
}

/// Answers the dialog of a call by keys.
pub(super) fn in_dialog(step: &Step<'_>, call: &NativeCall, lane: LaneId, allow: bool) -> Option<Effect> {
    let cli = step.state.model.lanes.get(&lane)?.kind.native()?.cli;
    Some(Effect::Pane(lane, PaneOrder::Answer { cli, about: shown(call), allow }))
}

/// What a dialog shows of a call, whatever it wraps or shortens.
pub(super) fn shown(call: &NativeCall) -> String {
    let words = match (&call.command, call.known) {
        (Some(command), _) => command.trim_start().lines().next().unwrap_or_default(),
        (None, true) if call.tool != "fetch" => call.action.rsplit(['/', ' ']).next().unwrap_or_default(),
        _ => "",
    };
    words.chars().take(SHOWN).collect()
}

/// Whether this very call asks already.
pub(super) fn asks_already(step: &Step<'_>, lane: LaneId, call: &NativeCall) -> bool {
    let same = |ask: &Ask| ask.lane == lane && (&call.tool, &call.arguments) == (&ask.call.tool, &ask.call.arguments);
    !step.state.asks.ids(same).is_empty()
}

/// Nobody waits for the answer any more: it was given in the CLI's own dialog, or the hook was ended.
fn over(step: &mut Step<'_>, id: ApprovalId, state: ApprovalState) {
    let Some(ask) = step.state.asks.take(id) else { return };
    let lane = ask.lane;
    moved(step, id, state, None, Some("answered in the lane".to_owned()), None);
    keep(step, lane, &ask.event, &ask.call.tool, &HookAnswer::Pass, ReasonClass::Answered);
    step.activity(Some(lane), format!("{id} was answered in the lane"));
    if let Waits::Hook(id) = ask.waits {
        step.now.push(Effect::Hooked(id, HookAnswer::Pass));
    }
}

/// A hook was ended before it was answered.
pub(in crate::app::update) fn gone(step: &mut Step<'_>, id: RequestId) {
    for ask in step.state.asks.ids(|ask| ask.waits == Waits::Hook(id)) {
        over(step, ask, ApprovalState::Expired);
    }
}

/// A tool has run: whoever asked for that very call has been answered.
pub(super) fn ran(step: &mut Step<'_>, lane: LaneId, call: Option<&NativeCall>) {
    let same = |ask: &Ask| {
        ask.lane == lane
            && call.is_some_and(|call| (&call.tool, &call.arguments) == (&ask.call.tool, &ask.call.arguments))
    };
    for ask in step.state.asks.ids(same) {
        over(step, ask, ApprovalState::Allowed);
    }
}

/// A turn is over, or another one begins: nothing of the lane asks any more.
pub(super) fn end_all(step: &mut Step<'_>, lane: LaneId) {
    for ask in step.state.asks.ids(|ask| ask.lane == lane) {
        over(step, ask, ApprovalState::Expired);
    }
}

/// The program does not wait any more: its dialog was answered where it stood.
pub(in crate::app::update) fn answered_in_pane(step: &mut Step<'_>, lane: LaneId) {
    for ask in step.state.asks.ids(|ask| ask.lane == lane && ask.waits == Waits::Dialog) {
        over(step, ask, ApprovalState::Expired);
    }
}

/// The program is gone, and with it all that it asked.
pub(in crate::app::update) fn forget(step: &mut Step<'_>, lane: LaneId) {
    end_all(step, lane);
}

/// The workstation starts: whoever asked ended with the one before.
pub(in crate::app::update) fn started(step: &mut Step<'_>) {
    let asked = step.state.model.pending_approvals().filter(|approval| approval.prompt.is_none());
    let asked: Vec<(ApprovalId, LaneId)> = asked.map(|approval| (approval.id, approval.lane)).collect();
    for (id, lane) in asked {
        let words = "its program ended with the workstation, before it was answered";
        moved(step, id, ApprovalState::Expired, None, Some(words.to_owned()), None);
        step.activity(Some(lane), format!("{id} expired: {words}"));
    }
}

/// Rules, modes and answers may have changed since it was asked.
pub(in crate::app::update) fn settle(step: &mut Step<'_>) {
    // Those that the store did not take are in no list: nobody would ever answer them.
    let kept = |id: &ApprovalId| step.state.model.approvals.contains_key(id);
    for id in step.state.asks.ids(|_| true).into_iter().filter(|id| !kept(id)).collect::<Vec<_>>() {
        let Some(ask) = step.state.asks.take(id) else { continue };
        let words = "the question could not be kept, so nobody was asked: try again".to_owned();
        answer(step, &ask, HookAnswer::Deny(words), ReasonClass::Unclear);
    }
    for id in step.state.asks.ids(|ask| matches!(ask.waits, Waits::Hook(_))) {
        let Some(ask) = step.state.asks.get(id) else { continue };
        let (decided, class) = decide::call(step.state, ask.lane, &ask.call);
        let (state, rule) = match &decided {
            HookAnswer::Allow(rule) => (ApprovalState::Allowed, rule.clone()),
            HookAnswer::Deny(rule) => (ApprovalState::Denied, rule.clone()),
            _ => continue,
        };
        let Some(ask) = step.state.asks.take(id) else { continue };
        moved(step, id, state, None, Some(rule), None);
        step.activity(Some(ask.lane), format!("{id} {} by a rule", state.word()));
        answer(step, &ask, decided, class);
    }
}
