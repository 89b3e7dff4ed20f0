//! The ledger: who owns which issue. What the rules look at, what comes of them, claims and releases.
//!
//! Ownership moves only by an act of a party: a claim of what nobody owns, a release by the owner, an answer to an
//! offer, the closing of a lane. Being late, idle or gone moves nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::mail;
use super::paths::Fold;
use super::refusal::{Reason, Refusal};
use super::reservations::settle_queue;
use crate::domain::{
    Change, Claim, ClaimId, Handoff, HoldChange, IssueChange, IssueId, Lane, LaneId, LaneStage, MailChange, MessageId,
    Offer, OfferId, OfferKind, OfferOutcome, Party, Reservation, ReservationId, SharedIds, SharedWork, WorkState,
};

/// Issues that are known at once: far more than a project has, few enough to look through at each step.
pub const ISSUES: usize = 10_000;

/// What the rules look at.
#[derive(Debug, Clone, Copy)]
pub struct Ledger<'a> {
    /// Every lane, closed ones too.
    pub lanes: &'a BTreeMap<LaneId, Lane>,
    /// What is shared.
    pub shared: &'a SharedWork,
    /// What is held.
    pub reservations: &'a BTreeMap<ReservationId, Reservation>,
    /// The highest id of a reservation.
    pub last_reservation: ReservationId,
    /// Issues that one lane may own at once.
    pub claims_per_lane: usize,
    /// Which names are one name to the file system.
    pub fold: Fold,
    /// Now.
    pub now: Timestamp,
}

/// What comes of an act: what changes, and what is said of it. No change: it was so already.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// All of it is kept, or nothing.
    pub changes: Vec<Change>,
    /// In one line or a few.
    pub words: String,
    /// The same for programs.
    pub json: Value,
}

impl<'a> Ledger<'a> {
    /// A lane's name.
    #[must_use]
    pub fn name(&self, lane: LaneId) -> String {
        self.lanes.get(&lane).map_or_else(|| lane.to_string(), |lane| lane.name.to_string())
    }

    /// A party's name.
    #[must_use]
    pub fn party(&self, party: Party) -> String {
        match party {
            Party::Operator => Party::OPERATOR.to_owned(),
            Party::House => Party::HOUSE.to_owned(),
            Party::Lane(lane) => self.name(lane),
        }
    }

