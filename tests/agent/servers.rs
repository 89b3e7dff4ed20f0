//! Servers that misbehave: each ends in the right answer or in words a person can act on.

use std::time::Duration;

use paralane::agent::{ApiKey, ModelClient, Provider, ProxySettings, RetryPolicy};
use paralane::domain::{TurnOutcome, TurnRecord};
use serde_json::json;

use crate::harness::{KEY, Lane, Port, done, error, provider, until};
use crate::model_server::{End, Reply};

async fn fails_with(reply: Reply, words: &[&str]) {
    let lane = Lane::new();
    lane.server.push(reply);
    let error = error(lane.prompt("hello", &Port::allowing()).await);
    for words in words.iter().chain(&["/v1/chat/completions"]) {
        assert!(error.contains(words), "`{words}` is missing: {error}");
    }
    assert!(!error.contains("SENTINEL"), "{error}");
    assert_eq!(lane.server.seen().len(), 1, "tried again in vain: {error}");
}

#[tokio::test]
async fn a_streamed_answer_is_shown_and_kept() {
    let (lane, port) = (Lane::new(), Port::allowing());
    assert_eq!(lane.prompt("%think secret thoughts\n%say hello, wörld", &port).await, done("hello, wörld"));
    assert_eq!(*port.answer.lock().unwrap(), "hello, wörld");
    let records = port.records.lock().unwrap();
    let [TurnRecord::Step { text, cut: false, usage: Some(usage), .. }] = &records[..] else { panic!("{records:?}") };
    assert_eq!((text.as_str(), usage.input, usage.output), ("hello, wörld", 100, 10));
    let seen = lane.server.seen().remove(0);
    assert_eq!(seen.headers["authorization"], format!("Bearer {KEY}"));
    let tools: Vec<&str> =
        seen.body["tools"].as_array().unwrap().iter().filter_map(|t| t["function"]["name"].as_str()).collect();
    assert!(tools.len() > 20 && tools.contains(&"edit") && tools.contains(&"reserve"), "{tools:?}");
    assert_eq!(seen.body["stream_options"]["include_usage"], true);
    assert!(seen.body["messages"][0]["content"].as_str().unwrap().contains(lane.dir.path().to_str().unwrap()));
}

#[tokio::test]
async fn html_with_200_is_an_error_with_a_hint() {
    let reply = Reply::document(200, "text/html; charset=utf-8", "<html>Welcome</html>");
    fails_with(reply, &["200", "text/html", "<html>Welcome", "end in `/v1`"]).await;
    fails_with(Reply::document(200, "text/plain", "hello there"), &["200", "text/plain", "hello there"]).await;
}

#[tokio::test]
async fn an_error_within_200_is_an_error() {
    let body = json!({"error": {"message": format!("bad key {KEY}")}}).to_string();
    fails_with(Reply::document(200, "application/json", body.clone()), &["bad key [key]"]).await;
    fails_with(Reply::pieces(&[&format!("data: {body}\n\n")], End::Clean), &["bad key [key]"]).await;
}

#[tokio::test]
async fn refusals_name_status_and_remedy() {
    let wrong_key = json!({"error": {"message": format!("Incorrect API key: {KEY}")}}).to_string();
    fails_with(Reply::document(401, "application/json", wrong_key), &["401", "[key]", "`api_key_env`"]).await;
    fails_with(Reply::error(404), &["404", "`base_url`"]).await;
    fails_with(Reply::document(302, "text/plain", "").header("location", "http://elsewhere/"), &["302"]).await;
    let quota = json!({"error": {"message": "no credit", "code": "insufficient_quota"}}).to_string();
    fails_with(Reply::document(429, "application/json", quota), &["429", "no credit"]).await;
    let far = Reply::error(429).header("retry-after", "3600");
    fails_with(far, &["429", "tried once; the server asks to wait 3600 s"]).await;
}

#[tokio::test]
async fn garbage_is_an_error() {
    fails_with(Reply::pieces(&["data: {\"choices\": [{\n\n"], End::Clean), &["instead of a model's answer", "choices"])
        .await;
    fails_with(Reply::document(200, "application/json", "[]"), &["200", "[]"]).await;
}

