//! The HTTP side of one provider: one connection pool, its credentials, its quirks.
//!
//! The key is put into one header and nowhere else; texts that come from a server are cleaned of it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Response, Url};
use serde_json::Value;

use super::chat::StepAnswer;
use super::chat::request::Quirks;
use super::chat::stream::{AnswerReader, StreamFault, fault};
use super::error::ModelError;
use super::provider::{ApiKey, Provider, shown};
use super::retry::{RetryPolicy, retry_after};
use super::sse::SseDecoder;

use crate::base::lock;

/// A server on the way answers within this or is down.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Of an error's body: enough for any message.
const ERROR_CAP: usize = 64 * 1024;
/// Of an answer that comes as one JSON document, or a list of models.
const DOCUMENT_CAP: usize = 16 * 1024 * 1024;
/// Shown of what a server sent: enough to recognise it.
const SHOWN_CHARS: usize = 200;

/// A provider's client: made once, cheap to clone, shared by all lanes that use the provider.
#[derive(Clone)]
pub struct ModelClient(Arc<Inner>);

struct Inner {
    http: reqwest::Client,
    base: Url,
    proxy: Option<String>,
    provider: Provider,
    authorization: Option<HeaderValue>,
    quirks: Mutex<Quirks>,
}

impl std::fmt::Debug for ModelClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ModelClient").field(&self.0.provider).finish()
    }
}

/// All causes of an error, outermost first, without its address.
fn causes(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        let words = inner.to_string();
        if !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        cause = inner.source();
    }
    text
}

impl ModelClient {
    /// Checks the settings and makes the client. Connects to nothing.
    ///
    /// # Errors
    /// When the address, the key or the proxy cannot be used.
    pub fn new(provider: Provider) -> Result<Self, ModelError> {
        let settings = |reason: String| ModelError::Settings { reason };
        let base = Url::parse(&provider.base_url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| settings("`base_url` is not an address; write it as `http://HOST:PORT/v1`".to_owned()))?;
        let authorization = match &provider.api_key {
            None => None,
            Some(key) => {
                let mut value = HeaderValue::from_str(&format!("Bearer {}", key.secret())).map_err(|_| {
                    settings(
                        "the key has characters that no key has; check the variable that `api_key_env` names"
                            .to_owned(),
                    )
                })?;
                value.set_sensitive(true);
                Some(value)
            }
        };
        // Only fails when the process has a provider already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .tcp_nodelay(true)
            .user_agent(concat!("paralane/", env!("CARGO_PKG_VERSION")))
            .no_proxy();
        let proxy = provider.proxies.proxy_for(&base);
        if let Some(address) = &proxy {
            let address = if address.contains("://") { address.clone() } else { format!("http://{address}") };
            let proxy = reqwest::Proxy::all(address).map_err(|_| {
                settings(
                    "the proxy's address in the environment cannot be used; write it as `http://HOST:PORT`".to_owned(),
                )
            })?;
            builder = builder.proxy(proxy);
        } else if base.scheme() == "http" {
            // Nothing will be encrypted, so a machine without certificates must not be a hindrance.
            builder = builder.tls_certs_only([]);
        }
        let http =
            builder.build().map_err(|error| settings(format!("the HTTP client did not start: {}", causes(error))))?;
        let proxy = proxy.map(|address| Url::parse(&address).map_or_else(|_| "[proxy]".to_owned(), |url| shown(&url)));
        Ok(Self(Arc::new(Inner { http, base, proxy, provider, authorization, quirks: Mutex::default() })))
    }

    pub(super) fn retry(&self) -> RetryPolicy {
        self.0.provider.retry
    }

    pub(super) fn secret(&self) -> Option<&str> {
        self.0.provider.api_key.as_ref().map(ApiKey::secret)
    }

    pub(super) fn quirks(&self) -> Quirks {
        *lock(&self.0.quirks)
    }

