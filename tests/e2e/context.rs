//! The layers of a lane's context: seen in a shell and a window, switched off for good, rules in what the model gets.

use paralane::domain::EntryBody;
use serde_json::Value;

use crate::shop::Shop;

fn layer<'a>(view: &'a Value, name: &str) -> &'a Value {
    view["layers"].as_array().unwrap().iter().find(|layer| layer["layer"] == name).unwrap()
}

fn tokens(view: &Value, name: &str) -> u64 {
    layer(view, name)["tokens"].as_u64().unwrap()
}

#[test]
fn layers_are_shown_switched_off_and_stay_off() {
    let shop = Shop::full();
    shop.bench.write("AGENTS.md", "RULE-OF-THE-ROOT");
    shop.bench.write("src/CLAUDE.md", "RULE-OF-SRC");
    shop.bench.commit("rules");
    shop.lanes(&["api"]);
    let done = shop.json(&["prompt", "api", "--wait", "--", "%read src/login.rs\n%say seen"]);
    assert_eq!(done["result"], "seen", "{done}");
    let told = |at: usize| shop.model.seen()[at].body["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(told(0).contains("RULE-OF-THE-ROOT") && !told(0).contains("RULE-OF-SRC"));
    assert!(told(1).contains("RULE-OF-THE-ROOT") && told(1).contains("RULE-OF-SRC"));

    let running = shop.json(&["context", "api"]);
    assert_eq!(layer(&running, "rules")["parts"][0]["name"], "AGENTS.md", "{running}");
    assert_eq!(layer(&running, "scoped")["parts"][0]["name"], "src/CLAUDE.md", "{running}");
    assert!(tokens(&running, "tools") > 500 && tokens(&running, "turns") > 0, "{running}");
    assert_eq!((tokens(&running, "input"), &running["counted"]), (0, &Value::from("estimated")), "{running}");

    shop.ok(&["context", "off", "rules", "--lane", "api"]);
    assert!(shop.ok(&["context", "off", "rules", "--lane", "api"]).stdout.contains("already"));
    shop.bench.kill_workstation();
    // Nothing runs: the store and the worktree tell the same.
    let stopped = shop.json(&["context", "api"]);
    assert_eq!(layer(&stopped, "rules")["on"], false, "{stopped}");
    assert_eq!(tokens(&stopped, "turns"), tokens(&running, "turns"));
    assert_eq!(stopped["tokens"].as_u64().unwrap() + tokens(&running, "rules"), running["tokens"].as_u64().unwrap());

    let done = shop.json(&["prompt", "api", "--wait", "--", "%say without"]);
    assert_eq!(done["result"], "without", "{done}");
    assert!(!told(2).contains("RULE-OF-THE-ROOT") && told(2).contains("RULE-OF-SRC"));
    shop.ok(&["lane", "new", "sh", "--", "cat"]);
    assert!(shop.refused(&["context", "sh"]).contains("runs a program"));
    assert!(shop.refused(&["context", "nobody"]).contains("no lane `nobody`"));

    let window = shop.bench.window(120, 40);
    window.wait_for_text("api");
    window.line("/context api");
    window.wait_for_text("context of api").wait_for_text("in all").wait_for_text("src/CLAUDE.md");
}

#[test]
fn a_window_that_is_full_leaves_out_old_turns_and_one_that_is_too_small_is_refused() {
    let shop = Shop::full();
    let server = shop.model.base_url();
    shop.bench.configure_server(&server, "context_window = 16000\ncompact_at = 0\n[agent]\nmode = \"full\"\n");
    shop.lanes(&["api"]);
    let long = "word ".repeat(800);
    for turn in 0..6 {
        let done = shop.json(&["prompt", "api", "--wait", "--", &format!("TURN-{turn}\n%say {long}")]);
        assert_eq!(done["state"], "done", "{done}");
    }
    let done = shop.json(&["prompt", "api", "--wait", "--", "%say still here"]);
    assert_eq!(done["result"], "still here", "{done}");
    let body = shop.model.seen().last().unwrap().body.to_string();
    assert!(!body.contains("TURN-0") && body.contains("TURN-5"));
    let entries = shop.entries("api");
    assert!(entries.iter().any(|e| matches!(&e.body, EntryBody::Prompt { text } if text.contains("TURN-0"))));
    let full = |body: &EntryBody| matches!(body, EntryBody::Notice { text, .. } if text.contains("context is full"));
    assert!(entries.iter().any(|entry| full(&entry.body)));
    let view = shop.json(&["context", "api"]);
    assert!(view["left_out"].as_u64().unwrap() > 0 && view["tokens"].as_u64().unwrap() < 16_000, "{view}");

    shop.bench.configure_server(&server, "context_window = 1000\n[agent]\nmode = \"full\"\n");
    shop.ok(&["down"]);
    let asked = shop.model.seen().len();
    let failed = shop.bench.cli(&["--json", "prompt", "api", "--wait", "--", "hello"]).ended_with(1);
    assert!(failed.stdout.contains("too small") && failed.stdout.contains("1000 tokens"), "{failed:?}");
    assert_eq!(shop.model.seen().len(), asked);
}
