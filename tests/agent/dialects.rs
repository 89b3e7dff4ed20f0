//! The same turns and the same misbehaviour in all four dialects.

use std::sync::Arc;
use std::time::Duration;

use paralane::agent::{ApiKey, ModelClient, Provider};
use paralane::config::Dialect;
use paralane::domain::{EntryBody, TurnOutcome, TurnRecord};
use serde_json::{Value, json};

use crate::harness::{KEY, Lane, Port, done, error, provider, until};
use crate::model_server::{self, End, Reply, Step};

/// Each dialect with the scripted server's name for it.
const DIALECTS: [(Dialect, model_server::Dialect); 4] = [
    (Dialect::OpenaiChat, model_server::Dialect::Chat),
    (Dialect::OpenaiResponses, model_server::Dialect::Responses),
    (Dialect::Anthropic, model_server::Dialect::Anthropic),
    (Dialect::Gemini, model_server::Dialect::Gemini),
];

/// A provider of this dialect at the scripted server.
fn speaking(dialect: Dialect, lane: &Lane) -> Provider {
    let root = lane.server.base_url().replace("/v1", "");
    let base = if dialect == Dialect::Gemini { format!("{root}/v1beta") } else { format!("{root}/v1") };
    Provider { dialect, ..provider(base) }
}

fn lane(dialect: Dialect) -> Lane {
    let mut lane = Lane::new();
    lane.client = ModelClient::new(speaking(dialect, &lane)).unwrap();
    lane
}

/// The streamed reply of a step, with its pieces changed.
fn changed(wire: model_server::Dialect, step: &Step, change: impl Fn(String) -> String) -> Reply {
    let mut reply = wire.reply(step);
    for piece in &mut reply.pieces {
        *piece = change(String::from_utf8(std::mem::take(piece)).unwrap()).into_bytes();
    }
    reply
}

fn say(text: &str) -> Step {
    Step { text: text.into(), ..Step::default() }
}

fn call(tool: &str, arguments: Value) -> Step {
    Step { calls: vec![(tool.into(), arguments.to_string())], ..Step::default() }
}

/// Runs a prompt that the server answers with this reply first.
async fn replied(dialect: Dialect, reply: Reply, prompt: &str) -> (Lane, Arc<Port>, TurnOutcome) {
    let (lane, port) = (lane(dialect), Port::allowing());
    lane.server.push(reply);
    let outcome = lane.prompt(prompt, &port).await;
    (lane, port, outcome)
}

#[tokio::test]
async fn a_turn_with_thoughts_and_tools_goes_through_in_every_dialect() {
    for (dialect, _) in DIALECTS {
        let (lane, port) = (lane(dialect), Port::allowing());
        let script = "%think a plan\n%say I write\n%write a.txt one\n%+sh cat a.txt\n%read a.txt\n%say all done, wörld";
        assert_eq!(lane.prompt(script, &port).await, done("all done, wörld"), "{dialect:?}");
        assert_eq!(lane.read("a.txt").as_deref(), Some("one"));
        assert_eq!(
            port.outcomes().iter().filter(|outcome| outcome.ok).count(),
            3,
            "{dialect:?}: {:?}",
            port.outcomes()
        );
        assert_eq!(*port.reasoning.lock().unwrap(), "a plan", "{dialect:?}");
        assert!(port.answer.lock().unwrap().ends_with("all done, wörld"));
        let records = port.records.lock().unwrap();
        let TurnRecord::Step { usage: Some(usage), reasoning, .. } = &records[0] else { panic!("{records:?}") };
        assert_eq!((usage.input, usage.output), (100, 10), "{dialect:?}");
        assert_eq!(reasoning.text, "a plan");
        drop(records);
        let seen = lane.server.seen();
        assert_eq!(seen.len(), 3);
        // The sealed thoughts went back, the key into its header and nowhere else.
        let sealed = seen[2].body.to_string().contains("SEALED");
        assert_eq!(sealed, dialect != Dialect::OpenaiChat, "{dialect:?}: {}", seen[2].body);
        let (header, value) = match dialect {
            Dialect::OpenaiChat | Dialect::OpenaiResponses => ("authorization", format!("Bearer {KEY}")),
            Dialect::Anthropic => ("x-api-key", KEY.to_owned()),
            Dialect::Gemini => ("x-goog-api-key", KEY.to_owned()),
        };
        assert_eq!(seen[0].headers[header], value);
        assert!(seen.iter().all(|seen| !seen.body.to_string().contains(KEY) && !seen.path.contains(KEY)));
    }
}

