//! One answer, put together from what any dialect streams: pieces in the server's order, with caps.
//!
//! The readers of the dialects name pieces by their place here. When the server has said that the answer is
//! complete, [`Builder::finish`] makes it a [`StepAnswer`]; before, there is none, so nothing cut off ever runs.

use serde_json::{Map, Value};

use super::echo::Part;
use super::fault::StreamFault;
use crate::domain::{Reasoning, Usage};

/// No model takes or makes more tokens in one call: such a count is a broken server's.
const BELIEVED: u64 = 100_000_000;
/// Text and arguments of one answer above this are refused: it is a broken or hostile server.
const ANSWER_CAP: usize = 16 * 1024 * 1024;
/// More calls or other pieces in one answer than this are refused for the same reason.
const PIECES_CAP: usize = 256;

/// A call as the model wrote it, whole.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::agent) struct RawCall {
    /// The model's id for it; may be empty.
    pub model_id: String,
    /// The tool's name.
    pub tool: String,
    /// A JSON object, or the raw text as a JSON string when it did not parse.
    pub arguments: Value,
}

/// Why the model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::agent) enum Stop {
    /// It said what it wanted to say.
    Ended,
    /// At the server's or the request's token limit.
    Length,
    /// A filter of the server stopped it.
    Filter,
}

/// One whole answer of the model.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::agent) struct StepAnswer {
    /// What it said.
    pub text: String,
    /// What it thought, where the server tells; never shown as answer.
    pub reasoning: Reasoning,
    /// The calls it asks for, in its order.
    pub calls: Vec<RawCall>,
    /// Tokens, if the server said.
    pub usage: Option<Usage>,
    /// Why it stopped.
    pub stop: Stop,
}

/// What is to be shown of a piece of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::agent) enum Delta {
    /// Words of the answer.
    Text(String),
    /// Words of its thoughts.
    Reasoning(String),
    /// Tokens until now: counted also when the answer breaks off.
    Usage(Usage),
}

/// A call on its way.
#[derive(Debug, Default)]
pub(super) struct PartialCall {
    pub id: String,
    pub name: String,
    pub arguments: String,
    /// What the server wants back with it.
    pub extra: Map<String, Value>,
}

/// A piece of the answer.
#[derive(Debug)]
pub(super) enum Piece {
    Text { text: String, extra: Map<String, Value> },
    Call(PartialCall),
    Kept(Value),
}

/// Puts one answer together.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pieces: Vec<Piece>,
    reasoning: String,
    usage: Option<Usage>,
    pub stop: Option<Stop>,
    /// The server has said that nothing more comes.
    pub done: bool,
    size: usize,
    shown: Vec<Delta>,
}

impl Builder {
    /// What was added since this was last called.
    pub fn shown(&mut self) -> Vec<Delta> {
        std::mem::take(&mut self.shown)
    }

    /// Whether the server has said that the answer is complete.
    pub const fn complete(&self) -> bool {
        self.stop.is_some() || self.done
    }

    /// The place of the last piece if it is text, or of a new one.
    pub fn last_text(&mut self) -> Result<usize, StreamFault> {
        match self.pieces.last() {
            Some(Piece::Text { .. }) => Ok(self.pieces.len() - 1),
            _ => self.begin(Piece::Text { text: String::new(), extra: Map::new() }),
        }
    }

    /// Adds a piece; gives its place.
    pub fn begin(&mut self, piece: Piece) -> Result<usize, StreamFault> {
        if self.pieces.len() >= PIECES_CAP {
            return Err(StreamFault::TooLarge);
        }
        if let Piece::Kept(value) = &piece {
            self.grow(value.to_string().len())?;
        }
        self.pieces.push(piece);
        Ok(self.pieces.len() - 1)
    }

    /// Adds a call; gives its place.
    pub fn begin_call(&mut self, id: &str, name: &str) -> Result<usize, StreamFault> {
        self.begin(Piece::Call(PartialCall { id: id.to_owned(), name: name.to_owned(), ..PartialCall::default() }))
    }

    /// Adds answer text to the text at this place.
    pub fn say(&mut self, place: usize, more: &str) -> Result<(), StreamFault> {
        if more.is_empty() {
            return Ok(());
        }
        self.grow(more.len())?;
        if let Some(Piece::Text { text, .. }) = self.pieces.get_mut(place) {
            text.push_str(more);
            self.shown.push(Delta::Text(more.to_owned()));
        }
        Ok(())
    }

