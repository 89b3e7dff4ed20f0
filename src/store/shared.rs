//! What lanes share: issues, offers, queues for holds, plans, reports and keys. Changes to rows, and rows to what is
//! kept in memory. Mail stands beside it, in `mail`.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::error::Fault;
use super::load::{json, last, maybe, rows, text};
use super::mail;
use super::value::{Json, Text};
use super::write::{count, execute, known, run};
use crate::domain::{
    AppliedPlan, Claim, ClaimId, HoldChange, Issue, IssueChange, IssueId, Keyed, Keys, LaneId, Lease, Offer, OfferId,
    OfferOutcome, PlanChange, SharedIds, SharedWork, Ticket, WorkReport,
};

/// Plans that are kept, the newest of them in force.
const PLANS: i64 = 100;

pub(super) fn issue(db: &Connection, change: &IssueChange) -> Result<(), Fault> {
    match change {
        IssueChange::Titled { issue, title, at } => {
            add(db, *issue, *at)?;
            run(db, "UPDATE issues SET title = ?2 WHERE id = ?1", params![issue.0, title])
        }
        IssueChange::Claimed { issue, claim } => claimed(db, *issue, claim),
        IssueChange::Released { issue, claim, done, at, .. } => {
            end_claim(db, *issue, *at, "released")?;
            let rows = execute(
                db,
                "UPDATE issues SET claim = NULL, since = ?2, done = CASE WHEN ?3 THEN ?2 END
                 WHERE id = ?1 AND claim = ?4",
                params![issue.0, Text(at), done, claim.0],
            )?;
            known(rows, "issue", issue)
        }
        IssueChange::Reopened { issue, at } => {
            let sql = "UPDATE issues SET since = ?2, done = NULL WHERE id = ?1";
            known(execute(db, sql, params![issue.0, Text(at)])?, "issue", issue)
        }
        IssueChange::Offered { offer } => {
            add(db, offer.issue, offer.created)?;
            run(
                db,
                "INSERT INTO offers (id, issue, body, state, open, created) VALUES (?1, ?2, ?3, 'pending', 1, ?4)",
                params![offer.id.0, offer.issue.0, Json(offer), Text(offer.created)],
            )?;
            count(db, "offer", offer.id.0)
        }
        IssueChange::Answered { offer, outcome, reason, at, .. } => {
            answered(db, *offer, *outcome, reason.as_deref(), *at)
        }
        IssueChange::Blocked { issue, on, at } => {
            add(db, *issue, *at)?;
            add(db, *on, *at)?;
            let sql = "INSERT INTO blockers (issue, on_issue) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            run(db, sql, params![issue.0, on.0])
        }
        IssueChange::Unblocked { issue, on } => {
            run(db, "DELETE FROM blockers WHERE issue = ?1 AND on_issue = ?2", params![issue.0, on.0])
        }
        IssueChange::Attempted { claim, attempts, .. } => {
            let rows = execute(db, "UPDATE claims SET attempts = ?2 WHERE id = ?1", params![claim.0, attempts])?;
            known(rows, "claim", claim)
        }
    }
}

/// An issue is known from the first time that it is named.
fn add(db: &Connection, issue: IssueId, at: Timestamp) -> Result<(), Fault> {
    run(db, "INSERT INTO issues (id, since) VALUES (?1, ?2) ON CONFLICT DO NOTHING", params![issue.0, Text(at)])
}

fn claimed(db: &Connection, issue: IssueId, claim: &Claim) -> Result<(), Fault> {
    add(db, issue, claim.at)?;
    end_claim(db, issue, claim.at, "handed-over")?;
    run(
        db,
        "INSERT INTO claims (id, issue, lane, at, due, attempts, handoff) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            claim.id.0,
            issue.0,
            claim.lane.0,
            Text(claim.at),
            claim.due.map(Text),
            claim.attempts,
            claim.handoff.as_ref().map(Json),
        ],
    )?;
    run(
        db,
        "UPDATE issues SET claim = ?2, since = ?3, done = NULL WHERE id = ?1",
        params![issue.0, claim.id.0, Text(claim.at)],
    )?;
    count(db, "claim", claim.id.0)
}

