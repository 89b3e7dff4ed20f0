//! What a native CLI's tools really did, compared with what they were to do: a lane that left its branch, and files that
//! it wrote without saying so while another lane holds them.

use crate::app::{Activity, Effect, LiveLane};
use crate::base::{Report, clip, one_line};
use crate::coordination::Pattern;
use crate::domain::{Change, ConflictKind, GitFacts, Lane, LaneId, NativeCall, ReasonClass};
use crate::preflight::{self, AtRest, Overlap};

use super::super::step::Step;
use super::super::{approvals, conflicts, settle};
use super::decide;

/// Calls of one lane that are watched at once.
const RUNNING: usize = 64;
/// Cells of a call in words.
const SHOWN: usize = 80;

/// What history calls this check.
const CHECK: &str = "after-check";

/// Git was looked at: a lane that stands on another branch than before, and not on its own, is told once. The problem
/// names the command that brings it back.
pub(in crate::app::update) fn slipped(step: &mut Step<'_>, lane: LaneId, facts: &GitFacts) {
    let before = step.state.live(lane).and_then(|live| live.git.as_ref()).and_then(|git| git.drifted_to.clone());
    let governed = step.state.model.lanes.get(&lane).is_some_and(|lane| lane.kind.native().is_some());
    let Some(to) = facts.drifted_to.clone().filter(|to| governed && Some(to) != before.as_ref()) else { return };
    let words = format!("{} stands on `{to}` and not on its own branch", step.state.model.name(lane));
    found(step, lane, words.clone(), ReasonClass::BranchDrift);
    step.ring(words);
}

/// Files were changed that no call has announced: where another lane holds them, it is a conflict.
pub(in crate::app::update) fn unannounced(step: &mut Step<'_>, lane: LaneId, paths: &[String]) {
    let governed = step.state.model.lanes.get(&lane).is_some_and(|lane| lane.kind.native().is_some());
    let Some(prompt) = step.state.model.active_prompt(lane).filter(|_| governed) else { return };
    let (prompt, overridden) = (prompt.id, prompt.overridden.clone());
    let patterns: Vec<Pattern> = paths.iter().filter_map(|path| Pattern::plain(path).ok()).collect();
    let mut overlaps = preflight::check(lane, &patterns, &settle::live_holds(step.state), &overridden, AtRest::Warn);
    overlaps.retain(|overlap| overlap.live);
    if overlaps.is_empty() {
        return;
    }
    let named: Vec<String> = overlaps.iter().map(|overlap| decide::held_words(step.state, overlap)).collect();
    for overlap in &mut overlaps {
        overlap.cause = format!("{}; written all the same, and announced by no call", overlap.cause);
    }
    conflicts::record(step, lane, prompt, None, ConflictKind::Warning, &overlaps);
    let words = format!("it wrote what another lane holds: {}", named.join("; "));
    found(step, lane, words, ReasonClass::ReservedPath);
    approvals::ring(step, lane, "it wrote what another lane holds");
}

/// A call begins that may write anywhere.
pub(super) fn begins(step: &mut Step<'_>, lane: LaneId, call: &NativeCall) {
    if decide::looks(call) {
        return;
    }
    let now = step.env.now;
    let running = &mut step.live(lane).running;
    if running.len() >= RUNNING {
        running.remove(0);
    }
    running.push((call.clone(), now));
}

/// A call is over: what was changed in the base checkout meanwhile is looked for.
pub(super) fn compare_base(step: &mut Step<'_>, lane: LaneId, call: Option<&NativeCall>) {
    let running = &mut step.live(lane).running;
    let Some(at) = running.iter().position(|(known, _)| Some(known) == call) else { return };
    let (call, since) = running.remove(at);
    // A lane that works in the base checkout changes it by right.
    let works = |live: &LiveLane| live.turn.is_some() || live.activity() == Activity::Work;
    let by_right =
        |of: &Lane| of.place.branch.is_none() && (of.id == lane || step.state.live(of.id).is_some_and(works));
    if !step.state.model.open_lanes().any(by_right) {
        let call = clip(&one_line(&format!("{} {}", call.tool, call.action)), SHOWN);
        step.now.push(Effect::CompareBase { lane, since, call });
    }
}

/// The base checkout was changed while a call ran: perhaps by the person, so nothing is taken back.
pub(in crate::app::update) fn elsewhere(step: &mut Step<'_>, lane: LaneId, paths: Vec<String>, call: &str) {
    let words = format!("the base checkout was changed while its call `{call}` ran: {}", paths.join(", "));
    found(step, lane, words.clone(), ReasonClass::OutsideLane);
    if let Some(prompt) = step.state.model.active_prompt(lane).map(|prompt| prompt.id) {
        let cause = format!("changed while `{call}` ran");
        let overlap = Overlap { with: lane, paths, cause, live: false };
        conflicts::record(step, lane, prompt, None, ConflictKind::Base, &[overlap]);
    } else {
        let hint = "`git status` there shows it; a lane's program has no business in it";
        step.problem(Some(lane), Report::refused(words).hint(hint));
    }
    approvals::ring(step, lane, "the base checkout was changed while its call ran");
}

/// Keeps what was found as an event.
fn found(step: &mut Step<'_>, lane: LaneId, words: String, class: ReasonClass) {
    step.activity(Some(lane), words);
    let (event, answer) = (CHECK.to_owned(), "slipped".to_owned());
    step.change(Change::HookAnswered { lane, event, tool: String::new(), answer, class });
}
