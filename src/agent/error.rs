//! What can go wrong between us and a model's server, in words a person can act on.

use std::time::Duration;

/// A model call failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The provider's settings cannot be used.
    #[error("cannot use the provider: {reason}")]
    Settings {
        /// What is wrong, and what to do.
        reason: String,
    },
    /// No connection, or it broke before an answer.
    #[error("cannot reach the model server at `{url}`{}: {reason}; is it running, and is `base_url` right?",
        through(proxy.as_deref()))]
    Connect {
        /// The address, without credentials.
        url: String,
        /// The proxy that was in between.
        proxy: Option<String>,
        /// The system's words.
        reason: String,
    },
    /// The server answered with an error status.
    #[error("the model server at `{url}`{} answered {status}: {body}{}",
        through(proxy.as_deref()), status_hint(*status, body))]
    Status {
        /// The address, without credentials.
        url: String,
        /// The proxy that was in between.
        proxy: Option<String>,
        /// The status.
        status: u16,
        /// The first characters of its answer.
        body: String,
        /// How long it asks to wait.
        retry_after: Option<Duration>,
    },
    /// The server answered with something that is no model's answer.
    #[error(
        "`{url}` answered {status} with {what} instead of a model's answer: {body}; \
             check `base_url` (most servers want it to end in `/v1`)"
    )]
    NotAModel {
        /// The address, without credentials.
        url: String,
        /// The status.
        status: u16,
        /// What came: `text/html`, …
        what: String,
        /// The first characters of it.
        body: String,
    },
    /// The server reported an error in place of an answer.
    #[error("the model server at `{url}` reported: {message}")]
    Server {
        /// The address, without credentials.
        url: String,
        /// Its words.
        message: String,
        /// Whether the same request may succeed later.
        passing: bool,
    },
    /// The stream ended or went silent before the answer was complete.
    #[error("the answer from `{url}` was cut off: {reason}")]
    Cut {
        /// The address, without credentials.
        url: String,
        /// How.
        reason: String,
    },
    /// The server sends without end.
    #[error("the answer from `{url}` is larger than any real one; it was dropped")]
    TooLarge {
        /// The address, without credentials.
        url: String,
    },
}

fn through(proxy: Option<&str>) -> String {
    proxy.map(|proxy| format!(" through the proxy `{proxy}`")).unwrap_or_default()
}

fn status_hint(status: u16, body: &str) -> &'static str {
    match status {
        401 | 403 => "; check the key in the variable that `api_key_env` names",
        404 if body.contains("model") => "; check the model's name",
        404 | 405 => "; check `base_url` (most servers want it to end in `/v1`) and the model's name",
        407 => "; the proxy wants a name and password",
        413 => "; the conversation has become too long for the server",
        300..=399 => "; set `base_url` to the address it redirects to",
        _ => "",
    }
}

impl ModelError {
    /// Whether the same request may succeed a little later.
    pub(super) fn passing(&self) -> bool {
        match self {
            Self::Connect { .. } | Self::Cut { .. } => true,
            Self::Status { status, body, .. } => {
                matches!(status, 408 | 425 | 429 | 500..600) && !body.contains("insufficient_quota")
            }
            Self::Server { passing, .. } => *passing,
            Self::Settings { .. } | Self::NotAModel { .. } | Self::TooLarge { .. } => false,
        }
    }

    /// How long the server asks to wait.
    pub(super) const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// A few words for the status line.
    pub(super) fn short(&self) -> String {
        match self {
            Self::Status { status, .. } => format!("server answered {status}"),
            Self::Connect { .. } => "server not reachable".to_owned(),
            Self::Cut { .. } => "answer cut off".to_owned(),
            _ => "server error".to_owned(),
        }
    }
}
