//! Approvals: exactly the call that asked runs, once; a denial is told to the model; answers are remembered.

use serde_json::json;

use crate::shop::{Shop, text};

#[test]
fn an_allowed_call_runs_exactly_once_and_the_turn_goes_on() {
    let shop = Shop::new();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh echo once >> ran; echo out\n%say that was it");
    let asked = &shop.wait_approvals(1)[0];
    assert_eq!(asked["id"], "a1");
    assert_eq!((asked["lane"].as_str(), asked["tool"].as_str()), (Some("api"), Some("shell")));
    assert_eq!(asked["action"], "echo once >> ran; echo out");
    assert_eq!(asked["state"], "pending");
    assert!(asked["reason"].as_str().is_some_and(|r| r.contains("ask")), "{asked}");
    let lane = shop.lane("api");
    assert_eq!((lane["state"].as_str(), lane["waiting_approvals"].as_u64()), (Some("needs-you"), Some(1)));
    assert_eq!(shop.state(&id), "waiting");
    assert!(!shop.worktree("api").join("ran").exists());
    shop.ok(&["approve", "a1"]);
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("api").join("ran")), "once\n");
    let words = shop.refused(&["approve", "a1"]);
    assert!(words.contains("already allowed"), "{words}");
    assert_eq!(shop.json(&["approvals", "--all"])["approvals"][0]["state"], "allowed");
    // Allowed once is allowed once: the same call asks again.
    let again = shop.send("api", "%sh echo once >> ran; echo out");
    assert_eq!(shop.wait_approval(), "a2");
    shop.ok(&["cancel", &again]);
    assert_eq!(shop.json(&["approvals", "--all"])["approvals"][1]["state"], "expired");
    let words = shop.refused(&["approve", "a2"]);
    assert!(words.contains("expired"), "{words}");
    assert_eq!(text(shop.worktree("api").join("ran")), "once\n");
}

#[test]
fn two_answers_at_once_run_it_once() {
    let shop = Shop::new();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh echo x >> ran");
    shop.wait_approval();
    let statuses: Vec<i32> = std::thread::scope(|scope| {
        let many: Vec<_> = (0..6).map(|_| scope.spawn(|| shop.bench.cli(&["approve", "a1"]).status)).collect();
        many.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|s| **s == 0).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|s| **s == 1).count(), 5, "{statuses:?}");
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("api").join("ran")), "x\n");
}

#[test]
fn a_denial_and_its_reason_reach_the_model_and_the_turn_goes_on() {
    let shop = Shop::new();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh rm -rf everything\n%say I leave it");
    let asked = shop.wait_approval();
    shop.ok(&["deny", &asked, "--reason", "use the test database"]);
    shop.wait_state(&id, "done");
    let told = shop.model.seen().last().unwrap().body["messages"].to_string();
    assert!(told.contains("denied") && told.contains("use the test database"), "{told}");
    assert_eq!(shop.json(&["approvals", "--all"])["approvals"][0]["state"], "denied");
    assert!(shop.results("api")[0].contains("use the test database"));
}

#[test]
fn calls_of_one_step_ask_each_for_itself() {
    let shop = Shop::new();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh echo a > a\n%+sh echo b > b\n%+write c.txt c");
    let asked = shop.wait_approvals(3);
    shop.ok(&["approve", asked[2]["id"].as_str().unwrap()]);
    shop.ok(&["deny", asked[1]["id"].as_str().unwrap()]);
    shop.ok(&["approve", asked[0]["id"].as_str().unwrap()]);
    shop.wait_state(&id, "done");
    let worktree = shop.worktree("api");
    assert_eq!((text(worktree.join("a")), text(worktree.join("c.txt"))), ("a\n".into(), "c".into()));
    assert!(!worktree.join("b").exists());
}

#[test]
fn an_edited_call_runs_as_edited() {
    let shop = Shop::new();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh echo model > said");
    let asked = shop.wait_approval();
    shop.ok(&["approve", &asked, "--edit", &json!({"command": "echo person > said"}).to_string()]);
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("api").join("said")), "person\n");
}

