//! May this call run? Rules, holds and the person decide, in this order and in one place.

use crate::app::{Effect, Parked, State, TurnToken};
use crate::domain::{
    Approval, ApprovalId, ApprovalState, CallId, CallRequest, CallState, Change, ConflictKind, LaneId, LaneStage,
    PromptId, ToolCall, Verdict,
};
use crate::coordination::Pattern;
use crate::policy;
use crate::preflight::{self, AtRest, Overlap};

use super::step::Step;
use super::{approvals, conflicts};

/// A turn asks. The question is parked until it is decided.
pub(super) fn ask(step: &mut Step<'_>, lane: LaneId, token: TurnToken, request: CallRequest) {
    if step.state.live(lane).is_some_and(|l| l.turn_ending) {
        let reason = "the person cancelled the turn".to_owned();
        return step.now.push(Effect::Permitted(token, Verdict::Deny { reason }));
    }
    let call = request.call.id.clone();
    step.live(lane).parked.insert(call.clone(), Parked { token, request });
    decide(step, lane, &call);
    approvals::sync_waiting(step, lane);
}

/// Decides a parked call, or leaves it parked for the person or a hold. Deciding again is harmless.
pub(super) fn decide(step: &mut Step<'_>, lane: LaneId, call: &CallId) {
    let Some(parked) = step.state.live(lane).and_then(|l| l.parked.get(call)).cloned() else { return };
    let Some(prompt) = step.state.live(lane).and_then(|l| l.turn) else { return };
    if step.state.model.lanes.get(&lane).is_some_and(|l| l.stage == LaneStage::Paused) {
        return;
    }
    let request = &parked.request;
    let asked = step.state.model.approval_of(lane, call).cloned();
    if let Some(approval) = asked.as_ref().filter(|a| a.state == ApprovalState::Denied) {
        let reason = approval.reason.clone().filter(|r| !r.is_empty());
        let words = reason.map_or_else(
            || "the person denied this call; do not try it again".to_owned(),
            |r| format!("the person denied this call; do not try it again. Reason: {r}"),
        );
        return answer(step, lane, call, &parked, Verdict::Deny { reason: words });
    }
    let decision = judge(step.state, lane, request);
    if decision.verdict == policy::Verdict::Deny {
        return answer(step, lane, call, &parked, Verdict::Deny { reason: decision.reason });
    }
    let writes = writes(request, asked.as_ref());
    let overlaps = live_overlaps(step.state, lane, prompt, &writes);
    if !overlaps.is_empty() {
        mark(step, lane, prompt, call, CallState::Waiting);
        return conflicts::record(step, lane, prompt, Some(call), ConflictKind::Write, &overlaps);
    }
    let allowed = asked.as_ref().is_some_and(|a| a.state == ApprovalState::Allowed);
    if decision.verdict == policy::Verdict::Allow || allowed {
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
        mark(step, lane, prompt, call, CallState::Waiting);
        question(step, lane, prompt, request, decision.rule);
    }
}

/// The paths a call would write: those of the person's edit, if there is one.
fn writes(request: &CallRequest, asked: Option<&Approval>) -> Vec<String> {
    let edited = asked.filter(|a| a.arguments != request.call.arguments && !request.writes.is_empty());
    match edited.and_then(|a| a.arguments.get("path")).and_then(serde_json::Value::as_str) {
        Some(path) => Pattern::file(path).map_or_else(|_| request.writes.clone(), |p| vec![p.as_str().to_owned()]),
        None => request.writes.clone(),
    }
}

fn question(
    step: &mut Step<'_>,
    lane: LaneId,
    prompt: PromptId,
    request: &CallRequest,
    rule: crate::domain::RuleOrigin,
) {
    let id = ApprovalId(step.state.model.last_ids.approval + 1);
    step.change(Change::ApprovalAdded {
        approval: Box::new(Approval {
            id,
            lane,
            prompt,
            call: request.call.id.clone(),
            tool: request.call.tool.clone(),
            action: request.action.clone(),
            arguments: request.call.arguments.clone(),
            diff: request.diff.clone(),
            directory: request.directory.clone(),
            rule,
            state: ApprovalState::Pending,
            scope: None,
            reason: None,
            created: step.env.now,
            ended: None,
        }),
    });
    step.activity(Some(lane), format!("{id} asks: {} {}", request.call.tool, crate::base::one_line(&request.action)));
    approvals::ring(step, lane, &format!("allow {}?", request.call.tool));
}

/// Moves a call, unless it is there already.
fn mark(step: &mut Step<'_>, lane: LaneId, prompt: PromptId, call: &CallId, state: CallState) {
    if step.state.model.calls.get(&(lane, call.clone())) != Some(&state) {
        step.change(Change::CallMoved { lane, prompt, call: call.clone(), state });
    }
}

fn answer(step: &mut Step<'_>, lane: LaneId, call: &CallId, parked: &Parked, verdict: Verdict) {
    step.live(lane).parked.remove(call);
    step.then.push(Effect::Permitted(parked.token, verdict));
}

fn judge(state: &State, lane: LaneId, request: &CallRequest) -> policy::Decision {
    let key = policy::remember_key(&request.call.tool, &request.call.arguments);
    let known = |of: Option<LaneId>| state.model.remembered.contains(&(of, request.call.tool.clone(), key.clone()));
    let remembered = if known(None) {
        policy::Remembered::Always
    } else if known(Some(lane)) {
        policy::Remembered::Session
    } else {
        policy::Remembered::No
    };
    policy::decide(&policy::Question {
        tool: &request.call.tool,
        action: &request.action,
        writes: &request.writes,
        mode: state.mode(lane),
        mode_place: state.mode_place(lane),
        remembered,
    })
}

/// Overlaps with other lanes' holds that hold this prompt or call back.
pub(super) fn live_overlaps(state: &State, lane: LaneId, prompt: PromptId, paths: &[String]) -> Vec<Overlap> {
    let patterns: Vec<Pattern> = paths.iter().filter_map(|p| Pattern::file(p).ok()).collect();
    overlaps(state, lane, prompt, &patterns).into_iter().filter(|o| o.live).collect()
}

/// All overlaps with other lanes: what blocks, and what only warns.
pub(super) fn overlaps(state: &State, lane: LaneId, prompt: PromptId, paths: &[Pattern]) -> Vec<Overlap> {
    if paths.is_empty() {
        return Vec::new();
    }
    let overridden = state.model.prompts.get(&prompt).map(|p| p.overridden.as_slice()).unwrap_or_default();
    let at_rest = if state.settings.block_on_unmerged { AtRest::Block } else { AtRest::Warn };
    preflight::check(lane, paths, &super::settle::holds(state), overridden, at_rest)
}
