//! The main job without a window: lanes in their own worktrees, prompts side by side, answers and exit statuses.

use std::path::Path;

use crate::model_server::Reply;
use crate::shop::{Shop, alive, text};

#[test]
fn three_lanes_work_side_by_side_in_their_own_worktrees() {
    let shop = Shop::full();
    shop.lanes(&["api", "ui"]);
    shop.ok(&["lane", "new", "sh", "--", "bash", "--norc"]);
    shop.wait_lane("sh", "idle");
    let lanes = shop.json(&["lane", "list"])["lanes"].as_array().unwrap().clone();
    let head = shop.bench.git(&["rev-parse", "HEAD"]);
    for (lane, (name, kind)) in lanes.iter().zip([("api", "agent"), ("ui", "agent"), ("sh", "pane")]) {
        assert_eq!((lane["name"].as_str(), lane["kind"].as_str()), (Some(name), Some(kind)), "{lane}");
        assert_eq!(lane["branch"], format!("lane/{name}"));
        assert_eq!(lane["queued"], 0);
        assert_eq!(lane["waiting_approvals"], 0);
        let worktree = Path::new(lane["worktree"].as_str().unwrap());
        assert_eq!(shop.bench.git_in(worktree, &["rev-parse", "HEAD"]), head);
        assert_eq!(shop.bench.git_in(worktree, &["symbolic-ref", "--short", "HEAD"]).trim(), format!("lane/{name}"));
    }
    // Both agents hang in their model call: they run at once.
    let one = shop.send("api", "%write api.txt api\n%hang");
    let two = shop.send("ui", "%write ui.txt ui\n%hang");
    shop.model.wait_for_requests(4);
    shop.model.wait_for_open(2);
    let three = shop.send("sh", "pwd > here.txt; echo $((6*7)) > answer.txt");
    shop.wait_file(&shop.worktree("sh").join("answer.txt"), |text| text == "42\n");
    shop.wait_state(&three, "done");
    assert_eq!(shop.state(&one), "running");
    assert_eq!(shop.state(&two), "running");
    assert_eq!(text(shop.worktree("api").join("api.txt")), "api");
    assert_eq!(text(shop.worktree("ui").join("ui.txt")), "ui");
    assert!(!shop.bench.repo().join("api.txt").exists(), "the base checkout is left alone");
    assert_eq!(Path::new(text(shop.worktree("sh").join("here.txt")).trim()), shop.worktree("sh"));
    let status = shop.json(&["status"]);
    assert_eq!(status["running"], 2, "{status}");
    assert_eq!(status["lanes"].as_array().map(Vec::len), Some(3));
    assert_eq!(status["store"].as_str(), shop.bench.place().store().to_str());
    for name in ["project", "base", "queued", "approvals", "conflicts"] {
        assert!(!status[name].is_null(), "{name}: {status}");
    }
}

#[test]
fn a_lane_starts_from_the_branch_in_use_not_from_the_default_one() {
    let shop = Shop::full();
    let bench = &shop.bench;
    bench.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    bench.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
    bench.git(&["checkout", "-q", "-b", "dev"]);
    bench.write("dev.txt", "one\n");
    bench.commit("One");
    bench.write("dev.txt", "two\n");
    bench.commit("Two");
    let dev = bench.git(&["rev-parse", "dev"]).trim().to_owned();
    let main = bench.git(&["rev-parse", "main"]).trim().to_owned();
    shop.lanes(&["here"]);
    assert_eq!(
        (shop.lane("here")["base"].as_str(), shop.lane("here")["base_sha"].as_str()),
        (Some("dev"), Some(&*dev))
    );
    assert_eq!(bench.git_in(&shop.worktree("here"), &["rev-parse", "HEAD"]).trim(), dev);
    // Named: exactly what was named, also when the remote is ahead.
    let tree = format!("{dev}^{{tree}}");
    let ahead = bench.git(&["commit-tree", "-p", &dev, "-m", "Ahead", &tree]);
    bench.git(&["update-ref", "refs/remotes/origin/main", ahead.trim()]);
    shop.ok(&["lane", "new", "there", "--base", "main"]);
    shop.wait_lane("there", "idle");
    assert_eq!(bench.git_in(&shop.worktree("there"), &["rev-parse", "HEAD"]).trim(), main);
    assert_eq!(shop.lane("there")["base_sha"].as_str(), Some(&*main));
    // A commit made while everything runs counts for the next lane.
    bench.write("dev.txt", "three\n");
    bench.commit("Three");
    let dev = bench.git(&["rev-parse", "dev"]).trim().to_owned();
    shop.lanes(&["next"]);
    assert_eq!(bench.git_in(&shop.worktree("next"), &["rev-parse", "HEAD"]).trim(), dev);
}

