//! Budgets: what may be used in a period, who is counted, when to warn and when to stop.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{Account, Ledger, Money, Spend, SpendAsk, Sum};
use crate::domain::LaneId;

/// Warns at so many percent unless something else is said.
pub const WARN_PERCENT: u8 = 80;

/// Whose calls a budget counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BudgetScope {
    /// Everything in the project.
    Project,
    /// One lane.
    Lane(LaneId),
    /// One provider of the configuration, in all lanes.
    Provider(String),
}

impl BudgetScope {
    fn covers(&self, lane: LaneId, provider: &str) -> bool {
        match self {
            Self::Project => true,
            Self::Lane(own) => *own == lane,
            Self::Provider(own) => own == provider,
        }
    }
}

/// How long a budget counts before it begins anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Period {
    /// The person's day.
    Day,
    /// From Monday on.
    Week,
    /// From the first on.
    Month,
    /// It never begins anew.
    Total,
}

impl Period {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Day, Self::Week, Self::Month, Self::Total];

    /// The word people, files and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Total => "total",
        }
    }

    /// The first day that counts.
    #[must_use]
    pub fn first_day(self, today: Date) -> Date {
        match self {
            Self::Day => today,
            Self::Week => {
                let since_monday = i64::from(today.weekday().to_monday_zero_offset());
                today.checked_sub(jiff::Span::new().days(since_monday)).unwrap_or(Date::MIN)
            }
            Self::Month => today.first_of_month(),
            Self::Total => Date::MIN,
        }
    }
}

/// What a budget limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Tokens sent and received.
    Tokens(u64),
    /// Money.
    Money(Money),
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Tokens(tokens) => write!(f, "{tokens} tokens"),
            Self::Money(money) => money.fmt(f),
        }
    }
}

/// A budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Whose calls it counts.
    pub scope: BudgetScope,
    /// For how long.
    pub per: Period,
    /// How much.
    pub limit: Limit,
    /// Warns when so many percent are used.
    pub warn: u8,
    /// Whether a call that would pass it is not made.
    pub stop: bool,
}

/// What a budget has counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Standing {
    /// Calls that are over.
    pub spent: Sum,
    /// Calls under way, at the most that they can come to.
    pub pending: Sum,
}

impl Budget {
    /// What it has counted until now.
    #[must_use]
    pub fn standing(&self, ledger: &Ledger, today: Date) -> Standing {
        let first = self.per.first_day(today);
        let spent = |a: &Account| a.day >= first && self.scope.covers(a.lane, &a.provider);
        let pending = |s: &Spend| s.day >= first && self.scope.covers(s.lane, &s.provider);
        Standing { spent: ledger.sum(spent), pending: ledger.pending(pending) }
    }

    /// Whether a call of this lane to this provider is counted.
    #[must_use]
    pub fn covers(&self, lane: LaneId, provider: &str) -> bool {
        self.scope.covers(lane, provider)
    }

    /// What of it is used by calls that are over, in percent, rounded down.
    #[must_use]
    pub fn percent(&self, standing: &Standing) -> u64 {
        let (used, limit) = match self.limit {
            Limit::Tokens(limit) => (standing.spent.usage.total(), limit),
            Limit::Money(limit) => (standing.spent.cost.parts(), limit.parts()),
        };
        if limit == 0 {
            return 100;
        }
        u64::try_from(u128::from(used) * 100 / u128::from(limit)).unwrap_or(u64::MAX)
    }

    /// `$0.10 of $5.00`, `12 of 1000 tokens`
    #[must_use]
    pub fn used_words(&self, standing: &Standing) -> String {
        match self.limit {
            Limit::Tokens(limit) => format!("{} of {limit} tokens", standing.spent.usage.total()),
            Limit::Money(limit) => format!("{} of {limit}", standing.spent.cost),
        }
    }

    /// What of it is used by calls that are over, in its own measure.
    #[must_use]
    pub fn used(&self, standing: &Standing) -> Limit {
        match self.limit {
            Limit::Tokens(_) => Limit::Tokens(standing.spent.usage.total()),
            Limit::Money(_) => Limit::Money(standing.spent.cost),
        }
    }
}

/// Whether a call may be made under a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// It fits.
    Fits,
    /// It fits only if calls under way come to less than they can: they end soon, and then it is known.
    Waits,
    /// It would pass the budget.
    Passes,
    /// Its price is unknown, and the budget is in money.
    Unpriced,
}

/// Whether a call that uses this much at most, for this cost at most, may be made. A budget that only warns lets
/// every call pass.
#[must_use]
pub fn admit(budget: &Budget, standing: &Standing, ask: &SpendAsk, most: Option<Money>) -> Admission {
    if !budget.stop {
        return Admission::Fits;
    }
    let (spent, pending, most, limit) = match (budget.limit, most) {
        (Limit::Tokens(limit), _) => {
            (standing.spent.usage.total(), standing.pending.usage.total(), ask.usage().total(), limit)
        }
        (Limit::Money(_), None) => return Admission::Unpriced,
        (Limit::Money(limit), Some(most)) => {
            (standing.spent.cost.parts(), standing.pending.cost.parts(), most.parts(), limit.parts())
        }
    };
    let alone = spent.saturating_add(most);
    if alone > limit {
        Admission::Passes
    } else if alone.saturating_add(pending) > limit {
        Admission::Waits
    } else {
        Admission::Fits
    }
}
