//! Reads the chunks of a generateContent stream into one answer.
//!
//! Each chunk is a response of its own whose parts go on with those before. A seal belongs to exactly the part that
//! brought it: such a part is never joined with another.

use serde_json::{Map, Value};

use super::super::answer::{Builder, Piece, Stop};
use super::super::fault::StreamFault;
use super::super::stream::EventReader;
use crate::domain::Usage;

#[derive(Debug, Default)]
pub(in super::super) struct Reader {
    /// The place of the text that the next part may go on with.
    open: Option<usize>,
}

impl EventReader for Reader {
    fn event(&mut self, event: &Value, out: &mut Builder) -> Result<(), StreamFault> {
        // Some gateways wrap each chunk.
        let event = event.get("response").filter(|inner| inner.get("candidates").is_some()).unwrap_or(event);
        if let Some(usage) = event.get("usageMetadata") {
            let number = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
            let reasoning = number("thoughtsTokenCount");
            out.count(Usage {
                input: number("promptTokenCount").saturating_add(number("toolUsePromptTokenCount")),
                cached: number("cachedContentTokenCount"),
                cache_write: 0,
                output: number("candidatesTokenCount").saturating_add(reasoning),
                reasoning,
            });
        }
        if event.get("promptFeedback").is_some_and(|feedback| feedback.get("blockReason").is_some()) {
            out.stop = Some(Stop::Filter);
        }
        let Some(candidate) = event.get("candidates").and_then(|candidates| candidates.get(0)) else { return Ok(()) };
        let parts = candidate.get("content").and_then(|content| content.get("parts")).and_then(Value::as_array);
        for part in parts.into_iter().flatten() {
            self.part(part, out)?;
        }
        if let Some(reason) = candidate.get("finishReason").and_then(Value::as_str) {
            out.stop = Some(match reason {
                "STOP" | "FINISH_REASON_UNSPECIFIED" => Stop::Ended,
                "MAX_TOKENS" => Stop::Length,
                // The model stumbled; it mostly does not when asked again.
                "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" | "MISSING_THOUGHT_SIGNATURE" | "OTHER" => {
                    let more = candidate.get("finishMessage").and_then(Value::as_str).unwrap_or_default();
                    let message = format!("the model broke off with {reason} {more}").trim().to_owned();
                    return Err(StreamFault::Server { message, passing: true });
                }
                _ => Stop::Filter,
            });
        }
        Ok(())
    }
}

impl Reader {
    fn part(&mut self, part: &Value, out: &mut Builder) -> Result<(), StreamFault> {
        let text = part.get("text").and_then(Value::as_str);
        let seal = part.get("thoughtSignature").or_else(|| part.get("thought_signature"));
        let seal = seal.and_then(Value::as_str).filter(|seal| !seal.is_empty());
        let mut extra = Map::new();
        if let Some(seal) = seal {
            out.grow(seal.len())?;
            extra.insert("thoughtSignature".to_owned(), seal.into());
        }
        if part.get("thought").and_then(Value::as_bool) == Some(true) {
            out.think(text.unwrap_or_default())?;
            if seal.is_some() {
                self.open = None;
                out.begin(Piece::Kept(part.clone()))?;
            }
            return Ok(());
        }
        if let Some(call) = part.get("functionCall").or_else(|| part.get("function_call")) {
            self.open = None;
            let field = |name: &str| call.get(name).and_then(Value::as_str).unwrap_or_default();
            let place = out.begin_call(field("id"), field("name"))?;
            match call.get("args").filter(|args| !args.is_null()) {
                Some(Value::String(args)) => out.argue_whole(place, args.clone())?,
                Some(args) => out.argue_whole(place, args.to_string())?,
                None => {}
            }
            if let Some(call) = out.call_mut(place) {
                call.extra = extra;
            }
            return Ok(());
        }
        match (text, self.open) {
            (Some(text), Some(place)) if seal.is_none() => out.say(place, text),
            (Some(text), _) => {
                let place = out.begin(Piece::Text { text: String::new(), extra })?;
                self.open = seal.is_none().then_some(place);
                out.say(place, text)
            }
            // Code that the server ran, and whatever comes later: goes back as it is.
            (None, _) => {
                self.open = None;
                out.begin(Piece::Kept(part.clone())).map(drop)
            }
        }
    }
}
