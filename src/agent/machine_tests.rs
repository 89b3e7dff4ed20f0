//! The turn machine, event by event.

use serde_json::{Value, json};

use super::*;
use crate::agent::transcript::OpenCall;
use crate::agent::wire::RawCall;

fn machine() -> TurnMachine {
    let begin = Rebuilt {
        next_step: 1,
        messages: vec![Message::User { text: "go".into(), images: Vec::new() }],
        ..Rebuilt::default()
    };
    TurnMachine::new(PromptId(7), begin, BTreeSet::new(), 50)
}

fn answer(text: &str, calls: &[(&str, Value)]) -> Event {
    let calls = calls
        .iter()
        .map(|(tool, arguments)| RawCall {
            model_id: "same".into(),
            tool: (*tool).into(),
            arguments: arguments.clone(),
        })
        .collect();
    let reasoning = Reasoning { text: "hm".into(), ..Reasoning::default() };
    Event::Answered(StepAnswer { text: text.into(), reasoning, calls, usage: None, stop: Stop::Ended })
}

fn id(step: u32, index: usize) -> CallId {
    call_id(PromptId(7), step, index)
}

fn ok() -> ToolOutcome {
    ToolOutcome { ok: true, output: "fine".into(), summary: String::new(), ..ToolOutcome::default() }
}

/// Short words for effects.
fn words(effects: &[Effect]) -> Vec<String> {
    effects
        .iter()
        .map(|effect| match effect {
            Effect::CallModel => "model".into(),
            Effect::Record(TurnRecord::Step { calls, cut, .. }) => format!("step {} {cut}", calls.len()),
            Effect::Record(TurnRecord::Notice { text, .. }) => text.clone(),
            Effect::Record(TurnRecord::CallStarted(id)) => format!("started {id}"),
            Effect::Record(TurnRecord::CallFinished { call, outcome }) => format!("finished {call} {}", outcome.ok),
            Effect::Record(TurnRecord::Child { .. }) => "child".into(),
            Effect::Record(TurnRecord::Told { by, text, .. }) => format!("told {by} {text}"),
            Effect::AskStop { answer, again } => format!("stop {answer} {again}"),
            Effect::Record(TurnRecord::Withheld) => "withheld".into(),
            Effect::Record(TurnRecord::Checkpoint(_)) => "checkpoint".into(),
            Effect::Record(TurnRecord::Compacted(_)) => "notes".into(),
            Effect::AskPermission(calls) => format!("ask {}", calls.len()),
            Effect::Run { call, edited } => format!("run {} {edited}", call.id),
            Effect::Phase(_) => "phase".into(),
            Effect::End(outcome) => format!("{outcome:?}"),
        })
        .collect()
}

fn allow(machine: &mut TurnMachine, call: &CallId) -> Vec<String> {
    let asked = machine.calls.iter().find(|known| known.call.id == *call).unwrap().call.clone();
    words(&machine.handle(Event::Decided { call: call.clone(), verdict: Verdict::Run(asked) }))
}

fn finish(machine: &mut TurnMachine, call: &CallId, outcome: ToolOutcome) -> Vec<String> {
    words(&machine.handle(Event::Finished { call: call.clone(), outcome }))
}

#[test]
fn a_plain_answer_ends_the_turn() {
    let mut turn = machine();
    assert_eq!(words(&turn.handle(Event::Begin)), ["phase", "model"]);
    assert_eq!(words(&turn.handle(answer("hello", &[]))), ["step 0 false", "Done { answer: \"hello\" }"]);
    assert!(turn.handle(Event::Cancel).is_empty());
}

#[test]
fn effects_run_in_order_and_reads_together() {
    let mut turn = machine();
    turn.handle(Event::Begin);
    let calls =
        [("read", json!({})), ("read", json!({})), ("write", json!({})), ("shell", json!({})), ("read", json!({}))];
    assert_eq!(words(&turn.handle(answer("", &calls))), ["step 5 false", "ask 5"]);
    assert!(allow(&mut turn, &id(1, 3)).is_empty(), "the shell waits for the write");
    assert_eq!(allow(&mut turn, &id(1, 1)), ["run p7.1.2 false"]);
    assert_eq!(allow(&mut turn, &id(1, 0)), ["run p7.1.1 false"]);
    assert!(allow(&mut turn, &id(1, 2)).is_empty());
    assert!(allow(&mut turn, &id(1, 4)).is_empty());
    assert_eq!(finish(&mut turn, &id(1, 1), ok()), ["finished p7.1.2 true"]);
    assert_eq!(finish(&mut turn, &id(1, 0), ok()), ["finished p7.1.1 true", "started p7.1.3", "run p7.1.3 false"]);
    assert_eq!(finish(&mut turn, &id(1, 2), ok()), ["finished p7.1.3 true", "started p7.1.4", "run p7.1.4 false"]);
    assert_eq!(finish(&mut turn, &id(1, 3), ok()), ["finished p7.1.4 true", "run p7.1.5 false"]);
    assert_eq!(finish(&mut turn, &id(1, 4), ok()), ["finished p7.1.5 true", "phase", "model"]);
    let messages = turn.messages();
    let Message::Assistant { calls, .. } = &messages[1] else { panic!("{messages:?}") };
    let ids: HashSet<_> = calls.iter().map(|call| &call.model_id).collect();
    assert_eq!((ids.len(), messages.len()), (5, 7), "doubled ids of the model were made unique");
}

