//! Tools of own agents as a person meets them: questions, children, jobs, lists, commits.

use serde_json::json;

use crate::shop::{Shop, alive, text};
use crate::support::Bench;

fn call(tool: &str, arguments: serde_json::Value) -> String {
    format!("%call {tool} {arguments}")
}

fn question() -> String {
    call("ask", json!({"question": "Which database?", "choices": ["sqlite", "postgres"]}))
}

#[test]
fn a_question_waits_for_an_answer_by_number_or_in_words() {
    // Not even a mode that allows everything answers it.
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let id = shop.send("api", &format!("{}\n%say thanks", question()));
    let asked = shop.wait_approvals(1).remove(0);
    assert_eq!((asked["tool"].as_str(), asked["action"].as_str()), (Some("ask"), Some("Which database?")));
    assert_eq!(asked["choices"], json!(["sqlite", "postgres"]));
    let words = shop.refused(&["approve", "a1"]);
    assert!(words.contains("needs an answer") && words.contains("1 sqlite · 2 postgres"), "{words}");
    shop.ok(&["approve", "a1", "--answer", "2"]);
    shop.wait_state(&id, "done");
    assert_eq!(shop.results("api"), ["The person answered: postgres"]);
    // It survives the end of the workstation.
    let id = shop.send("api", &question());
    let asked = shop.wait_approval();
    shop.bench.kill_workstation();
    shop.ok(&["up"]);
    assert_eq!(shop.wait_approval(), asked);
    shop.ok(&["approve", &asked, "--answer", "neither; use a file"]);
    shop.wait_state(&id, "done");
    assert_eq!(shop.results("api")[1], "The person answered: neither; use a file");
    let id = shop.send("api", &question());
    let asked = shop.wait_approval();
    shop.ok(&["deny", &asked, "--reason", "decide yourself"]);
    shop.wait_state(&id, "done");
    assert!(shop.results("api")[2].contains("decide yourself"));
    let id = shop.send("api", "%write x.txt x");
    shop.wait_state(&id, "done");
}

#[test]
fn a_question_is_answered_in_the_window() {
    let shop = Shop::new();
    shop.lanes(&["api"]);
    let window = shop.bench.window(120, 40);
    let id = shop.send("api", &question());
    window.wait_for_text("y answer").wait_for_text("2  postgres");
    // The question must have stood there for a moment before a key counts.
    shop.bench.wait_until("the dialog", || {
        window.keys("<A-y>");
        window.text().contains("answer a1: a number, or your own words")
    });
    window.keys("2<Enter>");
    shop.wait_state(&id, "done");
    window.wait_for_text("The person answered: postgres");
}

#[test]
fn a_childs_steps_stand_below_its_call_and_its_writes_ask() {
    let shop = Shop::new();
    shop.lanes(&["api"]);
    let window = shop.bench.window(120, 40);
    let task = json!({"task": "%read README.md\n%write made.txt by the child\n%say made it", "change": true});
    let id = shop.send("api", &call("spawn", task));
    let asked = shop.wait_approvals(1).remove(0);
    assert_eq!((asked["tool"].as_str(), asked["action"].as_str()), (Some("write"), Some("made.txt")));
    window.wait_for_text("↳ read README.md · ").wait_for_text("needs you · a1");
    shop.ok(&["approve", "a1"]);
    shop.wait_state(&id, "done");
    window.wait_for_text("↳ write made.txt · +1 −0").wait_for_text("3 steps");
    assert_eq!(shop.results("api"), ["made it"]);
    assert_eq!(text(shop.worktree("api").join("made.txt")), "by the child");
}

#[test]
fn a_child_that_a_crash_cut_is_not_run_again_and_asks_nothing_any_more() {
    let shop = Shop::new();
    shop.lanes(&["api"]);
    let task = json!({"task": "%sh echo once >> ran\n%sh echo twice >> ran", "change": true});
    let id = shop.send("api", &format!("{}\n%say over", call("spawn", task)));
    let first = shop.wait_approval();
    shop.ok(&["approve", &first]);
    shop.wait_file(&shop.worktree("api").join("ran"), |ran| ran == "once\n");
    shop.wait_approval();
    shop.bench.kill_workstation();
    shop.ok(&["up"]);
    shop.wait_state(&id, "interrupted");
    shop.wait_approvals(0);
    shop.ok(&["retry", &id]);
    shop.wait_state(&id, "done");
    assert_eq!(text(shop.worktree("api").join("ran")), "once\n");
    assert!(shop.results("api")[0].contains("interrupted by a crash"), "{:?}", shop.results("api"));
}

