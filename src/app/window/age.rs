//! Ages and spans as people read them at a glance.

use jiff::Timestamp;

/// Seconds from `since` to `now`, never negative.
fn seconds(since: Timestamp, now: Timestamp) -> i64 {
    (now.as_second() - since.as_second()).max(0)
}

/// An age that counts seconds within the first hour: `0:42`, `12:05`, `1h05`, `3d`.
#[must_use]
pub fn age(since: Timestamp, now: Timestamp) -> String {
    let s = seconds(since, now);
    match s {
        0..3600 => format!("{}:{:02}", s / 60, s % 60),
        _ => coarse(s),
    }
}

/// An age that changes once a minute at most: `now`, `5m`, `1h05`, `3d`.
#[must_use]
pub fn coarse_age(since: Timestamp, now: Timestamp) -> String {
    match seconds(since, now) {
        0..60 => "now".to_owned(),
        s => coarse(s),
    }
}

fn coarse(s: i64) -> String {
    match s {
        0..3600 => format!("{}m", s / 60),
        3600..86_400 => format!("{}h{:02}", s / 3600, s / 60 % 60),
        _ => format!("{}d", s / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn ages_read_at_a_glance() {
        let of = |s| (age(at(0), at(s)), coarse_age(at(0), at(s)));
        assert_eq!(of(42), ("0:42".into(), "now".into()));
        assert_eq!(of(754), ("12:34".into(), "12m".into()));
        assert_eq!(of(3900), ("1h05".into(), "1h05".into()));
        assert_eq!(of(200_000), ("2d".into(), "2d".into()));
        assert_eq!(age(at(9), at(3)), "0:00", "clocks may step back");
    }
}
