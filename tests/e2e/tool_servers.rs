//! Tool servers (MCP) as a person meets them: what asks, what is listed, what is shown, and what is left after a death.

use std::path::Path;

use serde_json::{Value, json};

use crate::shop::{Shop, alive, text};
use crate::support::Bench;
use crate::tool_server::{self, BEHAVE, Http};

/// Not a test: the server's process.
#[test]
fn serve() {
    tool_server::serve();
}

/// The configuration of the test's own server `t`.
fn server(behave: &str, more: &str) -> String {
    let command = json!(tool_server::command("tool_servers::serve"));
    format!("[mcp.t]\ncommand = {command}\nenv = [\"{BEHAVE}={behave}\"]\n{more}\n")
}

fn shop(behave: &str, more: &str, mode: &str) -> Shop {
    let shop = Shop::with(&format!("[agent]\nmode = \"{mode}\"\n\n{}", server(behave, more)));
    shop.lanes(&["api"]);
    shop
}

fn call(tool: &str, arguments: Value) -> String {
    format!("%call mcp__t__{tool} {arguments}")
}

fn done(shop: &Shop, script: &str) {
    let id = shop.send("api", script);
    shop.wait_state(&id, "done");
}

fn last(shop: &Shop) -> String {
    shop.results("api").last().cloned().unwrap_or_default()
}

/// Names of the tools that the model was last given.
fn given(shop: &Shop) -> Vec<String> {
    let body = shop.model.seen().last().unwrap().body.clone();
    let tools = body["tools"].as_array().unwrap().clone();
    tools.iter().map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect()
}

fn listed(shop: &Shop) -> Value {
    shop.json(&["servers", "list"])["servers"][0].clone()
}

/// The pid of the lane's server.
fn pid(shop: &Shop) -> String {
    shop.wait_file(&shop.worktree("api").join("pid-last"), |pid| !pid.is_empty())
}

