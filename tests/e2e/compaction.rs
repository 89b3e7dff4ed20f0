//! Long conversations in the real program: notes made in time and on demand, kept over `kill -9`, gone back before.

use paralane::domain::{CompactCause, EntryBody, NotesEntry};
use serde_json::Value;

use crate::model_server::is_for_notes;
use crate::shop::Shop;

const SMALL: &str = "context_window = 16000\n[agent]\nmode = \"full\"\n";

fn notes(shop: &Shop, lane: &str) -> Vec<NotesEntry> {
    let noted = |body| if let EntryBody::Notes(noted) = body { Some(*noted) } else { None };
    shop.entries(lane).into_iter().filter_map(|entry| noted(entry.body)).collect()
}

/// The requests that were not for notes, newest first.
fn requests(shop: &Shop) -> Vec<Value> {
    shop.model.seen().into_iter().rev().map(|seen| seen.body).filter(|body| !is_for_notes(body)).collect()
}

#[track_caller]
fn ask(shop: &Shop, text: &str) -> Value {
    shop.json(&["prompt", "api", "--wait", "--", text])
}

#[test]
fn a_long_conversation_goes_on_from_notes_over_deaths_and_the_transcript_keeps_all() {
    let mut shop = Shop::with(SMALL);
    shop.lanes(&["api"]);
    let long = "word ".repeat(1_000);
    let mut turns = 0;
    while notes(&shop, "api").is_empty() {
        assert!(turns < 12, "it is never compacted");
        assert_eq!(ask(&shop, &format!("TURN-{turns}\n%say {long}"))["state"], "done");
        turns += 1;
    }
    let body = requests(&shop)[0].to_string();
    assert!(body.contains("GOAL-1") && !body.contains("TURN-0"), "{body}");
    assert!(
        shop.entries("api").iter().any(|e| matches!(&e.body, EntryBody::Prompt { text } if text.contains("TURN-0")))
    );
    assert!(shop.notices("api").is_empty(), "nothing was left out: {:?}", shop.notices("api"));
    let layer = |shop: &Shop| {
        let view = shop.json(&["context", "api"]);
        view["layers"].as_array().unwrap().iter().find(|layer| layer["layer"] == "notes").unwrap().clone()
    };
    let running = layer(&shop);
    assert!(running["tokens"].as_u64().unwrap() > 20 && running["on"] == true, "{running}");

    // Also told while nothing runs, and by the next workstation.
    shop.bench.kill_workstation();
    assert_eq!(layer(&shop), running);
    assert_eq!(ask(&shop, "%say after")["result"], "after");
    let body = requests(&shop)[0].to_string();
    assert!(body.contains("GOAL-1") && !body.contains("TURN-0"), "{body}");

    // It dies when the notes of a turn are written and not kept: the old state holds, and a retry makes them anew.
    let before = notes(&shop, "api").len();
    let mut id = String::new();
    shop.die_at("compaction", |shop| {
        for turn in 0..12 {
            let run =
                shop.bench.cli(&["--json", "prompt", "api", "--wait", "--", &format!("MORE-{turn}\n%say {long}")]);
            if run.status != 0 {
                return;
            }
        }
        panic!("it is never compacted again");
    });
    assert_eq!(notes(&shop, "api").len(), before);
    shop.ok(&["up"]);
    for prompt in shop.json(&["queue", "list"])["prompts"].as_array().unwrap() {
        prompt["id"].as_str().unwrap().clone_into(&mut id);
    }
    shop.wait_state(&id, "interrupted");
    shop.ok(&["retry", &id]);
    shop.wait_state(&id, "done");
    let all = notes(&shop, "api");
    assert_eq!((all.len(), all[before].cause), (before + 1, CompactCause::Full));
    assert_eq!(all[before].notes.done, "- written on earlier notes");

    // Going back to before all of it brings the whole conversation back.
    shop.ok(&["rewind", "api", "2", "--conversation"]);
    assert_eq!(ask(&shop, "%say back")["result"], "back");
    let body = requests(&shop)[0].to_string();
    assert!(body.contains("TURN-0") && !body.contains("GOAL-"), "{body}");
}

