//! May this call of a native CLI run? In this order: the lane's own state, what no mode allows, rules and mode, other
//! lanes' holds.

use crate::app::State;
use crate::coordination::Pattern;
use crate::domain::{HookAnswer, LaneId, LaneStage, NativeCall, ReasonClass};
use crate::policy::{self, Remembered, Verdict};
use crate::preflight::{self, AtRest, Overlap};

use super::super::settle;

/// The decision, and what it rests on.
pub(super) fn call(state: &State, lane: LaneId, call: &NativeCall) -> (HookAnswer, ReasonClass) {
    let deny = |class, words: String| (HookAnswer::Deny(words), class);
    let name = state.model.name(lane);
    if state.model.lanes.get(&lane).is_some_and(|l| l.stage == LaneStage::Paused) {
        let words = format!("the person has paused this lane (`{name}`): stop here and wait to be told to go on");
        return deny(ReasonClass::Paused, words);
    }
    if let Some((class, words)) = &call.refused {
        return deny(*class, words.clone());
    }
    if let Some(words) = drift(state, lane).filter(|_| !call.returns && !looks(call)) {
        return deny(ReasonClass::BranchDrift, words);
    }
    let decision = rules(state, lane, call);
    if decision.verdict == Verdict::Deny {
        return deny(ReasonClass::Policy, decision.reason);
    }
    if decision.verdict == Verdict::Ask && decision.needs > 1 {
        return deny(ReasonClass::Policy, two_wanted(&decision));
    }
    if let Some(words) = held(state, lane, call) {
        return deny(ReasonClass::ReservedPath, words);
    }
    let spoken = decision.rule.place != BUILT_IN || call.known && call.inside;
    match decision.verdict {
        _ if !spoken => (HookAnswer::Pass, ReasonClass::NoOpinion),
        Verdict::Allow if decision.rule.place == "your answer" => {
            (HookAnswer::Allow(decision.reason), ReasonClass::Remembered)
        }
        Verdict::Allow => (HookAnswer::Allow(decision.reason), ReasonClass::Policy),
        _ => (HookAnswer::Ask(decision.reason), ReasonClass::Policy),
    }
}

/// Whether a call only looks at something.
pub(super) fn looks(call: &NativeCall) -> bool {
    matches!(call.tool.as_str(), "read" | "list" | "glob" | "grep" | "todo")
}

/// Why a call that needs the yes of two does not run: the CLI's own dialog takes the first answer that comes, whoever gives
/// it, and waits for no second one.
fn two_wanted(decision: &policy::Decision) -> String {
    format!(
        "the rule `{}` ({}) wants the yes of two people, which a call of this CLI cannot get: it runs with one answer. \
         Go on without it, and say that a lane with an agent of Paralane's own can ask both",
        decision.rule.rule, decision.rule.place
    )
}

/// Where a decision stands that no rule, no mode and no answer has made.
const BUILT_IN: &str = "built in";

/// What rules and mode say.
pub(super) fn rules(state: &State, lane: LaneId, call: &NativeCall) -> policy::Decision {
    let key = policy::remember_key(&call.tool, &call.arguments);
    let known = |of: Option<LaneId>| state.model.remembered.contains(&(of, call.tool.clone(), key.clone()));
    let remembered = if known(None) {
        Remembered::Always
    } else if known(Some(lane)) {
        Remembered::Session
    } else {
        Remembered::No
    };
    // A command's files are judged with the command.
    let writes = if call.command.is_some() { &[][..] } else { &call.writes };
    policy::decide(&policy::Question {
        tool: &call.tool,
        action: &call.action,
        command: call.command.as_deref(),
        writes,
        reads: &call.reads,
        directory: &call.directory,
        policy: state.policy(Some(lane)),
        mode: state.mode(lane),
        mode_place: state.mode_place(lane),
        remembered,
        web: &state.settings.web.allow,
        server: None,
    })
}

/// Who holds what it would write.
fn held(state: &State, lane: LaneId, call: &NativeCall) -> Option<String> {
    let paths: Vec<Pattern> = call.writes.iter().filter_map(|path| Pattern::plain(path).ok()).collect();
    if paths.is_empty() {
        return None;
    }
    let overridden = state.model.active_prompt(lane).map(|p| p.overridden.clone()).unwrap_or_default();
    let at_rest = if state.settings.block_on_unmerged { AtRest::Block } else { AtRest::Warn };
    let holds = if state.settings.block_on_unmerged { settle::holds(state) } else { settle::live_holds(state) };
    let overlap = preflight::check(lane, &paths, &holds, &overridden, at_rest).into_iter().find(|o| o.live)?;
    let held = held_words(state, &overlap);
    Some(format!("{held}: work on something else, or wait until it is released; `lanes` tells who holds what"))
}

/// Who holds what, and why.
pub(super) fn held_words(state: &State, overlap: &Overlap) -> String {
    format!("lane `{}` holds {} ({})", state.model.name(overlap.with), overlap.paths.join(", "), overlap.cause)
}

/// Why a lane that stands on another branch does nothing but return.
pub(super) fn drift(state: &State, lane: LaneId) -> Option<String> {
    let branch = state.model.lanes.get(&lane)?.place.branch.as_ref()?;
    let other = state.live(lane)?.git.as_ref()?.drifted_to.as_ref()?;
    Some(format!(
        "this lane works on `{branch}` and stands on `{other}`: run `git switch {branch}` first, and only that"
    ))
}
