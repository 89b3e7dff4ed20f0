//! Measured times and what is told of them.

use std::time::Duration;

/// Times of one kind, in milliseconds.
#[derive(Debug, Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// Takes one more.
    pub fn push(&mut self, time: Duration) {
        self.0.push(time.as_secs_f64() * 1e3);
    }

    /// Takes all of another.
    pub fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// The time that this share of them does not exceed.
    pub fn percentile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let at = (share * sorted.len() as f64).ceil() as usize;
        sorted.get(at.saturating_sub(1)).copied().unwrap_or(f64::NAN)
    }

    /// The middle one.
    pub fn median(&self) -> f64 {
        self.percentile(0.5)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}
