//! What the terminal sends, decoded piece by piece into [`InputEvent`]s.
//!
//! Bytes come in chunks cut anywhere and the events are the same wherever they were cut. Time enters in
//! one place only: when nothing came for about 30 ms while [`Decoder::waiting`], the owner calls
//! [`Decoder::timeout`], and a lone Esc is an Esc key. The terminal's replies to questions, however
//! late and in however many pieces, are swallowed or become [`InputEvent::Report`]s; so is every sequence that
//! means nothing here. Text that is no UTF-8 is dropped among keys and replaced (U+FFFD) in a paste.

mod csi;
mod mouse;
mod paste;
mod reply;
mod sequence;

use crate::domain::{InputEvent, Key, KeyCode};

use paste::Paste;
use reply::Reply;
use sequence::{Item, Read};

const ESC: u8 = 0x1b;

/// Decodes what a terminal sends.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The beginning of something whose end has not come.
    pending: Vec<u8>,
    state: State,
    /// Whether the terminal speaks the kitty keyboard protocol, once it is known.
    kitty: Option<bool>,
    /// The bytes that the last timeout took for keys.
    given_out: Vec<u8>,
}

/// What the next bytes belong to.
#[derive(Debug, Default)]
enum State {
    /// Keys and sequences.
    #[default]
    Ground,
    /// Pasted text.
    Paste(Paste),
    /// A reply that ends in a string terminator.
    Reply(Reply),
    /// A sequence longer than any that we know: swallowed up to its end.
    Overlong,
}

impl Decoder {
    /// Takes more bytes and gives out what is complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<InputEvent> {
        let mut events = Vec::new();
        let given_out = std::mem::take(&mut self.given_out);
        if !given_out.is_empty() {
            let whole = [&given_out[..], bytes].concat();
            if sequence::is_cut_reply(&whole) {
                self.pending = given_out;
            }
        }
        let mut data = std::mem::take(&mut self.pending);
        data.extend_from_slice(bytes);
        let mut at = 0;
        while let Some(used) = self.step(&data[at..], &mut events) {
            at += used;
        }
        data.drain(..at);
        self.pending = data;
        events
    }

    /// Whether silence would mean something: see [`Self::timeout`].
    #[must_use]
    pub fn waiting(&self) -> bool {
        match &self.state {
            State::Ground => sequence::keys_so_far(&self.pending).is_some(),
            State::Paste(paste) => paste.holds_text(),
            State::Reply(_) | State::Overlong => false,
        }
    }

    /// Nothing came for a while: what could have begun a sequence is keys after all, and pasted text
    /// that has come so far is given out.
    pub fn timeout(&mut self) -> Vec<InputEvent> {
        match &mut self.state {
            State::Ground => {
                let Some(keys) = sequence::keys_so_far(&self.pending) else { return Vec::new() };
                self.given_out = std::mem::take(&mut self.pending);
                // Of `Esc Esc [` only the last Esc can have begun a sequence.
                let last = self.given_out.iter().rposition(|byte| *byte == ESC).unwrap_or(0);
                self.given_out.drain(..last);
                keys.into_iter().map(InputEvent::Key).collect()
            }
            State::Paste(paste) => paste.flush().into_iter().collect(),
            State::Reply(_) | State::Overlong => Vec::new(),
        }
    }

    /// Whether the terminal speaks the kitty keyboard protocol: known once it has answered `CSI ? u`,
    /// or has answered the question behind it (`CSI c`) without having answered that one.
    #[must_use]
    pub const fn kitty(&self) -> Option<bool> {
        self.kitty
    }

    /// Takes one thing off the front; tells how many bytes it was, or nothing if more are needed.
    /// No bytes at all means that only the state changed, never twice in a row.
    fn step(&mut self, data: &[u8], events: &mut Vec<InputEvent>) -> Option<usize> {
        if data.is_empty() {
            return None;
        }
        match &mut self.state {
            State::Ground => match sequence::read(data, self.kitty == Some(true)) {
                Read::More => None,
                Read::Item(used, item) => {
                    self.take(item, events);
                    Some(used)
                }
            },
            State::Paste(paste) => {
                let (used, ended) = paste.feed(data, events);
                if ended {
                    self.state = State::Ground;
                }
                (used > 0).then_some(used)
            }
            State::Reply(reply) => {
                let (used, ended) = take_reply(reply, data);
                if ended {
                    events.extend(reply.reports().into_iter().map(InputEvent::Report));
                    self.state = State::Ground;
                }
                (used > 0 || ended).then_some(used)
            }
            State::Overlong => {
                let parameters = data.iter().take_while(|byte| (0x20..0x40).contains(*byte)).count();
                let Some(end) = data.get(parameters) else { return Some(parameters) };
                self.state = State::Ground;
                // A control character ends the sequence, too, but counts for itself.
                Some(parameters + usize::from((0x40..0x7f).contains(end)))
            }
        }
    }

    fn take(&mut self, item: Item, events: &mut Vec<InputEvent>) {
        match item {
            Item::Nothing => {}
            Item::Key(event) => events.push(match event.ours() {
                Some(key) if event == key.into() => InputEvent::Key(key),
                _ => InputEvent::RichKey(event),
            }),
            Item::Text(text) => events.extend(text.chars().map(|c| InputEvent::Key(Key::char(c)))),
            Item::Mouse(mouse) => events.push(InputEvent::Mouse(mouse)),
            Item::Focus(gained) => events.push(InputEvent::Focus(gained)),
            Item::PasteStart => self.state = State::Paste(Paste::default()),
            Item::ReplyStart(introducer) => self.state = State::Reply(Reply::new(introducer)),
            Item::Report(report) => events.push(InputEvent::Report(report)),
            Item::Overlong => self.state = State::Overlong,
            Item::KittyFlags => self.kitty = self.kitty.or(Some(true)),
            Item::Attributes => self.kitty = self.kitty.or(Some(false)),
        }
    }
}

/// Takes what belongs to a reply; tells how many bytes that is, and whether the reply ended with them. Replies hold
/// no control characters: any of them ends one, so that a lost terminator cannot swallow what is typed for ever.
fn take_reply(reply: &mut Reply, data: &[u8]) -> (usize, bool) {
    let end = data.iter().position(|byte| *byte < 0x20).unwrap_or(data.len());
    reply.add(&data[..end]);
    match (data.get(end), data.get(end + 1)) {
        (None, _) | (Some(&ESC), None) => (end, false),
        (Some(&ESC), Some(b'\\')) => (end + 2, true),
        // BEL, CAN and SUB end a reply and belong to it.
        (Some(0x07 | 0x18 | 0x1a), _) => (end + 1, true),
        _ => (end, true),
    }
}

/// Esc, as a key.
const ESC_KEY: Key = Key::plain(KeyCode::Esc);

#[cfg(test)]
mod tests;