#[test]
fn a_denied_call_is_told_and_the_turn_goes_on() {
    let mut turn = machine();
    turn.handle(Event::Begin);
    turn.handle(answer("", &[("shell", json!({"command": "rm"}))]));
    let verdict = Verdict::Deny { reason: "not now".into() };
    let effects = turn.handle(Event::Decided { call: id(1, 0), verdict });
    assert_eq!(words(&effects), ["finished p7.1.1 false", "phase", "model"]);
    assert!(matches!(&turn.messages()[2], Message::Tool { text, .. } if text.contains("not now")));
}

#[test]
fn an_edited_call_runs_as_edited() {
    let mut turn = machine();
    turn.handle(Event::Begin);
    turn.handle(answer("", &[("shell", json!({"command": "a"}))]));
    let mut call = turn.calls[0].call.clone();
    call.arguments = json!({"command": "b"});
    let effects = turn.handle(Event::Decided { call: id(1, 0), verdict: Verdict::Run(call.clone()) });
    assert_eq!(effects[1], Effect::Run { call: call.clone(), edited: true });
    assert!(turn.handle(Event::Decided { call: id(1, 0), verdict: Verdict::Run(call) }).is_empty(), "runs once");
}

#[test]
fn the_same_failure_is_told_firmly_and_then_ends_the_turn() {
    let mut turn = machine();
    turn.handle(Event::Begin);
    for round in 1..=6 {
        turn.handle(answer("", &[("read", json!({"path": "x"}))]));
        let effects = turn.handle(Event::Finished { call: id(round, 0), outcome: tools::failed("no", "no") });
        let Effect::Record(TurnRecord::CallFinished { outcome, .. }) = &effects[0] else { panic!("{effects:?}") };
        assert_eq!(outcome.output.contains("in a row"), round >= 3);
        let ended = matches!(effects.last(), Some(Effect::End(TurnOutcome::Failed { .. })));
        assert_eq!(ended, round == 6, "{effects:?}");
    }
}

#[test]
fn another_call_in_between_resets_the_count() {
    let mut turn = machine();
    turn.handle(Event::Begin);
    for round in 1..=12 {
        let path = if round % 3 == 0 { "y" } else { "x" };
        turn.handle(answer("", &[("read", json!({"path": path}))]));
        let effects = turn.handle(Event::Finished { call: id(round, 0), outcome: tools::failed("no", "no") });
        assert!(matches!(effects.last(), Some(Effect::CallModel)));
    }
}

#[test]
fn too_many_steps_end_with_clear_words() {
    let mut turn = machine();
    turn.max_steps = 2;
    turn.handle(Event::Begin);
    for step in 1..=2 {
        turn.handle(answer("", &[("list", json!({}))]));
        let last = finish(&mut turn, &id(step, 0), ok()).pop().unwrap();
        assert_eq!(last.contains("stopped after 2 steps; send another prompt to go on"), step == 2, "{last}");
    }
}

#[test]
fn cancel_waits_for_what_runs_and_closes_the_rest() {
    let mut turn = machine();
    turn.handle(Event::Begin);
    turn.handle(answer("", &[("shell", json!({"command": "a"})), ("shell", json!({"command": "b"}))]));
    allow(&mut turn, &id(1, 0));
    assert_eq!(words(&turn.handle(Event::Cancel)), ["finished p7.1.2 false"]);
    assert_eq!(finish(&mut turn, &id(1, 0), tools::failed("ended", "")), ["finished p7.1.1 false", "Cancelled"]);
}

