//! Conversations that get too long, against a server that writes notes, fails to, or writes something else.

use paralane::agent::{CompactInput, ModelClient, NotCompacted, compact};
use paralane::config::Dialect;
use paralane::domain::{
    CompactCause, EntryBody, HookEvent, NotesEntry, PromptId, Reasoning, SpendEnd, TurnOutcome, UpTo,
};
use paralane::sandbox::WorktreeFiles;
use serde_json::{Value, json};

use crate::harness::{Lane, Port, done, provider, until};
use crate::hooks::{hook, says};
use crate::model_server::{Reply, is_for_notes};

fn asked(text: &str) -> EntryBody {
    EntryBody::Prompt { text: text.to_owned() }
}

fn answer(text: String) -> EntryBody {
    EntryBody::Answer { text, cut: false, usage: None, reasoning: Reasoning::default() }
}

/// Eight turns of about 1,500 tokens, and a prompt.
fn long(first: &str, prompt: &str) -> Vec<EntryBody> {
    let mut transcript = vec![asked(first), answer("word ".repeat(1_200))];
    for turn in 1..8 {
        transcript.extend([asked(&format!("OLD-{turn}")), answer("word ".repeat(1_200))]);
    }
    transcript.push(asked(prompt));
    transcript
}

/// Runs the last prompt of a transcript in a window of so many tokens.
async fn run(lane: &Lane, port: &std::sync::Arc<Port>, transcript: Vec<EntryBody>, window: Option<u64>) -> TurnOutcome {
    run_in(lane, port, transcript, window, Dialect::OpenaiChat).await
}

async fn run_in(
    lane: &Lane,
    port: &std::sync::Arc<Port>,
    transcript: Vec<EntryBody>,
    window: Option<u64>,
    dialect: Dialect,
) -> TurnOutcome {
    let mut settings = provider(match dialect {
        Dialect::Gemini => lane.server.base_url().replace("/v1", "/v1beta"),
        _ => lane.server.base_url(),
    });
    (settings.context_window, settings.dialect) = (window, dialect);
    let mut input = lane.input(transcript);
    input.client = ModelClient::new(settings).unwrap();
    // Every entry of the harness is of one prompt; only the last one runs.
    let last = input.transcript.iter().rposition(|entry| matches!(entry.body, EntryBody::Prompt { .. })).unwrap();
    for entry in &mut input.transcript[..last] {
        entry.prompt = Some(PromptId(9));
    }
    lane.start(input, port).await
}

/// Requests for notes, and the others.
fn requests(lane: &Lane) -> (Vec<String>, Vec<Value>) {
    let (notes, others): (Vec<_>, Vec<_>) = lane.server.seen().into_iter().partition(|seen| is_for_notes(&seen.body));
    (notes.into_iter().map(|seen| seen.body.to_string()).collect(), others.into_iter().map(|seen| seen.body).collect())
}

#[tokio::test]
async fn a_conversation_near_its_limit_goes_on_from_notes_in_every_dialect() {
    for dialect in Dialect::ALL {
        let (lane, port) = (Lane::new(), Port::allowing());
        let transcript = long("OLD-0", "%list .\n%say on");
        assert_eq!(run_in(&lane, &port, transcript.clone(), Some(16_000), dialect).await, done("on"), "{dialect:?}");
        let (notes, others) = requests(&lane);
        assert_eq!((notes.len(), others.len()), (1, 2), "{dialect:?}");
        assert!(notes[0].contains("OLD-0") && !notes[0].contains("\"list\""), "quoted, and without tools");
        for body in &others {
            let body = body.to_string();
            assert!(body.contains("GOAL-1") && body.contains("%list .") && !body.contains("OLD-0"), "{body}");
        }
        let made = &port.compactions()[..];
        let [made] = made else { panic!("{made:?}") };
        assert_eq!((made.cause, &made.without_model), (CompactCause::Full, &None));
        assert!(made.after < made.before && made.before > 8_000, "{made:?}");
        let UpTo::Entry(upto) = made.upto else { panic!("{made:?}") };
        assert!(matches!(transcript[upto as usize], EntryBody::Prompt { .. }), "whole turns stay");
        // Counted like every call, and said nowhere as the agent's answer.
        let spends = port.spends.lock().unwrap();
        assert_eq!(spends.len(), 3);
        assert!(spends.iter().all(|(_, end)| end.is_some()));
        assert!(!port.answer.lock().unwrap().contains("GOAL"));
    }
}

