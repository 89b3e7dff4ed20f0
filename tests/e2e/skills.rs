//! Skills in the real program: listed, loaded by the model, given by the person.

use std::fs;

use serde_json::{Value, json};

use crate::shop::Shop;

const RELEASE: &str =
    "---\nname: release\ndescription: How we release\nallowed-tools: [shell]\n---\nTag it, then push.\n";

#[test]
fn a_lanes_skills_are_listed_loaded_and_used() {
    let shop = Shop::full();
    shop.bench.write(".paralane/skills/release/SKILL.md", RELEASE);
    shop.bench.write(".paralane/skills/broken/SKILL.md", "---\nname: broken\ndescription: [\n---\nx\n");
    shop.bench.write(".claude/skills/review/SKILL.md", "---\ndescription: How we review\n---\nLook twice.\n");
    shop.bench.commit("Skills");
    let own = shop.bench.config_file().with_file_name("skills/mine");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("SKILL.md"), "---\ndescription: My own way\n---\nAs ever.\n").unwrap();
    // Also while nothing runs.
    let listed = shop.json(&["skill", "list"]);
    let names: Vec<&str> = listed["skills"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["mine", "release", "review"]);
    assert_eq!(listed["skills"][1]["tools"], json!(["shell"]));
    let fault = &listed["faults"][0];
    assert_eq!(fault["file"], ".paralane/skills/broken/SKILL.md");
    assert!(fault["line"].is_u64() && fault["message"].as_str().unwrap().contains("YAML"), "{fault}");

    shop.lanes(&["api"]);
    let text = shop.ok(&["skill", "list", "--lane", "api"]).stdout;
    for words in ["How we release", "project .paralane/skills/release/SKILL.md", "Not used:", "broken/SKILL.md line "] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let id = shop.send("api", "%call skill {\"name\":\"release\"}\n%say fine");
    shop.wait_state(&id, "done");
    assert!(shop.results("api")[0].ends_with("Tag it, then push."), "{:?}", shop.results("api"));
    let system = |number: usize| {
        let seen = shop.model.seen();
        seen[number].body["messages"][0]["content"].as_str().unwrap().to_owned()
    };
    assert!(system(0).contains("- mine: My own way\n- release: How we release\n") && !system(0).contains("Tag it"));

    // Given by the person: the prompt holds it.
    let sent = shop.json(&["skill", "release", "--lane", "api", "--", "%say", "cut", "1.2.0"]);
    shop.wait_state(sent["id"].as_str().unwrap(), "done");
    let last = shop.model.seen().pop().unwrap().body["messages"].as_array().unwrap().last().cloned().unwrap();
    assert_eq!(last["content"], "%say cut 1.2.0\n\nGo by the skill `release`:\n\nTag it, then push.");

    // The layer weighs something, and can be left out.
    let context = shop.json(&["context", "api"]);
    let layer = context["layers"].as_array().unwrap().iter().find(|layer| layer["layer"] == "skills").unwrap().clone();
    assert!(layer["tokens"].as_u64().unwrap() > 10 && layer["parts"].as_array().unwrap().len() == 3, "{layer}");
    shop.ok(&["context", "off", "skills", "--lane", "api"]);
    let id = shop.send("api", "%say fine");
    shop.wait_state(&id, "done");
    assert!(!system(shop.model.seen().len() - 1).contains("How we release"));

    let words = shop.refused(&["skill", "relaese", "--lane", "api"]);
    assert!(words.contains("did you mean `release`"), "{words}");
    let usage = shop.bench.cli(&["skill", "release"]);
    assert!(usage.status == 2 && usage.stderr.contains("--lane"), "{usage:?}");
}

#[test]
fn a_skill_is_used_in_the_window() {
    let shop = Shop::full();
    shop.bench.write(".paralane/skills/release/SKILL.md", RELEASE);
    shop.bench.commit("Skills");
    shop.lanes(&["api"]);
    let window = shop.bench.window(120, 40);
    window.wait_for_text("Nothing was said in api yet");
    window.line("/skill list");
    window.wait_for_text("How we release");
    window.keys("<Esc>");
    shop.bench.wait_until("the list to close", || !window.text().contains("How we release"));
    window.line("/skill release cut 1.2.0");
    window.wait_for_text("› cut 1.2.0").wait_for_text("Tag it, then push.");
    let prompts: Value = shop.json(&["queue", "list", "--all"]);
    assert_eq!(prompts["prompts"].as_array().unwrap().len(), 1, "{prompts}");
}
