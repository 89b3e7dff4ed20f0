//! Going back and forking, with real files.

use serde_json::json;

use crate::shop::{Shop, text};

#[test]
fn files_and_conversation_go_back_and_a_fork_goes_on_from_there() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let dir = shop.worktree("api");
    for prompt in ["%write made.txt one", "%write made.txt two\n%write README.md changed", "%write more.txt x"] {
        let id = shop.send("api", prompt);
        shop.wait_state(&id, "done");
    }
    let list = shop.json(&["rewind", "api"]);
    let all: Vec<_> = list["checkpoints"].as_array().unwrap().iter().map(|c| c["number"].clone()).collect();
    assert_eq!(json!(all), json!([3, 2, 1]));
    let readme = text(shop.bench.repo().join("README.md"));

    shop.ok(&["rewind", "api", "2"]);
    assert_eq!((text(dir.join("made.txt")), text(dir.join("README.md"))), ("one".to_owned(), readme));
    assert!(!dir.join("more.txt").exists());
    let undo = shop.json(&["rewind", "api"])["checkpoints"][0]["number"].to_string();
    shop.ok(&["rewind", "api", &undo]);
    assert_eq!((text(dir.join("made.txt")), text(dir.join("more.txt"))), ("two".to_owned(), "x".to_owned()));

    // It holds after the end of the workstation.
    shop.bench.kill_workstation();
    shop.ok(&["lane", "fork", "api", "other", "--at", "3"]);
    let other = shop.worktree("other");
    shop.bench.wait_until("the fork's files", || other.join("made.txt").exists());
    let id = shop.send("other", "%write own.txt y");
    shop.wait_state(&id, "done");
    assert_eq!((text(other.join("made.txt")), text(other.join("README.md"))), ("two".to_owned(), "changed".to_owned()));
    assert!(!other.join("more.txt").exists() && !dir.join("own.txt").exists());
    assert_eq!(shop.bench.git_in(&other, &["symbolic-ref", "--short", "HEAD"]).trim(), "lane/other");
    let refs = shop.bench.git(&["for-each-ref", "--format=%(refname)", "refs/paralane"]);
    assert!(refs.contains("/l2/1"), "{refs}");
    shop.lanes(&["short"]);
    let id = shop.send("short", "%say hello");
    shop.wait_state(&id, "done");
    let refs = || shop.bench.git(&["for-each-ref", "--format=%(refname)", "refs/paralane/checkpoints/l3"]);
    assert_eq!(refs().lines().count(), 1);
    shop.ok(&["lane", "close", "short"]);
    shop.bench.wait_until("the closed lane's checkpoints to go", || refs().is_empty());
}

#[test]
fn a_checkpoint_is_chosen_from_a_list_in_the_window() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let window = shop.bench.window(120, 40);
    let id = shop.send("api", "%write made.txt one");
    shop.wait_state(&id, "done");
    window.keys("/rewind<Enter>");
    window.wait_for_text("rewind api to before").wait_for_text("conversation and files");
    window.keys("<Enter>");
    window.wait_for_text("↶ the conversation goes on from checkpoint 1");
    let dir = shop.worktree("api");
    shop.bench.wait_until("the file to go", || !dir.join("made.txt").exists());
}

#[test]
fn a_rewind_that_a_crash_cut_is_told_and_can_go_on_or_be_undone() {
    let mut shop = Shop::full();
    shop.lanes(&["api"]);
    let dir = shop.worktree("api");
    for prompt in ["%write made.txt one", "%write made.txt two"] {
        let id = shop.send("api", prompt);
        shop.wait_state(&id, "done");
    }
    shop.die_at("rewind-before-index", |shop| {
        shop.bench.cli(&["rewind", "api", "2"]);
    });
    let window = shop.bench.window(120, 40);
    window.wait_for_text("! interrupted: the workstation ended while files");
    let problems = shop.problems();
    assert!(problems.contains("`/rewind 2` goes on, `/rewind 3` undoes it"), "{problems}");
    shop.ok(&["rewind", "api", "3", "--files"]);
    assert_eq!(text(dir.join("made.txt")), "two");
    shop.ok(&["rewind", "api", "2"]);
    assert_eq!(text(dir.join("made.txt")), "one");
}
