//! The person's answers to approvals, and those that nobody answers in time.
//!
//! Where two have to say yes, the first yes is kept with who said it, and the call waits for another's: whoever sits at
//! another terminal. What the kernel says of the client counts, not what the client says of itself.

use crate::app::Effect;
use crate::base::{Report, one_line};
use crate::domain::{
    AnswerScope, Answerer, Approval, ApprovalEvent, ApprovalId, ApprovalState, Change, LaneId, PromptId, Seat,
};
use crate::policy::Verdict;

use super::step::Step;
use super::{clipboard, memory, native, permits};

/// Allows a call: it runs exactly once. Where two have to say yes, the first yes only says so.
pub(super) fn approve(
    step: &mut Step<'_>,
    who: Answerer,
    id: ApprovalId,
    scope: AnswerScope,
    edited: Option<serde_json::Value>,
) -> Result<String, Report> {
    if let Some(answered) = clipboard::approve(step, id, scope, edited.is_some()) {
        return answered;
    }
    if let Some(answered) = native::approve(step, &who, id, scope, edited.is_some()) {
        return answered;
    }
    let (lane, state) = pending(step, id, ApprovalEvent::Allow)?;
    if edited.as_ref().is_some_and(|e| !e.is_object()) {
        return Err(Report::usage("the edited arguments are not a JSON object")
            .hint("give the tool's arguments, such as '{\"command\": \"npm test\"}'"));
    }
    if let Some(question) = step.state.model.approvals.get(&id).filter(|a| a.is_question()) {
        return Err(Report::refused(format!("`{id}` is a question: it needs an answer")).hint(how_to_answer(question)));
    }
    let each = step.state.model.approvals.get(&id).is_some_and(Approval::asks_each_time);
    if each && scope != AnswerScope::Once {
        return Err(Report::refused(format!(
            "what is remembered is looked at each time, so `{id}` can be allowed once only"
        ))
        .hint(format!("`approve {id}` allows this one")));
    }
    if let (Some(edited), Some("remember")) = (&edited, step.state.model.approvals.get(&id).map(|a| a.tool.as_str())) {
        // Before anything is changed: what cannot be kept leaves the proposal as it was.
        memory::check_edit(edited)?;
    }
    if let Some(edited) = &edited {
        step.env.edit_fits(step.state, id, edited).map_err(|words| {
            Report::usage(format!("`{id}` was not allowed: {words}"))
                .hint(format!("nothing was changed; `approve {id} --edit JSON` takes all arguments of the call"))
        })?;
    }
    if let Some(report) = denied_by_now(step, id, edited.as_ref()) {
        return Err(report);
    }
    if let Some(confirmed) = confirm(step, &who, id, scope, edited.as_ref())? {
        return Ok(confirmed);
    }
    if let Some(place) = step.state.settings.policy.forgetful().filter(|_| scope != AnswerScope::Once) {
        return Err(Report::refused(format!("answers are not remembered here: `policy.remember` is off ({place})"))
            .hint(format!("`approve {id}` allows it once")));
    }
    let changed = edited.is_some();
    step.change(Change::ApprovalMoved {
        approval: id,
        state,
        scope: Some(scope),
        reason: None,
        arguments: edited,
        by: Some(who),
        at: step.env.now,
    });
    let Some(approval) = step.state.model.approvals.get(&id) else { return Ok(String::new()) };
    let (tool, call, name) = (approval.tool.clone(), approval.call.clone(), step.state.model.name(lane));
    let key = crate::policy::remember_key(&tool, &approval.arguments);
    match scope {
        AnswerScope::Once => {}
        AnswerScope::Session => {
            step.change(Change::CallRemembered { lane: Some(lane), tool: tool.clone(), action: key });
        }
        AnswerScope::Always => step.change(Change::CallRemembered { lane: None, tool: tool.clone(), action: key }),
    }
    let how = if changed { "edited and allowed" } else { "allowed" };
    step.activity(Some(lane), format!("{id} {how} {}: {tool}", scope.word()));
    let waits = step.state.live(lane).is_some_and(|l| l.parked.contains_key(&call));
    let when = if waits { "runs it now" } else { "runs it when its turn goes on" };
    Ok(format!("{id} {how} {}: {name} {when}", scope.word()))
}

