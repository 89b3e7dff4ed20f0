//! What calls cost and which budgets count them, as the running whole knows it: what the person set by command and
//! what the configuration says, together.

use super::{State, TurnToken};
use crate::domain::{Budget, BudgetId, BudgetScope, Period, Price, PromptId, SpendAsk, Standing};

/// A call that waits until others have ended, because a budget might not be enough for all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingCall {
    /// Whom to tell.
    pub token: TurnToken,
    /// Whose turn it is.
    pub prompt: PromptId,
    /// What it may use.
    pub ask: SpendAsk,
}

/// A budget of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfiguredBudget {
    /// Its name there.
    pub name: String,
    /// The lane by name, if it is one lane's.
    pub lane: Option<String>,
    /// The rule; its scope counts only where no lane is named.
    pub rule: Budget,
    /// The file and line.
    pub place: String,
}

/// A budget in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneBudget {
    /// `b3`, or the name in the configuration.
    pub name: String,
    /// By what it was set: its id, or the place in a file.
    pub by: Result<BudgetId, String>,
    /// The rule.
    pub rule: Budget,
}

impl LaneBudget {
    /// `b3 (lane api, per day)`
    #[must_use]
    pub fn words(&self, state: &State) -> String {
        let per = match self.rule.per {
            Period::Total => "in total".to_owned(),
            per => format!("per {}", per.word()),
        };
        format!("{} ({}, {per})", self.name, self.scope_words(state))
    }

    /// `project`, `lane api`, `provider local`
    #[must_use]
    pub fn scope_words(&self, state: &State) -> String {
        match &self.rule.scope {
            BudgetScope::Project => "project".to_owned(),
            BudgetScope::Lane(lane) => format!("lane {}", state.model.name(*lane)),
            BudgetScope::Provider(name) => format!("provider {name}"),
        }
    }

    /// What a person does who wants more.
    #[must_use]
    pub fn way_out(&self) -> String {
        let wait = match self.rule.per {
            Period::Day => ", or wait until tomorrow",
            Period::Week => ", or wait until Monday",
            Period::Month => ", or wait until next month",
            Period::Total => "",
        };
        match &self.by {
            Ok(id) => format!("`budget set` with a higher limit or `budget remove {id}` lifts it{wait}"),
            Err(place) => format!("change it in {place}{wait}"),
        }
    }

    /// What it has counted.
    #[must_use]
    pub fn standing(&self, state: &State) -> Standing {
        self.rule.standing(&state.model.ledger, state.today)
    }
}

/// A budget of which so much is used that the person is warned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueBudget {
    /// The budget.
    pub budget: LaneBudget,
    /// `budget b3 (lane api, per day)`
    pub head: String,
    /// How much is used, and what follows.
    pub words: String,
}

impl State {
    /// Budgets that are nearly or wholly used.
    pub fn due_budgets(&self) -> impl Iterator<Item = DueBudget> {
        self.budgets().filter_map(|budget| {
            let standing = budget.standing(self);
            let percent = budget.rule.percent(&standing);
            if percent < u64::from(budget.rule.warn) {
                return None;
            }
            let stops = match (percent >= 100, budget.rule.stop) {
                (true, true) => ", and stops further calls",
                (true, false) => ", which only warns",
                _ => "",
            };
            let words = format!("{percent} % is used, {}{stops}", budget.rule.used_words(&standing));
            Some(DueBudget { head: format!("budget {}", budget.words(self)), words, budget })
        })
    }

    /// Every budget in force: those of the configuration, then those set by command. One for a lane that is not
    /// there counts nothing.
    pub fn budgets(&self) -> impl Iterator<Item = LaneBudget> {
        let configured = self.settings.budgets.iter().filter_map(|configured| {
            let scope = match &configured.lane {
                Some(name) => BudgetScope::Lane(self.model.lane_named(name)?.id),
                None => configured.rule.scope.clone(),
            };
            let rule = Budget { scope, ..configured.rule.clone() };
            Some(LaneBudget { name: configured.name.clone(), by: Err(configured.place.clone()), rule })
        });
        let set = self.model.budgets.iter();
        let set = set.map(|(id, rule)| LaneBudget { name: id.to_string(), by: Ok(*id), rule: rule.clone() });
        configured.chain(set)
    }

    /// What a token costs at a provider, if that is known.
    #[must_use]
    pub fn price_of(&self, provider: &str, model: &str) -> Option<Price> {
        let info = self.settings.providers.iter().find(|info| info.name == provider)?;
        info.prices.get(model).copied()
    }
}
