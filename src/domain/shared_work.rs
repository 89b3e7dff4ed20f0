//! All that coordination keeps in memory: who owns what, what is offered, who waits, what is unread.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    AppliedPlan, HoldChange, Issue, IssueChange, IssueId, LaneId, MailChange, Mailboxes, Offer, OfferId, Party,
    PlanChange, Ticket, TicketId, WorkReport,
};

/// What lanes and the person share.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SharedWork {
    /// Every issue that was ever named.
    pub issues: BTreeMap<IssueId, Issue>,
    /// Offers and requests that wait for an answer.
    pub offers: BTreeMap<OfferId, Offer>,
    /// Lanes that wait for holds.
    pub tickets: BTreeMap<TicketId, Ticket>,
    /// Mail.
    pub mail: Mailboxes,
    /// The plan in force.
    pub plan: Option<AppliedPlan>,
    /// The newest report of each lane.
    pub reports: BTreeMap<LaneId, WorkReport>,
    /// When things are due unless somebody says otherwise.
    pub deadlines: Deadlines,
    /// What was done under keys.
    pub keys: Keys,
    /// The highest id given in each kind.
    pub last: SharedIds,
}

/// The highest id ever given in each kind; ids are never used again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after what they count")]
pub struct SharedIds {
    pub claim: i64,
    pub offer: i64,
    pub message: i64,
    pub scheduled: i64,
    pub report: i64,
    pub ticket: i64,
}

/// When things are due unless somebody says otherwise, in seconds. Being late informs, and moves nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Deadlines {
    /// From a claim to its release.
    pub claim: Option<u32>,
    /// From an offer to its answer.
    pub offer: Option<u32>,
    /// From a request to its answer.
    pub request: Option<u32>,
    /// From a message to its acknowledgement.
    pub ack: Option<u32>,
    /// Reports of being blocked that a claim may have.
    pub attempts: Option<u32>,
}

/// What was done under one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keyed {
    /// Who gave the key.
    pub party: Party,
    /// The key.
    pub key: String,
    /// SHA-256 of what was asked for, hexadecimal.
    pub digest: String,
    /// The first answer in words.
    pub words: String,
    /// The first answer as JSON.
    pub json: serde_json::Value,
}

/// What was done under keys: the newest of each party.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Keys {
    known: BTreeMap<(Party, String), Keyed>,
    order: BTreeMap<Party, VecDeque<String>>,
}

impl Keys {
    /// Keys of one party that are remembered.
    pub const KEPT: usize = 500;

    /// What was done under this key.
    #[must_use]
    pub fn get(&self, party: Party, key: &str) -> Option<&Keyed> {
        self.known.get(&(party, key.to_owned()))
    }

    /// Remembers a key; the oldest of its party goes when there are too many.
    pub fn keep(&mut self, keyed: Keyed) {
        let order = self.order.entry(keyed.party).or_default();
        order.push_back(keyed.key.clone());
        if order.len() > Self::KEPT
            && let Some(oldest) = order.pop_front()
        {
            self.known.remove(&(keyed.party, oldest));
        }
        self.known.insert((keyed.party, keyed.key.clone()), keyed);
    }
}

impl SharedWork {
    /// The lane that owns an issue, if any.
    #[must_use]
    pub fn owner(&self, issue: IssueId) -> Option<LaneId> {
        self.issues.get(&issue).and_then(Issue::owner)
    }

    /// What an issue waits for, by hand and by plan, done or not.
    #[must_use]
    pub fn blockers(&self, issue: IssueId) -> BTreeSet<IssueId> {
        let planned = self.plan.as_ref().and_then(|applied| applied.plan.dependencies.get(&issue));
        let own = self.issues.get(&issue).map(|issue| &issue.blockers);
        own.into_iter().chain(planned).flatten().copied().collect()
    }

    /// What of that is not done.
    #[must_use]
    pub fn open_blockers(&self, issue: IssueId) -> Vec<IssueId> {
        let open = |on: &IssueId| self.issues.get(on).is_none_or(|on| on.done.is_none());
        self.blockers(issue).into_iter().filter(open).collect()
    }