#[test]
fn session_is_remembered_in_the_lane_and_always_everywhere() {
    let shop = Shop::new();
    shop.lanes(&["api", "ui"]);
    let first = shop.send("api", "%sh echo s >> ran");
    let asked = shop.wait_approval();
    shop.ok(&["approve", &asked, "--for", "session"]);
    shop.wait_state(&first, "done");
    let again = shop.send("api", "%sh echo s >> ran");
    shop.wait_state(&again, "done");
    // Another lane and another call ask.
    let other = shop.send("ui", "%sh echo s >> ran");
    let asked = shop.wait_approval();
    shop.ok(&["approve", &asked, "--for", "always"]);
    shop.wait_state(&other, "done");
    let longer = shop.send("api", "%sh echo s >> ran; echo more");
    let asked = shop.wait_approval();
    shop.ok(&["deny", &asked]);
    shop.wait_state(&longer, "done");
    // Kept over a crash.
    shop.bench.kill_workstation();
    let last = shop.send("ui", "%sh echo s >> ran");
    shop.wait_state(&last, "done");
    let new = shop.bench.cli(&["lane", "new", "docs", "--prompt", "%sh echo s >> ran"]).ended_with(0);
    shop.wait_for("the new lane's prompt", || {
        let state = shop.lane("docs")["state"].clone();
        if state == "done" { Ok(()) } else { Err(format!("{state} {new:?}")) }
    });
    let ran = |lane| text(shop.worktree(lane).join("ran"));
    assert_eq!((ran("api"), ran("ui"), ran("docs")), ("s\ns\n".into(), "s\ns\n".into(), "s\n".into()));
}

#[test]
fn modes_say_what_asks() {
    let shop = Shop::new();
    shop.lanes(&["api"]);
    assert_eq!(shop.json(&["mode"])["mode"], "ask");
    let id = shop.send("api", "%read README.md\n%write a.txt a");
    let asked = &shop.wait_approvals(1)[0];
    assert_eq!((asked["tool"].as_str(), asked["action"].as_str()), (Some("write"), Some("a.txt")));
    // A question that the new mode answers needs no answer any more.
    shop.ok(&["mode", "auto-edit", "--lane", "api"]);
    shop.wait_state(&id, "done");
    let shell = shop.send("api", "%sh touch b");
    shop.wait_approval();
    shop.ok(&["mode", "full"]);
    assert_eq!(shop.state(&shell), "waiting", "the lane's own mode counts");
    shop.ok(&["mode", "full", "--lane", "api"]);
    shop.wait_state(&shell, "done");
    shop.ok(&["mode", "plan", "--lane", "api"]);
    let plan = shop.send("api", "%write c.txt c\n%sh touch d");
    shop.wait_state(&plan, "done");
    let worktree = shop.worktree("api");
    assert!(worktree.join("b").exists() && !worktree.join("c.txt").exists() && !worktree.join("d").exists());
}

#[test]
fn tools_stay_in_the_worktree() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let outside = shop.bench.path().join("outside");
    std::fs::write(&outside, "secret").unwrap();
    std::os::unix::fs::symlink(shop.bench.path(), shop.worktree("api").join("link")).unwrap();
    let text_of = |path: &str| format!("%read {path}\n%write {path} taken\n");
    let script =
        format!("{}{}{}", text_of("../../../outside"), text_of("link/outside"), text_of(outside.to_str().unwrap()));
    let id = shop.send("api", &script);
    shop.wait_state(&id, "done");
    assert_eq!(text(&outside), "secret");
    let results = shop.results("api");
    assert_eq!(results.len(), 6);
    assert!(results.iter().all(|r| !r.contains("secret")), "{results:?}");
}

