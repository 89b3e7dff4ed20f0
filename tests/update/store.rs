//! A store that refuses writes: nothing is half done, everyone is told, and it goes on when there is room again.

use paralane::app::{Effect, Msg, WindowMsg};
use paralane::domain::{ApprovalState as A, InputEvent, Key, KeyCode, PromptState as S};

use crate::support::Sim;

fn problems(sim: &Sim) -> usize {
    sim.state.problems.iter().filter(|p| p.report.message.contains("the disk is full")).count()
}

#[test]
fn a_prompt_that_was_not_kept_is_refused_and_not_there() {
    let mut sim = Sim::with(&["api"]);
    sim.full = 1;
    let reply = sim.sh("prompt api -- say");
    assert!(reply.error.unwrap().message.contains("the disk is full"));
    assert!(sim.state.model.prompts.is_empty());
    assert_eq!(problems(&sim), 1);
    sim.full = 1;
    let waits = sim.say("prompt api --wait -- say");
    sim.run();
    assert_eq!(sim.reply(waits).unwrap().status, 1, "nobody waits for a prompt that is not there");
    sim.sleep(3);
    let next = sim.prompt("api", "say");
    assert_eq!((sim.is(next), problems(&sim)), (S::Done, 0));
}

#[test]
fn a_windows_text_comes_back_into_its_prompt_bar() {
    let mut sim = Sim::with(&["api"]);
    let window = sim.window();
    sim.run();
    sim.full = 1;
    for c in "say".chars() {
        sim.tell(Msg::Window(window, WindowMsg::Input(InputEvent::Key(Key::char(c)))));
    }
    sim.tell(Msg::Window(window, WindowMsg::Input(InputEvent::Key(Key::plain(KeyCode::Enter)))));
    assert_eq!(sim.state.windows[&window].draft.text(), "");
    sim.run();
    assert_eq!(sim.state.windows[&window].draft.text(), "say");
    assert!(sim.state.model.prompts.is_empty());
}

#[test]
fn a_cancelled_turns_end_that_was_not_kept_still_closes_its_calls() {
    let mut sim = Sim::with(&["api"]);
    let id = sim.prompt("api", "shell:x");
    assert_eq!(sim.is(id), S::Waiting);
    sim.say("lane stop api");
    sim.ack();
    sim.full = 2;
    sim.run();
    sim.sleep(10);
    assert_eq!(sim.is(id), S::Cancelled);
    assert!(sim.state.model.calls.is_empty(), "{:?}", sim.state.model.calls);
    assert_eq!(sim.state.live(sim.lane("api").id).and_then(|live| live.turn), None);
}

#[test]
fn a_turns_end_that_was_not_kept_with_the_next_turns_begin_still_closes_its_calls() {
    let mut sim = Sim::with(&["api"]);
    let id = sim.prompt("api", "shell:x");
    let next = sim.prompt("api", "say");
    sim.say("cancel api");
    sim.ack();
    sim.full = 1;
    sim.run();
    sim.sleep(10);
    assert_eq!((sim.is(id), sim.is(next)), (S::Cancelled, S::Done));
    assert!(sim.state.model.calls.is_empty(), "{:?}", sim.state.model.calls);
}

#[test]
fn a_start_that_was_not_kept_is_made_again() {
    let mut sim = Sim::limited(1, &["api", "ui"]);
    sim.ok("mode full");
    sim.prompt("api", "hang:x");
    sim.prompt("ui", "say");
    sim.say("cancel api");
    sim.ack();
    sim.deliver();
    sim.full = 2;
    sim.run();
    sim.sleep(10);
    assert_eq!((sim.is(1), sim.is(2)), (S::Cancelled, S::Done));
}

#[test]
fn an_answer_that_was_not_kept_leaves_the_question() {
    let mut sim = Sim::with(&["api"]);
    sim.prompt("api", "shell:one");
    sim.full = 1;
    assert_eq!(sim.sh("approve a1").status, 1);
    assert_eq!((sim.approval(1), sim.is(1), sim.turn_lives("api")), (A::Pending, S::Waiting, true));
    sim.sleep(3);
    sim.ok("approve a1");
    assert_eq!((sim.commands(), sim.is(1)), (vec!["one"], S::Done));
}

#[test]
fn a_cancel_that_was_not_kept_can_be_given_again() {
    for pause in [false, true] {
        let mut sim = Sim::with(&["api"]);
        sim.prompt("api", "shell:one");
        if pause {
            sim.ok("lane pause api");
        }
        sim.full = 1;
        assert_eq!(sim.sh("cancel api").status, 1);
        assert!(sim.turn_lives("api") && !sim.is(1).ended());
        sim.sleep(3);
        sim.ok("cancel api");
        assert!(!sim.turn_lives("api"));
    }
}

#[test]
fn a_turns_end_is_told_until_it_is_kept() {
    let mut sim = Sim::with(&["api"]);
    let lane = sim.lane("api").id;
    sim.say("prompt api -- say");
    sim.ack();
    for _ in 0..5 {
        sim.advance(lane);
        sim.deliver();
        if sim.turn_lives("api") {
            sim.ack();
        }
    }
    assert!(!sim.turn_lives("api"));
    sim.full = 3;
    sim.run();
    assert_eq!(sim.is(1), S::Running);
    sim.sleep(10);
    assert_eq!(sim.is(1), S::Done);
}

