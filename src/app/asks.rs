//! Who waits for the answers to questions of native CLIs' tools. The questions themselves are kept like all approvals;
//! who waits is known in memory only, and no longer than the program: the call that asks is gone with it.

use std::collections::BTreeMap;

use super::RequestId;
use crate::domain::{ApprovalId, LaneId, NativeCall};

/// Who waits for the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// A hook.
    Hook(RequestId),
    /// Nobody but the CLI's dialog, which takes keys.
    Dialog,
}

/// Who asked one question.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The lane.
    pub lane: LaneId,
    /// The call.
    pub call: NativeCall,
    /// Who waits.
    pub waits: Waits,
    /// The event by the CLI's own name.
    pub event: String,
}

/// All that wait, by their question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Asks {
    waiting: BTreeMap<ApprovalId, Ask>,
}

impl Asks {
    /// Adds one.
    pub fn add(&mut self, id: ApprovalId, ask: Ask) {
        self.waiting.insert(id, ask);
    }

    /// One of them.
    #[must_use]
    pub fn get(&self, id: ApprovalId) -> Option<&Ask> {
        self.waiting.get(&id)
    }

    /// Takes one out.
    pub fn take(&mut self, id: ApprovalId) -> Option<Ask> {
        self.waiting.remove(&id)
    }

    /// The questions that `which` chooses.
    pub fn ids(&self, which: impl Fn(&Ask) -> bool) -> Vec<ApprovalId> {
        self.waiting.iter().filter(|(_, ask)| which(ask)).map(|(id, _)| *id).collect()
    }
}
