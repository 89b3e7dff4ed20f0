//! When to try a model call again: a bounded schedule with jitter, and what the server asks for.

use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::{HeaderMap, RETRY_AFTER};

/// How often and how long to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Tries in all.
    pub tries: u32,
    /// The first wait; each further one is twice as long.
    pub first: Duration,
    /// The longest wait that a server may ask for. A longer one ends the turn: a person wants to know.
    pub longest: Duration,
}

impl Default for RetryPolicy {
    /// Six tries within about a minute (waits of 1, 2, 4, 8, 16 s and up to half of each as jitter).
    fn default() -> Self {
        Self { tries: 6, first: Duration::from_secs(1), longest: Duration::from_secs(60) }
    }
}

impl RetryPolicy {
    /// The wait before try `next` (2 is the first repetition); `None` when there is none.
    pub(super) fn wait(&self, next: u32, asked: Option<Duration>, seed: u64) -> Option<Duration> {
        if next > self.tries {
            return None;
        }
        if let Some(asked) = asked {
            return (asked <= self.longest).then_some(asked);
        }
        let wait = self.first.saturating_mul(1 << next.saturating_sub(2).min(16));
        let jitter = mix(seed.wrapping_add(u64::from(next))) % 512;
        Some(wait + wait.mul_f64(jitter as f64 / 1024.0))
    }
}

/// SplitMix64: spreads a seed, so that lanes do not knock at the same moment again.
const fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// How long a refusal's headers ask to wait.
pub(super) fn asked_by_headers(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let milliseconds = text("retry-after-ms").and_then(|value| value.trim().parse::<f64>().ok());
    let exact = milliseconds.and_then(|value| Duration::try_from_secs_f64(value / 1000.0).ok());
    exact.or_else(|| retry_after(text(RETRY_AFTER.as_str())?, now))
}

/// Reads a `Retry-After` header: seconds or an HTTP date.
fn retry_after(header: &str, now: Timestamp) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let at = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(header).ok()?;
    Some(Duration::try_from(at.duration_since(now)).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_tries_within_about_a_minute() {
        let policy = RetryPolicy::default();
        for seed in 0..200 {
            let waits: Vec<Duration> = (2..).map_while(|next| policy.wait(next, None, seed)).collect();
            let total: Duration = waits.iter().sum();
            assert_eq!(waits.len(), 5);
            assert!((31..=47).contains(&total.as_secs()), "{total:?}");
        }
        assert_ne!(policy.wait(2, None, 1), policy.wait(2, None, 2));
    }

    #[test]
    fn what_the_server_asks_for_counts_up_to_a_limit() {
        let policy = RetryPolicy::default();
        assert_eq!(policy.wait(2, Some(Duration::from_secs(7)), 1), Some(Duration::from_secs(7)));
        assert_eq!(policy.wait(2, Some(Duration::from_secs(3600)), 1), None);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now: Timestamp = "2015-10-21T07:27:30Z".parse().unwrap();
        assert_eq!(retry_after(" 3 ", now), Some(Duration::from_secs(3)));
        assert_eq!(retry_after("Wed, 21 Oct 2015 07:28:00 GMT", now), Some(Duration::from_secs(30)));
        assert_eq!(retry_after("Wed, 21 Oct 2015 07:27:00 GMT", now), Some(Duration::ZERO));
        assert_eq!(retry_after("-1", now), None);
        assert_eq!(retry_after("soon", now), None);
        let mut headers = HeaderMap::new();
        headers.insert("retry-after", "7".parse().unwrap());
        assert_eq!(asked_by_headers(&headers, now), Some(Duration::from_secs(7)));
        headers.insert("retry-after-ms", "250".parse().unwrap());
        assert_eq!(asked_by_headers(&headers, now), Some(Duration::from_millis(250)));
    }
}
