//! Reads the events of a chat completions stream into one answer.
//!
//! Servers differ in how they cut tool calls into deltas; everything that can be told apart is put together here.

use serde_json::{Map, Value, json};

use super::super::answer::{Builder, Piece, Stop};
use super::super::arguments::is_object;
use super::super::fault::StreamFault;
use super::super::stream::EventReader;
use crate::domain::Usage;

/// Fields of a message that some servers want back as they were: thoughts with their seals.
const SEALED: [&str; 2] = ["reasoning_details", "thinking_blocks"];
/// The same within a call.
const SEALED_IN_CALL: [&str; 2] = ["extra_content", "provider_specific_fields"];

#[derive(Debug, Default)]
pub(in super::super) struct Reader {
    /// Index and place of each call.
    calls: Vec<(Option<u64>, usize)>,
    sealed: Map<String, Value>,
}

impl EventReader for Reader {
    fn event(&mut self, event: &Value, out: &mut Builder) -> Result<(), StreamFault> {
        if let Some(usage) = event.get("usage").and_then(usage) {
            out.count(usage);
        }
        let Some(choice) = event.get("choices").and_then(first) else { return Ok(()) };
        if let Some(delta) = choice.get("delta").or_else(|| choice.get("message")) {
            self.delta(delta, out)?;
        }
        // Some servers tell it within the choice.
        if let Some(usage) = choice.get("usage").and_then(usage) {
            out.count(usage);
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str).filter(|reason| !reason.is_empty()) {
            let message = || choice.get("error").map_or_else(|| "the model server failed".to_owned(), Value::to_string);
            out.stop = Some(match reason {
                "length" | "max_tokens" | "model_length" => Stop::Length,
                "content_filter" => Stop::Filter,
                "error" => return Err(StreamFault::Server { message: message(), passing: true }),
                _ => Stop::Ended,
            });
        }
        Ok(())
    }

    fn close(&mut self, out: &mut Builder) -> Result<(), StreamFault> {
        if !self.sealed.is_empty() {
            out.begin(Piece::Kept(Value::Object(std::mem::take(&mut self.sealed))))?;
        }
        Ok(())
    }
}

impl Reader {
    fn delta(&mut self, delta: &Value, out: &mut Builder) -> Result<(), StreamFault> {
        for field in ["reasoning_content", "reasoning"] {
            if let Some(thought) = delta.get(field).and_then(Value::as_str) {
                out.think(thought)?;
                break;
            }
        }
        for field in SEALED {
            for item in delta.get(field).and_then(Value::as_array).into_iter().flatten() {
                out.grow(item.to_string().len())?;
                let list = self.sealed.entry(field).or_insert_with(|| json!([]));
                if let Value::Array(list) = list {
                    merge(list, item);
                }
            }
        }
        content(delta.get("content"), out)?;
        // A refusal is the answer then.
        if let Some(words) = delta.get("refusal").and_then(Value::as_str) {
            say(words, out)?;
        }
        for call in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            self.call(call, out)?;
        }
        // The old form, before there were several calls.
        if let Some(function) = delta.get("function_call").filter(|function| function.is_object()) {
            self.call(&json!({"index": 0, "function": function}), out)?;
        }
        Ok(())
    }

    fn call(&mut self, delta: &Value, out: &mut Builder) -> Result<(), StreamFault> {
        let index = delta.get("index").and_then(Value::as_u64);
        let id = delta.get("id").and_then(Value::as_str).unwrap_or_default();
        let function = delta.get("function").unwrap_or(&Value::Null);
        let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
        let place = if let Some(place) = self.place(index, id, name, out) {
            place
        } else {
            let place = out.begin_call("", "")?;
            self.calls.push((index, place));
            place
        };
        out.grow(name.len())?;
        if let Some(call) = out.call_mut(place) {
            if call.id.is_empty() {
                id.clone_into(&mut call.id);
            }
            // The name comes whole, or again with each delta, or (seldom) in pieces.
            if call.name != name {
                call.name.push_str(name);
            }
            for field in SEALED_IN_CALL {
                if let Some(value) = delta.get(field).filter(|value| !value.is_null()) {
                    call.extra.insert(field.to_owned(), value.clone());
                }
            }
        }
        match function.get("arguments") {
            None | Some(Value::Null) => Ok(()),
            Some(Value::String(piece)) => out.argue(place, piece),
            Some(object) => out.argue_whole(place, object.to_string()),
        }
    }

    /// Which call a delta goes on with; `None` when it begins one.
    fn place(&self, index: Option<u64>, id: &str, name: &str, out: &Builder) -> Option<usize> {
        let id_of = |place: usize| out.call(place).map_or("", |call| call.id.as_str());
        let fits = |place: usize| id.is_empty() || id_of(place).is_empty() || id_of(place) == id;
        if index.is_some() {
            // Searched from the end: some servers give every parallel call the index 0 and another id.
            let (_, place) = *self.calls.iter().rfind(|(known, _)| *known == index)?;
            return (fits(place) || name.is_empty()).then_some(place);
        }
        if !id.is_empty() {
            return self.calls.iter().map(|(_, place)| *place).find(|place| id_of(*place) == id);
        }
        let (_, last) = *self.calls.last()?;
        let begins = !name.is_empty() && out.call(last).is_some_and(|call| is_object(&call.arguments));
        (!begins).then_some(last)
    }
}

