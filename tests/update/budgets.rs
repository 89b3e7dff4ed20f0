//! Budgets: what they count, when they warn, and whom they stop.

use paralane::domain::{LaneId, Money, Price, PromptState as S, SpendState, Sum};

use crate::support::Sim;

/// With prices of one whole for a thousand tokens.
fn priced(lanes: &[&str]) -> Sim {
    let mut sim = Sim::with(lanes);
    let rate = Money::parse("0.001").unwrap();
    let price = Price { input: rate, cached: rate, cache_write: rate, output: rate };
    sim.state.settings.providers[0].prices.insert("m".into(), price);
    sim
}

fn spent(sim: &Sim, lane: i64) -> Sum {
    sim.state.model.ledger.of_lane(LaneId(lane))
}

fn problems(sim: &Sim) -> Vec<String> {
    let all = paralane::app::problems(&sim.state, sim.state.now);
    all.into_iter().map(|p| p.report.message).filter(|words| words.starts_with("budget")).collect()
}

#[test]
fn a_budget_stops_the_call_that_would_pass_it_and_the_others_of_its_scope_too() {
    let mut sim = priced(&["api", "ui"]);
    assert!(sim.ok("budget set --money 0.25 --per day").contains("b1 (project, per day): $0.25"));
    let first = sim.prompt("api", "spend:100");
    assert_eq!((sim.is(first), spent(&sim, 1).cost_words().as_str()), (S::Done, "$0.10"));
    // It could cost twenty cents: with what is used that is more than the limit.
    let second = sim.prompt("api", "spend:100");
    assert_eq!(sim.is(second), S::Failed);
    let words = sim.get(second).error.clone().unwrap();
    for part in ["budget b1 (project, per day)", "$0.10 of $0.25 used", "up to $0.20", "`budget remove b1`", "tomorrow"]
    {
        assert!(words.contains(part), "{words}");
    }
    assert_eq!(spent(&sim, 1).calls, 1, "it was not made");
    let other = sim.prompt("ui", "spend:100");
    assert_eq!(sim.is(other), S::Failed);
    // Changed, not added; and what was stopped goes on.
    sim.ok("budget set --money 0.60");
    assert_eq!(sim.state.model.budgets.len(), 1);
    sim.ok(&format!("retry p{second}"));
    sim.ok(&format!("retry p{other}"));
    assert_eq!((sim.is(second), sim.is(other)), (S::Done, S::Done));
    assert_eq!(sim.state.model.ledger.total().cost_words(), "$0.30");
}

#[test]
fn what_is_counted_and_what_is_reserved_survives_a_death() {
    let mut sim = priced(&["api"]);
    sim.ok("budget set --tokens 1000 --per total");
    let done = sim.prompt("api", "spend:100");
    assert_eq!(sim.is(done), S::Done);
    // It dies after the reservation is kept and before the call is settled.
    sim.say("prompt api -- spend:300");
    while sim.disk.model.ledger.all_open().next().is_none() {
        assert!(sim.ack() || sim.deliver() || sim.advance(LaneId(1)));
    }
    sim.kill(0);
    sim.run();
    let sum = spent(&sim, 1);
    assert_eq!((sum.calls, sum.usage.total(), sum.unsettled), (2, 700, 1), "the most stays counted");
    let list = sim.ok("--json budget list");
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    assert_eq!((&list["budgets"][0]["used"], &list["budgets"][0]["percent"]), (&700.into(), &70.into()));
    let again = sim.prompt("api", "spend:200");
    assert_eq!(sim.is(again), S::Queued, "the cut one waits for the person");
    sim.ok("cancel p2");
    assert_eq!(sim.is(again), S::Failed, "four hundred more are too many");
    assert!(sim.ok("top").contains("1 cut by a crash, counted at most"));
}

#[test]
fn calls_wait_while_others_may_yet_come_to_less() {
    let mut sim = priced(&["api", "ui"]);
    sim.ok("budget set --money 0.50");
    sim.say("prompt api -- spend:200");
    while sim.disk.model.ledger.all_open().next().is_none() {
        assert!(sim.ack() || sim.deliver() || sim.advance(LaneId(1)));
    }
    // Forty cents are reserved. This one could cost thirty: alone it fits.
    sim.say("prompt ui -- spend:150");
    while sim.state.live(LaneId(2)).is_none_or(|live| live.waiting_calls.is_empty()) {
        assert!(sim.ack() || sim.deliver() || sim.advance(LaneId(2)));
    }
    sim.run();
    assert_eq!((sim.is(1), sim.is(2)), (S::Done, S::Done));
    assert_eq!(sim.state.model.ledger.total().cost_words(), "$0.35");
}

