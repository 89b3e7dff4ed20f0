//! What lanes share: issues, offers, holds and queues, reports, plan, deadlines.

use std::fmt::Write as _;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::app::State;
use crate::app::board::issue_word;
use crate::base::{Report, nearest};
use crate::command::{IssueCommand, PlanCommand, Surface, WorkCommand, as_taken};
use crate::coordination::plans::{Branch, diff, digest, tree};
use crate::coordination::{next, overdue};
use crate::domain::{Deadlines, Issue, IssueId, LaneId, Offer, OfferKind, Plan, Reservation, Ticket, WorkReport};

use super::Document;
use super::text::{age, line, table};

/// Cells of a title or reason in a table.
const CELLS: usize = 60;

/// The document of a command of coordination that reads from memory.
///
/// # Errors
/// When what is named does not exist.
pub fn work_document(
    state: &State,
    now: Timestamp,
    surface: Surface,
    command: &WorkCommand,
) -> Result<Document, Report> {
    match command {
        WorkCommand::Issue(IssueCommand::List { all, lane }) => {
            let lane = lane.as_deref().map(|typed| lane_named(state, typed)).transpose()?;
            Ok(list(state, now, *all, lane))
        }
        WorkCommand::Issue(IssueCommand::Show { issue }) => show(state, now, *issue),
        WorkCommand::Issue(IssueCommand::Next { lane, limit }) => {
            let lane = lane.as_deref().map(|typed| lane_named(state, typed)).transpose()?;
            Ok(choices(state, now, lane, *limit))
        }
        WorkCommand::Reservations { lane } => {
            let lane = lane.as_deref().map(|typed| lane_named(state, typed)).transpose()?;
            Ok(holds(state, now, lane))
        }
        WorkCommand::Report(_) => Ok(reports(state, now)),
        WorkCommand::DeadlinesShow => Ok(deadlines(state, now, surface)),
        WorkCommand::Plan(PlanCommand::Show) => Ok(plan(state, now)),
        _ => Err(Report::internal("the command prints no document")),
    }
}

fn lane_named(state: &State, typed: &str) -> Result<LaneId, Report> {
    let by_number = || typed.parse().ok().and_then(|number| state.model.lane_at(number));
    state.model.lane_named(typed).or_else(by_number).map(|lane| lane.id).ok_or_else(|| {
        let report = Report::refused(format!("there is no lane `{typed}`"));
        match nearest(typed, state.model.open_lanes().map(|lane| lane.name.as_str())) {
            Some(name) => report.hint(format!("did you mean `{name}`?")),
            None => report.hint("`paralane lane list` shows the lanes"),
        }
    })
}

fn issue_json(state: &State, now: Timestamp, issue: &Issue) -> Value {
    let shared = &state.model.shared;
    let claim = issue.claim.as_ref();
    let numbers = |all: Vec<IssueId>| all.into_iter().map(|issue| issue.0).collect::<Vec<_>>();
    let plan = shared.plan.as_ref().map(|applied| &applied.plan);
    json!({
        "issue": issue.id.0,
        "title": state.title(issue.id),
        "state": issue_word(state, issue),
        "owner": issue.owner().map(|lane| state.model.name(lane)),
        "claim": claim.map(|claim| claim.id.to_string()),
        "since": issue.since.to_string(),
        "due": claim.and_then(|claim| claim.due).map(|at| at.to_string()),
        "overdue": claim.and_then(|claim| claim.due).is_some_and(|due| due <= now),
        "attempts": claim.map(|claim| claim.attempts),
        "done": issue.done.map(|at| at.to_string()),
        "waits_for": numbers(shared.open_blockers(issue.id)),
        "depends_on": numbers(shared.blockers(issue.id).into_iter().collect()),
        "groups": plan.map(|plan| plan.groups_of(issue.id).map(|(name, _)| name).collect::<Vec<_>>()).unwrap_or_default(),
        "offers": shared.offers_of(issue.id).map(|offer| offer_json(state, offer)).collect::<Vec<_>>(),
    })
}

