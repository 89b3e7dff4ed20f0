//! The HTTP side of one provider: one connection pool, its credentials, its quirks.
//!
//! The key is put into one header and nowhere else; texts that come from a server are cleaned of it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Response, Url};
use serde_json::Value;

use super::context::ModelLimits;
use super::error::{ModelError, Place};
use super::headers::headers;
use super::provider::{ApiKey, Provider, shown};
use super::retry::{RetryPolicy, asked_by_headers};
use super::wire::{self, AnswerStream, Delta, Quirks, Request, StepAnswer, StreamEnd, StreamFault};
use crate::base::lock;
use crate::domain::SpendAsk;

/// A server on the way answers within this or is down.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// What may still come once the answer is complete (the count of tokens) comes within this.
const AFTER_THE_END: Duration = Duration::from_secs(3);
/// Of an error's body: enough for any message.
const ERROR_CAP: usize = 64 * 1024;
/// Of an answer that comes as one JSON document, or a list of models.
const DOCUMENT_CAP: usize = 16 * 1024 * 1024;
/// Shown of what a server sent: enough to recognise it.
const SHOWN_CHARS: usize = 200;

/// No text has fewer bytes for each token than this, and JSON around it has more.
const BYTES_AT_LEAST: u64 = 2;
/// Bytes of a token in common text.
pub(super) const BYTES_LIKELY: u64 = 4;
/// Tokens that a picture takes at most; its size in bytes says little.
const PICTURE: u64 = 3_000;

/// A request that is ready to be sent.
#[derive(Debug)]
pub(super) struct Asked {
    url: Url,
    body: String,
    maker: String,
    /// Tokens that the answer may have, where the request says so.
    limit: Option<u64>,
    /// The most that it can use.
    pub most: SpendAsk,
    /// Tokens sent, as far as can be told without the server's word.
    pub likely_input: u64,
}

/// A provider's client: made once, cheap to clone, shared by all lanes that use the provider.
#[derive(Clone)]
pub struct ModelClient(Arc<Inner>);