#[test]
fn a_call_that_waits_for_a_budget_is_cancelled_at_once() {
    let mut sim = priced(&["api", "ui"]);
    sim.ok("budget set --money 0.50");
    sim.say("prompt api -- spend:200");
    while sim.disk.model.ledger.all_open().next().is_none() {
        assert!(sim.ack() || sim.deliver() || sim.advance(LaneId(1)));
    }
    sim.say("prompt ui -- spend:150");
    while sim.state.live(LaneId(2)).is_none_or(|live| live.waiting_calls.is_empty()) {
        assert!(sim.ack() || sim.deliver() || sim.advance(LaneId(2)));
    }
    sim.say("cancel p2");
    sim.run();
    assert_eq!((sim.is(1), sim.is(2), spent(&sim, 2).calls), (S::Done, S::Cancelled, 0));
}

#[test]
fn money_without_a_price_fails_closed_and_tokens_are_counted_all_the_same() {
    let mut sim = Sim::with(&["api"]);
    let free = sim.prompt("api", "spend:100");
    assert_eq!((sim.is(free), spent(&sim, 1).cost_words().as_str()), (S::Done, "unknown"));
    assert!(sim.ok("budget set --money 5").contains("no provider that it counts has a price"));
    let stopped = sim.prompt("api", "spend:1");
    let words = sim.get(stopped).error.clone().unwrap();
    assert!(words.contains("the price of `m` at `local` is unknown") && words.contains("budget in tokens"), "{words}");
    sim.ok("budget remove b1");
    sim.refused("budget remove b1");
    sim.ok("budget set --tokens 1000");
    sim.ok(&format!("retry p{stopped}"));
    assert_eq!((sim.is(stopped), spent(&sim, 1).usage.total()), (S::Done, 101));
    let top: serde_json::Value = serde_json::from_str(&sim.ok("--json top")).unwrap();
    assert_eq!(top["lanes"][0]["turn"]["tokens"], 1, "of the newest turn");
    let api = &top["lanes"][0]["total"];
    assert_eq!(
        (&api["cost"], &api["tokens"], &api["unpriced_calls"]),
        (&serde_json::Value::Null, &101.into(), &2.into())
    );
}

#[test]
fn a_budget_warns_once_and_counts_only_its_own_lane_provider_and_period() {
    let mut sim = priced(&["api", "ui"]);
    sim.ok("budget set --tokens 100 --lane api --warn 50 --warn-only");
    sim.ok("budget set --tokens 1000 --provider local --per total");
    sim.prompt("ui", "spend:200");
    assert_eq!(problems(&sim), [""; 0]);
    sim.rings.clear();
    sim.prompt("api", "spend:60");
    assert_eq!(problems(&sim), ["budget b1 (lane api, per day): 60 % is used, 60 of 100 tokens"]);
    sim.prompt("api", "spend:60");
    assert_eq!(sim.rings.iter().filter(|words| words.starts_with("budget")).count(), 1, "{:?}", sim.rings);
    assert!(problems(&sim)[0].contains("120 % is used") && problems(&sim)[0].contains("which only warns"));
    // The next day begins anew; the total goes on.
    sim.sleep(86_400);
    let next = sim.prompt("api", "spend:10");
    assert_eq!((sim.is(next), problems(&sim).len()), (S::Done, 0));
    let list: serde_json::Value = serde_json::from_str(&sim.ok("--json budget list")).unwrap();
    assert_eq!((&list["budgets"][0]["used"], &list["budgets"][1]["used"]), (&10.into(), &330.into()));
    for wrong in ["budget set --tokens 5 --provider loca", "budget set --tokens 5 --lane nobody"] {
        sim.refused(wrong);
    }
    assert_eq!(sim.state.model.budgets.len(), 2);
}

#[test]
fn a_full_disk_counts_nothing_twice_and_makes_no_uncounted_call() {
    let mut sim = priced(&["api"]);
    sim.say("prompt api -- spend:100");
    while sim.disk.model.ledger.all_open().next().is_none() {
        assert!(sim.ack() || sim.deliver() || sim.advance(LaneId(1)));
    }
    // The settlement is not kept, and told again.
    sim.full = 1;
    sim.run();
    sim.sleep(10);
    sim.run();
    let sum = spent(&sim, 1);
    assert_eq!((sum.calls, sum.usage.total()), (1, 100));
    assert!(sim.state.model.ledger.all_open().all(|spend| spend.state != SpendState::Reserved));
}
