//! Lanes: made, closed, restored, renamed, stopped; programs in panes.

use paralane::app::{LaneMsg, Msg, PaneMsg};
use paralane::domain::{LaneStage, Layer, LayersOff, PromptId, PromptState as S};

use crate::support::Sim;

#[test]
fn a_lane_that_cannot_be_made_whole_is_not_made() {
    let mut sim = Sim::with(&["api"]);
    sim.refused("lane new api");
    sim.refused("lane new ui --provider nobody");
    assert_eq!(sim.state.model.lanes.len(), 1);
    sim.ok("lane new ui --prompt say");
    assert_eq!(sim.is(1), S::Done);
}

#[test]
fn prompts_queue_while_the_worktree_is_made() {
    let mut sim = Sim::with(&[]);
    sim.say("lane new api");
    sim.say("prompt api -- say");
    assert_eq!(sim.lane("api").stage, LaneStage::Creating);
    for kept in 0..3 {
        sim.kill(2 - kept.min(2));
        if kept == 0 {
            assert_eq!(sim.lane("api").stage, LaneStage::Creating, "the decision is in the store");
        }
    }
    sim.run();
    assert_eq!(sim.is(1), S::Done);
}

#[test]
fn a_layer_that_is_switched_off_stays_off() {
    let mut sim = Sim::with(&["api", "ui"]);
    let lanes = (sim.lane("api").id, sim.lane("ui").id);
    sim.ok("context off turns --lane api");
    sim.ok("context off rules --lane api");
    sim.ok("context on rules --lane api");
    assert!(sim.ok("context on rules --lane api").contains("already"));
    assert!(sim.refused("context off rules --lane nobody").message.contains("nobody"));
    sim.kill(0);
    sim.run();
    assert_eq!(sim.state.model.layers_off(lanes.0), LayersOff::from([Layer::Turns]));
    assert!(sim.state.model.layers_off(lanes.1).is_empty());
    sim.ok("lane new sh -- cat");
    assert!(sim.refused("context off rules --lane sh").message.contains("runs a program"));
}

#[test]
fn closing_is_refused_while_anything_waits_or_would_be_lost() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.prompt("api", "shell:x");
    assert!(sim.refused("lane close api").message.contains("at work on p1"));
    sim.ok("lane pause api");
    assert!(sim.refused("lane close api").message.contains("have not run: p1"));
    sim.ok("cancel api");
    let id = sim.lane("api").id;
    sim.dirty.insert(id);
    assert!(sim.refused("lane close api").message.contains("uncommitted"));
    sim.dirty.clear();
    sim.ok("lane close api");
    assert_eq!(sim.lane("api").stage, LaneStage::Closed);
    sim.refused("lane close api");
    sim.refused("retry p1");
}

#[test]
fn a_lane_that_is_being_closed_takes_nothing_more() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.prompt("api", "fail");
    let close = sim.say("lane close api");
    let prompt = sim.say("prompt api -- say");
    let retry = sim.say("retry p1");
    let again = sim.say("lane close api");
    let all = sim.say("broadcast -- say");
    sim.run();
    let statuses = [close, prompt, retry, again, all].map(|id| sim.reply(id).unwrap().status);
    assert_eq!(statuses, [0, 1, 1, 1, 0]);
    assert_eq!(sim.state.model.prompts.len(), 2);
    assert!(sim.state.model.prompts.values().all(|p| p.state.ended()));
}

#[test]
fn a_close_that_was_not_kept_is_told_again_and_loses_no_prompt() {
    let mut sim = Sim::with(&["api"]);
    let close = sim.say("lane close api");
    sim.ack();
    sim.deliver();
    sim.full = 1;
    sim.run();
    assert_eq!(sim.reply(close).unwrap().status, 1);
    sim.refused("prompt api -- say");
    sim.sleep(3);
    assert_eq!(sim.lane("api").stage, LaneStage::Closed);
}

