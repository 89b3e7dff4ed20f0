//! `kill -9` at the worst moments: nothing acknowledged is lost, and nothing that had an effect runs twice.

use paralane::domain::EntryBody;

use crate::model_server::Reply;
use crate::shop::{Shop, alive, text};

#[test]
fn an_approval_given_after_a_crash_runs_its_call_once() {
    let shop = Shop::new();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh echo once >> ran\n%say told");
    let asked = shop.wait_approval();
    shop.bench.kill_workstation();
    assert_eq!(shop.json(&["approvals"])["approvals"][0]["state"], "pending", "also told while nothing runs");
    // Answering starts the workstation.
    shop.ok(&["approve", &asked]);
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("api").join("ran")), "once\n");
    assert_eq!(shop.json(&["approvals", "--all"])["approvals"].as_array().map(Vec::len), Some(1));
    // And after a second crash it is over.
    shop.bench.kill_workstation();
    shop.ok(&["up"]);
    assert_eq!(shop.state(&id), "done");
    assert_eq!(text(shop.worktree("api").join("ran")), "once\n");
}

#[test]
fn a_denial_after_a_crash_reaches_the_model() {
    let shop = Shop::new();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh echo once >> ran\n%+sh echo two >> ran");
    shop.wait_approvals(2);
    shop.ok(&["deny", "a1", "--reason", "not that one"]);
    shop.bench.kill_workstation();
    shop.ok(&["up"]);
    assert_eq!(shop.wait_approval(), "a2", "the answered one is not asked again");
    shop.ok(&["approve", "a2"]);
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("api").join("ran")), "two\n");
    let told = shop.model.seen().last().unwrap().body["messages"].to_string();
    assert!(told.contains("not that one"), "{told}");
}

#[test]
fn death_between_an_approval_and_its_call_runs_it_once() {
    let mut shop = Shop::new();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh echo once >> ran");
    let asked = shop.wait_approval();
    shop.die_at("approval-to-call", |shop| {
        shop.wait_approval();
        // It is kept before the death; whether the shell still hears of it is a race that does not matter.
        shop.bench.cli(&["approve", &asked]);
    });
    assert!(!shop.worktree("api").join("ran").exists());
    shop.ok(&["up"]);
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("api").join("ran")), "once\n");
    assert_eq!(shop.json(&["approvals", "--all"])["approvals"].as_array().map(Vec::len), Some(1));
}

#[test]
fn death_in_a_model_stream_is_offered_for_retry() {
    let mut shop = Shop::full();
    shop.lanes(&["api"]);
    let mut id = String::new();
    shop.die_at("model-stream", |shop| id = shop.send("api", "%say one moment\n%sh echo once >> ran\n%say the end"));
    assert_eq!(shop.state(&id), "interrupted", "also told while nothing runs");
    shop.ok(&["up"]);
    shop.wait_state(&id, "interrupted");
    assert_eq!(shop.lane("api")["state"], "needs-you");
    assert!(
        shop.notices("api").iter().any(|n| n.contains("interrupted") && n.contains(&id)),
        "{:?}",
        shop.notices("api")
    );
    assert!(!shop.worktree("api").join("ran").exists(), "nothing runs by itself");
    shop.ok(&["retry", &id]);
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("api").join("ran")), "once\n");
    let prompts = shop.entries("api").into_iter().filter(|e| matches!(e.body, EntryBody::Prompt { .. })).count();
    assert_eq!(prompts, 1, "it goes on in the same transcript");
}

#[test]
fn death_in_a_later_step_keeps_the_earlier_ones() {
    let mut shop = Shop::full();
    shop.lanes(&["api"]);
    let mut id = String::new();
    // The first step says nothing, so that the stream that dies is the second one's.
    shop.die_at("model-stream", |shop| id = shop.send("api", "%sh echo once >> ran\n%say now\n%sh echo twice >> ran"));
    shop.ok(&["up"]);
    shop.wait_state(&id, "interrupted");
    let worktree = shop.worktree("api");
    assert_eq!(text(worktree.join("ran")), "once\n");
    assert_eq!(shop.results("api").len(), 1);
    shop.ok(&["retry", &id]);
    shop.wait_state(&id, "done");
    assert_eq!(text(worktree.join("ran")), "once\ntwice\n", "what ran is not run again, and the rest is");
}

