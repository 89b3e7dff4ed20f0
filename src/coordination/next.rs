//! What a lane could do next, best first, and why. Nothing is claimed by asking.

use super::ledger::Ledger;
use crate::domain::{IssueId, LaneId, OfferKind, Plan};

/// An issue that nobody owns and that waits for nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The issue.
    pub issue: IssueId,
    /// Why it stands where it stands.
    pub reasons: Vec<String>,
    /// Higher is better.
    weight: i64,
}

/// The issues that could be begun, best first, at most so many. With a lane: as seen by it.
#[must_use]
pub fn next(ledger: &Ledger<'_>, lane: Option<LaneId>, most: usize) -> Vec<Choice> {
    let shared = ledger.shared;
    let plan = shared.plan.as_ref().map(|applied| &applied.plan);
    // Who waits for what, the other way round, once for all.
    let mut waiting: std::collections::BTreeMap<IssueId, usize> = std::collections::BTreeMap::new();
    for issue in shared.issues.values().filter(|issue| issue.done.is_none()) {
        for on in shared.blockers(issue.id) {
            *waiting.entry(on).or_default() += 1;
        }
    }
    let free = shared.issues.values().filter(|issue| issue.claim.is_none() && issue.done.is_none());
    let mut all: Vec<Choice> = free
        .filter(|issue| shared.open_blockers(issue.id).is_empty())
        .filter_map(|issue| {
            let assigned = shared.offers_of(issue.id).find(|offer| offer.kind == OfferKind::Assignment);
            let mut choice = Choice { issue: issue.id, reasons: Vec::new(), weight: 0 };
            if let Some(offer) = assigned {
                // What is assigned to another lane is no choice.
                if Some(offer.to) != lane {
                    return None;
                }
                choice.weight += 1_000;
                choice.reasons.push(format!("assigned to you ({})", offer.id));
            }
            if let Some(group) = plan.and_then(|plan| under_way(ledger, plan, issue.id)) {
                choice.weight += 100;
                choice.reasons.push(format!("group `{group}` is under way"));
            }
            if let Some(count) = waiting.get(&issue.id) {
                choice.weight += 10 * i64::try_from(*count).unwrap_or(i64::MAX / 100);
                let others = if *count == 1 { "one other waits".to_owned() } else { format!("{count} others wait") };
                choice.reasons.push(format!("{others} for it"));
            }
            if plan.is_some_and(|plan| plan.all().contains(&issue.id)) {
                choice.weight += 1;
                choice.reasons.push("it is in the plan".to_owned());
            }
            if choice.reasons.is_empty() {
                choice.reasons.push("it waits for nothing".to_owned());
            }
            Some(choice)
        })
        .collect();
    all.sort_by_key(|choice| (-choice.weight, choice.issue));
    all.truncate(most);
    all
}

/// A group of the issue in which somebody is at work, or something is done.
fn under_way<'p>(ledger: &Ledger<'_>, plan: &'p Plan, issue: IssueId) -> Option<&'p str> {
    let begun = |other: &IssueId| {
        *other != issue
            && ledger.shared.issues.get(other).is_some_and(|other| other.claim.is_some() || other.done.is_some())
    };
    plan.groups_of(issue).find(|(_, all)| all.iter().any(begun)).map(|(name, _)| name)
}
