//! One answer's bytes: decoded, read in their dialect, put together. Pure: bytes in, deltas and an answer out.

use serde_json::Value;

use super::answer::{Builder, Delta, StepAnswer};
use super::fault::{StreamFault, fault, words};
use super::sse::{SseDecoder, SseEvent};
use super::{anthropic, chat, gemini, responses};
use crate::config::Dialect;

/// What comes without being a stream is read as one document up to this size.
const BEGINNING_CAP: usize = 16 * 1024 * 1024;

/// Reads the events of one dialect into an answer.
pub(super) trait EventReader: Send + std::fmt::Debug {
    /// Takes one event, or a whole document that came in place of a stream.
    fn event(&mut self, event: &Value, out: &mut Builder) -> Result<(), StreamFault>;

    /// Takes the stream's end: what only the last event decides.
    fn close(&mut self, _: &mut Builder) -> Result<(), StreamFault> {
        Ok(())
    }
}

/// How a stream ended.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::agent) enum StreamEnd {
    /// With a whole answer.
    Answer(StepAnswer),
    /// Before the answer was complete.
    Cut,
    /// Nothing came at all.
    Empty,
    /// Something came that is no stream of this dialect: its beginning.
    Foreign(String),
}

/// One answer on its way.
#[derive(Debug)]
pub(in crate::agent) struct AnswerStream {
    decoder: SseDecoder,
    reader: Box<dyn EventReader>,
    builder: Builder,
    seen_event: bool,
    /// What came before the first event.
    beginning: Vec<u8>,
}

impl AnswerStream {
    pub fn new(dialect: Dialect) -> Self {
        let reader: Box<dyn EventReader> = match dialect {
            Dialect::OpenaiChat => Box::new(chat::stream::Reader::default()),
            Dialect::OpenaiResponses => Box::new(responses::stream::Reader::default()),
            Dialect::Anthropic => Box::new(anthropic::stream::Reader::default()),
            Dialect::Gemini => Box::new(gemini::stream::Reader::default()),
        };
        Self {
            decoder: SseDecoder::default(),
            reader,
            builder: Builder::default(),
            seen_event: false,
            beginning: Vec::new(),
        }
    }

    /// Takes more bytes; gives what is to be shown of them.
    ///
    /// # Errors
    /// What the server says is wrong, or what is wrong with the stream.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Delta>, StreamFault> {
        if !self.seen_event {
            if self.beginning.len() + bytes.len() > BEGINNING_CAP {
                return Err(StreamFault::TooLarge);
            }
            self.beginning.extend_from_slice(bytes);
        }
        for event in self.decoder.push(bytes).map_err(|_| StreamFault::TooLarge)? {
            self.event(&event)?;
        }
        Ok(self.builder.shown())
    }

    /// Whether the server has said that the answer is complete.
    pub const fn complete(&self) -> bool {
        self.builder.complete()
    }

    /// Whether the server has said that nothing more comes.
    pub const fn done(&self) -> bool {
        self.builder.done
    }

    /// The stream is over; gives what is still to be shown, and what came of it.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn finish(mut self) -> Result<(Vec<Delta>, StreamEnd), StreamFault> {
        // The last event may lack its blank line; if it is cut off it is no JSON and does not count.
        if let Some(event) = self.decoder.finish() {
            match self.event(&event) {
                Ok(()) | Err(StreamFault::NotJson(_)) => {}
                Err(fault) => return Err(fault),
            }
        }
        if !self.seen_event {
            let beginning = std::mem::take(&mut self.beginning);
            let text = String::from_utf8_lossy(&beginning);
            if text.trim().is_empty() || text.lines().all(|line| line.starts_with(':') || line.trim().is_empty()) {
                return Ok((Vec::new(), StreamEnd::Empty));
            }
            // Some servers send one document, or one a line, whatever was asked for and whatever they call it.
            let mut lines = text.lines().filter(|line| !line.trim().is_empty());
            let read = self.read(&text).or_else(|fault| match fault {
                StreamFault::NotJson(_) => lines.try_for_each(|line| self.read(line)),
                other => Err(other),
            });
            match read {
                Ok(()) if self.builder.complete() => {}
                Ok(()) | Err(StreamFault::NotJson(_)) => {
                    return Ok((Vec::new(), StreamEnd::Foreign(text.into_owned())));
                }
                Err(fault) => return Err(fault),
            }
        }
        self.reader.close(&mut self.builder)?;
        let shown = self.builder.shown();
        Ok((shown, self.builder.finish().map_or(StreamEnd::Cut, StreamEnd::Answer)))
    }

    fn event(&mut self, event: &SseEvent) -> Result<(), StreamFault> {
        self.seen_event = true;
        self.beginning = Vec::new();
        if event.name == "error" {
            let error = serde_json::from_str::<Value>(&event.data).unwrap_or_else(|_| event.data.clone().into());
            return Err(fault(error.get("error").filter(|error| !error.is_null()).unwrap_or(&error)));
        }
        self.read(&event.data)
    }

    /// One event's data.
    fn read(&mut self, data: &str) -> Result<(), StreamFault> {
        let data = data.trim();
        // What a server says behind its end is no part of the answer, however it was cut into packets.
        if self.builder.done {
            return Ok(());
        }
        if data == "[DONE]" {
            self.builder.done = true;
            return Ok(());
        }
        let events = match serde_json::from_str::<Value>(data) {
            // Gemini's streams without `alt=sse` are one array.
            Ok(Value::Array(events)) if !events.is_empty() && events.iter().all(Value::is_object) => events,
            Ok(event @ Value::Object(_)) => vec![event],
            // Some servers leave out the blank line between two events.
            _ if data.contains('\n') && data.lines().all(is_event) => {
                return data.lines().filter(|line| !line.trim().is_empty()).try_for_each(|line| self.read(line));
            }
            _ => return Err(StreamFault::NotJson(data.to_owned())),
        };
        for event in events {
            if let Some(error) = error_of(&event) {
                return Err(fault(error));
            }
            self.reader.event(&event, &mut self.builder)?;
        }
        Ok(())
    }
}

/// Whether a line could be an event's whole data.
fn is_event(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line == "[DONE]" || (line.starts_with('{') && line.ends_with('}'))
}

/// The error that an event is or carries, in any dialect.
fn error_of(event: &Value) -> Option<&Value> {
    let empty = |error: &Value| match error {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    };
    if let Some(error) = event.get("error").filter(|error| !empty(error)) {
        return Some(error);
    }
    let kind = event.get("type").or_else(|| event.get("object")).and_then(Value::as_str);
    // FastAPI's word for everything that goes wrong within it.
    let detail = event.as_object().is_some_and(|event| event.len() == 1 && event.contains_key("detail"));
    (kind == Some("error") || (detail && words(event).is_some())).then_some(event)
}
