//! Reads the events of a chat completions stream into one answer.
//!
//! Servers differ in how they cut tool calls into deltas; everything that can be told apart is put
//! together here, and an answer counts only once the server has said that it is complete.

use serde_json::Value;

use super::{RawCall, StepAnswer, Stop};
use crate::domain::Usage;

/// Text and arguments of one answer above this are refused: it is a broken or hostile server.
const ANSWER_CAP: usize = 16 * 1024 * 1024;
/// More calls in one answer than this are refused for the same reason.
const CALLS_CAP: usize = 64;

/// What is wrong with a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::agent) enum StreamFault {
    /// An event is no JSON object.
    NotJson(String),
    /// The server reports an error inside the stream.
    Server {
        /// Its words.
        message: String,
        /// Whether the same request may succeed later.
        passing: bool,
    },
    /// The answer is above the cap.
    TooLarge,
}

#[derive(Debug, Default)]
struct PartialCall {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

/// Puts one answer together.
#[derive(Debug, Default)]
pub(in crate::agent) struct AnswerReader {
    text: String,
    reasoning: String,
    calls: Vec<PartialCall>,
    usage: Option<Usage>,
    stop: Option<Stop>,
    done: bool,
    size: usize,
}

impl AnswerReader {
    /// Takes an event's data; gives the answer text that it adds.
    pub fn event(&mut self, data: &str) -> Result<String, StreamFault> {
        let data = data.trim();
        if data == "[DONE]" {
            self.done = true;
            return Ok(String::new());
        }
        let event = match serde_json::from_str::<Value>(data) {
            Ok(event @ Value::Object(_)) => event,
            // Some servers leave out the blank line between two events.
            _ if data.contains('\n') => {
                let mut shown = String::new();
                for line in data.lines().filter(|line| !line.trim().is_empty()) {
                    shown.push_str(&self.event(line)?);
                }
                return Ok(shown);
            }
            _ => return Err(StreamFault::NotJson(data.to_owned())),
        };
        if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
            return Err(fault(error));
        }
        if let Some(usage) = event.get("usage").and_then(usage) {
            self.usage = Some(usage);
        }
        let Some(choice) = event.get("choices").and_then(|choices| choices.get(0)) else { return Ok(String::new()) };
        let shown = match choice.get("delta").or_else(|| choice.get("message")) {
            Some(delta) => self.delta(delta)?,
            None => String::new(),
        };
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str).filter(|reason| !reason.is_empty()) {
            self.stop = Some(match reason {
                "length" | "max_tokens" => Stop::Length,
                "content_filter" => Stop::Filter,
                _ => Stop::Ended,
            });
        }
        Ok(shown)
    }

    /// Whether the server has said that the answer is complete.
    pub const fn complete(&self) -> bool {
        self.stop.is_some() || self.done
    }

    /// Whether the server has said that nothing more comes.
    pub const fn done(&self) -> bool {
        self.done
    }

    /// The whole answer; `None` when the stream ended before it was complete.
    pub fn finish(self) -> Option<StepAnswer> {
        let stop = self.stop.or_else(|| self.done.then_some(Stop::Ended))?;
        // A call that the token limit cut off may still parse: it is never run.
        let calls = if stop == Stop::Ended { self.calls } else { Vec::new() };
        let calls = calls
            .into_iter()
            .filter(|call| !call.name.is_empty() || !call.arguments.is_empty())
            .map(|call| RawCall { model_id: call.id, tool: call.name, arguments: arguments(&call.arguments) })
            .collect();
        Some(StepAnswer { text: self.text, reasoning: self.reasoning, calls, usage: self.usage, stop })
    }

    fn delta(&mut self, delta: &Value) -> Result<String, StreamFault> {
        let shown = delta.get("content").map(content).unwrap_or_default();
        self.grow(shown.len())?;
        self.text.push_str(&shown);
        for field in ["reasoning_content", "reasoning"] {
            if let Some(thought) = delta.get(field).and_then(Value::as_str) {
                self.grow(thought.len())?;
                self.reasoning.push_str(thought);
                break;
            }
        }
        for call in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            self.call(call)?;
        }
        Ok(shown)
    }

    fn call(&mut self, delta: &Value) -> Result<(), StreamFault> {
        let index = delta.get("index").and_then(Value::as_u64);
        let id = delta.get("id").and_then(Value::as_str).unwrap_or_default();
        let function = delta.get("function").unwrap_or(&Value::Null);
        let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
        let place = match self.place(index, id, name) {
            Some(place) => place,
            None if self.calls.len() >= CALLS_CAP => return Err(StreamFault::TooLarge),
            None => {
                self.calls.push(PartialCall { index, ..PartialCall::default() });
                self.calls.len() - 1
            }
        };
        let (piece, whole) = match function.get("arguments") {
            None | Some(Value::Null) => (String::new(), false),
            Some(Value::String(piece)) => (piece.clone(), false),
            Some(object) => (object.to_string(), true),
        };
        self.grow(piece.len() + name.len())?;
        let call = &mut self.calls[place];
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        // The name comes whole, or again with each delta, or (seldom) in pieces.
        if call.name != name {
            call.name.push_str(name);
        }
        if whole {
            call.arguments = piece;
        } else {
            call.arguments.push_str(&piece);
        }
        Ok(())
    }

    /// Which call a delta goes on with; `None` when it begins one.
    fn place(&self, index: Option<u64>, id: &str, name: &str) -> Option<usize> {
        let fits = |call: &PartialCall| id.is_empty() || call.id.is_empty() || call.id == id;
        if index.is_some() {
            // Searched from the end: some servers give every parallel call the index 0 and another id.
            let place = self.calls.iter().rposition(|call| call.index == index)?;
            return (fits(&self.calls[place]) || name.is_empty()).then_some(place);
        }
        if !id.is_empty() {
            return self.calls.iter().position(|call| call.id == id);
        }
        let last = self.calls.last()?;
        let begins = !name.is_empty() && is_object(&last.arguments);
        (!begins).then_some(self.calls.len() - 1)
    }

    const fn grow(&mut self, by: usize) -> Result<(), StreamFault> {
        self.size += by;
        if self.size > ANSWER_CAP { Err(StreamFault::TooLarge) } else { Ok(()) }
    }
}

