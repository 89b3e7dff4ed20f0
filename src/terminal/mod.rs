//! Panes: a PTY, a screen model, key encoding and prompt delivery each.
//!
//! How data passes: one I/O thread per PTY reads into the pane's bounded inbox (a full inbox stops the
//! reading, and the kernel slows the child) and writes what could not be written at once. A few parser
//! workers own the screen models; each pane belongs to one worker, so its bytes stay in order. A worker
//! puts the latest frame into the pane's slot, at most one per 16 ms and only while the pane is visible,
//! and tells the sink. Keys are encoded and written on the caller's thread, past all queues.
//! [`Panes`] is the door; nothing outside sees the emulator. Nothing wakes while nothing happens.

mod colours;
mod deliver;
mod environment;
mod error;
mod event;
mod filter;
mod host;
mod io;
mod keys;
mod launch;
mod local;
mod model;
mod mouse;
mod outbox;
mod pacing;
mod pane;
mod panes;
mod paste;
mod processes;
mod tty;
mod wake;
mod worker;

#[cfg(test)]
mod tests;

pub use colours::{Colours, Rgb};
pub use deliver::Delivery;
pub use environment::PANE_MARK;
pub use error::TerminalError;
pub use event::{PaneEvent, PointerUse};
pub use launch::Launch;
pub use panes::Panes;
pub use processes::{Ended, ProcessIdentity, end_leftovers};
