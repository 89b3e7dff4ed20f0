//! All open prompts in the order in which a plan asks for them, kept up to date prompt by prompt: a plan looks at the
//! first ones of each lane only, however many wait.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::lane::Line;
use crate::domain::{Hold, LaneId, Prompt, PromptId};

/// The open prompts of all lanes. Whoever keeps prompts takes one out before it changes and puts it in afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Queues {
    lines: BTreeMap<LaneId, Line>,
    open: BTreeSet<PromptId>,
}

impl Queues {
    /// Puts a prompt in. One that has ended belongs to no queue.
    pub fn add(&mut self, prompt: &Prompt) {
        if !prompt.state.ended() {
            self.open.insert(prompt.id);
            self.lines.entry(prompt.lane).or_default().add(prompt);
        }
    }

    /// Takes out a prompt that stands here as it is given.
    pub fn remove(&mut self, prompt: &Prompt) {
        if !self.open.remove(&prompt.id) {
            return;
        }
        if let Some(line) = self.lines.get_mut(&prompt.lane) {
            line.remove(prompt);
            if line.is_empty() {
                self.lines.remove(&prompt.lane);
            }
        }
    }

    /// How many prompts are open.
    #[must_use]
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether none is open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// A lane's open prompts, oldest first.
    pub fn of(&self, lane: LaneId) -> impl Iterator<Item = PromptId> {
        self.lines.get(&lane).into_iter().flat_map(|line| line.open.iter().copied())
    }

    /// Prompts that met a live hold, lane by lane.
    pub fn blocked(&self) -> impl Iterator<Item = PromptId> {
        self.lines.values().flat_map(|line| line.blocked.iter().map(|(.., id)| *id))
    }

    pub(super) fn line(&self, lane: LaneId) -> Option<&Line> {
        self.lines.get(&lane)
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.values()
    }

    /// Whether what a held prompt waits for has come.
    pub(super) fn due(&self, hold: Option<Hold>, now: Timestamp) -> bool {
        match hold {
            None => true,
            Some(Hold::At(moment) | Hold::Every { next: moment, .. }) => moment <= now,
            Some(Hold::After(other)) => !self.open.contains(&other),
            // Who knows the issues takes such a hold off.
            Some(Hold::Released(_)) => false,
        }
    }
}

impl<'a> FromIterator<&'a Prompt> for Queues {
    fn from_iter<I: IntoIterator<Item = &'a Prompt>>(prompts: I) -> Self {
        let mut queues = Self::default();
        prompts.into_iter().for_each(|prompt| queues.add(prompt));
        queues
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{Priority, PromptState};

    fn prompt() -> impl Strategy<Value = Prompt> {
        let priority = prop_oneof![Just(Priority::High), Just(Priority::Normal), Just(Priority::Low)];
        let hold = prop_oneof![
            Just(None),
            (0i64..9).prop_map(|second| Timestamp::from_second(second).ok().map(Hold::At)),
            (0i64..6).prop_map(|other| Some(Hold::After(PromptId(other)))),
        ];
        let facts = (0i64..6, 0i64..3, 0..PromptState::ALL.len(), -2i64..3, any::<bool>());
        (facts, priority, hold).prop_map(|((id, lane, state, position, begun), priority, hold)| Prompt {
            id: PromptId(id),
            lane: LaneId(lane),
            text: String::new(),
            priority,
            state: PromptState::ALL[state],
            hold,
            position,
            started: begun.then_some(Timestamp::UNIX_EPOCH),
            created: Timestamp::UNIX_EPOCH,
            since: Timestamp::UNIX_EPOCH,
            result: None,
            error: None,
            key: None,
            overridden: Vec::new(),
        })
    }

    proptest! {
        /// However prompts come, change and go, the queues are those of the prompts that are there.
        #[test]
        fn queues_follow_their_prompts(steps in prop::collection::vec((prompt(), any::<bool>()), 0..40)) {
            let (mut prompts, mut queues) = (BTreeMap::<PromptId, Prompt>::new(), Queues::default());
            for (prompt, stays) in steps {
                if let Some(before) = prompts.remove(&prompt.id) {
                    queues.remove(&before);
                }
                if stays {
                    queues.add(&prompt);
                    prompts.insert(prompt.id, prompt);
                }
                prop_assert_eq!(&queues, &prompts.values().collect::<Queues>());
            }
        }
    }
}