fn is_object(text: &str) -> bool {
    matches!(serde_json::from_str(text), Ok(Value::Object(_)))
}

/// Text, or a list of text parts, or null.
fn content(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect::<String>()
        }
        _ => String::new(),
    }
}

/// The arguments as an object, where they are one: also an empty text, and an object within a string.
fn arguments(raw: &str) -> Value {
    if raw.trim().is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    match serde_json::from_str(raw) {
        Ok(object @ Value::Object(_)) => object,
        Ok(Value::String(inner)) if is_object(&inner) => serde_json::from_str(&inner).unwrap_or(Value::String(inner)),
        _ => Value::String(raw.to_owned()),
    }
}

fn usage(value: &Value) -> Option<Usage> {
    let number = |value: &Value, names: &[&str]| names.iter().find_map(|name| value.get(name)?.as_u64());
    let input = number(value, &["prompt_tokens", "input_tokens"])?;
    let cached = value
        .get("prompt_tokens_details")
        .and_then(|details| number(details, &["cached_tokens"]))
        .or_else(|| number(value, &["prompt_cache_hit_tokens"]))
        .unwrap_or(0);
    Some(Usage { input, cached, output: number(value, &["completion_tokens", "output_tokens"]).unwrap_or(0) })
}

/// An error object (or text) that came in place of an answer.
pub(in crate::agent) fn fault(error: &Value) -> StreamFault {
    let text = |name: &str| error.get(name).and_then(Value::as_str);
    let message = error.as_str().or_else(|| text("message")).map_or_else(|| error.to_string(), str::to_owned);
    let code = error.get("code").or_else(|| error.get("status"));
    let number = code.and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
    let kind = format!("{} {}", text("type").unwrap_or_default(), text("code").unwrap_or_default()).to_lowercase();
    let passing = number.is_some_and(|code| code == 429 || (500..600).contains(&code))
        || ["overloaded", "rate_limit", "server_error", "unavailable", "timeout"]
            .iter()
            .any(|word| kind.contains(word));
    StreamFault::Server { message, passing: passing && !kind.contains("insufficient_quota") }
}
