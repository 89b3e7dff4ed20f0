//! A message that shows for a while and takes nothing away.

use jiff::{SignedDuration, Timestamp};

use crate::base::{Kind, Report};
use crate::command::{Surface, report_as_taken};

/// What is shown, and until when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// The message.
    pub report: Report,
    /// When it goes; none until the first frame that shows it.
    pub until: Option<Timestamp>,
}

impl Toast {
    /// A message that shows from the next frame on. Commands in it stand there as a window takes them.
    #[must_use]
    pub fn new(report: Report) -> Self {
        Self { report: report_as_taken(report, Surface::Window), until: None }
    }

    /// A message that shows from now on.
    #[must_use]
    pub fn until(report: Report, now: Timestamp) -> Self {
        let mut toast = Self::new(report);
        toast.start(now);
        toast
    }

    /// Whether it tells of something that went well.
    #[must_use]
    pub fn good(&self) -> bool {
        self.report.kind == Kind::Done
    }

    /// It is on the screen from now on.
    pub(super) fn start(&mut self, now: Timestamp) {
        if self.until.is_none() {
            self.until = Some(now.checked_add(self.span()).unwrap_or(Timestamp::MAX));
        }
    }

    /// How long it is shown: long enough to be read, at about fifteen letters a second.
    fn span(&self) -> SignedDuration {
        let letters = self.report.message.len() + self.report.hints.iter().map(String::len).sum::<usize>();
        SignedDuration::from_secs(i64::try_from(letters / 15).unwrap_or(20).clamp(4, 20))
    }
}
