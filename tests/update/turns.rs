//! The main job, and a turn paused, cancelled, retried, cut by a crash.

use paralane::app::Msg;
use paralane::domain::{EntryBody, PromptState as S};

use crate::support::Sim;

fn transcript(sim: &Sim, lane: &str) -> Vec<String> {
    let id = sim.lane(lane).id;
    let line = |body: &EntryBody| match body {
        EntryBody::Prompt { text } => format!("> {text}"),
        EntryBody::Answer { .. } => "answer".into(),
        EntryBody::Call { action, .. } => format!("call {action}"),
        EntryBody::Result { outcome, .. } => format!("result {}", outcome.summary),
        EntryBody::Child { step, .. } => format!("child {}", step.action),
        EntryBody::Rewinding { to, .. } => format!("! files go back to checkpoint {to}"),
        EntryBody::Notes(noted) => format!("notes up to {}", noted.upto),
        EntryBody::Told { by, .. } => format!("told by {by}"),
        EntryBody::Rewound { to, .. } => format!("back to {to}"),
        EntryBody::Cancelled => "! cancelled".into(),
        EntryBody::Withheld => "! withheld".into(),
        EntryBody::Notice { text, .. } => format!("! {}", text.split([':', ';']).next().unwrap()),
    };
    sim.state.model.entries(id).map(|e| line(&e.body)).collect()
}

#[test]
fn three_lanes_work_side_by_side_and_a_busy_one_queues() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("lane new sh -- bash");
    let first = sim.prompt("api", "shell:one");
    let second = sim.prompt("api", "say something");
    let other = sim.prompt("ui", "say something");
    let typed = sim.prompt("sh", "ls");
    assert_eq!(
        (sim.is(first), sim.is(second), sim.is(other), sim.is(typed)),
        (S::Waiting, S::Queued, S::Done, S::Done)
    );
    assert_eq!((sim.lane_word("api"), sim.lane_word("ui"), sim.lane_word("sh")), ("needs you", "done", "done"));
    sim.ok("approve a1");
    assert_eq!((sim.is(first), sim.is(second)), (S::Done, S::Done));
    assert_eq!(sim.commands(), ["one"]);
    assert_eq!(sim.typed.len(), 1);
    assert_eq!(
        transcript(&sim, "api"),
        ["> shell:one", "answer", "call one", "result ok", "answer", "> say something", "answer"]
    );
    sim.window();
    sim.ok("lane focus api");
    assert_eq!(sim.lane_word("api"), "idle", "looked at");
}

#[test]
fn a_failed_prompt_is_retried_and_its_words_are_said_again_when_others_came_between() {
    let mut sim = Sim::with(&["api"]);
    let bad = sim.prompt("api", "fail");
    assert_eq!((sim.is(bad), sim.lane_word("api")), (S::Failed, "failed"));
    sim.ok(&format!("retry p{bad}"));
    assert_eq!(transcript(&sim, "api"), ["> fail", "! it failed", "! it failed"]);
    let good = sim.prompt("api", "say");
    assert_eq!(sim.is(good), S::Done);
    sim.ok(&format!("retry p{bad}"));
    assert_eq!(transcript(&sim, "api")[3..], ["> say", "answer", "> fail", "! it failed"]);
    sim.refused(&format!("retry p{good}"));
}

#[test]
fn a_paused_lane_stops_at_the_next_safe_point_and_goes_on_where_it_was() {
    let mut sim = Sim::with(&["api"]);
    sim.say("prompt api -- shell:one shell:two");
    for _ in 0..3 {
        sim.ack();
    }
    let lane = sim.lane("api").id;
    sim.advance(lane);
    sim.ok("lane pause api");
    assert_eq!((sim.is(1), sim.lane_word("api")), (S::Paused, "paused"));
    let queued = sim.prompt("api", "say");
    sim.refused("lane pause api");
    assert_eq!(sim.is(queued), S::Queued);
    sim.ok("lane resume api");
    assert_eq!(sim.is(1), S::Waiting);
    sim.ok("approve a1");
    sim.ok("approve a2");
    assert_eq!((sim.is(1), sim.is(queued)), (S::Done, S::Done));
    sim.refused("lane resume api");
}

