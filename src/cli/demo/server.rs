//! The demo's model server: OpenAI-compatible, streaming, on loopback, scripted by [`super::script`].

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use super::script::{self, Answer, Gate, Pace};
use crate::base::Report;

/// The model's name.
pub(super) const MODEL: &str = "scripted";

/// How long the model thinks before it answers: long enough to be seen.
const THINKING: Duration = Duration::from_millis(600);

/// Between two words of a brisk answer.
const BRISK: Duration = Duration::from_millis(40);

/// Between two words of a calm one.
const CALM: Duration = Duration::from_millis(240);

/// A gate opens by itself after this time, should its lane never come so far.
const GATE: Duration = Duration::from_secs(30);

/// A running server; it ends when dropped.
#[derive(Debug)]
pub(super) struct Server {
    runtime: Option<Runtime>,
    port: u16,
}

impl Server {
    /// Starts it on a free port.
    ///
    /// # Errors
    /// When loopback cannot be used.
    pub(super) fn start() -> Result<Self, Report> {
        let start = || -> io::Result<Self> {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            listener.set_nonblocking(true)?;
            let port = listener.local_addr()?.port();
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .thread_name("demo")
                .enable_all()
                .build()?;
            let (api_has_written, _) = watch::channel(false);
            let service = Router::new()
                .route("/v1/models", get(models))
                .route("/v1/chat/completions", post(complete))
                .with_state(Arc::new(api_has_written));
            runtime.spawn(async move {
                // It ends with the runtime; until then accepting goes on after any error.
                if let Ok(listener) = tokio::net::TcpListener::from_std(listener) {
                    let _ = axum::serve(listener, service).await;
                }
            });
            Ok(Self { runtime: Some(runtime), port })
        };
        start().map_err(|error| {
            Report::internal(format!("cannot start the demo's model server on 127.0.0.1: {error}"))
                .hint("see that the loopback interface is up")
        })
    }

    /// Where it answers.
    pub(super) fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Streams that are still open are cut; nobody listens any more.
            runtime.shutdown_background();
        }
    }
}

async fn models() -> Response {
    let list = json!({ "object": "list", "data": [{ "id": MODEL, "object": "model" }] });
    ([(header::CONTENT_TYPE, "application/json")], list.to_string()).into_response()
}

async fn complete(State(api_has_written): State<Arc<watch::Sender<bool>>>, body: Bytes) -> Response {
    let Ok(request) = serde_json::from_slice::<Value>(&body) else {
        return (StatusCode::BAD_REQUEST, r#"{"error":{"message":"not JSON"}}"#).into_response();
    };
    let answer = script::next(request["messages"].as_array().map_or(&[], Vec::as_slice));
    if answer.api_has_written {
        api_has_written.send_replace(true);
    }
    if answer.gate == Gate::ApiHasWritten {
        let mut written = api_has_written.subscribe();
        // An answer too early only spoils the scene.
        let _ = timeout(GATE, written.wait_for(|written| *written)).await;
    }
    ([(header::CONTENT_TYPE, "text/event-stream")], paced(answer)).into_response()
}

/// The answer as a stream of events, word by word.
fn paced(answer: Answer) -> Body {
    let between = match answer.pace {
        Pace::Brisk => BRISK,
        Pace::Calm => CALM,
    };
    let mut ticks = interval_at(Instant::now() + THINKING, between);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let events = events(&answer).into_iter();
    Body::from_stream(stream::unfold((events, ticks), |(mut events, mut ticks)| async move {
        let event = events.next()?;
        ticks.tick().await;
        Some((Ok::<_, Infallible>(Bytes::from(event)), (events, ticks)))
    }))
}

/// Server-sent events of one chat completion.
fn events(answer: &Answer) -> Vec<String> {
    let chunk = |delta: Value, finish: Value| {
        let body = json!({
            "id": "demo", "object": "chat.completion.chunk", "created": 0, "model": MODEL,
            "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }],
        });
        format!("data: {body}\n\n")
    };
    let mut events = vec![chunk(json!({ "role": "assistant", "content": "" }), Value::Null)];
    events.extend(answer.text.split_inclusive(' ').map(|word| chunk(json!({ "content": word }), Value::Null)));
    let finish = match &answer.call {
        None => "stop",
        Some((tool, arguments)) => {
            let function = json!({ "name": tool, "arguments": arguments.to_string() });
            let call = json!({ "index": 0, "id": format!("demo-{tool}"), "type": "function", "function": function });
            events.push(chunk(json!({ "tool_calls": [call] }), Value::Null));
            "tool_calls"
        }
    };
    events.push(chunk(json!({}), json!(finish)));
    let words = answer.text.split_whitespace().count();
    let usage = json!({ "prompt_tokens": 900, "completion_tokens": words, "total_tokens": 900 + words });
    events.push(format!(
        "data: {}\n\n",
        json!({ "id": "demo", "object": "chat.completion.chunk", "choices": [], "usage": usage })
    ));
    events.push("data: [DONE]\n\n".to_owned());
    events
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn a_real_request_is_streamed_to_its_end() {
        let server = Server::start().unwrap();
        let body = json!({ "stream": true, "messages": [{ "role": "user", "content": "hello" }] }).to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        write!(
            stream,
            "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        for part in ["text/event-stream", "look ", "\"name\":\"list\"", "tool_calls\"", "[DONE]"] {
            assert!(answer.contains(part), "{part} in {answer}");
        }
    }
}
