//! Conflicts: a prompt or a write that meets another lane's live hold waits for the person or the hold's end.

use paralane::store::Store;

use crate::model_server::Reply;
use crate::shop::{Shop, text};

/// Lane `api` has written `src/login.rs` in a turn that still runs.
fn held() -> (Shop, String) {
    let shop = Shop::full();
    shop.lanes(&["api", "ui"]);
    let holder = shop.send("api", "%write src/login.rs api\n%hang");
    shop.model.wait_for_requests(2);
    (shop, holder)
}

/// Sends a prompt that names the held path, and waits until it is blocked.
fn blocked(shop: &Shop) -> String {
    let id = shop.send("ui", "rework src/login.rs please\n%write src/login.rs ui");
    shop.wait_state(&id, "blocked");
    id
}

/// Sends a prompt whose words do not tell that it will write the path.
fn writes(shop: &Shop, path: &str) -> String {
    shop.model.push(Reply::calls(&[("write", serde_json::json!({"path": path, "content": "ui"}))]));
    shop.send("ui", "do the next thing")
}

#[test]
fn a_prompt_that_names_a_held_path_is_held_and_starts_by_itself() {
    let (shop, holder) = held();
    let id = blocked(&shop);
    let conflict = &shop.wait_conflicts(1)[0];
    assert_eq!((conflict["lane"].as_str(), conflict["with"].as_str()), (Some("ui"), Some("api")));
    assert_eq!(conflict["paths"], serde_json::json!(["src/login.rs"]));
    assert_eq!(conflict["state"], "pending");
    assert_eq!(shop.lane("ui")["state"], "needs-you");
    shop.ok(&["wait", conflict["id"].as_str().unwrap()]);
    assert_eq!(shop.lane("ui")["state"], "waiting");
    assert_eq!(shop.state(&id), "blocked");
    assert_eq!(shop.json(&["conflicts"])["conflicts"][0]["state"], "waiting");
    shop.ok(&["cancel", &holder]);
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("ui").join("src/login.rs")), "ui");
    assert_eq!(shop.json(&["conflicts", "--all"])["conflicts"][0]["state"], "resolved");
}

#[test]
fn an_override_counts_for_that_prompt_only() {
    let (shop, holder) = held();
    let id = blocked(&shop);
    shop.ok(&["override", "c1"]);
    shop.wait_state(&id, "done");
    assert_eq!(shop.state(&holder), "running");
    assert_eq!(text(shop.worktree("ui").join("src/login.rs")), "ui");
    let next = blocked(&shop);
    let words = shop.refused(&["override", "c1"]);
    assert!(words.contains("already overridden"), "{words}");
    shop.ok(&["cancel", &next]);
    assert!(shop.json(&["conflicts"])["conflicts"].as_array().unwrap().is_empty());
    assert_eq!(shop.state(&next), "cancelled");
}

#[test]
fn an_edited_prompt_is_looked_at_anew() {
    let (shop, _) = held();
    let id = blocked(&shop);
    shop.ok(&["queue", "edit", &id, "--", "something else\n%write src/other.rs ui"]);
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("ui").join("src/other.rs")), "ui");
}

#[test]
fn a_blocked_prompt_does_not_hold_up_other_lanes_and_survives_a_crash() {
    let (shop, _) = held();
    let id = blocked(&shop);
    shop.lanes(&["docs"]);
    let free = shop.send("docs", "%say free");
    shop.wait_state(&free, "done");
    shop.bench.kill_workstation();
    shop.ok(&["up"]);
    // The holder's turn was cut: nothing holds the path any more.
    shop.wait_state(&id, "done");
}

#[test]
fn a_write_that_meets_another_turns_write_goes_on_by_itself() {
    let (shop, holder) = held();
    let id = writes(&shop, "src/login.rs");
    let conflict = &shop.wait_conflicts(1)[0];
    assert_eq!(conflict["paths"], serde_json::json!(["src/login.rs"]));
    assert_eq!(shop.state(&id), "waiting");
    assert_eq!(text(shop.worktree("ui").join("src/login.rs")), "pub fn login() {}\n");
    shop.ok(&["cancel", &holder]);
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("ui").join("src/login.rs")), "ui");
}

#[test]
fn a_write_that_meets_a_reservation_waits_for_its_release() {
    let shop = Shop::full();
    shop.lanes(&["api", "ui"]);
    shop.ok(&["reserve", "--lane", "api", "src/"]);
    let words = shop.refused(&["reserve", "--lane", "ui", "src/login.rs"]);
    assert!(words.contains("reserved by lane `api`"), "{words}");
    let id = writes(&shop, "src/new.rs");
    let conflict = &shop.wait_conflicts(1)[0];
    assert_eq!((conflict["with"].as_str(), conflict["paths"][0].as_str()), (Some("api"), Some("src/new.rs")));
    shop.bench.kill_workstation();
    shop.ok(&["up"]);
    shop.wait_conflicts(1);
    assert_eq!(shop.state(&id), "waiting", "a turn that only waited goes on waiting");
    shop.ok(&["release", "--lane", "api"]);
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("ui").join("src/new.rs")), "ui");
    // The holder itself is never held back.
    shop.ok(&["reserve", "--lane", "api", "src/"]);
    let own = shop.send("api", "%write src/own.rs own");
    shop.wait_state(&own, "done");
}

#[test]
fn a_waiting_write_can_be_overridden() {
    let (shop, _) = held();
    let id = writes(&shop, "src/login.rs");
    let conflict = shop.wait_conflicts(1)[0]["id"].as_str().unwrap().to_owned();
    shop.ok(&["override", &conflict]);
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("ui").join("src/login.rs")), "ui");
}

#[test]
fn what_a_shell_changed_is_a_hold_too() {
    let shop = Shop::full();
    shop.lanes(&["api", "ui"]);
    let holder = shop.send("api", "%sh echo api > src/login.rs\n%hang");
    // Seen by looking at the worktree, a moment after it happened.
    shop.wait_for("the hold", || {
        let written = Store::read(&shop.bench.place().store()).unwrap().written;
        if written.iter().any(|(_, path)| path == "src/login.rs") { Ok(()) } else { Err(format!("{written:?}")) }
    });
    // The holder's own next request has its answer.
    shop.model.wait_for_requests(2);
    let id = writes(&shop, "src/login.rs");
    shop.wait_conflicts(1);
    shop.ok(&["cancel", &holder]);
    shop.wait_state(&id, "done");
}