#[test]
fn cancel_while_thinking_keeps_what_was_said() {
    let mut turn = machine();
    turn.handle(Event::Begin);
    assert!(turn.handle(Event::Cancel).is_empty());
    assert_eq!(words(&turn.handle(Event::ModelStopped { text: "par".into() })), ["step 0 true", "Cancelled"]);
    let mut turn = machine();
    turn.handle(Event::Begin);
    turn.handle(Event::Cancel);
    let late = answer("x", &[("shell", json!({"command": "a"}))]);
    assert_eq!(words(&turn.handle(late)), ["step 0 true", "Cancelled"], "calls of a late answer are dropped");
}

#[test]
fn a_broken_answer_is_kept_and_asked_for_again_a_few_times() {
    let mut turn = machine();
    turn.handle(Event::Begin);
    let broke = || Event::ModelBroke { text: "half".into(), error: "gone".into(), passing: true };
    assert_eq!(words(&turn.handle(broke())), ["step 0 true", "phase", "model"]);
    assert_eq!(words(&turn.handle(broke())), ["step 0 true", "phase", "model"]);
    assert_eq!(words(&turn.handle(broke())), ["step 0 true", "Failed { error: \"gone\" }"]);
}

#[test]
fn an_answer_at_the_token_limit_runs_nothing() {
    let mut turn = machine();
    turn.handle(Event::Begin);
    let Event::Answered(mut cut) = answer("half", &[]) else { unreachable!() };
    cut.stop = Stop::Length;
    let effects = words(&turn.handle(Event::Answered(cut)));
    assert_eq!(effects[0], "step 0 true");
    assert!(effects[1].contains("token limit"), "{effects:?}");
}

#[test]
fn a_turn_goes_on_with_its_waiting_calls_and_never_repeats_started_ones() {
    let call = |index| ToolCall {
        id: id(3, index),
        model_id: format!("m{index}"),
        tool: "shell".into(),
        arguments: json!({"command": "x"}),
    };
    let open = vec![
        OpenCall { call: call(0), outcome: Some(ok()) },
        OpenCall { call: call(1), outcome: None },
        OpenCall { call: call(2), outcome: None },
    ];
    let begin = Rebuilt {
        open: Some(OpenStep { text: "t".into(), calls: open, ..OpenStep::default() }),
        steps: 3,
        next_step: 4,
        ..Rebuilt::default()
    };
    let mut turn = TurnMachine::new(PromptId(7), begin, BTreeSet::from([id(3, 1)]), 50);
    assert_eq!(words(&turn.handle(Event::Begin)), ["finished p7.3.2 false", "ask 1"]);
    assert_eq!(allow(&mut turn, &id(3, 2)), ["started p7.3.3", "run p7.3.3 false"]);
    assert_eq!(finish(&mut turn, &id(3, 2), ok()), ["finished p7.3.3 true", "phase", "model"]);
    assert!(
        matches!(&turn.messages()[2], Message::Tool { text, .. } if text.starts_with("interrupted by a crash; unknown"))
    );
    assert_eq!(words(&turn.handle(answer("", &[("list", json!({}))])))[1], "ask 1");
    assert_eq!(turn.calls[0].call.id, id(4, 0));
}

/// One step with one call that works and gives this output; the effects that follow.
fn step(machine: &mut TurnMachine, tool: &str, arguments: Value, output: &str) -> Vec<Effect> {
    machine.handle(answer("", &[(tool, arguments)]));
    let id = machine.calls[0].call.id.clone();
    allow(machine, &id);
    machine.handle(Event::Finished { call: id, outcome: ToolOutcome { output: output.to_owned(), ..ok() } })
}

