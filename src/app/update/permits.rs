//! May this call run? Rules, holds and the person decide, in this order and in one place.

use jiff::SignedDuration;
use serde_json::Value;

use crate::app::{Effect, Parked, State, TurnToken};
use crate::base::{length_words, one_line};
use crate::coordination::{Holds, Pattern};
use crate::domain::{
    Approval, ApprovalEvent, ApprovalState, CallId, CallRequest, CallState, Change, Conflict, ConflictKind, LaneId,
    Prompt, PromptId, PromptState, ToolCall, Verdict,
};
use crate::policy;
use crate::preflight::{self, AtRest, Overlap};

use super::step::Step;
use super::{approvals, conflicts, settle};

/// A turn asks. The question is parked until it is decided.
pub(super) fn ask(step: &mut Step<'_>, lane: LaneId, token: TurnToken, request: CallRequest) {
    if step.state.live(lane).is_some_and(|l| l.ending) {
        let reason = "the person cancelled the turn".to_owned();
        return step.now.push(Effect::Permitted(token, Verdict::Deny { reason }));
    }
    let call = request.call.id.clone();
    let remember_key = policy::remember_key(&request.call.tool, &request.call.arguments);
    step.live(lane).parked.insert(call.clone(), Parked { token, request, remember_key, decided: false });
    decide(step, lane, &call);
    approvals::sync_waiting(step, lane);
}

/// Decides a parked call, or leaves it parked for the person or a hold. Deciding again is harmless.
pub(super) fn decide(step: &mut Step<'_>, lane: LaneId, call: &CallId) {
    let Some(parked) = step.state.live(lane).and_then(|l| l.parked.get(call)).cloned() else { return };
    let Some(prompt) = step.state.live(lane).and_then(|l| l.turn) else { return };
    // A paused turn goes no further, a cancelled one asks nothing any more.
    let works = |p: &Prompt| matches!(p.state, PromptState::Running | PromptState::Waiting);
    if parked.decided || !step.state.model.prompts.get(&prompt).is_some_and(works) {
        return;
    }
    let request = &parked.request;
    let asked = step.state.model.approval_of(lane, call).cloned();
    if let Some(approval) = asked.as_ref().filter(|a| a.state == ApprovalState::Denied || a.timed_out()) {
        return answer(step, lane, call, &parked, denied(approval));
    }
    let arguments = asked.as_ref().map_or(&request.call.arguments, |a| &a.arguments);
    let decision = judge(step.state, lane, request, &parked.remember_key, arguments);
    let pending = asked.as_ref().filter(|a| a.state == ApprovalState::Pending).map(|a| a.id);
    if decision.verdict == policy::Verdict::Deny {
        if let Some(id) = pending {
            approvals::by_rule(step, id, ApprovalEvent::Deny, &decision.reason);
        } else if let Some(asked) = &asked {
            // A rule that came after the person's yes, and before the call could run.
            step.activity(Some(lane), format!("{} was allowed, and does not run: {}", asked.id, decision.reason));
        }
        return answer(step, lane, call, &parked, Verdict::Deny { reason: decision.reason });
    }
    let allowed = asked.as_ref().filter(|a| a.state == ApprovalState::Allowed);
    if allowed.is_some_and(|a| decision.verdict == policy::Verdict::Ask && decision.needs > a.needs) {
        // The person has made a call of it that one alone may not allow.
        let reason = format!("the call as it was edited needs the yes of two ({}): {ASK_ANEW}", decision.rule.rule);
        return answer(step, lane, call, &parked, Verdict::Deny { reason });
    }
    let writes = writes(request, arguments);
    let overlaps = file_overlaps(step.state, lane, prompt, &writes);
    if !overlaps.is_empty() {
        mark(step, lane, prompt, call, CallState::Waiting);
        return conflicts::record(step, lane, prompt, Some(call), ConflictKind::Write, &overlaps);
    }
    if decision.verdict == policy::Verdict::Allow || allowed.is_some() {
        // The mode was changed, or the same call was allowed for good, since the person was asked.
        if let Some(id) = pending {
            approvals::by_rule(step, id, ApprovalEvent::Allow, &decision.rule.rule);
        }
        if !writes.is_empty() {
            // The hold stands before the write happens, so that no other lane slips in between.
            step.change(Change::PathsWritten { lane, paths: writes });
        }
        mark(step, lane, prompt, call, CallState::Allowed);
        let arguments = asked.map_or_else(|| request.call.arguments.clone(), |a| a.arguments);
        let run = ToolCall { arguments, ..request.call.clone() };
        return answer(step, lane, call, &parked, Verdict::Run(run));
    }
    if asked.is_none_or(|a| a.state == ApprovalState::Expired) {
        if let Some(before) = denied_before(step.state, prompt, request) {
            let verdict = denied(before);
            return answer(step, lane, call, &parked, verdict);
        }
        mark(step, lane, prompt, call, CallState::Waiting);
        question(step, lane, prompt, request, decision);
    }
}

