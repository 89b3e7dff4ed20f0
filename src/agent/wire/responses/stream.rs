//! Reads the events of a Responses stream, or a whole response, into one answer.
//!
//! An output item comes as deltas, then whole, then again within the whole response; some servers leave out one or
//! two of the three. What the later form has more than the earlier is added.

use serde_json::{Map, Value};

use super::super::answer::{Builder, Piece, Stop};
use super::super::fault::{StreamFault, fault};
use super::super::stream::EventReader;
use crate::domain::Usage;

/// What an output item is to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Message,
    Call,
    Other,
}

#[derive(Debug)]
struct Item {
    index: Option<u64>,
    id: String,
    kind: Kind,
    place: usize,
    /// Whether it has come whole.
    whole: bool,
    /// Whether its thoughts were streamed.
    thought: bool,
}

#[derive(Debug, Default)]
pub(in super::super) struct Reader {
    items: Vec<Item>,
}

impl EventReader for Reader {
    fn event(&mut self, event: &Value, out: &mut Builder) -> Result<(), StreamFault> {
        let text = |name: &str| event.get(name).and_then(Value::as_str).unwrap_or_default();
        let null = &Value::Null;
        match text("type") {
            "response.output_item.added" => {
                self.item(event, event.get("item").unwrap_or(null), out)?;
            }
            "response.output_item.done" => self.whole(event, event.get("item").unwrap_or(null), out)?,
            "response.output_text.delta" | "response.refusal.delta" => {
                let at = self.of(event, Kind::Message, out)?;
                out.say(self.items[at].place, text("delta"))?;
            }
            "response.function_call_arguments.delta" => {
                let at = self.of(event, Kind::Call, out)?;
                out.argue(self.items[at].place, text("delta"))?;
            }
            "response.function_call_arguments.done" => {
                let at = self.of(event, Kind::Call, out)?;
                if !text("arguments").is_empty() {
                    out.argue_whole(self.items[at].place, text("arguments").to_owned())?;
                }
            }
            "response.reasoning_summary_part.added" => out.think_apart()?,
            "response.reasoning_summary_text.delta"
            | "response.reasoning_text.delta"
            | "response.reasoning_summary.delta"
            | "response.reasoning.delta" => {
                let at = self.of(event, Kind::Other, out)?;
                self.items[at].thought = true;
                out.think(text("delta"))?;
            }
            "response.completed" | "response.incomplete" | "response.failed" | "response.done" => {
                self.response(event.get("response").unwrap_or(null), out)?;
                out.done = true;
            }
            _ if event.get("object").and_then(Value::as_str) == Some("response") => {
                self.response(event, out)?;
                out.done = true;
            }
            _ => {}
        }
        Ok(())
    }
}

impl Reader {
    /// The whole response.
    fn response(&mut self, response: &Value, out: &mut Builder) -> Result<(), StreamFault> {
        if let Some(error) = response.get("error").filter(|error| !error.is_null()) {
            return Err(fault(error));
        }
        for (index, item) in response.get("output").and_then(Value::as_array).into_iter().flatten().enumerate() {
            let event = serde_json::json!({"output_index": index});
            self.whole(&event, item, out)?;
        }
        if let Some(usage) = response.get("usage").filter(|usage| usage.is_object()) {
            let number = |value: &Value, name: &str| value.get(name).and_then(Value::as_u64).unwrap_or(0);
            let cached = usage.get("input_tokens_details").map_or(0, |details| number(details, "cached_tokens"));
            let reasoning = usage.get("output_tokens_details").map_or(0, |details| number(details, "reasoning_tokens"));
            let (input, output) = (number(usage, "input_tokens"), number(usage, "output_tokens"));
            out.count(Usage { input, cached, cache_write: 0, output, reasoning });
        }
        let reason = response.get("incomplete_details").and_then(|details| details.get("reason")?.as_str());
        out.stop = Some(match response.get("status").and_then(Value::as_str) {
            Some("failed" | "cancelled") => {
                let message = "the model server gave the answer up".to_owned();
                return Err(StreamFault::Server { message, passing: true });
            }
            Some("incomplete") if reason == Some("content_filter") => Stop::Filter,
            Some("incomplete") => Stop::Length,
            _ => Stop::Ended,
        });
        Ok(())
    }

    /// The item that an event is about. Where its begin is missing, it begins with this.
    fn of(&mut self, event: &Value, kind: Kind, out: &mut Builder) -> Result<usize, StreamFault> {
        let index = event.get("output_index").and_then(Value::as_u64);
        let id = event.get("item_id").and_then(Value::as_str).unwrap_or_default();
        match self.find(index, id, kind) {
            Some(at) => Ok(at),
            None => self.begin(index, id, kind, &Value::Null, out),
        }
    }