    /// What an issue is called.
    #[must_use]
    pub fn title(&self, issue: IssueId) -> Option<&str> {
        let planned = self.plan.as_ref().and_then(|applied| applied.plan.issues.get(&issue));
        self.issues.get(&issue).and_then(|issue| issue.title.as_deref()).or(planned.map(String::as_str))
    }

    /// The issues that a lane owns.
    pub fn owned(&self, lane: LaneId) -> impl Iterator<Item = &Issue> {
        self.issues.values().filter(move |issue| issue.owner() == Some(lane))
    }

    /// Offers and requests about an issue.
    pub fn offers_of(&self, issue: IssueId) -> impl Iterator<Item = &Offer> {
        self.offers.values().filter(move |offer| offer.issue == issue)
    }

    fn issue(&mut self, id: IssueId, at: Timestamp) -> &mut Issue {
        self.issues.entry(id).or_insert_with(|| Issue::new(id, at))
    }

    /// Applies one step of an issue.
    pub fn apply_issue(&mut self, change: &IssueChange) {
        match change {
            IssueChange::Titled { issue, title, at } => self.issue(*issue, *at).title = Some(title.clone()),
            IssueChange::Claimed { issue, claim } => {
                self.last.claim = self.last.claim.max(claim.id.0);
                let issue = self.issue(*issue, claim.at);
                issue.since = claim.at;
                issue.done = None;
                issue.claim = Some((**claim).clone());
            }
            IssueChange::Released { issue, claim, done, at, .. } => {
                let issue = self.issue(*issue, *at);
                if issue.claim.as_ref().is_some_and(|own| own.id == *claim) {
                    issue.claim = None;
                    issue.since = *at;
                    issue.done = done.then_some(*at);
                }
            }
            IssueChange::Reopened { issue, at } => {
                let issue = self.issue(*issue, *at);
                issue.since = *at;
                issue.done = None;
            }
            IssueChange::Offered { offer } => {
                self.last.offer = self.last.offer.max(offer.id.0);
                self.issue(offer.issue, offer.created);
                self.offers.insert(offer.id, (**offer).clone());
            }
            IssueChange::Answered { offer, .. } => {
                self.offers.remove(offer);
            }
            IssueChange::Blocked { issue, on, at } => {
                self.issue(*on, *at);
                self.issue(*issue, *at).blockers.insert(*on);
            }
            IssueChange::Unblocked { issue, on } => {
                if let Some(issue) = self.issues.get_mut(issue) {
                    issue.blockers.remove(on);
                }
            }
            IssueChange::Attempted { issue, claim, attempts } => {
                let claim = self.issues.get_mut(issue).and_then(|i| i.claim.as_mut()).filter(|own| own.id == *claim);
                if let Some(claim) = claim {
                    claim.attempts = *attempts;
                }
            }
        }
    }

    /// Applies one step of the queue for holds. What is held itself stands elsewhere.
    pub fn apply_hold(&mut self, change: &HoldChange) {
        match change {
            HoldChange::Queued { ticket } => {
                self.last.ticket = self.last.ticket.max(ticket.id.0);
                self.tickets.insert(ticket.id, (**ticket).clone());
            }
            HoldChange::Unqueued { ticket, .. } => {
                self.tickets.remove(ticket);
            }
            HoldChange::Renewed { .. } | HoldChange::Moved { .. } => {}
        }
    }

    /// Applies one step of mail.
    pub fn apply_mail(&mut self, change: &MailChange) {
        match change {
            MailChange::Sent { message } => self.last.message = self.last.message.max(message.id.0),
            MailChange::Scheduled { item } => self.last.scheduled = self.last.scheduled.max(item.id.0),
            MailChange::Read { .. }
            | MailChange::Acknowledged { .. }
            | MailChange::Superseded { .. }
            | MailChange::Excused { .. }
            | MailChange::Unscheduled { .. } => {}
        }
        self.mail.apply(change);
    }

    /// Applies one step of the plan.
    pub fn apply_plan(&mut self, change: &PlanChange) {
        let PlanChange::Applied { applied } = change;
        for issue in applied.plan.all() {
            self.issue(issue, applied.at);
        }
        self.plan = Some((**applied).clone());
    }

    /// Takes a report.
    pub fn apply_report(&mut self, report: &WorkReport) {
        self.last.report = self.last.report.max(report.id.0);
        self.reports.insert(report.lane, report.clone());
    }
}