#[test]
fn a_call_asks_with_server_tool_and_arguments_and_runs_once_allowed() {
    let shop = shop("", "", "auto-edit");
    assert_eq!((listed(&shop)["state"].as_str(), listed(&shop)["lane"].as_str()), (Some("not started"), None));
    let id = shop.send("api", &call("count", json!({"why": "to see"})));
    let asked = shop.wait_approvals(1).remove(0);
    assert_eq!(asked["tool"], "mcp__t__count");
    assert_eq!(asked["action"], r#"t:count {"why":"to see"}"#);
    assert_eq!(asked["reason"].as_str().map(|reason| reason.contains("asks before t:count")), Some(true), "{asked}");
    let worktree = shop.worktree("api");
    assert!(!worktree.join("counted").exists());
    shop.ok(&["approve", "a1"]);
    shop.wait_state(&id, "done");
    assert_eq!((last(&shop).as_str(), text(worktree.join("counted")).as_str()), ("1", "x"));
    // Denied, it does not run, and the model is told why.
    let id = shop.send("api", &call("count", json!({"why": "to see"})));
    let asked = shop.wait_approval();
    shop.ok(&["deny", &asked, "--reason", "once is enough"]);
    shop.wait_state(&id, "done");
    assert!(last(&shop).contains("once is enough") && text(worktree.join("counted")) == "x");
    // Changed, the changed call runs.
    let id = shop.send("api", &call("echo", json!({"text": "mine"})));
    let asked = shop.wait_approval();
    shop.ok(&["approve", &asked, "--edit", r#"{"text": "yours"}"#]);
    shop.wait_state(&id, "done");
    assert!(last(&shop).ends_with("yours"), "{}", last(&shop));
    // Allowed for the session, the exact call asks no more; another does.
    let id = shop.send("api", &call("echo", json!({"text": "same"})));
    let asked = shop.wait_approval();
    shop.ok(&["approve", &asked, "--for", "session"]);
    shop.wait_state(&id, "done");
    done(&shop, &call("echo", json!({"text": "same"})));
    let id = shop.send("api", &call("echo", json!({"text": "other"})));
    let asked = shop.wait_approval();
    shop.ok(&["approve", &asked]);
    shop.wait_state(&id, "done");
    let server = listed(&shop);
    assert_eq!((&server["state"], &server["lane"], &server["tools"]), (&json!("running"), &json!("api"), &json!(11)));
    let shown = shop.json(&["servers", "show", "t"]);
    assert_eq!(shown["lanes"][0]["tools"][0], json!({"name": "echo", "listed": false, "says_it_only_reads": true}));
    let words = shop.ok(&["servers", "show", "t"]).stdout;
    assert!(words.contains("the server has started^[[31m") && !words.contains('\u{1b}'), "{words}");
}

#[test]
fn lists_and_modes_decide_what_runs_unasked_and_what_is_not_there() {
    let shop = shop("", "allow = [\"echo\", \"wh*\"]\ndeny = [\"die\"]", "plan");
    // In plan mode only what is listed and says that it only reads.
    done(&shop, &format!("{}\n{}", call("echo", json!({"text": "plan"})), call("where", json!({}))));
    let results = shop.results("api");
    assert!(results[0] == "plan" && results[1].contains("plan mode only reads"), "{results:?}");
    shop.ok(&["mode", "ask"]);
    done(&shop, &call("where", json!({})));
    assert_eq!(Path::new(&last(&shop)), shop.worktree("api"));
    assert!(!given(&shop).iter().any(|tool| tool == "mcp__t__die"), "{:?}", given(&shop));
    done(&shop, &call("die", json!({})));
    assert!(last(&shop).contains("There is no tool `mcp__t__die` now"), "{}", last(&shop));
    shop.ok(&["mode", "full"]);
    done(&shop, &call("fail", json!({})));
    assert_eq!(last(&shop), "no such page");
    done(&shop, &call("echo", json!({"txt": 1})));
    assert!(last(&shop).contains("`text` is missing: What to say"), "{}", last(&shop));
    // A large result is cut and can be read on.
    done(
        &shop,
        &format!(
            "{}\n%call read_more {}",
            call("huge", json!({"bytes": 100_000})),
            json!({"result": "r1", "offset": 30_000})
        ),
    );
    let results = shop.results("api");
    assert!(results[results.len() - 2].contains("`read_more` with result `r1`"));
    assert!(last(&shop).starts_with("xxx"));
}

#[test]
fn a_server_that_dies_is_told_shown_and_started_again() {
    let shop = shop("", "", "full");
    done(&shop, &format!("{}\n{}", call("die", json!({})), call("echo", json!({"text": "back"}))));
    let results = shop.results("api");
    assert!(results[0].contains("look before you repeat it") && results[1] == "back", "{results:?}");
    let notices = shop.notices("api").join("\n");
    assert!(
        notices.contains("tool server `t` ended: it ended with status 7") && notices.contains("I am dying"),
        "{notices}"
    );
    assert_eq!((&listed(&shop)["state"], &listed(&shop)["starts"]), (&json!("running"), &json!(2)));
    let before = pid(&shop);
    shop.ok(&["servers", "restart", "t"]);
    shop.wait_file(&shop.worktree("api").join("pid-last"), |pid| !pid.is_empty() && pid != before);
    assert!(!alive(&before));
    assert!(shop.refused(&["servers", "restart", "tt"]).contains("did you mean `t`?"));
}

#[test]
fn one_that_cannot_start_leaves_the_turn_alone_and_says_why() {
    let shop = Shop::with(
        "[mcp.gone]\ncommand = [\"/no/such/server\"]\n[mcp.keyless]\nurl = \"http://127.0.0.1:9/mcp\"\nheaders_env = { authorization = \"ABSENT_AUTH\" }\n",
    );
    shop.lanes(&["api"]);
    done(&shop, "%say hello");
    let notices = shop.notices("api").join("\n");
    assert!(notices.contains("`gone` is off: `/no/such/server` cannot be started"), "{notices}");
    assert!(notices.contains("`keyless` is off: the variable `ABSENT_AUTH` that it needs is not set"), "{notices}");
    assert_eq!(listed(&shop)["state"], "off");
    // Told once, not with every prompt.
    done(&shop, "%say again");
    assert_eq!(shop.notices("api").join("\n"), notices);
}

#[test]
fn what_a_server_says_never_reaches_the_terminal_as_it_is() {
    let shop = shop("hostile", "allow = [\"*\"]", "full");
    let window = shop.bench.window(120, 40);
    done(&shop, &format!("{}\n%say shown", call("odd", json!({}))));
    window.wait_for_text("shown");
    assert!(!window.text().contains("owned\u{7}"));
    let words = shop.ok(&["servers", "show", "t"]).stdout;
    assert!(words.contains("its schema is too deep") && words.contains("evil^[]0;name^G"), "{words}");
    assert!(given(&shop).iter().all(|tool| tool.len() <= 64));
}

#[test]
fn no_server_is_left_when_the_workstation_was_killed_or_the_lane_is_closed() {
    // One that goes on without its input: only a signal ends it.
    let shop = shop("stubborn", "", "full");
    done(&shop, &call("echo", json!({"text": "hi"})));
    let first = pid(&shop);
    assert!(alive(&first));
    shop.bench.kill_workstation();
    shop.ok(&["up"]);
    assert!(!alive(&first), "what a dead workstation left is ended at the next start");
    // No lane works, so none is started.
    assert_eq!(listed(&shop)["state"], "not started");
    let place = shop.worktree("api").join("pid-last");
    std::fs::remove_file(&place).unwrap();
    done(&shop, &call("echo", json!({"text": "hi"})));
    let second = pid(&shop);
    assert!(alive(&second));
    std::fs::remove_file(&place).unwrap();
    shop.ok(&["lane", "close", "api"]);
    assert!(!alive(&second));
    shop.lanes(&["next"]);
    let id = shop.send("next", &call("echo", json!({"text": "hi"})));
    shop.wait_state(&id, "done");
    let third = text(shop.worktree("next").join("pid-last"));
    assert!(alive(&third));
    shop.ok(&["down"]);
    assert!(!alive(&third));
}

#[test]
fn a_call_that_a_crash_cut_is_not_made_again_and_a_cancel_ends_one() {
    let shop = shop("", "", "full");
    let began = shop.worktree("api").join("slow-began");
    let id = shop.send("api", &format!("{}\n%say over", call("slow", json!({}))));
    shop.wait_file(&began, |text| text == "yes");
    shop.bench.kill_workstation();
    std::fs::remove_file(&began).unwrap();
    shop.ok(&["up"]);
    shop.wait_state(&id, "interrupted");
    shop.ok(&["retry", &id]);
    shop.wait_state(&id, "done");
    assert!(last(&shop).contains("interrupted by a crash") && !began.exists());
    let id = shop.send("api", &call("slow", json!({})));
    shop.wait_file(&began, |text| text == "yes");
    shop.ok(&["cancel", &id]);
    shop.wait_state(&id, "cancelled");
    shop.wait_file(&shop.worktree("api").join("cancelled"), |text| text == "yes");
}

#[test]
fn the_projects_servers_count_only_once_they_are_trusted() {
    let bench = Bench::new();
    bench.write(".paralane/config.toml", &server("", ""));
    bench.commit("Name a tool server");
    let shop = Shop::on(bench, "[agent]\nmode = \"full\"\n");
    shop.lanes(&["api"]);
    done(&shop, "%say one");
    assert_eq!(shop.json(&["servers", "list"])["servers"], json!([]));
    assert!(!given(&shop).iter().any(|tool| tool.starts_with("mcp__")));
    shop.ok(&["trust"]);
    shop.wait_for("the server", || {
        let listed = shop.json(&["servers", "list"])["servers"].clone();
        if listed.as_array().is_some_and(|all| all.len() == 1) { Ok(()) } else { Err(listed.to_string()) }
    });
    done(&shop, &call("echo", json!({"text": "trusted"})));
    assert_eq!(last(&shop), "trusted");
}

#[test]
fn a_model_servers_key_reaches_no_tool_server_and_a_tool_servers_no_command() {
    let bench = Bench::new().with_env("SHOP_KEY", "sk-model-SENTINEL").with_env("DOCS_TOKEN", "sk-docs-SENTINEL");
    let shop = Shop::on(bench, "");
    let provider = format!(
        "[providers.test]\nbase_url = \"{}\"\nmodel = \"scripted\"\napi_key_env = \"SHOP_KEY\"\n[agent]\nmode = \"full\"\n",
        shop.model.base_url()
    );
    let named = server("", "").replace("env = [", "env = [\"DOCS_TOKEN\", ");
    shop.bench.configure(&format!("{provider}\n{named}"));
    shop.lanes(&["api"]);
    done(&shop, &format!("{}\n%sh env", call("env", json!({}))));
    let results = shop.results("api");
    assert!(results[0].contains("DOCS_TOKEN=sk-docs-SENTINEL") && !results[0].contains("sk-model"), "{}", results[0]);
    assert!(!results[1].contains("SENTINEL"), "{}", results[1]);
    let words = shop.ok(&["config"]).stdout;
    assert!(words.contains("mcp.t") && !words.contains("SENTINEL"), "{words}");
    shop.ok(&["down"]);
    shop.bench.configure(&format!("{provider}\n{}", server("", "").replace("env = [", "env = [\"SHOP_KEY\", ")));
    let words = shop.bench.cli(&["up"]);
    assert!(words.status != 0 && words.stderr.contains("holds the key of a model server"), "{words:?}");
}

#[test]
fn a_server_over_http_gets_its_header_and_no_command_sees_it() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let http = runtime.block_on(Http::start(""));
    let bench = Bench::new().with_env("DOCS_AUTH", "Bearer sk-docs-SENTINEL");
    let shop = Shop::on(
        bench,
        &format!(
            "[agent]\nmode = \"full\"\n[mcp.t]\nurl = \"{}/wants\"\nheaders_env = {{ authorization = \"DOCS_AUTH\" }}\n",
            http.address
        ),
    );
    shop.lanes(&["api"]);
    done(&shop, &format!("{}\n%sh env", call("echo", json!({"text": "by wire"}))));
    let results = shop.results("api");
    assert!(results[0] == "by wire" && !results[1].contains("SENTINEL"), "{results:?}");
    assert!(http.seen.lock().unwrap().iter().all(|(_, key)| key == "Bearer sk-docs-SENTINEL"));
    assert_eq!(listed(&shop)["transport"], "http");
}
