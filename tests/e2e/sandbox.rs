//! Commands of own agents stay in their lane, and the person is told how far.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::shop::{Shop, sleepers, text};

const PROGRAM: &str = env!("CARGO_BIN_EXE_paralane");

#[test]
fn a_command_cannot_answer_for_the_person() {
    let shop = Shop::new();
    shop.lanes(&["api", "web"]);
    shop.ok(&["mode", "full", "--lane", "api"]);
    shop.send("web", "%sh echo web >> ran");
    assert_eq!(shop.wait_approval(), "a1");
    let home = shop.bench.home();
    let (home, repo) = (home.display(), shop.bench.repo());
    let repo = repo.display();
    let script = format!(
        "%sh {PROGRAM} approve a1; {PROGRAM} --home {home} --repo {repo} approve a1; {PROGRAM} --repo {repo} mode full; \
         {PROGRAM} --home {home} --repo {repo} down; ls -la {home}; kill -9 $PPID; echo tried >> tried"
    );
    let id = shop.send("api", &script);
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("api").join("tried")), "tried\n", "{:?}", shop.model.seen().last());
    assert_eq!(shop.json(&["approvals"])["approvals"][0]["state"], "pending");
    assert!(!shop.worktree("web").join("ran").exists());
    shop.ok(&["approve", "a1"]);
}

#[test]
fn a_command_commits_on_its_branch_and_writes_nowhere_else() {
    let shop = Shop::full();
    shop.lanes(&["api", "web"]);
    let outside = shop.bench.path().join("outside");
    let script = format!(
        "%sh echo new > made.txt && git add -A && git -c user.name=a -c user.email=a@b commit -qm 'by the agent' && echo committed; \
         echo x > {}; echo x > {}/README.md; git update-ref refs/heads/lane/web HEAD; echo $TMPDIR > where",
        outside.display(),
        shop.bench.repo().display()
    );
    let id = shop.send("api", &script);
    shop.wait_state(&id, "done");
    assert_eq!(shop.bench.git(&["log", "-1", "--format=%s", "lane/api"]).trim(), "by the agent");
    assert_ne!(shop.bench.git(&["rev-parse", "lane/web"]), shop.bench.git(&["rev-parse", "lane/api"]));
    assert!(!outside.exists());
    assert_eq!(shop.bench.git(&["status", "--porcelain"]).trim(), "");
    assert_eq!(text(shop.worktree("api").join("where")), "/tmp\n");
}

/// What tries to outlive its command: each is a `sleep` of its own.
fn hiding(seconds: &str) -> String {
    format!(
        "setsid sleep {seconds} & (setsid env -i /bin/sh -c '(exec nohup /bin/sleep {seconds}) & exit' &); \
         setsid -f bash -c 'trap \"\" TERM HUP; sleep {seconds}; exit' >/dev/null 2>&1 </dev/null; "
    )
}

#[test]
fn nothing_that_hides_outlives_its_command_its_lane_or_its_workstation() {
    let shop = Shop::full();
    let seconds = |what: u32| format!("{}.{what}", 100_000 + std::process::id());
    // A command that ends by itself.
    shop.lanes(&["api"]);
    let id = shop.send("api", &format!("%sh {} echo over", hiding(&seconds(1))));
    shop.wait_state(&id, "done");
    assert_eq!(sleepers(&seconds(1)), 0);
    assert!(shop.results("api")[0].contains("left in the background were ended"), "{:?}", shop.results("api"));
    // Jobs, at every end that there is.
    let job = |lane: &str, seconds: &str| {
        let command = format!("{} exec sleep {seconds}", hiding(seconds));
        let id = shop.send(lane, &format!("%call shell {}", json!({"command": command, "background": true})));
        shop.wait_state(&id, "done");
        shop.bench.wait_until("the job and what it hides run", || sleepers(seconds) == 4);
    };
    job("api", &seconds(2));
    shop.ok(&["lane", "stop", "api"]);
    shop.bench.wait_until("they have ended with the stop", || sleepers(&seconds(2)) == 0);
    shop.lanes(&["closed"]);
    job("closed", &seconds(3));
    shop.ok(&["lane", "close", "closed"]);
    shop.bench.wait_until("they have ended with the lane", || sleepers(&seconds(3)) == 0);
    shop.lanes(&["down"]);
    job("down", &seconds(4));
    shop.ok(&["down"]);
    assert_eq!(sleepers(&seconds(4)), 0);
    shop.lanes(&["killed"]);
    job("killed", &seconds(5));
    shop.bench.kill_workstation();
    shop.bench.wait_until("they have ended with the workstation", || sleepers(&seconds(5)) == 0);
}

#[test]
fn what_holds_is_told_and_can_be_switched_off() {
    let shop = Shop::with("[agent]\nmode = \"full\"\n[sandbox]\nmode = \"off\"\n");
    shop.lanes(&["api"]);
    let doctor = shop.json(&["doctor"]);
    assert_eq!(doctor["sandbox"]["on"], false);
    assert!(shop.ok(&["doctor"]).stdout.contains("not sandboxed"));
    let outside = shop.bench.path().join("outside");
    let seconds = format!("{}.9", 100_000 + std::process::id());
    let id = shop.send("api", &format!("%sh {} echo x > {}", hiding(&seconds), outside.display()));
    shop.wait_state(&id, "done");
    assert_eq!(text(outside), "x\n");
    assert_eq!(sleepers(&seconds), 0, "also without walls nothing is left");
    shop.bench.configure_server(&shop.model.base_url(), "");
    shop.ok(&["down"]);
    let doctor = shop.json(&["doctor"]);
    assert_eq!((&doctor["sandbox"]["on"], &doctor["sandbox"]["network"]), (&json!(true), &json!(false)));
    assert_eq!(doctor["sandbox"]["missing"], json!([]), "this test needs a machine with all walls");
    shop.send("api", "%sh echo asks");
    shop.wait_approval();
    let window = shop.bench.window(120, 40);
    window.wait_for_text("sandboxed · network off");
}

#[test]
fn a_lanes_temporary_files_are_private_and_go_with_it() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh echo x > /tmp/mine; ls /tmp > seen");
    shop.wait_state(&id, "done");
    assert!(text(shop.worktree("api").join("seen")).contains("mine"));
    let all = shop.bench.place().store().parent().unwrap().join("tmp");
    let kept = std::fs::read_dir(&all).unwrap().next().unwrap().unwrap().path();
    assert_eq!(std::fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(text(kept.join("mine")), "x\n");
    std::fs::remove_file(shop.worktree("api").join("seen")).unwrap();
    shop.ok(&["lane", "close", "api"]);
    shop.bench.wait_until("the temporary files are gone", || !kept.exists());
}
