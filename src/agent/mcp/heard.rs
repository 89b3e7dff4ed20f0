//! What a server's process says on its output: bounded lines, and whether they are the protocol at all.
//!
//! Some servers greet in plain words before they speak the protocol; a few such lines are passed over. A program that
//! says nothing else, or sends back what it is told, is no server: that is known as soon as it has said so.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use serde_json::Value;
use tokio::io::{AsyncRead, ReadBuf};

use crate::base::{clip, lock, one_line, size_words, visible};

/// Bytes that one message may have. A server that says more without an end of line is not heard any further.
pub(super) const MESSAGE: usize = 8 * 1024 * 1024;
/// Lines of plain words that a server may say before it speaks the protocol, and their bytes.
const STRAY_LINES: usize = 20;
const STRAY_BYTES: usize = 64 * 1024;
/// Cells of what it said instead.
const SAMPLE: usize = 80;

/// What has been heard of a server's output.
#[derive(Debug, Clone, Default)]
pub(super) struct Heard(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    too_long: AtomicBool,
    /// Whether it speaks the protocol: nothing is looked at any more.
    speaks: AtomicBool,
    head: Mutex<Head>,
}

/// What it said before it spoke the protocol.
#[derive(Debug, Default)]
struct Head {
    line: Vec<u8>,
    lines: usize,
    bytes: usize,
    /// The first that is no message.
    first: Option<String>,
    /// Why it is no server.
    verdict: Option<String>,
}

impl Heard {
    /// Why no more is read from it, if it was we who stopped.
    pub fn refused(&self) -> Option<String> {
        let too_long = self.0.too_long.load(Ordering::Relaxed);
        too_long.then(|| format!("it sent a message of more than {}", size_words(MESSAGE as u64)))
    }

    /// Why it is no server at all, once that is known.
    pub fn no_server(&self) -> Option<String> {
        lock(&self.0.head).verdict.clone()
    }

    /// What it said instead of the protocol, for a sentence that goes before.
    pub fn instead(&self) -> String {
        if self.0.speaks.load(Ordering::Relaxed) {
            return String::new();
        }
        let head = lock(&self.0.head);
        match &head.first {
            Some(first) => format!("; what it says is not MCP: `{first}`"),
            None if head.line.is_empty() => "; it says nothing".to_owned(),
            None => format!("; what it says is not MCP: `{}`", sample(&head.line)),
        }
    }

    /// Hears bytes. Whether more is to be read.
    fn hear(&self, bytes: &[u8]) -> bool {
        if self.0.speaks.load(Ordering::Relaxed) {
            return true;
        }
        let mut head = lock(&self.0.head);
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            head.bytes += piece.len();
            head.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut head.line);
                if head.is_message(&line) {
                    self.0.speaks.store(true, Ordering::Relaxed);
                    return true;
                }
            } else if head.line.len() > STRAY_BYTES && head.line.trim_ascii_start().starts_with(b"{") {
                // A message that is long: whoever reads it will see.
                self.0.speaks.store(true, Ordering::Relaxed);
                return true;
            }
            if head.verdict.is_none() && (head.lines > STRAY_LINES || head.bytes > STRAY_BYTES) {
                let first = head.first.clone().unwrap_or_else(|| sample(&head.line));
                head.verdict = Some(format!("it is no MCP server: it says `{first}`, and goes on so"));
            }
            if head.verdict.is_some() {
                return false;
            }
        }
        true
    }
}

impl Head {
    /// Whether a line is a message of the protocol, from somebody who is a server.
    fn is_message(&mut self, line: &[u8]) -> bool {
        if line.trim_ascii().is_empty() {
            return false;
        }
        let message: Option<Value> =
            serde_json::from_slice(line).ok().filter(|value: &Value| value["jsonrpc"] == "2.0");
        match message {
            Some(message) if message["method"] == "initialize" => {
                self.verdict = Some("it is no MCP server: it sends back what it is told".to_owned());
                false
            }
            Some(_) => true,
            None => {
                self.lines += 1;
                self.first.get_or_insert_with(|| sample(line));
                false
            }
        }
    }
}

fn sample(line: &[u8]) -> String {
    let start = line.get(..line.len().min(4 * SAMPLE)).unwrap_or(line);
    clip(&visible(&one_line(String::from_utf8_lossy(start).trim())), SAMPLE)
}

/// Output that is heard while it is read.
pub(super) struct Bounded<R> {
    inner: R,
    line: usize,
    heard: Heard,
}

impl<R> Bounded<R> {
    pub fn new(inner: R) -> Self {
        Self { inner, line: 0, heard: Heard::default() }
    }

    /// What is heard of it.
    pub fn heard(&self) -> Heard {
        self.heard.clone()
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Bounded<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        std::task::ready!(Pin::new(&mut self.inner).poll_read(cx, buffer))?;
        let read = &buffer.filled()[before..];
        self.line = match read.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => read.len() - end - 1,
            None => self.line + read.len(),
        };
        if self.line > MESSAGE {
            self.heard.0.too_long.store(true, Ordering::Relaxed);
            return Poll::Ready(Err(io::Error::other("a message is too long")));
        }
        if !self.heard.hear(read) {
            return Poll::Ready(Err(io::Error::other("this is not the protocol")));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_greeting_is_passed_over_and_a_message_ends_the_looking() {
        let heard = Heard::default();
        assert!(heard.hear(b"Welcome to docs 1.2\n\nlistening\n{\"json"));
        assert!(heard.instead().contains("`Welcome to docs 1.2`"), "{}", heard.instead());
        assert!(heard.hear(b"rpc\":\"2.0\",\"id\":0,\"result\":{}}\n"));
        assert!(heard.hear(&b"y\n".repeat(100_000)), "whoever speaks it is not judged by this");
        assert_eq!((heard.instead(), heard.no_server()), (String::new(), None));
    }

    #[test]
    fn words_without_end_are_no_server() {
        for garbage in [b"y\n".repeat(30), vec![0x1b; 70_000]] {
            let heard = Heard::default();
            assert!(!heard.hear(&garbage));
            let words = heard.no_server().unwrap();
            assert!(words.starts_with("it is no MCP server: it says `") && !words.contains('\u{1b}'), "{words:?}");
        }
    }

    #[test]
    fn who_sends_back_what_it_is_told_is_no_server() {
        let heard = Heard::default();
        assert!(!heard.hear(b"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}\n"));
        assert!(heard.no_server().unwrap().contains("sends back"));
    }

    #[test]
    fn a_message_in_many_pieces_and_of_any_length_is_one() {
        let heard = Heard::default();
        let message = format!("{{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":\"{}\"}}\n", "x".repeat(200_000));
        assert!(message.as_bytes().chunks(1_000).all(|piece| heard.hear(piece)));
        assert_eq!(heard.no_server(), None);
    }
}