#[test]
fn a_person_compacts_a_lane_and_a_death_in_the_middle_leaves_the_old_state() {
    let mut shop = Shop::with("[agent]\nmode = \"full\"\n");
    shop.lanes(&["api"]);
    assert!(shop.refused(&["compact", "api"]).contains("nothing to compact"));
    assert_eq!(ask(&shop, "FIRST\n%say one")["result"], "one");
    for point in ["model-reserved", "compaction"] {
        shop.die_at(point, |shop| {
            shop.bench.cli(&["compact", "api"]);
        });
        assert!(notes(&shop, "api").is_empty(), "{point}");
        shop.ok(&["up"]);
        let unsettled = shop.json(&["top"])["total"]["unsettled_calls"].as_u64().unwrap();
        match point {
            // It died before the call was made: that is counted at its most.
            "model-reserved" => assert_eq!(unsettled, 1),
            // The server has counted this one; the death may outrun that the count is kept.
            _ => assert!((1..=2).contains(&unsettled), "{unsettled}"),
        }
    }
    let dead = shop.json(&["top"])["total"]["unsettled_calls"].clone();
    let words = shop.ok(&["compact", "api", "the", "API"]).stdout;
    assert!(words.contains("api is compacted"), "{words}");
    let [noted] = &notes(&shop, "api")[..] else { panic!("one entry") };
    assert_eq!((noted.cause, &noted.without_model), (CompactCause::Asked, &None));
    let asked = shop.model.seen().into_iter().rev().find(|seen| is_for_notes(&seen.body)).unwrap();
    assert!(asked.body.to_string().contains("keep in view: the API"));
    assert!(shop.refused(&["compact", "api"]).contains("nothing to compact"));
    assert_eq!(ask(&shop, "%say two")["result"], "two");
    let body = requests(&shop)[0].to_string();
    assert!(body.contains("GOAL-") && !body.contains("%say one"), "{body}");
    // What was made in peace is counted as the server said.
    assert_eq!(shop.json(&["top"])["total"]["unsettled_calls"], dead);

    // A model that cannot write notes: they are made without it, and that is said.
    ask(&shop, "%notes error 401 9");
    ask(&shop, "%say last");
    let words = shop.ok(&["--json", "compact", "api"]).json();
    assert!(words["done"].as_str().unwrap().contains("without a model"), "{words}");
    let window = shop.bench.window(120, 40);
    window.wait_for_text("compacted").wait_for_text("notes were made without a model");
    window.line("/compact whatever there is");
    window.wait_for_text("nothing to compact");
}

#[test]
fn a_lane_at_work_is_not_compacted_and_a_compaction_can_be_cancelled() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    ask(&shop, "%notes hang");
    let id = shop.send("api", "%hang");
    shop.model.wait_for_requests(2);
    assert!(shop.refused(&["compact", "api"]).contains(&format!("is at work on {id}")));
    shop.ok(&["cancel", &id]);
    // The prompt is cancelled at once, its turn ends a little later.
    shop.wait_for("the turn's end", || {
        let over = shop.entries("api").iter().any(|entry| matches!(entry.body, EntryBody::Cancelled));
        if over { Ok(()) } else { Err("it ends".to_owned()) }
    });
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| shop.bench.cli(&["compact", "api"]));
        shop.model.wait_for_requests(3);
        let next = shop.send("api", "%say next");
        assert_eq!(shop.state(&next), "queued");
        shop.ok(&["cancel", "api"]);
        assert!(asked.join().unwrap().ended_with(1).stderr.contains("cancelled"));
        shop.wait_state(&next, "done");
    });
    assert!(notes(&shop, "api").is_empty());
}