    /// The lane, if it is there and not closed.
    ///
    /// # Errors
    /// When it is not.
    pub fn open(&self, lane: LaneId) -> Result<&'a Lane, Refusal> {
        self.lanes.get(&lane).filter(|lane| lane.stage != LaneStage::Closed).ok_or_else(|| {
            Refusal::new(Reason::Unknown, format!("lane `{}` is closed", self.name(lane)))
                .next("`paralane lane list` shows the lanes")
        })
    }

    /// So many seconds from now.
    #[must_use]
    pub fn after(&self, seconds: u32) -> Timestamp {
        self.now.checked_add(SignedDuration::from_secs(i64::from(seconds))).unwrap_or(Timestamp::MAX)
    }

    /// An issue that may be named.
    ///
    /// # Errors
    /// When its number cannot be one, or there are too many.
    pub fn nameable(&self, issue: IssueId) -> Result<(), Refusal> {
        if issue.0 < 1 {
            return Err(Refusal::new(Reason::Invalid, format!("`{issue}` is no issue: they are counted from 1")));
        }
        if !self.shared.issues.contains_key(&issue) && self.shared.issues.len() >= ISSUES {
            return Err(Refusal::new(
                Reason::Limit,
                format!("{ISSUES} issues are known already, so {issue} is too many"),
            )
            .next("`paralane issue list --all` shows them"));
        }
        Ok(())
    }

    /// An issue that is not done: what is done is begun again only when somebody says so.
    ///
    /// # Errors
    /// When it is done.
    pub(super) fn not_done(&self, issue: IssueId) -> Result<(), Refusal> {
        let Some(done) = self.shared.issues.get(&issue).and_then(|issue| issue.done) else { return Ok(()) };
        let since = age(done, self.now);
        Err(Refusal::new(
            Reason::Condition,
            format!("issue {issue} is done since {since}, and stays so until somebody reopens it"),
        )
        .next(format!("`paralane issue reopen {}` opens it again", issue.0)))
    }

    /// What one lane's claims leave room for.
    ///
    /// # Errors
    /// When it owns as many as it may.
    pub(super) fn room(&self, lane: LaneId) -> Result<(), Refusal> {
        let owned: Vec<String> = self
            .shared
            .owned(lane)
            .map(|issue| match &issue.claim {
                Some(claim) => format!("{} ({} old)", issue.id, age(claim.at, self.now)),
                None => issue.id.to_string(),
            })
            .collect();
        if owned.len() < self.claims_per_lane {
            return Ok(());
        }
        let name = self.name(lane);
        Err(Refusal::new(
            Reason::Limit,
            format!("lane `{name}` owns {} issues already, as many as it may: {}", owned.len(), owned.join(", ")),
        )
        .next(format!(
            "`paralane issue release N --lane {name}` gives one back; `coordination.claims_per_lane` is the limit"
        )))
    }

    /// The claim of an issue's owner, for an act that only the owner may do.
    ///
    /// # Errors
    /// When the lane is not the owner.
    pub(super) fn own_claim(&self, lane: LaneId, issue: IssueId) -> Result<&'a Claim, Refusal> {
        let claim = self.shared.issues.get(&issue).and_then(|issue| issue.claim.as_ref());
        match claim {
            Some(claim) if claim.lane == lane => Ok(claim),
            Some(claim) => Err(self.owned_by(issue, claim, lane, Reason::NotYours)),
            None => Err(Refusal::new(Reason::Condition, format!("nobody owns issue {issue}")).next(format!(
                "`paralane issue claim {} --lane {}` claims it",
                issue.0,
                self.name(lane)
            ))),
        }
    }

    pub(super) fn owned_by(&self, issue: IssueId, claim: &Claim, lane: LaneId, reason: Reason) -> Refusal {
        let owner = self.name(claim.lane);
        let since = age(claim.at, self.now);
        Refusal::new(reason, format!("issue {issue} is owned by lane `{owner}` ({}, for {since})", claim.id)).next(
            format!(
                "`paralane issue request {} --lane {} --summary TEXT` asks `{owner}` for it",
                issue.0,
                self.name(lane)
            ),
        )
    }
}

/// Steps being gathered: ids are given one after the other.
#[derive(Debug)]
pub(super) struct Acts<'a> {
    pub ledger: Ledger<'a>,
    pub changes: Vec<Change>,
    ids: SharedIds,
    reservation: i64,
}

impl<'a> Acts<'a> {
    pub fn new(ledger: &Ledger<'a>) -> Self {
        Self { ledger: *ledger, changes: Vec::new(), ids: ledger.shared.last, reservation: ledger.last_reservation.0 }
    }

    pub fn issue(&mut self, change: IssueChange) {
        self.changes.push(Change::Issue(change));
    }

    pub fn hold(&mut self, change: HoldChange) {
        self.changes.push(Change::Hold(change));
    }

    pub const fn claim_id(&mut self) -> ClaimId {
        self.ids.claim += 1;
        ClaimId(self.ids.claim)
    }

    pub const fn offer_id(&mut self) -> OfferId {
        self.ids.offer += 1;
        OfferId(self.ids.offer)
    }

    pub const fn message_id(&mut self) -> MessageId {
        self.ids.message += 1;
        MessageId(self.ids.message)
    }

    pub const fn reservation_id(&mut self) -> ReservationId {
        self.reservation += 1;
        ReservationId(self.reservation)
    }

