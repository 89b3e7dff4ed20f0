//! `fetch`: a page from the web as text.
//!
//! Each address is checked when it is used: the name is resolved here, every address it has must be public, and the
//! connection goes to exactly those. Redirects are followed one by one through the same check. No proxy is used: it
//! would resolve the name anew.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use reqwest::{Client, Response, StatusCode};
use tokio_util::sync::CancellationToken;
use url::{Host, Url};

use super::{failed, looked};
use crate::base::{clip, is_public, size_words, visible};
use crate::config::Web;
use crate::domain::ToolOutcome;
use crate::policy::host_listed;

/// A page that takes longer is given up, all redirects together.
const TIME: Duration = Duration::from_secs(30);
/// Bytes of a page.
const CAP: usize = 5 * 1024 * 1024;
/// Redirects that are followed.
const REDIRECTS: usize = 8;
/// Cells of a line of text made from HTML.
const CELLS: usize = 100;

/// Reads an address that a model wrote.
pub(super) fn address(text: &str) -> Result<Url, String> {
    let shown = clip(&visible(text), 200).clone();
    let url = Url::parse(text.trim()).map_err(|error| {
        format!("`{shown}` is no address ({error}); give the whole one, such as `https://example.com/page`")
    })?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(format!("`{shown}` is not on the web; only `https://` and `http://` addresses can be fetched"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("an address with a name or password in it is not fetched; leave them out".to_owned());
    }
    Ok(url)
}

/// Fetches a page, unless it is cancelled.
pub(super) async fn fetch(url: &Url, raw: bool, access: &Web, stop: &CancellationToken) -> ToolOutcome {
    let resolve = |host: String, port: u16| async move {
        let found = tokio::net::lookup_host((host, port)).await;
        found.map(Iterator::collect).map_err(|error| error.to_string())
    };
    tokio::select! {
        biased;
        () = stop.cancelled() => failed("ended: the person cancelled the turn", "cancelled"),
        page = tokio::time::timeout(TIME, follow(url, raw, access, &resolve)) => match page {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(words)) => failed(&words, "not fetched"),
            Err(_) => failed(&format!("`{url}` gave no page within {} s", TIME.as_secs()), "timed out"),
        },
    }
}

async fn follow<R, F>(first: &Url, raw: bool, access: &Web, resolve: &R) -> Result<ToolOutcome, String>
where
    R: Fn(String, u16) -> F + Sync,
    F: Future<Output = Result<Vec<SocketAddr>, String>> + Send,
{
    let mut url = first.clone();
    for _ in 0..=REDIRECTS {
        let response = hop(&url, access, resolve).await?;
        if !response.status().is_redirection() || response.status() == StatusCode::NOT_MODIFIED {
            return page(&url, raw, response).await;
        }
        let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or_default();
        let next =
            url.join(to).map_err(|_| format!("`{url}` redirects to `{}`, which is no address", clip(to, 200)))?;
        let next = address(next.as_str())?;
        let same = next.host_str() == first.host_str() && next.port_or_known_default() == first.port_or_known_default();
        let safer = next.host_str() == first.host_str() && next.scheme() == "https";
        if !same && !safer && !host_listed(&access.allow, next.as_str()) {
            return Err(format!(
                "`{url}` redirects to another host: `{next}`. Call `fetch` with that address to ask for it"
            ));
        }
        url = next;
    }
    Err(format!("`{first}` redirects more than {REDIRECTS} times"))
}