#[test]
fn a_command_that_had_begun_is_never_run_again() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh echo $$ > pid; echo once >> ran; sleep 600\n%say and so on");
    let worktree = shop.worktree("api");
    shop.wait_file(&worktree.join("ran"), |text| text == "once\n");
    let pid = text(worktree.join("pid"));
    shop.bench.kill_workstation();
    shop.ok(&["up"]);
    shop.wait_state(&id, "interrupted");
    assert!(!alive(&pid), "what the dead one left running is ended before anything is retried");
    shop.ok(&["retry", &id]);
    shop.wait_state(&id, "done");
    assert_eq!(text(worktree.join("ran")), "once\n");
    let told = shop.results("api");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("unknown whether"), "the model is told: {told:?}");
}

#[test]
fn what_was_cut_is_told_to_later_prompts_and_can_still_be_retried() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let cut = shop.send("api", "%sh echo once >> ran; sleep 600");
    let next = shop.send("api", "%say after that");
    let worktree = shop.worktree("api");
    shop.wait_file(&worktree.join("ran"), |text| text == "once\n");
    shop.bench.kill_workstation();
    shop.ok(&["up"]);
    // What comes after waits until the person has decided about what was cut.
    shop.wait_state(&cut, "interrupted");
    assert_eq!(shop.state(&next), "queued");
    shop.ok(&["cancel", &cut]);
    // The next one's model is not told that the call had not run.
    shop.wait_state(&next, "done");
    let told = shop.model.seen().last().unwrap().body["messages"].to_string();
    assert!(told.contains("unknown whether it had an effect"), "{told}");
    shop.model.push(Reply::say("it is there already"));
    shop.ok(&["retry", &cut]);
    shop.wait_state(&cut, "done");
    assert_eq!(text(worktree.join("ran")), "once\n");
    // The model is asked by the retried prompt, not left with the other one's answer.
    let last = shop.model.seen().last().unwrap().body["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["role"], "user");
    assert!(last.to_string().contains("echo once"), "{last}");
}

#[test]
fn a_question_beside_a_cut_call_is_answered_and_runs_when_the_prompt_goes_on() {
    let shop = Shop::new();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh echo one >> one; sleep 600\n%+sh echo two >> two");
    let asked = shop.wait_approvals(2);
    let (first, second) = if asked[0]["action"].as_str().unwrap().contains("one") { (0, 1) } else { (1, 0) };
    shop.ok(&["approve", asked[first]["id"].as_str().unwrap()]);
    let worktree = shop.worktree("api");
    shop.wait_file(&worktree.join("one"), |text| text == "one\n");
    shop.bench.kill_workstation();
    shop.ok(&["up"]);
    shop.wait_state(&id, "interrupted");
    let answer = shop.ok(&["approve", asked[second]["id"].as_str().unwrap()]).stdout;
    assert!(answer.contains("when its turn goes on"), "{answer}");
    assert!(!worktree.join("two").exists());
    shop.ok(&["retry", &id]);
    shop.wait_state(&id, "done");
    assert_eq!((text(worktree.join("one")), text(worktree.join("two"))), ("one\n".into(), "two\n".into()));
}

#[test]
fn death_in_a_tool_counts_its_call_as_begun() {
    let mut shop = Shop::full();
    shop.lanes(&["api"]);
    let mut id = String::new();
    shop.die_at("tool-running", |shop| {
        id = shop.send("api", "%sh setsid sh -c 'echo $$ > pid; exec sleep 600' & echo x >> ran; wait");
    });
    shop.ok(&["up"]);
    shop.wait_state(&id, "interrupted");
    let worktree = shop.worktree("api");
    let pid = text(worktree.join("pid"));
    assert!(pid.is_empty() || !alive(&pid), "{pid}");
    let before = text(worktree.join("ran"));
    shop.ok(&["retry", &id]);
    shop.wait_state(&id, "done");
    assert_eq!(text(worktree.join("ran")), before);
}

#[test]
fn a_crash_before_or_after_the_worktree_is_made_is_mended_at_start() {
    for failpoint in ["worktree-before-add", "worktree-after-add"] {
        let mut shop = Shop::full();
        shop.die_at(failpoint, |shop| {
            // The lane is kept before its worktree is made; the answer may get lost with the workstation.
            shop.bench.cli(&["lane", "new", "api", "--prompt", "%sh git rev-parse --abbrev-ref HEAD > branch"]);
        });
        let made = shop.bench.place().worktrees().join("api").join(".git").exists();
        assert_eq!(made, failpoint == "worktree-after-add");
        shop.ok(&["up"]);
        shop.wait_state("p1", "done");
        let worktree = shop.worktree("api");
        assert_eq!(text(worktree.join("branch")), "lane/api\n", "{failpoint}");
        let listed = shop.bench.git(&["worktree", "list", "--porcelain"]);
        assert_eq!(listed.matches("branch refs/heads/lane/api").count(), 1, "{listed}");
        shop.lanes(&["next"]);
    }
}

