//! What is late. Being late is told, and moves nothing.

use jiff::Timestamp;

use super::ledger::Ledger;
use crate::domain::{IssueId, LaneId, MessageId, OfferId};

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
    /// In words that stay the same while it is late.
    pub words: String,
    /// The command that clears it, without the program's name.
    pub clear: String,
    /// What else can be done.
    pub hint: String,
}

/// Everything that is late, oldest first.
#[must_use]
pub fn overdue(ledger: &Ledger<'_>) -> Vec<Overdue> {
    let late = |due: Option<Timestamp>| due.filter(|due| *due <= ledger.now);
    let shared = ledger.shared;
    let mut all = Vec::new();
    for issue in shared.issues.values() {
        let Some(claim) = &issue.claim else { continue };
        let (id, name) = (issue.id, ledger.name(claim.lane));
        let release = format!("issue release {} --lane {name}", id.0);
        let one = |what, since, words, hint| Overdue {
            what,
            lane: Some(claim.lane),
            since,
            words,
            clear: release.clone(),
            hint,
        };
        if let Some(since) = late(claim.due) {
            let words = format!("issue {id} is overdue, still owned by `{name}`");
            let hint = format!("`paralane issue show {}` tells how it stands; being late moves nothing", id.0);
            all.push(one(Late::Claim(id), since, words, hint));
        }
        if let Some(most) = shared.deadlines.attempts.filter(|most| claim.attempts >= *most) {
            let spent = shared
                .reports
                .get(&claim.lane)
                .filter(|report| report.claim == Some(claim.id) && report.state == crate::domain::WorkState::Blocked);
            let since = spent.map_or(claim.at, |report| report.at);
            let words = format!("issue {id} {}, still owned by `{name}`", attempts_words(claim.attempts, most));
            let hint = format!("`paralane issue assign {} LANE` asks `{name}` to hand it over", id.0);
            all.push(one(Late::Attempts(id), since, words, hint));
        }
    }
    for offer in shared.offers.values() {
        let Some(since) = late(offer.due) else { continue };
        let owner = shared.owner(offer.issue).filter(|_| offer.kind == crate::domain::OfferKind::Request);
        let lane = owner.unwrap_or(offer.to);
        let name = ledger.name(lane);
        all.push(Overdue {
            what: Late::Offer(offer.id),
            lane: Some(lane),
            since,
            words: format!("{} {} of issue {} waits too long for `{name}`", offer.kind.word(), offer.id, offer.issue),
            clear: format!("issue cancel {}", offer.id),
            hint: format!(
                "in its name `paralane issue accept {0} --lane {name}` or `paralane issue decline {0} --lane {name}` \
                 answers it",
                offer.id
            ),
        });
    }
    for (id, awaited) in &shared.mail.awaited {
        let Some(since) = late(awaited.due) else { continue };
        let names: Vec<String> = awaited.missing.iter().map(|party| format!("`{}`", ledger.party(*party))).collect();
        let Some(first) = awaited.missing.first() else { continue };
        all.push(Overdue {
            what: Late::Ack(*id),
            lane: first.lane(),
            since,
            words: format!("{id} of `{}` is not acknowledged by {}", ledger.party(awaited.from), names.join(", ")),
            clear: match first.lane() {
                Some(lane) => format!("mail ack {id} --lane {}", ledger.name(lane)),
                None => format!("mail ack {id}"),
            },
            hint: format!("`paralane mail show {id}` shows it"),
        });
    }
    all.sort_by_key(|one| (one.since, one.what));
    all
}

/// How often a claim was reported as blocked, and how often that may be.
pub(super) fn attempts_words(attempts: u32, most: u32) -> String {
    let times = if attempts == 1 { "once".to_owned() } else { format!("{attempts} times") };
    format!("was reported as blocked {times}, and {most} is the limit")
}

/// When the next thing becomes late.
#[must_use]
pub fn next_late(ledger: &Ledger<'_>) -> Option<Timestamp> {
    let claims = ledger.shared.issues.values().filter_map(|issue| issue.claim.as_ref()?.due);
    let offers = ledger.shared.offers.values().filter_map(|offer| offer.due);
    let acks = ledger.shared.mail.awaited.values().filter_map(|awaited| awaited.due);
    claims.chain(offers).chain(acks).filter(|due| *due > ledger.now).min()
}
