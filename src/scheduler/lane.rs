//! One lane's queue: what it could run now.

use super::aging::{Aging, CLASSES, class};
use crate::domain::{Prompt, PromptId, PromptState};

/// What a lane's queue comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Queue {
    /// A begun turn that goes on before all else, with its class.
    begun: Option<(usize, PromptId)>,
    /// The first of each class that could run.
    heads: [Option<PromptId>; CLASSES],
    /// A prompt is active.
    pub busy: bool,
    /// The active prompt works, and does not only wait for the person or a hold.
    pub works: bool,
    /// A prompt needs the person before the lane goes on.
    stopped: bool,
}

/// Whether a prompt in this state counts against the limits.
pub(super) const fn works(state: PromptState) -> bool {
    matches!(state, PromptState::Preflight | PromptState::Running)
}

impl Queue {
    /// Looks at all open prompts of one lane; `due` says which held ones count as queued. The turn of a `halted` one
    /// lives.
    pub fn of<'a>(
        prompts: impl IntoIterator<Item = &'a Prompt>,
        due: impl Fn(&Prompt) -> bool,
        halted: Option<PromptId>,
    ) -> Self {
        let mut queue = Self::default();
        let mut line: Vec<&Prompt> = Vec::new();
        for prompt in prompts {
            match prompt.state {
                state if state.active() => {
                    queue.busy = true;
                    queue.works |= works(state);
                }
                PromptState::Interrupted | PromptState::Unconfirmed => queue.stopped = true,
                PromptState::Paused => queue.stopped |= prompt.started.is_some(),
                PromptState::Queued | PromptState::Blocked => line.push(prompt),
                PromptState::Held if due(prompt) => line.push(prompt),
                _ => {}
            }
        }
        line.sort_by_key(|prompt| (class(prompt.priority), prompt.position, prompt.id));
        let mut begun = line.iter().filter(|p| p.state == PromptState::Queued && p.started.is_some());
        let lives = begun.clone().find(|p| Some(p.id) == halted);
        queue.begun = lives.or_else(|| begun.next()).map(|prompt| (class(prompt.priority), prompt.id));
        // What stands behind a blocked prompt waits with it.
        for prompt in line.into_iter().take_while(|prompt| prompt.state != PromptState::Blocked) {
            queue.heads[class(prompt.priority)].get_or_insert(prompt.id);
        }
        queue
    }

    /// Whether something could run, limits aside.
    pub fn ready(&self) -> bool {
        !self.busy && !self.stopped && (self.begun.is_some() || self.heads.iter().any(Option::is_some))
    }

    /// How urgent the lane is: its most urgent prompt speaks for it.
    pub fn class(&self) -> usize {
        let begun = self.begun.map(|(class, _)| class);
        let head = self.heads.iter().position(Option::is_some);
        begun.into_iter().chain(head).min().unwrap_or(CLASSES - 1)
    }

    /// Takes the prompt whose turn it is.
    pub fn take(&mut self, aging: &mut Aging) -> Option<PromptId> {
        if !self.ready() {
            return None;
        }
        self.busy = true;
        if let Some((_, prompt)) = self.begun {
            return Some(prompt);
        }
        let ready = self.heads.map(|head| head.is_some());
        let class = aging.choose(ready)?;
        aging.served(class, ready);
        self.heads[class]
    }
}