/// Why an answer that allows would be in vain: the rules have the last word, and whoever answers hears it.
fn denied_by_now(step: &Step<'_>, id: ApprovalId, edited: Option<&serde_json::Value>) -> Option<Report> {
    let approval = step.state.model.approvals.get(&id)?;
    let decision = permits::in_vain(step.state, approval, edited)?;
    let call = if edited.is_some() { "as it was edited" } else { "by now" };
    let why = match decision.verdict {
        Verdict::Deny => format!("`{id}` does not run {call}: {}", decision.reason),
        _ => format!("`{id}` needs the yes of two {call} (`{}`, {})", decision.rule.rule, decision.rule.place),
    };
    let hint = if edited.is_some() {
        format!("edit it otherwise, or `deny {id} --reason \"…\"` and say what it should be")
    } else {
        format!("`deny {id}` tells the agent so; or change the rule first")
    };
    Some(Report::refused(why).hint(hint))
}

/// The first yes of two, or a yes that does not count; none when this one allows the call.
fn confirm(
    step: &mut Step<'_>,
    who: &Answerer,
    id: ApprovalId,
    scope: AnswerScope,
    edited: Option<&serde_json::Value>,
) -> Result<Option<String>, Report> {
    let Some(approval) = step.state.model.approvals.get(&id).filter(|a| a.needs > 1) else { return Ok(None) };
    let lane = approval.lane;
    if scope != AnswerScope::Once {
        return Err(Report::refused(format!("`{id}` needs the yes of two, so it can be allowed once only"))
            .hint(format!("`approve {id}` is one of them")));
    }
    if let Some(refused) = no_person(id, who) {
        return Err(refused);
    }
    if edited.is_some() {
        return Err(Report::refused(format!("`{id}` needs the yes of two, so it runs as both see it or not at all"))
            .hint(format!("`deny {id} --reason \"…\"` says what it should be; the agent asks anew")));
    }
    match &approval.confirmed {
        Some(first) if first.sits_with(who) => {
            let here = if first.session == who.session { "" } else { ", and this one was opened within it" };
            Err(Report::refused(format!(
                "you have said yes to `{id}` already ({}{here}): the second yes has to come from another terminal",
                first.words
            ))
            .hint(format!("`approve {id}` in a window or shell of another terminal, or `deny {id}` here")))
        }
        Some(_) => Ok(None),
        None => {
            step.change(Change::ApprovalConfirmed { approval: id, by: who.clone(), at: step.env.now });
            step.activity(Some(lane), format!("{id} confirmed by {}: 1 of 2", who.words));
            Ok(Some(format!("{id} confirmed, 1 of 2: it runs once somebody at another terminal says yes too")))
        }
    }
}

/// Why an answer is not a person's, where two have to give theirs.
fn no_person(id: ApprovalId, who: &Answerer) -> Option<Report> {
    let Answerer { seat, words, .. } = who;
    let (why, hint) = match seat {
        Seat::Terminal => return None,
        Seat::Lane => ("a program in a lane is neither", "answer in a window, or in a shell outside of Paralane"),
        Seat::NoTerminal => (
            "a program without a terminal is neither",
            "answer in a window, or type the command in a terminal: what scripts and jobs say counts for nobody",
        ),
        Seat::Unseen => (
            "who answers here cannot be seen",
            "answer in a window, or type the command in a terminal of this machine and wait for its reply",
        ),
    };
    Some(Report::refused(format!("`{id}` needs the yes of two, and {why} ({words})")).hint(hint))
}

/// Answers an agent's question: the answer is the result of the call that asked.
pub(super) fn answer(step: &mut Step<'_>, who: Answerer, id: ApprovalId, typed: &str) -> Result<String, Report> {
    let (lane, state) = pending(step, id, ApprovalEvent::Allow)?;
    let asked = step.state.model.approvals.get(&id).filter(|a| a.is_question());
    let Some(asked) = asked else {
        return Err(Report::refused(format!("`{id}` is no question")).hint(format!("`approve {id}` allows the call")));
    };
    let answer = asked.answer(typed);
    let mut arguments = asked.arguments.clone();
    if let Some(map) = arguments.as_object_mut() {
        map.insert("answer".to_owned(), answer.clone().into());
    }
    step.change(Change::ApprovalMoved {
        approval: id,
        state,
        scope: Some(AnswerScope::Once),
        reason: None,
        arguments: Some(arguments),
        by: Some(who),
        at: step.env.now,
    });
    step.activity(Some(lane), format!("{id} answered: {}", one_line(&answer)));
    Ok(format!("{id} answered: {} goes on with `{}`", step.state.model.name(lane), one_line(&answer)))
}

fn how_to_answer(question: &Approval) -> String {
    let id = question.id;
    let choices: Vec<String> =
        question.choices().enumerate().map(|(at, choice)| format!("{} {}", at + 1, one_line(choice))).collect();
    if choices.is_empty() {
        return format!("`approve {id} --answer \"your words\"`, or `deny {id}`");
    }
    format!("`approve {id} --answer NUMBER` with one of: {}; or `--answer \"your words\"`", choices.join(" · "))
}