    /// Tells parties what happened. Lanes that are closed are not told.
    pub fn tell(&mut self, to: impl IntoIterator<Item = Party>, issue: Option<IssueId>, subject: String, body: String) {
        let open = |party: &Party| match party {
            Party::Operator => true,
            Party::House => false,
            Party::Lane(lane) => self.ledger.open(*lane).is_ok(),
        };
        let to: Vec<Party> = to.into_iter().filter(open).collect();
        if !to.is_empty() {
            mail::house(self, to, issue, subject, body);
        }
    }

    /// Ends an offer.
    pub fn answer(&mut self, offer: &Offer, outcome: OfferOutcome, reason: Option<String>) {
        let at = self.ledger.now;
        self.issue(IssueChange::Answered { offer: offer.id, issue: offer.issue, outcome, reason, at });
    }

    /// Ends every other offer about an issue, and tells those who waited. `why` goes on from "because".
    pub fn lapse_offers(&mut self, issue: IssueId, but: Option<OfferId>, why: &str) {
        let shared = self.ledger.shared;
        for offer in shared.offers_of(issue).filter(|offer| Some(offer.id) != but) {
            self.answer(offer, OfferOutcome::Lapsed, Some(why.to_owned()));
            let (kind, id) = (offer.kind.word(), offer.id);
            let subject = format!("{kind} {id} of issue {issue} has lapsed");
            let body = format!("The {kind} {id} of issue {issue} is over: {why}.");
            self.tell([Party::Lane(offer.to)], Some(issue), subject, body);
        }
    }

    /// Ends holds, and lets those who wait have what is free then. All of it is one decision.
    pub fn end_holds(&mut self, gone: &[ReservationId]) {
        for reservation in gone {
            self.changes.push(Change::ReservationReleased { reservation: *reservation });
        }
        settle_queue(self);
    }

    pub fn done(self, words: String, json: Value) -> Decision {
        Decision { changes: self.changes, words, json }
    }
}

/// An age in words: `42s`, `3m`, `2h`, `5d`.
pub(super) fn age(since: Timestamp, now: Timestamp) -> String {
    match now.duration_since(since).as_secs().max(0) {
        s @ 0..60 => format!("{s}s"),
        s @ 60..3_600 => format!("{}m", s / 60),
        s @ 3_600..86_400 => format!("{}h", s / 3_600),
        s => format!("{}d", s / 86_400),
    }
}

/// What a program is told of an ownership.
pub(super) fn claim_json(ledger: &Ledger<'_>, issue: IssueId, claim: &Claim, done: &str) -> Value {
    json!({
        "done": done,
        "issue": issue.0,
        "lane": ledger.name(claim.lane),
        "claim": claim.id.to_string(),
        "due": claim.due.map(|at| at.to_string()),
    })
}

/// A lane claims an issue that nobody owns. `within`: seconds until it is to be done.
///
/// # Errors
/// When somebody else owns it or was offered it, or the lane owns as many as it may.
pub fn claim(ledger: &Ledger<'_>, lane: LaneId, issue: IssueId, within: Option<u32>) -> Result<Decision, Refusal> {
    ledger.nameable(issue)?;
    let name = ledger.open(lane)?.name.to_string();
    if let Some(own) = ledger.shared.issues.get(&issue).and_then(|known| known.claim.as_ref()) {
        if own.lane != lane {
            return Err(ledger.owned_by(issue, own, lane, Reason::Held));
        }
        let words = format!("lane {name} owns issue {issue} already ({})", own.id);
        let json = claim_json(ledger, issue, own, &words);
        return Ok(Decision { changes: Vec::new(), words, json });
    }
    if let Some(offer) = ledger.shared.offers_of(issue).find(|offer| offer.kind == OfferKind::Assignment) {
        let to = ledger.name(offer.to);
        let refusal = Refusal::new(Reason::Offered, format!("issue {issue} is assigned to lane `{to}` ({})", offer.id));
        let accept = format!("`paralane issue accept {} --lane {to}` takes it", offer.id);
        return Err(if offer.to == lane {
            refusal.next(accept)
        } else {
            refusal.next(format!("{accept}, `paralane issue cancel {}` takes it back", offer.id))
        });
    }
    ledger.not_done(issue)?;
    ledger.room(lane)?;
    let mut acts = Acts::new(ledger);
    let claim = new_claim(&mut acts, lane, within, None);
    acts.issue(IssueChange::Claimed { issue, claim: Box::new(claim.clone()) });
    let mut words = format!("lane {name} owns issue {issue} ({})", claim.id);
    let waits: Vec<String> = ledger
        .shared
        .open_blockers(issue)
        .into_iter()
        .map(|on| match ledger.shared.owner(on) {
            Some(owner) => format!("{on} (`{}`)", ledger.name(owner)),
            None => format!("{on} (nobody's)"),
        })
        .collect();
    if !waits.is_empty() {
        let _ = write!(words, "; it waits for {}", waits.join(", "));
    }
    let json = claim_json(ledger, issue, &claim, &words);
    Ok(acts.done(words, json))
}

