//! Questions to the person: each answer, once, also over a restart.

use std::sync::Arc;

use jiff::SignedDuration;
use paralane::app::{Client, Msg, WindowMsg};
use paralane::config::{Layer, Origin};
use paralane::domain::{
    Answerer, Approval, ApprovalId, ApprovalState as A, CallId, Change, InputEvent, Key, PromptState as S, Seat,
    WindowId,
};
use paralane::policy::{Policy, Rule, Switches};
use pretty_assertions::assert_eq;
use serde_json::Value;

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
fn an_edit_that_the_tool_does_not_take_changes_nothing() {
    let mut sim = asking("shell:one");
    for (edit, words) in [
        ("{\"comand\":\"two\"}", "`comand` is not known; did you mean `command`?"),
        ("{\"command\":7}", "`command` must be text; here it is a number"),
        ("{\"command\":\"two\",\"timeout\":0}", "`timeout` must be a whole number, 1 to 600"),
        ("{\"command\":\"a\\u0000b\"}", "NUL character"),
        ("{}", "`command` is missing"),
    ] {
        let words_told = sim.refused(&format!("approve a1 --for always --edit {edit}")).to_string();
        assert!(words_told.contains(words) && words_told.contains("nothing was changed"), "{words_told}");
        assert_eq!((sim.commands(), sim.is(1)), (Vec::<&str>::new(), S::Waiting), "{edit}");
    }
    sim.ok("approve a1");
    assert_eq!(sim.commands(), ["one"], "as the agent asked");
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
            by: None,
            at: sim.now,
        });
    }
    assert_eq!(model.approvals.len(), 501);
    assert_eq!(model.approvals[&ApprovalId(1)].state, A::Pending, "an open one is never let go");
    sim.run();
}

/// What an agent was told.
fn told(sim: &Sim, lane: &str) -> String {
    sim.state.model.entries(sim.lane(lane).id).map(|e| format!("{:?}", e.body)).collect::<Vec<_>>().join("\n")
}

fn expiring(script: &str) -> Sim {
    let mut sim = Sim::with(&["api"]);
    sim.state.settings.approval_expire = Some(1_800);
    sim.prompt("api", script);
    assert_eq!((sim.is(1), sim.approval(1)), (S::Waiting, A::Pending));
    sim
}

#[test]
fn a_question_that_nobody_answers_expires_and_the_turn_goes_on() {
    let mut sim = expiring("shell:one shell:one shell:two say");
    sim.sleep(1_799);
    sim.run();
    assert_eq!(sim.approval(1), A::Pending);
    sim.sleep(2);
    sim.run();
    assert_eq!((sim.approval(1), sim.is(1)), (A::Expired, S::Waiting));
    assert!(told(&sim, "api").contains("nobody answered whether this call may run, so it did not within 30m"));
    assert_eq!(sim.state.model.approvals.len(), 2, "the very same call is not asked again in this turn");
    assert!(sim.refused("approve a1").message.contains("expired"));
    sim.ok("approve a2");
    assert_eq!((sim.commands(), sim.is(1)), (vec!["two"], S::Done));
    let list: Value = serde_json::from_str(&sim.ok("--json approvals --all")).unwrap();
    assert_eq!(
        (&list["approvals"][0]["state"], &list["approvals"][0]["answered_by"]),
        (&"expired".into(), &Value::Null)
    );
    assert!(list["approvals"][0]["expires"].as_str().is_some_and(|at| at.ends_with('Z')));
}

#[test]
fn the_deadline_is_that_of_the_question_whatever_happens_meanwhile() {
    let mut sim = expiring("shell:one say");
    sim.sleep(1_000);
    sim.kill(0);
    sim.run();
    assert_eq!(sim.approval(1), A::Pending, "not over yet");
    // Nobody is there when it is over.
    sim.now += SignedDuration::from_hours(2);
    sim.kill(0);
    sim.run();
    assert_eq!((sim.approval(1), sim.is(1), sim.commands()), (A::Expired, S::Done, Vec::<&str>::new()));
    assert_eq!(sim.state.model.approvals.len(), 1);
}

#[test]
fn a_late_yes_is_refused_also_before_the_timer_has_come() {
    let mut sim = expiring("shell:one say");
    sim.now += SignedDuration::from_hours(1);
    let late = sim.say("approve a1");
    sim.run();
    assert!(sim.reply(late).unwrap().error.as_ref().unwrap().message.contains("has expired"));
    assert_eq!((sim.approval(1), sim.commands()), (A::Expired, Vec::<&str>::new()));
}

#[test]
fn a_paused_turn_hears_of_it_when_it_goes_on() {
    let mut sim = expiring("shell:one say");
    sim.ok("lane pause api");
    sim.sleep(4_000);
    sim.run();
    assert_eq!((sim.approval(1), sim.is(1)), (A::Expired, S::Paused));
    sim.ok("lane resume api");
    sim.run();
    assert_eq!((sim.is(1), sim.commands()), (S::Done, Vec::<&str>::new()));
}

