//! What must be done before what. No issue waits for itself, by whatever way round.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::ledger::{Acts, Decision, Ledger};
use super::refusal::{Reason, Refusal};
use crate::domain::{IssueChange, IssueId, Party};

/// Issues that one issue may wait for by hand.
pub const BLOCKERS: usize = 10;

/// The way from an issue to another along what they wait for, both ends included.
pub(super) fn path(
    from: IssueId,
    to: IssueId,
    waits_for: &dyn Fn(IssueId) -> BTreeSet<IssueId>,
) -> Option<Vec<IssueId>> {
    let mut came: BTreeMap<IssueId, IssueId> = BTreeMap::new();
    let mut open = vec![from];
    let mut seen = BTreeSet::from([from]);
    while let Some(at) = open.pop() {
        if at == to {
            let mut way = vec![to];
            let mut last = to;
            while let Some(before) = came.get(&last) {
                way.push(*before);
                last = *before;
            }
            way.reverse();
            return Some(way);
        }
        for next in waits_for(at) {
            if seen.insert(next) {
                came.insert(next, at);
                open.push(next);
            }
        }
    }
    None
}

/// A round of issues that wait for each other, if there is one.
pub(super) fn cycle(
    all: impl IntoIterator<Item = IssueId>,
    waits_for: &dyn Fn(IssueId) -> BTreeSet<IssueId>,
) -> Option<Vec<IssueId>> {
    // 1: being looked at, 2: leads to no round.
    let mut marks: BTreeMap<IssueId, u8> = BTreeMap::new();
    for start in all {
        let mut stack: Vec<(IssueId, Vec<IssueId>)> = Vec::new();
        if let Entry::Vacant(mark) = marks.entry(start) {
            mark.insert(1);
            stack.push((start, waits_for(start).into_iter().collect()));
        }
        while let Some((at, rest)) = stack.last_mut() {
            let at = *at;
            let Some(next) = rest.pop() else {
                marks.insert(at, 2);
                stack.pop();
                continue;
            };
            match marks.get(&next) {
                Some(1) => {
                    let mut round: Vec<IssueId> =
                        stack.iter().map(|(issue, _)| *issue).skip_while(|issue| *issue != next).collect();
                    round.push(next);
                    return Some(round);
                }
                Some(_) => {}
                None => {
                    marks.insert(next, 1);
                    stack.push((next, waits_for(next).into_iter().collect()));
                }
            }
        }
    }
    None
}

/// A round in words: `#1 → #2 → #1`.
pub(super) fn round_words(round: &[IssueId]) -> String {
    round.iter().map(ToString::to_string).collect::<Vec<_>>().join(" → ")
}

/// Who may say what an issue waits for: its owner and the person.
fn may_change(ledger: &Ledger<'_>, by: Party, issue: IssueId) -> Result<(), Refusal> {
    match by {
        Party::Lane(lane) => ledger.own_claim(lane, issue).map(|_| ()),
        Party::Operator | Party::House => Ok(()),
    }
}

/// An issue waits for another one from now on.
///
/// # Errors
/// When the issue is somebody else's, or would wait for itself.
pub fn block(ledger: &Ledger<'_>, by: Party, issue: IssueId, on: IssueId) -> Result<Decision, Refusal> {
    ledger.nameable(issue)?;
    ledger.nameable(on)?;
    may_change(ledger, by, issue)?;
    if issue == on {
        return Err(Refusal::new(Reason::Cycle, format!("issue {issue} cannot wait for itself")));
    }
    let shared = ledger.shared;
    let own = shared.issues.get(&issue).map(|issue| &issue.blockers);
    let words = format!("issue {issue} waits for {on}");
    let json = json!({ "done": words, "issue": issue.0, "on": on.0 });
    if own.is_some_and(|own| own.contains(&on)) {
        return Ok(Decision { changes: Vec::new(), words, json });
    }
    if let Some(own) = own.filter(|own| own.len() >= BLOCKERS) {
        let all: Vec<String> = own.iter().map(ToString::to_string).collect();
        return Err(Refusal::new(
            Reason::Limit,
            format!("issue {issue} waits for {} others already, as many as it may: {}", own.len(), all.join(", ")),
        )
        .next(format!("`paralane issue unblock {} --on N` takes one off", issue.0)));
    }
    if let Some(mut way) = path(on, issue, &|at| shared.blockers(at)) {
        way.insert(0, issue);
        return Err(Refusal::new(Reason::Cycle, format!("issue {issue} would wait for itself: {}", round_words(&way)))
            .next(format!("`paralane issue show {}` shows what each waits for", on.0)));
    }
    let mut acts = Acts::new(ledger);
    acts.issue(IssueChange::Blocked { issue, on, at: ledger.now });
    Ok(acts.done(words, json))
}

/// An issue does not wait for another one any more.
///
/// # Errors
/// When it does not, the plan says so, or the issue is somebody else's.
pub fn unblock(ledger: &Ledger<'_>, by: Party, issue: IssueId, on: IssueId) -> Result<Decision, Refusal> {
    may_change(ledger, by, issue)?;
    let own = ledger.shared.issues.get(&issue).is_some_and(|issue| issue.blockers.contains(&on));
    if !own {
        let refusal = Refusal::new(Reason::Condition, format!("issue {issue} does not wait for {on} by hand"));
        return Err(if ledger.shared.blockers(issue).contains(&on) {
            refusal.next("the plan says that it does: change its file and `paralane plan apply` it")
        } else {
            refusal.next(format!("`paralane issue show {}` shows what it waits for", issue.0))
        });
    }
    let mut acts = Acts::new(ledger);
    acts.issue(IssueChange::Unblocked { issue, on });
    let words = format!("issue {issue} does not wait for {on} any more");
    let json = json!({ "done": words, "issue": issue.0, "on": on.0 });
    Ok(acts.done(words, json))
}
