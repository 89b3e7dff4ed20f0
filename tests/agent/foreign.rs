//! Turns against model servers that are not ours: streaming, tools, errors and cancellation through each.
//!
//! Runs only where `PARALANE_FOREIGN_SERVERS` names some; `tests/foreign/README.md` says how to start them. An entry
//! is `KIND,DIALECT,BASE_URL,MODEL[,KEY]`, entries stand between blanks. The kind says what to expect of the model:
//! `scripted` follows the prompts of `tests/support/model_server.rs`, `tiny` those of `tests/foreign/tiny_llama.py`.

use paralane::agent::{ApiKey, ModelClient, Provider};
use paralane::config::Dialect;
use paralane::domain::{EntryBody, TurnOutcome, TurnRecord};

use crate::harness::{Lane, Port, error, provider, until};

struct Server {
    kind: String,
    dialect: Dialect,
    url: String,
    model: String,
    key: String,
}

fn servers() -> Vec<Server> {
    let named = std::env::var("PARALANE_FOREIGN_SERVERS").unwrap_or_default();
    let read = |entry: &str| {
        let parts: Vec<&str> = entry.split(',').collect();
        let [kind, dialect, url, model, more @ ..] = &parts[..] else { panic!("`{entry}` lacks something") };
        Server {
            kind: (*kind).to_owned(),
            dialect: Dialect::ALL.into_iter().find(|known| known.word() == *dialect).expect("a dialect"),
            url: (*url).to_owned(),
            model: (*model).to_owned(),
            key: more.first().unwrap_or(&"sk-none").to_string(),
        }
    };
    named.split_whitespace().map(read).collect()
}

impl Server {
    fn lane(&self) -> Lane {
        let mut lane = Lane::new();
        let reached =
            Provider { dialect: self.dialect, api_key: Some(ApiKey::new(&self.key)), ..provider(self.url.clone()) };
        lane.client = ModelClient::new(reached).unwrap();
        lane
    }

    async fn ask(&self, lane: &Lane, model: &str, prompt: &str, port: &std::sync::Arc<Port>) -> TurnOutcome {
        let mut input = lane.input(vec![EntryBody::Prompt { text: prompt.into() }]);
        model.clone_into(&mut input.model);
        input.max_steps = 4;
        lane.start(input, port).await
    }

    /// The prompts for words, for a call of `list`, and for words without end.
    fn prompts(&self) -> [&'static str; 3] {
        match self.kind.as_str() {
            "scripted" => {
                ["%say Hello world.", "%think a plan\n%list .\n%say All done.", "%say again and again\n%hang"]
            }
            _ => ["Hello?", "please list", "go on forever"],
        }
    }
}

#[tokio::test]
async fn words_are_streamed_and_counted() {
    for server in servers() {
        let at = format!("{} {} {}", server.dialect.word(), server.url, server.model);
        let (lane, port) = (server.lane(), Port::allowing());
        let outcome = server.ask(&lane, &server.model, server.prompts()[0], &port).await;
        assert_eq!(outcome, TurnOutcome::Done { answer: "Hello world.".into() }, "{at}");
        assert_eq!(*port.answer.lock().unwrap(), "Hello world.", "{at}");
        let records = port.records.lock().unwrap();
        let TurnRecord::Step { usage, .. } = &records[0] else { panic!("{at}: {records:?}") };
        assert!(usage.is_some_and(|usage| usage.input > 0 && usage.output > 0), "{at}: {usage:?}");
    }
}

#[tokio::test]
async fn a_tool_is_called_and_its_result_understood() {
    for server in servers() {
        let at = format!("{} {} {}", server.dialect.word(), server.url, server.model);
        let (lane, port) = (server.lane(), Port::allowing());
        std::fs::write(lane.dir.path().join("a.txt"), "x").unwrap();
        let outcome = server.ask(&lane, &server.model, server.prompts()[1], &port).await;
        assert_eq!(outcome, TurnOutcome::Done { answer: "All done.".into() }, "{at}");
        let outcomes = port.outcomes();
        assert!(matches!(&outcomes[..], [one] if one.ok && one.output.contains("a.txt")), "{at}: {outcomes:?}");
        let records = port.records.lock().unwrap();
        let TurnRecord::Step { reasoning, .. } = &records[0] else { panic!("{at}: {records:?}") };
        println!("{at}: thoughts {:?}, {} parts to send back", reasoning.text, reasoning.parts.len());
    }
}

#[tokio::test]
async fn refusals_are_told_and_the_key_is_not() {
    for server in servers() {
        let at = format!("{} {} {}", server.dialect.word(), server.url, server.model);
        let (lane, port) = (server.lane(), Port::allowing());
        let told = match server.kind.as_str() {
            "scripted" => error(server.ask(&lane, &server.model, "%error 403 99\n%say x", &port).await),
            // Far more than the model's window.
            _ => error(server.ask(&lane, &server.model, &"word ".repeat(5_000), &port).await),
        };
        assert!(told.contains(if server.kind == "scripted" { "403" } else { "longer than the model" }), "{at}: {told}");
        assert!(!told.contains(&server.key), "{at}: {told}");
        println!("{at}: {told}");
    }
}

#[tokio::test]
async fn passing_errors_are_tried_again() {
    for server in servers().into_iter().filter(|server| server.kind == "scripted") {
        let at = format!("{} {} {}", server.dialect.word(), server.url, server.model);
        let (lane, port) = (server.lane(), Port::allowing());
        // Each run needs words of its own: the scripted server counts its refusals by them.
        let prompt = format!("{}\n%error 503 2\n%say fine", lane.dir.path().display());
        let outcome = server.ask(&lane, &server.model, &prompt, &port).await;
        assert_eq!(outcome, TurnOutcome::Done { answer: "fine".into() }, "{at}");
        println!("{at}: {:?}", port.phases.lock().unwrap());
    }
}

#[tokio::test]
async fn cancel_drops_the_stream() {
    for server in servers() {
        let (lane, port) = (server.lane(), Port::allowing());
        let turn = server.ask(&lane, &server.model, server.prompts()[2], &port);
        let cancel = async {
            until("the text", || !port.answer.lock().unwrap().is_empty()).await;
            lane.cancel.cancel();
        };
        assert_eq!(tokio::join!(turn, cancel).0, TurnOutcome::Cancelled);
        let records = port.records.lock().unwrap();
        assert!(matches!(&records[0], TurnRecord::Step { cut: true, .. }), "{records:?}");
    }
}

#[tokio::test]
async fn models_are_listed() {
    for server in servers().into_iter().filter(|server| server.dialect != Dialect::Gemini) {
        let names = server.lane().client.list_models().await;
        assert!(names.as_ref().is_ok_and(|names| !names.is_empty()), "{}: {names:?}", server.url);
    }
}