    /// Adds thoughts.
    pub fn think(&mut self, more: &str) -> Result<(), StreamFault> {
        if more.is_empty() {
            return Ok(());
        }
        self.grow(more.len())?;
        self.reasoning.push_str(more);
        self.shown.push(Delta::Reasoning(more.to_owned()));
        Ok(())
    }

    /// Begins a new paragraph of thoughts.
    pub fn think_apart(&mut self) -> Result<(), StreamFault> {
        if self.reasoning.is_empty() || self.reasoning.ends_with('\n') { Ok(()) } else { self.think("\n\n") }
    }

    /// Adds to the arguments of the call at this place.
    pub fn argue(&mut self, place: usize, more: &str) -> Result<(), StreamFault> {
        self.grow(more.len())?;
        if let Some(call) = self.call_mut(place) {
            call.arguments.push_str(more);
        }
        Ok(())
    }

    /// Replaces the arguments of the call at this place.
    pub fn argue_whole(&mut self, place: usize, whole: String) -> Result<(), StreamFault> {
        self.grow(whole.len())?;
        if let Some(call) = self.call_mut(place) {
            call.arguments = whole;
        }
        Ok(())
    }

    pub fn call_mut(&mut self, place: usize) -> Option<&mut PartialCall> {
        match self.pieces.get_mut(place) {
            Some(Piece::Call(call)) => Some(call),
            _ => None,
        }
    }

    pub fn call(&self, place: usize) -> Option<&PartialCall> {
        match self.pieces.get(place) {
            Some(Piece::Call(call)) => Some(call),
            _ => None,
        }
    }

    pub fn piece_mut(&mut self, place: usize) -> Option<&mut Piece> {
        self.pieces.get_mut(place)
    }

    /// The text at this place.
    pub fn text_at(&self, place: usize) -> &str {
        match self.pieces.get(place) {
            Some(Piece::Text { text, .. }) => text,
            _ => "",
        }
    }

    /// Takes a report of tokens. Some servers repeat it, let it grow, or tell input and output apart: the most of
    /// each is what was used, once.
    pub fn count(&mut self, usage: Usage) {
        if usage.input.max(usage.output) > BELIEVED {
            return;
        }
        let so_far = self.usage.unwrap_or_default().most(&usage);
        self.usage = Some(so_far);
        self.shown.push(Delta::Usage(so_far));
    }

    /// Counts more bytes.
    pub const fn grow(&mut self, by: usize) -> Result<(), StreamFault> {
        self.size += by;
        if self.size > ANSWER_CAP { Err(StreamFault::TooLarge) } else { Ok(()) }
    }

    /// The whole answer; `None` when the stream ended before it was complete.
    pub fn finish(self) -> Option<StepAnswer> {
        let stop = self.stop.or_else(|| self.done.then_some(Stop::Ended))?;
        let (mut text, mut calls, mut parts) = (String::new(), Vec::new(), Vec::new());
        for piece in self.pieces {
            match piece {
                Piece::Text { text: more, extra } => {
                    text.push_str(&more);
                    if !more.is_empty() || !extra.is_empty() {
                        parts.push(Part::Text { bytes: more.len(), extra });
                    }
                }
                // A call that the token limit cut off may still parse: it is never run.
                Piece::Call(call) if stop != Stop::Ended || (call.name.is_empty() && call.arguments.is_empty()) => {}
                Piece::Call(call) => {
                    parts.push(Part::Call { extra: call.extra });
                    calls.push(RawCall {
                        model_id: call.id,
                        tool: call.name,
                        arguments: super::arguments::read(&call.arguments),
                    });
                }
                Piece::Kept(value) => parts.push(Part::Kept(value)),
            }
        }
        // An answer that broke off is not sent back with its seals: they are for whole ones.
        let parts = if stop == Stop::Ended && parts.iter().any(Part::matters) {
            parts.iter().filter_map(|part| serde_json::to_value(part).ok()).collect()
        } else {
            Vec::new()
        };
        let reasoning = Reasoning { text: self.reasoning, made_by: String::new(), parts };
        Some(StepAnswer { text, reasoning, calls, usage: self.usage, stop })
    }
}
