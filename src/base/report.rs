//! What a person is told when something cannot be done: the same text in the window and on stderr.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What kind of trouble; decides the exit status (design §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// It went well; the message says what was done. Exit status 0.
    Done,
    /// Refused, or a condition was found. Exit status 1.
    Refused,
    /// The command was not understood. Exit status 2.
    Usage,
    /// A fault of ours or of the machine. Exit status 3.
    Internal,
}

/// An error in words a person can act on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// What kind of trouble.
    pub kind: Kind,
    /// What could not be done, on what, and why. No full stop; names in backticks.
    pub message: String,
    /// What to do next; may be empty.
    pub hints: Vec<String>,
}

impl Report {
    /// It went well.
    pub fn done(message: impl Into<String>) -> Self {
        Self { kind: Kind::Done, message: message.into(), hints: Vec::new() }
    }

    /// Something was refused.
    pub fn refused(message: impl Into<String>) -> Self {
        Self { kind: Kind::Refused, message: message.into(), hints: Vec::new() }
    }

    /// A command was not understood.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { kind: Kind::Usage, message: message.into(), hints: Vec::new() }
    }

    /// A fault of ours or of the machine.
    pub fn internal(message: impl Into<String>) -> Self {
        Self { kind: Kind::Internal, message: message.into(), hints: Vec::new() }
    }

    /// Adds what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The exit status that goes with it.
    #[must_use]
    pub const fn exit_status(&self) -> u8 {
        match self.kind {
            Kind::Done => 0,
            Kind::Refused => 1,
            Kind::Usage => 2,
            Kind::Internal => 3,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for hint in &self.hints {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Report {}