#[test]
fn a_job_outlives_turn_and_cancel_and_ends_with_its_lane() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let command = json!({"command": "echo $$ > .git-pid; echo listening; exec sleep 1000", "background": true});
    let started = shop.send("api", &call("shell", command));
    shop.wait_state(&started, "done");
    let window = shop.bench.window(120, 40);
    window.wait_for_text("1 job");
    let worktree = shop.worktree("api");
    let pid = shop.wait_file(&worktree.join(".git-pid"), |pid| pid.ends_with('\n'));
    let hangs = shop.send("api", "%hang");
    shop.wait_state(&hangs, "running");
    shop.ok(&["cancel", &hangs]);
    let read = shop.send("api", &call("jobs", json!({"do": "list"})));
    shop.wait_state(&read, "done");
    assert!(shop.results("api").last().unwrap().starts_with("j1  running"), "{:?}", shop.results("api"));
    assert!(alive(&pid));
    std::fs::remove_file(worktree.join(".git-pid")).unwrap();
    shop.ok(&["lane", "close", "api"]);
    shop.wait_for("the job's end", || if alive(&pid) { Err(pid.clone()) } else { Ok(()) });
    assert!(!worktree.exists());
}

#[test]
fn the_list_of_what_is_to_be_done_is_seen_and_kept() {
    let shop = Shop::new();
    shop.lanes(&["api"]);
    let window = shop.bench.window(120, 40);
    let items = json!([
        {"text": "look at the router", "state": "done"},
        {"text": "add the limiter\u{1b}[31m", "state": "active"},
        {"text": "test it", "state": "open"},
    ]);
    let id = shop.send("api", &call("todo", json!({ "items": items })));
    shop.wait_state(&id, "done");
    window.wait_for_text("✓ look at the router").wait_for_text("▸ add the limiter^[[31m").wait_for_text("○ test it");
    shop.bench.kill_workstation();
    let again = shop.bench.window(120, 40);
    again.wait_for_text("✓ look at the router").wait_for_text("1 of 3 done");
}

#[test]
fn a_commit_shows_what_it_takes_before_it_is_made() {
    let shop = Shop::with("[agent]\nmode = \"auto-edit\"\n");
    shop.lanes(&["api"]);
    let script = format!(
        "%write src/new.rs fn new() {{}}\n{}\n{}\n%say committed",
        call("git_commit", json!({"message": "Add new; $(touch hacked)"})),
        call("git_log", json!({"count": 1})),
    );
    let id = shop.send("api", &script);
    let asked = shop.wait_approvals(1).remove(0);
    assert_eq!(
        (asked["tool"].as_str(), asked["action"].as_str()),
        (Some("git_commit"), Some("Add new; $(touch hacked)"))
    );
    let window = shop.bench.window(120, 40);
    window.wait_for_text("+fn new() {}");
    shop.ok(&["approve", "a1"]);
    shop.wait_state(&id, "done");
    let results = shop.results("api");
    assert!(results[1].contains("Add new; $(touch hacked)") && results[1].contains("1 file changed"), "{results:?}");
    assert!(results[2].contains("Add new"), "{results:?}");
    let worktree = shop.worktree("api");
    assert_eq!(shop.bench.git_in(&worktree, &["status", "--short"]), "");
    assert!(!worktree.join("hacked").exists());
}

#[test]
fn a_commit_in_the_step_of_its_changes_shows_them_and_what_changed_meanwhile_is_not_committed() {
    let shop = Shop::with("[agent]\nmode = \"auto-edit\"\n");
    shop.lanes(&["api"]);
    let commit = call("git_commit", json!({"message": "Both"}));
    let id = shop.send("api", &format!("%write one.txt one\n{}\n{commit}", commit.replacen('%', "%+", 1)));
    let asked = shop.wait_approval();
    let window = shop.bench.window(120, 40);
    window.wait_for_text("+one");
    std::fs::write(shop.worktree("api").join("two.txt"), "by hand").unwrap();
    shop.ok(&["approve", &asked]);
    let again = shop.wait_approval();
    assert!(shop.results("api")[1].contains("changed since the person was shown it"), "{:?}", shop.results("api"));
    window.wait_for_text("a/two.txt");
    shop.ok(&["approve", &again]);
    shop.wait_state(&id, "done");
    assert!(shop.results("api")[2].contains("2 files changed"), "{:?}", shop.results("api"));
}

#[test]
fn pages_are_fetched_from_listed_hosts_and_private_ones_are_refused() {
    let pages = crate::model_server::ModelServer::start();
    let server = pages.address().to_string();
    let shop = Shop::on(Bench::new(), &format!("[web]\nallow = [\"{server}\"]\nprivate = [\"{server}\"]\n"));
    shop.lanes(&["api"]);
    let listed = call("fetch", json!({"url": format!("http://{server}/v1/models")}));
    let id = shop.send("api", &listed);
    shop.wait_state(&id, "done");
    assert!(shop.results("api")[0].contains("scripted"), "{:?}", shop.results("api"));
    // Another port is another server: it asks, and is refused all the same.
    let own = shop.model.address().to_string();
    let id = shop.send("api", &call("fetch", json!({"url": format!("http://{own}/v1/models")})));
    let asked = shop.wait_approval();
    shop.ok(&["approve", &asked]);
    shop.wait_state(&id, "done");
    assert!(shop.results("api")[1].contains("not on the public internet"), "{:?}", shop.results("api"));
}
