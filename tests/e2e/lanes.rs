//! The main job as commands of a shell: lanes, prompts, approvals, conflicts, and what a crash leaves.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::model_server::ModelServer;
use crate::support::{Bench, Run};

/// A bench whose agents talk to a scripted server.
fn bench(mode: &str) -> (Bench, ModelServer) {
    let server = ModelServer::start();
    let bench = Bench::new();
    bench.configure_server(&server.base_url(), &format!("[agent]\nmode = \"{mode}\"\n"));
    (bench, server)
}

fn lane_new(bench: &Bench, name: &str) -> PathBuf {
    bench.cli(&["lane", "new", name]).ended_with(0);
    let lanes = bench.json(&["lane", "list"]);
    let lane = lanes["lanes"].as_array().unwrap().iter().find(|lane| lane["name"] == name).expect("the new lane");
    assert_eq!(lane["kind"], "agent");
    assert_eq!(lane["branch"], format!("lane/{name}"));
    lane["worktree"].as_str().unwrap().into()
}

/// Sends a prompt and waits for its end.
fn prompt(bench: &Bench, lane: &str, text: &str) -> Value {
    bench.cli(&["prompt", lane, text, "--wait", "--timeout", "30", "--json"]).ended_with(0).json()
}

/// Sends a prompt and waits until it asks for an approval; gives the approval.
fn until_it_asks(bench: &Bench, lane: &str, text: &str) -> Value {
    bench.cli(&["prompt", lane, text, "--wait", "--timeout", "30", "--fail-on-approval"]).ended_with(1);
    pending(bench)
}

fn pending(bench: &Bench) -> Value {
    let approvals = bench.json(&["approvals"])["approvals"].as_array().unwrap().clone();
    let [approval] = approvals.as_slice() else { panic!("{approvals:?}") };
    assert_eq!(approval["state"], "pending");
    approval.clone()
}

fn id(value: &Value) -> &str {
    value["id"].as_str().unwrap()
}

fn state_of(bench: &Bench, prompt: &str) -> String {
    let all = bench.json(&["queue", "list", "--all"]);
    let found = all["prompts"].as_array().unwrap().iter().find(|p| p["id"] == prompt).expect("the prompt");
    found["state"].as_str().unwrap().to_owned()
}

#[test]
fn a_prompt_runs_in_its_lanes_own_worktree() {
    let (bench, _server) = bench("full");
    let api = lane_new(&bench, "api");
    let ui = lane_new(&bench, "ui");
    let done = prompt(&bench, "api", "%write src/new.rs hello\n%say all written");
    assert_eq!(
        (&done["state"], &done["result"], &done["lane"]),
        (&json!("done"), &json!("all written"), &json!("api"))
    );
    assert_eq!(fs::read_to_string(api.join("src/new.rs")).unwrap().trim_end(), "hello");
    assert!(!ui.join("src/new.rs").exists() && !bench.repo().join("src/new.rs").exists());
    assert!(bench.git(&["branch", "--list", "lane/*"]).contains("lane/api"));
}

#[test]
fn an_allowed_call_runs_once_and_exactly() {
    let (bench, server) = bench("ask");
    let api = lane_new(&bench, "api");
    let approval = until_it_asks(&bench, "api", "%sh echo ran >> log.txt\n%say end");
    assert_eq!((&approval["lane"], &approval["tool"]), (&json!("api"), &json!("shell")));
    assert_eq!(approval["action"], "echo ran >> log.txt");
    assert!(!api.join("log.txt").exists());
    bench.cli(&["approve", id(&approval)]).ended_with(0);
    // Queued behind it in the same lane: when this is done, so is that.
    prompt(&bench, "api", "%say next");
    assert_eq!(fs::read_to_string(api.join("log.txt")).unwrap(), "ran\n");
    bench.cli(&["approve", id(&approval)]).ended_with(1);
    assert_eq!(server.seen().len(), 3);
}

