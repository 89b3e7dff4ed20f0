//! The queue: order, holds, keys, and commands that wait for an end.

use paralane::domain::{Change, Prompt, PromptId, PromptState as S};

use crate::support::Sim;

/// `api` is busy with p1; these prompts stand behind it, in this order.
fn busy(texts: &[&str]) -> Sim {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("mode full");
    sim.prompt("api", "hang:x");
    for text in texts {
        sim.prompt("api", text);
    }
    sim
}

fn order(sim: &Sim) -> Vec<i64> {
    sim.state.model.queue(sim.lane("api").id).iter().map(|p| p.id.0).collect()
}

#[test]
fn prompts_move_within_the_queue_and_to_other_lanes() {
    let mut sim = busy(&["a", "b", "c"]);
    assert_eq!(order(&sim), [1, 2, 3, 4]);
    sim.ok("queue move p4 first");
    assert_eq!(order(&sim), [1, 4, 2, 3]);
    sim.ok("queue move p4 down");
    sim.ok("queue move p3 before p4");
    assert_eq!(order(&sim), [1, 2, 3, 4]);
    sim.ok("queue move p4 --priority high");
    sim.ok("queue move p2 --priority low");
    assert_eq!(order(&sim), [1, 4, 3, 2]);
    sim.refused("queue move p3 before p2");
    sim.refused("queue move p1 first");
    sim.ok("queue move p3 --lane ui");
    assert_eq!((order(&sim), sim.is(3)), (vec![1, 4, 2], S::Done));
    sim.ok("cancel api");
    assert_eq!((sim.is(2), sim.is(4)), (S::Done, S::Done));
}

#[test]
fn a_queued_prompt_is_edited_and_a_begun_one_is_not() {
    let mut sim = busy(&["old"]);
    sim.ok("queue edit p2 new");
    assert_eq!(sim.get(2).text, "new");
    sim.refused("queue edit p1 new");
    sim.refused("queue edit p9 new");
    sim.ok("cancel api");
    let lane = sim.lane("api").id;
    assert!(sim.state.model.entries(lane).any(|e| format!("{:?}", e.body).contains("new")));
}

#[test]
fn a_held_prompt_waits_for_a_time_or_another_prompt() {
    let mut sim = busy(&[]);
    sim.ok("prompt ui --after p1 -- say");
    sim.ok("prompt ui --at +10m -- say");
    sim.refused("prompt ui --after p77 -- say");
    assert_eq!((sim.is(2), sim.is(3), sim.lane_word("ui")), (S::Held, S::Held, "waiting"));
    sim.kill(0);
    sim.run();
    sim.sleep(599);
    assert_eq!(sim.is(3), S::Held);
    sim.sleep(2);
    assert_eq!((sim.is(2), sim.is(3)), (S::Held, S::Done));
    sim.ok("cancel p1");
    assert_eq!(sim.is(2), S::Done);
}

#[test]
fn a_series_goes_on_over_a_crash_until_it_is_cancelled() {
    let mut sim = Sim::with(&["ui"]);
    sim.ok("prompt ui --every 1h -- say");
    assert_eq!((sim.is(1), sim.is(2), sim.lane_word("ui")), (S::Done, S::Held, "done"), "seen first");
    sim.sleep(3599);
    assert_eq!(sim.is(2), S::Held);
    sim.kill(0);
    sim.run();
    sim.sleep(2);
    assert_eq!((sim.is(2), sim.is(3)), (S::Done, S::Held));
    sim.ok("queue edit p3 say");
    sim.ok("cancel p3");
    sim.sleep(7200);
    assert_eq!(sim.state.model.prompts.len(), 3);
}