#[tokio::test]
async fn thoughts_survive_a_restart_and_go_back() {
    for (dialect, _) in DIALECTS.into_iter().filter(|(dialect, _)| *dialect != Dialect::OpenaiChat) {
        let (lane, port) = (lane(dialect), Port::allowing());
        let script = "%think a plan\n%list\n%say done";
        assert_eq!(lane.prompt(script, &port).await, done("done"));
        // As it comes out of the store after a restart: as JSON, cut behind the call.
        let mut entries = vec![EntryBody::Prompt { text: script.into() }];
        entries.extend(port.entries().into_iter().take(2));
        let entries = serde_json::from_str(&serde_json::to_string(&entries).unwrap()).unwrap();
        let again = Port::allowing();
        assert_eq!(lane.start(lane.input(entries), &again).await, done("done"));
        let seen = lane.server.seen();
        assert_eq!(seen.len(), 3);
        let conversation = |body: &Value| ["messages", "input", "contents"].map(|name| body[name].clone());
        assert_eq!(conversation(&seen[2].body), conversation(&seen[1].body), "{dialect:?}: the same to the last byte");
        assert!(seen[2].body.to_string().contains("SEALED"));
    }
}

#[tokio::test]
async fn odd_line_ends_comments_and_silence_between_events_do_not_matter() {
    for (dialect, wire) in DIALECTS {
        let reply = changed(wire, &say("fine"), |piece| {
            format!(": PROCESSING\r\n\r\n{}: keep-alive\r\n\r\n", piece.replace('\n', "\r\n"))
        });
        assert_eq!(replied(dialect, reply, "x").await.2, done("fine"), "{dialect:?}");
        // Events cut into single bytes, and all in one piece.
        let mut bytes = wire.reply(&say("fine"));
        bytes.pieces = bytes.pieces.concat().chunks(1).map(<[u8]>::to_vec).collect();
        assert_eq!(replied(dialect, bytes, "x").await.2, done("fine"), "{dialect:?}");
        let mut whole = wire.reply(&say("fine"));
        whole.pieces = vec![whole.pieces.concat()];
        assert_eq!(replied(dialect, whole, "x").await.2, done("fine"), "{dialect:?}");
        // One document, whatever it calls itself.
        for kind in ["application/json", "text/event-stream", "text/plain"] {
            let document = Reply::document(200, kind, wire.document(&say("fine")).to_string());
            assert_eq!(replied(dialect, document, "x").await.2, done("fine"), "{dialect:?} {kind}");
        }
    }
}

#[tokio::test]
async fn what_hangs_after_the_whole_answer_is_not_waited_for() {
    for (dialect, wire) in DIALECTS {
        for end in [End::Hang, End::Abort] {
            let mut reply = wire.reply(&call("list", json!({})));
            reply.pieces.retain(|piece| !piece.starts_with(b"data: [DONE]"));
            reply.end = end;
            let (lane, port, outcome) = replied(dialect, reply, "%list\n%say on").await;
            assert_eq!(outcome, done("on"), "{dialect:?} {end:?}");
            assert_eq!((lane.server.seen().len(), port.outcomes().len()), (2, 1));
        }
    }
}

#[tokio::test]
async fn a_call_cut_off_is_never_run_in_any_dialect() {
    for (dialect, wire) in DIALECTS {
        let step = call("shell", json!({"command": "touch cut"}));
        let mut events = wire.saying(&step);
        events.extend(wire.calling(&step));
        for end in [End::Clean, End::Abort] {
            // Whole arguments, but the server never said that the answer is complete.
            let mut reply = wire.stream(&events);
            reply.end = end;
            let (lane, port, outcome) = replied(dialect, reply, "%say again").await;
            assert_eq!(outcome, done("again"), "{dialect:?}");
            assert!(port.requests.lock().unwrap().is_empty() && lane.read("cut").is_none(), "{dialect:?}");
        }
        let (lane, port) = (lane(dialect), Port::allowing());
        let error = error(lane.prompt("%cut", &port).await);
        assert!(error.contains("cut off"), "{error}");
        assert!(port.requests.lock().unwrap().is_empty() && lane.read("cut").is_none());
    }
}

#[tokio::test]
async fn a_break_in_the_text_is_kept_and_asked_again() {
    for (dialect, wire) in DIALECTS {
        let mut reply = wire.stream(&wire.saying(&say("half")));
        reply.end = End::Abort;
        let (lane, port, outcome) = replied(dialect, reply, "%say whole").await;
        assert_eq!(outcome, done("whole"), "{dialect:?}");
        let records = port.records.lock().unwrap();
        assert!(matches!(&records[0], TurnRecord::Step { text, cut: true, .. } if text == "half"), "{records:?}");
        assert!(!lane.server.seen()[1].body.to_string().contains("half"));
    }
}

