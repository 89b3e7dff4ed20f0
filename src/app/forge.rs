//! What the project's forge calls its issues: looked up when somebody wants to see issues, and good for a while.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::domain::{ForgeKind, IssueId};

/// So long the titles of a forge are taken as they were told.
const FRESH: SignedDuration = SignedDuration::from_mins(10);

/// Titles as a forge told them. Who owns an issue is decided here and never there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ForgeTitles {
    titles: BTreeMap<IssueId, String>,
    looked: Option<Timestamp>,
}

impl ForgeTitles {
    /// Whether it is time to ask the forge.
    #[must_use]
    pub fn due(&self, kind: ForgeKind, now: Timestamp) -> bool {
        kind != ForgeKind::None && self.looked.is_none_or(|looked| now.duration_since(looked) >= FRESH)
    }

    /// It is being asked.
    pub const fn asked(&mut self, now: Timestamp) {
        self.looked = Some(now);
    }

    /// It has told. What it did not tell this time is kept from before.
    pub fn told(&mut self, titles: Vec<(IssueId, String)>, now: Timestamp) {
        self.titles.extend(titles);
        self.looked = Some(now);
    }

    /// What it calls an issue.
    #[must_use]
    pub fn title(&self, issue: IssueId) -> Option<&str> {
        self.titles.get(&issue).map(String::as_str)
    }
}
