//! Tab stops.

/// Columns that may have a stop; beyond them there is one at every eighth.
const COLUMNS: usize = 1024;

/// Where the tab key stops. One at every eighth column until the program says otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tabs {
    stops: [u64; COLUMNS / 64],
    changed: bool,
}

impl Default for Tabs {
    fn default() -> Self {
        Self { stops: [0x0101_0101_0101_0101; COLUMNS / 64], changed: false }
    }
}

impl Tabs {
    /// Whether the stops are those that the emulator has.
    pub(super) const fn plain(&self) -> bool {
        !self.changed
    }

    /// Sets or clears the stop at a column from 0.
    pub(super) fn set(&mut self, column: u16, stop: bool) {
        let (word, bit) = (usize::from(column) / 64, column % 64);
        if let Some(word) = self.stops.get_mut(word) {
            self.changed = true;
            *word = if stop { *word | 1 << bit } else { *word & !(1 << bit) };
        }
    }

    /// Clears all stops.
    pub(super) fn clear(&mut self) {
        *self = Self { stops: [0; COLUMNS / 64], changed: true };
    }

    fn stop(&self, column: u16) -> bool {
        self.stops.get(usize::from(column) / 64).map_or(column.is_multiple_of(8), |word| word >> (column % 64) & 1 == 1)
    }

    /// The column `count` stops to the right, at most the last one.
    pub(super) fn next(&self, column: u16, count: u16, columns: u16) -> u16 {
        let last = columns - 1;
        (column + 1..last).filter(|&column| self.stop(column)).nth(usize::from(count.max(1)) - 1).unwrap_or(last)
    }

    /// The column `count` stops to the left, at least the first one.
    pub(super) fn before(&self, column: u16, count: u16) -> u16 {
        (0..column).rev().filter(|&column| self.stop(column)).nth(usize::from(count.max(1)) - 1).unwrap_or(0)
    }
}
