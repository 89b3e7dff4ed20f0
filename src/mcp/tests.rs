//! The server as clients see it: our own client library, and raw requests over HTTP.

use std::sync::{Arc, Mutex};

use reqwest::StatusCode;
use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Map, Value, json};

use super::server::RESULT;
use super::{Listener, serve_stream};
use crate::base::lock;
use crate::domain::{LaneDoor, LaneId, PortFuture};

/// A door that keeps what it was asked and answers by the tool's name.
#[derive(Default)]
struct Door(Mutex<Vec<Called>>);

/// A call: by which lane, of which tool, with what.
type Called = (LaneId, String, Map<String, Value>);

impl LaneDoor for Door {
    fn lane_of(&self, token: &str) -> Option<LaneId> {
        token.strip_prefix("token-").and_then(|lane| lane.parse().ok()).map(LaneId)
    }

    fn call(
        &self,
        lane: LaneId,
        tool: String,
        arguments: Map<String, Value>,
    ) -> PortFuture<'static, Result<String, String>> {
        let answer = match tool.as_str() {
            "lanes" => Ok(r#"{"lanes":[]}"#.to_owned()),
            "release" => Ok("é".repeat(RESULT)),
            _ => Err("`src/` is reserved by lane `web`".to_owned()),
        };
        let waits = tool == "wait";
        lock(&self.0).push((lane, tool, arguments));
        Box::pin(async move { if waits { std::future::pending().await } else { answer } })
    }
}

fn started() -> (Arc<Door>, Listener) {
    // The whole process is to have one; whoever was first has set it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let door = Arc::new(Door::default());
    let here = tokio::runtime::Handle::current();
    (Arc::clone(&door), Listener::start(door, &here, &here).unwrap())
}

fn call(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone())
}

fn words(result: &rmcp::model::CallToolResult) -> String {
    result.content[0].as_text().unwrap().text.clone()
}

#[tokio::test]
async fn a_client_over_http_speaks_for_the_lane_of_its_token() {
    let (door, listener) = started();
    let config = StreamableHttpClientTransportConfig::with_uri(listener.url()).auth_header("token-7");
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let client = ().serve(StreamableHttpClientTransport::with_client(client, config)).await.unwrap();
    let tools = client.list_all_tools().await.unwrap();
    assert!(tools.iter().any(|tool| tool.name == "reserve"), "{tools:?}");
    let lanes = client.call_tool(call("lanes", json!({}))).await.unwrap();
    assert_eq!((words(&lanes).as_str(), lanes.is_error), (r#"{"lanes":[]}"#, Some(false)));
    let refused = client.call_tool(call("reserve", json!({"paths": ["src/"]}))).await.unwrap();
    assert_eq!((words(&refused).contains("lane `web`"), refused.is_error), (true, Some(true)));
    let long = words(&client.call_tool(call("release", json!({}))).await.unwrap());
    assert!(long.len() < RESULT + 100 && long.contains("… cut: 8192 of 16384 bytes"), "{} bytes", long.len());
    assert!(lock(&door.0).iter().all(|(lane, _, _)| *lane == LaneId(7)));
    assert_eq!(lock(&door.0)[1].2["paths"], json!(["src/"]));
}

#[tokio::test]
async fn a_client_over_a_stream_speaks_for_the_streams_lane() {
    let door = Arc::new(Door::default());
    let (ours, theirs) = tokio::io::duplex(4096);
    let served = tokio::spawn(serve_stream(ours, Arc::clone(&door) as Arc<dyn LaneDoor>, LaneId(3)));
    let client = ().serve(tokio::io::split(theirs)).await.unwrap();
    client.call_tool(call("lanes", json!({}))).await.unwrap();
    assert_eq!(lock(&door.0)[0].0, LaneId(3));
    client.cancel().await.unwrap();
    served.await.unwrap();
}

#[tokio::test]
async fn nobody_without_a_lanes_token_comes_in_and_no_browser_does() {
    let (door, listener) = started();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "lanes", "arguments": {}}});
    let ask = |headers: &[(&str, &str)], body: String| {
        let mut request = client.post(listener.url()).body(body).header("content-type", "application/json");
        request = request.header("accept", "application/json, text/event-stream");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        async move { request.send().await.unwrap().status() }
    };
    let right = ("authorization", "Bearer token-1");
    for wrong in [&[][..], &[("authorization", "Bearer guessed")], &[("authorization", "token-1")]] {
        assert_eq!(ask(wrong, body.to_string()).await, StatusCode::UNAUTHORIZED, "{wrong:?}");
    }
    let browser = ask(&[right, ("origin", "http://localhost:3000")], body.to_string()).await;
    assert_eq!(browser, StatusCode::FORBIDDEN);
    let rebound = ask(&[right, ("host", "evil.example")], body.to_string()).await;
    assert_eq!(rebound, StatusCode::FORBIDDEN);
    assert!(ask(&[right], "{".to_owned()).await.is_client_error());
    let large = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "x".repeat(600_000)}});
    assert!(ask(&[right], large.to_string()).await.is_client_error());
    assert!(lock(&door.0).is_empty(), "nothing of that reached a lane");
    assert_eq!(ask(&[right], body.to_string()).await, StatusCode::OK);
}