#[test]
fn a_denied_call_does_not_run_and_the_model_is_told_why() {
    let (bench, server) = bench("ask");
    let api = lane_new(&bench, "api");
    let approval = until_it_asks(&bench, "api", "%sh echo ran >> log.txt\n%say understood");
    bench.cli(&["deny", id(&approval), "--reason", "not on a Friday"]).ended_with(0);
    prompt(&bench, "api", "%say next");
    assert!(!api.join("log.txt").exists());
    assert!(server.seen().iter().any(|request| format!("{request:?}").contains("not on a Friday")));
}

#[test]
fn a_busy_lane_queues_and_the_queue_can_be_changed() {
    let (bench, server) = bench("full");
    lane_new(&bench, "api");
    let send = |text: &str| bench.cli(&["prompt", "api", text, "--json"]).ended_with(0).json();
    let running = send("%hang");
    server.wait_for_open(1);
    let [first, second, third] = ["%say one", "%say two", "%say three"].map(|text| id(&send(text)).to_owned());
    bench.cli(&["queue", "move", &third, "first"]).ended_with(0);
    bench.cli(&["queue", "edit", &second, "%say 2"]).ended_with(0);
    bench.cli(&["queue", "cancel", &first]).ended_with(0);
    let queue = bench.json(&["queue", "list"]);
    let listed: Vec<_> =
        queue["prompts"].as_array().unwrap().iter().map(|p| (p["id"].clone(), p["state"].clone())).collect();
    assert_eq!(
        listed,
        [(json!(id(&running)), json!("running")), (json!(third), json!("queued")), (json!(second), json!("queued"))]
    );
    bench.cli(&["cancel", id(&running)]).ended_with(0);
    assert_eq!(prompt(&bench, "api", "%say last")["result"], "last");
    assert_eq!(state_of(&bench, id(&running)), "cancelled");
    assert_eq!(state_of(&bench, &first), "cancelled");
    assert_eq!((state_of(&bench, &second), state_of(&bench, &third)), ("done".into(), "done".into()));
}

#[test]
fn a_write_that_meets_a_live_hold_waits_and_goes_on_by_itself() {
    let (bench, _server) = bench("auto-edit");
    let api = lane_new(&bench, "api");
    let ui = lane_new(&bench, "ui");
    let approval = until_it_asks(&bench, "api", "%write src/login.rs api\n%sh true\n%say end");
    let held = bench.cli(&["prompt", "ui", "%write src/login.rs ui\n%say end", "--json"]).ended_with(0).json();
    bench.wait_until("a conflict", || bench.json(&["status"])["conflicts"] == 1);
    let conflict = bench.json(&["conflicts"])["conflicts"][0].clone();
    assert_eq!((&conflict["lane"], &conflict["with"]), (&json!("ui"), &json!("api")));
    assert_eq!(conflict["paths"], json!(["src/login.rs"]));
    bench.cli(&["wait", id(&conflict)]).ended_with(0);
    assert_ne!(fs::read_to_string(ui.join("src/login.rs")).unwrap().trim_end(), "ui");

    bench.cli(&["approve", id(&approval)]).ended_with(0);
    bench.wait_until("the waiting one ends", || state_of(&bench, id(&held)) == "done");
    assert_eq!(fs::read_to_string(ui.join("src/login.rs")).unwrap().trim_end(), "ui");
    assert_eq!(fs::read_to_string(api.join("src/login.rs")).unwrap().trim_end(), "api");
}

#[test]
fn an_overridden_conflict_goes_on_at_once() {
    let (bench, _server) = bench("auto-edit");
    lane_new(&bench, "api");
    let ui = lane_new(&bench, "ui");
    until_it_asks(&bench, "api", "%write src/login.rs api\n%sh true\n%say end");
    let held = bench.cli(&["prompt", "ui", "%write src/login.rs ui\n%say end", "--json"]).ended_with(0).json();
    bench.wait_until("a conflict", || bench.json(&["status"])["conflicts"] == 1);
    let conflict = bench.json(&["conflicts"])["conflicts"][0].clone();
    bench.cli(&["override", id(&conflict)]).ended_with(0);
    bench.wait_until("it ends", || state_of(&bench, id(&held)) == "done");
    assert_eq!(fs::read_to_string(ui.join("src/login.rs")).unwrap().trim_end(), "ui");
}

