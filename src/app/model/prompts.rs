//! Prompts in memory, and beside them what the scheduler asks of the open ones, so that nobody goes through all of them
//! to find a few.

use std::collections::{BTreeMap, btree_map};
use std::ops::Deref;

use crate::domain::{LaneId, Prompt, PromptId};
use crate::scheduler::Queues;

/// Prompts by id. They are read as a map, and changed in the ways given here only.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prompts {
    all: BTreeMap<PromptId, Prompt>,
    queues: Queues,
}

impl Deref for Prompts {
    type Target = BTreeMap<PromptId, Prompt>;

    fn deref(&self) -> &Self::Target {
        &self.all
    }
}

impl Prompts {
    /// Adds a prompt.
    pub fn insert(&mut self, prompt: Prompt) {
        self.remove(prompt.id);
        self.queues.add(&prompt);
        self.all.insert(prompt.id, prompt);
    }

    /// Changes a prompt. One that is not there stays so.
    pub fn change(&mut self, id: PromptId, change: impl FnOnce(&mut Prompt)) {
        if let Some(prompt) = self.all.get_mut(&id) {
            self.queues.remove(prompt);
            change(prompt);
            self.queues.add(prompt);
        }
    }

    /// Lets a prompt go.
    pub fn remove(&mut self, id: PromptId) {
        if let Some(prompt) = self.all.remove(&id) {
            self.queues.remove(&prompt);
        }
    }

    /// Open ones, in the order in which they run.
    pub const fn queues(&self) -> &Queues {
        &self.queues
    }

    /// A lane's open prompts, oldest first.
    pub fn open(&self, lane: LaneId) -> impl Iterator<Item = &Prompt> {
        self.queues.of(lane).filter_map(|id| self.all.get(&id))
    }

    /// How many have ended.
    pub fn ended(&self) -> usize {
        self.all.len() - self.queues.len()
    }

    /// All of them, by id.
    pub fn into_values(self) -> btree_map::IntoValues<PromptId, Prompt> {
        self.all.into_values()
    }
}

impl FromIterator<Prompt> for Prompts {
    fn from_iter<I: IntoIterator<Item = Prompt>>(prompts: I) -> Self {
        let all: BTreeMap<PromptId, Prompt> = prompts.into_iter().map(|prompt| (prompt.id, prompt)).collect();
        let queues = all.values().collect();
        Self { all, queues }
    }
}
