//! Sums of spends by day, lane, provider, model and turn.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{Money, Spend, SpendState, Usage};
use crate::domain::{LaneId, PromptId, SpendId};

/// What several calls came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sum {
    /// Calls.
    pub calls: u64,
    /// Their tokens.
    pub usage: Usage,
    /// The cost of those whose price is known.
    pub cost: Money,
    /// Calls whose price is unknown.
    pub unpriced: u64,
    /// Calls that are counted by an estimate.
    pub estimated: u64,
    /// Calls whose end is unknown.
    pub unsettled: u64,
}

impl Sum {
    /// One call.
    #[must_use]
    pub fn of(state: SpendState, usage: Usage, cost: Option<Money>) -> Self {
        Self {
            calls: 1,
            usage,
            cost: cost.unwrap_or_default(),
            unpriced: u64::from(cost.is_none()),
            estimated: u64::from(state == SpendState::Estimated),
            unsettled: u64::from(state == SpendState::Unsettled),
        }
    }

    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            usage: self.usage.plus(&other.usage),
            cost: self.cost + other.cost,
            unpriced: self.unpriced + other.unpriced,
            estimated: self.estimated + other.estimated,
            unsettled: self.unsettled + other.unsettled,
        }
    }

    /// The cost, if every price in it is known.
    #[must_use]
    pub fn known_cost(&self) -> Option<Money> {
        (self.unpriced == 0).then_some(self.cost)
    }

    /// `$0.42`, `unknown`, `$0.42 + unknown`: never nothing for what has no price.
    #[must_use]
    pub fn cost_words(&self) -> String {
        match (self.unpriced, self.cost) {
            (0, cost) => cost.to_string(),
            (_, Money::ZERO) => "unknown".to_owned(),
            (_, cost) => format!("{cost} + unknown"),
        }
    }

    /// `$0.42`, `$0.42+?`, or the tokens where no price is known: for where there is little room.
    #[must_use]
    pub fn cost_short(&self) -> String {
        let tokens = self.usage.total();
        match (self.unpriced, self.cost) {
            (0, cost) => cost.to_string(),
            (_, Money::ZERO) if tokens < 1_000 => format!("{tokens} tok"),
            (_, Money::ZERO) if tokens < 1_000_000 => format!("{}k tok", tokens / 1_000),
            (_, Money::ZERO) => format!("{}M tok", tokens / 1_000_000),
            (_, cost) => format!("{cost}+?"),
        }
    }
}

impl std::iter::Sum for Sum {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, next| sum.plus(&next))
    }
}

/// What sums are kept for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Account {
    /// The person's day.
    pub day: Date,
    /// The lane.
    pub lane: LaneId,
    /// The provider.
    pub provider: String,
    /// The model.
    pub model: String,
}

/// All spends: those under way one by one, the others summed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ledger {
    open: BTreeMap<SpendId, Spend>,
    accounts: BTreeMap<Account, Sum>,
    lanes: BTreeMap<LaneId, Sum>,
    turns: BTreeMap<PromptId, Sum>,
}

impl Ledger {
    /// What the store holds.
    #[must_use]
    pub fn new(open: Vec<Spend>, accounts: Vec<(Account, Sum)>, turns: Vec<(PromptId, Sum)>) -> Self {
        let mut lanes: BTreeMap<LaneId, Sum> = BTreeMap::new();
        for (account, sum) in &accounts {
            let lane = lanes.entry(account.lane).or_default();
            *lane = lane.plus(sum);
        }
        Self {
            open: open.into_iter().map(|spend| (spend.id, spend)).collect(),
            accounts: accounts.into_iter().collect(),
            lanes,
            turns: turns.into_iter().collect(),
        }
    }

    /// A call is about to be made.
    pub fn reserve(&mut self, spend: Spend) {
        self.open.insert(spend.id, spend);
    }

    /// A call is over. Once: one that is over already, or was never reserved, changes nothing.
    pub fn settle(&mut self, id: SpendId, state: SpendState, usage: Usage, cost: Option<Money>) {
        let Some(spend) = self.open.remove(&id) else { return };
        if state == SpendState::Released {
            return;
        }
        let one = Sum::of(state, usage, cost);
        let account = Account { day: spend.day, lane: spend.lane, provider: spend.provider, model: spend.model };
        let add = |sum: &mut Sum| *sum = sum.plus(&one);
        add(self.accounts.entry(account).or_default());
        add(self.lanes.entry(spend.lane).or_default());
        add(self.turns.entry(spend.prompt).or_default());
    }

    /// Forgets a turn's own sum; the others keep what it came to.
    pub fn forget_turn(&mut self, prompt: PromptId) {
        self.turns.remove(&prompt);
    }

    /// A call that is under way.
    #[must_use]
    pub fn open(&self, id: SpendId) -> Option<&Spend> {
        self.open.get(&id)
    }

    /// All calls under way, oldest first.
    pub fn all_open(&self) -> impl Iterator<Item = &Spend> {
        self.open.values()
    }

    /// The sums by day, lane, provider and model.
    pub fn accounts(&self) -> impl DoubleEndedIterator<Item = (&Account, &Sum)> {
        self.accounts.iter()
    }

    /// What is over and fits.
    pub fn sum(&self, wanted: impl Fn(&Account) -> bool) -> Sum {
        self.accounts.iter().filter(|(account, _)| wanted(account)).map(|(_, sum)| *sum).sum()
    }

    /// What is over of one day.
    #[must_use]
    pub fn of_day(&self, day: Date) -> Sum {
        self.day(day).map(|(_, sum)| *sum).sum()
    }

    /// What is over of one day in one lane.
    #[must_use]
    pub fn of_lane_day(&self, lane: LaneId, day: Date) -> Sum {
        self.day(day).filter(|(account, _)| account.lane == lane).map(|(_, sum)| *sum).sum()
    }

    /// What is over in one lane.
    #[must_use]
    pub fn of_lane(&self, lane: LaneId) -> Sum {
        self.lanes.get(&lane).copied().unwrap_or_default()
    }

    /// What is over in one turn.
    #[must_use]
    pub fn of_turn(&self, prompt: PromptId) -> Sum {
        self.turns.get(&prompt).copied().unwrap_or_default()
    }

    /// Everything that is over.
    #[must_use]
    pub fn total(&self) -> Sum {
        self.lanes.values().copied().sum()
    }

    /// What is under way and fits, at the most that it can come to.
    pub fn pending(&self, wanted: impl Fn(&Spend) -> bool) -> Sum {
        let one = |spend: &Spend| Sum::of(spend.state, spend.usage, spend.cost);
        self.open.values().filter(|spend| wanted(spend)).map(one).sum()
    }

    fn day(&self, day: Date) -> impl Iterator<Item = (&Account, &Sum)> {
        let first = Account { day, lane: LaneId(i64::MIN), provider: String::new(), model: String::new() };
        self.accounts.range(first..).take_while(move |(account, _)| account.day == day)
    }
}
