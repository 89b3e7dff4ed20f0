//! Which folds of transcripts are open in a window.

use std::collections::BTreeSet;

use crate::domain::LaneId;

/// Folds that are turned one by one and remembered.
const TURNED: usize = 10_000;

/// Folds: all open or closed, but for some.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folds {
    /// Whether they are open.
    pub all: bool,
    /// Entries whose folds are the other way.
    turned: BTreeSet<(LaneId, u64)>,
}

impl Folds {
    /// Whether an entry's fold is open.
    #[must_use]
    pub fn open(&self, lane: LaneId, seq: u64) -> bool {
        self.all != self.turned.contains(&(lane, seq))
    }

    /// Opens or closes one.
    pub fn turn(&mut self, lane: LaneId, seq: u64) {
        if !self.turned.remove(&(lane, seq)) {
            if self.turned.len() >= TURNED {
                self.turned.clear();
            }
            self.turned.insert((lane, seq));
        }
    }

    /// Opens all, or closes all.
    pub fn turn_all(&mut self) {
        self.all = !self.all;
        self.turned.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_turned_and_then_all() {
        let (mut folds, lane) = (Folds::default(), LaneId(1));
        folds.turn(lane, 3);
        assert!(folds.open(lane, 3) && !folds.open(lane, 4));
        folds.turn(lane, 3);
        assert!(!folds.open(lane, 3));
        folds.turn(lane, 3);
        folds.turn_all();
        assert!(folds.open(lane, 3) && folds.open(lane, 4));
    }
}
