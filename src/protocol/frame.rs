//! Framing: whole messages out of a stream of bytes, whatever the chunks.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The largest frame, in bytes, that either side accepts: far above any message that is sent.
pub const MAX_FRAME: usize = 16 * 1024 * 1024;

const MESSAGE: u8 = 0;
const OUTPUT: u8 = 1;

/// One frame, taken apart.
#[derive(Debug, Clone, PartialEq)]
pub enum Packet<T> {
    /// A message.
    Message(T),
    /// Terminal output.
    Output {
        /// The frame's number, to be acknowledged by `Shown`.
        number: u64,
        /// What to write to the terminal.
        bytes: Vec<u8>,
    },
}

/// The bytes are no frames of ours.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The length is beyond [`MAX_FRAME`].
    #[error("a frame of {0} bytes is larger than the limit of {MAX_FRAME}")]
    TooLarge(usize),
    /// The kind byte is unknown.
    #[error("a frame of unknown kind {0}")]
    UnknownKind(u8),
    /// The body does not parse.
    #[error("a frame that is not a message: {0}")]
    Malformed(String),
}

fn frame(kind: u8, parts: &[&[u8]]) -> Vec<u8> {
    let body: usize = parts.iter().map(|p| p.len()).sum();
    let mut out = Vec::with_capacity(body + 5);
    out.extend_from_slice(&((body + 1) as u32).to_le_bytes());
    out.push(kind);
    for part in parts {
        out.extend_from_slice(part);
    }
    out
}

/// A message as a frame.
///
/// # Errors
/// [`FrameError::Malformed`] when the value cannot be serialised.
pub fn encode_message<T: Serialize>(message: &T) -> Result<Vec<u8>, FrameError> {
    let body = serde_json::to_vec(message).map_err(|e| FrameError::Malformed(e.to_string()))?;
    if body.len() >= MAX_FRAME {
        return Err(FrameError::TooLarge(body.len()));
    }
    Ok(frame(MESSAGE, &[&body]))
}

/// Terminal output as a frame.
#[must_use]
pub fn encode_output(number: u64, bytes: &[u8]) -> Vec<u8> {
    frame(OUTPUT, &[&number.to_le_bytes(), bytes])
}

/// Collects bytes and gives out whole frames.
#[derive(Debug, Default)]
pub struct Decoder {
    pending: Vec<u8>,
    start: usize,
}

impl Decoder {
    /// Takes more bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.pending.drain(..self.start);
            self.start = 0;
        }
        self.pending.extend_from_slice(bytes);
    }

    /// The next whole frame, if there is one.
    ///
    /// # Errors
    /// [`FrameError`]; the stream is useless from then on and must be closed.
    pub fn packet<T: DeserializeOwned>(&mut self) -> Result<Option<Packet<T>>, FrameError> {
        let bytes = &self.pending[self.start..];
        let Some(length) = bytes.first_chunk::<4>().map(|l| u32::from_le_bytes(*l) as usize) else { return Ok(None) };
        if length > MAX_FRAME || length == 0 {
            return Err(FrameError::TooLarge(length));
        }
        let Some(body) = bytes.get(4..4 + length) else { return Ok(None) };
        let packet = match (body[0], &body[1..]) {
            (MESSAGE, json) => {
                Packet::Message(serde_json::from_slice(json).map_err(|e| FrameError::Malformed(e.to_string()))?)
            }
            (OUTPUT, rest) => {
                let Some((number, bytes)) = rest.split_first_chunk::<8>() else {
                    return Err(FrameError::Malformed("output without a number".into()));
                };
                Packet::Output { number: u64::from_le_bytes(*number), bytes: bytes.to_vec() }
            }
            (kind, _) => return Err(FrameError::UnknownKind(kind)),
        };
        self.start += 4 + length;
        Ok(Some(packet))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn frames_survive_any_chunks(texts in proptest::collection::vec(".{0,40}", 1..6), cut in 1usize..9) {
            let mut stream = Vec::new();
            for text in &texts {
                stream.extend(encode_message(text).unwrap());
                stream.extend(encode_output(7, text.as_bytes()));
            }
            let mut decoder = Decoder::default();
            let mut seen = Vec::new();
            for piece in stream.chunks(cut) {
                decoder.push(piece);
                while let Some(packet) = decoder.packet::<String>().unwrap() {
                    seen.push(packet);
                }
            }
            let expected: Vec<_> = texts
                .iter()
                .flat_map(|t| [
                    Packet::Message(t.clone()),
                    Packet::Output { number: 7, bytes: t.as_bytes().to_vec() },
                ])
                .collect();
            prop_assert_eq!(seen, expected);
        }

        #[test]
        fn garbage_is_an_error_or_incomplete_never_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let mut decoder = Decoder::default();
            decoder.push(&bytes);
            while let Ok(Some(_)) = decoder.packet::<String>() {}
        }
    }
}
