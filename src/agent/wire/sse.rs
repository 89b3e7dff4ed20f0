//! Server-sent events, decoded as the bytes come: any split, any line end, a cap per event.

/// An event above this is no model's: a whole file in one delta is far below.
const EVENT_CAP: usize = 8 * 1024 * 1024;

/// The event grew above the cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("one event of the stream is larger than {EVENT_CAP} bytes")]
pub(super) struct EventTooLarge;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SseEvent {
    /// What its `event` field says; mostly nothing.
    pub name: String,
    /// Its data.
    pub data: String,
}

/// Cuts a byte stream into its events. Comments and other fields are passed over.
#[derive(Debug, Default)]
pub(super) struct SseDecoder {
    line: Vec<u8>,
    name: String,
    data: Option<Vec<u8>>,
    after_cr: bool,
    begun: bool,
}

impl SseDecoder {
    /// Takes more bytes; gives each event that ended in them.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<SseEvent>, EventTooLarge> {
        let mut events = Vec::new();
        for &byte in bytes {
            let lf_of_crlf = std::mem::replace(&mut self.after_cr, byte == b'\r') && byte == b'\n';
            match byte {
                _ if lf_of_crlf => {}
                b'\r' | b'\n' => self.end_line(&mut events),
                byte => self.line.push(byte),
            }
            if self.line.len() + self.data.as_ref().map_or(0, Vec::len) > EVENT_CAP {
                return Err(EventTooLarge);
            }
        }
        Ok(events)
    }

    /// The event that the stream's end cut off from its blank line, if any. Some servers leave it out.
    pub fn finish(&mut self) -> Option<SseEvent> {
        let mut events = Vec::new();
        self.end_line(&mut events);
        self.end_event(&mut events);
        events.pop()
    }

    fn end_line(&mut self, events: &mut Vec<SseEvent>) {
        let line = std::mem::take(&mut self.line);
        let line = if std::mem::replace(&mut self.begun, true) {
            &line[..]
        } else {
            line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line)
        };
        if line.is_empty() {
            self.end_event(events);
        } else if let Some(value) = line.strip_prefix(b"data:") {
            let value = value.strip_prefix(b" ").unwrap_or(value);
            match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                none => *none = Some(value.to_vec()),
            }
        } else if let Some(name) = line.strip_prefix(b"event:") {
            String::from_utf8_lossy(name).trim().clone_into(&mut self.name);
        }
    }

    fn end_event(&mut self, events: &mut Vec<SseEvent>) {
        let name = std::mem::take(&mut self.name);
        if let Some(data) = self.data.take() {
            let data = String::from_utf8_lossy(&data).into_owned();
            if !data.trim().is_empty() {
                events.push(SseEvent { name, data });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
        let mut decoder = SseDecoder::default();
        let mut events = Vec::new();
        for piece in pieces {
            events.extend(decoder.push(piece).unwrap());
        }
        events.extend(decoder.finish());
        events.into_iter().map(|event| format!("{}{}", event.name, event.data)).collect()
    }

    #[test]
    fn any_split_gives_the_same_events() {
        let stream = "\u{feff}: hello\r\ndata: {\"a\":\"grün 漢\"}\r\n\r\nevent: x\ndata:1\ndata: 2\n\ndata:\n\n\
                      : keep-alive\n\ndata: [DONE]\r\rid: 7\n\ndata: last";
        let bytes = stream.as_bytes();
        let whole = decode([bytes]);
        assert_eq!(whole, ["{\"a\":\"grün 漢\"}", "x1\n2", "[DONE]", "last"]);
        for first in 0..=bytes.len() {
            assert_eq!(decode([&bytes[..first], &bytes[first..]]), whole, "split at {first}");
        }
        assert_eq!(decode(bytes.chunks(1)), whole);
    }

    #[test]
    fn an_endless_event_is_an_error() {
        let mut decoder = SseDecoder::default();
        let piece = vec![b'x'; 1024 * 1024];
        assert!((0..9).any(|_| decoder.push(&piece).is_err()));
    }
}
