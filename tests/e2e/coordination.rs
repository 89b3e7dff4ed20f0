//! Coordination through the program: many processes at once, plans and mail with files, what a crash leaves.

use std::collections::BTreeSet;
use std::thread;

use serde_json::{Value, json};

use crate::shop::Shop;

fn numbers(document: &Value, list: &str, key: &str) -> Vec<Value> {
    document[list].as_array().unwrap().iter().map(|row| row[key].clone()).collect()
}

#[test]
fn twenty_processes_at_once_give_one_owner_and_lose_nothing() {
    let shop = Shop::full();
    shop.lanes(&["api", "ui"]);
    let won: Vec<(i32, String)> = thread::scope(|scope| {
        let all: Vec<_> = (0..20)
            .map(|n| {
                let bench = &shop.bench;
                scope.spawn(move || {
                    let lane = if n % 2 == 0 { "api" } else { "ui" };
                    let own = (100 + n).to_string();
                    let done = bench.cli(&["issue", "claim", &own, "--lane", lane]);
                    assert_eq!(done.status, 0, "{done:?}");
                    let said = bench.cli(&["say", lane, &format!("number {n}")]);
                    assert_eq!(said.status, 0, "{said:?}");
                    let run = bench.cli(&["issue", "claim", "7", "--lane", lane]);
                    (run.status, run.stderr)
                })
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let owner = shop.json(&["issue", "show", "7"])["owner"].as_str().unwrap().to_owned();
    for (status, words) in &won {
        assert!(*status == 0 || words.contains(&format!("owned by lane `{owner}`")), "{words}");
    }
    assert_eq!(won.iter().filter(|(status, _)| *status == 0).count(), 10, "the owner's own, again and again");
    let claims: BTreeSet<String> = numbers(&shop.json(&["issue", "list"]), "issues", "claim")
        .iter()
        .map(|claim| claim.as_str().unwrap().to_owned())
        .collect();
    assert_eq!(claims.len(), 21, "each ownership has an id of its own");
    let mail = shop.json(&["mail", "list", "--all", "--limit", "100"]);
    let ids: BTreeSet<String> = numbers(&mail, "messages", "id").iter().map(ToString::to_string).collect();
    assert_eq!(ids.len(), 20);
}

#[test]
fn what_was_acknowledged_survives_a_kill_and_is_read_without_a_workstation() {
    let shop = Shop::full();
    shop.lanes(&["api", "ui"]);
    shop.bench.write(
        "plan.toml",
        "[plan]\nname = \"shop\"\n[issues]\n1 = \"schema\"\n[dependencies]\n2 = [1]\n[groups]\ncore = [1, 2]\n",
    );
    shop.ok(&["plan", "apply", "plan.toml"]);
    shop.ok(&["issue", "claim", "1", "--lane", "api"]);
    shop.ok(&["say", "ui", "look at the schema", "--lane", "api", "--ack", "--attach", "plan.toml"]);
    shop.ok(&["report", "--lane", "api", "--state", "partial", "--remaining", "the tests"]);
    shop.ok(&["reserve", "--lane", "api", "src/", "port:5432", "--issue", "1"]);
    shop.ok(&["reserve", "--lane", "ui", "--wait", "src/login.rs"]);
    shop.bench.kill_workstation();
    assert_eq!(shop.json(&["issue", "show", "1"])["owner"], "api");
    let tree = shop.json(&["plan", "show"]);
    assert_eq!(numbers(&tree, "tree", "issue"), [json!(1), json!(2)]);
    assert_eq!(numbers(&shop.json(&["report"]), "reports", "state"), [json!("partial")]);
    let found = shop.json(&["mail", "search", "schema"]);
    let id = found["messages"][0]["id"].as_str().unwrap().to_owned();
    let content = shop.ok(&["mail", "show", &id, "--attachment", "plan.toml"]).stdout;
    assert!(content.contains("name = \"shop\""), "{content}");
    let words = shop.refused(&["mail", "ack", &id, "--lane", "api"]);
    assert!(words.contains("went to `ui`"), "{words}");
    shop.ok(&["mail", "ack", &id, "--lane", "ui"]);
    let released = shop.ok(&["issue", "release", "1", "--lane", "api"]).stdout;
    assert!(released.contains("2 of its holds ended"), "{released}");
    let held = shop.json(&["reservations"]);
    assert_eq!(numbers(&held, "reservations", "lane"), [json!("ui")], "granted with the release");
    let words = shop.refused(&["mail", "show", "msg99"]);
    assert!(words.contains("there is no message msg99"), "{words}");
}

#[test]
fn edits_in_the_base_checkout_are_told_to_who_holds_them() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    shop.ok(&["reserve", "--lane", "api", "src/"]);
    shop.bench.write("src/login.rs", "pub fn other() {}\n");
    shop.wait_for("the lane to be told", || {
        let mail = shop.json(&["mail", "list", "--lane", "api"]);
        let told =
            mail["messages"].as_array().unwrap().iter().any(|m| m["subject"].to_string().contains("base checkout"));
        told.then_some(()).ok_or_else(|| mail.to_string())
    });
}