fn end_claim(db: &Connection, issue: IssueId, at: Timestamp, how: &str) -> Result<(), Fault> {
    let sql = "UPDATE claims SET ended = ?2, outcome = ?3 WHERE issue = ?1 AND ended IS NULL";
    run(db, sql, params![issue.0, Text(at), how])
}

fn answered(
    db: &Connection,
    offer: OfferId,
    outcome: OfferOutcome,
    reason: Option<&str>,
    at: Timestamp,
) -> Result<(), Fault> {
    let rows = execute(
        db,
        "UPDATE offers SET state = ?2, open = 0, reason = ?3, ended = ?4 WHERE id = ?1 AND open",
        params![offer.0, Text(outcome), reason, Text(at)],
    )?;
    known(rows, "offer", &offer)
}

pub(super) fn hold(db: &Connection, change: &HoldChange) -> Result<(), Fault> {
    match change {
        HoldChange::Renewed { reservation, lease, .. } => {
            let rows = execute(
                db,
                "UPDATE reservations SET lease = ?2 WHERE id = ?1",
                params![reservation.0, lease.as_ref().map(Json)],
            )?;
            known(rows, "reservation", reservation)
        }
        HoldChange::Moved { reservation, lane } => {
            let rows = execute(db, "UPDATE reservations SET lane = ?2 WHERE id = ?1", params![reservation.0, lane.0])?;
            known(rows, "reservation", reservation)
        }
        HoldChange::Queued { ticket } => {
            let sql = "INSERT INTO tickets (id, lane, body) VALUES (?1, ?2, ?3)";
            run(db, sql, params![ticket.id.0, ticket.lane.0, Json(ticket)])?;
            count(db, "ticket", ticket.id.0)
        }
        HoldChange::Unqueued { ticket, .. } => run(db, "DELETE FROM tickets WHERE id = ?1", params![ticket.0]),
    }
}

pub(super) fn plan(db: &Connection, change: &PlanChange) -> Result<(), Fault> {
    let PlanChange::Applied { applied } = change;
    for issue in applied.plan.all() {
        add(db, issue, applied.at)?;
    }
    run(
        db,
        "INSERT INTO plans (digest, body, at) VALUES (?1, ?2, ?3)",
        params![applied.digest, Json(&applied.plan), Text(applied.at)],
    )?;
    run(db, "DELETE FROM plans WHERE number <= (SELECT max(number) FROM plans) - ?1", params![PLANS])
}

pub(super) fn report(db: &Connection, report: &WorkReport) -> Result<(), Fault> {
    run(
        db,
        "INSERT INTO reports (id, lane, issue, claim, state, body, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            report.id.0,
            report.lane.0,
            report.issue.map(|issue| issue.0),
            report.claim.map(|claim| claim.0),
            Text(report.state),
            Json(report),
            Text(report.at),
        ],
    )?;
    count(db, "report", report.id.0)
}

pub(super) fn keyed(db: &Connection, keyed: &Keyed) -> Result<(), Fault> {
    let party = keyed.party.number();
    run(
        db,
        "INSERT OR REPLACE INTO keys (party, key, body) VALUES (?1, ?2, ?3)",
        params![party, keyed.key, Json(keyed)],
    )?;
    run(
        db,
        "DELETE FROM keys WHERE party = ?1 AND number <=
            (SELECT number FROM keys WHERE party = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)",
        params![party, Keys::KEPT as i64],
    )
}

/// Records of what is over that are kept of each kind: ended claims, answered offers, reports that newer ones follow.
/// Nothing is decided by them, and their story stands in history.
pub(super) const RECORDS: usize = 10_000;

/// Drops what is over, but for the newest `keep` of each kind.
pub(super) fn prune(db: &Connection, keep: usize) -> Result<usize, Fault> {
    let transaction = db.unchecked_transaction()?;
    let mut gone = 0;
    for sql in [
        "DELETE FROM claims WHERE ended IS NOT NULL AND id <= (SELECT max(id) FROM claims) - ?1",
        "DELETE FROM offers WHERE NOT open AND id <= (SELECT max(id) FROM offers) - ?1",
        "DELETE FROM reports WHERE id <= (SELECT max(id) FROM reports) - ?1
            AND EXISTS (SELECT 1 FROM reports newer WHERE newer.lane = reports.lane AND newer.id > reports.id)",
    ] {
        gone += execute(&transaction, sql, params![keep as i64])?;
    }
    transaction.commit()?;
    Ok(gone)
}