/// One request to addresses that were checked.
async fn hop<R, F>(url: &Url, access: &Web, resolve: &R) -> Result<Response, String>
where
    R: Fn(String, u16) -> F + Sync,
    F: Future<Output = Result<Vec<SocketAddr>, String>> + Send,
{
    let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
        return Err(format!("`{url}` names no host"));
    };
    let name = host.to_string();
    let addresses = match host {
        Host::Ipv4(address) => vec![SocketAddr::new(IpAddr::V4(address), port)],
        Host::Ipv6(address) => vec![SocketAddr::new(IpAddr::V6(address), port)],
        Host::Domain(domain) => resolve(domain.to_owned(), port)
            .await
            .map_err(|error| format!("the name `{name}` cannot be resolved: {error}"))?,
    };
    let permitted = access.private.iter().any(|known| known.eq_ignore_ascii_case(&format!("{name}:{port}")));
    // One private address among public ones is enough to be led there.
    let private = addresses.iter().find(|address| !is_public(address.ip())).filter(|_| !permitted);
    if let Some(private) = private {
        return Err(format!(
            "`{name}` leads to {}, which is not on the public internet; pages there are not fetched. The person can \
             permit it: `private = [\"{name}:{port}\"]` under `[web]` in the configuration",
            private.ip()
        ));
    }
    let client = client(&name, &addresses, url.scheme() == "http").map_err(|error| causes(&error))?;
    let accept = "text/html, text/plain, text/*;q=0.9, application/json;q=0.9, */*;q=0.1";
    let sent = client.get(url.clone()).header(reqwest::header::ACCEPT, accept).send().await;
    sent.map_err(|error| format!("cannot reach `{url}`: {}", causes(&error.without_url())))
}

fn client(host: &str, addresses: &[SocketAddr], plain: bool) -> reqwest::Result<Client> {
    // Only fails when the process has a provider already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(10))
        .user_agent(concat!("paralane/", env!("CARGO_PKG_VERSION")))
        .resolve_to_addrs(host, addresses);
    if plain {
        builder = builder.tls_certs_only([]);
    }
    builder.build()
}

fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    clip(&visible(&text), 400).clone()
}

async fn page(url: &Url, raw: bool, mut response: Response) -> Result<ToolOutcome, String> {
    let status = response.status();
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = header(CONTENT_TYPE).to_lowercase();
    let media = kind.split(';').next().unwrap_or_default().trim().to_owned();
    let text = media.is_empty()
        || media.starts_with("text/")
        || ["json", "xml", "javascript", "yaml", "toml"].iter().any(|word| media.contains(word));
    if !text && status.is_success() {
        return Err(format!("`{url}` is `{}`, not text; get it with a command if it is needed", clip(&media, 60)));
    }
    let promised = header(CONTENT_LENGTH).parse::<usize>().unwrap_or(0);
    let mut body = Vec::new();
    let mut whole = promised <= CAP;
    while whole && let Some(piece) = response.chunk().await.map_err(|error| causes(&error.without_url()))? {
        body.extend_from_slice(&piece);
        whole = body.len() <= CAP;
    }
    if !whole {
        let cap = size_words(CAP as u64);
        return Err(format!("`{url}` is larger than {cap}; get it with a command and look at parts of it"));
    }
    let html = media.contains("html") && !raw;
    let label = kind.split("charset=").nth(1).map(|label| label.trim_matches(['"', ' ', ';']).to_owned());
    // Tables and deep nesting can take their time: not on the runtime's threads.
    let read = tokio::task::spawn_blocking(move || if html { plain(&body, label) } else { decoded(&body, label) });
    let text = read.await.map_err(|_| format!("the page `{url}` could not be read as text; try `raw`"))?;
    if !status.is_success() {
        return Err(format!("`{url}` answered {status}: {}", clip(visible(&text).trim(), 500)));
    }
    let lines = text.lines().count();
    let text = if text.trim().is_empty() { "[the page has no text]".to_owned() } else { text };
    Ok(looked(format!("[{url}]\n{text}"), super::counted(lines, "line", "lines")))
}

fn decoded(body: &[u8], label: Option<String>) -> String {
    let encoding = label.and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
    encoding.unwrap_or(encoding_rs::UTF_8).decode(body).0.into_owned()
}

fn plain(body: &[u8], label: Option<String>) -> String {
    let text = decoded(body, label);
    html2text::config::plain().string_from_read(text.as_bytes(), CELLS).unwrap_or(text)
}

#[cfg(test)]
#[path = "web_tests.rs"]
mod tests;
