//! Reads the events of a Messages stream, or a whole message, into one answer.

use serde_json::{Map, Value, json};

use super::super::answer::{Builder, Piece, Stop};
use super::super::fault::StreamFault;
use super::super::stream::EventReader;
use crate::domain::Usage;

/// What a block of the stream is to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Text,
    Call,
    /// Goes back unchanged: thoughts, sealed thoughts, whatever comes later.
    Kept,
}

#[derive(Debug, Default)]
pub(in super::super) struct Reader {
    /// Index, kind and place of each block.
    blocks: Vec<(u64, Block, usize)>,
}

impl EventReader for Reader {
    fn event(&mut self, event: &Value, out: &mut Builder) -> Result<(), StreamFault> {
        let text = |name: &str| event.get(name).and_then(Value::as_str);
        // Without an index it is about the block that was begun last.
        let index = event.get("index").and_then(Value::as_u64).or(self.blocks.last().map(|block| block.0));
        match text("type").unwrap_or_default() {
            "message_start" => {
                let message = event.get("message").unwrap_or(&Value::Null);
                count(message.get("usage"), out);
                // Some imitations send the first blocks here.
                for block in message.get("content").and_then(Value::as_array).into_iter().flatten() {
                    self.whole(block, out)?;
                }
            }
            "content_block_start" => {
                let index = event.get("index").and_then(Value::as_u64).unwrap_or(self.blocks.len() as u64);
                self.start(index, event.get("content_block").unwrap_or(&Value::Null), out)?;
            }
            "content_block_delta" => {
                self.delta(index.unwrap_or(0), event.get("delta").unwrap_or(&Value::Null), out)?;
            }
            "message_delta" => {
                count(event.get("usage"), out);
                if let Some(reason) = event.get("delta").and_then(|delta| delta.get("stop_reason")?.as_str()) {
                    out.stop = Some(stop(reason));
                }
            }
            "message_stop" => out.done = true,
            "message" => {
                for block in event.get("content").and_then(Value::as_array).into_iter().flatten() {
                    self.whole(block, out)?;
                }
                count(event.get("usage"), out);
                out.stop = text("stop_reason").map(stop);
                out.done = true;
            }
            // Block ends, pings, and what may come later.
            _ => {}
        }
        Ok(())
    }
}

impl Reader {
    fn whole(&mut self, block: &Value, out: &mut Builder) -> Result<(), StreamFault> {
        let index = self.blocks.last().map_or(0, |block| block.0 + 1);
        self.start(index, block, out)
    }

    fn start(&mut self, index: u64, block: &Value, out: &mut Builder) -> Result<(), StreamFault> {
        if !block.is_object() {
            return Ok(());
        }
        let text = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default();
        let begun = match text("type") {
            "text" => {
                let place = out.begin(Piece::Text { text: String::new(), extra: Map::new() })?;
                out.say(place, text("text"))?;
                (index, Block::Text, place)
            }
            "tool_use" => {
                let place = out.begin_call(text("id"), text("name"))?;
                match block.get("input") {
                    Some(Value::Object(input)) if !input.is_empty() => {
                        out.argue_whole(place, block["input"].to_string())?;
                    }
                    Some(Value::String(input)) => out.argue(place, input)?,
                    _ => {}
                }
                (index, Block::Call, place)
            }
            _ => {
                if text("type") == "thinking" {
                    out.think_apart()?;
                    out.think(text("thinking"))?;
                }
                (index, Block::Kept, out.begin(Piece::Kept(block.clone()))?)
            }
        };
        self.blocks.push(begun);
        Ok(())
    }

    fn delta(&mut self, index: u64, delta: &Value, out: &mut Builder) -> Result<(), StreamFault> {
        let text = |name: &str| delta.get(name).and_then(Value::as_str).unwrap_or_default();
        let (wanted, begin) = match text("type") {
            "text_delta" => (Block::Text, json!({"type": "text", "text": ""})),
            "input_json_delta" => (Block::Call, json!({"type": "tool_use"})),
            "thinking_delta" | "signature_delta" => {
                (Block::Kept, json!({"type": "thinking", "thinking": "", "signature": ""}))
            }
            _ => return Ok(()),
        };
        // Searched from the end: some imitations give every block the index 0.
        let known = |blocks: &[(u64, Block, usize)]| {
            blocks.iter().rfind(|(known, kind, _)| *known == index && *kind == wanted).map(|(.., place)| *place)
        };
        let place = if let Some(place) = known(&self.blocks) {
            place
        } else {
            // Others leave out the block's begin; for a call that leaves no name, which is told to the model.
            self.start(index, &begin, out)?;
            self.blocks.last().map_or(0, |block| block.2)
        };
        match text("type") {
            "text_delta" => out.say(place, text("text")),
            "input_json_delta" => out.argue(place, text("partial_json")),
            "thinking_delta" => {
                out.think(text("thinking"))?;
                keep(out, place, "thinking", text("thinking"))
            }
            _ => keep(out, place, "signature", text("signature")),
        }
    }
}

/// Adds to a field of a block that goes back unchanged.
fn keep(out: &mut Builder, place: usize, field: &str, more: &str) -> Result<(), StreamFault> {
    out.grow(more.len())?;
    if let Some(Piece::Kept(Value::Object(block))) = out.piece_mut(place) {
        match block.get_mut(field) {
            Some(Value::String(so_far)) => so_far.push_str(more),
            _ => drop(block.insert(field.to_owned(), more.into())),
        }
    }
    Ok(())
}

fn stop(reason: &str) -> Stop {
    match reason {
        "max_tokens" | "model_context_window_exceeded" => Stop::Length,
        "refusal" => Stop::Filter,
        _ => Stop::Ended,
    }
}

/// Input is told in three parts here; together they are what was sent.
fn count(usage: Option<&Value>, out: &mut Builder) {
    let Some(usage) = usage.filter(|usage| usage.is_object()) else { return };
    let number = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
    let cached = number("cache_read_input_tokens");
    let cache_write = number("cache_creation_input_tokens");
    let input = number("input_tokens").saturating_add(cached).saturating_add(cache_write);
    out.count(Usage { input, cached, cache_write, output: number("output_tokens"), reasoning: 0 });
}
