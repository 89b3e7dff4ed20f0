//! Panes: a PTY, a screen model, key encoding and prompt delivery each.
//!
//! How data passes: a few workers own the screen models and read the terminals themselves; each pane belongs
//! to one of them, so its bytes stay in order. What a worker has not come to stays in the kernel, which slows
//! the program. A worker puts the latest frame into the pane's slot, at most one per 16 ms and only while the
//! pane is visible, and tells the sink. Keys are encoded and written on the caller's thread, past all queues;
//! what the terminal does not take at once waits, and the worker writes it on.
//! [`Panes`] is the door; nothing outside sees the emulator. Nothing wakes while nothing happens.

mod asides;
mod calm;
mod colours;
mod deliver;
mod environment;
mod error;
mod event;
mod filter;
mod gather;
mod history;
mod host;
mod keys;
mod launch;
mod local;
mod model;
mod mouse;
mod notices;
mod outbox;
mod pacing;
mod pane;
mod panes;
mod paste;
mod processes;
mod program_status;
mod question;
mod reflow;
mod replay;
#[cfg(target_os = "linux")]
mod spawn;
mod speaker;
mod tty;
mod wake;
#[cfg(target_os = "linux")]
mod watch;
#[cfg(not(target_os = "linux"))]
mod watch_elsewhere;
mod worker;

#[cfg(test)]
mod tests;

/// What a program gets for a key with these keyboard protocols, for the tests of the decoder.
#[cfg(test)]
pub(crate) fn encoded(event: &crate::domain::KeyEvent, kitty: u8, other: u8, application_cursor: bool) -> Vec<u8> {
    let modes = model::Modes { kitty_keys: kitty, other_keys: other, application_cursor, ..model::Modes::default() };
    keys::encode(event, &modes)
}

pub use colours::{Colours, Rgb};
pub use deliver::Delivery;
pub use environment::PANE_MARK;
pub use error::TerminalError;
pub use event::{PaneEvent, PointerUse};
pub use launch::{Launch, ScreenWord};
pub use panes::Panes;
pub use processes::{Ended, ProcessIdentity, end_leftovers};
pub use replay::Replay;