#[tokio::test]
async fn a_long_turn_is_compacted_between_its_steps_and_goes_on_after_a_crash_the_same() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let files = |lane: &Lane| {
        for step in 0..12 {
            std::fs::write(
                lane.dir.path().join(format!("f{step}")),
                format!("line of file {step} with words\n").repeat(160),
            )
            .unwrap();
        }
    };
    files(&lane);
    let reads: Vec<String> = (0..12).map(|step| format!("%say STEP-{step}\n%read f{step}\n")).collect();
    let reads = reads.concat();
    let prompt = format!("THE-PROMPT\n{reads}%say all read");
    assert_eq!(run(&lane, &port, vec![asked(&prompt)], Some(16_000)).await, done("all read"));
    let made = port.compactions();
    assert!(!made.is_empty() && made.len() < 5, "{}", made.len());
    assert!(made.iter().any(|made| matches!(made.upto, UpTo::BeforeCall(_))), "{made:?}");
    let (notes, others) = requests(&lane);
    assert_eq!(notes.len(), made.len());
    assert!(notes[1..].iter().all(|body| body.contains("<earlier-notes>")), "later ones build on earlier ones");
    for body in &others {
        let messages = body["messages"].as_array().unwrap();
        assert!(messages[1]["content"].as_str().unwrap().contains("THE-PROMPT"));
        let mut open: Vec<&str> = Vec::new();
        for message in messages {
            for call in message["tool_calls"].as_array().into_iter().flatten() {
                open.push(call["id"].as_str().unwrap());
            }
            if message["role"] == "tool" {
                assert!(open.contains(&message["tool_call_id"].as_str().unwrap()), "an orphan in {body}");
            }
        }
    }
    // Whoever reads the transcript later, tells the model the same as the turn did.
    let mut transcript = vec![asked(&prompt)];
    transcript.extend(port.entries_after(1));
    let last = transcript.iter().rposition(|body| matches!(body, EntryBody::Answer { .. })).unwrap();
    transcript.truncate(last);
    let again = Lane::new();
    files(&again);
    run(&again, &Port::allowing(), transcript, Some(16_000)).await;
    let told = &again.server.seen()[0].body["messages"];
    let before = &others.last().unwrap()["messages"];
    assert_eq!(told[1], before[1]);
    assert_eq!(told.as_array().unwrap().len(), before.as_array().unwrap().len());
}

#[tokio::test]
async fn a_model_that_fails_or_talks_of_something_else_is_asked_three_times() {
    for (order, tries, says) in [
        ("%notes error 500 2", 3, None),
        ("%notes garbage 2", 3, None),
        ("%notes error 500 9", 3, Some("answered 500")),
        ("%notes garbage 9", 3, Some("something else than notes")),
        ("%notes error 401 9", 1, Some("answered 401")),
    ] {
        let (lane, port) = (Lane::new(), Port::allowing());
        let outcome = run(&lane, &port, long(order, "%say on"), Some(16_000)).await;
        assert_eq!(outcome, done("on"), "{order}: the turn goes on in any case");
        let (notes, others) = requests(&lane);
        assert_eq!((notes.len(), others.len()), (tries, 1), "{order}");
        let made = &port.compactions()[0];
        assert_eq!(made.without_model.is_some(), says.is_some(), "{order}: {made:?}");
        if let Some(says) = says {
            assert!(made.without_model.as_ref().unwrap().contains(says), "{order}: {made:?}");
            // From what the person said and what the agent said last.
            assert!(made.notes.goal.contains("OLD-1") && made.notes.next.contains("word"), "{made:?}");
            assert!(others[0].to_string().contains("## Goal"), "{order}");
        }
        let spends = port.spends.lock().unwrap();
        assert_eq!(spends.len(), tries + 1, "each try is counted");
        assert!(spends.iter().all(|(_, end)| end.is_some()));
    }
}