#[test]
fn death_while_the_store_is_made_leaves_one_that_opens() {
    for failpoint in ["store-half-made", "store-in-migration"] {
        let mut shop = Shop::full();
        if failpoint == "store-in-migration" {
            // A file of no version: everything is still to be made in it.
            shop.bench.place().create().unwrap();
            let db = rusqlite::Connection::open(shop.bench.place().store()).unwrap();
            db.execute_batch("CREATE TABLE x (y); DROP TABLE x;").unwrap();
        }
        shop.bench.set_env("PARALANE_FAILPOINT", failpoint);
        let run = shop.bench.cli(&["lane", "new", "api"]).ended_with(3);
        assert!(run.stderr.contains("ended before it was ready"), "{failpoint}: {run:?}");
        shop.bench.unset_env("PARALANE_FAILPOINT");
        assert_eq!(shop.json(&["lane", "list"])["lanes"].as_array().map(Vec::len), Some(0));
        shop.lanes(&["api"]);
        let id = shop.send("api", "%say fine");
        shop.wait_state(&id, "done");
    }
}

#[test]
fn lanes_queues_modes_and_transcripts_come_back() {
    let shop = Shop::full();
    shop.lanes(&["api", "ui", "docs"]);
    shop.ok(&["lane", "new", "sh", "--", "sh", "-c", "echo $$ > pid; exec sleep 600"]);
    let done = shop.send("api", "%sh echo out\n%say the answer");
    shop.wait_state(&done, "done");
    shop.ok(&["mode", "plan", "--lane", "docs"]);
    shop.ok(&["lane", "pause", "ui"]);
    let queued = shop.send("ui", "%say later");
    let held = shop.send_with("docs", "%say much later", &["--at", "+2h"]);
    shop.ok(&["reserve", "--lane", "docs", "doc/"]);
    let pid = shop.wait_file(&shop.worktree("sh").join("pid"), |text| text.ends_with('\n'));
    let (lanes, entries) = (shop.json(&["lane", "list"]), shop.entries("api"));
    shop.bench.kill_workstation();
    shop.ok(&["up"]);
    assert!(!alive(&pid));
    assert_eq!(shop.entries("api"), entries);
    assert_eq!(shop.state(&queued), "queued");
    assert_eq!(shop.state(&held), "held");
    assert_eq!(shop.lane("docs")["mode"], "plan");
    assert_eq!(shop.lane("docs")["reservations"][0], "doc/");
    assert_eq!(shop.lane("ui")["state"], "paused");
    let sh = shop.wait_lane("sh", "ended");
    assert!(sh["error"].as_str().is_some_and(|e| e.contains("ended with the workstation")), "{sh}");
    let now = shop.json(&["lane", "list"]);
    for (before, after) in lanes["lanes"].as_array().unwrap().iter().zip(now["lanes"].as_array().unwrap()) {
        for field in ["name", "kind", "branch", "worktree", "queued"] {
            assert_eq!(before[field], after[field], "{field}");
        }
    }
    shop.ok(&["lane", "restart", "sh"]);
    shop.wait_lane("sh", "idle");
    shop.ok(&["lane", "resume", "ui"]);
    shop.wait_state(&queued, "done");
}