const ASK_ANEW: &str = "call it just so, and both are asked";

/// What an agent is told of a call that was denied, or that nobody answered in time.
fn denied(approval: &Approval) -> Verdict {
    if approval.timed_out() {
        let waited = approval.expires.map(|at| at.duration_since(approval.created).as_secs());
        let waited = waited.and_then(|seconds| u64::try_from(seconds).ok()).map(length_words);
        let within = waited.map(|waited| format!(" within {waited}")).unwrap_or_default();
        let what = if approval.is_question() { "this question" } else { "whether this call may run, so it did not" };
        let reason = format!(
            "nobody answered {what}{within}; go on without it, or end and say what you need the person to decide"
        );
        return Verdict::Deny { reason };
    }
    let words = "the person denied this call; do not try it again";
    let reason = approval.reason.as_deref().filter(|reason| !reason.is_empty());
    Verdict::Deny { reason: reason.map_or_else(|| words.to_owned(), |reason| format!("{words}. Reason: {reason}")) }
}

/// The answer to the very same call in the same turn, if the person denied it or nobody answered: asking once is enough. A question is
/// asked again, since it may be worded alike and mean something else.
fn denied_before<'a>(state: &'a State, prompt: PromptId, request: &CallRequest) -> Option<&'a Approval> {
    let same = |a: &&Approval| {
        a.prompt == Some(prompt)
            && (a.state == ApprovalState::Denied || a.timed_out())
            && !a.is_question()
            && (&a.tool, &a.arguments) == (&request.call.tool, &request.call.arguments)
    };
    state.model.approvals.values().rev().find(same)
}

/// The paths a call would write: those of the person's edit, if there is one.
fn writes(request: &CallRequest, arguments: &Value) -> Vec<String> {
    if *arguments == request.call.arguments || request.writes.is_empty() {
        return request.writes.clone();
    }
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    let named = match (text("path"), text("patch")) {
        (Some(path), _) => vec![path.to_owned()],
        (None, Some(patch)) => preflight::named_in_patch(patch),
        (None, None) => return request.writes.clone(),
    };
    let plain = |path: String| Pattern::file(&path).map(|p| p.as_str().to_owned());
    named.into_iter().map(plain).collect::<Result<_, _>>().unwrap_or_else(|_| request.writes.clone())
}

/// The paths that a call looks at, as it stands after an edit.
fn reads(request: &CallRequest, arguments: &Value) -> Vec<String> {
    if *arguments == request.call.arguments && !request.reads.is_empty() {
        return request.reads.clone();
    }
    let path = || arguments.get("path").and_then(Value::as_str).unwrap_or_default().to_owned();
    match request.call.tool.as_str() {
        "read" => vec![action(request, arguments)],
        "list" | "glob" => vec![path()],
        "grep" => vec![format!("{}/", path())],
        "git_diff" if arguments.get("summary").is_some_and(|given| given == true || given == "true") => Vec::new(),
        "git_diff" => {
            let named = arguments.get("paths").and_then(Value::as_array).filter(|named| !named.is_empty());
            let below = |path: &Value| format!("{}/", path.as_str().unwrap_or_default());
            named.map_or_else(|| vec!["/".to_owned()], |named| named.iter().map(below).collect())
        }
        _ => Vec::new(),
    }
}

