//! Bytes on their way to the program. They are written at once when they fit, on the caller's thread and
//! without blocking; the rest waits here, bounded, and the pane's I/O thread writes it on.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::Notify;

use super::tty::Tty;

/// How much waits for a program that does not read: more than a person pastes, less than hurts.
pub(super) const MAX_PENDING: usize = 10 * 1024 * 1024;

/// More of a paste is taken once no more than this waits.
pub(super) const ROOM: usize = 1024 * 1024;

/// What became of some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    /// All written.
    Written,
    /// The rest waits: the I/O thread must write it on.
    Waiting,
    /// Nothing was taken: too much waits already.
    Full,
    /// The program's side is gone.
    Gone,
}

/// The waiting bytes.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    pending: VecDeque<u8>,
    gone: bool,
    /// Bytes that the program's side has taken so far.
    written: u64,
    /// Rung when there is room again.
    drained: Arc<Notify>,
}

impl Outbox {
    /// Sends bytes, all or none.
    pub(super) fn send(&mut self, tty: &Tty, bytes: &[u8]) -> Sent {
        if self.pending.len() + bytes.len() > MAX_PENDING {
            return Sent::Full;
        }
        self.send_unbounded(tty, bytes)
    }

    /// Sends bytes although the bound is reached. For a few bytes that close what was begun.
    pub(super) fn send_unbounded(&mut self, tty: &Tty, bytes: &[u8]) -> Sent {
        if self.gone {
            return Sent::Gone;
        }
        let mut rest = bytes;
        while self.pending.is_empty() && !rest.is_empty() {
            match tty.write(rest) {
                Ok(0) => break,
                Ok(count) => {
                    rest = &rest[count..];
                    self.written += count as u64;
                }
                Err(_) => {
                    self.gone = true;
                    return Sent::Gone;
                }
            }
        }
        self.pending.extend(rest);
        if self.pending.is_empty() { Sent::Written } else { Sent::Waiting }
    }

    /// Writes on what waits, as much as fits now.
    pub(super) fn flush(&mut self, tty: &Tty) {
        let had_room = self.has_room();
        while !self.pending.is_empty() {
            match tty.write(self.pending.as_slices().0) {
                Ok(0) => break,
                Ok(count) => {
                    self.pending.drain(..count);
                    self.written += count as u64;
                }
                Err(_) => {
                    self.gone = true;
                    self.pending.clear();
                }
            }
        }
        if self.pending.is_empty() && self.pending.capacity() > 64 * 1024 {
            self.pending = VecDeque::new();
        }
        if self.has_room() && !had_room {
            self.drained.notify_waiters();
        }
    }

    /// Whether more of a paste may come. What is gone takes everything.
    pub(super) fn has_room(&self) -> bool {
        self.gone || self.pending.len() <= ROOM
    }

    /// Bytes that the program's side has taken so far.
    pub(super) const fn written(&self) -> u64 {
        self.written
    }

    /// The bell that is rung when there is room again.
    pub(super) fn drained(&self) -> Arc<Notify> {
        Arc::clone(&self.drained)
    }

    /// Drops what waits, but for the rest of a character whose beginning was written.
    pub(super) fn drop_waiting(&mut self) {
        let begun = self.pending.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count();
        self.pending.truncate(begun);
        self.drained.notify_waiters();
    }

    pub(super) fn waiting(&self) -> usize {
        self.pending.len()
    }

    /// Nothing more can be written.
    pub(super) fn close(&mut self) {
        self.gone = true;
        self.pending = VecDeque::new();
        self.drained.notify_waiters();
    }
}
