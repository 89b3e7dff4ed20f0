//! Buffers with a cap that say what they dropped.

/// Keeps the head and the tail of a stream of bytes and counts what fell out of the middle.
#[derive(Debug, Clone)]
pub struct HeadTail {
    head: Vec<u8>,
    tail: std::collections::VecDeque<u8>,
    half: usize,
    dropped: usize,
}

impl HeadTail {
    /// A buffer of at most `cap` bytes, half for the head and half for the tail.
    #[must_use]
    pub fn new(cap: usize) -> Self {
        Self { head: Vec::new(), tail: std::collections::VecDeque::new(), half: cap / 2, dropped: 0 }
    }

    /// Takes more bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let into_head = bytes.len().min(self.half - self.head.len());
        self.head.extend_from_slice(&bytes[..into_head]);
        let rest = &bytes[into_head..];
        let skip = rest.len().saturating_sub(self.half);
        let overflow = (self.tail.len() + rest.len() - skip).saturating_sub(self.half);
        self.tail.drain(..overflow.min(self.tail.len()));
        self.tail.extend(&rest[skip..]);
        self.dropped += skip + overflow;
    }

    /// Bytes that fell out of the middle so far.
    #[must_use]
    pub const fn dropped(&self) -> usize {
        self.dropped
    }

    /// The text, with a line that says how much is missing where it is missing.
    #[must_use]
    pub fn text(&self) -> String {
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        if self.dropped == 0 {
            let mut all = self.head.clone();
            all.extend(tail);
            return String::from_utf8_lossy(&all).into_owned();
        }
        format!(
            "{}\n… {} bytes left out …\n{}",
            String::from_utf8_lossy(&self.head),
            self.dropped,
            String::from_utf8_lossy(&tail)
        )
    }
}

/// The first line of a text, with a `…` if there was more.
#[must_use]
pub fn one_line(text: &str) -> String {
    let text = text.trim();
    match text.split_once('\n') {
        Some((first, _)) => format!("{} …", first.trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_dropped_and_counted() {
        let mut buffer = HeadTail::new(8);
        for piece in [&b"abc"[..], b"defgh", b"ij"] {
            buffer.push(piece);
        }
        assert_eq!(buffer.dropped(), 2);
        assert_eq!(buffer.text(), "abcd\n… 2 bytes left out …\nghij");
    }

    #[test]
    fn short_streams_are_whole() {
        let mut buffer = HeadTail::new(8);
        buffer.push(b"abcdefgh");
        assert_eq!((buffer.dropped(), buffer.text().as_str()), (0, "abcdefgh"));
    }
}
