//! Makes the connection to a server: its process or its address, the first exchange, and the list of its tools.

use std::time::Duration;

use futures_util::future::BoxFuture;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use rmcp::RoleClient;
use rmcp::model::{PaginatedRequestParams, Tool};
use rmcp::service::{Peer, RunningService, serve_client};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use tokio::process::{ChildStdin, ChildStdout};

use super::handler::Handler;
use super::heard::{Bounded, Heard, MESSAGE};
use super::process::{Process, Said};
use super::spec::ServerSpec;
use crate::base::{clip, one_line, visible};
use crate::config::Reach;
use crate::domain::Walls;

/// How long connecting to an address may take.
const CONNECT: Duration = Duration::from_secs(10);
/// Pages of one list of tools.
const PAGES: usize = 20;
/// Tools of one list: more are not looked at.
const TOOLS: usize = 2_000;
/// Cells of what a server says went wrong.
const WORDS: usize = 300;

/// Why a server did not come up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub words: String,
    /// Whether another try could go better.
    pub again: bool,
}

impl Fault {
    pub fn passing(words: impl Into<String>) -> Self {
        Self { words: words.into(), again: true }
    }

    pub fn lasting(words: impl Into<String>) -> Self {
        Self { words: words.into(), again: false }
    }
}

/// The way to a server's process.
type Pipes = AsyncRwTransport<RoleClient, Bounded<ChildStdout>, ChildStdin>;

/// What a server is reached by, before the first exchange.
pub(super) enum Link {
    /// The process, the way to it, and what is heard of it.
    Process(Box<Process>, Box<Pipes>, Heard),
    Http(Box<StreamableHttpClientTransport<reqwest::Client>>),
}

/// A server that answers.
pub(super) type Service = RunningService<RoleClient, Handler>;

/// Starts a server's process, or makes the client for its address. Nothing is awaited, so nothing is lost on a cancel.
pub(super) fn open(spec: &ServerSpec, walls: Option<Box<dyn Walls>>, said: &Said) -> Result<Link, Fault> {
    if let Some(fault) = &spec.fault {
        return Err(Fault::lasting(fault.clone()));
    }
    match &spec.settings.reach {
        Reach::Command(words) => {
            let (process, (output, input)) = Process::start(spec, words, walls, said).map_err(|error| {
                let program = words.first().map(|word| visible(word).into_owned()).unwrap_or_default();
                Fault::lasting(format!("`{program}` cannot be started: {error}"))
            })?;
            let heard = output.heard();
            let transport = AsyncRwTransport::new_client(output, input).with_max_line_length(MESSAGE);
            Ok(Link::Process(Box::new(process), Box::new(transport), heard))
        }
        Reach::Url { url, .. } => {
            let config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
                .max_sse_event_size(MESSAGE)
                .max_json_response_size(MESSAGE);
            let client = client(spec, url)?;
            Ok(Link::Http(Box::new(StreamableHttpClientTransport::with_client(client, config))))
        }
    }
}

/// The HTTP client: no redirect is followed, for the headers may hold secrets; no proxy but the one that the person's
/// environment names.
fn client(spec: &ServerSpec, url: &str) -> Result<reqwest::Client, Fault> {
    let url = reqwest::Url::parse(url).map_err(|error| Fault::lasting(format!("`url` is no address: {error}")))?;
    let mut headers = HeaderMap::new();
    for (name, value) in &spec.headers {
        let name = HeaderName::try_from(name.as_str()).map_err(|_| Fault::lasting("`headers_env` names no header"))?;
        let mut value = HeaderValue::from_str(value.secret()).map_err(|_| {
            Fault::lasting(format!("the variable for the header `{name}` holds characters that no header has"))
        })?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    // Whoever comes first installs it; that another was there is no fault.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .connect_timeout(CONNECT)
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("paralane/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers)
        .tcp_nodelay(true)
        .no_proxy();
    if let Some(address) = spec.proxies.proxy_for(&url) {
        let address = if address.contains("://") { address } else { format!("http://{address}") };
        let proxy = reqwest::Proxy::all(address)
            .map_err(|_| Fault::lasting("the proxy's address in the environment cannot be used"))?;
        builder = builder.proxy(proxy);
    } else if url.scheme() == "http" {
        // Nothing will be encrypted, so a machine without certificates must not be a hindrance.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| Fault::lasting(format!("the HTTP client did not start: {}", causes(&error))))
}

/// The first exchange. Boxed, for it is large.
pub(super) fn greet<T>(transport: T, handler: Handler) -> BoxFuture<'static, Result<Service, Fault>>
where
    T: rmcp::transport::Transport<RoleClient> + 'static,
{
    Box::pin(async move { serve_client(handler, transport).await.map_err(|error| Fault::passing(causes(&error))) })
}

/// All that a server offers.
pub(super) async fn tools(peer: &Peer<RoleClient>) -> Result<Vec<Tool>, Fault> {
    if peer.peer_info().is_some_and(|info| info.capabilities.tools.is_none()) {
        return Ok(Vec::new());
    }
    let (mut tools, mut cursor) = (Vec::new(), None);
    for _ in 0..PAGES {
        let ask = PaginatedRequestParams::default().with_cursor(cursor);
        let page = peer.list_tools(Some(ask)).await;
        let page = page.map_err(|error| Fault::passing(format!("it does not list its tools: {}", causes(&error))))?;
        tools.extend(page.tools);
        cursor = page.next_cursor;
        if cursor.is_none() || tools.len() >= TOOLS {
            break;
        }
    }
    tools.truncate(TOOLS);
    Ok(tools)
}

/// An error with its causes, in one line.
pub(super) fn causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let words = inner.to_string();
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        cause = inner.source();
    }
    clip(&visible(&one_line(&text)), WORDS)
}
