//! Questions of native CLIs' tools, until the person has answered here or in the CLI's own dialog. They live in memory
//! only and no longer than their program: the call that asks is gone with it.

use std::collections::BTreeMap;

use super::RequestId;
use crate::domain::{Approval, ApprovalId, LaneId, NativeCall};

/// Who waits for the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// A hook.
    Hook(RequestId),
    /// Nobody but the CLI's dialog, which takes keys.
    Dialog,
}

/// One question.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// As the list shows it.
    pub approval: Approval,
    /// The call.
    pub call: NativeCall,
    /// Who waits.
    pub waits: Waits,
    /// The event by the CLI's own name.
    pub event: String,
}

/// All that wait, by their id.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Asks {
    waiting: BTreeMap<ApprovalId, Ask>,
}

impl Asks {
    /// Adds one.
    pub fn add(&mut self, ask: Ask) {
        self.waiting.insert(ask.approval.id, ask);
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

    /// The questions, oldest first.
    pub fn questions(&self) -> impl Iterator<Item = &Approval> {
        self.waiting.values().map(|ask| &ask.approval)
    }

    /// The oldest question of a lane.
    #[must_use]
    pub fn of(&self, lane: LaneId) -> Option<&Approval> {
        self.questions().find(|approval| approval.lane == lane)
    }

    /// The ids of those that `which` chooses.
    pub fn ids(&self, which: impl Fn(&Ask) -> bool) -> Vec<ApprovalId> {
        self.waiting.iter().filter(|(_, ask)| which(ask)).map(|(id, _)| *id).collect()
    }
}
