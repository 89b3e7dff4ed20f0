//! Steps of coordination in words, as history and `watch` tell them.

use crate::app::Model;
use crate::domain::{HoldChange, IssueChange, MailChange, Offer, OfferKind, Party, PlanChange, SendWhen, WorkReport};

use super::text::line;

/// Cells of a summary or subject.
const CELLS: usize = 80;

pub(super) fn issue(model: &Model, change: &IssueChange) -> String {
    let lane = |id| model.name(id);
    match change {
        IssueChange::Titled { issue, title, .. } => format!("issue {issue} is called {}", line(title, CELLS)),
        IssueChange::Claimed { issue, claim } => {
            let from = claim.handoff.as_ref().map(|handoff| format!(", handed over by {}", lane(handoff.from)));
            format!("{} owns issue {issue} ({}){}", lane(claim.lane), claim.id, from.unwrap_or_default())
        }
        IssueChange::Released { issue, claim, lane: by, done, .. } => {
            let done = if *done { ": it is done" } else { "" };
            format!("{} released issue {issue} ({claim}){done}", lane(*by))
        }
        IssueChange::Reopened { issue, .. } => format!("issue {issue} is open again"),
        IssueChange::Offered { offer } => offered(model, offer),
        IssueChange::Answered { offer, issue, outcome, reason, .. } => {
            let why = reason.as_ref().map(|why| format!(": {}", line(why, CELLS)));
            format!("{offer} of issue {issue} is {}{}", outcome.word(), why.unwrap_or_default())
        }
        IssueChange::Blocked { issue, on, .. } => format!("issue {issue} waits for {on}"),
        IssueChange::Unblocked { issue, on } => format!("issue {issue} waits for {on} no more"),
        IssueChange::Attempted { issue, claim, attempts } => {
            let times = if *attempts == 1 { "once".to_owned() } else { format!("{attempts} times") };
            format!("issue {issue} was reported as blocked {times} under {claim}")
        }
    }
}

fn offered(model: &Model, offer: &Offer) -> String {
    let (id, issue, to) = (offer.id, offer.issue, model.name(offer.to));
    let summary = line(&offer.summary, CELLS);
    match offer.kind {
        OfferKind::Handover => format!("{} offers issue {issue} to {to} ({id}): {summary}", model.party(offer.from)),
        OfferKind::Assignment => format!("issue {issue} is assigned to {to} ({id}): {summary}"),
        OfferKind::Request => format!("{to} asks for issue {issue} ({id}): {summary}"),
    }
}

pub(super) fn hold(model: &Model, change: &HoldChange) -> String {
    match change {
        HoldChange::Renewed { reservation, lane, lease } => {
            let until = lease.map_or_else(|| "until it is released".to_owned(), |l| format!("until {:.0}", l.until));
            format!("{} has {reservation} {until}", model.name(*lane))
        }
        HoldChange::Moved { reservation, lane } => {
            format!("{reservation} goes to {} with its issue", model.name(*lane))
        }
        HoldChange::Queued { ticket } => {
            let what = line(&ticket.patterns.join(", "), CELLS);
            format!("{} waits for {what} ({})", model.name(ticket.lane), ticket.id)
        }
        HoldChange::Unqueued { ticket, lane, granted: true } => {
            format!("{} is given what it waited for ({ticket})", model.name(*lane))
        }
        HoldChange::Unqueued { ticket, lane, granted: false } => {
            format!("{} waits no more ({ticket})", model.name(*lane))
        }
    }
}

pub(super) fn mail(model: &Model, change: &MailChange) -> String {
    let name = |party: &Party| model.party(*party);
    let names = |all: &[Party]| line(&all.iter().map(name).collect::<Vec<_>>().join(", "), CELLS);
    match change {
        MailChange::Sent { message } => {
            let ack = if message.ack { ", to be acknowledged" } else { "" };
            let (from, to) = (name(&message.from), names(&message.to));
            format!("{} {from} → {to}: {}{ack}", message.id, line(&message.subject, CELLS))
        }
        MailChange::Read { message, by, .. } => format!("{} has read {message}", name(by)),
        MailChange::Acknowledged { message, by, .. } => format!("{} has acknowledged {message}", name(by)),
        MailChange::Superseded { message, by, of, .. } => {
            format!("{message} gave way to {by} before {} read it", name(of))
        }
        MailChange::Excused { message, of, .. } => {
            format!("{} was closed and had not acknowledged {message}", name(of))
        }
        MailChange::Scheduled { item } => {
            let when = match item.when {
                SendWhen::At(at) => format!("at {at:.0}"),
                SendWhen::Released(issue) => format!("when {issue} is released"),
            };
            format!("{} {} → {} goes out {when}", item.id, name(&item.draft.from), names(&item.draft.to))
        }
        MailChange::Unscheduled { item } => format!("{item} is sent or cancelled"),
    }
}

pub(super) fn plan(change: &PlanChange) -> String {
    let PlanChange::Applied { applied } = change;
    let issues = applied.plan.all().len();
    let digest = applied.digest.get(..12).unwrap_or_default();
    format!("plan {} ({digest}) with {issues} issues is in force", line(&applied.plan.name, CELLS))
}

pub(super) fn report(model: &Model, report: &WorkReport) -> String {
    let about = report.issue.map(|issue| format!(" on issue {issue}")).unwrap_or_default();
    let more = [report.summary.as_str()].into_iter().chain(report.until.as_deref());
    let more = more.chain(report.remaining.iter().chain(&report.evidence).map(String::as_str));
    let more: Vec<&str> = more.filter(|text| !text.is_empty()).collect();
    let more = if more.is_empty() { String::new() } else { format!(": {}", line(&more.join("; "), CELLS)) };
    format!("{} {} reports {}{about}{more}", report.id, model.name(report.lane), report.state.word())
}