    fn find(&self, index: Option<u64>, id: &str, kind: Kind) -> Option<usize> {
        let kin = |item: &&Item| item.kind == kind;
        // Servers that make up their ids make up others for each event: then only the index holds.
        let by_id = || self.items.iter().rposition(|item| !id.is_empty() && item.id == id && kin(&item));
        let by_index = || self.items.iter().rposition(|item| index.is_some() && item.index == index && kin(&item));
        let last = || self.items.len().checked_sub(1).filter(|_| index.is_none() && id.is_empty());
        by_index().or_else(by_id).or_else(|| last().filter(|at| self.items[*at].kind == kind))
    }

    fn item(&mut self, event: &Value, item: &Value, out: &mut Builder) -> Result<usize, StreamFault> {
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
        let kind = match text("type") {
            "message" => Kind::Message,
            "function_call" => Kind::Call,
            _ => Kind::Other,
        };
        let index = event.get("output_index").and_then(Value::as_u64);
        match self.find(index, text("id"), kind) {
            Some(at) => Ok(at),
            None => self.begin(index, text("id"), kind, item, out),
        }
    }

    fn begin(
        &mut self,
        index: Option<u64>,
        id: &str,
        kind: Kind,
        item: &Value,
        out: &mut Builder,
    ) -> Result<usize, StreamFault> {
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
        let place = match kind {
            Kind::Message => out.begin(Piece::Text { text: String::new(), extra: Map::new() })?,
            Kind::Call => out.begin_call(text("call_id"), text("name"))?,
            Kind::Other => {
                out.think_apart()?;
                out.begin(Piece::Kept(item.clone()))?
            }
        };
        self.items.push(Item { index, id: id.to_owned(), kind, place, whole: false, thought: false });
        Ok(self.items.len() - 1)
    }

    /// An item that came whole.
    fn whole(&mut self, event: &Value, item: &Value, out: &mut Builder) -> Result<(), StreamFault> {
        if !item.is_object() {
            return Ok(());
        }
        let at = self.item(event, item, out)?;
        if std::mem::replace(&mut self.items[at].whole, true) {
            return Ok(());
        }
        let Item { kind, place, thought, .. } = self.items[at];
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
        match kind {
            Kind::Message => {
                let parts = item.get("content").and_then(Value::as_array).into_iter().flatten();
                let said: String =
                    parts.filter_map(|part| part.get("text").or_else(|| part.get("refusal"))?.as_str()).collect();
                // Nothing that was shown is taken back.
                let more = said.strip_prefix(out.text_at(place)).unwrap_or_default().to_owned();
                out.say(place, &more)?;
                if let Some(Piece::Text { extra, .. }) = out.piece_mut(place)
                    && let Some(phase) = item.get("phase").filter(|phase| !phase.is_null())
                {
                    extra.insert("phase".to_owned(), phase.clone());
                }
            }
            Kind::Call => {
                match item.get("arguments") {
                    Some(Value::String(whole)) if !whole.is_empty() => out.argue_whole(place, whole.clone())?,
                    Some(object @ Value::Object(_)) => out.argue_whole(place, object.to_string())?,
                    _ => {}
                }
                if let Some(call) = out.call_mut(place) {
                    for (slot, name) in [(&mut call.id, "call_id"), (&mut call.name, "name")] {
                        if !text(name).is_empty() {
                            text(name).clone_into(slot);
                        }
                    }
                }
            }
            Kind::Other => {
                if text("type") == "reasoning" && !thought {
                    for list in ["summary", "content"] {
                        for part in item.get(list).and_then(Value::as_array).into_iter().flatten() {
                            out.think_apart()?;
                            out.think(part.get("text").and_then(Value::as_str).unwrap_or_default())?;
                        }
                    }
                }
                let mut kept = item.clone();
                if let Value::Object(fields) = &mut kept {
                    // Not wanted back; and an id without something kept at the server leads nowhere.
                    fields.shift_remove("status");
                    if fields.get("encrypted_content").is_some_and(|sealed| !sealed.is_null()) {
                        fields.shift_remove("id");
                    }
                }
                out.grow(kept.to_string().len())?;
                if let Some(piece) = out.piece_mut(place) {
                    *piece = Piece::Kept(kept);
                }
            }
        }
        Ok(())
    }
}