#[test]
fn an_answer_to_a_paused_turn_counts_when_it_goes_on() {
    let mut sim = Sim::with(&["api"]);
    sim.prompt("api", "shell:one");
    sim.ok("lane pause api");
    sim.ok("approve a1");
    assert_eq!(sim.commands(), Vec::<&str>::new());
    sim.ok("lane resume api");
    assert_eq!((sim.commands(), sim.is(1)), (vec!["one"], S::Done));
}

#[test]
fn a_resumed_turn_waits_for_room_and_does_nothing_before() {
    let mut sim = Sim::limited(1, &["api", "ui"]);
    sim.ok("mode full");
    sim.prompt("api", "hang:a");
    sim.ok("lane pause api");
    let other = sim.prompt("ui", "hang:b");
    assert_eq!(sim.is(other), S::Running);
    sim.ok("lane resume api");
    assert_eq!((sim.is(1), sim.is(other)), (S::Queued, S::Running));
    // Its turn lives: it is neither changed nor moved away.
    sim.refused("queue edit p1 other");
    sim.refused("queue move p1 --lane ui");
    sim.ok("cancel ui");
    assert_eq!(sim.is(1), S::Running);
}

#[test]
fn a_paused_turn_survives_a_restart() {
    let mut sim = Sim::with(&["api"]);
    sim.prompt("api", "shell:one");
    sim.ok("lane pause api");
    sim.kill(0);
    sim.run();
    assert_eq!(sim.is(1), S::Paused);
    sim.ok("approve a1");
    sim.ok("lane resume api");
    assert_eq!((sim.commands(), sim.is(1)), (vec!["one"], S::Done));
}

#[test]
fn cancel_works_in_every_state() {
    let mut sim = Sim::limited(1, &["api", "ui", "doc", "log"]);
    sim.ok("mode full");
    let running = sim.prompt("api", "hang:a");
    let queued = sim.prompt("ui", "say");
    let held = sim.prompt("api", "say");
    sim.ok(&format!("cancel p{held}"));
    let held = sim.ok("--json prompt api --after p1 -- say").contains("held");
    assert!(held);
    sim.ok("reserve --lane log a.rs");
    sim.ok(&format!("cancel p{queued}"));
    sim.ok(&format!("cancel p{running}"));
    assert_eq!((sim.is(running), sim.is(queued)), (S::Cancelled, S::Cancelled));
    assert!(!sim.turn_lives("api"));
    assert_eq!(sim.is(4), S::Done, "what waited for the end goes on");
    let blocked = sim.prompt("doc", "look at a.rs");
    assert_eq!(sim.is(blocked), S::Blocked);
    sim.ok(&format!("cancel p{blocked}"));
    assert_eq!(sim.is(blocked), S::Cancelled);
    sim.ok("mode ask");
    let waiting = sim.prompt("doc", "shell:x");
    assert_eq!(sim.is(waiting), S::Waiting);
    sim.ok("cancel doc");
    assert!(!sim.turn_lives("doc"));
    let paused = sim.prompt("doc", "shell:x");
    sim.ok("lane pause doc");
    sim.ok("cancel doc");
    assert_eq!((sim.is(paused), sim.turn_lives("doc")), (S::Cancelled, false));
    sim.refused(&format!("cancel p{paused}"));
    sim.refused("cancel doc");
    assert_eq!(sim.state.model.pending_approvals().count(), 0);
    assert_eq!(sim.state.model.open_conflicts().count(), 0);
    assert!(sim.state.model.written.is_empty() && sim.state.model.calls.is_empty());
}

/// A turn whose record is held back hears nothing but the answer to it.
#[test]
fn a_turn_that_is_paused_in_a_record_can_be_cancelled() {
    let mut sim = Sim::with(&["api"]);
    sim.ok("mode full");
    sim.say("prompt api -- shell:one");
    sim.ack();
    let lane = sim.lane("api").id;
    sim.say("lane pause api");
    while sim.advance(lane) || sim.deliver() {}
    sim.run();
    assert!(sim.turn_lives("api"));
    sim.ok("cancel api");
    assert!(!sim.turn_lives("api"), "the lane would never work again");
    sim.ok("lane resume api");
    let next = sim.prompt("api", "say");
    assert_eq!(sim.is(next), S::Done);
}