#[tokio::test]
async fn a_502_page_of_a_proxy_is_tried_again_and_then_told() {
    let (lane, port) = (Lane::new(), Port::allowing());
    for _ in 0..6 {
        lane.server.push(Reply::document(502, "text/html", format!("<html>squid {}", "x".repeat(900))));
    }
    let error = error(lane.prompt("hello", &port).await);
    assert!(error.contains("502") && error.contains("squid") && error.contains("tried 6 times"), "{error}");
    assert!(error.len() < 500, "{error}");
    assert_eq!(lane.server.seen().len(), 6);
}

#[tokio::test]
async fn passing_errors_are_tried_again_visibly() {
    let (lane, port) = (Lane::new(), Port::allowing());
    lane.server.push(Reply::error(429).header("retry-after", "0"));
    lane.server.push(Reply::error(503).header("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"));
    lane.server
        .push(Reply::pieces(&["data: {\"error\":{\"message\":\"x\",\"type\":\"overloaded_error\"}}\n\n"], End::Clean));
    lane.server.push(Reply::pieces(&[], End::Clean));
    assert_eq!(lane.prompt("%error 500 1\n%say fine", &port).await, done("fine"));
    let phases = port.phases.lock().unwrap();
    assert!(
        phases
            .iter()
            .any(|words| words.starts_with("retrying in") && words.contains("(try 2 of 6): server answered 429"))
    );
    assert_eq!(lane.server.seen().len(), 6);
    assert_eq!(port.records.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_dead_server_is_told_and_the_wait_is_cancellable() {
    let (mut lane, port) = (Lane::new(), Port::allowing());
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://user:hunter2@{}/v1?key=hunter3", listener.local_addr().unwrap());
    drop(listener);
    lane.client = ModelClient::new(provider(url.clone())).unwrap();
    let error = error(lane.prompt("hello", &port).await);
    assert!(error.contains("cannot reach") && error.contains("is it running"), "{error}");
    assert!(!error.contains("hunter") && error.contains("tried 6 times"), "{error}");

    let mut slow = provider(url);
    slow.retry = RetryPolicy { first: Duration::from_secs(3000), ..RetryPolicy::default() };
    lane.client = ModelClient::new(slow).unwrap();
    let port = Port::allowing();
    let turn = lane.prompt("hello", &port);
    let cancel = async {
        until("the retry", || port.phases.lock().unwrap().iter().any(|words| words.starts_with("retrying"))).await;
        lane.cancel.cancel();
    };
    assert_eq!(tokio::join!(turn, cancel).0, TurnOutcome::Cancelled);
}

#[tokio::test]
async fn a_call_cut_off_is_never_run() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let error = error(lane.prompt("%cut", &port).await);
    assert!(error.contains("cut off"), "{error}");
    assert!(port.requests.lock().unwrap().is_empty() && lane.read("cut").is_none());

    // Whole arguments, but the server never said that the answer is complete.
    let lane = Lane::new();
    let arguments = json!({"command": "touch cut"}).to_string();
    let call = json!({"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"name": "shell", "arguments": arguments}}]}}]});
    lane.server.push(Reply::pieces(&[&format!("data: {call}\n\n")], End::Clean));
    assert_eq!(lane.prompt("%say again", &port).await, done("again"));
    assert!(port.requests.lock().unwrap().is_empty() && lane.read("cut").is_none());
    assert_eq!(lane.server.seen().len(), 2);
}

#[tokio::test]
async fn a_break_after_shown_text_is_kept_as_cut_and_asked_again() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let half = json!({"choices": [{"delta": {"content": "half"}}]});
    lane.server.push(Reply::pieces(&[&format!("data: {half}\n\n")], End::Clean));
    assert_eq!(lane.prompt("%say whole", &port).await, done("whole"));
    let records = port.records.lock().unwrap();
    assert!(matches!(&records[0], TurnRecord::Step { text, cut: true, .. } if text == "half"), "{records:?}");
    let second = &lane.server.seen()[1].body["messages"];
    assert_eq!(second.as_array().unwrap().len(), 2, "the half answer is not sent: {second}");
}

#[tokio::test]
async fn a_missing_done_and_a_plain_document_are_accepted() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let end = json!({"choices": [{"delta": {"content": "ok"}, "finish_reason": "stop"}]});
    lane.server.push(Reply::pieces(&[": comment\r\n\r\n", &format!("data: {end}\r\n\r\n")], End::Clean));
    assert_eq!(lane.prompt("x", &port).await, done("ok"));
    lane.server.push(Reply::pieces(&[&format!("data: {end}")], End::Abort));
    lane.server.push(Reply::say("ok"));
    assert_eq!(lane.prompt("x", &port).await, done("ok"));

    let whole = json!({"choices": [{"message": {"content": "whole"}, "finish_reason": "stop"}]});
    let lane = Lane::new();
    lane.server.push(Reply::document(200, "application/json", whole.to_string()));
    assert_eq!(lane.prompt("x", &port).await, done("whole"));
}

#[tokio::test]
async fn a_silent_stream_is_dead_after_a_while() {
    let (mut lane, port) = (Lane::new(), Port::allowing());
    let mut impatient = provider(lane.server.base_url());
    impatient.idle = Duration::from_secs(3);
    lane.client = ModelClient::new(impatient).unwrap();
    lane.server.push(Reply::pieces(&["data: {\"choices\":[]}\n\n"], End::Hang));
    assert_eq!(lane.prompt("%say back", &port).await, done("back"));
}

#[tokio::test]
async fn what_a_server_refuses_is_learned() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let refuse =
        |words: &str| Reply::document(400, "application/json", json!({"error": {"message": words}}).to_string());
    lane.server.push(refuse("unknown parameter: stream_options"));
    lane.server.push(Reply::calls(&[("list", json!({}))]));
    lane.server.push(refuse("the reasoning_content must be passed back"));
    assert_eq!(lane.prompt("%list\n%say fine", &port).await, done("fine"));
    let seen = lane.server.seen();
    assert!(seen[1].body.get("stream_options").is_none());
    assert!(seen[2].body["messages"][2].get("reasoning_content").is_none());
    assert_eq!(seen[3].body["messages"][2]["reasoning_content"], "");
}

