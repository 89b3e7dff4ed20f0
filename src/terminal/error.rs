//! What can go wrong with a pane, in words a person can act on. Whoever shows them names the lane: here only its
//! number is known, which people never see.

use std::io;
use std::path::PathBuf;

use crate::domain::LaneId;

/// A pane could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// The lane has no pane.
    #[error("the lane has no pane; start its program first")]
    NoPane {
        /// The lane.
        lane: LaneId,
    },
    /// The lane's pane is still running.
    #[error("the lane already runs a program in its pane; end it before starting another")]
    StillRunning {
        /// The lane.
        lane: LaneId,
    },
    /// The command is empty.
    #[error("cannot start a pane: no command was given; name a program")]
    NoCommand {
        /// The lane.
        lane: LaneId,
    },
    /// The directory to start in is missing.
    #[error("cannot start `{command}` in `{}`: that is not a directory; restore it or choose another", directory.display())]
    NoDirectory {
        /// The program.
        command: String,
        /// The directory.
        directory: PathBuf,
    },
    /// The program could not be started.
    #[error("cannot start `{command}`: {reason}; check the name and the PATH")]
    Start {
        /// The program.
        command: String,
        /// Why.
        reason: String,
    },
    /// The operating system gave no pseudo-terminal, thread or descriptor.
    #[error("cannot {doing}: {source}; close some panes or raise the limits of this user")]
    System {
        /// What was being done.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The program's terminal could not be given its new size.
    #[error("cannot resize the pane: {source}; the program keeps its old size")]
    Resize {
        /// The lane.
        lane: LaneId,
        /// What the system said.
        source: io::Error,
    },
    /// The program has ended, or closed its terminal.
    #[error("the program in the pane has ended or closed its terminal; restart the lane to go on")]
    Ended {
        /// The lane.
        lane: LaneId,
    },
    /// The program does not read what is typed, and the buffer is full.
    #[error(
        "the program in the pane is not reading: {limit} bytes already wait for it; \
         wait until it reads again or end it"
    )]
    NotReading {
        /// The lane.
        lane: LaneId,
        /// How much is kept for a program that does not read.
        limit: usize,
    },
    /// The program stopped reading in the middle of a paste.
    #[error(
        "the paste was broken off: the program in the pane reads nothing; it has taken {taken} bytes, \
         the rest was dropped"
    )]
    PasteBroken {
        /// The lane.
        lane: LaneId,
        /// Bytes that the program has read, or the kernel holds for it.
        taken: u64,
    },
    /// Another prompt is being delivered.
    #[error("another prompt is being given to the pane; wait for it")]
    Delivering {
        /// The lane.
        lane: LaneId,
    },
    /// The prompt cannot be given to this program.
    #[error("cannot give the prompt to the pane: {reason}")]
    Undeliverable {
        /// The lane.
        lane: LaneId,
        /// Why, and what to do.
        reason: String,
    },
    /// The worker that owns the screen is gone or has too much to answer.
    #[error("cannot read the pane's screen now; try again")]
    NoAnswer {
        /// The lane.
        lane: LaneId,
    },
}
