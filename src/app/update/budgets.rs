//! Budgets as the person sets and removes them.

use crate::base::Report;
use crate::domain::{Budget, BudgetId, BudgetScope, Change, Limit};

use super::spending;
use super::step::Step;

/// More than anyone can mean.
const BUDGETS: usize = 200;

/// Sets a budget. One with the same scope, period and measure becomes this one.
pub(super) fn set(step: &mut Step<'_>, rule: Budget) -> Result<String, Report> {
    if let BudgetScope::Provider(name) = &rule.scope {
        let known = &step.state.settings.providers;
        if !known.iter().any(|provider| provider.name == *name) {
            let mut report = Report::refused(format!("there is no provider `{name}`"));
            if let Some(near) = crate::base::nearest(name, known.iter().map(|provider| provider.name.as_str())) {
                report = report.hint(format!("did you mean `{near}`?"));
            }
            return Err(report.hint("`paralane config` lists those of the configuration"));
        }
    }
    let budgets = &step.state.model.budgets;
    let same = |other: &Budget| {
        other.scope == rule.scope && other.per == rule.per && measure(other.limit) == measure(rule.limit)
    };
    let known = budgets.iter().find(|(_, other)| same(other)).map(|(id, _)| *id);
    if known.is_none() && budgets.len() >= BUDGETS {
        return Err(Report::refused(format!("there are {BUDGETS} budgets already"))
            .hint("remove some first: `paralane budget list`"));
    }
    let id = known.unwrap_or(BudgetId(step.state.model.last_ids.budget + 1));
    let unpriced = matches!(rule.limit, Limit::Money(_)) && rule.stop && nobody_priced(step, &rule);
    step.change(Change::BudgetSet { budget: id, rule });
    spending::warn(step);
    let set = step.state.budgets().find(|budget| budget.by == Ok(id));
    let words = set.map(|budget| format!("budget {}: {}", budget.words(step.state), budget.rule.limit));
    let mut words = words.unwrap_or_else(|| format!("budget {id}"));
    if unpriced {
        words.push_str(
            "\nno provider that it counts has a price in the configuration: until one has, every call is stopped",
        );
    }
    Ok(words)
}

pub(super) fn remove(step: &mut Step<'_>, id: BudgetId) -> Result<String, Report> {
    if !step.state.model.budgets.contains_key(&id) {
        return Err(Report::refused(format!("there is no budget {id} that a command has set"))
            .hint("`paralane budget list` shows all; one of the configuration is changed there"));
    }
    step.change(Change::BudgetRemoved { budget: id });
    spending::warn(step);
    Ok(format!("budget {id} removed"))
}

/// Whether no call that a budget counts has a known price.
fn nobody_priced(step: &Step<'_>, rule: &Budget) -> bool {
    let counted = |name: &str| match &rule.scope {
        BudgetScope::Provider(own) => own == name,
        BudgetScope::Project | BudgetScope::Lane(_) => true,
    };
    step.state.settings.providers.iter().filter(|info| counted(&info.name)).all(|info| info.prices.is_empty())
}

const fn measure(limit: Limit) -> bool {
    matches!(limit, Limit::Money(_))
}