#[test]
fn a_queued_prompt_that_is_cancelled_takes_nothing_from_the_running_one() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("mode full");
    sim.prompt("api", "write:a.rs hang:x");
    let queued = sim.prompt("api", "say");
    let (written, calls) = (sim.state.model.written.clone(), sim.state.model.calls.clone());
    assert!(!written.is_empty() && !calls.is_empty());
    sim.ok(&format!("cancel p{queued}"));
    assert_eq!((&sim.state.model.written, &sim.state.model.calls), (&written, &calls));
}

#[test]
fn a_prompt_retried_before_its_cancelled_turn_has_ended_runs_again() {
    let mut sim = Sim::with(&["api"]);
    sim.prompt("api", "shell:one");
    sim.say("cancel api");
    sim.say("retry p1");
    sim.run();
    assert_eq!(sim.is(1), S::Done, "its call was answered with `not run`, so the script is through");
    assert_eq!(sim.approval(1), paralane::domain::ApprovalState::Expired);
    assert_eq!(sim.commands(), Vec::<&str>::new());
}

#[test]
fn a_prompt_cut_by_a_crash_is_offered_and_never_runs_its_call_again() {
    let mut sim = Sim::with(&["api"]);
    sim.ok("mode full");
    sim.prompt("api", "hang:x shell:after");
    sim.kill(0);
    sim.run();
    assert_eq!((sim.is(1), sim.lane_word("api")), (S::Interrupted, "needs you"));
    let behind = sim.prompt("api", "say");
    assert_eq!(sim.is(behind), S::Queued, "the person decides first");
    sim.ok("retry p1");
    assert_eq!((sim.is(1), sim.is(behind)), (S::Done, S::Done));
    assert_eq!(sim.commands(), ["hang x", "after"]);
    assert!(transcript(&sim, "api").contains(&"result interrupted".to_owned()));
}

#[test]
fn a_call_cut_by_cancel_and_crash_is_not_run_by_a_retry() {
    for kept in 0..3 {
        let mut sim = Sim::with(&["api"]);
        sim.prompt("api", "hang:x");
        sim.ok("approve a1");
        sim.say("cancel api");
        sim.kill(kept);
        sim.run();
        if sim.is(1) == S::Interrupted {
            sim.ok("cancel p1");
        }
        assert!(sim.state.model.calls.is_empty() && sim.state.model.written.is_empty());
        sim.ok("retry p1");
        assert_eq!((sim.is(1), sim.commands()), (S::Done, vec!["hang x"]));
    }
}

#[test]
fn a_turn_that_is_told_to_end_begins_no_call() {
    let mut sim = Sim::with(&["api"]);
    sim.prompt("api", "shell:one");
    sim.say("approve a1");
    sim.ack();
    // The call may run; its turn is about to say that it begins.
    sim.say("cancel api");
    sim.run();
    assert_eq!((sim.commands(), sim.is(1)), (Vec::<&str>::new(), S::Cancelled));
}

#[test]
fn messages_of_a_turn_that_is_over_are_answered() {
    let mut sim = Sim::with(&["api"]);
    let lane = sim.lane("api").id;
    let record = paralane::domain::TurnRecord::Step {
        text: "x".into(),
        cut: false,
        calls: Vec::new(),
        usage: None,
        reasoning: paralane::domain::Reasoning::default(),
    };
    let effects = paralane::app::update(
        &mut sim.state,
        Msg::Turn(lane, paralane::app::TurnMsg::Record(paralane::app::TurnToken(9), record)),
        &paralane::app::Env { now: sim.now, zone: jiff::tz::TimeZone::UTC, fits: paralane::agent::fits },
    );
    assert!(matches!(effects[..], [paralane::app::Effect::Recorded(_, Err(_)), ..]), "{effects:?}");
}

#[test]
fn text_that_streams_by_settles_nothing() {
    let mut sim = Sim::with(&["api"]);
    sim.prompt("api", "shell:one");
    let lane = sim.lane("api").id;
    let msg = Msg::Turn(lane, paralane::app::TurnMsg::Answer("words".into()));
    let env = paralane::app::Env { now: sim.now, zone: jiff::tz::TimeZone::UTC, fits: paralane::agent::fits };
    assert_eq!(paralane::app::update(&mut sim.state, msg, &env), []);
    assert_eq!(sim.state.live(lane).unwrap().feed.answer, "words");
}