fn told(effects: &[Effect]) -> String {
    effects.iter().map(|effect| format!("{effect:?}")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_same_success_over_and_over_is_told_and_ended() {
    let mut machine = machine();
    machine.handle(Event::Begin);
    for time in 1..=8 {
        // Two calls in turn are a loop too.
        let first = told(&step(&mut machine, "shell", json!({"command": "date"}), "now"));
        assert_eq!(first.contains("exact result"), (4..8).contains(&time) || time == 8, "{time}: {first}");
        assert_eq!(first.contains("over and over"), time == 8, "{time}: {first}");
        if time < 8 {
            step(&mut machine, "read", json!({"path": "a"}), "same");
        }
    }
    assert_eq!(machine.state, State::Ended);
}

#[test]
fn repeating_after_something_new_or_waiting_for_a_job_is_no_loop() {
    let mut machine = TurnMachine { max_steps: 100, ..machine() };
    machine.handle(Event::Begin);
    for time in 0..20 {
        step(&mut machine, "edit", json!({"path": "a", "old": time}), "wrote");
        let test = told(&step(&mut machine, "shell", json!({"command": "make test"}), "2 failed"));
        assert!(!test.contains("exact result"), "{test}");
        let waits = told(&step(&mut machine, "jobs", json!({"do": "read", "job": "j1"}), "[nothing new]"));
        assert!(!waits.contains("exact result"), "{waits}");
    }
}

#[test]
fn an_empty_answer_is_asked_for_again_and_then_ends_the_turn() {
    let mut machine = machine();
    machine.handle(Event::Begin);
    for _ in 0..2 {
        let effects = machine.handle(answer(" \n", &[]));
        assert_eq!(words(&effects), ["step 0 true", "phase", "model"]);
        let Message::User { text, .. } = machine.messages().last().cloned().unwrap() else { panic!("no words") };
        assert!(text.ends_with("say in a few words what came of it."), "{text}");
    }
    assert_eq!(machine.messages().len(), 1, "said once");
    let effects = told(&machine.handle(answer("", &[])));
    assert!(effects.contains("answered nothing, 3 times in a row"), "{effects}");
}

#[test]
fn a_childs_calls_have_ids_of_their_own_and_looking_children_run_together() {
    let begin = || Rebuilt {
        next_step: 1,
        messages: vec![Message::User { text: "go".into(), images: Vec::new() }],
        ..Rebuilt::default()
    };
    let mut child = TurnMachine::child(PromptId(7), CallId("p7.1.2".into()), begin(), 5);
    child.handle(Event::Begin);
    child.handle(answer("", &[("read", json!({"path": "a"}))]));
    let id = child.calls[0].call.id.clone();
    assert_eq!((id.0.as_str(), id.parent()), ("p7.1.2/1.1", Some(CallId("p7.1.2".into()))));

    let mut machine = machine();
    machine.handle(Event::Begin);
    let task = json!({"task": "x"});
    let change = json!({"task": "x", "change": true});
    machine.handle(answer("", &[("spawn", task.clone()), ("spawn", task), ("spawn", change)]));
    let ids: Vec<CallId> = machine.calls.iter().map(|known| known.call.id.clone()).collect();
    assert_eq!(allow(&mut machine, &ids[0]), ["started p7.1.1", "run p7.1.1 false"]);
    assert_eq!(allow(&mut machine, &ids[1]), ["started p7.1.2", "run p7.1.2 false"]);
    assert!(allow(&mut machine, &ids[2]).is_empty(), "one that changes waits for its turn");
}

#[test]
fn hooks_keep_a_turn_from_ending_three_times_at_most() {
    let mut turn = machine().asking_to_stop();
    turn.handle(Event::Begin);
    let block = || Some(HookWords { by: "hook".into(), text: "run the tests".into() });
    for again in 0..3 {
        let asked = words(&turn.handle(answer("all done", &[])));
        assert_eq!(asked, ["step 0 false".to_owned(), format!("stop all done {again}")]);
        assert_eq!(words(&turn.handle(Event::Stopping(block()))), ["told hook run the tests", "phase", "model"]);
    }
    let told = turn.messages();
    assert!(matches!(&told[told.len() - 1], Message::User { text, .. } if text.ends_with("run the tests")));
    assert!(matches!(&told[told.len() - 2], Message::Assistant { text, .. } if text == "all done"));
    turn.handle(answer("all done", &[]));
    let end = words(&turn.handle(Event::Stopping(block())));
    assert!(end[0].contains("kept it from that 3 times") && end[1].starts_with("Done"), "{end:?}");
}

#[test]
fn a_cancel_while_hooks_are_asked_waits_for_them() {
    let mut turn = machine().asking_to_stop();
    turn.handle(Event::Begin);
    turn.handle(answer("all done", &[]));
    assert!(turn.handle(Event::Cancel).is_empty());
    assert_eq!(words(&turn.handle(Event::Stopping(None))), ["Cancelled"]);
}

#[test]
fn an_answer_whose_end_was_not_stored_is_asked_about_too() {
    let begin = Rebuilt { answered: Some("all done".into()), stops: 2, ..Rebuilt::default() };
    let mut turn = TurnMachine::new(PromptId(7), begin, BTreeSet::new(), 50).asking_to_stop();
    assert_eq!(words(&turn.handle(Event::Begin)), ["stop all done 2"]);
    assert_eq!(words(&turn.handle(Event::Stopping(None))), ["Done { answer: \"all done\" }"]);
}