#[test]
fn an_answered_wait_tells_id_lane_state_result_and_status() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let done = shop.bench.cli(&["prompt", "api", "%say all is well", "--wait", "--json"]).ended_with(0).json();
    assert_eq!(
        done,
        serde_json::json!({
            "id": "p1", "lane": "api", "state": "done", "result": "all is well", "error": null,
        })
    );
    // The final answer only, not what was said on the way.
    let text = "%say I look first\n%sh true\n%say found it";
    let done = shop.bench.cli(&["--json", "prompt", "api", "--wait", "--", text]).ended_with(0).json();
    assert_eq!(done["result"], "found it");
    shop.model.push(Reply::error(401));
    let failed = shop.bench.cli(&["--json", "prompt", "api", "--wait", "--", "%say no"]).ended_with(1).json();
    assert_eq!((failed["state"].as_str(), failed["result"].is_null()), (Some("failed"), true));
    assert!(failed["error"].as_str().is_some_and(|e| e.contains("401") && e.contains("scripted 401")), "{failed}");
    assert_eq!(shop.wait_lane("api", "failed")["queued"], 0);
    // Without `--wait` the answer comes at once.
    let queued = shop.json(&["prompt", "api", "%say on\n%hang"]);
    assert!(["queued", "running"].contains(&queued["state"].as_str().unwrap()), "{queued}");
    let cancelled = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| shop.bench.cli(&["--json", "prompt", "api", "--wait", "--", "%hang"]));
        shop.wait_for("the second prompt", || {
            let queue = shop.json(&["queue", "list"]);
            if queue["prompts"].as_array().unwrap().len() == 2 { Ok(()) } else { Err(queue.to_string()) }
        });
        shop.ok(&["queue", "cancel", "p5"]);
        waiting.join().unwrap()
    });
    assert_eq!(cancelled.ended_with(1).json()["state"], "cancelled");
}

#[test]
fn a_wait_ends_at_its_timeout_and_the_work_goes_on() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let run = shop.bench.cli(&["--json", "prompt", "api", "--wait", "--timeout", "1", "--", "%hang"]).ended_with(1);
    assert_eq!(run.json()["state"], "running");
    assert!(run.stderr.contains("the time given has passed"), "{run:?}");
    assert_eq!(shop.state("p1"), "running");
}

#[test]
fn a_wait_can_end_when_an_approval_is_needed() {
    let shop = Shop::new();
    shop.lanes(&["api"]);
    let run = shop.bench.cli(&["--json", "prompt", "api", "--wait", "--fail-on-approval", "--", "%sh echo hi"]);
    let run = run.ended_with(1);
    assert_eq!(run.json()["state"], "waiting");
    assert!(run.stderr.contains("approval a1"), "{run:?}");
    assert_eq!(shop.wait_approval(), "a1");
}

#[test]
fn a_command_that_waits_hears_when_the_workstation_dies() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| shop.bench.cli(&["prompt", "api", "--wait", "--", "%hang"]));
        shop.model.wait_for_open(1);
        shop.bench.kill_workstation();
        let run = waiting.join().unwrap();
        assert_ne!(run.status, 0, "{run:?}");
        assert!(run.stderr.contains("workstation"), "{run:?}");
    });
    assert_eq!(shop.state("p1"), "interrupted", "also told while nobody runs");
    shop.ok(&["up"]);
    shop.wait_state("p1", "interrupted");
}

#[test]
fn a_lanes_programs_end_with_it() {
    let shop = Shop::full();
    shop.ok(&["lane", "new", "sh", "--", "sh", "-c", "echo $$ > pid; sleep 600 & echo $! > child; wait"]);
    let worktree = shop.worktree("sh");
    let child = shop.wait_file(&worktree.join("child"), |text| text.ends_with('\n'));
    let pid = text(worktree.join("pid"));
    assert!(alive(&pid) && alive(&child));
    shop.ok(&["lane", "stop", "sh"]);
    shop.wait_lane("sh", "ended");
    shop.wait_for(
        "its processes to be gone",
        || if alive(&pid) || alive(&child) { Err(String::new()) } else { Ok(()) },
    );
    shop.ok(&["lane", "restart", "sh"]);
    let again = shop.wait_file(&worktree.join("pid"), |text| text.ends_with('\n') && *text != *pid);
    shop.ok(&["down"]);
    assert!(!alive(&again));
}

#[test]
fn broadcast_pause_resume_and_rename() {
    let shop = Shop::full();
    shop.lanes(&["api", "ui"]);
    shop.ok(&["lane", "pause", "ui"]);
    shop.ok(&["broadcast", "%sh echo x >> ran.txt"]);
    shop.wait_state("p1", "done");
    assert_eq!(shop.state("p2"), "queued", "a paused lane takes nothing");
    assert_eq!(shop.lane("ui")["state"], "paused");
    shop.ok(&["lane", "resume", "ui"]);
    shop.wait_state("p2", "done");
    for lane in ["api", "ui"] {
        assert_eq!(text(shop.worktree(lane).join("ran.txt")), "x\n");
    }
    // Paused in the middle of a turn: the call that runs ends, the next does not begin.
    let worktree = shop.worktree("api");
    let gate = worktree.join("gate");
    let script = "%sh touch begun; while [ ! -e gate ]; do sleep 0.05; done\n%sh touch second";
    let prompt = shop.send("api", script);
    shop.wait_for("the first call", || if worktree.join("begun").exists() { Ok(()) } else { Err(String::new()) });
    shop.ok(&["lane", "pause", "api"]);
    std::fs::write(&gate, "").unwrap();
    shop.wait_for("the first call's result", || match shop.results("api").len() {
        2 => Ok(()),
        n => Err(n.to_string()),
    });
    assert_eq!(shop.state(&prompt), "paused");
    assert!(!worktree.join("second").exists());
    shop.ok(&["lane", "resume", "api"]);
    shop.wait_state(&prompt, "done");
    assert!(worktree.join("second").exists());
    shop.ok(&["lane", "rename", "api", "backend"]);
    assert_eq!(shop.lane("backend")["branch"], "lane/api");
    shop.refused(&["lane", "show", "api"]);
}
