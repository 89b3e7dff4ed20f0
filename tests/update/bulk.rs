//! The same for several lanes: which are meant, what is shown, and that nothing happens before somebody agrees.

use paralane::app::window::{Confirm, Overlay};
use serde_json::Value;

use crate::support::Sim;

fn plan(sim: &mut Sim, line: &str) -> (Vec<String>, u8) {
    let reply = sim.sh(&format!("--json {line}"));
    let document: Value = serde_json::from_str(&reply.output).unwrap();
    (serde_json::from_value(document["plan"]["lanes"].clone()).unwrap(), reply.status)
}

fn words(sim: &Sim, lanes: &[&str]) -> Vec<&'static str> {
    lanes.iter().map(|lane| sim.lane_word(lane)).collect()
}

#[test]
fn lanes_are_chosen_by_what_they_are_like() {
    let mut sim = Sim::with(&["api", "ui", "web"]);
    sim.prompt("api", "fail");
    sim.prompt("ui", "shell:make");
    assert_eq!(plan(&mut sim, "lane pause --all").0, ["api", "ui", "web"]);
    assert_eq!(plan(&mut sim, "lane pause --outcome failed").0, ["api"]);
    assert_eq!(plan(&mut sim, "lane pause --outcome none").0, ["ui", "web"]);
    assert_eq!(plan(&mut sim, "lane pause --state needs-you").0, ["ui"]);
    assert_eq!(plan(&mut sim, "lane pause --idle").0, ["web"]);
    assert_eq!(plan(&mut sim, "lane pause --provider local --outcome none").0, ["ui", "web"]);
    assert_eq!(plan(&mut sim, "lane pause --drifted"), (vec![], 1), "none fits: status 1");
    assert_eq!(plan(&mut sim, "lane pause --over-budget").0, [""; 0]);
    sim.ok("budget set --tokens 10 --lane web");
    sim.prompt("web", "spend:5");
    assert_eq!(plan(&mut sim, "lane stop --over-budget").0, [""; 0]);
    assert_eq!(words(&sim, &["api", "ui"]), ["failed", "needs you"], "a plan does nothing");
}

#[test]
fn lanes_to_which_it_cannot_be_done_are_skipped_and_named() {
    let mut sim = Sim::with(&["api", "ui", "web"]);
    sim.ok("lane stop ui");
    assert_eq!(plan(&mut sim, "lane pause --all"), (vec!["api".to_owned(), "web".to_owned()], 0));
    assert!(sim.ok("lane pause --all").contains("pause 2 lanes: api, web (skipped: ui is ended)"));
    let reply = sim.sh("lane resume --all");
    assert_eq!(reply.status, 1, "none is paused");
    assert!(reply.output.contains("nothing to resume: api is idle, ui is ended, web is idle"), "{reply:?}");
}

#[test]
fn a_lane_and_a_choice_do_not_go_together() {
    let mut sim = Sim::with(&["api"]);
    for line in ["lane pause", "lane pause api --all", "lane pause --all --idle", "lane pause api --yes"] {
        let arguments: Vec<_> = line.split_whitespace().map(Into::into).collect();
        let refused = paralane::command::parse_args(&arguments, None).unwrap_err();
        assert_eq!(refused.exit_status(), 2, "{line}: {refused}");
    }
    let unknown = sim.refused("lane pause --provider locl");
    assert!(unknown.hints[0].contains("`local`"), "{unknown}");
}

#[test]
fn a_window_asks_once_and_does_exactly_what_it_has_shown() {
    let mut sim = Sim::with(&["api", "ui"]);
    let window = sim.window();
    sim.type_line(window, "/lane pause --all");
    assert_eq!(words(&sim, &["api", "ui"]), ["idle", "idle"]);
    let shown = match &sim.state.windows[&window].overlay {
        Some(Overlay::Confirm(Confirm::Bulk(plan))) => plan.words(),
        other => panic!("no question: {other:?}"),
    };
    assert_eq!(shown, "pause 2 lanes: api, ui");
    // A lane that came after the question is not meant.
    sim.ok("lane new late");
    sim.enter(window);
    assert_eq!(words(&sim, &["api", "ui", "late"]), ["paused", "paused", "idle"]);
    sim.type_line(window, "/lane resume --state paused --yes");
    assert_eq!(words(&sim, &["api", "ui"]), ["idle", "idle"]);
    sim.type_line(window, "/broadcast --idle -- say");
    assert_eq!(sim.state.model.prompts.len(), 0);
    sim.enter(window);
    assert_eq!(sim.state.model.prompts.len(), 3);
}
