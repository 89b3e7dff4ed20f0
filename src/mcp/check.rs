//! What of a request is wrong before anything looks at it: no JSON, or parameters that do not fit.
//!
//! The protocol's library answers the first with a bare 415 and takes the second for an unknown method. A client is
//! told what is wrong, in the protocol's own words.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rmcp::model::{CallToolRequestParams, InitializeRequestParams, PaginatedRequestParams};
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
    match fault(&bytes) {
        Some(told) => {
            let kind = [(header::CONTENT_TYPE, "application/json")];
            (StatusCode::BAD_REQUEST, kind, told.to_string()).into_response()
        }
        None => next.run(Request::from_parts(head, Body::from(bytes))).await,
    }
}

/// The error that a request is answered with, if it cannot be read.
fn fault(bytes: &[u8]) -> Option<Value> {
    let told = |id: &Value, code: i32, message: String| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
    let message: Value = match serde_json::from_slice(bytes) {
        Ok(message) => message,
        Err(error) => return Some(told(&Value::Null, -32700, format!("the request is no JSON: {error}"))),
    };
    let id = message.get("id").filter(|id| !id.is_null())?;
    let params = message.get("params").cloned();
    let given = params.clone().unwrap_or_else(|| json!({}));
    let method = message.get("method")?.as_str()?;
    let wrong = match method {
        "tools/call" => serde_json::from_value::<CallToolRequestParams>(given).err(),
        "initialize" => serde_json::from_value::<InitializeRequestParams>(given).err(),
        "tools/list" => params.and_then(|given| serde_json::from_value::<Option<PaginatedRequestParams>>(given).err()),
        _ => None,
    };
    wrong.map(|error| told(id, -32602, format!("the parameters of `{method}` do not fit: {error}")))
}
