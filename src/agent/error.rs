//! What can go wrong between us and a model's server, in words a person can act on.

use std::fmt;
use std::time::Duration;

/// A server as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The address, without credentials.
    pub url: String,
    /// The proxy that was in between.
    pub proxy: Option<String>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.url)?;
        match &self.proxy {
            Some(proxy) => write!(f, " through the proxy `{proxy}`"),
            None => Ok(()),
        }
    }
}

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
    #[error("cannot reach the model server at {at}: {reason}; is it running, and is `base_url` right?")]
    Connect {
        /// The server.
        at: Place,
        /// The system's words.
        reason: String,
    },
    /// The server answered with an error status.
    #[error("the model server at {at} answered {status}: {body}{}", status_hint(*status, body))]
    Status {
        /// The server.
        at: Place,
        /// The status.
        status: u16,
        /// The first characters of its answer.
        body: String,
        /// How long it asks to wait.
        retry_after: Option<Duration>,
        /// Whether it says that the same request may succeed later.
        again: Option<bool>,
    },
    /// The conversation is longer than the model takes.
    #[error(
        "the conversation has become longer than the model at {at} takes: {message}; \
             choose a model with a larger context, set its `context_window` so that old turns are left out in time, \
             or go on in a new lane"
    )]
    TooLong {
        /// The server.
        at: Place,
        /// Its words.
        message: String,
    },
    /// The server answered with something that is no model's answer.
    #[error(
        "{at} answered {status} with {what} instead of a model's answer: {body}; \
             check `base_url` (most servers want it to end in `/v1`) and `dialect`"
    )]
    NotAModel {
        /// The server.
        at: Place,
        /// The status.
        status: u16,
        /// What came: `text/html`, …
        what: String,
        /// The first characters of it.
        body: String,
    },
    /// The server reported an error in place of an answer.
    #[error("the model server at {at} reported: {message}")]
    Server {
        /// The server.
        at: Place,
        /// Its words.
        message: String,
        /// Whether the same request may succeed later.
        passing: bool,
    },
    /// The stream ended or went silent before the answer was complete.
    #[error("the answer from {at} was cut off: {reason}")]
    Cut {
        /// The server.
        at: Place,
        /// How.
        reason: String,
    },
    /// The server sends without end.
    #[error("the answer from {at} is larger than any real one; it was dropped")]
    TooLarge {
        /// The server.
        at: Place,
    },
}

fn status_hint(status: u16, body: &str) -> &'static str {
    match status {
        401 | 403 => "; check the key in the variable that `api_key_env` names",
        404 if body.contains("model") => "; check the model's name",
        404 | 405 => "; check `base_url` (most servers want it to end in `/v1`), `dialect` and the model's name",
        407 => "; the proxy wants a name and password",
        413 => "; the request has become too large for the server",
        300..=399 => "; set `base_url` to the address it redirects to",
        _ => "",
    }
}

impl ModelError {
    /// Whether the same request may succeed a little later.
    pub(super) fn passing(&self) -> bool {
        match self {
            Self::Connect { .. } | Self::Cut { .. } => true,
            Self::Status { again: Some(again), .. } => *again,
            Self::Status { status, body, .. } => {
                matches!(status, 408 | 409 | 425 | 429 | 500..600) && !body.contains("insufficient_quota")
            }
            Self::Server { passing, .. } => *passing,
            Self::Settings { .. } | Self::TooLong { .. } | Self::NotAModel { .. } | Self::TooLarge { .. } => false,
        }
    }

    /// Whether the server had begun to answer: then it may want to be paid.
    pub(super) const fn begun(&self) -> bool {
        matches!(self, Self::Cut { .. } | Self::TooLarge { .. })
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
            Self::TooLong { .. } => "conversation too long".to_owned(),
            _ => "server error".to_owned(),
        }
    }
}
