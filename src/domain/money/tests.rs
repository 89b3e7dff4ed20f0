use jiff::Timestamp;
use jiff::civil::{Date, date};
use proptest::prelude::*;

use super::*;
use crate::domain::{LaneId, PromptId, SpendId};

fn dollars(text: &str) -> Money {
    Money::parse(text).unwrap()
}

/// Three, thirty cents, three seventy-five and fifteen per million.
fn price() -> Price {
    let rate = |text: &str| dollars(text).per_million();
    Price { input: rate("3"), cached: rate("0.3"), cache_write: rate("3.75"), output: rate("15") }
}

fn spend(id: i64, day: Date, cost: Option<Money>, tokens: u64) -> Spend {
    Spend {
        id: SpendId(id),
        lane: LaneId(1 + id % 2),
        prompt: PromptId(1),
        provider: "local".into(),
        model: "small".into(),
        at: Timestamp::UNIX_EPOCH,
        day,
        price: Some(price()),
        state: SpendState::Reserved,
        usage: Usage { input: tokens, ..Usage::default() },
        cost,
    }
}

#[test]
fn amounts_are_read_and_shown_exactly() {
    for (text, shown) in [
        ("0", "$0.00"),
        ("5", "$5.00"),
        ("$2.50", "$2.50"),
        (".5", "$0.50"),
        ("0.0423", "$0.0423"),
        ("0.00001", "<$0.0001"),
        ("1.999", "$2.00"),
        ("1234567.89", "$1234567.89"),
    ] {
        assert_eq!(dollars(text).to_string(), shown, "{text}");
    }
    for wrong in ["", ".", "-1", "1e5", "1,5", "NaN", "inf", "five", "99999999999", "$", "1.2.3"] {
        assert!(Money::parse(wrong).is_err(), "{wrong}");
    }
    assert_eq!(Money::of_number(0.1), Money::parse("0.1"));
    assert!(Money::of_number(f64::NAN).is_err() && Money::of_number(-0.5).is_err());
    assert_eq!(dollars("0.0000000000001"), Money::of_parts(1), "rounds up, never to nothing");
}

#[test]
fn cached_tokens_are_priced_apart_and_each_token_once() {
    let usage = Usage { input: 10_000, cached: 9_000, output: 100, ..Usage::default() };
    assert_eq!(price().cost(&usage), dollars("0.0072"));
    let written = Usage { cache_write: 500, ..usage };
    assert_eq!(price().cost(&written), dollars("0.007575"));
    // A server that says more was cached than was sent.
    let odd = Usage { input: 10, cached: 50, cache_write: 50, ..Usage::default() };
    assert_eq!(price().cost(&odd), dollars("0.000003"));
}

proptest! {
    #[test]
    fn a_call_never_costs_more_than_its_most(
        input in 0..u64::MAX, cached in any::<u64>(), cache_write in any::<u64>(), output in any::<u64>(),
        rates in any::<[u32; 4]>(),
    ) {
        let [a, b, c, d] = rates.map(|rate| Money::of_parts(rate.into()));
        let price = Price { input: a, cached: b, cache_write: c, output: d };
        let usage = Usage { input, cached, cache_write, output, reasoning: 0 };
        prop_assert!(price.cost(&usage) <= price.most(&usage));
    }

    #[test]
    fn reading_an_amount_and_its_number_agree(whole in 0_u32..1_000_000, cents in 0_u32..100) {
        let text = format!("{whole}.{cents:02}");
        prop_assert_eq!(Money::parse(&text).unwrap().to_string(), format!("${text}"));
    }

    /// However calls come and go, what is stopped by its budget is never passed, and sums are what was settled.
    #[test]
    fn no_order_of_calls_passes_a_budget(steps in prop::collection::vec((any::<bool>(), 0_u64..50, 0_u64..50), 0..200)) {
        let today = date(2026, 1, 2);
        let budget = Budget {
            scope: BudgetScope::Project,
            per: Period::Day,
            limit: Limit::Tokens(100),
            warn: WARN_PERCENT,
            stop: true,
        };
        let mut ledger = Ledger::default();
        let mut settled = 0;
        for (id, (ask, most, used)) in (1..).zip(steps) {
            if ask {
                let ask = SpendAsk { provider: "local".into(), model: "small".into(), input: most, output: 0 };
                let standing = budget.standing(&ledger, today);
                if admit(&budget, &standing, &ask, None) == Admission::Fits {
                    ledger.reserve(spend(id, today, None, most));
                }
            } else {
                let Some(open) = ledger.all_open().next().cloned() else { continue };
                let usage = Usage { input: used.min(open.usage.input), ..Usage::default() };
                settled += usage.input;
                ledger.settle(open.id, SpendState::Settled, usage, None);
                // Again changes nothing.
                ledger.settle(open.id, SpendState::Settled, usage, None);
            }
            let standing = budget.standing(&ledger, today);
            prop_assert!(standing.spent.usage.total() + standing.pending.usage.total() <= 100);
            prop_assert_eq!(standing.spent.usage.total(), settled);
        }
    }
}

