//! What became of approvals: who asked what by which rule, and who answered.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Document;
use super::text::{line, table};
use crate::app::{ApprovalQuery, Model};
use crate::domain::{AnswerScope, Answerer, Approval, ApprovalId, ApprovalState, Change, Event};

/// Cells of an action, and of a reason.
const CELLS: usize = 70;

/// What one event says.
struct Said<'a> {
    approval: ApprovalId,
    /// `asked`, `confirmed`, or the state it came to.
    what: &'static str,
    by: Option<&'a Answerer>,
    scope: Option<AnswerScope>,
    reason: Option<&'a str>,
    /// The arguments as they were edited.
    edited: Option<&'a Value>,
}

fn said(change: &Change) -> Option<Said<'_>> {
    match change {
        Change::ApprovalAdded { approval } => {
            Some(Said { approval: approval.id, what: "asked", by: None, scope: None, reason: None, edited: None })
        }
        Change::ApprovalConfirmed { approval, by, .. } => {
            Some(Said { approval: *approval, what: "confirmed", by: Some(by), scope: None, reason: None, edited: None })
        }
        Change::ApprovalMoved { approval, state, scope, reason, arguments, by, .. } => Some(Said {
            approval: *approval,
            what: state.word(),
            by: by.as_ref(),
            scope: *scope,
            reason: reason.as_deref().filter(|reason| !reason.is_empty()),
            edited: arguments.as_ref(),
        }),
        _ => None,
    }
}

/// The document of these events, oldest first. What was asked is told with each: of an approval whose question is
/// older than the first of them, as far as it is known.
#[must_use]
pub fn approval_history_document(model: &Model, query: &ApprovalQuery, events: &[Event]) -> Document {
    let changes: Vec<(&Event, Change)> = events.iter().filter_map(|event| Some((event, event.change()?))).collect();
    let mut asked: BTreeMap<ApprovalId, &Approval> = BTreeMap::new();
    for (_, change) in &changes {
        if let Change::ApprovalAdded { approval } = change {
            asked.insert(approval.id, approval);
        }
    }
    let (mut rows, mut list) = (Vec::new(), Vec::new());
    for (event, change) in &changes {
        let Some(said) = said(change) else { continue };
        let question = asked.get(&said.approval).copied().or_else(|| model.approvals.get(&said.approval));
        let lane = event.lane.or(question.map(|approval| approval.lane)).map(|lane| model.name(lane));
        list.push(json!({
            "seq": event.seq,
            "at": event.at.to_string(),
            "approval": said.approval.to_string(),
            "lane": lane,
            "what": said.what,
            "by": said.by.map(|by| by.words.as_str()),
            "scope": said.scope.map(AnswerScope::word),
            "reason": said.reason,
            "edited": said.edited,
            "tool": question.map(|approval| approval.tool.as_str()),
            "action": question.map(|approval| approval.action.as_str()),
            "rule": question.map(|approval| approval.rule.rule.as_str()),
            "place": question.map(|approval| approval.rule.place.as_str()),
            "needs": question.map(|approval| approval.needs),
        }));
        rows.push(vec![
            format!("{:.0}", event.at),
            said.approval.to_string(),
            lane.unwrap_or_default(),
            what_words(&said),
            detail(&said, question),
        ]);
    }
    let text = if rows.is_empty() { "no agent has asked anything yet".to_owned() } else { table(&rows) };
    let title = match query.lane {
        Some(lane) => format!("approvals of {}", model.name(lane)),
        None => "approvals so far".to_owned(),
    };
    Document { title, json: json!({ "events": list }), text }
}

fn what_words(said: &Said<'_>) -> String {
    let edited = if said.edited.is_some() { "edited, " } else { "" };
    match said.scope {
        Some(scope) => format!("{edited}{} {}", said.what, scope.word()),
        None => format!("{edited}{}", said.what),
    }
}

/// What was asked and why; or who answered.
fn detail(said: &Said<'_>, question: Option<&Approval>) -> String {
    if said.what == "asked" {
        let Some(question) = question else { return String::new() };
        let two = if question.needs > 1 { " · needs two" } else { "" };
        return format!(
            "{}: {}  — {} ({}){two}",
            question.tool,
            line(&question.action, CELLS),
            line(&question.rule.rule, CELLS),
            line(&question.rule.place, CELLS)
        );
    }
    let reason = said.reason.map(|reason| format!(": {}", line(reason, CELLS))).unwrap_or_default();
    match said.by {
        Some(by) => format!("by {}{reason}", line(&by.words, CELLS)),
        None if said.what == ApprovalState::Expired.word() => {
            let late = question.is_some_and(Approval::timed_out);
            if late {
                "nobody answered in time".to_owned()
            } else {
                "no answer before its time or turn was over".to_owned()
            }
        }
        None => format!("by a rule or mode{reason}"),
    }
}