#[test]
fn a_series_begins_when_it_is_told_to_and_never_heaps_up() {
    let mut sim = Sim::with(&["ui"]);
    sim.ok("prompt ui --at +10m --every 30m -- shell:hang");
    sim.sleep(599);
    assert_eq!(sim.is(1), S::Held);
    sim.sleep(2);
    assert_eq!((sim.is(1), sim.is(2)), (S::Waiting, S::Held));
    // It still stands there when the next one is due, and the one after that.
    sim.sleep(3 * 1800);
    assert_eq!((sim.is(2), sim.state.model.prompts.len()), (S::Held, 2));
    sim.ok("cancel p1");
    sim.sleep(1800);
    assert_eq!((sim.is(2), sim.is(3)), (S::Waiting, S::Held));
}

#[test]
fn the_same_key_is_the_same_prompt() {
    let mut sim = busy(&[]);
    let first = sim.ok("--json prompt api --key k -- say");
    assert_eq!(sim.ok("--json prompt api --key k -- say"), first);
    sim.refused("prompt ui --key k -- say");
    sim.refused("prompt api --key k -- something else");
    assert_eq!(order(&sim), [1, 2]);
}

#[test]
fn a_key_sent_twice_at_once_is_acknowledged_only_when_it_is_kept() {
    let mut sim = busy(&[]);
    let first = sim.say("prompt api --key k -- say");
    let second = sim.say("prompt api --key k -- say");
    assert!(sim.reply(first).is_none() && sim.reply(second).is_none());
    sim.full = 1;
    sim.run();
    assert_eq!((sim.reply(first).unwrap().status, sim.reply(second).unwrap().status), (1, 1));
    assert_eq!(order(&sim), [1]);
}

#[test]
fn broadcast_reaches_every_lane_or_none() {
    let mut sim = busy(&[]);
    let before = sim.state.model.prompts.len();
    sim.ok("broadcast -- say");
    assert_eq!(sim.state.model.prompts.len(), before + 2);
    let like = sim.get(2).clone();
    for n in 0..998 {
        let change = Change::PromptAdded { prompt: Box::new(Prompt { id: PromptId(100 + n), ..like.clone() }) };
        sim.state.model.apply(&change);
        sim.disk.model.apply(&change);
    }
    sim.refused("broadcast -- say");
    sim.refused("prompt api -- say");
}

#[test]
fn a_command_waits_for_the_end_and_no_longer() {
    let mut sim = Sim::with(&["api"]);
    let done = sim.sh("--json prompt api --wait -- say");
    assert!(done.status == 0 && done.output.contains("\"done\""), "{done:?}");
    assert_eq!(sim.sh("prompt api --wait -- fail").status, 1);
    let asked = sim.sh("prompt api --wait --fail-on-approval -- shell:x");
    assert!(asked.error.unwrap().message.contains("waits for approval a1"));
    let id = sim.say("prompt api --wait --timeout 60 -- say");
    sim.run();
    assert!(sim.reply(id).is_none());
    sim.sleep(61);
    assert!(sim.reply(id).unwrap().error.as_ref().unwrap().message.contains("the time given has passed"));
    let id = sim.say("prompt api --wait -- say");
    sim.run();
    sim.ok("cancel p3");
    assert_eq!(sim.reply(id).unwrap().status, 0);
}

#[test]
fn no_lane_starves_and_nothing_is_lost_with_32_lanes() {
    let names: Vec<String> = (1..=32).map(|n| format!("l{n}")).collect();
    let mut sim = Sim::limited(8, &names.iter().map(String::as_str).collect::<Vec<_>>());
    sim.ok("mode full");
    for round in 0..4 {
        for name in &names {
            sim.say(&format!("prompt {name} -- write:{name}.rs shell:{round}"));
        }
    }
    sim.run();
    assert_eq!(sim.state.model.prompts.len(), 128);
    assert!(sim.state.model.prompts.values().all(|p| p.state == S::Done));
    assert_eq!(sim.ran.len(), 256);
}

#[test]
fn equal_prompts_of_one_lane_run_in_their_order() {
    let mut sim = busy(&["shell:a", "shell:b", "shell:c"]);
    sim.ok("prompt api --priority high -- shell:first");
    sim.ok("cancel api");
    assert_eq!(sim.commands()[1..], ["first", "a", "b", "c"]);
    assert!(sim.state.model.prompts.contains_key(&PromptId(5)));
}
