//! What is remembered: kept from a shell, a window and an agent, told to models with prompts that it fits, over a
//! crash and in other projects.

use paralane::domain::EntryBody;
use serde_json::{Value, json};

use crate::shop::Shop;

fn call(text: &str, scope: &str) -> String {
    format!("%call remember {}", json!({"text": text, "scope": scope}))
}

/// What the model was told first in its last request.
fn system(shop: &Shop) -> String {
    shop.model.seen().last().unwrap().body["messages"][0]["content"].as_str().unwrap().to_owned()
}

fn ask(shop: &Shop, lane: &str, prompt: &str) -> String {
    let done = shop.json(&["prompt", lane, "--wait", "--", prompt]);
    assert_eq!(done["state"], "done", "{done}");
    system(shop)
}

fn memory(view: &Value) -> &Value {
    view["layers"].as_array().unwrap().iter().find(|layer| layer["layer"] == "memory").unwrap()
}

#[test]
fn facts_from_a_shell_and_a_window_reach_the_model_with_prompts_they_fit() {
    let shop = Shop::full();
    shop.ok(&["remember", "the", "staging server needs the VPN"]);
    assert!(shop.ok(&["remember", "the staging server needs the VPN"]).stdout.contains("m1 says so already"));
    shop.lanes(&["api", "ui"]);
    let window = shop.bench.window(120, 40);
    window.wait_for_text("api");
    window.line("/remember --user I prefer small commits \"really\" small");
    window.wait_for_text("u1 remembered for all your projects");
    window.line("/memory list");
    window.wait_for_text("m1  this project").wait_for_text("u1  all your projects").wait_for_text("by you");
    window.send(b"\x1b");
    window.wait_gone("m1  this project");

    for lane in ["api", "ui"] {
        let told = ask(&shop, lane, "Deploy to staging\n%say ok");
        assert!(told.contains("- m1 (this project): the staging server needs the VPN"), "{told}");
        assert!(!told.contains("small commits"), "{told}");
    }
    let told = ask(&shop, "api", "Now write the commits NEAR(\"x* AND\n%say ok");
    assert!(
        told.contains("- u1 (all projects): I prefer small commits \"really\" small") && !told.contains("m1"),
        "{told}"
    );
    assert!(!ask(&shop, "api", "something else\n%say ok").contains("Remembered facts"));

    // What the last prompt was told is shown, running or not; the layer can be off.
    ask(&shop, "api", "staging again\n%say ok");
    let view = shop.json(&["context", "api"]);
    let part = &memory(&view)["parts"][0];
    assert_eq!((&part["name"], &part["note"]), (&"m1".into(), &"the staging server needs the VPN".into()), "{view}");
    assert!(memory(&view)["tokens"].as_u64().unwrap() > 20, "{view}");
    let found = shop.json(&["memory", "search", "commit to staging"]);
    assert_eq!(found["facts"].as_array().unwrap().len(), 2, "{found}");
    shop.bench.kill_workstation();
    assert_eq!(memory(&shop.json(&["context", "api"])), memory(&view));
    assert_eq!(shop.json(&["memory", "search", "commit to staging"]), found);
    shop.ok(&["context", "off", "memory", "--lane", "api"]);
    assert!(!ask(&shop, "api", "staging once more\n%say ok").contains("VPN"));
    assert!(ask(&shop, "ui", "staging once more\n%say ok").contains("VPN"));

    shop.ok(&["memory", "edit", "m1", "staging is gone"]);
    assert!(ask(&shop, "ui", "staging now\n%say ok").contains("m1 (this project): staging is gone"));
    shop.ok(&["memory", "forget", "m1"]);
    assert!(!ask(&shop, "ui", "staging now\n%say ok").contains("staging is gone"));
    assert!(shop.refused(&["memory", "forget", "m1"]).contains("no fact m1"));
    assert!(shop.refused(&["remember", "x\u{1b}[2J"]).contains("U+001B"));
}

