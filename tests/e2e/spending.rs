//! What calls cost, counted by the real program: over `kill -9`, and with a budget that holds.

use serde_json::Value;

use crate::shop::Shop;

#[test]
fn what_is_counted_and_a_budget_hold_over_deaths() {
    let mut shop = Shop::with("[providers.test.price]\ninput = 3.0\ncached = 0.3\noutput = 15.0\n");
    shop.lanes(&["api", "ui"]);
    let first = shop.send("api", "%say hi");
    shop.wait_state(&first, "done");
    let total = |shop: &Shop| shop.json(&["top"])["total"].clone();
    // A hundred tokens sent and ten received.
    let sum = total(&shop);
    assert_eq!((&sum["tokens"], &sum["cost"]), (&110.into(), &0.000_45.into()));
    assert!(shop.ok(&["top"]).stdout.contains("$0.0005"));

    // It dies when the call is counted and not made yet.
    shop.die_at("model-reserved", |shop| {
        shop.bench.cli(&["prompt", "api", "--", "%say lost"]);
    });
    let sum = total(&shop);
    assert_eq!(shop.json(&["top"])["reserved"]["calls"], 1, "also told while nothing runs");
    assert_eq!(sum["tokens"], 110);
    shop.ok(&["up"]);
    let sum = total(&shop);
    assert_eq!((&sum["calls"], &sum["unsettled_calls"]), (&2.into(), &1.into()));
    assert!(sum["tokens"].as_u64().unwrap() > 32_000, "{sum}");

    shop.ok(&["budget", "set", "--tokens", "1000", "--per", "total"]);
    let asked = shop.model.seen().len();
    let stopped = shop.send("ui", "%say more");
    shop.wait_state(&stopped, "failed");
    let why = shop.bench.cli(&["prompt", "ui", "--wait", "--", "%say again"]).ended_with(1).stdout;
    assert!(why.contains("stopped by budget b1 (project, in total)"), "{why}");
    shop.bench.kill_workstation();
    let list = shop.json(&["budget", "list"]);
    assert_eq!((&list["budgets"][0]["state"], &list["budgets"][0]["used"]), (&"used-up".into(), &sum["tokens"]));
    let again = shop.send("ui", "%say once more");
    shop.wait_state(&again, "failed");
    assert_eq!(shop.model.seen().len(), asked, "no call was made");

    shop.ok(&["budget", "remove", "b1"]);
    shop.ok(&["retry", &again]);
    shop.wait_state(&again, "done");
    assert_eq!(total(&shop)["calls"], 3);
    assert_eq!(shop.json(&["budget", "list"])["budgets"], Value::Array(Vec::new()));
}

#[test]
fn wrong_budgets_are_refused_with_words() {
    let shop = Shop::new();
    for (args, words) in [
        (&["budget", "set"][..], "needs a limit"),
        (&["budget", "set", "--money", "5", "--tokens", "5"], "do not go together"),
        (&["budget", "set", "--money", "five"], "`five` is no amount of money"),
        (&["budget", "set", "--money", "-1"], "`-1` is no amount of money"),
        (&["budget", "set", "--tokens", "-1"], "not a whole number"),
        (&["budget", "set", "--money", "0"], "above 0"),
        (&["budget", "set", "--tokens", "1e6"], "not a whole number"),
        (&["budget", "set", "--tokens", "5", "--warn", "0"], "from 1 to 100"),
        (&["budget", "set", "--tokens", "5", "--per", "year"], "year"),
        (&["budget", "remove", "night"], "`night` is no budget id"),
    ] {
        let said = shop.bench.cli(args).ended_with(2).stderr;
        assert!(said.contains(words), "{args:?}: {said}");
    }
    assert!(shop.ok(&["budget", "list"]).stdout.contains("no budget is set"));
}