fn offer_json(state: &State, offer: &Offer) -> Value {
    json!({
        "id": offer.id.to_string(),
        "kind": offer.kind.word(),
        "from": state.model.party(offer.from),
        "to": state.model.name(offer.to),
        "summary": offer.summary,
        "remaining": offer.remaining,
        "commit": offer.commit,
        "due": offer.due.map(|at| at.to_string()),
        "created": offer.created.to_string(),
    })
}

/// What is offered or asked for, in a few words.
pub(in crate::app) fn offer_words(state: &State, offer: &Offer) -> String {
    let to = state.model.name(offer.to);
    match offer.kind {
        OfferKind::Handover => format!("{} offered to {to}", offer.id),
        OfferKind::Assignment => format!("{} assigned to {to}", offer.id),
        OfferKind::Request => format!("{} asked for by {to}", offer.id),
    }
}

fn list(state: &State, now: Timestamp, all: bool, lane: Option<LaneId>) -> Document {
    let shared = &state.model.shared;
    let meant = |issue: &&Issue| {
        (all || issue.done.is_none())
            && lane.is_none_or(|lane| {
                issue.owner() == Some(lane) || shared.offers_of(issue.id).any(|offer| offer.to == lane)
            })
    };
    let issues: Vec<&Issue> = shared.issues.values().filter(meant).collect();
    let rows: Vec<Vec<String>> = issues
        .iter()
        .map(|issue| {
            let claim = issue.claim.as_ref();
            let owner = claim.map_or_else(|| "–".to_owned(), |claim| state.model.name(claim.lane));
            let mut notes: Vec<String> = shared.offers_of(issue.id).map(|offer| offer_words(state, offer)).collect();
            let waits: Vec<String> = shared.open_blockers(issue.id).iter().map(ToString::to_string).collect();
            if !waits.is_empty() {
                notes.push(format!("waits for {}", waits.join(" ")));
            }
            if let Some(due) = claim.and_then(|claim| claim.due) {
                notes.push(if due <= now {
                    format!("! overdue by {}", age(due, now))
                } else {
                    format!("due in {}", age(now, due))
                });
            }
            vec![
                issue.id.to_string(),
                issue_word(state, issue).to_owned(),
                owner,
                claim.map(|claim| claim.id.to_string()).unwrap_or_default(),
                age(issue.since, now),
                line(state.title(issue.id).unwrap_or_default(), CELLS),
                notes.join(" · "),
            ]
        })
        .collect();
    let text = if rows.is_empty() {
        "no issue is known; `issue claim N --lane NAME` claims one, `plan apply FILE` names many".to_owned()
    } else {
        table(&rows)
    };
    let json = json!({ "issues": issues.iter().map(|issue| issue_json(state, now, issue)).collect::<Vec<_>>() });
    Document { title: "issues".into(), json, text }
}