#[test]
fn sums_are_kept_by_day_lane_and_turn_and_an_unknown_price_is_said() {
    let (monday, sunday) = (date(2026, 1, 5), date(2026, 1, 4));
    let mut ledger = Ledger::default();
    for (id, day) in [(1, sunday), (2, monday), (3, monday), (4, monday)] {
        ledger.reserve(spend(id, day, Some(dollars("1")), 10));
    }
    assert_eq!(ledger.pending(|_| true).cost, dollars("4"));
    assert_eq!(ledger.total().calls, 0);
    let usage = Usage { input: 7, ..Usage::default() };
    ledger.settle(SpendId(1), SpendState::Settled, usage, Some(dollars("0.25")));
    ledger.settle(SpendId(2), SpendState::Settled, usage, Some(dollars("0.50")));
    ledger.settle(SpendId(3), SpendState::Estimated, usage, None);
    ledger.settle(SpendId(4), SpendState::Released, Usage::default(), None);
    assert_eq!((ledger.total().calls, ledger.total().cost, ledger.all_open().count()), (3, dollars("0.75"), 0));
    assert_eq!(ledger.of_day(monday).usage.input, 14);
    assert_eq!(ledger.of_lane_day(LaneId(1), monday).cost_words(), "$0.50");
    assert_eq!(ledger.of_lane(LaneId(2)).cost_words(), "$0.25 + unknown");
    assert_eq!(ledger.of_lane_day(LaneId(2), monday).cost_words(), "unknown");
    assert_eq!(ledger.of_turn(PromptId(1)).known_cost(), None);
    let week = Budget {
        scope: BudgetScope::Lane(LaneId(2)),
        per: Period::Week,
        limit: Limit::Money(dollars("1")),
        warn: 80,
        stop: true,
    };
    assert_eq!(week.standing(&ledger, monday).spent.calls, 1, "Sunday was last week");
    let total = Budget { per: Period::Total, ..week };
    assert_eq!(total.standing(&ledger, monday).spent.cost, dollars("0.25"));
    assert_eq!(total.percent(&total.standing(&ledger, monday)), 25);
}

#[test]
fn a_budget_in_money_lets_no_call_of_unknown_price_through() {
    let today = date(2026, 1, 5);
    let ask = SpendAsk { provider: "local".into(), model: "x".into(), input: 1, output: 1 };
    let mut budget = Budget {
        scope: BudgetScope::Provider("local".into()),
        per: Period::Total,
        limit: Limit::Money(dollars("1")),
        warn: 80,
        stop: true,
    };
    let mut ledger = Ledger::default();
    let admitted = |budget: &Budget, ledger: &Ledger, most: Option<&str>| {
        admit(budget, &budget.standing(ledger, today), &ask, most.map(dollars))
    };
    assert_eq!(admitted(&budget, &ledger, None), Admission::Unpriced);
    assert_eq!(admitted(&budget, &ledger, Some("1")), Admission::Fits);
    assert_eq!(admitted(&budget, &ledger, Some("1.01")), Admission::Passes);
    ledger.reserve(spend(1, today, Some(dollars("0.30")), 1));
    assert_eq!(admitted(&budget, &ledger, Some("0.71")), Admission::Waits);
    // Its end was never told: it stays counted, and there is nothing to wait for.
    ledger.settle(SpendId(1), SpendState::Unsettled, Usage::default(), Some(dollars("0.30")));
    assert_eq!(admitted(&budget, &ledger, Some("0.71")), Admission::Passes);
    budget.stop = false;
    assert_eq!(admitted(&budget, &ledger, None), Admission::Fits);
}
