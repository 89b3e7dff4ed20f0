//! What is late. Being late is told, and moves nothing.

use jiff::Timestamp;

use super::ledger::{Ledger, age};
use crate::domain::{IssueId, LaneId, MessageId, OfferId, Party};

/// What is late.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Late {
    /// A claimed issue.
    Claim(IssueId),
    /// An offer or request without an answer.
    Offer(OfferId),
    /// A message that somebody has not acknowledged.
    Ack(MessageId),
    /// An issue whose attempts are spent.
    Attempts(IssueId),
}

/// Something that is late.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overdue {
    /// What.
    pub what: Late,
    /// Whose turn it is, if it is a lane's.
    pub lane: Option<LaneId>,
    /// Since when.
    pub since: Timestamp,
    /// In words.
    pub words: String,
    /// The command that clears it.
    pub next: String,
}

/// Everything that is late, oldest first.
#[must_use]
pub fn overdue(ledger: &Ledger<'_>) -> Vec<Overdue> {
    let now = ledger.now;
    let late = |due: Option<Timestamp>| due.filter(|due| *due <= now);
    let mut all = Vec::new();
    for issue in ledger.shared.issues.values() {
        let Some(claim) = &issue.claim else { continue };
        let (id, name) = (issue.id, ledger.name(claim.lane));
        if let Some(since) = late(claim.due) {
            all.push(Overdue {
                what: Late::Claim(id),
                lane: Some(claim.lane),
                since,
                words: format!("issue {id} is overdue by {}, still owned by `{name}`", age(since, now)),
                next: format!("`paralane issue show {}`; `paralane issue release {} --lane {name}`", id.0, id.0),
            });
        }
        if let Some(most) = ledger.shared.deadlines.attempts.filter(|most| claim.attempts >= *most) {
            all.push(Overdue {
                what: Late::Attempts(id),
                lane: Some(claim.lane),
                since: claim.at,
                words: format!("issue {id} has spent {} of {most} attempts, still owned by `{name}`", claim.attempts),
                next: format!("`paralane issue show {}`; `paralane issue assign {} LANE`", id.0, id.0),
            });
        }
    }
    for offer in ledger.shared.offers.values() {
        let Some(since) = late(offer.due) else { continue };
        let owner = ledger.shared.owner(offer.issue).filter(|_| offer.kind == crate::domain::OfferKind::Request);
        let lane = owner.unwrap_or(offer.to);
        let name = ledger.name(lane);
        all.push(Overdue {
            what: Late::Offer(offer.id),
            lane: Some(lane),
            since,
            words: format!(
                "{} {} of issue {} has waited {} too long for `{name}`",
                offer.kind.word(),
                offer.id,
                offer.issue,
                age(since, now)
            ),
            next: format!(
                "`paralane issue accept {0} --lane {name}`, `issue decline {0}` or `issue cancel {0}`",
                offer.id
            ),
        });
    }
    for (id, awaited) in &ledger.shared.mail.awaited {
        let Some(since) = late(awaited.due) else { continue };
        let names: Vec<String> = awaited.missing.iter().map(|party| ledger.party(*party)).collect();
        all.push(Overdue {
            what: Late::Ack(*id),
            lane: awaited.missing.first().copied().and_then(Party::lane),
            since,
            words: format!("{id} of `{}` is not acknowledged by {}", ledger.party(awaited.from), names.join(", ")),
            next: format!("`paralane mail ack {id} --lane {}`", names.first().map_or("NAME", String::as_str)),
        });
    }
    all.sort_by_key(|one| (one.since, one.what));
    all
}

/// When the next thing becomes late.
#[must_use]
pub fn next_late(ledger: &Ledger<'_>) -> Option<Timestamp> {
    let claims = ledger.shared.issues.values().filter_map(|issue| issue.claim.as_ref()?.due);
    let offers = ledger.shared.offers.values().filter_map(|offer| offer.due);
    let acks = ledger.shared.mail.awaited.values().filter_map(|awaited| awaited.due);
    claims.chain(offers).chain(acks).filter(|due| *due > ledger.now).min()
}
