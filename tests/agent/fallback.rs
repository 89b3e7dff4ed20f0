//! The next provider goes on where one does not answer, and the transcript says so.

use std::time::Duration;

use paralane::agent::{Backend, ModelClient, Provider, RetryPolicy};
use paralane::config::Dialect;
use paralane::domain::{EntryBody, TurnOutcome, TurnRecord};
use serde_json::json;

use crate::harness::{Lane, Port, done, error, provider, until};
use crate::model_server::{End, ModelServer, Reply};

/// A lane whose first provider is `first` and that may go on with `second`, by their servers.
fn lane(more: &[(&ModelServer, Dialect)]) -> (Lane, Vec<Backend>) {
    let mut lane = Lane::new();
    let named = |name: &str, url: String, dialect| Provider { name: name.into(), dialect, ..provider(url) };
    lane.client = ModelClient::new(named("first", lane.server.base_url(), Dialect::OpenaiChat)).unwrap();
    let backend = |(at, (server, dialect)): (usize, &(&ModelServer, Dialect))| Backend {
        client: ModelClient::new(named(&format!("next{at}"), server.base_url(), *dialect)).unwrap(),
        model: format!("model-{at}"),
    };
    (lane, more.iter().enumerate().map(backend).collect())
}

async fn run(lane: &Lane, fallback: Vec<Backend>, prompt: &str, port: &std::sync::Arc<Port>) -> TurnOutcome {
    let mut input = lane.input(vec![EntryBody::Prompt { text: prompt.into() }]);
    input.fallback = fallback;
    lane.start(input, port).await
}

#[tokio::test]
async fn the_next_provider_goes_on_in_its_own_dialect_and_stays() {
    let second = ModelServer::start();
    let (lane, fallback) = lane(&[(&second, Dialect::Anthropic)]);
    let port = Port::allowing();
    lane.server.push(Reply::calls(&[("list", json!({}))]));
    lane.server.push(Reply::error(401));
    assert_eq!(run(&lane, fallback, "%list\n%list\n%say fine", &port).await, done("fine"));
    assert_eq!((lane.server.seen().len(), second.seen().len()), (2, 2), "it stays for the turn");
    let notices = port.notices();
    assert_eq!(notices.len(), 1);
    for words in ["401", "provider `first` did not answer", "`next0` (model-0) goes on"] {
        assert!(notices[0].contains(words), "{notices:?}");
    }
    assert_eq!(second.seen()[0].body["model"], "model-0");
    assert!(second.seen()[0].path.ends_with("/messages"));
    // The next turn asks the first again.
    let (lane, _) = self::lane(&[]);
    assert_eq!(run(&lane, Vec::new(), "%say hi", &Port::allowing()).await, done("hi"));
}

#[tokio::test]
async fn each_provider_is_tried_its_times_and_the_last_error_is_told() {
    let (second, third) = (ModelServer::start(), ModelServer::start());
    let (lane, fallback) = lane(&[(&second, Dialect::OpenaiChat), (&third, Dialect::Gemini)]);
    let port = Port::allowing();
    let error = error(run(&lane, fallback, "%error 503 99\n%say x", &port).await);
    assert!(error.contains("503") && error.contains("tried 6 times"), "{error}");
    assert_eq!([lane.server.seen().len(), second.seen().len(), third.seen().len()], [6, 6, 6]);
    assert_eq!(port.notices().len(), 2);
}

#[tokio::test]
async fn a_long_wait_that_the_server_asks_for_is_spent_with_the_next() {
    let second = ModelServer::start();
    let (lane, fallback) = lane(&[(&second, Dialect::OpenaiResponses)]);
    let port = Port::allowing();
    lane.server.push(Reply::error(429).header("retry-after", "3600"));
    assert_eq!(run(&lane, fallback, "%say fine", &port).await, done("fine"));
    assert_eq!(lane.server.seen().len(), 1);
    assert!(port.notices()[0].contains("asks to wait 3600 s"), "{:?}", port.notices());
}

#[tokio::test]
async fn answers_that_keep_breaking_are_given_to_the_next() {
    let second = ModelServer::start();
    let (lane, fallback) = lane(&[(&second, Dialect::OpenaiChat)]);
    let port = Port::allowing();
    let half = json!({"choices": [{"delta": {"content": "half"}}]});
    for _ in 0..2 {
        lane.server.push(Reply::pieces(&[&format!("data: {half}\n\n")], End::Abort));
    }
    assert_eq!(run(&lane, fallback, "%say whole", &port).await, done("whole"));
    assert_eq!((lane.server.seen().len(), second.seen().len(), port.notices().len()), (2, 1, 1));
    let cut = |record: &&TurnRecord| matches!(record, TurnRecord::Step { cut: true, .. });
    assert_eq!(port.records.lock().unwrap().iter().filter(cut).count(), 2, "what was shown is kept");
}

#[tokio::test]
async fn a_conversation_that_is_too_long_stays_with_its_provider() {
    let second = ModelServer::start();
    let (lane, fallback) = lane(&[(&second, Dialect::OpenaiChat)]);
    let body = json!({"error": {"message": "too much", "code": "context_length_exceeded"}}).to_string();
    lane.server.push(Reply::document(400, "application/json", body));
    let error = error(run(&lane, fallback, "x", &Port::allowing()).await);
    assert!(error.contains("longer than the model"), "{error}");
    assert!(second.seen().is_empty());
}

#[tokio::test]
async fn cancel_between_two_tries_asks_nobody_else() {
    let second = ModelServer::start();
    let (mut lane, fallback) = lane(&[(&second, Dialect::OpenaiChat)]);
    let mut slow = provider(lane.server.base_url());
    slow.retry = RetryPolicy { first: Duration::from_secs(3000), ..RetryPolicy::default() };
    lane.client = ModelClient::new(slow).unwrap();
    let port = Port::allowing();
    let turn = run(&lane, fallback, "%error 500 9\n%say x", &port);
    let cancel = async {
        until("the retry", || port.phases.lock().unwrap().iter().any(|words| words.starts_with("retrying"))).await;
        lane.cancel.cancel();
    };
    assert_eq!(tokio::join!(turn, cancel).0, TurnOutcome::Cancelled);
    assert!(second.seen().is_empty() && port.notices().is_empty());
}