fn show(state: &State, now: Timestamp, id: IssueId) -> Result<Document, Report> {
    let shared = &state.model.shared;
    let issue = shared.issues.get(&id).ok_or_else(|| {
        Report::refused(format!("issue {id} is not known")).hint(format!(
            "`paralane issue claim {} --lane NAME` claims it; `paralane issue list` shows those known",
            id.0
        ))
    })?;
    let mut json = issue_json(state, now, issue);
    let claim = issue.claim.as_ref();
    let handoff = claim.and_then(|claim| claim.handoff.as_ref());
    let report = shared.reports.values().filter(|report| report.issue == Some(id)).max_by_key(|report| report.id);
    let held: Vec<&Reservation> = state.model.reservations.values().filter(|held| held.issue == Some(id)).collect();
    json["handoff"] = handoff.map_or(Value::Null, |handoff| {
        json!({
            "from": state.model.name(handoff.from), "summary": handoff.summary,
            "remaining": handoff.remaining, "commit": handoff.commit,
        })
    });
    json["report"] = report.map_or(Value::Null, |report| report_json(state, report));
    json["reservations"] = json!(held.iter().map(|held| &held.pattern).collect::<Vec<_>>());
    let mut rows = vec![
        vec!["issue".to_owned(), format!("{id} {}", state.title(id).unwrap_or_default()).trim().to_owned()],
        vec!["state".to_owned(), format!("{} for {}", issue_word(state, issue), age(issue.since, now))],
    ];
    if let Some(claim) = claim {
        rows.push(vec!["owner".to_owned(), format!("{} ({})", state.model.name(claim.lane), claim.id)]);
        if let Some(due) = claim.due {
            let words = if due <= now { format!("! {} ago", age(due, now)) } else { format!("in {}", age(now, due)) };
            rows.push(vec!["due".to_owned(), words]);
        }
        if claim.attempts > 0 {
            rows.push(vec!["blocked".to_owned(), format!("{} times", claim.attempts)]);
        }
    }
    if let Some(handoff) = handoff {
        rows.push(vec!["from".to_owned(), format!("{}: {}", state.model.name(handoff.from), handoff.summary)]);
        rows.extend(handoff.remaining.iter().map(|item| vec![String::new(), format!("- {item}")]));
        rows.extend(handoff.commit.iter().map(|commit| vec!["stood at".to_owned(), short(commit).to_owned()]));
    }
    for on in shared.blockers(id) {
        let owner = shared.owner(on).map_or_else(|| "nobody's".to_owned(), |lane| state.model.name(lane));
        let done = shared.issues.get(&on).is_some_and(|on| on.done.is_some());
        rows.push(vec!["waits for".to_owned(), format!("{on} ({})", if done { "done".to_owned() } else { owner })]);
    }
    for offer in shared.offers_of(id) {
        let at = offer.commit.as_deref().map(|commit| format!(" at {}", short(commit))).unwrap_or_default();
        let words = offer_words(state, offer);
        rows.push(vec!["offer".to_owned(), format!("{words}{at}: {}", line(&offer.summary, CELLS))]);
    }
    rows.extend(held.iter().map(|held| vec!["holds".to_owned(), held.pattern.clone()]));
    if let Some(report) = report {
        rows.push(vec!["report".to_owned(), report_words(state, report, now)]);
    }
    Ok(Document { title: format!("issue {id}"), json, text: table(&rows) })
}

fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}

fn choices(state: &State, now: Timestamp, lane: Option<LaneId>, most: usize) -> Document {
    let all = next(&state.ledger(now), lane, most);
    let rows: Vec<Vec<String>> = all
        .iter()
        .map(|one| {
            let title = line(state.title(one.issue).unwrap_or_default(), CELLS);
            vec![one.issue.to_string(), title, one.reasons.join("; ")]
        })
        .collect();
    let text = if rows.is_empty() {
        "nothing could be begun: every issue known is owned, done or waits".into()
    } else {
        table(&rows)
    };
    let json =
        all.iter().map(|one| json!({ "issue": one.issue.0, "title": state.title(one.issue), "reasons": one.reasons }));
    Document { title: "what could be next".into(), json: json!({ "issues": json.collect::<Vec<_>>() }), text }
}

fn holds(state: &State, now: Timestamp, lane: Option<LaneId>) -> Document {
    let meant = |of: LaneId| lane.is_none_or(|lane| lane == of);
    let held: Vec<&Reservation> = state.model.reservations.values().filter(|held| meant(held.lane)).collect();
    let tickets: Vec<&Ticket> = state.model.shared.tickets.values().filter(|ticket| meant(ticket.lane)).collect();
    let mut rows: Vec<Vec<String>> = held
        .iter()
        .map(|held| {
            let mut notes = Vec::new();
            notes.extend(held.issue.map(|issue| format!("for {issue}")));
            notes.extend(held.lease.map(|lease| format!("until {:.0}", lease.until)));
            notes.extend(held.reason.as_ref().map(|reason| line(reason, CELLS)));
            let how = if held.shared { "shares" } else { "holds" };
            vec![
                state.model.name(held.lane),
                how.to_owned(),
                held.pattern.clone(),
                age(held.created, now),
                notes.join(" · "),
            ]
        })
        .collect();
    rows.extend(tickets.iter().map(|ticket| {
        let reason = ticket.reason.as_ref().map(|reason| line(reason, CELLS)).unwrap_or_default();
        let what = ticket.patterns.join(" ");
        vec![
            state.model.name(ticket.lane),
            "waits".to_owned(),
            what,
            age(ticket.created, now),
            format!("{} {reason}", ticket.id),
        ]
    }));
    let text = if rows.is_empty() { "nothing is reserved".to_owned() } else { table(&rows) };
    let json = json!({
        "reservations": held.iter().map(|held| json!({
            "id": held.id.to_string(), "lane": state.model.name(held.lane), "pattern": held.pattern,
            "shared": held.shared, "reason": held.reason, "issue": held.issue.map(|issue| issue.0),
            "until": held.lease.map(|lease| lease.until.to_string()), "created": held.created.to_string(),
        })).collect::<Vec<_>>(),
        "waiting": tickets.iter().map(|ticket| json!({
            "id": ticket.id.to_string(), "lane": state.model.name(ticket.lane), "patterns": ticket.patterns,
            "shared": ticket.shared, "reason": ticket.reason, "created": ticket.created.to_string(),
        })).collect::<Vec<_>>(),
    });
    Document { title: "reservations".into(), json, text }
}

