//! How a model server is reached, as the caller gives it; no secret in it is ever printed.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;

use super::proxy::ProxySettings;
use super::retry::RetryPolicy;

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
    /// Where its API begins: `http://127.0.0.1:8080/v1`.
    pub base_url: String,
    /// The key, if it wants one.
    pub api_key: Option<ApiKey>,
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
        f.debug_struct("Provider").field("base_url", &url).field("api_key", &self.api_key).finish_non_exhaustive()
    }
}

impl Provider {
    /// A provider with the usual limits and no proxy.
    pub fn new(base_url: impl Into<String>, api_key: Option<ApiKey>) -> Self {
        Self {
            base_url: base_url.into(),
            api_key,
            proxies: ProxySettings::default(),
            retry: RetryPolicy::default(),
            idle: Duration::from_secs(120),
        }
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
