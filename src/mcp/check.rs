//! Requests over HTTP that are no JSON. The protocol's library answers them with a bare 415; a client is told what is
//! wrong, in the protocol's own words.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::de::IgnoredAny;
use serde_json::json;

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
    match serde_json::from_slice::<IgnoredAny>(&bytes) {
        Ok(_) => next.run(Request::from_parts(head, Body::from(bytes))).await,
        Err(error) => {
            let error = json!({"code": -32700, "message": format!("the request is no JSON: {error}")});
            let told = json!({"jsonrpc": "2.0", "id": null, "error": error});
            let kind = [(header::CONTENT_TYPE, "application/json")];
            (StatusCode::BAD_REQUEST, kind, told.to_string()).into_response()
        }
    }
}
