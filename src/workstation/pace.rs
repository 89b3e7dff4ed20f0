//! How often a window is drawn: pure, with the time as a value.
//!
//! Frames keep 16 ms of distance, and more when they are large: bytes that nobody reads clog a slow line. A
//! frame behind which nothing more is on its way may come early, on credit: it is the one that a person waits
//! for. The credit is bounded, so that in the long run neither 60 frames a second nor the rate of bytes are
//! exceeded. What answers a key asks nobody here, but is counted.

use std::time::{Duration, Instant};

/// The least time between two frames of one window, unless a key waits for its echo.
pub(super) const FRAME: Duration = Duration::from_millis(16);
/// Frames at rest may be so far ahead of 60 frames a second.
const FRAMES_AHEAD: Duration = Duration::from_millis(32);
/// Bytes a second that a window gets at most.
const RATE: f64 = 2_000_000.0;
/// Frames at rest may be so far ahead of that rate.
const BYTES_AHEAD: Duration = Duration::from_secs(1);

/// What a window got, as the moments at which an even flow would have brought it.
#[derive(Debug, Default)]
pub(super) struct Pace {
    last: Option<Instant>,
    frames: Option<Instant>,
    bytes: Option<Instant>,
}

impl Pace {
    /// When the next frame may be drawn; none means at any time. `rest` says that nothing more is on its way.
    pub fn due(&self, rest: bool) -> Option<Instant> {
        if rest {
            let ahead = |paid: Option<Instant>, most| paid.and_then(|at| at.checked_sub(most));
            return ahead(self.frames, FRAMES_AHEAD).max(ahead(self.bytes, BYTES_AHEAD));
        }
        self.last.map(|at| at + FRAME).max(self.bytes)
    }

    /// A frame of so many bytes was drawn.
    pub fn drawn(&mut self, now: Instant, bytes: usize) {
        let paid = |before: Option<Instant>, cost| Some(before.map_or(now, |at| at.max(now)) + cost);
        self.frames = paid(self.frames, FRAME);
        self.bytes = paid(self.bytes, Duration::from_secs_f64(bytes as f64 / RATE));
        self.last = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    /// Draws whenever it may, for so long: how many frames.
    fn frames(seconds: u64, bytes: usize, rest: bool) -> u64 {
        let (start, mut pace, mut count) = (Instant::now(), Pace::default(), 0);
        for at in 0..seconds * 1000 {
            let now = start + ms(at);
            if pace.due(rest).is_none_or(|due| due <= now) {
                pace.drawn(now, bytes);
                count += 1;
            }
        }
        count
    }

    #[test]
    fn frames_keep_their_distance_and_large_ones_more() {
        assert_eq!(frames(8, 1_000, false), 500);
        assert_eq!(frames(8, 200_000, false), 80);
    }

    #[test]
    fn frames_at_rest_come_early_within_bounds() {
        let start = Instant::now();
        let mut pace = Pace::default();
        pace.drawn(start, 1_000);
        assert!(pace.due(true) <= Some(start));
        pace.drawn(start + ms(2), 200_000);
        assert!(pace.due(true) <= Some(start + ms(2)), "a large frame does not hold up the last one");
        assert!(pace.due(false) >= Some(start + ms(100)));
        assert!((500..=503).contains(&frames(8, 1_000, true)));
        assert!((80..=90).contains(&frames(8, 200_000, true)));
    }
}
