//! How a model server is reached, as the caller gives it; no secret in it is ever printed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;

use super::proxy::ProxySettings;
use super::retry::RetryPolicy;
use crate::config::{Dialect, Effort};

/// A secret that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(Arc<str>);

impl ApiKey {
    /// Takes the secret; blanks around it are dropped, for they come from files and shells.
    pub fn new(secret: &str) -> Self {
        Self(Arc::from(secret.trim()))
    }

    pub(super) fn secret(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[key]")
    }
}

/// How to reach a model server.
#[derive(Clone, PartialEq, Eq)]
pub struct Provider {
    /// Its name in the configuration, for messages; may be empty.
    pub name: String,
    /// What it speaks.
    pub dialect: Dialect,
    /// Where its API begins: `http://127.0.0.1:8080/v1`.
    pub base_url: String,
    /// The key, if it wants one.
    pub api_key: Option<ApiKey>,
    /// The header for the key, where it is not the dialect's own.
    pub api_key_header: Option<String>,
    /// Further headers.
    pub headers: BTreeMap<String, String>,
    /// Further headers with secrets in them.
    pub secret_headers: BTreeMap<String, ApiKey>,
    /// What is added to each address after `?`.
    pub query: BTreeMap<String, String>,
    /// Tokens one answer may have, if the person said.
    pub max_output: Option<u64>,
    /// Tokens that a request and its answer may have together, if known.
    pub context_window: Option<u64>,
    /// Percent of that at which conversations are compacted; 0: never by themselves.
    pub compact_at: u64,
    /// How long to think, if the person said.
    pub effort: Option<Effort>,
    /// What the environment says about proxies.
    pub proxies: ProxySettings,
    /// How often to try again.
    pub retry: RetryPolicy,
    /// A stream that is silent for so long is dead.
    pub idle: Duration,
}

impl std::fmt::Debug for Provider {
    /// Without the address's user and password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let url = Url::parse(&self.base_url).map_or_else(|_| "[not a URL]".to_owned(), |url| shown(&url));
        f.debug_struct("Provider")
            .field("name", &self.name)
            .field("dialect", &self.dialect)
            .field("base_url", &url)
            .field("api_key", &self.api_key)
            .finish_non_exhaustive()
    }
}

impl Provider {
    /// A provider of chat completions with the usual limits and no proxy.
    pub fn new(base_url: impl Into<String>, api_key: Option<ApiKey>) -> Self {
        Self {
            name: String::new(),
            dialect: Dialect::default(),
            base_url: base_url.into(),
            api_key,
            api_key_header: None,
            headers: BTreeMap::new(),
            secret_headers: BTreeMap::new(),
            query: BTreeMap::new(),
            max_output: None,
            context_window: None,
            compact_at: u64::from(crate::config::COMPACT_AT),
            effort: None,
            proxies: ProxySettings::default(),
            retry: RetryPolicy::default(),
            idle: Duration::from_secs(300),
        }
    }

    /// All its secrets, for cleaning them out of texts.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.api_key.iter().chain(self.secret_headers.values()).map(ApiKey::secret).filter(|secret| !secret.is_empty())
    }
}

/// An address without user, password and query.
pub(super) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // Only addresses without a host refuse this; they have no user either.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.to_string()
}
