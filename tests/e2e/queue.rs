//! Queues: a busy lane queues, and what is queued can be ordered, changed, held and cancelled.

use crate::shop::{Shop, text};

/// A lane that is busy until it is cancelled, with `count` prompts behind that append their letter to a file.
fn busy(count: u8) -> (Shop, Vec<String>) {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let first = shop.send("api", "%hang");
    shop.model.wait_for_open(1);
    let mut ids = vec![first];
    for letter in (b'a'..).take(usize::from(count)).map(char::from) {
        ids.push(shop.send("api", &format!("%sh echo {letter} >> order")));
    }
    (shop, ids)
}

fn order(shop: &Shop) -> String {
    text(shop.worktree("api").join("order")).replace('\n', "")
}

#[test]
fn a_busy_lane_queues_and_runs_in_order() {
    let (shop, ids) = busy(3);
    for id in &ids[1..] {
        assert_eq!(shop.state(id), "queued");
    }
    let lane = shop.lane("api");
    assert_eq!((lane["state"].as_str(), lane["queued"].as_u64()), (Some("working"), Some(3)));
    shop.ok(&["cancel", "api"]);
    shop.wait_state(&ids[3], "done");
    assert_eq!(shop.state(&ids[0]), "cancelled");
    assert_eq!(order(&shop), "abc");
}

#[test]
fn queued_prompts_are_moved_edited_and_cancelled() {
    let (shop, ids) = busy(4);
    shop.ok(&["queue", "move", &ids[4], "first"]);
    shop.ok(&["queue", "move", &ids[1], "before", &ids[3]]);
    shop.ok(&["queue", "edit", &ids[2], "--", "%sh echo B >> order"]);
    shop.ok(&["queue", "cancel", &ids[3]]);
    let listed = shop.json(&["queue", "list", "--lane", "api"]);
    let shown: Vec<&str> = listed["prompts"].as_array().unwrap().iter().map(|p| p["id"].as_str().unwrap()).collect();
    assert_eq!(shown, [&*ids[0], &ids[4], &ids[2], &ids[1]], "{listed}");
    for field in ["id", "lane", "state", "priority", "text"] {
        assert!(listed["prompts"][0][field].is_string(), "{field}: {listed}");
    }
    shop.ok(&["cancel", &ids[0]]);
    shop.wait_state(&ids[1], "done");
    assert_eq!(order(&shop), "dBa");
    assert_eq!(shop.state(&ids[3]), "cancelled");
    let words = shop.refused(&["queue", "edit", &ids[1], "--", "again"]);
    assert!(words.contains("done"), "{words}");
}

#[test]
fn urgent_prompts_go_first_and_a_queue_moves_to_another_lane() {
    let (shop, ids) = busy(2);
    shop.ok(&["lane", "new", "ui"]);
    shop.wait_lane("ui", "idle");
    let low = shop.send_with("api", "%sh echo l >> order", &["--priority", "low"]);
    let high = shop.send_with("api", "%sh echo h >> order", &["--priority", "high"]);
    shop.ok(&["queue", "move", &ids[2], "--lane", "ui"]);
    shop.wait_state(&ids[2], "done");
    assert_eq!(text(shop.worktree("ui").join("order")), "b\n");
    shop.ok(&["cancel", "api"]);
    shop.wait_state(&low, "done");
    assert_eq!(shop.state(&high), "done");
    assert_eq!(order(&shop), "hal");
}

#[test]
fn a_key_sends_once() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    shop.ok(&["lane", "pause", "api"]);
    let first = shop.send_with("api", "%sh echo k >> order", &["--key", "build-17"]);
    let again = shop.send_with("api", "%sh echo k >> order", &["--key", "build-17"]);
    assert_eq!(first, again);
    let words = shop.refused(&["prompt", "api", "--key", "build-17", "--", "something else"]);
    assert!(words.contains("build-17"), "{words}");
    shop.bench.kill_workstation();
    let after_a_crash = shop.send_with("api", "%sh echo k >> order", &["--key", "build-17"]);
    assert_eq!(first, after_a_crash);
    shop.ok(&["lane", "resume", "api"]);
    shop.wait_state(&first, "done");
    assert_eq!(shop.send_with("api", "%sh echo k >> order", &["--key", "build-17"]), first, "also when it is over");
    assert_eq!(order(&shop), "k");
}

#[test]
fn held_prompts_start_when_another_ends_or_the_time_comes() {
    let shop = Shop::full();
    shop.lanes(&["api", "ui"]);
    let first = shop.send("api", "%hang");
    shop.model.wait_for_open(1);
    let after = shop.send_with("ui", "%say later", &["--after", &first]);
    assert_eq!(shop.state(&after), "held");
    assert_eq!(shop.lane("ui")["state"], "waiting");
    shop.ok(&["cancel", &first]);
    shop.wait_state(&after, "done");
    let begun = std::time::Instant::now();
    let at = shop.send_with("ui", "%say now", &["--at", "+1s"]);
    assert_eq!(shop.state(&at), "held");
    shop.wait_state(&at, "done");
    assert!(begun.elapsed().as_millis() >= 900, "{:?}", begun.elapsed());
    // The time is kept over a crash.
    let at = shop.send_with("ui", "%say now", &["--at", "+1s"]);
    shop.bench.kill_workstation();
    shop.ok(&["up"]);
    shop.wait_state(&at, "done");
    let words = shop.bench.cli(&["prompt", "ui", "--after", "p99", "--", "x"]).ended_with(1).stderr;
    assert!(words.contains("p99"), "{words}");
}

#[test]
fn the_limit_holds_prompts_back() {
    let shop = Shop::with("[agent]\nmode = \"full\"\n[scheduler]\nmax_running = 1\n");
    shop.lanes(&["api", "ui"]);
    let one = shop.send("api", "%hang");
    shop.model.wait_for_open(1);
    let two = shop.send("ui", "%say second");
    assert_eq!(shop.state(&two), "queued");
    assert_eq!(shop.lane("ui")["state"], "waiting");
    shop.ok(&["cancel", &one]);
    shop.wait_state(&two, "done");
    assert_eq!(shop.model.most_open(), 1);
}

#[test]
fn a_cancelled_command_that_does_not_die_at_once_keeps_its_place() {
    // Without walls, so that one lane's command sees the other's process.
    let more = "[agent]\nmode = \"full\"\n[scheduler]\nmax_running = 1\n[sandbox]\nmode = \"off\"\n";
    let shop = Shop::with(more);
    shop.lanes(&["api", "ui"]);
    let pid = shop.worktree("api").join("pid");
    let one = shop.send("api", "%sh trap '' TERM; echo $$ > pid; while :; do sleep 0.05; done");
    shop.wait_file(&pid, |text| text.ends_with('\n'));
    let look = format!("%sh kill -0 $(cat {}) 2>/dev/null && echo alive > seen || echo gone > seen", pid.display());
    let two = shop.send("ui", &look);
    shop.ok(&["cancel", &one]);
    shop.wait_state(&two, "done");
    assert_eq!(text(shop.worktree("ui").join("seen")), "gone\n");
}
