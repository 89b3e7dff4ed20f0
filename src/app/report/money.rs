//! What calls use and cost: budgets, and the sums that `top` shows.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::command::as_taken;
use crate::domain::{BudgetScope, Limit, Money, Spend, SpendState, Sum};

use super::text::{line, table};
use super::{Document, Read};

/// `1234567` as `1,234,567`.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A sum for programs. `cost` is null as soon as one price in it is unknown; what is known is `known_cost`.
pub(super) fn sum_json(sum: &Sum) -> Value {
    json!({
        "calls": sum.calls,
        "tokens": sum.usage.total(),
        "input": sum.usage.input,
        "cached": sum.usage.cached,
        "cache_write": sum.usage.cache_write,
        "output": sum.usage.output,
        "reasoning": sum.usage.reasoning,
        "cost": sum.known_cost().map(Money::number),
        "known_cost": sum.cost.number(),
        "unpriced_calls": sum.unpriced,
        "estimated_calls": sum.estimated,
        "unsettled_calls": sum.unsettled,
    })
}

/// What a sum says beside its numbers: why it is not exact, and what comes to it.
pub(super) fn remarks(sum: &Sum, under_way: &Sum) -> String {
    let many = |count: u64, what: &str| (count > 0).then(|| format!("{count} {what}"));
    let all = [
        many(sum.unpriced, "of unknown price"),
        many(sum.estimated, "estimated"),
        many(sum.unsettled, "cut by a crash, counted at most"),
    ];
    let most =
        (under_way.calls > 0).then(|| format!("{} under way, up to {}", under_way.calls, under_way.cost_words()));
    all.into_iter().flatten().chain(most).collect::<Vec<_>>().join(", ")
}

pub(super) fn budgets(read: &Read<'_>) -> Document {
    let state = read.state;
    let mut rows = vec![];
    let mut list = Vec::new();
    for budget in state.budgets() {
        let standing = budget.standing(state);
        let percent = budget.rule.percent(&standing);
        let (used, pending) = (budget.rule.used(&standing), standing.pending);
        let reserved = match budget.rule.limit {
            Limit::Tokens(_) => Limit::Tokens(pending.usage.total()),
            Limit::Money(_) => Limit::Money(pending.cost),
        };
        let stands = match (percent >= 100, budget.rule.stop) {
            (true, true) => "used-up",
            (true, false) => "over",
            _ if percent >= u64::from(budget.rule.warn) => "warns",
            _ => "open",
        };
        let number = |limit: Limit| match limit {
            Limit::Tokens(tokens) => json!(tokens),
            Limit::Money(money) => json!(money.number()),
        };
        let by = match &budget.by {
            Ok(_) => "set by command".to_owned(),
            Err(place) => place.clone(),
        };
        list.push(json!({
            "id": budget.name,
            "scope": match &budget.rule.scope {
                BudgetScope::Project => "project",
                BudgetScope::Lane(_) => "lane",
                BudgetScope::Provider(_) => "provider",
            },
            "lane": match &budget.rule.scope {
                BudgetScope::Lane(lane) => Some(state.model.name(*lane)),
                _ => None,
            },
            "provider": match &budget.rule.scope {
                BudgetScope::Provider(name) => Some(name),
                _ => None,
            },
            "per": budget.rule.per.word(),
            "measure": match budget.rule.limit {
                Limit::Tokens(_) => "tokens",
                Limit::Money(_) => "money",
            },
            "limit": number(budget.rule.limit),
            "used": number(used),
            "reserved": number(reserved),
            "percent": percent,
            "warn": budget.rule.warn,
            "stop": budget.rule.stop,
            "state": stands,
            "unpriced_calls": standing.spent.unpriced,
            "from": by,
        }));
        let mut words = format!("{} ({percent} %)", budget.rule.used_words(&standing));
        // Writing to a string cannot fail.
        if pending.calls > 0 {
            let _ = write!(words, ", {reserved} reserved");
        }
        if matches!(budget.rule.limit, Limit::Money(_)) && standing.spent.unpriced > 0 {
            let _ = write!(words, ", {} calls of unknown price beside it", standing.spent.unpriced);
        }
        let what = if budget.rule.stop { ", then stops" } else { "" };
        rows.push(vec![
            budget.name.clone(),
            budget.scope_words(state),
            format!("per {}", budget.rule.per.word()),
            words,
            format!("warns at {} %{what}", budget.rule.warn),
            stands.replace('-', " "),
            by,
        ]);
    }
    let text = if rows.is_empty() {
        as_taken("no budget is set: `paralane budget set --money 5 --per day` sets one", read.surface)
    } else {
        table(&rows)
    };
    Document { title: "budgets".into(), json: json!({ "budgets": list }), text }
}

/// What each model came to: as JSON, and as a table with its heading, or nothing.
pub(super) fn models(read: &Read<'_>) -> (Vec<Value>, String) {
    let mut sums: BTreeMap<(&str, &str), Sum> = BTreeMap::new();
    for (account, sum) in read.state.model.ledger.accounts() {
        let one = sums.entry((&account.provider, &account.model)).or_default();
        *one = one.plus(sum);
    }
    let json = sums.iter().map(|((provider, model), sum)| {
        let mut one = sum_json(sum);
        one["provider"] = json!(provider);
        one["model"] = json!(model);
        one
    });
    let mut rows = vec![["model", "calls", "tokens", "cached", "total", ""].map(str::to_owned).to_vec()];
    rows.extend(sums.iter().map(|((provider, model), sum)| {
        vec![
            line(&format!("{provider}/{model}"), 60),
            thousands(sum.calls),
            thousands(sum.usage.total()),
            thousands(sum.usage.cached),
            sum.cost_words(),
            remarks(sum, &Sum::default()),
        ]
    }));
    let text = if sums.is_empty() { String::new() } else { format!("\n{}", table(&rows)) };
    (json.collect(), text)
}

/// What each day came to.
pub(super) fn days(read: &Read<'_>) -> Vec<Value> {
    let mut sums: BTreeMap<jiff::civil::Date, Sum> = BTreeMap::new();
    for (account, sum) in read.state.model.ledger.accounts() {
        let one = sums.entry(account.day).or_default();
        *one = one.plus(sum);
    }
    let with_day = |(day, sum): (jiff::civil::Date, Sum)| {
        let mut one = sum_json(&sum);
        one["day"] = json!(day);
        one
    };
    sums.into_iter().map(with_day).collect()
}

/// Calls that are under way.
pub(super) fn open(read: &Read<'_>) -> Vec<Value> {
    let model = &read.state.model;
    let one = |spend: &Spend| {
        json!({
            "id": spend.id.to_string(),
            "lane": model.name(spend.lane),
            "prompt": spend.prompt.to_string(),
            "provider": spend.provider,
            "model": spend.model,
            "at": spend.at,
            "state": SpendState::Reserved.word(),
            "tokens": spend.usage.total(),
            "cost": spend.cost.map(Money::number),
        })
    };
    model.ledger.all_open().map(one).collect()
}