#[test]
fn a_lane_whose_cancel_was_not_kept_is_not_closed() {
    let mut sim = Sim::with(&["api"]);
    sim.prompt("api", "shell:x");
    let cancel = sim.say("cancel api");
    let close = sim.say("lane close api");
    sim.full = 1;
    sim.run();
    assert_eq!((sim.reply(cancel).unwrap().status, sim.reply(close).unwrap().status), (1, 1));
    assert_eq!((sim.lane("api").stage, sim.is(1)), (LaneStage::Open, S::Waiting));
    sim.ok("cancel api");
    sim.ok("lane close api");
}

#[test]
fn closing_a_lane_that_is_being_made_and_may_not_close_lets_it_be_made() {
    let mut sim = Sim::with(&[]);
    sim.say("lane new api");
    sim.ack();
    let id = sim.lane("api").id;
    sim.dirty.insert(id);
    let close = sim.say("lane close api");
    sim.run();
    assert_eq!((sim.reply(close).unwrap().status, sim.lane("api").stage), (1, LaneStage::Open));
}

#[test]
fn a_restored_lane_has_its_transcript_and_goes_on_in_it() {
    for restart in [false, true] {
        let mut sim = Sim::with(&["api"]);
        sim.prompt("api", "say");
        sim.ok("lane close api");
        if restart {
            sim.kill(0);
            sim.run();
        }
        sim.ok("lane restore api");
        let id = sim.lane("api").id;
        assert_eq!(sim.state.model.entries(id).count(), 2);
        sim.prompt("api", "say");
        assert_eq!((sim.is(2), sim.state.model.entries(id).count()), (S::Done, 4));
    }
}

#[test]
fn a_lane_is_not_restored_into_anothers_worktree() {
    let mut sim = Sim::with(&["api"]);
    sim.ok("lane close api");
    sim.ok("lane new api");
    sim.refused("lane restore api");
    sim.ok("lane rename api other");
    assert!(sim.refused("lane restore api").message.contains("belongs to lane `other`"));
    sim.refused("lane new api");
    sim.ok("lane close other");
    sim.ok("lane restore api");
}

#[test]
fn a_renamed_lane_keeps_its_work() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.prompt("api", "shell:x");
    sim.refused("lane rename api ui");
    sim.ok("lane rename api back");
    assert_eq!(sim.lane("back").place.branch.as_deref(), Some("lane/api"));
    sim.ok("approve a1");
    assert_eq!(sim.is(1), S::Done);
    sim.refused("prompt api -- say");
}

#[test]
fn a_stopped_lane_ends_its_turn_and_a_restarted_one_goes_on_with_its_queue() {
    let mut sim = Sim::with(&["api"]);
    sim.prompt("api", "shell:x");
    sim.prompt("api", "say");
    sim.refused("lane restart api");
    sim.ok("lane stop api");
    assert_eq!((sim.is(1), sim.is(2), sim.lane_word("api")), (S::Cancelled, S::Queued, "ended"));
    assert!(!sim.turn_lives("api"));
    sim.refused("lane stop api");
    sim.ok("lane restart api");
    assert_eq!(sim.is(2), S::Done);
}

#[test]
fn a_paused_turn_does_not_get_stuck_by_stop_or_restart() {
    let mut sim = Sim::with(&["api"]);
    sim.prompt("api", "shell:x");
    sim.ok("lane pause api");
    sim.ok("lane restart api");
    assert_eq!(sim.is(1), S::Waiting);
    sim.ok("lane pause api");
    sim.ok("lane stop api");
    assert_eq!((sim.is(1), sim.turn_lives("api")), (S::Cancelled, false));
}

#[test]
fn what_a_closed_lane_still_says_changes_nothing() {
    let mut sim = Sim::with(&["api", "ui"]);
    let id = sim.lane("api").id;
    sim.ok("lane close api");
    let facts = paralane::domain::GitFacts { dirty: vec!["a.rs".into()], ..Default::default() };
    sim.tell(Msg::Lane(id, LaneMsg::Git { facts: Box::new(facts), touched: Vec::new() }));
    sim.tell(Msg::Lane(id, LaneMsg::SetUp));
    sim.tell(Msg::Pane(id, PaneMsg::Exited("exit 0".into())));
    assert!(sim.state.live(id).is_none());
    sim.prompt("ui", "look at a.rs");
    assert_eq!(sim.state.model.conflicts.len(), 0);
}

