//! A message that shows for a while and takes nothing away.

use jiff::{SignedDuration, Timestamp};

use crate::base::{Kind, Report};

/// What is shown, and until when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// The message.
    pub report: Report,
    /// Whether it tells of something that went well.
    pub good: bool,
    /// When it goes; none until the first frame that shows it.
    pub until: Option<Timestamp>,
}

impl Toast {
    /// A message of trouble.
    #[must_use]
    pub const fn trouble(report: Report) -> Self {
        Self { report, good: false, until: None }
    }

    /// A message of success or advice.
    #[must_use]
    pub fn note(message: impl Into<String>) -> Self {
        Self { report: Report { kind: Kind::Refused, message: message.into(), hints: Vec::new() }, good: true, until: None }
    }

    /// Adds what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.report.hints.push(hint.into());
        self
    }

    /// How long it is shown: long enough to be read, at about fifteen characters a second.
    pub(super) fn span(&self) -> SignedDuration {
        let letters = self.report.message.len() + self.report.hints.iter().map(String::len).sum::<usize>();
        let seconds = i64::try_from(letters / 15).unwrap_or(20).clamp(4, 20);
        SignedDuration::from_secs(seconds)
    }
}