#[test]
fn a_prompt_that_names_a_reserved_path_is_held_until_the_release() {
    let (bench, _server) = bench("full");
    lane_new(&bench, "api");
    lane_new(&bench, "ui");
    bench.cli(&["reserve", "--lane", "api", "src/login.rs"]).ended_with(0);
    let held = bench.cli(&["prompt", "ui", "tidy up src/login.rs", "--json"]).ended_with(0).json();
    bench.wait_until("it is held", || state_of(&bench, id(&held)) == "blocked");
    bench.cli(&["release", "--lane", "api", "src/login.rs"]).ended_with(0);
    bench.wait_until("it starts by itself", || state_of(&bench, id(&held)) == "done");
}

#[test]
fn an_approval_outlives_kill_9_and_runs_that_very_call_once() {
    let (bench, _server) = bench("ask");
    let api = lane_new(&bench, "api");
    let approval = until_it_asks(&bench, "api", "%sh echo ran >> log.txt\n%say end");
    bench.kill_workstation();
    assert_eq!(pending(&bench), approval, "read from the store");
    bench.cli(&["up"]).ended_with(0);
    assert_eq!(pending(&bench)["action"], approval["action"]);
    bench.cli(&["approve", id(&approval)]).ended_with(0);
    prompt(&bench, "api", "%say next");
    assert_eq!(fs::read_to_string(api.join("log.txt")).unwrap(), "ran\n");
}

#[test]
fn a_key_makes_sending_again_harmless() {
    let (bench, server) = bench("full");
    lane_new(&bench, "api");
    let send = || bench.cli(&["prompt", "api", "%say once", "--key", "k1", "--wait", "--json"]).ended_with(0).json();
    let first = send();
    assert_eq!(send()["id"], first["id"]);
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn closing_refuses_to_lose_work_and_restore_brings_a_lane_back() {
    let (bench, _server) = bench("full");
    let api = lane_new(&bench, "api");
    prompt(&bench, "api", "%write src/new.rs precious\n%say end");
    let refused = bench.cli(&["lane", "close", "api"]).ended_with(1);
    assert!(refused.stderr.contains("src/new.rs"), "{refused:#?}");
    assert!(api.join("src/new.rs").exists());
    bench.git_in(&api, &["add", "-A"]);
    bench.git_in(&api, &["commit", "-q", "-m", "Keep it"]);
    bench.cli(&["lane", "close", "api", "--keep-branch"]).ended_with(0);
    assert!(!api.exists());
    assert_eq!(bench.json(&["lane", "list"])["lanes"], json!([]));
    bench.cli(&["lane", "restore", "api"]).ended_with(0);
    bench.wait_until("its files are back", || api.join("src/new.rs").exists());
}

#[test]
fn a_server_that_answers_nonsense_fails_the_prompt_with_its_address() {
    let (bench, server) = bench("ask");
    lane_new(&bench, "api");
    let document = bench.cli(&["prompt", "api", "%html", "--wait", "--json"]).ended_with(1).json();
    assert_eq!(document["state"], "failed");
    let address = server.base_url();
    assert!(document["error"].as_str().unwrap().contains(address.trim_end_matches("/v1")), "{document}");
}

#[test]
fn wrong_names_are_told_with_the_nearest() {
    let (bench, _server) = bench("ask");
    lane_new(&bench, "api");
    let near = |run: Run, word: &str| assert!(run.stderr.contains(word), "{word}: {run:#?}");
    near(bench.cli(&["prompt", "apo", "x"]).ended_with(1), "api");
    near(bench.cli(&["approve", "a99"]).ended_with(1), "a99");
    near(bench.cli(&["lane", "new", "api"]).ended_with(1), "api");
    assert_ne!(bench.cli(&["lane", "new", "a b"]).status, 0);
    bench.cli(&["lane", "new", "x", "--base", "no-such-ref", "--prompt", "keep me"]);
    bench.wait_until("the lane fails and keeps its prompt", || {
        let lanes = bench.json(&["lane", "list"]);
        lanes["lanes"]
            .as_array()
            .unwrap()
            .iter()
            .any(|l| l["name"] == "x" && l["state"] == "failed" && l["queued"] == 1)
    });
}