#[tokio::test]
async fn web_pages_and_foreign_bodies_are_told_once() {
    for (dialect, _) in DIALECTS {
        for reply in [
            Reply::document(200, "text/html; charset=utf-8", "<html>Welcome</html>"),
            Reply::document(200, "text/plain", "<html>Welcome</html>"),
        ] {
            let (lane, _, outcome) = replied(dialect, reply, "x").await;
            let error = error(outcome);
            assert!(error.contains("200") && error.contains("<html>Welcome") && error.contains("`/v1`"), "{error}");
            assert_eq!(lane.server.seen().len(), 1);
        }
    }
}

#[tokio::test]
async fn errors_within_200_are_told_or_tried_again() {
    for (dialect, wire) in DIALECTS {
        let refusal = wire.error(401, &format!("bad key {KEY}"));
        for reply in [
            Reply::document(200, "application/json", refusal.to_string()),
            wire.stream(std::slice::from_ref(&refusal)),
            Reply::pieces(&[&format!("event: error\ndata: {refusal}\n\n")], End::Clean),
        ] {
            let (lane, _, outcome) = replied(dialect, reply, "x").await;
            let error = error(outcome);
            assert!(error.contains("bad key [key]") && !error.contains("SENTINEL"), "{error}");
            assert_eq!(lane.server.seen().len(), 1, "{dialect:?}");
        }
        let busy = json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy", "code": 529}});
        let (lane, _, outcome) = replied(dialect, wire.stream(&[busy]), "%say fine").await;
        assert_eq!((outcome, lane.server.seen().len()), (done("fine"), 2), "{dialect:?}");
    }
}

#[tokio::test]
async fn a_conversation_that_is_too_long_is_an_error_of_its_own() {
    for (dialect, wire) in DIALECTS {
        let words = match dialect {
            Dialect::OpenaiChat => "This model's maximum context length is 8192 tokens.",
            Dialect::OpenaiResponses => "Your input exceeds the context window of this model.",
            Dialect::Anthropic => "prompt is too long: 210000 tokens > 200000 maximum",
            Dialect::Gemini => "The input token count exceeds the maximum number of tokens allowed (1048576).",
        };
        let refusal = wire.error(400, words);
        for reply in [
            Reply::document(400, "application/json", refusal.to_string()),
            Reply::document(500, "application/json", refusal.to_string()),
            wire.stream(std::slice::from_ref(&refusal)),
        ] {
            let (lane, _, outcome) = replied(dialect, reply, "x").await;
            let error = error(outcome);
            assert!(error.contains("longer than the model") && error.contains(words), "{error}");
            assert_eq!(lane.server.seen().len(), 1, "{dialect:?}: asking again does not help");
        }
    }
}

#[tokio::test]
async fn limits_and_outages_are_waited_for_as_the_server_asks() {
    for (dialect, wire) in DIALECTS {
        let refused = |status: u16| Reply::document(status, "application/json", wire.error(status, "busy").to_string());
        let (lane, port) = (lane(dialect), Port::allowing());
        lane.server.push(refused(429).header("retry-after", "0"));
        lane.server.push(refused(503).header("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"));
        lane.server.push(refused(529).header("retry-after-ms", "1"));
        lane.server.push(refused(500));
        lane.server.push(Reply::pieces(&[], End::Clean));
        assert_eq!(lane.prompt("%say fine", &port).await, done("fine"), "{dialect:?}");
        let retries = port.phases.lock().unwrap().iter().filter(|words| words.starts_with("retrying in")).count();
        assert_eq!((retries, lane.server.seen().len()), (5, 6), "{dialect:?}");
        // What says that trying again is in vain is not tried again; what says the opposite is.
        let (lane, _, outcome) = replied(dialect, refused(500).header("x-should-retry", "false"), "x").await;
        assert!(error(outcome).contains("busy") && lane.server.seen().len() == 1);
        let (lane, _, outcome) = replied(dialect, refused(400).header("x-should-retry", "true"), "%say fine").await;
        assert_eq!((outcome, lane.server.seen().len()), (done("fine"), 2));
    }
}