#[test]
fn a_turn_that_ends_with_its_last_record_fails_with_it() {
    let mut sim = Sim::with(&["api"]);
    sim.ok("prompt api -- say");
    sim.run();
    let lane = sim.lane("api").id;
    sim.say("prompt api -- say");
    sim.say("prompt api -- say");
    sim.ack();
    sim.ack();
    // The checkpoint.
    sim.deliver();
    sim.ack();
    sim.advance(lane);
    sim.deliver();
    assert_eq!((sim.is(2), sim.is(3)), (S::Done, S::Running), "decided, and not yet kept");
    sim.full = 1;
    sim.run();
    assert_eq!((sim.is(2), sim.is(3)), (S::Failed, S::Queued));
    sim.sleep(3);
    assert_eq!((sim.is(2), sim.is(3)), (S::Failed, S::Done));
    sim.ok("retry p2");
    sim.run();
    assert_eq!(sim.is(2), S::Done);
}

#[test]
fn a_record_that_was_not_kept_ends_its_turn() {
    let mut sim = Sim::with(&["api"]);
    sim.say("prompt api -- shell:one");
    sim.ack();
    // The checkpoint.
    sim.deliver();
    sim.ack();
    let lane = sim.lane("api").id;
    sim.advance(lane);
    sim.deliver();
    sim.full = 1;
    sim.run();
    assert_eq!(sim.is(1), S::Failed);
    assert_eq!(sim.commands(), Vec::<&str>::new());
}

#[test]
fn a_held_record_that_was_not_kept_is_not_taken_for_kept() {
    let mut sim = Sim::with(&["api"]);
    sim.say("prompt api -- shell:one");
    sim.ack();
    // The checkpoint.
    sim.deliver();
    sim.ack();
    let lane = sim.lane("api").id;
    sim.say("lane pause api");
    sim.ack();
    sim.advance(lane);
    sim.deliver();
    sim.full = 1;
    sim.run();
    sim.sleep(3);
    assert!(!sim.turn_lives("api"));
    assert_eq!(sim.is(1), S::Failed);
}

#[test]
fn a_resume_that_was_not_kept_leaves_the_turn_paused() {
    let mut sim = Sim::with(&["api"]);
    sim.ok("mode full");
    sim.say("prompt api -- shell:one");
    sim.ack();
    let lane = sim.lane("api").id;
    sim.say("lane pause api");
    sim.ack();
    sim.advance(lane);
    sim.run();
    sim.full = 1;
    assert_eq!(sim.sh("lane resume api").status, 1);
    assert_eq!((sim.is(1), sim.turn_lives("api")), (S::Paused, true));
    sim.sleep(3);
    sim.ok("lane resume api");
    assert_eq!((sim.is(1), sim.commands()), (S::Done, vec!["one"]));
}

#[test]
fn nothing_is_tried_without_end_while_the_disk_is_full() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.window();
    sim.ok("lane focus ui");
    sim.ok("reserve --lane ui a.rs");
    sim.prompt("api", "shell:one");
    sim.prompt("ui", "say");
    // What follows by itself: a look at the lane in focus, a conflict that ends, a prompt that starts.
    sim.full = 40;
    sim.say("release --lane ui");
    sim.say("lane focus api");
    sim.say("prompt ui -- say");
    sim.run();
    sim.sleep(20);
    assert!(sim.full > 20, "{} writes were tried in 20 s", 40 - sim.full);
    assert_eq!(problems(&sim), 1);
    sim.full = 0;
    sim.sleep(5);
    sim.ok("mode plan");
    assert_eq!(problems(&sim), 0);
}

#[test]
fn the_workstation_ends_also_when_the_disk_is_full() {
    let mut sim = Sim::with(&["api"]);
    let window = sim.window();
    sim.prompt("api", "say");
    sim.tell(Msg::Window(window, WindowMsg::Gone));
    sim.full = 9;
    sim.say("prompt api -- say");
    sim.tell(Msg::Terminate);
    sim.run();
    assert!(sim.shut_down);
}

#[test]
fn what_waits_for_a_commit_is_not_done_before() {
    let mut sim = Sim::with(&["api"]);
    let env = paralane::app::Env { now: sim.now, zone: jiff::tz::TimeZone::UTC, fits: paralane::agent::fits };
    let line = paralane::command::parse_args(&["prompt", "api", "say"].map(Into::into), None).unwrap();
    let paralane::command::Action::Run(invocation) = line.action else { panic!() };
    let msg = Msg::Request { id: paralane::app::RequestId(99), invocation: *invocation, json: false };
    let effects = paralane::app::update(&mut sim.state, msg, &env);
    let [Effect::Commit { changes, then }] = &effects[..] else { panic!("{effects:?}") };
    assert!(!changes.is_empty());
    assert!(then.iter().any(|e| matches!(e, Effect::Reply(..))) && then.iter().any(|e| matches!(e, Effect::Lane(..))));
}