/// What a person judges of a call, as it stands after an edit.
fn action(request: &CallRequest, arguments: &Value) -> String {
    let key = match request.call.tool.as_str() {
        "read" => "path",
        "fetch" => "url",
        _ => return request.action.clone(),
    };
    let edited = arguments.get(key).filter(|now| Some(*now) != request.call.arguments.get(key));
    edited.and_then(Value::as_str).map_or_else(|| request.action.clone(), str::to_owned)
}

fn question(step: &mut Step<'_>, lane: LaneId, prompt: PromptId, request: &CallRequest, decision: policy::Decision) {
    let seconds = step.state.settings.approval_expire.map(|seconds| i64::try_from(seconds).unwrap_or(i64::MAX));
    let expires = seconds.and_then(|seconds| step.env.now.checked_add(SignedDuration::from_secs(seconds)).ok());
    let id = step.state.copies.next_id(step.state.model.last_ids.approval);
    let (call, tool) = (request.call.id.clone(), request.call.tool.clone());
    let approval = Approval {
        prompt: Some(prompt),
        action: request.action.clone(),
        arguments: request.call.arguments.clone(),
        diff: request.diff.clone(),
        directory: request.directory.clone(),
        expires,
        needs: decision.needs,
        ..Approval::asked(id, lane, call, tool, decision.rule, step.env.now)
    };
    step.change(Change::ApprovalAdded { approval: Box::new(approval) });
    step.activity(Some(lane), format!("{id} asks: {} {}", request.call.tool, one_line(&request.action)));
    let question = step.state.model.approvals.get(&id).is_some_and(Approval::is_question);
    let what = if question { one_line(&request.action) } else { format!("allow {}?", request.call.tool) };
    approvals::ring(step, lane, &what);
}

/// Moves a call, unless it is there already.
fn mark(step: &mut Step<'_>, lane: LaneId, prompt: PromptId, call: &CallId, state: CallState) {
    if step.state.model.calls.get(&(lane, call.clone())) != Some(&state) {
        step.change(Change::CallMoved { lane, prompt, call: call.clone(), state });
    }
}

fn answer(step: &mut Step<'_>, lane: LaneId, call: &CallId, parked: &Parked, verdict: Verdict) {
    if let Some(parked) = step.live(lane).parked.get_mut(call) {
        parked.decided = true;
    }
    step.then.push(Effect::Permitted(parked.token, verdict));
}

/// The call of a question, as its turn will ask for it again.
fn asked_again(approval: &Approval) -> CallRequest {
    let Approval { call, tool, action, arguments, directory, .. } = approval;
    let text = |key: &str| arguments.get(key).and_then(Value::as_str);
    let writes = match (tool.as_str(), text("path"), text("patch")) {
        ("write" | "edit", Some(path), _) => vec![path.to_owned()],
        ("patch", _, Some(patch)) => preflight::named_in_patch(patch),
        _ => Vec::new(),
    };
    let call = ToolCall { id: call.clone(), model_id: String::new(), tool: tool.clone(), arguments: arguments.clone() };
    let (action, directory) = (action.clone(), directory.clone());
    CallRequest { call, action, writes, reads: Vec::new(), diff: None, directory, server: None, schema: None }
}

/// Why a yes to a question would not let its call run, so that whoever says it hears it at once: a rule denies it, or
/// wants two, as it was edited or since it was asked.
pub(super) fn in_vain(state: &State, approval: &Approval, edited: Option<&Value>) -> Option<policy::Decision> {
    let live = state.live(approval.lane).and_then(|live| live.parked.get(&approval.call));
    let arguments = edited.unwrap_or(&approval.arguments);
    let decision = if let Some(parked) = live {
        judge(state, approval.lane, &parked.request, &parked.remember_key, arguments)
    } else {
        // Its turn goes on later, and asks with the same call.
        let request = asked_again(approval);
        let key = policy::remember_key(&approval.tool, &approval.arguments);
        judge(state, approval.lane, &request, &key, arguments)
    };
    let vain = match decision.verdict {
        policy::Verdict::Deny => true,
        policy::Verdict::Ask => decision.needs > approval.needs,
        policy::Verdict::Allow => false,
    };
    vain.then_some(decision)
}