#[tokio::test]
async fn what_cannot_be_read_is_told_in_the_protocols_words() {
    let (door, listener) = started();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let ask = async |body: &str| {
        let request = client.post(listener.url()).body(body.to_owned()).bearer_auth("token-1");
        let request = request.header("content-type", "application/json");
        let answer = request.header("accept", "application/json, text/event-stream").send().await.unwrap();
        serde_json::from_str::<Value>(&answer.text().await.unwrap()).unwrap()
    };
    let broken = ask(r#"{"jsonrpc": "2.0", "id": 1,"#).await;
    assert_eq!((&broken["error"]["code"], &broken["id"]), (&json!(-32700), &Value::Null));
    for params in ["{}", r#"{"name": 7}"#, "[1]", r#"{"name": "lanes", "arguments": []}"#] {
        let told = ask(&format!(r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{params}}}"#)).await;
        assert_eq!((&told["error"]["code"], &told["id"]), (&json!(-32602), &json!(5)), "{params}: {told}");
    }
    let unknown = ask(r#"{"jsonrpc":"2.0","id":6,"method":"tools/none","params":{}}"#).await;
    assert_eq!(unknown["error"]["code"], -32601);
    assert!(lock(&door.0).is_empty(), "nothing of that reached a lane");
    let fine = ask(r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"lanes"}}"#).await;
    assert_eq!(fine["result"]["isError"], false);
}

#[tokio::test]
async fn a_call_that_is_taken_back_over_http_ends() {
    let (_door, listener) = started();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let ask = |token: &str, body: Value| {
        let request = client.post(listener.url()).body(body.to_string()).bearer_auth(token.to_owned());
        let request = request.header("content-type", "application/json");
        request.header("accept", "application/json, text/event-stream").send()
    };
    let wait = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "wait"}});
    let waiting = tokio::spawn(ask("token-1", wait));
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}});
    // Another lane's call of this number is another call, and one may be taken back before it has come.
    assert_eq!(ask("token-2", cancel.clone()).await.unwrap().status(), StatusCode::ACCEPTED);
    assert!(!waiting.is_finished());
    while !waiting.is_finished() {
        assert_eq!(ask("token-1", cancel.clone()).await.unwrap().status(), StatusCode::ACCEPTED);
    }
    let told: Value = serde_json::from_str(&waiting.await.unwrap().unwrap().text().await.unwrap()).unwrap();
    assert_eq!((&told["id"], &told["error"]["message"]), (&json!(5), &json!("the call was cancelled")));
}

/// The whole list as it goes out stands in the context of every lane, from its first call on.
#[tokio::test]
async fn the_whole_list_of_tools_costs_a_lane_little() {
    let (_door, listener) = started();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client.post(listener.url()).bearer_auth("token-1").header("content-type", "application/json");
    let request = request.header("accept", "application/json, text/event-stream");
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    let answer = request.body(list).send().await.unwrap().text().await.unwrap();
    let tools: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), crate::domain::LANE_TOOLS.len());
    assert!(answer.len() < 6_000, "{} bytes of tools in each lane's context", answer.len());
}