/// Text, or a list of parts, or null. Mistral puts thoughts among the parts.
fn content(content: Option<&Value>, out: &mut Builder) -> Result<(), StreamFault> {
    match content {
        Some(Value::String(text)) => say(text, out),
        Some(Value::Array(parts)) => parts.iter().try_for_each(|part| match part.get("thinking") {
            Some(Value::Array(thoughts)) => thoughts
                .iter()
                .filter_map(|thought| thought.get("text").and_then(Value::as_str))
                .try_for_each(|thought| out.think(thought)),
            Some(Value::String(thought)) => out.think(thought),
            _ => say(part.get("text").and_then(Value::as_str).unwrap_or_default(), out),
        }),
        _ => Ok(()),
    }
}

fn say(text: &str, out: &mut Builder) -> Result<(), StreamFault> {
    if text.is_empty() {
        return Ok(());
    }
    let place = out.last_text()?;
    out.say(place, text)
}

/// Adds a piece of sealed thoughts: to the last one if it goes on with it.
fn merge(list: &mut Vec<Value>, item: &Value) {
    let goes_on = |last: &Value| {
        let same = |name: &str| last.get(name) == item.get(name);
        let closed = last.get("signature").is_some_and(|signature| !signature.is_null());
        same("type") && same("index") && !(closed && item.get("index").is_none())
    };
    let Some(Value::Object(last)) = list.last_mut().filter(|last| goes_on(last)) else {
        list.push(item.clone());
        return;
    };
    for (name, value) in item.as_object().into_iter().flatten() {
        match (name.as_str(), value, last.get_mut(name)) {
            (_, Value::Null, _) => {}
            ("text" | "summary" | "data" | "thinking", Value::String(more), Some(Value::String(so_far))) => {
                so_far.push_str(more);
            }
            _ => drop(last.insert(name.clone(), value.clone())),
        }
    }
}

/// The choice of the lowest number; servers that make several may list them in any order.
fn first(choices: &Value) -> Option<&Value> {
    let number = |choice: &&Value| choice.get("index").and_then(Value::as_u64).unwrap_or(0);
    choices.as_array()?.iter().min_by_key(number)
}

fn usage(value: &Value) -> Option<Usage> {
    let number = |value: &Value, names: &[&str]| names.iter().find_map(|name| value.get(name)?.as_u64());
    let input = number(value, &["prompt_tokens", "input_tokens"])?;
    let within = |details: &str, names: &[&str]| number(value.get(details)?, names);
    let cached = within("prompt_tokens_details", &["cached_tokens"])
        .or_else(|| number(value, &["prompt_cache_hit_tokens", "cache_read_input_tokens"]))
        .unwrap_or(0);
    let cache_write = within("prompt_tokens_details", &["cache_write_tokens", "cache_creation_tokens"])
        .or_else(|| number(value, &["cache_creation_input_tokens"]))
        .unwrap_or(0);
    let reasoning = within("completion_tokens_details", &["reasoning_tokens"]).unwrap_or(0);
    let said = number(value, &["completion_tokens", "output_tokens"]).unwrap_or(0);
    // A few servers leave thoughts out of what they received; their total says so.
    let beside = said.saturating_add(reasoning);
    let total = number(value, &["total_tokens"]);
    let output = if total == Some(input.saturating_add(beside)) { beside } else { said };
    Some(Usage { input, cached, cache_write, output, reasoning })
}