/// An ownership that begins now.
pub(super) fn new_claim(acts: &mut Acts<'_>, lane: LaneId, within: Option<u32>, handoff: Option<Handoff>) -> Claim {
    let ledger = acts.ledger;
    let due = within.or(ledger.shared.deadlines.claim).map(|seconds| ledger.after(seconds));
    Claim { id: acts.claim_id(), lane, at: ledger.now, due, attempts: 0, handoff }
}

/// The owner gives an issue back. Offers of it lapse and holds for it end, in the same step. After a report that it is
/// ready, it is done.
///
/// # Errors
/// When the lane does not own it.
pub fn release(ledger: &Ledger<'_>, lane: LaneId, issue: IssueId) -> Result<Decision, Refusal> {
    let claim = ledger.own_claim(lane, issue)?;
    let mut acts = Acts::new(ledger);
    let done = give_back(&mut acts, issue, claim, "its owner released the issue");
    let held: Vec<ReservationId> = ledger
        .reservations
        .values()
        .filter(|held| held.lane == lane && held.issue == Some(issue))
        .map(|held| held.id)
        .collect();
    acts.end_holds(&held);
    let name = ledger.name(lane);
    let mut words = format!("lane {name} released issue {issue}{}", if done { ": it is done" } else { "" });
    if !held.is_empty() {
        let _ = write!(words, "; {} of its holds ended with it", held.len());
    }
    let json =
        json!({ "done": words, "issue": issue.0, "lane": name, "claim": claim.id.to_string(), "finished": done });
    Ok(acts.done(words, json))
}

/// Somebody says that there is more to do about an issue that is done. What waits for it waits again.
///
/// # Errors
/// When nobody knows it.
pub fn reopen(ledger: &Ledger<'_>, issue: IssueId) -> Result<Decision, Refusal> {
    let Some(known) = ledger.shared.issues.get(&issue) else {
        return Err(Refusal::new(Reason::Unknown, format!("issue {issue} is not known"))
            .next("`paralane issue list --all` shows those known"));
    };
    let mut acts = Acts::new(ledger);
    let words = if known.done.is_some() {
        acts.issue(IssueChange::Reopened { issue, at: ledger.now });
        format!("issue {issue} is open again")
    } else {
        format!("issue {issue} is not done: it is open already")
    };
    let json = json!({ "done": words, "issue": issue.0 });
    Ok(acts.done(words, json))
}

/// Ends an ownership and what hangs on it. Says whether the issue is done.
fn give_back(acts: &mut Acts<'_>, issue: IssueId, claim: &Claim, why: &str) -> bool {
    let ledger = acts.ledger;
    let report = ledger.shared.reports.get(&claim.lane);
    let done = report.is_some_and(|report| report.state == WorkState::Ready && report.claim == Some(claim.id));
    acts.lapse_offers(issue, None, why);
    acts.issue(IssueChange::Released { issue, claim: claim.id, lane: claim.lane, done, at: ledger.now });
    done
}

