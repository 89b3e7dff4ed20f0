//! The window: the attaching client that owns the terminal.
//!
//! [`hello`] looks at the terminal and says what it is, [`greet`] sends that, [`run`] attaches it to a workstation. Bytes typed
//! go through the decoder to the socket as values; output from the socket goes to the
//! terminal as it is and is acknowledged. The terminal is given back whatever ends the window. The
//! window knows nothing of what is drawn. [`live`] shows a text that is renewed, without a workstation's help.

mod client;
mod decoder;
mod editor;
mod error;
mod greeting;
mod live;
mod signals;
mod tty;

use std::os::unix::net::UnixStream;

use crate::protocol::{EndReason, Hello};

pub use client::Greeted;
pub use error::WindowError;
pub use greeting::{hello, require_terminal};
pub use live::live;

/// Why a window ended. What there is to say has been printed below the terminal that was given back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WindowEnd {
    /// The workstation said so.
    Ended {
        /// Why.
        reason: EndReason,
        /// The plain line that was printed; may be empty.
        words: String,
    },
    /// A signal with this number asked the window to go; the work goes on.
    Signal(u8),
    /// The terminal is gone; the work goes on.
    TerminalGone,
    /// The workstation went without a word.
    WorkstationGone,
}

impl WindowEnd {
    /// The exit status that goes with it.
    #[must_use]
    pub const fn exit_status(&self) -> u8 {
        match self {
            Self::Ended { reason: EndReason::Detached | EndReason::Quit, .. } | Self::TerminalGone => 0,
            Self::Ended { reason: EndReason::Fault, .. } | Self::WorkstationGone => 3,
            Self::Signal(number) => 128 + *number,
        }
    }
}

/// Introduces this process's terminal to the workstation at the other end of the stream, which may be about to start.
/// Nothing is changed yet.
///
/// Size and settings in the hello are filled in; the terminal's descriptor goes with it when it says so.
///
/// # Errors
/// [`WindowError`].
pub fn greet(stream: &UnixStream, hello: Hello) -> Result<Greeted, WindowError> {
    client::greet(stream, hello, std::io::stdin(), std::io::stdout())
}

/// Attaches this process's terminal to the workstation at the other end of the stream, until the window
/// ends. Blocks its thread, which must not belong to an async runtime.
///
/// # Errors
/// [`WindowError`]; the terminal has been given back, and nothing has been printed.
pub fn run(stream: UnixStream, greeted: Greeted) -> Result<WindowEnd, WindowError> {
    client::attach(stream, greeted, std::io::stdin(), std::io::stdout())
}

#[cfg(test)]
mod tests;