#[tokio::test]
async fn a_budget_that_refuses_the_call_costs_no_try_and_notes_are_made_without_it() {
    let (lane, port) = (Lane::new(), Port::allowing());
    *port.refuse_spends.lock().unwrap() = Some("stopped by budget b1".to_owned());
    run(&lane, &port, long("OLD-0", "%say on"), Some(16_000)).await;
    let made = &port.compactions()[0];
    assert_eq!(made.without_model.as_deref(), Some("stopped by budget b1"));
    assert!(lane.server.seen().is_empty());
}

#[tokio::test]
async fn a_cancel_ends_the_writing_and_keeps_nothing_of_it() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let (server, cancel) = (&lane.server, lane.cancel.clone());
    let stop = async {
        until("the request for notes", || !server.seen().is_empty()).await;
        cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(run(&lane, &port, long("%notes hang", "%say on"), Some(16_000)), stop);
    assert_eq!(outcome, TurnOutcome::Cancelled);
    assert!(port.compactions().is_empty());
    assert!(matches!(port.spends.lock().unwrap()[..], [(_, Some(SpendEnd::Estimated(_) | SpendEnd::Nothing))]));
}

#[tokio::test]
async fn notes_that_cannot_be_kept_stop_the_turn() {
    let (lane, port) = (Lane::new(), Port::allowing());
    *port.refuse_records_after.lock().unwrap() = Some(0);
    let outcome = run(&lane, &port, long("OLD-0", "%say on"), Some(16_000)).await;
    assert!(matches!(outcome, TurnOutcome::Failed { error } if error.contains("disk full")));
    assert_eq!(requests(&lane).1.len(), 0, "nothing is sent that goes by them");
}

#[tokio::test]
async fn a_server_that_takes_less_than_was_known_is_met_with_notes_once_and_remembered() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let refusal = r#"{"error":{"message":"maximum context length is 8192 tokens","code":"context_length_exceeded"}}"#;
    lane.server.push(Reply::document(400, "application/json", refusal));
    let mut input = lane.input(long("OLD-0", "%say fits"));
    for entry in input.transcript.iter_mut().rev().skip(1) {
        entry.prompt = Some(PromptId(9));
    }
    let tools = input.tools.clone();
    assert_eq!(lane.start(input, &port).await, done("fits"));
    let (notes, others) = requests(&lane);
    assert_eq!((notes.len(), others.len()), (1, 2));
    assert!(others[0].to_string().contains("OLD-0") && !others[1].to_string().contains("OLD-0"));
    assert_eq!(port.compactions()[0].cause, CompactCause::Refused);
    // The lane's next turn does not walk into it again.
    let mut input = lane.input(long("OLD-0", "%say fits"));
    for entry in input.transcript.iter_mut().rev().skip(1) {
        entry.prompt = Some(PromptId(9));
    }
    input.tools = tools;
    let port = Port::allowing();
    assert_eq!(lane.start(input, &port).await, done("fits"));
    assert_eq!(port.compactions()[0].cause, CompactCause::Full);
    assert_eq!(requests(&lane).1.len(), 3);
}

fn at_rest(lane: &Lane, transcript: Vec<EntryBody>, focus: Option<&str>) -> CompactInput {
    let input = lane.input(transcript);
    CompactInput {
        client: input.client,
        model: input.model,
        transcript: input.transcript,
        directory: input.directory,
        off: input.off,
        focus: focus.map(str::to_owned),
        cause: CompactCause::Asked,
        hooks: input.hooks,
        environment: input.environment,
        seed: 1,
    }
}

#[tokio::test]
async fn a_conversation_at_rest_is_compacted_on_demand_but_for_its_last_turn() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let files = || std::sync::Arc::new(WorktreeFiles::open(lane.dir.path()).unwrap());
    let run = async |input| compact(input, port.clone(), files(), lane.cancel.clone()).await.1;
    let mut transcript = long("OLD-0", "LAST");
    transcript.push(answer("the last answer".to_owned()));
    let made = run(at_rest(&lane, transcript.clone(), Some("the API"))).await.unwrap();
    assert_eq!(made.upto, UpTo::Entry(16));
    let (notes, _) = requests(&lane);
    assert!(notes[0].contains("keep in view: the API") && !notes[0].contains("LAST"), "{}", notes[0]);
    let noted = NotesEntry {
        upto: 16,
        notes: made.notes,
        cause: made.cause,
        without_model: None,
        before: made.before,
        after: made.after,
    };
    transcript.push(EntryBody::Notes(Box::new(noted)));
    assert_eq!(run(at_rest(&lane, transcript, None)).await, Err(NotCompacted::Nothing));
    assert_eq!(run(at_rest(&lane, Vec::new(), None)).await, Err(NotCompacted::Nothing));
    assert_eq!(lane.server.seen().len(), 1, "nobody is asked for nothing");
}