/// Nobody waits for what a lane that is closed would acknowledge; who asked for it is told.
fn excuse(acts: &mut Acts<'_>, lane: LaneId) {
    let (of, at, name) = (Party::Lane(lane), acts.ledger.now, acts.ledger.name(lane));
    let mut asked: BTreeMap<Party, Vec<String>> = BTreeMap::new();
    for (message, awaited) in acts.ledger.shared.mail.owed(of) {
        acts.changes.push(Change::Mail(MailChange::Excused { message, of, at }));
        asked.entry(awaited.from).or_default().push(message.to_string());
    }
    asked.remove(&of);
    for (from, messages) in asked {
        let more = if messages.len() > 20 { ", …" } else { "" };
        let list = messages.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(", ");
        let body =
            format!("Lane `{name}` was closed and had not acknowledged: {list}{more}. Nobody waits for that now.");
        acts.tell([from], None, format!("`{name}` was closed without acknowledging your mail"), body);
    }
}

/// The person closes a lane: everything it owns, holds, waits for or was offered is given back in the same step.
#[must_use]
pub fn close(ledger: &Ledger<'_>, lane: LaneId) -> Vec<Change> {
    let mut acts = Acts::new(ledger);
    let shared = ledger.shared;
    for issue in shared.owned(lane) {
        if let Some(claim) = &issue.claim {
            give_back(&mut acts, issue.id, claim, "its owner's lane was closed");
        }
    }
    for offer in shared.offers.values().filter(|offer| offer.to == lane && shared.owner(offer.issue) != Some(lane)) {
        acts.answer(offer, OfferOutcome::Lapsed, Some("the lane it was for was closed".to_owned()));
        let asked = match offer.kind {
            OfferKind::Request => shared.owner(offer.issue).map(Party::Lane),
            OfferKind::Handover | OfferKind::Assignment => Some(offer.from),
        };
        let subject = format!("{} {} of issue {} has lapsed", offer.kind.word(), offer.id, offer.issue);
        let body = format!("Lane `{}`, which it was for, was closed.", ledger.name(lane));
        acts.tell(asked, Some(offer.issue), subject, body);
    }
    excuse(&mut acts, lane);
    let tickets: Vec<_> =
        shared.tickets.values().filter(|ticket| ticket.lane == lane).map(|ticket| ticket.id).collect();
    for ticket in &tickets {
        acts.hold(HoldChange::Unqueued { ticket: *ticket, lane, granted: false });
    }
    let held: Vec<ReservationId> =
        ledger.reservations.values().filter(|held| held.lane == lane).map(|held| held.id).collect();
    for reservation in &held {
        acts.changes.push(Change::ReservationReleased { reservation: *reservation });
    }
    settle_queue(&mut acts);
    acts.changes
}

/// What a lane gave back when it was closed, in words; none when it had nothing.
#[must_use]
pub fn given_back(changes: &[Change]) -> Option<String> {
    let (mut issues, mut holds, mut places, mut offers) = (Vec::new(), 0, 0, Vec::new());
    for change in changes {
        match change {
            Change::Issue(IssueChange::Released { issue, done, .. }) => {
                issues.push(format!("{issue}{}", if *done { " (done)" } else { "" }));
            }
            Change::ReservationReleased { .. } => holds += 1,
            Change::Hold(HoldChange::Unqueued { granted: false, .. }) => places += 1,
            Change::Issue(IssueChange::Answered { offer, .. }) => offers.push(offer.to_string()),
            _ => {}
        }
    }
    let count = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {many}")),
    };
    let named = |what: &str, all: Vec<String>| (!all.is_empty()).then(|| format!("{what} {}", all.join(", ")));
    let all = [
        named("issue", issues),
        count(holds, "hold", "holds"),
        count(places, "place in the queue", "places in the queue"),
        named("offer", offers),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(", "))
}
