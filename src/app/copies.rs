//! Texts that programs in panes want on the clipboard, until the person has answered. They live in memory only and
//! no longer than their program: they may be secrets.

use std::collections::BTreeMap;

use crate::domain::{Approval, ApprovalId, LaneId};

/// One text and the question about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Copy {
    /// The question, as the list shows it.
    pub approval: Approval,
    /// The text. Untrusted.
    pub text: String,
}

/// All that wait: one a lane at most.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Copies {
    waiting: BTreeMap<ApprovalId, Copy>,
    /// The highest id that was given.
    last: i64,
}

impl Copies {
    /// Adds one; it takes the place of an older one of its lane.
    pub fn add(&mut self, copy: Copy) {
        self.forget(copy.approval.lane);
        self.last = self.last.max(copy.approval.id.0);
        self.waiting.insert(copy.approval.id, copy);
    }

    /// Takes one out.
    pub fn take(&mut self, id: ApprovalId) -> Option<Copy> {
        self.waiting.remove(&id)
    }

    /// The questions, oldest first.
    pub fn questions(&self) -> impl Iterator<Item = &Approval> {
        self.waiting.values().map(|copy| &copy.approval)
    }

    /// The question of a lane.
    #[must_use]
    pub fn of(&self, lane: LaneId) -> Option<&Approval> {
        self.questions().find(|approval| approval.lane == lane)
    }

    /// Forgets a lane's.
    pub fn forget(&mut self, lane: LaneId) {
        self.waiting.retain(|_, copy| copy.approval.lane != lane);
    }

    /// Takes the next free id for another question that is not kept.
    pub fn take_id(&mut self, kept: i64) -> ApprovalId {
        let id = self.next_id(kept);
        self.last = id.0;
        id
    }

    /// The next free id, where the store has given ids up to `kept`. None is given twice, also after its question
    /// is gone: an answer must never meet another question.
    #[must_use]
    pub fn next_id(&self, kept: i64) -> ApprovalId {
        ApprovalId(self.last.max(kept) + 1)
    }
}