#[test]
fn an_agents_fact_is_asked_about_with_its_exact_text_and_kept_once() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let script =
        format!("{}\n{}\n%say over", call("never touch the ledger table", "project"), call("likes tea", "user"));
    let id = shop.send("api", &script);
    let asked = &shop.wait_approvals(1)[0];
    assert_eq!(
        (&asked["tool"], &asked["action"]),
        (&"remember".into(), &"project: never touch the ledger table".into())
    );
    assert!(asked["reason"].as_str().unwrap().contains("always asks"), "{asked}");
    assert!(shop.json(&["memory", "list"])["facts"].as_array().unwrap().is_empty());
    assert!(shop.refused(&["approve", "a1", "--for", "always"]).contains("once only"));
    shop.ok(&["approve", "a1"]);
    assert_eq!(shop.wait_approval(), "a2");
    shop.ok(&["deny", "a2", "--reason", "coffee"]);
    shop.wait_state(&id, "done");
    let list = shop.json(&["memory", "list"]);
    let facts = list["facts"].as_array().unwrap();
    assert_eq!(facts.len(), 1, "{list}");
    assert_eq!(
        (&facts[0]["by"], &facts[0]["lane"], &facts[0]["prompt"]),
        (&"agent".into(), &"api".into(), &id.as_str().into())
    );
    assert_eq!((&facts[0]["text"], &facts[0]["project"]), (&"never touch the ledger table".into(), &"shop".into()));
    let told = |body: &EntryBody| match body {
        EntryBody::Result { outcome, .. } => Some((outcome.ok, outcome.summary.clone())),
        _ => None,
    };
    let results: Vec<_> = shop.entries("api").iter().filter_map(|entry| told(&entry.body)).collect();
    assert_eq!(results, [(true, "m1".to_owned()), (false, "denied".to_owned())]);
    // What looks like a key is not even asked about.
    let key = format!("gh{}", "p_Ab1".repeat(8));
    let id = shop.send("api", &format!("{}\n%say over", call(&format!("the key is {key}"), "project")));
    shop.wait_state(&id, "done");
    assert!(shop.results("api").last().unwrap().contains("variable"));
    assert_eq!(shop.json(&["memory", "list"])["facts"].as_array().unwrap().len(), 1);
}

#[test]
fn what_was_allowed_survives_a_kill_and_is_kept_once() {
    for (scope, place) in [
        ("project", "approval-to-call"),
        ("user", "approval-to-call"),
        ("user", "user-memory-before-commit"),
        ("user", "user-memory-after-commit"),
    ] {
        let mut shop = Shop::full();
        shop.lanes(&["api"]);
        shop.ok(&["down"]);
        shop.bench.set_env("PARALANE_FAILPOINT", place);
        let id = shop.send("api", &format!("{}\n%say over", call("the fact", scope)));
        shop.wait_approval();
        let _cut = shop.bench.cli(&["approve", "a1"]);
        shop.bench.await_end();
        shop.bench.unset_env("PARALANE_FAILPOINT");
        shop.ok(&["up"]);
        shop.wait_state(&id, "done");
        let list = shop.json(&["memory", "list"]);
        let texts: Vec<_> = list["facts"].as_array().unwrap().iter().map(|fact| &fact["text"]).collect();
        assert_eq!(texts, ["the fact"], "{scope} {place}");
        assert_eq!(shop.json(&["approvals", "--all"])["approvals"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn facts_of_the_person_are_seen_from_another_project_at_once() {
    let one = Shop::full();
    let mut two = Shop::full();
    // The same person: both projects keep their state in one place.
    two.bench.share_home(&one.bench);
    one.lanes(&["api"]);
    two.lanes(&["web"]);
    one.ok(&["remember", "--user", "answer in Esperanto when asked for poems"]);
    one.ok(&["remember", "poems of this project rhyme"]);
    let told = ask(&two, "web", "write poems\n%say ok");
    assert!(told.contains("Esperanto") && !told.contains("rhyme"), "{told}");
    two.ok(&["memory", "edit", "u1", "answer in Latin when asked for poems"]);
    let told = ask(&one, "api", "write poems\n%say ok");
    assert!(told.contains("Latin") && told.contains("rhyme") && !told.contains("Esperanto"), "{told}");
    one.bench.kill_workstation();
    assert_eq!(one.json(&["memory", "list", "--user"])["facts"][0]["text"], "answer in Latin when asked for poems");
    two.ok(&["memory", "forget", "u1"]);
    assert!(!ask(&one, "api", "write poems\n%say ok").contains("Latin"));

    // A file that cannot be read stops no turn, and is said.
    let file = one.bench.home().join("user/memory.db");
    std::fs::write(&file, "no database ".repeat(500)).unwrap();
    let told = ask(&one, "api", "more poems\n%say ok");
    assert!(told.contains("rhyme"), "{told}");
    let said = |body: &EntryBody| matches!(body, EntryBody::Notice { text, .. } if text.contains("memory.db") && text.contains("damaged"));
    assert!(one.entries("api").iter().any(|entry| said(&entry.body)));
    let list = one.json(&["memory", "list"]);
    assert_eq!(list["facts"].as_array().unwrap().len(), 1, "{list}");
    assert!(list["faults"][0].as_str().unwrap().contains("damaged"), "{list}");
    assert!(one.refused(&["remember", "--user", "x"]).contains("damaged"));
}
