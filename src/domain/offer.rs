//! Offers: proposed changes of an issue's owner. Only an answer by the party that is asked moves anything.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{ClaimId, IssueId, LaneId, OfferId, Party, ReservationId};

/// Who is to answer, and what an acceptance does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OfferKind {
    /// The owner hands over: the recipient answers.
    Handover,
    /// The person assigns an issue that nobody owns: the recipient answers.
    Assignment,
    /// The recipient, or the person for it, asks for an owned issue: the owner answers.
    Request,
}

impl OfferKind {
    /// The word people and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Handover => "handover",
            Self::Assignment => "assignment",
            Self::Request => "request",
        }
    }
}

/// One offer or request that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Its id.
    pub id: OfferId,
    /// The issue.
    pub issue: IssueId,
    /// What it is.
    pub kind: OfferKind,
    /// Who made it.
    pub from: Party,
    /// Who is to own the issue.
    pub to: LaneId,
    /// The ownership it was made under. When that ends, it lapses.
    pub claim: Option<ClaimId>,
    /// What the state of the work is, or why it is asked for.
    pub summary: String,
    /// What is left to do.
    pub remaining: Vec<String>,
    /// The commit the owner stood on.
    pub commit: Option<String>,
    /// Reservations of the owner that go with it.
    pub reservations: Vec<ReservationId>,
    /// When an answer was to be there. Past it, it still waits.
    pub due: Option<Timestamp>,
    /// When it was made.
    pub created: Timestamp,
}

/// How an offer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OfferOutcome {
    /// The issue has changed hands.
    Accepted,
    /// Whoever was asked said no.
    Declined,
    /// Whoever made it took it back.
    Cancelled,
    /// What it was made on is over: the issue was released, or went another way.
    Lapsed,
}

impl OfferOutcome {
    /// The word people and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
            Self::Lapsed => "lapsed",
        }
    }
}
