//! A moment as a person writes it: read now, resolved later with a given now and time zone.

use std::fmt;
use std::str::FromStr;

use jiff::{SignedDuration, Timestamp, ToSpan, ZonedDateTime};

use crate::base::{length_words, read_length};

/// A moment as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// This very moment (RFC 3339).
    At(Timestamp),
    /// The next time a local clock shows this.
    Clock {
        /// 0 to 23.
        hour: i8,
        /// 0 to 59.
        minute: i8,
    },
    /// So many seconds from now.
    In(i64),
}

/// The text is not a moment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a time: write `18:30`, `+10m`, `+2h30m` or RFC 3339 such as `2030-01-31T18:30:00Z`")]
pub struct WhenError(pub String);

impl FromStr for When {
    type Err = WhenError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || WhenError(text.to_owned());
        if let Some(rest) = text.strip_prefix('+') {
            return length(rest).map(Self::In).ok_or_else(refuse);
        }
        if let Some((hour, minute)) = clock(text) {
            return Ok(Self::Clock { hour, minute });
        }
        text.parse().map(Self::At).map_err(|_| refuse())
    }
}

/// A moment that lies behind, as a person writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// This very moment (RFC 3339).
    At(Timestamp),
    /// So many seconds ago.
    Ago(i64),
}

/// The text is no such moment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no time that lies behind: write `30m`, `2h30m`, `7d` or RFC 3339 such as `2030-01-31T18:30:00Z`")]
pub struct SinceError(pub String);

impl FromStr for Since {
    type Err = SinceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let ago = length(text).map(Self::Ago);
        ago.or_else(|| text.parse().ok().map(Self::At)).ok_or_else(|| SinceError(text.to_owned()))
    }
}

impl Since {
    /// The moment itself.
    #[must_use]
    pub fn resolve(self, now: Timestamp) -> Timestamp {
        match self {
            Self::At(moment) => moment,
            Self::Ago(seconds) => now.checked_sub(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MIN),
        }
    }
}

/// How often something is done again, in seconds: at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace(pub u32);

/// The text is no such time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no time from one to the next: write `15s`, `5m` or `1h`, at least `1s`")]
pub struct PaceError(pub String);

impl FromStr for Pace {
    type Err = PaceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let seconds = length(text).and_then(|seconds| u32::try_from(seconds).ok());
        seconds.filter(|seconds| *seconds > 0).map(Self).ok_or_else(|| PaceError(text.to_owned()))
    }
}

/// The time from one prompt of a series to the next, in seconds: at least a minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval(pub u32);

/// The text is no such time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no time from one to the next: write `30m`, `2h30m` or `1d`, at least `1m`")]
pub struct IntervalError(pub String);

impl FromStr for Interval {
    type Err = IntervalError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let seconds = length(text).and_then(|seconds| u32::try_from(seconds).ok());
        seconds.filter(|seconds| *seconds >= 60).map(Self).ok_or_else(|| IntervalError(text.to_owned()))
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&length_words(self.0.into()))
    }
}

/// A length of time in seconds: at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Within(pub u32);

/// The text is no such time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no length of time: write `90s`, `30m`, `2h30m` or `1d`")]
pub struct WithinError(pub String);

impl FromStr for Within {
    type Err = WithinError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let seconds = length(text).and_then(|seconds| u32::try_from(seconds).ok());
        seconds.filter(|seconds| *seconds > 0).map(Self).ok_or_else(|| WithinError(text.to_owned()))
    }
}

fn length(text: &str) -> Option<i64> {
    read_length(text).and_then(|seconds| i64::try_from(seconds).ok())
}

/// `18:30` or `7:05`.
fn clock(text: &str) -> Option<(i8, i8)> {
    let (hour, minute) = text.split_once(':')?;
    let plain = |part: &str| !part.is_empty() && part.len() <= 2 && part.bytes().all(|b| b.is_ascii_digit());
    if !plain(hour) || !plain(minute) || minute.len() != 2 {
        return None;
    }
    let (hour, minute) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour < 24 && minute < 60).then_some((hour, minute))
}

impl When {
    /// The moment, seen from `now` and its time zone. A clock time that the zone skips that day
    /// (summer time) moves forward by the gap.
    pub fn resolve(self, now: &ZonedDateTime) -> Timestamp {
        match self {
            Self::At(moment) => moment,
            Self::In(seconds) => {
                now.timestamp().checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
            }
            Self::Clock { hour, minute } => {
                let on = |day: jiff::civil::Date| {
                    let wanted = day.at(hour, minute, 0, 0).to_zoned_datetime(now.time_zone().clone()).ok()?;
                    (wanted.timestamp() > now.timestamp()).then(|| wanted.timestamp())
                };
                on(now.date())
                    .or_else(|| now.date().checked_add(1.day()).ok().and_then(on))
                    .unwrap_or_else(|| now.timestamp())
            }
        }
    }
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(moment) => write!(f, "{moment}"),
            Self::Clock { hour, minute } => write!(f, "{hour:02}:{minute:02}"),
            Self::In(seconds) => write!(f, "+{seconds}s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> ZonedDateTime {
        "2030-03-30T17:00:00+01:00[Europe/Berlin]".parse().unwrap()
    }

    fn resolved(text: &str) -> String {
        text.parse::<When>().unwrap().resolve(&now()).to_string()
    }

    #[test]
    fn an_interval_is_read_as_it_is_shown() {
        for text in ["1m", "30m", "2h30m", "1d", "1d1h1m1s"] {
            assert_eq!(text.parse::<Interval>().unwrap().to_string(), text);
        }
        for text in ["", "59s", "0m", "+5m", "1m1h", "m", "18:30", "4000d"] {
            assert!(text.parse::<Interval>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_lies_behind_is_a_length_or_a_moment() {
        let at = |text: &str| text.parse::<Since>().unwrap().resolve(now().timestamp()).to_string();
        assert_eq!(at("30m"), "2030-03-30T15:30:00Z");
        assert_eq!(at("1d"), "2030-03-29T16:00:00Z");
        assert_eq!(at("2030-01-01T00:00:00Z"), "2030-01-01T00:00:00Z");
        for bad in ["", "+5m", "yesterday", "18:30", "5"] {
            assert!(bad.parse::<Since>().is_err(), "{bad}");
        }
        assert_eq!("15s".parse(), Ok(Pace(15)));
        for bad in ["0s", "", "5", "1.5s"] {
            assert!(bad.parse::<Pace>().is_err(), "{bad}");
        }
    }

    #[test]
    fn each_way_to_write_a_moment_resolves() {
        assert_eq!(resolved("2030-04-01T10:00:00Z"), "2030-04-01T10:00:00Z");
        assert_eq!(resolved("+10m"), "2030-03-30T16:10:00Z");
        assert_eq!(resolved("+2h30m"), "2030-03-30T18:30:00Z");
        assert_eq!(resolved("18:30"), "2030-03-30T17:30:00Z");
        assert_eq!(resolved("17:00"), "2030-03-31T15:00:00Z", "this very minute means tomorrow");
        assert_eq!(resolved("2:30"), "2030-03-31T01:30:00Z", "the skipped hour moves forward");
    }

    #[test]
    fn slips_are_refused() {
        for bad in ["", "+", "+10", "+10x", "+m", "+1m2h", "+1m1m", "24:00", "1:5", "12:60", "soon", "+99999999999d"] {
            assert!(bad.parse::<When>().is_err(), "{bad}");
        }
    }
}