fn report_json(state: &State, report: &WorkReport) -> Value {
    json!({
        "id": report.id.to_string(),
        "lane": state.model.name(report.lane),
        "issue": report.issue.map(|issue| issue.0),
        "claim": report.claim.map(|claim| claim.to_string()),
        "state": report.state.word(),
        "summary": report.summary,
        "evidence": report.evidence,
        "remaining": report.remaining,
        "until": report.until,
        "commit": report.commit,
        "at": report.at.to_string(),
    })
}

fn report_words(state: &State, report: &WorkReport, now: Timestamp) -> String {
    let name = state.model.name(report.lane);
    let mut words = format!("{} {name} {} {} ago", report.id, report.state.word(), age(report.at, now));
    for (what, list) in [("evidence", &report.evidence), ("remaining", &report.remaining)] {
        if !list.is_empty() {
            let _ = write!(words, " · {what}: {}", list.join("; "));
        }
    }
    if let Some(until) = &report.until {
        let _ = write!(words, " · until: {until}");
    }
    words
}

fn reports(state: &State, now: Timestamp) -> Document {
    let all: Vec<&WorkReport> = state.model.shared.reports.values().collect();
    let rows: Vec<Vec<String>> = all
        .iter()
        .map(|report| {
            let mut notes: Vec<String> = Vec::new();
            notes.extend(Some(&report.summary).filter(|text| !text.is_empty()).map(|text| line(text, CELLS)));
            notes.extend(report.evidence.iter().map(|item| format!("✓ {}", line(item, CELLS))));
            notes.extend(report.remaining.iter().map(|item| format!("- {}", line(item, CELLS))));
            notes.extend(report.until.iter().map(|until| format!("until {}", line(until, CELLS))));
            let issue = report.issue.map(|issue| issue.to_string()).unwrap_or_default();
            let lane = state.model.name(report.lane);
            vec![report.id.to_string(), lane, report.state.word().into(), issue, age(report.at, now), notes.join(" · ")]
        })
        .collect();
    let text = if rows.is_empty() {
        "no lane has reported; `report --lane NAME --state STATE …` does".to_owned()
    } else {
        table(&rows)
    };
    let json = json!({ "reports": all.iter().map(|report| report_json(state, report)).collect::<Vec<_>>() });
    Document { title: "reports".into(), json, text }
}

/// Deadlines in words.
#[must_use]
pub fn deadline_words(deadlines: &Deadlines) -> String {
    let time = |seconds: Option<u32>| {
        seconds.map_or_else(|| "none".to_owned(), |seconds| crate::command::Interval(seconds).to_string())
    };
    format!(
        "claim {}, offer {}, request {}, ack {}, attempts {}",
        time(deadlines.claim),
        time(deadlines.offer),
        time(deadlines.request),
        time(deadlines.ack),
        deadlines.attempts.map_or_else(|| "none".to_owned(), |count| count.to_string()),
    )
}