#[test]
fn a_program_gets_one_prompt_at_a_time_and_can_be_cancelled() {
    let mut sim = Sim::with(&[]);
    sim.ok("lane new sh -- bash");
    sim.prompt("sh", "long job");
    sim.prompt("sh", "ls");
    assert_eq!((sim.is(1), sim.is(2), sim.typed.len()), (S::Running, S::Queued, 1));
    sim.ok("cancel sh");
    assert_eq!((sim.is(1), sim.is(2), sim.interrupts), (S::Cancelled, S::Done, 1));
    // Before the program took it, what runs there is the person's own.
    sim.prompt("sh", "busy");
    sim.ok("cancel sh");
    assert_eq!((sim.typed.len(), sim.interrupts), (2, 1));
}

#[test]
fn pausing_a_program_holds_its_queue_and_delivers_nothing_twice() {
    let mut sim = Sim::with(&[]);
    sim.ok("lane new sh -- bash");
    sim.say("prompt sh -- ls");
    sim.ack();
    sim.ok("lane pause sh");
    let next = sim.prompt("sh", "pwd");
    assert_eq!((sim.is(1), sim.is(next)), (S::Done, S::Queued));
    sim.ok("lane resume sh");
    assert_eq!((sim.is(next), sim.typed.len()), (S::Done, 2));
}

#[test]
fn a_program_that_ends_ends_its_prompt() {
    for (text, words, state) in
        [("long", "exit 0", S::Done), ("long", "exit 1", S::Failed), ("busy", "exit 0", S::Failed)]
    {
        let mut sim = Sim::with(&[]);
        sim.ok("lane new sh -- bash");
        sim.prompt("sh", text);
        sim.prompt("sh", "ls");
        sim.exit("sh", words);
        assert_eq!((sim.is(1), sim.is(2), sim.lane_word("sh")), (state, S::Queued, "ended"), "{text} {words}");
        sim.ok("lane restart sh");
        assert_eq!(sim.is(2), S::Done);
    }
}

#[test]
fn an_unconfirmed_prompt_waits_for_the_person() {
    let mut sim = Sim::with(&[]);
    sim.ok("lane new sh -- bash");
    let lane = sim.lane("sh").id;
    sim.prompt("sh", "busy");
    sim.prompt("sh", "ls");
    sim.tell(Msg::Pane(lane, PaneMsg::Unconfirmed(PromptId(1), "no sign".into())));
    sim.run();
    assert_eq!((sim.is(1), sim.is(2), sim.lane_word("sh")), (S::Unconfirmed, S::Queued, "needs you"));
    sim.ok("cancel p1");
    assert_eq!(sim.is(2), S::Done);
    let rang = sim.rings.len();
    sim.tell(Msg::Pane(lane, PaneMsg::Unconfirmed(PromptId(1), "no sign".into())));
    assert_eq!((sim.is(1), sim.rings.len()), (S::Cancelled, rang));
}

#[test]
fn a_program_is_offered_again_after_a_restart_and_its_prompt_is_in_doubt() {
    let mut sim = Sim::with(&[]);
    sim.ok("lane new sh -- bash");
    sim.prompt("sh", "long");
    sim.kill(0);
    sim.run();
    assert_eq!((sim.is(1), sim.lane("sh").stage), (S::Interrupted, LaneStage::Ended));
    sim.ok("lane restart sh");
    assert_eq!((sim.is(1), sim.typed.len()), (S::Interrupted, 1));
    sim.ok("cancel p1");
}

#[test]
fn configuration_read_again_does_not_turn_the_base_back() {
    let mut sim = Sim::with(&["api"]);
    let base = paralane::domain::BaseRef { name: "main".into(), sha: "c".repeat(40) };
    sim.tell(Msg::BaseMoved(base.clone()));
    sim.tell(Msg::Configured(Box::new(crate::support::settings())));
    assert_eq!(*sim.state.base(), base);
}
