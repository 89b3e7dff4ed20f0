//! The wire dialects behind one interface: a request's address and body out of a conversation, and an answer out
//! of the bytes that come back.
//!
//! | module | owns |
//! | --- | --- |
//! | `chat`, `responses`, `anthropic`, `gemini` | one dialect each: `request` builds bodies, `stream` reads events |
//! | `stream`, `sse`, `answer` | bytes → events → pieces → a whole answer, for all dialects |
//! | `echo` | what goes back to the server that made it |
//! | `fault`, `quirks` | errors as servers word them, and what refusals teach |
//!
//! Everything here is pure. The rest of the room speaks [`Message`] and [`StepAnswer`] only.

mod answer;
mod anthropic;
mod arguments;
mod chat;
mod echo;
mod fault;
mod gemini;
mod quirks;
mod responses;
mod sse;
mod stream;

#[cfg(test)]
mod request_tests;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use reqwest::Url;
use serde_json::Value;

#[cfg(test)]
pub(super) use answer::RawCall;
pub(super) use answer::{Delta, StepAnswer, Stop};
pub(super) use fault::{StreamFault, asked_wait, codes, fault, too_long, words};
pub(super) use quirks::Quirks;
pub(super) use stream::{AnswerStream, StreamEnd};

use super::transcript::Message;
use crate::config::{Dialect, Effort};

/// Name, description and schema of a tool.
pub(super) type Tool = (Cow<'static, str>, Cow<'static, str>, Value);

/// What the model is asked with, in no dialect.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request<'a> {
    /// The model's name.
    pub model: &'a str,
    /// What it is told first.
    pub system: &'a str,
    /// The conversation.
    pub messages: &'a [Message],
    /// What it may call.
    pub tools: &'a [Tool],
    /// Tokens the answer may have, if limited.
    pub max_output: Option<u64>,
    /// How long to think, if the person said.
    pub effort: Option<Effort>,
}

/// Without word from the person, where a dialect wants a number, or somebody counts with one.
pub(super) const MAX_OUTPUT: u64 = 32_000;

impl Request<'_> {
    /// The body. `maker` names this server, model and dialect: what it made before comes back to it whole.
    pub fn body(&self, dialect: Dialect, maker: &str, quirks: &Quirks) -> Value {
        let maker = (!quirks.no_seals).then_some(maker);
        match dialect {
            Dialect::OpenaiChat => chat::request::body(self, maker, quirks),
            Dialect::OpenaiResponses => responses::request::body(self, maker, quirks),
            Dialect::Anthropic => anthropic::request::body(self, maker, quirks),
            Dialect::Gemini => gemini::request::body(self, maker, quirks),
        }
    }

    /// How many pictures go along, and their bytes.
    pub fn pictures(&self) -> (u64, u64) {
        let images = self.messages.iter().flat_map(Message::images);
        images.fold((0, 0), |(count, bytes), image| (count + 1, bytes + image.data.len() as u64))
    }

    /// The limit of the answer that the body names, if it names one.
    pub fn limit(&self, dialect: Dialect, quirks: &Quirks) -> Option<u64> {
        let wanted = self.max_output.or((dialect == Dialect::Anthropic).then_some(MAX_OUTPUT));
        wanted.map(|wanted| quirks.limit(wanted))
    }
}

/// Where answers come from, below a provider's base address.
pub(super) fn answer_url(dialect: Dialect, base: &Url, model: &str) -> Url {
    match dialect {
        Dialect::OpenaiChat => below(base, &["chat", "completions"]),
        Dialect::OpenaiResponses => below(base, &["responses"]),
        Dialect::Anthropic => below(&versioned(base, "v1"), &["messages"]),
        Dialect::Gemini => {
            let model = model.strip_prefix("models/").unwrap_or(model);
            let mut url = below(&versioned(base, "v1beta"), &["models", &format!("{model}:streamGenerateContent")]);
            url.query_pairs_mut().append_pair("alt", "sse");
            url
        }
    }
}

/// Where the list of models comes from.
pub(super) fn models_url(dialect: Dialect, base: &Url) -> Url {
    match dialect {
        Dialect::OpenaiChat | Dialect::OpenaiResponses => below(base, &["models"]),
        Dialect::Anthropic => below(&versioned(base, "v1"), &["models"]),
        Dialect::Gemini => below(&versioned(base, "v1beta"), &["models"]),
    }
}

/// The names in a list of models of any dialect; `None` when the document is none.
pub(super) fn model_names(document: &Value) -> Option<Vec<String>> {
    let list = document.get("data").or_else(|| document.get("models")).unwrap_or(document).as_array()?;
    let name = |model: &Value| {
        let id = model.get("id").or_else(|| model.get("name")).unwrap_or(model).as_str()?;
        let talks = model.get("supportedGenerationMethods").and_then(Value::as_array);
        let talks = talks.is_none_or(|methods| methods.iter().any(|method| method == "generateContent"));
        talks.then(|| id.strip_prefix("models/").unwrap_or(id).to_owned())
    };
    Some(list.iter().filter_map(name).collect())
}

fn below(base: &Url, parts: &[&str]) -> Url {
    let mut url = base.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(parts);
    }
    url
}

/// The address with the interface's version, which people leave out or write as they like.
fn versioned(base: &Url, version: &str) -> Url {
    let last = base.path_segments().and_then(|mut parts| parts.rfind(|part| !part.is_empty()));
    let versioned = last.is_some_and(|last| {
        let mut letters = last.chars();
        letters.next() == Some('v') && letters.next().is_some_and(|c| c.is_ascii_digit())
    });
    // Vertex addresses end in their publisher.
    if versioned || base.path().contains("/publishers/") { base.clone() } else { below(base, &[version]) }
}

/// The name that stands in place of a picture which its server cannot see.
const UNSEEN: &str = "[an image that this model cannot see]";