#[tokio::test]
async fn a_person_gets_plain_notes_from_a_model_that_fails_and_time_alone_gets_none() {
    let (lane, port) = (Lane::new(), Port::allowing());
    for cause in [CompactCause::Asked, CompactCause::Idle] {
        let files = std::sync::Arc::new(WorktreeFiles::open(lane.dir.path()).unwrap());
        let input = CompactInput { cause, ..at_rest(&lane, long("%notes error 401 9", "LAST"), None) };
        let (_, made) = compact(input, port.clone(), files, lane.cancel.clone()).await;
        match (cause, made) {
            (CompactCause::Asked, Ok(made)) => assert!(made.without_model.unwrap().contains("401")),
            (CompactCause::Idle, Err(NotCompacted::Failed(reason))) => assert!(reason.contains("401"), "{reason}"),
            (cause, made) => panic!("{cause:?}: {made:?}"),
        }
    }
}

#[tokio::test]
async fn what_is_quoted_is_cut_and_a_refusal_of_the_request_for_notes_halves_it() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let refusal =
        json!({"error": {"message": "maximum context length", "code": "context_length_exceeded"}}).to_string();
    lane.server.push(Reply::document(400, "application/json", refusal));
    let transcript: Vec<EntryBody> =
        (0..300).flat_map(|turn| [asked(&format!("TURN-{turn}")), answer("word ".repeat(700))]).collect();
    let files = std::sync::Arc::new(WorktreeFiles::open(lane.dir.path()).unwrap());
    let made = compact(at_rest(&lane, transcript, None), port, files, lane.cancel.clone()).await.1.unwrap();
    assert_eq!(made.without_model, None);
    let (notes, _) = requests(&lane);
    assert_eq!(notes.len(), 2);
    assert!(notes[1].len() < notes[0].len() * 2 / 3, "{} {}", notes[0].len(), notes[1].len());
    assert!(notes[1].contains("TURN-0") && notes[1].contains("messages are left out here"));
}

#[tokio::test]
async fn a_hook_is_asked_before_and_may_say_what_counts_or_block_it() {
    let mut lane = Lane::new();
    lane.hooks = vec![
        says(HookEvent::BeforeCompaction, &json!({"decision": "inject", "text": "keep the schema"})),
        hook(HookEvent::BeforeCompaction, "cat > asked"),
    ];
    let files = || std::sync::Arc::new(WorktreeFiles::open(lane.dir.path()).unwrap());
    let port = Port::allowing();
    let input = at_rest(&lane, long("OLD-0", "LAST"), None);
    let (said, made) = compact(input, port.clone(), files(), lane.cancel.clone()).await;
    assert!(made.is_ok() && said.len() == 1 && said[0].1.contains("keep the schema"), "{said:?} {made:?}");
    assert!(requests(&lane).0[0].contains("keep in view: keep the schema"));
    let asked = std::fs::read_to_string(lane.dir.path().join("asked")).unwrap();
    assert!(asked.contains("\"trigger\":\"manual\""), "{asked}");

    lane.hooks = vec![says(HookEvent::BeforeCompaction, &json!({"decision": "block", "reason": "not now"}))];
    let input = at_rest(&lane, long("OLD-0", "LAST"), None);
    let (said, made) = compact(input, port.clone(), files(), lane.cancel.clone()).await;
    let blocked = matches!(&made, Err(NotCompacted::Blocked(words)) if words.ends_with("blocks it: not now"));
    assert!(blocked && said.len() == 1, "{said:?} {made:?}");
    // A turn goes on without notes, and asks once.
    assert!(matches!(
        run(&lane, &port, long("OLD-0", "%read a\n%say on"), Some(12_000)).await,
        TurnOutcome::Done { .. }
    ));
    assert_eq!(requests(&lane).0.len(), 1, "no further notes");
    assert_eq!(port.notices().iter().filter(|notice| notice.contains("blocks: not now")).count(), 1);
}
