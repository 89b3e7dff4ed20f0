//! Pasted text between its markers, streamed in pieces.

use crate::domain::InputEvent;

use super::ESC;

/// The largest piece, in bytes: one message on the socket each, far below its limit.
pub(super) const PIECE: usize = 64 * 1024;

const END: &[u8] = b"\x1b[201~";

/// A paste whose end has not come.
#[derive(Debug)]
pub(super) struct Paste {
    /// Text that is not given out yet.
    text: String,
    /// The beginning of a character whose end has not come.
    cut: Vec<u8>,
    first: bool,
}

impl Default for Paste {
    fn default() -> Self {
        Self { text: String::new(), cut: Vec::new(), first: true }
    }
}

impl Paste {
    /// Takes bytes; tells how many it took, and whether the end marker was among them.
    pub(super) fn feed(&mut self, data: &[u8], events: &mut Vec<InputEvent>) -> (usize, bool) {
        let mut at = 0;
        while let Some(offset) = data[at..].iter().position(|byte| *byte == ESC) {
            at += offset;
            let rest = &data[at..];
            if rest.starts_with(END) {
                self.add(&data[..at], events);
                self.finish(events);
                return (at + END.len(), true);
            }
            if END.starts_with(rest) {
                self.add(&data[..at], events);
                return (at, false);
            }
            at += 1;
        }
        self.add(data, events);
        (data.len(), false)
    }

    /// Whether there is text that is not given out yet.
    pub(super) fn holds_text(&self) -> bool {
        !self.text.is_empty()
    }

    /// What there is so far, if anything.
    pub(super) fn flush(&mut self) -> Option<InputEvent> {
        if self.text.is_empty() {
            return None;
        }
        let text = std::mem::take(&mut self.text);
        Some(self.piece(text, false))
    }

    fn add(&mut self, bytes: &[u8], events: &mut Vec<InputEvent>) {
        let joined = [std::mem::take(&mut self.cut).as_slice(), bytes].concat();
        let mut rest = joined.as_slice();
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.text.push_str(text);
                    break;
                }
                Err(error) => {
                    let (good, bad) = rest.split_at(error.valid_up_to());
                    self.text.push_str(&String::from_utf8_lossy(good));
                    let Some(length) = error.error_len() else {
                        self.cut = bad.to_vec();
                        break;
                    };
                    self.text.push(char::REPLACEMENT_CHARACTER);
                    rest = &bad[length..];
                }
            }
        }
        let mut start = 0;
        while self.text.len() - start > PIECE {
            let mut end = start + PIECE;
            while !self.text.is_char_boundary(end) {
                end -= 1;
            }
            let text = self.text[start..end].to_owned();
            events.push(self.piece(text, false));
            start = end;
        }
        self.text.drain(..start);
    }

    fn finish(&mut self, events: &mut Vec<InputEvent>) {
        let mut text = std::mem::take(&mut self.text);
        if !self.cut.is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        events.push(self.piece(text, true));
    }

    fn piece(&mut self, text: String, last: bool) -> InputEvent {
        let first = std::mem::replace(&mut self.first, false);
        InputEvent::Paste { text, first, last }
    }
}