#[test]
fn two_have_to_say_yes_and_the_kernel_says_who_is_who() {
    let shop = Shop::with("[approvals]\ntwo_person = [\"shell\"]\n");
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh echo x >> ran\n%say done");
    let asked = &shop.wait_approvals(1)[0];
    assert_eq!((asked["needed"].as_u64(), asked["confirmed"].as_u64()), (Some(2), Some(0)), "{asked}");
    let words = shop.refused(&["approve", "a1"]);
    assert!(words.contains("a program without a terminal is neither"), "{words}");
    let pid = shop.bench.running().unwrap().pid;
    // One terminal is one person, also in a terminal within it, in a session of its own and after a crash.
    let first = shop.bench.at_terminal(&format!(
        "$P approve a1 && ! $P approve a1 && ! setsid -w $P approve a1 && \
         ! script -qec '$P approve a1' /dev/null && kill -9 {pid} && \
         until $P status >/dev/null 2>&1; do :; done && ! $P approve a1"
    ));
    let first = first.ended_with(0).stdout;
    for words in ["1 of 2", "have said yes to `a1` already", "a program without a terminal", "was opened within it"] {
        assert!(first.contains(words), "{words}: {first}");
    }
    assert_eq!(first.matches("said yes to `a1` already").count(), 3, "{first}");
    assert!(!shop.worktree("api").join("ran").exists());
    // A window has a terminal of its own.
    let window = shop.bench.window(120, 40);
    window.wait_for_text("1 of 2");
    shop.wait_for("the window's yes", || {
        window.send(b"\x1by");
        let state = shop.state(&id);
        if state == "done" { Ok(()) } else { Err(state) }
    });
    assert_eq!(text(shop.worktree("api").join("ran")), "x\n");
    let told = shop.json(&["history", "approvals", "--lane", "api"]);
    let events = told["events"].as_array().unwrap();
    let what: Vec<&str> = events.iter().filter_map(|e| e["what"].as_str()).collect();
    assert_eq!(what, ["asked", "confirmed", "allowed"]);
    assert!(events[1]["by"].as_str().is_some_and(|by| by.starts_with("shell")), "{told}");
    assert!(events[2]["by"].as_str().is_some_and(|by| by.starts_with("window on pts/")), "{told}");
    shop.ok(&["down"]);
    assert_eq!(shop.json(&["history", "approvals"])["events"].as_array().map(Vec::len), Some(3), "from the store too");
}

#[test]
fn no_program_of_a_lane_is_one_of_two_however_it_hides() {
    let shop = Shop::with("[approvals]\ntwo_person = [\"shell\"]\n");
    shop.lanes(&["api"]);
    shop.send("api", "%sh echo x >> ran");
    shop.wait_approvals(1);
    // No parent of its own any more, no mark, another session with another terminal.
    let (said, hidden) = (shop.bench.path().join("said"), shop.bench.path().join("hidden"));
    let script = format!(
        "until [ \"$(cut -d' ' -f4 /proc/$$/stat)\" = {} ]; do :; done\ncd {}\n\
         exec script -qec '{} approve a1; echo over' {}\n",
        shop.bench.running().unwrap().pid,
        shop.bench.repo().display(),
        env!("CARGO_BIN_EXE_paralane"),
        said.display()
    );
    std::fs::write(&hidden, script).unwrap();
    let state = format!("PATH=\"$PATH\" HOME=\"$HOME\" PARALANE_HOME={}", shop.bench.home().display());
    let line = format!("(setsid env -i {state} sh {} &); exec sleep 600", hidden.display());
    shop.ok(&["lane", "new", "sh", "--", "sh", "-c", &line]);
    let words = shop.wait_file(&said, |text| text.contains("over\r\n"));
    assert!(words.contains("a program in a lane is neither"), "{words}");
    assert_eq!(shop.wait_approvals(1)[0]["confirmed"], 0);
}

#[test]
fn a_question_expires_by_the_clock_and_the_model_is_told() {
    let shop = Shop::with("[approvals]\nexpire = \"1s\"\n");
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh echo x >> ran\n%say went on");
    shop.wait_state(&id, "done");
    assert_eq!(shop.json(&["approvals", "--all"])["approvals"][0]["state"], "expired");
    assert!(shop.results("api")[0].contains("nobody answered"), "{:?}", shop.results("api"));
    assert!(!shop.worktree("api").join("ran").exists());
}
