//! Requests over HTTP that cannot be read. The protocol's library answers them with a bare 415; a client is told what is
//! wrong, in the protocol's own words.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rmcp::model::ClientJsonRpcMessage;
use serde_json::{Value, json};

use super::http::REQUEST;

/// Answers what cannot be read, and lets all else through.
pub(super) async fn readable(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, REQUEST).await else {
        let words = format!("a request has at most {REQUEST} bytes\n");
        return (StatusCode::PAYLOAD_TOO_LARGE, words).into_response();
    };
    let Some(told) = fault(&bytes) else { return next.run(Request::from_parts(head, Body::from(bytes))).await };
    (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/json")], told.to_string()).into_response()
}

/// The error that a request is answered with, if it cannot be read.
fn fault(bytes: &[u8]) -> Option<Value> {
    let told = |id: &Value, code: i32, message: String| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
    let message: Value = match serde_json::from_slice(bytes) {
        Ok(message) => message,
        Err(error) => return Some(told(&Value::Null, -32700, format!("the request is no JSON: {error}"))),
    };
    let id = message.get("id").filter(|id| !id.is_null())?;
    let method = message.get("method")?.as_str()?;
    // What is a request by its head, and is none as a whole, has parameters that no method takes.
    let whole = serde_json::from_slice::<ClientJsonRpcMessage>(bytes).is_ok();
    (!whole).then(|| told(id, -32602, format!("the parameters of `{method}` do not fit")))
}