/// Denies a call: the model is told why, and the turn goes on.
pub(super) fn deny(step: &mut Step<'_>, who: Answerer, id: ApprovalId, reason: String) -> Result<String, Report> {
    if let Some(answered) = clipboard::deny(step, id) {
        return Ok(answered);
    }
    if let Some(answered) = native::deny(step, &who, id, &reason) {
        return answered;
    }
    let (lane, state) = pending(step, id, ApprovalEvent::Deny)?;
    step.change(Change::ApprovalMoved {
        approval: id,
        state,
        scope: None,
        reason: Some(reason),
        arguments: None,
        by: Some(who),
        at: step.env.now,
    });
    step.activity(Some(lane), format!("{id} denied"));
    Ok(format!("{id} denied: {} is told so", step.state.model.name(lane)))
}

/// Answers a question that a rule has answered meanwhile.
pub(super) fn by_rule(step: &mut Step<'_>, id: ApprovalId, event: ApprovalEvent, rule: &str) {
    let Some(Ok(state)) = step.state.model.approvals.get(&id).map(|a| a.state.next(event)) else { return };
    let (reason, at) = (Some(rule.to_owned()), step.env.now);
    step.change(Change::ApprovalMoved { approval: id, state, scope: None, reason, arguments: None, by: None, at });
    let lane = step.state.model.approvals.get(&id).map(|a| a.lane);
    step.activity(lane, format!("{id} {}: {rule}", state.word()));
}

fn pending(step: &Step<'_>, id: ApprovalId, event: ApprovalEvent) -> Result<(LaneId, ApprovalState), Report> {
    let Some(approval) = step.state.model.approvals.get(&id) else {
        let ids: Vec<String> = step.state.pending_approvals().map(|a| a.id.to_string()).collect();
        let hint = match ids.as_slice() {
            [] => "no approval is pending".to_owned(),
            ids => format!("pending: {}", ids.join(", ")),
        };
        return Err(Report::refused(format!("there is no approval `{id}`")).hint(hint));
    };
    // Its time may be over before anybody has looked.
    if approval.is_overdue(step.env.now) {
        return Err(Report::refused(format!("approval `{id}` has expired")).hint("nothing was changed"));
    }
    let state = approval.state.next(event).map_err(|_| {
        let by = approval.by.as_ref().map(|by| format!(" by {}", by.words)).unwrap_or_default();
        Report::refused(format!("approval `{id}` is already {}{by}", approval.state.word()))
            .hint("nothing was changed; `history approvals` tells what became of it")
    })?;
    Ok((approval.lane, state))
}

/// Questions whose time is over expire. The deadline was kept with the question, so a start sees it too.
pub(super) fn expire(step: &mut Step<'_>) {
    let now = step.env.now;
    let overdue: Vec<(ApprovalId, LaneId, ApprovalState)> =
        step.state.model.approvals.values().filter(|a| a.is_overdue(now)).map(|a| (a.id, a.lane, a.state)).collect();
    for (approval, lane, state) in overdue {
        if !step.expire(approval, state) {
            continue;
        }
        step.activity(Some(lane), format!("{approval} expired: nobody answered in time"));
    }
}

/// A person's answer, or the time, may let parked calls go on. Called when everything else is settled.
pub(super) fn settle(step: &mut Step<'_>) {
    expire(step);
    native::settle(step);
    let lanes: Vec<LaneId> = step.state.live.iter().filter(|(_, l)| !l.parked.is_empty()).map(|(id, _)| *id).collect();
    for lane in lanes {
        settle_lane(step, lane);
    }
}

/// The same for one lane.
pub(super) fn settle_lane(step: &mut Step<'_>, lane: LaneId) {
    let calls: Vec<_> = step.live(lane).parked.keys().cloned().collect();
    for call in calls {
        permits::decide(step, lane, &call);
    }
    sync_waiting(step, lane);
}

/// Brings the prompt's state into line with what its turn waits for.
pub(super) fn sync_waiting(step: &mut Step<'_>, lane: LaneId) {
    let Some(live) = step.state.live(lane) else { return };
    let waits = live.parked.values().any(|p| !p.decided);
    let Some(prompt): Option<PromptId> = live.turn else { return };
    let event = if waits { crate::domain::PromptEvent::Await } else { crate::domain::PromptEvent::Proceed };
    step.nudge_prompt(prompt, event);
}

/// Rings for a new question.
pub(super) fn ring(step: &mut Step<'_>, lane: LaneId, what: &str) {
    let words = format!("{} needs you: {what}", step.state.model.name(lane));
    step.then.push(Effect::Ring(words));
}
