//! Cancel acts at once, and retry goes on.

use crate::shop::{Shop, alive, text};

#[test]
fn a_hanging_model_call_is_dropped() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%say so far\n%hang");
    shop.model.wait_for_open(1);
    shop.ok(&["cancel", &id]);
    shop.model.wait_for_open(0);
    assert_eq!(shop.state(&id), "cancelled");
    let words = shop.refused(&["cancel", &id]);
    assert!(words.contains("already cancelled"), "{words}");
    let words = shop.refused(&["cancel", "api"]);
    assert!(words.contains("nothing runs"), "{words}");
    // The lane takes the next one.
    let next = shop.send("api", "%say fine");
    shop.wait_state(&next, "done");
}

#[test]
fn a_running_command_ends_with_everything_it_started() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    // One that ignores TERM, one in a session of its own, one that ignores the hang-up.
    let script = "%sh setsid sh -c 'echo $$ > s; exec sleep 600' & nohup sh -c 'echo $$ > n; exec sleep 600' >/dev/null 2>&1 & \
                  sh -c 'trap \"\" TERM; echo $$ > t; while :; do sleep 1; done' & echo $$ > m; wait";
    let id = shop.send("api", script);
    let worktree = shop.worktree("api");
    let pids: Vec<String> =
        ["s", "n", "t", "m"].iter().map(|f| shop.wait_file(&worktree.join(f), |text| text.ends_with('\n'))).collect();
    assert!(pids.iter().all(|pid| alive(pid)), "{pids:?}");
    shop.ok(&["cancel", &id]);
    shop.wait_for("all to be gone", || {
        let left: Vec<_> = pids.iter().filter(|pid| alive(pid)).collect();
        if left.is_empty() { Ok(()) } else { Err(format!("{left:?} of {pids:?}")) }
    });
    assert_eq!(shop.state(&id), "cancelled");
}

#[test]
fn an_end_in_order_leaves_no_process_behind() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    shop.send("api", "%sh setsid sh -c 'echo $$ > s; exec sleep 600' & wait");
    let pid = shop.wait_file(&shop.worktree("api").join("s"), |text| text.ends_with('\n'));
    shop.ok(&["down"]);
    assert!(!alive(&pid));
}

#[test]
fn cancel_and_retry_in_one_breath_run_it_again() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    // Takes its time to end, so that the retry comes while the old turn is still ending.
    let id = shop
        .send("api", "%sh trap '' TERM; [ -e again ] || { touch begun; while :; do sleep 0.1; done; }; echo x >> ran");
    let worktree = shop.worktree("api");
    shop.wait_for("the call", || if worktree.join("begun").exists() { Ok(()) } else { Err(String::new()) });
    std::fs::write(worktree.join("again"), "").unwrap();
    // A new file does not end the loop: only the next run sees it.
    shop.ok(&["cancel", &id]);
    shop.ok(&["retry", &id]);
    shop.wait_state(&id, "done");
    let next = shop.send("api", "%say fine");
    shop.wait_state(&next, "done");
}

#[test]
fn a_paused_turn_can_be_cancelled() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh touch begun\n%+sh touch two; sleep 600");
    let worktree = shop.worktree("api");
    shop.wait_for("both calls", || {
        if worktree.join("begun").exists() && worktree.join("two").exists() { Ok(()) } else { Err(String::new()) }
    });
    shop.ok(&["lane", "pause", "api"]);
    shop.ok(&["cancel", &id]);
    shop.ok(&["lane", "resume", "api"]);
    let next = shop.send("api", "%say fine");
    shop.wait_state(&next, "done");
    assert_eq!(shop.state(&id), "cancelled");
}

#[test]
fn a_failed_prompt_goes_on_where_it_stood() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh echo once >> ran\n%error 401 1\n%say and done");
    shop.wait_state(&id, "failed");
    shop.ok(&["retry", &id]);
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("api").join("ran")), "once\n");
    let words = shop.refused(&["retry", &id]);
    assert!(words.contains("done"), "{words}");
}
