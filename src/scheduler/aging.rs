//! What is remembered between two plans: whose turn it is, and how often the less urgent stood back.

use std::collections::{BTreeMap, BTreeSet};

use super::plan::Seat;
use crate::domain::{LaneId, Priority};

/// How many more urgent prompts go ahead before a less urgent one is served once. High enough that `high`
/// means something, low enough that `low` moves within minutes on a busy day.
pub const PATIENCE: u32 = 6;

/// How many classes of urgency there are.
pub(super) const CLASSES: usize = 3;

/// The class of a priority, 0 the most urgent.
pub(super) const fn class(priority: Priority) -> usize {
    match priority {
        Priority::High => 0,
        Priority::Normal => 1,
        Priority::Low => 2,
    }
}

/// How often each class stood back for a more urgent one since it was last served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Aging {
    stood_back: [u32; CLASSES],
}

impl Aging {
    /// The class to serve among those that could be.
    pub fn choose(&self, ready: [bool; CLASSES]) -> Option<usize> {
        let overdue = (0..CLASSES).filter(|&c| ready[c] && self.stood_back[c] >= PATIENCE);
        overdue.max_by_key(|&c| (self.stood_back[c], c)).or_else(|| (0..CLASSES).find(|&c| ready[c]))
    }

    /// A class was served while these could have been.
    pub fn served(&mut self, served: usize, ready: [bool; CLASSES]) {
        for (class, count) in self.stood_back.iter_mut().enumerate() {
            if class == served {
                *count = 0;
            } else if class > served && ready[class] {
                *count = count.saturating_add(1);
            }
        }
    }
}

/// The memory of the rounds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rounds {
    /// Among lanes.
    pub(super) lanes: Aging,
    /// Within each lane.
    pub(super) within: BTreeMap<LaneId, Aging>,
    /// A lane with a smaller number has its turn earlier.
    tickets: BTreeMap<LaneId, u64>,
    next: u64,
}

impl Rounds {
    /// The lane's place in the round; a new lane stands at the end.
    pub(super) fn ticket(&mut self, lane: LaneId) -> u64 {
        let next = &mut self.next;
        *self.tickets.entry(lane).or_insert_with(|| {
            *next += 1;
            *next
        })
    }

    /// The lane had its turn.
    pub(super) fn had_turn(&mut self, lane: LaneId) {
        self.next += 1;
        self.tickets.insert(lane, self.next);
    }

    /// Forgets lanes that are gone. Each of these has a ticket.
    pub(super) fn keep(&mut self, seats: &[Seat]) {
        if self.tickets.len() > seats.len() {
            let known: BTreeSet<LaneId> = seats.iter().map(|seat| seat.lane).collect();
            self.tickets.retain(|lane, _| known.contains(lane));
            self.within.retain(|lane, _| known.contains(lane));
        }
    }
}
