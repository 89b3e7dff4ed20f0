//! Why a window could not be opened, or ended out of order.

use std::io;

use crate::base::Report;
use crate::protocol::FrameError;

/// Why a window could not be opened, or ended out of order.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// Standard input or output is a file or a pipe.
    #[error("cannot open a window: {stream} is not a terminal")]
    NoTerminal {
        /// Which one.
        stream: &'static str,
    },
    /// The terminal cannot move its cursor, or does not say what it is.
    #[error("cannot open a window: the terminal says it is `{term}`, which cannot show one")]
    DumbTerminal {
        /// TERM, may be empty.
        term: String,
    },
    /// The terminal refused something.
    #[error("cannot {doing} the terminal: {source}")]
    Terminal {
        /// What was being done.
        doing: &'static str,
        /// What it said.
        source: io::Error,
    },
    /// Signals or the event loop could not be set up.
    #[error("cannot prepare the window: {0}")]
    Preparation(io::Error),
    /// The hello could not be sent.
    #[error("cannot greet the workstation: {0}")]
    Greeting(io::Error),
    /// The workstation refused the hello.
    #[error("{0}")]
    Refused(Report),
    /// The workstation sends what this version does not understand.
    #[error("cannot understand the workstation: {0}")]
    Protocol(#[from] FrameError),
}

impl WindowError {
    /// The error as it is told to a person.
    #[must_use]
    pub fn report(self) -> Report {
        let message = self.to_string();
        match self {
            Self::Refused(report) => report,
            Self::NoTerminal { .. } => Report::refused(message)
                .hint("run `paralane` in a terminal; `paralane up` starts the workstation without a window"),
            Self::DumbTerminal { .. } => {
                Report::refused(message).hint("set TERM to what the terminal is, for example `TERM=xterm-256color`")
            }
            Self::Protocol(_) => Report::internal(message)
                .hint("end the workstation with `paralane down` and start `paralane` again with one version of it"),
            Self::Terminal { .. } | Self::Preparation(_) | Self::Greeting(_) => {
                Report::internal(message).hint("run `paralane` again; the work goes on in the workstation")
            }
        }
    }
}
