//! Requests over HTTP that cannot be read. The protocol's library answers them with a bare 415; a client is told what is
//! wrong, in the protocol's own words.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rmcp::model::{ClientJsonRpcMessage, ClientNotification};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::task::JoinSet;

use super::calls::Calls;
use super::http::REQUEST;
use super::server::Acting;

/// Requests above so many bytes are read beside the loop: it is kept by none for long.
const LARGE: usize = 32 * 1024;

/// What requests are read with.
#[derive(Clone)]
pub(super) struct Reader {
    /// The calls under way.
    pub calls: Calls,
    /// Where large ones are read.
    pub back: Handle,
}

/// Answers what cannot be read, and lets all else through. A call that is taken back ends.
pub(super) async fn readable(State(reader): State<Reader>, request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, REQUEST).await else {
        let words = format!("a request has at most {REQUEST} bytes\n");
        return (StatusCode::PAYLOAD_TOO_LARGE, words).into_response();
    };
    if bytes.len() <= LARGE {
        return answer(&reader.calls, head, bytes, next).await;
    }
    // It ends with the connection, as here.
    let mut aside = JoinSet::new();
    aside.spawn_on(async move { answer(&reader.calls, head, bytes, next).await }, &reader.back);
    match aside.join_next().await {
        Some(Ok(response)) => response,
        _ => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn answer(calls: &Calls, head: Parts, bytes: Bytes, next: Next) -> Response {
    let read = serde_json::from_slice::<ClientJsonRpcMessage>(&bytes);
    if let Ok(ClientJsonRpcMessage::Notification(told)) = &read
        && let ClientNotification::CancelledNotification(cancelled) = &told.notification
        && let (Some(id), Some(Acting(lane))) = (&cancelled.params.request_id, head.extensions.get())
    {
        calls.take_back(*lane, id.clone());
    }
    let fault = if read.is_ok() { None } else { fault(&bytes) };
    let Some(told) = fault else { return next.run(Request::from_parts(head, Body::from(bytes))).await };
    (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/json")], told.to_string()).into_response()
}

/// The error that a request which is none is answered with. What is no request goes on: the protocol's library knows.
fn fault(bytes: &[u8]) -> Option<Value> {
    let told = |id: &Value, code: i32, message: String| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
    let message: Value = match serde_json::from_slice(bytes) {
        Ok(message) => message,
        Err(error) => return Some(told(&Value::Null, -32700, format!("the request is no JSON: {error}"))),
    };
    let id = message.get("id").filter(|id| !id.is_null())?;
    let method = message.get("method")?.as_str()?;
    // What is a request by its head, and is none as a whole, has parameters that no method takes.
    Some(told(id, -32602, format!("the parameters of `{method}` do not fit")))
}