    /// The names of the models that the server has, in its order.
    ///
    /// # Errors
    /// When it cannot be reached or answers something else. Tries once: a person is waiting.
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        let url = self.endpoint(&["models"]);
        let response = self.send(self.0.http.get(url.clone()), &url).await?;
        let status = response.status().as_u16();
        let kind = content_type(&response);
        let body = self.body(response, &url, DOCUMENT_CAP).await?;
        let not_a_list = || self.not_a_model(&url, status, &kind, &body);
        let document: Value = serde_json::from_str(&body).map_err(|_| not_a_list())?;
        if let Some(error) = document.get("error").filter(|error| !error.is_null()) {
            return Err(self.stream_fault(fault(error), &url, status));
        }
        let list = document.get("data").or_else(|| document.get("models")).unwrap_or(&document);
        let name = |model: &Value| {
            let id = model.get("id").or_else(|| model.get("name")).unwrap_or(model);
            id.as_str().map(str::to_owned)
        };
        Ok(list.as_array().ok_or_else(not_a_list)?.iter().filter_map(name).collect())
    }

    /// One try at one answer. Calls `on_text` with the answer's text as it comes.
    pub(super) async fn answer(
        &self,
        body: &Value,
        on_text: &mut (dyn FnMut(&str) + Send),
    ) -> Result<StepAnswer, ModelError> {
        let url = self.endpoint(&["chat", "completions"]);
        let request = self.0.http.post(url.clone()).header(ACCEPT, "text/event-stream, application/json").json(body);
        let mut response = self.send(request, &url).await?;
        let status = response.status().as_u16();
        let kind = content_type(&response);
        let mut reader = AnswerReader::default();
        if kind.contains("html") {
            let body = self.body(response, &url, ERROR_CAP).await?;
            return Err(self.not_a_model(&url, status, &kind, &body));
        }
        if kind.contains("json") && !kind.contains("stream") && !kind.contains("ndjson") {
            let body = self.body(response, &url, DOCUMENT_CAP).await?;
            let text = reader.event(&body).map_err(|fault| self.stream_fault(fault, &url, status))?;
            if !reader.complete() {
                return Err(self.not_a_model(&url, status, &kind, &body));
            }
            on_text(&text);
            return reader.finish().ok_or_else(|| self.cut(&url, "it has no end"));
        }
        let mut decoder = SseDecoder::default();
        let mut seen_event = false;
        let mut beginning = Vec::new();
        loop {
            let piece = match tokio::time::timeout(self.0.provider.idle, response.chunk()).await {
                Ok(Ok(Some(piece))) => piece,
                Ok(Ok(None)) => break,
                // What stands is whole if the server has said so; how it hung up does not matter.
                Ok(Err(_)) | Err(_) if reader.complete() => break,
                Ok(Err(error)) => return Err(self.cut(&url, &causes(error))),
                Err(_) => return Err(self.cut(&url, &format!("nothing came for {} s", self.0.provider.idle.as_secs()))),
            };
            if !seen_event && beginning.len() < ERROR_CAP {
                beginning.extend_from_slice(&piece);
            }
            for event in decoder.push(&piece).map_err(|_| ModelError::TooLarge { url: shown(&url) })? {
                seen_event = true;
                let text = reader.event(&event).map_err(|fault| self.stream_fault(fault, &url, status))?;
                if !text.is_empty() {
                    on_text(&text);
                }
            }
            if reader.done() {
                break;
            }
        }
        // The last event may lack its blank line; if it is cut off it is no JSON and does not count.
        if let Some(event) = decoder.finish() {
            seen_event = true;
            match reader.event(&event) {
                Ok(text) if !text.is_empty() => on_text(&text),
                Ok(_) | Err(StreamFault::NotJson(_)) => {}
                Err(fault) => return Err(self.stream_fault(fault, &url, status)),
            }
        }
        if !seen_event {
            let body = String::from_utf8_lossy(&beginning);
            if body.trim().is_empty() {
                return Err(self.cut(&url, "it is empty"));
            }
            return Err(self.not_a_model(&url, status, &kind, &body));
        }
        reader.finish().ok_or_else(|| self.cut(&url, "the server hung up before its end"))
    }

    fn endpoint(&self, parts: &[&str]) -> Url {
        let mut url = self.0.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(parts);
        }
        url
    }

    /// Sends a request and turns every status but success into an error.
    async fn send(&self, request: reqwest::RequestBuilder, url: &Url) -> Result<Response, ModelError> {
        let mut headers = HeaderMap::new();
        if let Some(value) = &self.0.authorization {
            headers.insert(AUTHORIZATION, value.clone());
        }
        let connect = |reason: String| ModelError::Connect { url: shown(url), proxy: self.0.proxy.clone(), reason };
        let response = tokio::time::timeout(self.0.provider.idle, request.headers(headers).send())
            .await
            .map_err(|_| connect(format!("no answer for {} s", self.0.provider.idle.as_secs())))?
            .map_err(|error| connect(self.clean(&causes(error))))?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let asked = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let retry_after = asked.and_then(|value| retry_after(value, Timestamp::now()));
        let body = self.body(response, url, ERROR_CAP).await.unwrap_or_default();
        if matches!(status, 400 | 422) {
            let mut quirks = lock(&self.0.quirks);
            if let Some(learned) = quirks.learn(&body) {
                *quirks = learned;
            }
        }
        let words = serde_json::from_str::<Value>(&body)
            .ok()
            .and_then(|document| {
                let error = document.get("error").unwrap_or(&document);
                let message = error.as_str().or_else(|| error.get("message")?.as_str())?.to_owned();
                // Told apart from a passing 429 by this code only.
                let quota = error.get("code").and_then(Value::as_str) == Some("insufficient_quota");
                Some(if quota { format!("{message} (insufficient_quota)") } else { message })
            })
            .unwrap_or(body);
        let body = if words.trim().is_empty() { "(no text)".to_owned() } else { self.clean(&words) };
        Err(ModelError::Status { url: shown(url), proxy: self.0.proxy.clone(), status, body, retry_after })
    }

    /// Reads a body up to a cap.
    async fn body(&self, mut response: Response, url: &Url, cap: usize) -> Result<String, ModelError> {
        let mut body = Vec::new();
        loop {
            match tokio::time::timeout(self.0.provider.idle, response.chunk()).await {
                Ok(Ok(Some(piece))) => body.extend_from_slice(&piece),
                Ok(Ok(None)) => break,
                Ok(Err(error)) => return Err(self.cut(url, &causes(error))),
                Err(_) => return Err(self.cut(url, "nothing more came")),
            }
            if body.len() > cap {
                if cap == DOCUMENT_CAP {
                    return Err(ModelError::TooLarge { url: shown(url) });
                }
                break;
            }
        }
        Ok(String::from_utf8_lossy(&body).into_owned())
    }

    /// The beginning of a foreign text on one line, without our secrets.
    fn clean(&self, text: &str) -> String {
        let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let secrets = [self.secret(), self.0.base.password()];
        for secret in secrets.into_iter().flatten().filter(|secret| !secret.is_empty()) {
            text = text.replace(secret, "[key]");
        }
        match text.char_indices().nth(SHOWN_CHARS) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        }
    }

    fn cut(&self, url: &Url, reason: &str) -> ModelError {
        ModelError::Cut { url: shown(url), reason: self.clean(reason) }
    }

    fn not_a_model(&self, url: &Url, status: u16, kind: &str, body: &str) -> ModelError {
        let what = if kind.is_empty() { "something".to_owned() } else { format!("`{}`", self.clean(kind)) };
        ModelError::NotAModel { url: shown(url), status, what, body: self.clean(body) }
    }

    fn stream_fault(&self, fault: StreamFault, url: &Url, status: u16) -> ModelError {
        match fault {
            StreamFault::NotJson(text) => self.not_a_model(url, status, "", &text),
            StreamFault::Server { message, passing } => {
                ModelError::Server { url: shown(url), message: self.clean(&message), passing }
            }
            StreamFault::TooLarge => ModelError::TooLarge { url: shown(url) },
        }
    }
}

fn content_type(response: &Response) -> String {
    let value = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_lowercase()
}