/// What the rules say of a call with these arguments: its own, or those of the person's edit.
fn judge(state: &State, lane: LaneId, request: &CallRequest, key: &str, arguments: &Value) -> policy::Decision {
    let command = arguments.get("command").and_then(Value::as_str).map(str::to_owned);
    let writes = writes(request, arguments);
    let known = |of: Option<LaneId>| state.model.remembered.contains(&(of, request.call.tool.clone(), key.to_owned()));
    let remembered = if known(None) {
        policy::Remembered::Always
    } else if known(Some(lane)) {
        policy::Remembered::Session
    } else {
        policy::Remembered::No
    };
    policy::decide(&policy::Question {
        tool: &request.call.tool,
        action: &action(request, arguments),
        command: command.as_deref(),
        writes: &writes,
        reads: &reads(request, arguments),
        directory: &request.directory,
        policy: state.policy(Some(lane)),
        mode: state.mode(lane),
        mode_place: state.mode_place(lane),
        remembered,
        web: &state.settings.web.allow,
        server: request.server.as_ref().map(|tool| policy::ServerQuestion {
            tool,
            rules: state.settings.servers.iter().find(|server| server.name == tool.server),
        }),
    })
}

/// Overlaps of files with other lanes' holds that hold this call back.
fn file_overlaps(state: &State, lane: LaneId, prompt: PromptId, files: &[String]) -> Vec<Overlap> {
    let patterns: Vec<Pattern> = files.iter().filter_map(|p| Pattern::file(p).ok()).collect();
    live_overlaps(state, lane, prompt, &patterns)
}

/// Whether what a conflict is about is still held by its other lane.
pub(super) fn still_held(state: &State, conflict: &Conflict) -> bool {
    // A prompt names paths, directories and globs; a write names files.
    let read = |path: &String| match conflict.kind {
        ConflictKind::Write => Pattern::file(path).ok(),
        ConflictKind::Prompt | ConflictKind::Warning | ConflictKind::Base => path.parse().ok(),
    };
    let patterns: Vec<Pattern> = conflict.paths.iter().filter_map(read).collect();
    live_overlaps(state, conflict.lane, conflict.prompt, &patterns).iter().any(|o| o.with == conflict.with)
}

/// Overlaps with other lanes that hold back.
fn live_overlaps(state: &State, lane: LaneId, prompt: PromptId, paths: &[Pattern]) -> Vec<Overlap> {
    if paths.is_empty() {
        return Vec::new();
    }
    // Changes at rest are many; they are compared only where they hold something back.
    let holds = if state.settings.block_on_unmerged { settle::holds(state) } else { settle::live_holds(state) };
    check(state, lane, prompt, paths, &holds).into_iter().filter(|o| o.live).collect()
}

/// All overlaps with other lanes: what blocks, and what only warns.
pub(super) fn overlaps(state: &State, lane: LaneId, prompt: PromptId, paths: &[Pattern]) -> Vec<Overlap> {
    if paths.is_empty() { Vec::new() } else { check(state, lane, prompt, paths, &settle::holds(state)) }
}

fn check(state: &State, lane: LaneId, prompt: PromptId, paths: &[Pattern], holds: &Holds<'_>) -> Vec<Overlap> {
    let overridden = state.model.prompts.get(&prompt).map(|p| p.overridden.as_slice()).unwrap_or_default();
    let at_rest = if state.settings.block_on_unmerged { AtRest::Block } else { AtRest::Warn };
    preflight::check(lane, paths, holds, overridden, at_rest)
}
