//! Questions to the person: each answer, once, also over a restart.

use paralane::domain::{Approval, ApprovalId, ApprovalState as A, CallId, Change, PromptState as S};

use crate::support::Sim;

fn asking(script: &str) -> Sim {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.prompt("api", script);
    assert_eq!((sim.is(1), sim.approval(1)), (S::Waiting, A::Pending));
    sim
}

#[test]
fn once_runs_exactly_this_call_once() {
    let mut sim = asking("shell:one shell:one");
    sim.ok("approve a1");
    assert_eq!((sim.commands(), sim.approval(2)), (vec!["one"], A::Pending));
    sim.ok("approve a2");
    assert_eq!((sim.commands(), sim.is(1)), (vec!["one", "one"], S::Done));
}

#[test]
fn session_holds_for_the_exact_call_in_this_lane() {
    let mut sim = asking("shell:one shell:one shell:other");
    sim.ok("approve a1 --for session");
    assert_eq!(sim.commands(), ["one", "one"]);
    assert_eq!(sim.state.model.pending_approvals().count(), 1, "another call asks");
    sim.prompt("ui", "shell:one");
    assert_eq!(sim.state.model.pending_approvals().count(), 2, "another lane asks");
    sim.ok("deny a2");
    sim.ok("deny a3");
    sim.ok("lane close api");
    sim.ok("lane restore api");
    let again = sim.prompt("api", "shell:one");
    assert_eq!(sim.is(again), S::Waiting, "closing ends the session");
}

#[test]
fn always_holds_everywhere_and_answers_whoever_asks_the_same() {
    let mut sim = asking("shell:one");
    sim.prompt("ui", "shell:one");
    sim.prompt("ui", "shell:two");
    sim.ok("approve a1 --for always");
    assert_eq!(sim.commands(), ["one", "one"]);
    assert_eq!((sim.is(1), sim.is(2), sim.is(3)), (S::Done, S::Done, S::Waiting));
    assert_eq!(sim.approval(2), A::Allowed, "no question stays open for a call that runs");
    sim.kill(0);
    sim.run();
    let later = sim.prompt("api", "shell:one");
    assert_eq!(sim.is(later), S::Done);
}

#[test]
fn deny_tells_the_reason_and_the_turn_goes_on() {
    let mut sim = asking("shell:one say");
    sim.ok("deny a1 --reason use-the-test-database");
    assert_eq!((sim.commands(), sim.is(1), sim.approval(1)), (Vec::<&str>::new(), S::Done, A::Denied));
    let lane = sim.lane("api").id;
    let told = sim.state.model.entries(lane).any(|e| format!("{:?}", e.body).contains("use-the-test-database"));
    assert!(told);
}

#[test]
fn a_denied_call_is_not_asked_again_in_its_turn() {
    let mut sim = asking("shell:one shell:one shell:two shell:one say");
    sim.ok("deny a1 --reason not-this");
    assert_eq!(sim.state.model.approvals.len(), 2, "the same call is denied unasked, another one asks");
    sim.ok("approve a2");
    assert_eq!((sim.commands(), sim.is(1), sim.state.model.approvals.len()), (vec!["two"], S::Done, 2));
    let next = sim.prompt("api", "shell:one");
    assert_eq!(sim.is(next), S::Waiting, "another turn asks anew");
}

#[test]
fn an_edited_call_runs_as_edited() {
    let mut sim = asking("shell:one");
    sim.ok("approve a1 --for session --edit {\"command\":\"two\"}");
    assert_eq!(sim.commands(), ["two"]);
    let next = sim.prompt("api", "shell:two");
    assert_eq!(sim.is(next), S::Done, "the edited call is what was allowed");
    let next = sim.prompt("api", "shell:one");
    assert_eq!(sim.is(next), S::Waiting);
}