/// Makes a lane, sends two prompts and answers every question, while the workstation dies at its `n`th visit to
/// `failpoint`. Whatever was acknowledged must be there in the end, and each call has run at most once.
fn die_at_every_step(failpoint: &str, visits: std::ops::RangeInclusive<u32>) {
    for n in visits {
        let mut shop = Shop::new();
        shop.bench.set_env("PARALANE_FAILPOINT", &format!("{failpoint}:{n}"));
        shop.bench.cli(&["up"]);
        shop.bench.unset_env("PARALANE_FAILPOINT");
        let dying = shop.bench.running();
        // A refusal may mean that the lane was kept and the answer was lost: then it is there.
        let mut lane = false;
        shop.wait_for("the lane", || {
            lane |= shop.bench.cli(&["lane", "new", "api"]).status == 0;
            let shown = shop.bench.cli(&["lane", "show", "api"]);
            if shown.status == 0 { Ok(()) } else { Err(format!("{failpoint}:{n}: acknowledged: {lane}: {shown:?}")) }
        });
        let mut acknowledged = Vec::new();
        for (key, script) in [("k1", "%sh echo 1 >> ran\n%sh echo 2 >> ran"), ("k2", "%sh echo 3 >> ran")] {
            // The same key again sends nothing new: this is how a script makes sure.
            acknowledged.push(shop.wait_for("an acknowledgement", || {
                let run = shop.bench.cli(&["--json", "prompt", "api", "--key", key, "--", script]);
                if run.status == 0 {
                    Ok(run.json()["id"].as_str().unwrap().to_owned())
                } else {
                    Err(format!("{run:?}"))
                }
            }));
        }
        let mut allowed = Vec::new();
        shop.wait_for("both prompts", || {
            // Starts one again when it died.
            shop.bench.cli(&["up"]);
            let asked = shop.try_json(&["approvals"]).ok_or("approvals")?;
            for asked in asked["approvals"].as_array().unwrap() {
                let id = asked["id"].as_str().unwrap();
                if shop.bench.cli(&["approve", id]).status == 0 {
                    allowed.push(id.to_owned());
                }
            }
            let queue = shop.try_json(&["queue", "list", "--all"]).ok_or("queue")?;
            let state = |id: &String| {
                let known = queue["prompts"].as_array().unwrap().iter().find(|p| p["id"] == **id);
                known.unwrap_or_else(|| panic!("{failpoint}:{n}: {id} was acknowledged and is lost: {queue}"))["state"]
                    .to_string()
            };
            let states: Vec<String> = acknowledged.iter().map(state).collect();
            for (id, state) in acknowledged.iter().zip(&states) {
                if state.contains("interrupted") {
                    shop.bench.cli(&["retry", id]);
                }
            }
            if states.iter().all(|s| s.contains("done")) {
                return Ok(());
            }
            let (lane, problems) = (shop.bench.cli(&["lane", "show", "api"]), shop.bench.cli(&["problems"]));
            Err(format!("{failpoint}:{n}: {states:?}\n{}\n{}", lane.stdout, problems.stdout))
        });
        assert_ne!(shop.bench.running(), dying, "{failpoint}:{n} was never reached: the walk is shorter than thought");
        let all = shop.json(&["approvals", "--all"]);
        for id in &allowed {
            let approval = all["approvals"].as_array().unwrap().iter().find(|a| a["id"] == **id).unwrap();
            assert_eq!(approval["state"], "allowed", "{failpoint}:{n} {id}");
        }
        let ran = text(shop.worktree("api").join("ran"));
        for line in ["1", "2", "3"] {
            let times = ran.lines().filter(|l| *l == line).count();
            // A call that was cut off has run, or the model was told that it may have.
            let told = shop.results("api").iter().filter(|r| r.contains("unknown whether")).count();
            assert!(
                times == 1 || (times == 0 && told > 0),
                "{failpoint}:{n}: {line} ran {times} times\n{:?}",
                shop.results("api")
            );
        }
        let places: Vec<u64> = shop.entries("api").iter().map(|e| e.seq).collect();
        let gapless: Vec<u64> = (1..=places.len() as u64).collect();
        assert_eq!(places, gapless);
    }
}

#[test]
fn death_before_any_early_commit_loses_nothing_acknowledged() {
    die_at_every_step("store-before-commit", 1..=6);
}

#[test]
fn death_before_any_middle_commit_loses_nothing_acknowledged() {
    die_at_every_step("store-before-commit", 7..=12);
}

#[test]
fn death_before_any_late_commit_loses_nothing_acknowledged() {
    die_at_every_step("store-before-commit", 13..=18);
}

#[test]
fn death_after_any_early_commit_runs_nothing_twice() {
    die_at_every_step("store-after-commit", 1..=6);
}

#[test]
fn death_after_any_middle_commit_runs_nothing_twice() {
    die_at_every_step("store-after-commit", 7..=12);
}

#[test]
fn death_after_any_late_commit_runs_nothing_twice() {
    die_at_every_step("store-after-commit", 13..=18);
}

#[test]
fn a_reader_beside_a_dead_workstation_tells_what_is_true() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh touch begun; sleep 600");
    let begun = shop.worktree("api").join("begun");
    shop.wait_for("the call", || if begun.exists() { Ok(()) } else { Err(String::new()) });
    shop.bench.kill_workstation();
    assert_eq!(shop.state(&id), "interrupted");
    assert_eq!(shop.lane("api")["state"], "needs-you");
    let status = shop.json(&["status"]);
    assert_eq!((status["running"].as_u64(), status["lanes"][0]["state"].as_str()), (Some(0), Some("needs-you")));
    assert!(shop.bench.running().is_none(), "reading has started nothing");
    shop.ok(&["up"]);
    assert_eq!(shop.state(&id), "interrupted", "the next start comes to the same");
}