fn deadlines(state: &State, now: Timestamp, surface: Surface) -> Document {
    let set = state.model.shared.deadlines;
    let late = overdue(&state.ledger(now));
    let mut text = format!("{}\n", deadline_words(&set));
    let rows: Vec<Vec<String>> = late
        .iter()
        .map(|one| {
            let clear = as_taken(&format!("`paralane {}`", one.clear), surface);
            vec![format!("! {}", age(one.since, now)), one.words.clone(), clear]
        })
        .collect();
    let more = if rows.is_empty() { "nothing is late\n".to_owned() } else { table(&rows) };
    text.push_str(&more);
    let late: Vec<Value> = late
        .iter()
        .map(|one| {
            let lane = one.lane.map(|lane| state.model.name(lane));
            json!({ "lane": lane, "since": one.since.to_string(), "words": one.words, "clear": format!("paralane {}", one.clear) })
        })
        .collect();
    let json = json!({
        "claim": set.claim, "offer": set.offer, "request": set.request, "ack": set.ack, "attempts": set.attempts,
        "late": late,
    });
    Document { title: "deadlines".into(), json, text }
}

fn plan(state: &State, now: Timestamp) -> Document {
    let shared = &state.model.shared;
    let branches = tree(&state.ledger(now));
    let mut text = String::new();
    if let Some(applied) = &shared.plan {
        let short = applied.digest.get(..12).unwrap_or_default();
        let _ = writeln!(text, "{} · {short} · applied {} ago", line(&applied.plan.name, CELLS), age(applied.at, now));
    } else {
        text.push_str("no plan is in force; `plan apply FILE` puts one in force\n");
    }
    for branch in &branches {
        text.push_str(&branch_line(state, branch));
    }
    if let Some(applied) = &shared.plan {
        for (name, all) in &applied.plan.groups {
            let done = |issue: &&IssueId| shared.issues.get(issue).is_some_and(|issue| issue.done.is_some());
            let list: Vec<String> = all.iter().map(ToString::to_string).collect();
            let count = all.iter().filter(done).count();
            let _ = writeln!(text, "group {name}: {} ({count} of {} done)", list.join(" "), all.len());
        }
    }
    let json = json!({
        "plan": shared.plan.as_ref().map(|applied| &applied.plan.name),
        "digest": shared.plan.as_ref().map(|applied| &applied.digest),
        "applied": shared.plan.as_ref().map(|applied| applied.at.to_string()),
        "groups": shared.plan.as_ref().map(|applied| {
            let numbers = |all: &std::collections::BTreeSet<IssueId>| all.iter().map(|issue| issue.0).collect::<Vec<_>>();
            applied.plan.groups.iter().map(|(name, all)| (name.clone(), json!(numbers(all)))).collect::<serde_json::Map<_, _>>()
        }),
        "tree": branches.iter().map(|branch| {
            let issue = shared.issues.get(&branch.issue);
            json!({
                "depth": branch.depth,
                "issue": branch.issue.0,
                "title": state.title(branch.issue),
                "state": issue.map(|issue| issue_word(state, issue)),
                "owner": shared.owner(branch.issue).map(|lane| state.model.name(lane)),
                "by_hand": branch.by_hand,
                "again": branch.again,
            })
        }).collect::<Vec<_>>(),
    });
    Document { title: "plan".into(), json, text }
}

fn branch_line(state: &State, branch: &Branch) -> String {
    let shared = &state.model.shared;
    let indent = "   ".repeat(branch.depth.saturating_sub(1));
    let lead = if branch.depth == 0 { String::new() } else { format!("{indent}└─ ") };
    let stands = shared.issues.get(&branch.issue).map_or("open", |issue| issue_word(state, issue));
    let owner = shared.owner(branch.issue).map(|lane| format!(" {}", state.model.name(lane))).unwrap_or_default();
    let title = state.title(branch.issue).map(|title| format!(" {}", line(title, CELLS))).unwrap_or_default();
    let again = if branch.again { " (see above)" } else { "" };
    let by_hand = if branch.by_hand { " (by hand)" } else { "" };
    format!("{lead}{}{title} · {stands}{owner}{by_hand}{again}\n", branch.issue)
}

/// What a plan would change.
#[must_use]
pub fn plan_diff(state: &State, plan: &Plan) -> Document {
    let old = state.model.shared.plan.as_ref();
    let lines = diff(old.map(|applied| &applied.plan), plan);
    let text = if lines.is_empty() { "nothing would change\n".to_owned() } else { format!("{}\n", lines.join("\n")) };
    let json = json!({
        "plan": plan.name, "digest": digest(plan), "in_force": old.map(|applied| &applied.digest), "changes": lines,
    });
    Document { title: format!("plan {}", line(&plan.name, CELLS)), json, text }
}
