//! History: the events that every change leaves, asked for by whom they concern.

use jiff::Timestamp;

use super::{Change, ClaimId, HoldChange, IssueChange, IssueId, LaneId, MailChange, PromptId};

/// One event as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its place; events have no gaps.
    pub seq: u64,
    /// When it was decided.
    pub at: Timestamp,
    /// The lane it concerns, if any.
    pub lane: Option<LaneId>,
    /// The change as JSON. Untrusted: it holds what agents and programs said.
    pub body: String,
}

impl Event {
    /// The change; none when a later version of this program wrote it.
    #[must_use]
    pub fn change(&self) -> Option<Change> {
        serde_json::from_str(&self.body).ok()
    }
}

/// What a topic of history is called, and the changes that belong to it.
const TOPICS: &[(&str, &[&str])] = &[
    (
        "lane",
        &[
            "lane-added",
            "lane-moved",
            "lane-renamed",
            "lane-placed",
            "lane-mode-set",
            "lane-kind-set",
            "layer-switched",
        ],
    ),
    ("prompt", &["prompt-added", "prompt-moved", "prompt-edited", "prompt-placed", "prompt-held", "prompt-overrode"]),
    ("approval", &["approval-added", "approval-moved", "call-remembered"]),
    ("conflict", &["conflict-added", "conflict-moved"]),
    ("reservation", &["reservation-added", "reservation-released", "hold"]),
    ("issue", &["issue"]),
    ("report", &["reported"]),
    ("plan", &["plan", "deadlines-set"]),
    ("mail", &["mail"]),
    ("checkpoint", &["checkpoint-added"]),
    ("call", &["call-moved"]),
    ("spend", &["spend-reserved", "spend-settled"]),
];

/// Topics that are shown only when they are asked for: they would hide the others.
const ON_REQUEST: &[&str] = &["call", "spend"];

/// The words that `--kind` takes.
pub const HISTORY_KINDS: &[&str] = &[
    "lane",
    "prompt",
    "approval",
    "conflict",
    "reservation",
    "issue",
    "report",
    "plan",
    "mail",
    "checkpoint",
    "call",
    "spend",
];

/// Whose history is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryOf {
    /// A lane's.
    Lane(LaneId),
    /// A prompt's.
    Prompt(PromptId),
    /// An issue's.
    Issue(IssueId),
    /// That of one ownership of an issue.
    Claim(ClaimId),
}

/// What of history is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryQuery {
    /// Whose.
    pub of: HistoryOf,
    /// Only this topic; none: what a person reads.
    pub kind: Option<String>,
    /// Nothing before this.
    pub since: Option<Timestamp>,
    /// At most so many, the newest.
    pub limit: usize,
}

impl HistoryQuery {
    /// The kinds of changes that fit.
    pub fn changes(&self) -> impl Iterator<Item = &'static str> {
        let wanted = |topic: &str| match &self.kind {
            Some(kind) => kind == topic,
            // A prompt's own history is short: it shows all.
            None => matches!(self.of, HistoryOf::Prompt(_)) || !ON_REQUEST.contains(&topic),
        };
        TOPICS.iter().filter(move |(topic, _)| wanted(topic)).flat_map(|(_, changes)| *changes).copied()
    }
}

/// A piece of history.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History {
    /// Oldest first.
    pub events: Vec<Event>,
    /// Whether older ones would fit as well.
    pub more: bool,
    /// When the oldest event that is kept was written, if older ones have been dropped.
    pub dropped_before: Option<Timestamp>,
}

/// How much of history and mail is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventBounds {
    /// At most so many events.
    pub keep: usize,
    /// None older than so many days.
    pub days: u32,
    /// At most so many messages, those apart that somebody has yet to read or to acknowledge.
    pub mail: usize,
}

impl Default for EventBounds {
    fn default() -> Self {
        Self { keep: 200_000, days: 90, mail: 20_000 }
    }
}

impl Change {
    /// The prompt that it concerns, as far as the change itself says.
    #[must_use]
    pub fn prompt(&self) -> Option<PromptId> {
        match self {
            Self::PromptAdded { prompt } => Some(prompt.id),
            Self::PromptMoved { prompt, .. }
            | Self::PromptEdited { prompt, .. }
            | Self::PromptPlaced { prompt, .. }
            | Self::PromptHeld { prompt, .. }
            | Self::PromptOverrode { prompt, .. }
            | Self::CallMoved { prompt, .. } => Some(*prompt),
            Self::ApprovalAdded { approval } => approval.prompt,
            Self::ConflictAdded { conflict } => Some(conflict.prompt),
            Self::CheckpointAdded { checkpoint } => checkpoint.prompt,
            Self::SpendReserved { spend } => Some(spend.prompt),
            _ => None,
        }
    }

    /// The issue that it concerns, as far as the change itself says.
    #[must_use]
    pub const fn issue(&self) -> Option<IssueId> {
        match self {
            Self::Issue(change) => Some(change.issue()),
            Self::Reported { report } => report.issue,
            Self::ReservationAdded { reservation } => reservation.issue,
            Self::Hold(HoldChange::Queued { ticket }) => ticket.issue,
            Self::Mail(MailChange::Sent { message }) => message.issue,
            Self::Mail(MailChange::Scheduled { item }) => item.draft.issue,
            _ => None,
        }
    }

    /// Whether it may belong to this ownership: it begins no other one, and ends no other one.
    #[must_use]
    pub fn may_concern(&self, claim: ClaimId) -> bool {
        match self {
            Self::Issue(IssueChange::Claimed { claim: own, .. }) => own.id == claim,
            Self::Issue(IssueChange::Released { claim: own, .. } | IssueChange::Attempted { claim: own, .. }) => {
                *own == claim
            }
            Self::Issue(IssueChange::Offered { offer }) => offer.claim.is_none_or(|own| own == claim),
            Self::Reported { report } => report.claim.is_none_or(|own| own == claim),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_kinds_are_the_topics() {
        assert_eq!(TOPICS.iter().map(|(topic, _)| *topic).collect::<Vec<_>>(), HISTORY_KINDS);
        let of = HistoryOf::Lane(LaneId(1));
        let query = |kind: Option<&str>| HistoryQuery { of, kind: kind.map(str::to_owned), since: None, limit: 1 };
        assert!(query(None).changes().all(|change| change != "call-moved" && change != "entry-added"));
        assert_eq!(query(Some("call")).changes().collect::<Vec<_>>(), ["call-moved"]);
    }
}
