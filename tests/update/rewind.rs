//! Going back: checkpoints, rewinds of conversation and files, forks.

use paralane::domain::{EntryBody, LaneStage, PromptState as S};
use serde_json::Value;

use crate::support::Sim;

/// What a lane's model would be told of, and what was left behind is not.
fn told(sim: &Sim, lane: &str) -> Vec<String> {
    let id = sim.lane(lane).id;
    let words = |body: &EntryBody| match body {
        EntryBody::Prompt { text } => Some(format!("> {text}")),
        EntryBody::Call { action, .. } => Some(format!("call {action}")),
        _ => None,
    };
    let model = &sim.state.model;
    model.entries(id).filter(|e| !model.is_left_behind(id, e.seq)).filter_map(|e| words(&e.body)).collect()
}

fn numbers(sim: &Sim, lane: &str) -> Vec<u64> {
    sim.state.model.checkpoints(sim.lane(lane).id).map(|c| c.number).collect()
}

fn three() -> Sim {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("mode full");
    for text in ["one", "shell:two", "three"] {
        let id = sim.prompt("api", text);
        assert_eq!(sim.is(id), S::Done);
    }
    sim
}

#[test]
fn each_turn_begins_with_a_checkpoint_and_they_are_listed() {
    let mut sim = three();
    let lane = sim.lane("api").id;
    let seen: Vec<_> = sim.state.model.checkpoints(lane).map(|c| (c.number, c.prompt.map(|p| p.0), c.seq)).collect();
    assert_eq!((seen[0], seen[1].1, seen[2].1), ((1, Some(1), 0), Some(2), Some(3)));
    let list: Value = serde_json::from_str(&sim.ok("--json rewind api")).unwrap();
    assert_eq!(list["checkpoints"][0]["number"], 3);
    assert_eq!(list["checkpoints"][0]["before"], "three");
    assert!(sim.ok("rewind ui").contains("no checkpoint"));
}

#[test]
fn a_rewound_conversation_goes_on_from_there_and_can_come_back() {
    let mut sim = three();
    let words = sim.ok("rewind api 2 --conversation");
    assert!(words.contains("`rewind 4` undoes it"), "{words}");
    assert_eq!(told(&sim, "api"), ["> one"]);
    let id = sim.prompt("api", "another");
    assert_eq!(sim.is(id), S::Done);
    assert_eq!(told(&sim, "api"), ["> one", "> another"]);
    // The transcript is all there.
    let lane = sim.lane("api").id;
    assert!(sim.state.model.entries(lane).any(|e| format!("{:?}", e.body).contains("three")));
    sim.ok("rewind api 4 --both");
    assert_eq!(told(&sim, "api"), ["> one", "> shell:two", "call two", "> three"]);
    sim.kill(usize::MAX);
    assert_eq!(told(&sim, "api"), ["> one", "> shell:two", "call two", "> three"]);
}

#[test]
fn files_alone_leave_the_conversation() {
    let mut sim = three();
    let words = sim.ok("rewind api 1 --files");
    assert!(words.contains("checkpoint 1: 2 written, 1 removed; `rewind 4` undoes it"), "{words}");
    assert_eq!(told(&sim, "api").len(), 4);
    assert_eq!(numbers(&sim, "api"), [1, 2, 3, 4]);
}

#[test]
fn what_cannot_be_rewound_is_refused_and_changes_nothing() {
    let mut sim = three();
    assert!(sim.refused("rewind api 9").message.contains("no checkpoint 9"));
    let id = sim.prompt("api", "hang:x");
    let report = sim.refused("rewind api 2");
    assert!(report.message.contains("is at work on p4"), "{report}");
    assert!(sim.is(id).active());
    sim.ok("cancel api");
    // What stands there cannot be kept, so nothing is overwritten.
    let lane = sim.lane("api").id;
    sim.dirty.insert(lane);
    let before = told(&sim, "api");
    let report = sim.refused("rewind api 2");
    assert!(report.message.contains("nothing was brought back") && report.message.contains("disk is full"), "{report}");
    assert_eq!(told(&sim, "api"), before);
    // The lane works on.
    let id = sim.prompt("api", "more");
    assert_eq!(sim.is(id), S::Done);
}

#[test]
fn only_the_newest_checkpoints_are_kept_and_they_go_with_the_lane() {
    let mut sim = Sim::with(&["api"]);
    for _ in 0..53 {
        sim.prompt("api", "again");
    }
    let kept = numbers(&sim, "api");
    assert_eq!((kept.len(), kept.first(), kept.last()), (50, Some(&4), Some(&53)));
    let lane = sim.lane("api").id;
    sim.ok("lane close api");
    assert_eq!(sim.state.model.checkpoints(lane).count(), 0);
}

#[test]
fn a_fork_begins_with_the_files_and_the_conversation_of_then() {
    let mut sim = three();
    sim.ok("lane fork api other --at 2");
    assert_eq!(told(&sim, "other"), ["> one"]);
    assert_eq!(numbers(&sim, "other"), [1]);
    let lane = sim.lane("other").clone();
    assert_eq!((lane.stage, lane.place.branch.as_deref()), (LaneStage::Open, Some("lane/other")));
    assert_eq!(lane.place.base.sha, "b".repeat(40));
    // As it stands now, and of what was rewound only what counts.
    sim.ok("rewind api 2 --conversation");
    sim.ok("lane fork api now");
    assert_eq!(told(&sim, "now"), ["> one"]);
    let id = sim.prompt("now", "go on");
    assert_eq!(sim.is(id), S::Done);
    assert_eq!(told(&sim, "api"), ["> one"], "the other lane is as it was");
    assert!(sim.refused("lane fork api other").message.contains("already a lane"));
    sim.refused("lane fork api x --at 99");
}
