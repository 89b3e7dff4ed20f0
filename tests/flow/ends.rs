//! The end in order, with everything at work, and the start after it.

use crate::house::House;
use crate::model_server::ModelServer;

fn configuration(server: &ModelServer, mode: &str) -> String {
    format!(
        "[providers.test]\ndialect = \"openai-chat\"\nbase_url = \"{}\"\nmodel = \"m\"\n[agent]\nprovider = \"test\"\nmode = \"{mode}\"\n",
        server.base_url()
    )
}

fn prompt_state(house: &House, state: &str) {
    house.until(state, &["queue", "list", "--all"], |queue| queue["prompts"][0]["state"] == state);
}

#[test]
fn an_approval_outlives_the_end_and_its_call_runs_once() {
    let server = ModelServer::start();
    let mut house = House::configured(&configuration(&server, "ask"));
    house.done(&["lane", "new", "api"]);
    house.done(&["prompt", "api", "%sh echo ran >> runs.txt\n%say all done"]);
    let asked = house.until("asked", &["approvals"], |a| a["approvals"][0]["state"] == "pending");
    house.down();
    house.start();
    assert_eq!(house.json(&["approvals"])["approvals"][0], asked["approvals"][0]);
    house.done(&["approve", asked["approvals"][0]["id"].as_str().unwrap()]);
    prompt_state(&house, "done");
    let lanes = house.json(&["lane", "list"]);
    let worktree = lanes["lanes"][0]["worktree"].as_str().unwrap();
    assert_eq!(std::fs::read_to_string(format!("{worktree}/runs.txt")).unwrap(), "ran\n");
}

#[test]
fn a_turn_cut_in_a_call_is_interrupted_and_what_it_did_is_kept() {
    let server = ModelServer::start();
    let mut house = House::configured(&configuration(&server, "full"));
    house.done(&["lane", "new", "api"]);
    house.done(&["prompt", "api", "%sh echo begun; touch begun; sleep 600\n%say never"]);
    let lanes = house.json(&["lane", "list"]);
    let begun = format!("{}/begun", lanes["lanes"][0]["worktree"].as_str().unwrap());
    house.until("begun", &["status"], |_| std::path::Path::new(&begun).exists());
    house.down();
    let entries =
        paralane::store::Store::entries(&house.place().store(), paralane::domain::LaneId(1), None, 100).unwrap();
    let kept = entries.iter().any(|entry| {
        matches!(&entry.body, paralane::domain::EntryBody::Result { outcome, .. } if outcome.output.contains("begun"))
    });
    assert!(kept, "{entries:#?}");
    house.start();
    prompt_state(&house, "interrupted");
    assert_eq!(server.seen().len(), 1, "nothing ran again by itself");
}

#[test]
fn a_turn_cut_in_an_answer_is_interrupted() {
    let server = ModelServer::start();
    let mut house = House::configured(&configuration(&server, "full"));
    house.done(&["lane", "new", "api"]);
    house.done(&["prompt", "api", "%hang"]);
    server.wait_for_open(1);
    house.down();
    server.wait_for_open(0);
    house.start();
    prompt_state(&house, "interrupted");
}

#[test]
fn a_cancelled_prompt_of_a_paused_lane_ends() {
    let server = ModelServer::start();
    let house = House::configured(&configuration(&server, "full"));
    house.done(&["lane", "new", "api"]);
    house.done(&["prompt", "api", "%slow 50\n%say a long answer in many pieces\n%say more"]);
    server.wait_for_open(1);
    house.done(&["lane", "pause", "api"]);
    prompt_state(&house, "paused");
    server.wait_for_open(0);
    house.done(&["cancel", "p1"]);
    prompt_state(&house, "cancelled");
    house.done(&["lane", "resume", "api"]);
    house.done(&["prompt", "api", "%say again", "--wait", "--timeout", "30"]);
}

#[test]
fn programs_and_shells_end_with_it_at_once() {
    let server = ModelServer::start();
    let mut house = House::configured(&configuration(&server, "full"));
    for n in 0..6 {
        house.done(&[
            "lane",
            "new",
            &format!("pane{n}"),
            "--here",
            "--",
            "sh",
            "-c",
            "trap '' TERM HUP; cat; sleep 600",
        ]);
        house.done(&["lane", "new", &format!("agent{n}"), "--prompt", "%sh sleep 600"]);
    }
    server.wait_for_requests(6);
    house.down();
    house.start();
    house.until_lane("pane0", "ended");
    let lanes = house.json(&["lane", "list"]);
    assert_eq!(lanes["lanes"].as_array().unwrap().len(), 12);
}