#[tokio::test]
async fn a_silent_stream_is_dead_and_cancel_drops_it_at_once() {
    for (dialect, wire) in DIALECTS {
        let (mut lane, port) = (lane(dialect), Port::allowing());
        let impatient = Provider { idle: Duration::from_millis(300), ..speaking(dialect, &lane) };
        lane.client = ModelClient::new(impatient).unwrap();
        let mut reply = wire.stream(&wire.saying(&say("")));
        reply.end = End::Hang;
        lane.server.push(reply);
        assert_eq!(lane.prompt("%say back", &port).await, done("back"), "{dialect:?}");

        let (lane, port) = (self::lane(dialect), Port::allowing());
        let turn = lane.prompt("%say half an answer\n%hang", &port);
        let cancel = async {
            until("the text", || !port.answer.lock().unwrap().is_empty()).await;
            lane.cancel.cancel();
        };
        assert_eq!(tokio::join!(turn, cancel).0, TurnOutcome::Cancelled);
        until("the request to be dropped", || lane.server.open() == 0).await;
    }
}

#[tokio::test]
async fn broken_calls_are_told_to_the_model_and_the_turn_goes_on() {
    for (dialect, _) in DIALECTS {
        let (lane, port) = (lane(dialect), Port::allowing());
        let script = "%call fly {}\n%+call read {\"path\": \n%+call read {\"file\": \"x\"}\n%say sorry";
        assert_eq!(lane.prompt(script, &port).await, done("sorry"), "{dialect:?}");
        assert_eq!(port.outcomes().iter().filter(|outcome| !outcome.ok).count(), 3);
        let told = lane.server.seen().pop().unwrap().body.to_string();
        assert!(told.contains("no tool `fly`") && told.contains("valid JSON"), "{dialect:?}: {told}");
    }
}

#[tokio::test]
async fn an_empty_answer_is_asked_again_and_then_told() {
    for (dialect, wire) in DIALECTS {
        let (lane, port) = (lane(dialect), Port::allowing());
        for _ in 0..3 {
            lane.server.push(wire.reply(&say("")));
        }
        let error = error(lane.prompt("x", &port).await);
        assert!(error.contains("answered nothing, 3 times"), "{dialect:?}: {error}");
        let (lane, _, outcome) = replied(dialect, wire.reply(&say("")), "%say words").await;
        assert_eq!((outcome, lane.server.seen().len()), (done("words"), 2));
    }
}

#[tokio::test]
async fn refusals_teach_each_dialect_what_to_leave_out() {
    let refuse = |wire: model_server::Dialect, words: &str| {
        Reply::document(400, "application/json", wire.error(400, words).to_string())
    };
    for (dialect, wire, words, gone) in [
        (DIALECTS[0].0, DIALECTS[0].1, "Unrecognized request argument: stream_options", "stream_options"),
        (DIALECTS[1].0, DIALECTS[1].1, "include: reasoning.encrypted_content is not known", "include"),
        (DIALECTS[2].0, DIALECTS[2].1, "cache_control: Extra inputs are not permitted", "cache_control"),
    ] {
        let (lane, _, outcome) = replied(dialect, refuse(wire, words), "%list\n%say fine").await;
        assert_eq!(outcome, done("fine"), "{dialect:?}");
        let seen = lane.server.seen();
        let field = format!("\"{gone}\":");
        assert!(seen[0].body.to_string().contains(&field), "{dialect:?}");
        assert!(seen[1..].iter().all(|seen| !seen.body.to_string().contains(&field)), "{dialect:?}");
    }
    let many = "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens";
    let (lane, _, _) = replied(Dialect::Anthropic, refuse(DIALECTS[2].1, many), "%say fine").await;
    assert_eq!(lane.server.seen()[1].body["max_tokens"], 8192);
}

#[tokio::test]
async fn headers_and_query_go_with_every_request() {
    let mut lane = Lane::new();
    let mut azure = provider(lane.server.base_url());
    azure.api_key_header = Some("api-key".into());
    azure.query.insert("api-version".into(), "2024-10-21".into());
    azure.headers.insert("x-team".into(), "blue".into());
    azure.secret_headers.insert("x-gateway-key".into(), ApiKey::new("gw-SENTINEL"));
    assert!(!format!("{azure:?}").contains("SENTINEL"));
    lane.client = ModelClient::new(azure).unwrap();
    lane.server.push(Reply::document(401, "text/plain", format!("no {KEY} and no gw-SENTINEL")));
    let error = error(lane.prompt("x", &Port::allowing()).await);
    assert!(!error.contains("SENTINEL") && !error.contains("2024"), "{error}");
    assert_eq!(lane.client.list_models().await.unwrap(), ["scripted", "other"]);
    let seen = lane.server.seen().remove(0);
    assert_eq!(seen.path, "/v1/chat/completions?api-version=2024-10-21");
    assert_eq!((&seen.headers["api-key"], &seen.headers["x-team"]), (&KEY.parse().unwrap(), &"blue".parse().unwrap()));
    assert_eq!(seen.headers["x-gateway-key"], "gw-SENTINEL");
    assert!(seen.headers.get("authorization").is_none());
}
