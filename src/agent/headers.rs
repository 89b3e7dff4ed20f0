//! The headers that go with every request to one provider: its dialect's own, the key, and what the person added.

use reqwest::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};

use super::error::ModelError;
use super::provider::Provider;
use crate::config::Dialect;

/// The version of Messages that we speak.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// Makes them. Those with secrets are marked, so that nothing prints them.
pub(super) fn headers(provider: &Provider) -> Result<HeaderMap, ModelError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream, application/json"));
    if provider.dialect == Dialect::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static(ANTHROPIC_VERSION));
    }
    if let Some(key) = &provider.api_key {
        let own = match provider.dialect {
            Dialect::OpenaiChat | Dialect::OpenaiResponses => "authorization",
            Dialect::Anthropic => "x-api-key",
            Dialect::Gemini => "x-goog-api-key",
        };
        let name = provider.api_key_header.as_deref().unwrap_or(own);
        let bearer = name.eq_ignore_ascii_case("authorization") && !key.secret().contains(' ');
        let value = if bearer { format!("Bearer {}", key.secret()) } else { key.secret().to_owned() };
        headers.insert(header(name)?, secret(&value, "api_key_env")?);
    }
    for (name, value) in &provider.headers {
        let value = HeaderValue::from_str(value)
            .map_err(|_| settings(format!("the header `{name}` has characters that no header has")))?;
        headers.insert(header(name)?, value);
    }
    for (name, value) in &provider.secret_headers {
        headers.insert(header(name)?, secret(value.secret(), "headers_env")?);
    }
    Ok(headers)
}

fn settings(reason: String) -> ModelError {
    ModelError::Settings { reason }
}

fn header(name: &str) -> Result<HeaderName, ModelError> {
    HeaderName::try_from(name).map_err(|_| settings(format!("`{name}` is no header's name")))
}

fn secret(value: &str, named_in: &str) -> Result<HeaderValue, ModelError> {
    let mut value = HeaderValue::from_str(value).map_err(|_| {
        settings(format!("the key has characters that no key has; check the variable that `{named_in}` names"))
    })?;
    value.set_sensitive(true);
    Ok(value)
}
