//! Issues: numbered pieces of work, each owned by one lane at most.
//!
//! A claim is one ownership with an id of its own: whoever accepts an offer gets a new one. Offers, requests and
//! reservations name the claim they were made under, so that none outlives it unnoticed.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{ClaimId, IssueId, LaneId, Offer, OfferId, OfferOutcome};

/// One piece of work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// Its number.
    pub id: IssueId,
    /// What it is called, if anybody said.
    pub title: Option<String>,
    /// Who owns it, if anybody does.
    pub claim: Option<Claim>,
    /// Issues that must be done before it, as lanes and the person recorded them. A plan names its own.
    pub blockers: BTreeSet<IssueId>,
    /// When it was done: released after a report that says so.
    pub done: Option<Timestamp>,
    /// When its owner last changed.
    pub since: Timestamp,
}

impl Issue {
    /// An issue that nobody owns.
    #[must_use]
    pub const fn new(id: IssueId, since: Timestamp) -> Self {
        Self { id, title: None, claim: None, blockers: BTreeSet::new(), done: None, since }
    }

    /// The lane that owns it.
    #[must_use]
    pub fn owner(&self) -> Option<LaneId> {
        self.claim.as_ref().map(|claim| claim.lane)
    }
}

/// One ownership of an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Its id: a new one for each ownership.
    pub id: ClaimId,
    /// The owner.
    pub lane: LaneId,
    /// Since when.
    pub at: Timestamp,
    /// When it was to be done. Past it, it is overdue and still owned.
    pub due: Option<Timestamp>,
    /// Reports of being blocked since the claim began.
    pub attempts: u32,
    /// What the owner before left, if it was handed over.
    pub handoff: Option<Handoff>,
}

/// What one owner left to the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handoff {
    /// The owner before.
    pub from: LaneId,
    /// What it said of the state of the work.
    pub summary: String,
    /// What is left to do.
    pub remaining: Vec<String>,
    /// The commit it stood on.
    pub commit: Option<String>,
}

/// One durable step of an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "what")]
#[allow(missing_docs, reason = "the fields are those of the types they change")]
pub enum IssueChange {
    /// It is called so from now on.
    Titled { issue: IssueId, title: String, at: Timestamp },
    /// A lane owns it from now on.
    Claimed { issue: IssueId, claim: Box<Claim> },
    /// Its owner gave it back.
    Released { issue: IssueId, claim: ClaimId, lane: LaneId, done: bool, at: Timestamp },
    /// It was done, and there is more to do.
    Reopened { issue: IssueId, at: Timestamp },
    /// An offer or a request waits for an answer.
    Offered { offer: Box<Offer> },
    /// An offer or a request is over.
    Answered { offer: OfferId, issue: IssueId, outcome: OfferOutcome, reason: Option<String>, at: Timestamp },
    /// It waits for another one.
    Blocked { issue: IssueId, on: IssueId, at: Timestamp },
    /// It does not wait for that one any more.
    Unblocked { issue: IssueId, on: IssueId },
    /// So many attempts of a claim are spent.
    Attempted { issue: IssueId, claim: ClaimId, attempts: u32 },
}

impl IssueChange {
    /// The issue it concerns.
    #[must_use]
    pub const fn issue(&self) -> IssueId {
        match self {
            Self::Titled { issue, .. }
            | Self::Reopened { issue, .. }
            | Self::Claimed { issue, .. }
            | Self::Released { issue, .. }
            | Self::Answered { issue, .. }
            | Self::Blocked { issue, .. }
            | Self::Unblocked { issue, .. }
            | Self::Attempted { issue, .. } => *issue,
            Self::Offered { offer } => offer.issue,
        }
    }

    /// The lane it concerns, as far as the step itself says.
    #[must_use]
    pub const fn lane(&self) -> Option<LaneId> {
        match self {
            Self::Claimed { claim, .. } => Some(claim.lane),
            Self::Released { lane, .. } => Some(*lane),
            Self::Offered { offer } => Some(offer.to),
            Self::Titled { .. }
            | Self::Reopened { .. }
            | Self::Answered { .. }
            | Self::Blocked { .. }
            | Self::Unblocked { .. }
            | Self::Attempted { .. } => None,
        }
    }
}
