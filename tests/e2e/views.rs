//! The views from a shell: history, watching, `top` on a terminal, measurements in a file, several lanes at once, and
//! the state carried to another place.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;

use crate::shop::Shop;

#[test]
fn history_is_read_with_and_without_a_workstation_and_exported_without_keys() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let prompt = shop.send("api", "%say the key is sk-abcdefghijklmnop1234");
    shop.wait_state(&prompt, "done");
    let words = |shop: &Shop| shop.ok(&["history", "lane", "api"]).stdout;
    assert!(words(&shop).contains(&format!("{prompt} running")), "{}", words(&shop));
    let running = shop.json(&["history", "prompt", &prompt]);
    shop.ok(&["down"]);
    assert_eq!(shop.json(&["history", "prompt", &prompt]), running, "the same from the store");
    assert!(!words(&shop).contains("sk-abc") && words(&shop).contains("[secret]"));
    assert!(shop.refused(&["history", "lane", "apj"]).contains("did you mean `api`"));
    shop.bench.cli(&["history", "lane", "api", "--since", "soon"]).ended_with(2);

    let export = shop.ok(&["events", "export"]).stdout;
    let lines: Vec<serde_json::Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let seqs: Vec<u64> = lines.iter().map(|line| line["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=lines.len() as u64).collect::<Vec<_>>());
    assert!(lines.iter().any(|line| line["kind"] == "prompt-added" && line["lane"] == "api"));
    assert!(!export.contains("sk-abc"));
    let file = shop.bench.path().join("events.jsonl");
    shop.ok(&["events", "export", "--output", file.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(&file).unwrap(), export);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let nowhere = shop.bench.path().join("no/where.jsonl");
    assert!(shop.refused(&["events", "export", "--output", nowhere.to_str().unwrap()]).contains("no/where.jsonl"));
}

#[test]
fn what_happens_is_followed_until_the_person_leaves() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let mut watch = shop.bench.window_with(100, 30, &["watch", "api"]);
    // It follows from its start on: what it shows first is what comes then.
    shop.bench.wait_until("the first line", || {
        shop.ok(&["reserve", "--lane", "api", "src/"]);
        shop.ok(&["release", "--lane", "api"]);
        watch.text().contains("reserved src/")
    });
    watch.send(b"\x03");
    assert_eq!(watch.wait_exit(), 0);

    let mut top = shop.bench.window_with(100, 12, &["top"]);
    top.wait_for_text("q leaves").wait_for_text("idle");
    shop.ok(&["lane", "pause", "api"]);
    top.wait_for_text("paused");
    top.keys("q");
    assert_eq!(top.wait_exit(), 0);
    top.assert_restored();
    shop.bench.cli(&["top", "--sort", "tokns"]).ended_with(2);
}

#[test]
fn measurements_are_written_anew_until_the_end() {
    let shop = Shop::full();
    let file = shop.bench.path().join("m.prom");
    let path = file.to_str().unwrap();
    let mut metrics = shop.bench.window_with(80, 24, &["metrics", "--output", path, "--every", "1s"]);
    shop.bench.wait_until("the first file", || fs::read_to_string(&file).is_ok_and(|text| text.contains("# TYPE")));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    shop.ok(&["lane", "new", "sh", "--here", "--", "cat"]);
    shop.bench.wait_until("the lane", || fs::read_to_string(&file).unwrap().contains("lane=\"sh\""));
    metrics.signal(Signal::TERM);
    assert_eq!(metrics.wait_exit(), 0);
    shop.bench.cli(&["metrics", "--every", "5s"]).ended_with(2);
}

#[test]
fn several_lanes_are_held_after_one_question() {
    let shop = Shop::full();
    shop.lanes(&["api", "ui"]);
    let refused = shop.refused(&["lane", "pause", "--all"]);
    assert!(refused.contains("nothing is done: pause 2 lanes: api, ui") && refused.contains("--yes"), "{refused}");
    let done = shop.json(&["lane", "pause", "--all", "--yes"]);
    assert_eq!(done["lanes"][1]["done"], true, "{done}");
    assert!(shop.refused(&["lane", "pause", "--idle", "--yes"]).contains("no lane fits"));
    let mut asked = shop.bench.window_with(100, 12, &["lane", "close", "--state", "paused"]);
    asked.wait_for_text("close 2 lanes: api, ui").send(b"y\r");
    assert_eq!(asked.wait_exit(), 0);
    assert_eq!(shop.json(&["lane", "list"])["lanes"].as_array().unwrap().len(), 0);
}

#[test]
fn the_state_goes_to_another_place_and_works_there() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let prompt = shop.send("api", "%say hi");
    shop.wait_state(&prompt, "done");
    let file = shop.bench.path().join("shop.tar");
    let file = file.to_str().unwrap().to_owned();
    // Beside the running workstation.
    shop.ok(&["state", "export", &file]);
    assert!(shop.ok(&["state", "show", &file]).stdout.contains("schema"));
    assert!(shop.refused(&["state", "import", &file]).contains("a workstation runs"));
    shop.ok(&["down"]);
    assert!(shop.refused(&["state", "import", &file]).contains("has state already"));
    let why = shop.refused(&["state", "import", "--merge", &file]);
    assert!(why.contains("cannot be merged") && why.contains("the same ids"), "{why}");
    let nowhere = shop.refused(&["state", "export", "/no/such/place/x.tar"]);
    assert!(nowhere.contains("`/no/such/place/x.tar`") && !nowhere.contains(".paralane-"), "{nowhere}");
    let home = shop.bench.path().join("h2");
    let home = home.to_str().unwrap();
    shop.ok(&["--home", home, "state", "import", &file]);
    let list = shop.bench.cli(&["--json", "--home", home, "queue", "list", "--all"]).ended_with(0).json();
    assert_eq!((&list["prompts"][0]["id"], &list["prompts"][0]["state"]), (&prompt.into(), &"done".into()));
    let lane = shop.bench.cli(&["--json", "--home", home, "lane", "show", "api"]).ended_with(0).json();
    assert!(lane["worktree"].as_str().unwrap().starts_with(home), "{lane}");
    fs::write(shop.bench.path().join("bad.tar"), "no tar").unwrap();
    let bad = shop.bench.path().join("bad.tar");
    assert!(shop.refused(&["state", "show", bad.to_str().unwrap()]).contains("no file of Paralane's state"));
}

#[test]
fn doctor_tells_what_is_wrong_with_a_store() {
    let shop = Shop::full();
    let checks = shop.json(&["doctor"])["checks"].clone();
    let state = |what: &str| {
        let all = checks.as_array().unwrap();
        all.iter().find(|check| check["check"] == what).unwrap_or_else(|| panic!("no {what}: {checks}"))["state"]
            .clone()
    };
    for what in ["version", "git", "store", "socket"] {
        assert_eq!(state(what), "ok", "{what}: {checks}");
    }
    fs::create_dir_all(shop.bench.place().store().parent().unwrap()).unwrap();
    fs::write(shop.bench.place().store(), "no database").unwrap();
    let told = shop.bench.cli(&["doctor"]).ended_with(1).stdout;
    assert!(told.contains("✗ store") && told.contains("damaged"), "{told}");
}
