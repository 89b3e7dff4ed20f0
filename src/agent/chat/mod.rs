//! The wire dialect: OpenAI chat completions. One file builds requests, one reads streams.
//!
//! The rest of the room speaks [`Message`](super::transcript::Message) and [`StepAnswer`] only.

pub(super) mod request;
pub(super) mod stream;

#[cfg(test)]
mod stream_tests;

use crate::domain::Usage;

/// A call as the model wrote it, whole.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RawCall {
    /// The model's id for it; may be empty.
    pub model_id: String,
    /// The tool's name.
    pub tool: String,
    /// A JSON object, or the raw text as a JSON string when it did not parse.
    pub arguments: serde_json::Value,
}

/// Why the model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// It said what it wanted to say.
    Ended,
    /// At the server's or the request's token limit.
    Length,
    /// A filter of the server stopped it.
    Filter,
}

/// One whole answer of the model.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StepAnswer {
    /// What it said.
    pub text: String,
    /// What it thought, where the server tells; never shown as answer.
    pub reasoning: String,
    /// The calls it asks for, in its order.
    pub calls: Vec<RawCall>,
    /// Tokens, if the server said.
    pub usage: Option<Usage>,
    /// Why it stopped.
    pub stop: Stop,
}