#[tokio::test]
async fn a_proxy_is_named_when_it_fails() {
    let dead =
        ProxySettings::from_variables(|name| (name == "http_proxy").then(|| "http://u:hunter2@127.0.0.1:9".into()));
    let mut far = Provider::new("http://models.invalid/v1", None);
    far.proxies = dead.clone();
    let error = ModelClient::new(far).unwrap().list_models().await.unwrap_err().to_string();
    assert!(error.contains("through the proxy `http://127.0.0.1:9/`") && !error.contains("hunter2"), "{error}");

    let lane = Lane::new();
    let mut near = provider(lane.server.base_url());
    near.proxies = dead;
    assert_eq!(ModelClient::new(near).unwrap().list_models().await.unwrap(), ["scripted", "other"]);
}

#[tokio::test]
async fn models_are_listed_or_the_error_is_told() {
    let lane = Lane::new();
    assert_eq!(lane.client.list_models().await.unwrap(), ["scripted", "other"]);
    let root = lane.server.base_url().replace("/v1", "");
    let error = ModelClient::new(provider(root)).unwrap().list_models().await.unwrap_err().to_string();
    assert!(error.contains("404") && error.contains("`/v1`"), "{error}");
}

#[test]
fn bad_settings_are_told_without_secrets() {
    for (url, key) in [("localhost:80", "k"), ("ftp://x/v1", "k"), ("", "k"), ("http://x/v1", "a\nSENTINEL")] {
        let error = ModelClient::new(Provider::new(url, Some(ApiKey::new(key)))).unwrap_err();
        assert!(error.to_string().starts_with("cannot use the provider"), "{error}");
        assert!(!format!("{error:?}").contains("SENTINEL"));
    }
    let client = ModelClient::new(provider("http://u:SENTINEL@127.0.0.1/v1?k=SENTINEL".into())).unwrap();
    assert!(!format!("{client:?} {:?}", ApiKey::new(KEY)).contains("SENTINEL"), "{client:?}");
}
