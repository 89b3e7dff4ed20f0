//! One model call as it is counted.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{Money, Price, Usage};
use crate::domain::{LaneId, PromptId, SpendId};

/// Where a spend stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpendState {
    /// The call is under way: the most that it can come to is counted.
    Reserved,
    /// The server said what it used.
    Settled,
    /// The server did not say: what was sent and received is estimated.
    Estimated,
    /// Its end is not known, because the workstation died: the most stays counted.
    Unsettled,
    /// The server refused the call; nothing is counted.
    Released,
}

impl SpendState {
    /// The word people and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reserved => "reserved",
            Self::Settled => "settled",
            Self::Estimated => "estimated",
            Self::Unsettled => "unsettled",
            Self::Released => "released",
        }
    }
}

/// One try at one model call: also a retry, a child agent's or another provider's is one of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spend {
    /// Its id.
    pub id: SpendId,
    /// The lane.
    pub lane: LaneId,
    /// The prompt whose turn it belongs to.
    pub prompt: PromptId,
    /// Who is asked.
    pub provider: String,
    /// Which model.
    pub model: String,
    /// When it was reserved.
    pub at: Timestamp,
    /// The person's day at that moment: sums of days are sums of these.
    pub day: Date,
    /// What a token costs; none: unknown. It holds for this call, also when the configuration changes.
    pub price: Option<Price>,
    /// Where it stands.
    pub state: SpendState,
    /// What is counted: the most that it can use, later what it used.
    pub usage: Usage,
    /// What is counted; none: the price is unknown.
    pub cost: Option<Money>,
}

/// What a call is about to use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpendAsk {
    /// The provider's name in the configuration.
    pub provider: String,
    /// The model.
    pub model: String,
    /// Tokens sent, at most.
    pub input: u64,
    /// Tokens received, at most.
    pub output: u64,
}

impl SpendAsk {
    /// The most that it uses.
    #[must_use]
    pub fn usage(&self) -> Usage {
        Usage { input: self.input, output: self.output, ..Usage::default() }
    }
}

/// What a call came to, as the one who made it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpendEnd {
    /// The server said so.
    Used(Usage),
    /// By what was sent and received, for the server did not say.
    Estimated(Usage),
    /// The server refused it or was not there.
    Nothing,
}
