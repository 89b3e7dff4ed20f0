//! One lane's queue: what it could run now.

use std::collections::{BTreeMap, BTreeSet};

use super::aging::{Aging, CLASSES, class};
use crate::domain::{Hold, Prompt, PromptId, PromptState};

/// Where a prompt stands in its lane: class, position, id.
pub(super) type Key = (usize, i64, PromptId);

fn key(prompt: &Prompt) -> Key {
    (class(prompt.priority), prompt.position, prompt.id)
}

/// The open prompts of one lane, by what they mean for the next one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Line {
    /// All of them.
    pub open: BTreeSet<PromptId>,
    /// Queued ones, in the order in which they run.
    queued: BTreeSet<Key>,
    /// Those of them whose turn has begun.
    begun: BTreeSet<Key>,
    /// Blocked ones: what stands behind one waits with it.
    pub blocked: BTreeSet<Key>,
    /// Held ones.
    pub held: BTreeMap<PromptId, (Key, Option<Hold>)>,
    active: usize,
    working: usize,
    stopping: usize,
    paused: usize,
}

impl Line {
    pub fn add(&mut self, prompt: &Prompt) {
        self.open.insert(prompt.id);
        let key = key(prompt);
        match prompt.state {
            PromptState::Queued => {
                self.queued.insert(key);
                if prompt.started.is_some() {
                    self.begun.insert(key);
                }
            }
            PromptState::Blocked => {
                self.blocked.insert(key);
            }
            PromptState::Held => {
                self.held.insert(prompt.id, (key, prompt.hold));
            }
            _ => self.count(prompt, |number| *number += 1),
        }
    }

    pub fn remove(&mut self, prompt: &Prompt) {
        self.open.remove(&prompt.id);
        let key = key(prompt);
        match prompt.state {
            PromptState::Queued => {
                self.queued.remove(&key);
                self.begun.remove(&key);
            }
            PromptState::Blocked => {
                self.blocked.remove(&key);
            }
            PromptState::Held => {
                self.held.remove(&prompt.id);
            }
            _ => self.count(prompt, |number| *number -= 1),
        }
    }

    fn count(&mut self, prompt: &Prompt, count: impl Fn(&mut usize)) {
        let state = prompt.state;
        if state.active() {
            count(&mut self.active);
        }
        if matches!(state, PromptState::Preflight | PromptState::Running) {
            count(&mut self.working);
        }
        if state.needs_person() || state == PromptState::Paused && prompt.started.is_some() {
            count(&mut self.stopping);
        }
        if state == PromptState::Paused {
            count(&mut self.paused);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether its active prompt counts against the limits: it works, and does not only wait for the person or a hold.
    pub const fn works(&self) -> bool {
        self.working > 0
    }

    /// Whether something in it waits for the person.
    pub fn waits(&self) -> bool {
        !self.blocked.is_empty() || self.stopping > 0 || self.paused > 0
    }
}

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

impl Queue {
    /// What a line comes to; `due` says which held prompts count as queued. The turn of a `halted` one lives.
    pub fn of(line: &Line, due: impl Fn(Option<Hold>) -> bool, halted: Option<PromptId>) -> Self {
        let lives = line.begun.iter().find(|(.., id)| Some(*id) == halted);
        let mut heads: [Option<&Key>; CLASSES] = [None; CLASSES];
        for (class, head) in heads.iter_mut().enumerate() {
            let first = line.queued.range((class, i64::MIN, PromptId(i64::MIN))..).next();
            *head = first.filter(|(of, ..)| *of == class);
        }
        for (key, _) in line.held.values().filter(|(_, hold)| due(*hold)) {
            heads[key.0] = Some(heads[key.0].map_or(key, |head| head.min(key)));
        }
        // What stands behind a blocked prompt waits with it.
        let first = line.blocked.first();
        let free = |key: &&Key| first.is_none_or(|blocked| *key < blocked);
        Self {
            begun: lives.or_else(|| line.begun.first()).map(|(class, _, id)| (*class, *id)),
            heads: heads.map(|head| head.filter(free).map(|(.., id)| *id)),
            busy: line.active > 0,
            works: line.works(),
            stopped: line.stopping > 0,
        }
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
