//! Reports: what each kind must say, and what it does to a claim.

use std::fmt::Write as _;

use serde_json::json;

use super::deadlines::attempts_words;
use super::ledger::{Acts, Decision, Ledger};
use super::offers::{SUMMARY, check_items, check_text};
use super::refusal::{Reason, Refusal};
use crate::domain::{Change, IssueChange, IssueId, LaneId, Party, ReportId, WorkReport, WorkState};

/// What a lane reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// How its work stands.
    pub state: WorkState,
    /// The issue it is about; none: the one it owns, if it is one.
    pub issue: Option<IssueId>,
    /// In its words; may be empty.
    pub summary: String,
    /// What shows it.
    pub evidence: Vec<String>,
    /// What is left to do.
    pub remaining: Vec<String>,
    /// What it waits for.
    pub until: Option<String>,
    /// The commit it stands on.
    pub commit: Option<String>,
}

/// A lane reports how its work stands.
///
/// # Errors
/// When it lacks what such a report must have, the issue is somebody else's, or an issue is said to be ready while what
/// it waits for is not done.
pub fn report(ledger: &Ledger<'_>, lane: LaneId, account: Account) -> Result<Decision, Refusal> {
    let name = ledger.open(lane)?.name.to_string();
    if !account.summary.is_empty() {
        check_text("summary", &account.summary, SUMMARY)?;
    }
    check_items("piece of evidence", &account.evidence)?;
    check_items("remaining item", &account.remaining)?;
    if let Some(until) = &account.until {
        check_text("what it waits for", until, SUMMARY)?;
    }
    let word = account.state.word();
    let lacks = |what: &str, option: &str| {
        Err(Refusal::new(Reason::Invalid, format!("a report of `{word}` says {what}")).next(format!("add `{option}`")))
    };
    match account.state {
        WorkState::Ready if account.evidence.is_empty() => return lacks("what shows it", "--evidence TEXT"),
        WorkState::Blocked | WorkState::Partial if account.remaining.is_empty() => {
            return lacks("what is left to do", "--remaining TEXT");
        }
        WorkState::Waiting if account.until.is_none() => return lacks("what it waits for", "--until TEXT"),
        _ => {}
    }
    let owned: Vec<IssueId> = ledger.shared.owned(lane).map(|issue| issue.id).collect();
    let issue = match (account.issue, owned.as_slice()) {
        (None, [only]) => Some(*only),
        // Which of them is ready, or has spent an attempt, nobody can guess.
        (None, [_, _, ..]) if matches!(account.state, WorkState::Ready | WorkState::Blocked) => {
            let list: Vec<String> = owned.iter().map(ToString::to_string).collect();
            return Err(Refusal::new(
                Reason::Condition,
                format!("lane `{name}` owns {} issues: say which one is {word}: {}", list.len(), list.join(", ")),
            )
            .next(format!("add `--issue {}`", owned[0].0)));
        }
        (said, _) => said,
    };
    let claim = issue.map(|issue| ledger.own_claim(lane, issue)).transpose()?;
    if let (WorkState::Ready, Some(issue)) = (account.state, issue) {
        let open: Vec<String> = ledger.shared.open_blockers(issue).iter().map(|on| waits_for(ledger, *on)).collect();
        if !open.is_empty() {
            return Err(Refusal::new(
                Reason::Condition,
                format!("issue {issue} cannot be ready: it waits for {}", open.join(", ")),
            )
            .next(format!("report `partial` or `waiting`, or `paralane issue unblock {} --on N`", issue.0)));
        }
    }
    let mut acts = Acts::new(ledger);
    let report = WorkReport {
        id: ReportId(ledger.shared.last.report + 1),
        lane,
        issue,
        claim: claim.map(|claim| claim.id),
        state: account.state,
        summary: account.summary,
        evidence: account.evidence,
        remaining: account.remaining,
        until: account.until,
        commit: account.commit,
        at: ledger.now,
    };
    let about = issue.map(|issue| format!(" on issue {issue}")).unwrap_or_default();
    let mut words = format!("{}: lane {name} reports {word}{about}", report.id);
    let json = json!({
        "done": words, "id": report.id.to_string(), "lane": name, "state": word, "issue": issue.map(|issue| issue.0),
    });
    acts.changes.push(Change::Reported { report: Box::new(report) });
    if let (WorkState::Blocked, Some(issue), Some(claim)) = (account.state, issue, claim) {
        let attempts = claim.attempts + 1;
        acts.issue(IssueChange::Attempted { issue, claim: claim.id, attempts });
        if let Some(most) = ledger.shared.deadlines.attempts.filter(|most| attempts >= *most) {
            let spent = attempts_words(attempts, most);
            let _ = write!(words, "; the issue {spent}; `{name}` owns it still");
            let subject = format!("`{name}` is blocked on issue {issue} again");
            let body = format!("Issue {issue} {spent}. `{name}` owns it still.");
            acts.tell([Party::Operator], Some(issue), subject, body);
        }
    }
    Ok(acts.done(words, json))
}

fn waits_for(ledger: &Ledger<'_>, on: IssueId) -> String {
    match ledger.shared.owner(on) {
        Some(owner) => format!("{on} (owned by `{}`)", ledger.name(owner)),
        None => format!("{on} (nobody's)"),
    }
}