fn sit(terminal: &str) -> Answerer {
    Answerer {
        session: format!("1000/{terminal}"),
        words: format!("shell on {terminal}"),
        seat: Seat::Terminal,
        above: Vec::new(),
    }
}

/// Two have to say yes to `two`, one to everything else.
fn of_two(script: &str) -> Sim {
    let origin = Origin::File { layer: Layer::Managed, file: "/etc/c.toml".into(), line: 3 };
    let rule = Rule::new("ask", "shell", "two *", None, origin).unwrap().confirmed(Some(2)).unwrap();
    let mut sim = Sim::with(&["api", "ui"]);
    sim.state.settings.policy = Arc::new(Policy::new(vec![rule], Switches::default()));
    sim.prompt("api", script);
    sim.sits = Some(sit("pts/1"));
    sim
}

fn yes(sim: &mut Sim, id: &str) -> (Value, Value) {
    let list: Value = serde_json::from_str(&sim.ok("--json approvals --all")).unwrap();
    let one = list["approvals"].as_array().unwrap().iter().find(|a| a["id"] == id).unwrap().clone();
    (one["confirmed"].clone(), one["needed"].clone())
}

#[test]
fn two_have_to_say_yes_each_at_a_terminal_of_their_own() {
    let mut sim = of_two("shell:two");
    assert_eq!(yes(&mut sim, "a1"), (0.into(), 2.into()));
    assert!(sim.ok("approve a1").contains("1 of 2"));
    assert_eq!(yes(&mut sim, "a1"), (1.into(), 2.into()));
    assert_eq!((sim.approval(1), sim.commands()), (A::Pending, Vec::<&str>::new()));
    let words = sim.refused("approve a1").to_string();
    assert!(
        words.contains("said yes to `a1` already (shell on pts/1)") && words.contains("another terminal"),
        "{words}"
    );
    // The first yes is kept, and with it whose it was.
    for _ in 0..2 {
        sim.kill(0);
        sim.run();
        assert!(sim.refused("approve a1").message.contains("said yes"));
    }
    for (seat, why) in [
        (Seat::Lane, "a program in a lane is neither"),
        (Seat::NoTerminal, "a program without a terminal is neither"),
        (Seat::Unseen, "who answers here cannot be seen"),
    ] {
        sim.sits = Some(Answerer { seat, ..sit("pts/2") });
        assert!(sim.refused("approve a1").message.contains(why));
    }
    sim.sits = None;
    assert!(sim.refused("approve a1").message.contains("cannot be seen"), "one of whom nothing is known");
    let within = Answerer { above: vec!["1000/pts/1".to_owned()], ..sit("pts/2") };
    sim.sits = Some(within);
    assert!(sim.refused("approve a1").message.contains("was opened within it"), "`script` within the first terminal");
    assert_eq!(yes(&mut sim, "a1"), (1.into(), 2.into()));
    sim.sits = Some(sit("pts/2"));
    assert!(sim.ok("approve a1").contains("allowed once"));
    assert_eq!((sim.approval(1), sim.commands(), sim.is(1)), (A::Allowed, vec!["two"], S::Done));
    assert_eq!(yes(&mut sim, "a1"), (2.into(), 2.into()));
}

#[test]
fn a_window_is_a_terminal_and_two_windows_on_one_terminal_are_one() {
    let mut sim = of_two("shell:two");
    let (one, other) = (sim.window(), sim.another_window());
    sim.ok("approve a1");
    let press = |sim: &mut Sim, window: WindowId, terminal: &str| {
        sim.tell(Msg::Came(Client::Window(window), sit(terminal)));
        // It answers what has stood on its screen for a while.
        paralane::app::window::settle(&mut sim.state, window, sim.now);
        sim.now += SignedDuration::from_secs(5);
        sim.tell(Msg::Window(window, WindowMsg::Input(InputEvent::Key(Key::alt('y')))));
        sim.run();
    };
    press(&mut sim, one, "pts/1");
    assert_eq!(sim.approval(1), A::Pending, "the shell before sat at the same terminal");
    press(&mut sim, other, "pts/7");
    assert_eq!((sim.approval(1), sim.commands()), (A::Allowed, vec!["two"]));
}

#[test]
fn what_needs_two_runs_as_both_saw_it_once() {
    let mut sim = of_two("shell:two shell:two");
    assert!(sim.refused("approve a1 --for session").message.contains("once only"));
    assert!(sim.refused("approve a1 --for always").message.contains("once only"));
    assert!(sim.refused("approve a1 --edit {\"command\":\"one\"}").message.contains("as both see it"));
    sim.ok("approve a1");
    // One no is enough, whoever says it.
    sim.ok("deny a1 --reason no");
    assert_eq!((sim.approval(1), sim.is(1), sim.commands()), (A::Denied, S::Done, Vec::<&str>::new()));
}

