//! Closing never loses work: the refusal names it. A closed lane comes back.

use std::fs;

use crate::shop::{Shop, text};

#[test]
fn closing_names_everything_that_would_be_lost() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let worktree = shop.worktree("api");
    let git = |args: &[&str]| shop.bench.git_in(&worktree, args);
    fs::write(worktree.join("stashed.txt"), "stashed\n").unwrap();
    git(&["add", "-A"]);
    git(&["stash", "-q"]);
    fs::write(worktree.join("committed.txt"), "committed\n").unwrap();
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "Unmerged work"]);
    fs::write(worktree.join("README.md"), "# changed\n").unwrap();
    fs::write(worktree.join("new.txt"), "new\n").unwrap();
    let words = shop.refused(&["lane", "close", "api"]);
    for part in ["README.md", "new.txt", "Unmerged work", "stash"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert_eq!(text(worktree.join("new.txt")), "new\n");
    assert_eq!(shop.lane("api")["state"], "idle");
    let listed = shop.json(&["lane", "list"]);
    assert_eq!(listed["lanes"].as_array().map(Vec::len), Some(1));
    // One after the other is mended; what is left is still named.
    git(&["stash", "drop", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "More"]);
    let words = shop.refused(&["lane", "close", "api"]);
    assert!(words.contains("More") && !words.contains("stash") && !words.contains("new.txt"), "{words}");
    shop.bench.git(&["merge", "-q", "lane/api"]);
    shop.ok(&["lane", "close", "api"]);
    assert!(!worktree.exists());
    assert!(!shop.bench.git(&["branch", "--list", "lane/*"]).contains("lane/api"));
    assert!(shop.json(&["lane", "list"])["lanes"].as_array().unwrap().is_empty());
}

#[test]
fn commits_on_a_detached_head_are_named() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let worktree = shop.worktree("api");
    shop.bench.git_in(&worktree, &["checkout", "-q", "--detach"]);
    shop.bench.git_in(&worktree, &["commit", "-q", "--allow-empty", "-m", "Adrift"]);
    let words = shop.refused(&["lane", "close", "api"]);
    assert!(words.contains("Adrift") && words.contains("detached"), "{words}");
    let words = shop.refused(&["lane", "close", "api", "--keep-branch"]);
    assert!(words.contains("Adrift"), "{words}");
    assert!(worktree.exists());
}

#[test]
fn a_kept_branch_keeps_its_commits_and_restore_brings_all_back() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let done = shop.send("api", "%sh echo work > work.txt; git add -A; git commit -qm Work\n%say committed");
    shop.wait_state(&done, "done");
    let entries = shop.entries("api");
    let words = shop.refused(&["lane", "close", "api"]);
    assert!(words.contains("Work"), "{words}");
    shop.ok(&["lane", "close", "api", "--keep-branch"]);
    let worktree = shop.bench.place().worktrees().join("api");
    assert!(!worktree.exists());
    assert!(shop.bench.git(&["log", "--oneline", "lane/api"]).contains("Work"));
    let words = shop.refused(&["lane", "show", "api"]);
    assert!(words.contains("api"), "{words}");
    shop.bench.kill_workstation();
    shop.ok(&["lane", "restore", "api"]);
    shop.wait_for("the lane", || {
        let lane = shop.lane("api");
        if ["idle", "done"].contains(&lane["state"].as_str().unwrap()) { Ok(()) } else { Err(lane.to_string()) }
    });
    assert_eq!(text(worktree.join("work.txt")), "work\n");
    assert_eq!(shop.entries("api")[..entries.len()], entries);
    let next = shop.send("api", "%sh cat work.txt");
    shop.wait_state(&next, "done");
    // Its model is told what went before.
    let told = shop.model.seen().last().unwrap().body["messages"].to_string();
    assert!(told.contains("git commit -qm Work") && told.contains("committed"), "{told}");
    let words = shop.refused(&["lane", "restore", "nothing"]);
    assert!(words.contains("no closed lane `nothing`"), "{words}");
}

#[test]
fn a_lane_closed_with_its_branch_comes_back_where_it_stood() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let worktree = shop.worktree("api");
    fs::write(worktree.join("work.txt"), "work\n").unwrap();
    shop.bench.git_in(&worktree, &["add", "-A"]);
    shop.bench.git_in(&worktree, &["commit", "-q", "-m", "Work"]);
    shop.bench.git(&["merge", "-q", "lane/api"]);
    let tip = shop.bench.git(&["rev-parse", "lane/api"]);
    shop.ok(&["lane", "close", "api"]);
    // The base has moved on meanwhile.
    shop.bench.write("later.txt", "later\n");
    shop.bench.commit("Later");
    shop.ok(&["lane", "restore", "api"]);
    shop.wait_lane("api", "idle");
    assert_eq!(shop.bench.git_in(&worktree, &["rev-parse", "HEAD"]), tip);
}

#[test]
fn a_lane_at_work_or_with_prompts_is_not_closed() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%hang");
    shop.model.wait_for_open(1);
    let words = shop.refused(&["lane", "close", "api"]);
    assert!(words.contains(&id) && words.contains("cancel"), "{words}");
    shop.ok(&["lane", "pause", "api"]);
    shop.ok(&["cancel", &id]);
    let waiting = shop.send("api", "later");
    let words = shop.refused(&["lane", "close", "api"]);
    assert!(words.contains(&waiting), "{words}");
    shop.ok(&["queue", "cancel", &waiting]);
    shop.ok(&["lane", "close", "api"]);
}

#[test]
fn a_lane_in_the_base_checkout_takes_nothing_with_it() {
    let shop = Shop::full();
    shop.ok(&["lane", "new", "here", "--here", "--", "sh", "-c", "exec sleep 600"]);
    shop.wait_for("the lane", || {
        let lane = shop.lane("here");
        if lane["state"] == "starting" { Err(lane.to_string()) } else { Ok(()) }
    });
    assert!(shop.lane("here")["branch"].is_null());
    assert_eq!(shop.worktree("here"), shop.bench.repo().canonicalize().unwrap());
    shop.bench.write("scratch.txt", "mine\n");
    shop.ok(&["lane", "close", "here"]);
    assert_eq!(text(shop.bench.repo().join("scratch.txt")), "mine\n");
}