/// The lane that owned a claim's issue, for events.
pub(super) const LANE_OF_ISSUE: &str =
    "SELECT claims.lane FROM issues JOIN claims ON claims.id = issues.claim WHERE issues.id = ?1";

/// All that is kept in memory.
pub(super) fn all(db: &Connection) -> Result<SharedWork, rusqlite::Error> {
    let mut shared = SharedWork {
        mail: mail::boxes(db)?,
        last: SharedIds {
            claim: last(db, "claim")?,
            offer: last(db, "offer")?,
            message: last(db, "message")?,
            scheduled: last(db, "scheduled")?,
            report: last(db, "report")?,
            ticket: last(db, "ticket")?,
        },
        ..SharedWork::default()
    };
    let issues = rows(
        db,
        "SELECT issues.id, issues.title, issues.since, issues.done, issues.claim,
                claims.lane, claims.at, claims.due, claims.attempts, claims.handoff
         FROM issues LEFT JOIN claims ON claims.id = issues.claim ORDER BY issues.id",
        [],
        |row| {
            let claim = row.get::<_, Option<i64>>("claim")?.map(|id| {
                Ok::<_, rusqlite::Error>(Claim {
                    id: ClaimId(id),
                    lane: LaneId(row.get("lane")?),
                    at: text(row, "at")?,
                    due: maybe(row, "due")?,
                    attempts: row.get("attempts")?,
                    handoff: row.get::<_, Option<Json<_>>>("handoff")?.map(|json| json.0),
                })
            });
            Ok(Issue {
                id: IssueId(row.get("id")?),
                title: row.get("title")?,
                claim: claim.transpose()?,
                blockers: std::collections::BTreeSet::new(),
                done: maybe(row, "done")?,
                since: text(row, "since")?,
            })
        },
    )?;
    shared.issues = issues.into_iter().map(|issue| (issue.id, issue)).collect();
    for (issue, on) in
        rows(db, "SELECT issue, on_issue FROM blockers", [], |row| Ok((IssueId(row.get(0)?), IssueId(row.get(1)?))))?
    {
        if let Some(issue) = shared.issues.get_mut(&issue) {
            issue.blockers.insert(on);
        }
    }
    let offers = rows(db, "SELECT body FROM offers WHERE open ORDER BY id", [], |row| json::<Offer>(row, "body"))?;
    shared.offers = offers.into_iter().map(|offer| (offer.id, offer)).collect();
    let tickets = rows(db, "SELECT body FROM tickets ORDER BY id", [], |row| json::<Ticket>(row, "body"))?;
    shared.tickets = tickets.into_iter().map(|ticket| (ticket.id, ticket)).collect();
    shared.plan = db
        .prepare_cached("SELECT digest, body, at FROM plans ORDER BY number DESC LIMIT 1")?
        .query_row([], |row| {
            Ok(AppliedPlan { digest: row.get("digest")?, plan: json(row, "body")?, at: text(row, "at")? })
        })
        .optional()?;
    let reports = rows(
        db,
        "SELECT body FROM reports WHERE id IN (SELECT max(id) FROM reports GROUP BY lane) ORDER BY id",
        [],
        |row| json::<WorkReport>(row, "body"),
    )?;
    shared.reports = reports.into_iter().map(|report| (report.lane, report)).collect();
    for keyed in rows(db, "SELECT body FROM keys ORDER BY number", [], |row| json::<Keyed>(row, "body"))? {
        shared.keys.keep(keyed);
    }
    Ok(shared)
}

/// A hold's lease, as its column has it.
pub(super) fn lease(row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<Lease>> {
    Ok(row.get::<_, Option<Json<_>>>("lease")?.map(|json| json.0))
}