struct Inner {
    http: reqwest::Client,
    base: Url,
    proxy: Option<String>,
    provider: Provider,
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
    /// When the address, a header, the key or the proxy cannot be used.
    pub fn new(provider: Provider) -> Result<Self, ModelError> {
        let settings = |reason: String| ModelError::Settings { reason };
        let mut base = Url::parse(&provider.base_url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| settings("`base_url` is not an address; write it as `http://HOST:PORT/v1`".to_owned()))?;
        if !provider.query.is_empty() {
            base.query_pairs_mut().extend_pairs(&provider.query);
        }
        // Only fails when the process has a provider already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .tcp_nodelay(true)
            .user_agent(concat!("paralane/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers(&provider)?)
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
        Ok(Self(Arc::new(Inner { http, base, proxy, provider, quirks: Mutex::default() })))
    }

    /// The provider's name, for messages.
    pub(super) fn name(&self) -> &str {
        if self.0.provider.name.is_empty() { &self.0.provider.base_url } else { &self.0.provider.name }
    }

    /// What its window takes.
    pub(super) fn limits(&self) -> ModelLimits {
        ModelLimits {
            window: self.0.provider.context_window,
            max_output: self.0.provider.max_output,
            compact_at: self.0.provider.compact_at,
        }
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
        let url = wire::models_url(self.0.provider.dialect, &self.0.base);
        let response = self.send(self.0.http.get(url.clone()), &url, None).await?;
        let status = response.status().as_u16();
        let kind = content_type(&response);
        let body = self.body(response, &url, DOCUMENT_CAP).await?;
        let not_a_list = || self.not_a_model(&url, status, &kind, &body);
        let document: Value = serde_json::from_str(&body).map_err(|_| not_a_list())?;
        if let Some(error) = document.get("error").filter(|error| !error.is_null()) {
            return Err(self.stream_fault(wire::fault(error), &url, status));
        }
        wire::model_names(&document).ok_or_else(not_a_list)
    }

    /// Makes a request ready to be sent, with what it can come to.
    pub(super) fn prepare(&self, request: &Request<'_>) -> Asked {
        let Provider { dialect, max_output, effort, .. } = self.0.provider;
        let request = Request { max_output, effort, ..*request };
        let quirks = self.quirks();
        let maker = format!("{} {} {}", dialect.word(), shown(&self.0.base), request.model);
        let url = wire::answer_url(dialect, &self.0.base, request.model);
        let body = request.body(dialect, &maker, &quirks).to_string();
        let limit = request.limit(dialect, &quirks);
        let (pictures, bytes) = request.pictures();
        let text = (body.len() as u64).saturating_sub(bytes);
        let most = SpendAsk {
            provider: self.0.provider.name.clone(),
            model: request.model.to_owned(),
            input: text / BYTES_AT_LEAST + pictures * PICTURE,
            output: limit.unwrap_or(wire::MAX_OUTPUT),
        };
        let likely_input = text / BYTES_LIKELY + pictures * PICTURE;
        Asked { url, body, maker, limit, most, likely_input }
    }

    /// One try at one answer. Calls `show` with what is to be shown as it comes.
    pub(super) async fn answer(
        &self,
        asked: Asked,
        show: &mut (dyn FnMut(Delta) + Send),
    ) -> Result<StepAnswer, ModelError> {
        let Asked { url, body, maker, limit, .. } = asked;
        let sent = self.0.http.post(url.clone()).header(CONTENT_TYPE, "application/json").body(body);
        let response = self.send(sent, &url, limit).await?;
        let mut answer = self.read(response, &url, show).await?;
        if !answer.reasoning.is_empty() {
            answer.reasoning.made_by = maker;
        }
        Ok(answer)
    }

    /// Reads an answer, streamed or whole.
    async fn read(
        &self,
        mut response: Response,
        url: &Url,
        show: &mut (dyn FnMut(Delta) + Send),
    ) -> Result<StepAnswer, ModelError> {
        let status = response.status().as_u16();
        let kind = content_type(&response);
        let idle = self.0.provider.idle;
        let mut stream = AnswerStream::new(self.0.provider.dialect);
        if kind.contains("html") {
            let body = self.body(response, url, ERROR_CAP).await?;
            return Err(self.not_a_model(url, status, &kind, &body));
        }
        while !stream.done() {
            let patience = if stream.complete() { AFTER_THE_END.min(idle) } else { idle };
            let piece = match tokio::time::timeout(patience, response.chunk()).await {
                Ok(Ok(Some(piece))) => piece,
                Ok(Ok(None)) => break,
                // What stands is whole if the server has said so; how it hung up does not matter.
                Ok(Err(_)) | Err(_) if stream.complete() => break,
                Ok(Err(error)) => return Err(self.cut(url, &causes(error))),
                Err(_) => return Err(self.cut(url, &format!("nothing came for {} s", idle.as_secs_f64()))),
            };
            let shown = stream.push(&piece).map_err(|fault| self.stream_fault(fault, url, status))?;
            shown.into_iter().for_each(&mut *show);
        }
        self.end(stream, url, status, &kind, show)
    }

    fn end(
        &self,
        stream: AnswerStream,
        url: &Url,
        status: u16,
        kind: &str,
        show: &mut (dyn FnMut(Delta) + Send),
    ) -> Result<StepAnswer, ModelError> {
        let (shown, end) = stream.finish().map_err(|fault| self.stream_fault(fault, url, status))?;
        shown.into_iter().for_each(show);
        match end {
            StreamEnd::Answer(answer) => Ok(answer),
            StreamEnd::Cut => Err(self.cut(url, "the server hung up before its end")),
            StreamEnd::Empty => Err(self.cut(url, "it is empty")),
            StreamEnd::Foreign(body) => Err(self.not_a_model(url, status, kind, &body)),
        }
    }

    /// Sends a request and turns every status but success into an error. `limit`: of an answer, to learn from.
    async fn send(
        &self,
        request: reqwest::RequestBuilder,
        url: &Url,
        limit: Option<u64>,
    ) -> Result<Response, ModelError> {
        let connect = |reason: String| ModelError::Connect { at: self.place(url), reason };
        let idle = self.0.provider.idle;
        let response = tokio::time::timeout(idle, request.send())
            .await
            .map_err(|_| connect(format!("no answer for {} s", idle.as_secs_f64())))?
            .map_err(|error| connect(self.clean(&causes(error))))?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let headers: HeaderMap = response.headers().clone();
        let body = self.body(response, url, ERROR_CAP).await.unwrap_or_default();
        let document = serde_json::from_str::<Value>(&body).unwrap_or(Value::Null);
        if matches!(status, 400 | 404 | 422) {
            let mut quirks = lock(&self.0.quirks);
            if let Some(learned) = quirks.learn(self.0.provider.dialect, &body, limit) {
                *quirks = learned;
            }
        }
        let mut words = wire::words(&document).unwrap_or(body);
        let codes = wire::codes(&document);
        if codes.contains("insufficient_quota") {
            // Told apart from a passing refusal by this code only.
            words.push_str(" (insufficient_quota)");
        }
        if matches!(status, 400 | 413 | 422 | 500) && (wire::too_long(&words) || wire::too_long(&codes)) {
            return Err(ModelError::TooLong { at: self.place(url), message: self.clean(&words) });
        }
        let retry_after = asked_by_headers(&headers, Timestamp::now()).or_else(|| wire::asked_wait(&document));
        let told = headers.get("x-should-retry").and_then(|value| value.to_str().ok());
        let body = if words.trim().is_empty() { "(no text)".to_owned() } else { self.clean(&words) };
        let again = told.and_then(|told| told.parse().ok());
        Err(ModelError::Status { at: self.place(url), status, body, retry_after, again })
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
                    return Err(ModelError::TooLarge { at: self.place(url) });
                }
                break;
            }
        }
        Ok(String::from_utf8_lossy(&body).into_owned())
    }

    /// The beginning of a foreign text on one line, without our secrets.
    fn clean(&self, text: &str) -> String {
        let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let secrets = self.0.provider.secrets().chain(self.0.base.password());
        for secret in secrets.filter(|secret| !secret.is_empty()) {
            text = text.replace(secret, "[key]");
        }
        match text.char_indices().nth(SHOWN_CHARS) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        }
    }

    fn place(&self, url: &Url) -> Place {
        Place { url: shown(url), proxy: self.0.proxy.clone() }
    }

    fn cut(&self, url: &Url, reason: &str) -> ModelError {
        ModelError::Cut { at: self.place(url), reason: self.clean(reason) }
    }

    fn not_a_model(&self, url: &Url, status: u16, kind: &str, body: &str) -> ModelError {
        let what = if kind.is_empty() { "something".to_owned() } else { format!("`{}`", self.clean(kind)) };
        ModelError::NotAModel { at: self.place(url), status, what, body: self.clean(body) }
    }

    fn stream_fault(&self, fault: StreamFault, url: &Url, status: u16) -> ModelError {
        match fault {
            StreamFault::NotJson(text) => self.not_a_model(url, status, "", &text),
            StreamFault::Server { message, .. } if wire::too_long(&message) => {
                ModelError::TooLong { at: self.place(url), message: self.clean(&message) }
            }
            StreamFault::Server { message, passing } => {
                ModelError::Server { at: self.place(url), message: self.clean(&message), passing }
            }
            StreamFault::TooLarge => ModelError::TooLarge { at: self.place(url) },
        }
    }
}

fn content_type(response: &Response) -> String {
    let value = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_lowercase()
}