#[test]
fn neither_a_mode_nor_an_edit_nor_an_old_answer_gets_around_two() {
    let mut sim = of_two("shell:two");
    sim.ok("mode full");
    assert_eq!((sim.approval(1), sim.commands()), (A::Pending, Vec::<&str>::new()));
    sim.ok("mode ask");
    sim.prompt("ui", "shell:one say");
    let words = sim.refused("approve a2 --edit {\"command\":\"two\"}").to_string();
    assert!(words.contains("needs the yes of two as it was edited"), "{words}");
    assert_eq!((sim.approval(2), sim.commands()), (A::Pending, Vec::<&str>::new()));
    sim.ok("deny a2");
    let policy = std::mem::take(&mut sim.state.settings.policy);
    let kept = sim.prompt("ui", "shell:two");
    sim.ok("approve a3 --for always");
    assert_eq!(sim.is(kept), S::Done);
    sim.state.settings.policy = policy;
    let again = sim.prompt("ui", "shell:two");
    assert_eq!(sim.is(again), S::Waiting, "what one has allowed for good is not what two allow");
}

#[test]
fn whoever_allows_what_a_rule_denies_is_told_so() {
    let rule = |line| {
        let origin = Origin::File { layer: Layer::User, file: "/etc/c.toml".into(), line };
        Rule::new("deny", "shell", "rm *", None, origin).unwrap()
    };
    let mut sim = Sim::with(&["api"]);
    sim.state.settings.policy = Arc::new(Policy::new(vec![rule(3)], Switches::default()));
    sim.prompt("api", "shell:one say");
    let words = sim.refused("approve a1 --edit {\"command\":\"rm\"}").to_string();
    assert!(words.contains("does not run as it was edited") && words.contains("deny shell rm *"), "{words}");
    assert_eq!((sim.approval(1), sim.commands()), (A::Pending, Vec::<&str>::new()));
    sim.ok("approve a1 --edit {\"command\":\"two\"}");
    assert_eq!((sim.approval(1), sim.commands()), (A::Allowed, vec!["two"]));
    // A rule that came while the lane was paused.
    sim.state.settings.policy = Arc::default();
    sim.prompt("api", "shell:rm say");
    sim.ok("lane pause api");
    sim.state.settings.policy = Arc::new(Policy::new(vec![rule(4)], Switches::default()));
    let words = sim.refused("approve a2").to_string();
    assert!(words.contains("does not run by now") && words.contains("user config.toml:4"), "{words}");
    // And one that came after the yes: it is told where everybody looks.
    sim.state.settings.policy = Arc::default();
    sim.ok("approve a2");
    sim.state.settings.policy = Arc::new(Policy::new(vec![rule(5)], Switches::default()));
    sim.ok("lane resume api");
    assert_eq!(sim.commands(), vec!["two"]);
    assert!(told(&sim, "api").contains("denies `shell`"), "{}", told(&sim, "api"));
}

#[test]
fn history_tells_who_asked_who_answered_and_when() {
    let mut sim = of_two("shell:two shell:other shell:third");
    sim.ok("approve a1");
    sim.sits = Some(sit("pts/2"));
    sim.ok("approve a1");
    sim.ok("deny a2 --reason not-now");
    sim.ok("cancel api");
    let told: Value = serde_json::from_str(&sim.ok("--json history approvals")).unwrap();
    let line = |e: &Value| {
        let text = |key: &str| e[key].as_str().unwrap_or("-").to_owned();
        format!("{} {} {} {}", text("approval"), text("what"), text("by"), text("action"))
    };
    let lines: Vec<String> = told["events"].as_array().unwrap().iter().map(line).collect();
    assert_eq!(
        lines,
        [
            "a1 asked - two",
            "a1 confirmed shell on pts/1 two",
            "a1 allowed shell on pts/2 two",
            "a2 asked - other",
            "a2 denied shell on pts/2 other",
            "a3 asked - third",
            "a3 expired - third",
        ]
    );
    let first = &told["events"][0];
    assert_eq!((&first["lane"], &first["place"]), (&"api".into(), &"managed config.toml:3".into()));
    assert_eq!(told["events"][4]["reason"], "not-now");
    let text = sim.ok("history approvals --lane api --last 2");
    assert!(text.lines().count() == 2 && text.contains("a3") && text.contains("turn was over"), "{text}");
    assert_eq!(sim.ok("history approvals --lane ui"), "no agent has asked anything yet\n");
    assert!(sim.refused("history approvals --lane nope").message.contains("nope"));
}