#[test]
fn the_second_answer_is_refused() {
    let mut sim = asking("hang:x");
    sim.ok("approve a1");
    assert!(sim.refused("approve a1").message.contains("already allowed"));
    assert!(sim.refused("deny a1").message.contains("already allowed"));
    assert_eq!(sim.commands(), ["hang x"]);
    sim.refused("approve a9");
}

#[test]
fn cancelling_expires_the_question_and_asks_no_other() {
    let mut sim = asking("shell:one");
    let rang = sim.rings.len();
    sim.ok("cancel api");
    assert_eq!((sim.approval(1), sim.state.model.approvals.len()), (A::Expired, 1));
    assert_eq!(sim.rings.len(), rang);
    assert!(sim.refused("approve a1").message.contains("already expired"));
}

#[test]
fn a_pending_approval_survives_a_restart_and_runs_its_call_once() {
    let mut sim = asking("shell:one");
    for _ in 0..3 {
        sim.kill(0);
        sim.run();
        assert_eq!((sim.is(1), sim.approval(1), sim.state.model.approvals.len()), (S::Waiting, A::Pending, 1));
    }
    sim.ok("approve a1");
    assert_eq!((sim.commands(), sim.is(1)), (vec!["one"], S::Done));
}

#[test]
fn a_call_allowed_but_not_begun_runs_once_after_a_restart() {
    let mut sim = asking("shell:one");
    sim.say("approve a1");
    sim.kill(1);
    assert_eq!(sim.approval(1), A::Allowed);
    assert_eq!(sim.commands(), Vec::<&str>::new());
    sim.run();
    assert_eq!((sim.commands(), sim.is(1)), (vec!["one"], S::Done));
}

#[test]
fn an_answer_that_was_not_kept_is_asked_again() {
    let mut sim = asking("shell:one");
    sim.say("approve a1");
    sim.kill(0);
    sim.run();
    assert_eq!((sim.approval(1), sim.commands()), (A::Pending, Vec::<&str>::new()));
    sim.ok("approve a1");
    assert_eq!(sim.commands(), ["one"]);
}

#[test]
fn a_looser_mode_lets_what_waits_go_on_and_a_stricter_one_ends_it() {
    let mut sim = asking("shell:one");
    sim.prompt("ui", "shell:two");
    sim.ok("mode full --lane api");
    assert_eq!((sim.commands(), sim.approval(1), sim.is(1)), (vec!["one"], A::Allowed, S::Done));
    assert_eq!((sim.approval(2), sim.is(2)), (A::Pending, S::Waiting), "the other lane has its own mode");
    sim.ok("mode plan");
    assert_eq!((sim.approval(2), sim.is(2)), (A::Denied, S::Done));
    assert_eq!(sim.commands(), ["one"]);
    assert!(sim.refused("deny a1").message.contains("already allowed"));
}

#[test]
fn questions_take_no_slot_from_others() {
    let mut sim = Sim::limited(2, &["a", "b", "c", "d"]);
    for lane in ["a", "b", "c"] {
        sim.prompt(lane, "shell:x");
    }
    let free = sim.prompt("d", "say");
    assert_eq!(sim.is(free), S::Done);
    assert_eq!(sim.state.model.pending_approvals().count(), 3);
}

#[test]
fn memory_keeps_a_bounded_number_of_answered_questions() {
    let mut sim = asking("shell:one");
    let first = sim.state.model.approvals[&ApprovalId(1)].clone();
    let mut model = sim.state.model.clone();
    for id in 2..700 {
        let approval = Approval { id: ApprovalId(id), call: CallId(format!("c{id}")), ..first.clone() };
        model.apply(&Change::ApprovalAdded { approval: Box::new(approval) });
        model.apply(&Change::ApprovalMoved {
            approval: ApprovalId(id),
            state: A::Denied,
            scope: None,
            reason: None,
            arguments: None,
            at: sim.now,
        });
    }
    assert_eq!(model.approvals.len(), 501);
    assert_eq!(model.approvals[&ApprovalId(1)].state, A::Pending, "an open one is never let go");
    sim.run();
}
