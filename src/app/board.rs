//! Issues as a board: the plan's groups, and in each of them what is to be done first.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::State;
use super::report::offer_words;
use crate::domain::{Issue, IssueId, OfferKind};

/// Issues that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardGroup {
    /// The plan's group; none: all that is in no group.
    pub name: Option<String>,
    /// Its issues, each after what it waits for.
    pub issues: Vec<IssueId>,
    /// How many of them are done.
    pub done: usize,
}

/// One issue as the board shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardLine {
    /// What it is called.
    pub title: String,
    /// Where it stands, in one word.
    pub state: &'static str,
    /// Who owns it.
    pub owner: Option<String>,
    /// When its owner last changed.
    pub since: Timestamp,
    /// What it waits for, what is offered, whether it is late.
    pub notes: Vec<String>,
}

/// Every issue that is to be seen: each once, done ones only where the plan names them.
#[must_use]
pub fn board(state: &State) -> Vec<BoardGroup> {
    let shared = &state.model.shared;
    let levels = levels(state);
    let planned = shared.plan.as_ref().map(|applied| applied.plan.all()).unwrap_or_default();
    let done = |id: &IssueId| shared.issues.get(id).is_some_and(|issue| issue.done.is_some());
    let mut left: BTreeSet<IssueId> =
        shared.issues.keys().copied().filter(|id| !done(id) || planned.contains(id)).collect();
    let group = |name: Option<String>, mut issues: Vec<IssueId>| {
        issues.sort_by_key(|id| (levels.get(id).copied().unwrap_or_default(), *id));
        let done = issues.iter().filter(|id| done(id)).count();
        BoardGroup { name, issues, done }
    };
    let mut groups = Vec::new();
    for (name, all) in shared.plan.iter().flat_map(|applied| &applied.plan.groups) {
        let own: Vec<IssueId> = all.iter().copied().filter(|id| left.remove(id)).collect();
        groups.push(group(Some(name.clone()), own));
    }
    groups.push(group(None, left.into_iter().collect()));
    groups.retain(|group| !group.issues.is_empty());
    groups
}

/// How long the longest chain of issues is that has to be done before each. Nothing waits for itself.
fn levels(state: &State) -> BTreeMap<IssueId, usize> {
    let shared = &state.model.shared;
    let mut open: BTreeMap<IssueId, usize> = BTreeMap::new();
    let mut after: BTreeMap<IssueId, Vec<IssueId>> = BTreeMap::new();
    for id in shared.issues.keys() {
        let on: Vec<IssueId> = shared.blockers(*id).into_iter().filter(|on| shared.issues.contains_key(on)).collect();
        open.insert(*id, on.len());
        for on in on {
            after.entry(on).or_default().push(*id);
        }
    }
    let mut levels = BTreeMap::new();
    let mut ready: Vec<IssueId> = open.iter().filter(|(_, count)| **count == 0).map(|(id, _)| *id).collect();
    let mut level = 0;
    while !ready.is_empty() {
        let mut next = Vec::new();
        for id in ready {
            levels.insert(id, level);
            for waiting in after.get(&id).into_iter().flatten() {
                if let Some(count) = open.get_mut(waiting) {
                    *count -= 1;
                    if *count == 0 {
                        next.push(*waiting);
                    }
                }
            }
        }
        ready = next;
        level += 1;
    }
    levels
}

/// Where an issue stands, in one word.
#[must_use]
pub fn issue_word(state: &State, issue: &Issue) -> &'static str {
    let shared = &state.model.shared;
    let offered = shared.offers_of(issue.id).any(|offer| offer.kind != OfferKind::Request);
    match (&issue.claim, issue.done) {
        (Some(_), _) if offered => "offered",
        (Some(_), _) => "owned",
        (None, Some(_)) => "done",
        (None, None) if offered => "offered",
        (None, None) if !shared.open_blockers(issue.id).is_empty() => "waiting",
        (None, None) => "open",
    }
}

/// What the board says of an issue.
#[must_use]
pub fn board_line(state: &State, issue: &Issue, now: Timestamp) -> BoardLine {
    let shared = &state.model.shared;
    let waits = shared.open_blockers(issue.id);
    let mut notes = Vec::new();
    if issue.claim.as_ref().and_then(|claim| claim.due).is_some_and(|due| due <= now) {
        notes.push("! overdue".to_owned());
    }
    if !waits.is_empty() {
        let of = |on: &IssueId| match shared.owner(*on) {
            Some(owner) => format!("{on} ({})", state.model.name(owner)),
            None => on.to_string(),
        };
        notes.push(format!("waits for {}", waits.iter().map(of).collect::<Vec<_>>().join(", ")));
    }
    notes.extend(shared.offers_of(issue.id).map(|offer| offer_words(state, offer)));
    BoardLine {
        title: state.title(issue.id).unwrap_or_default().to_owned(),
        state: issue_word(state, issue),
        owner: issue.owner().map(|lane| state.model.name(lane)),
        since: issue.since,
        notes,
    }
}
