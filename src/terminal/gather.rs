//! When a flood of lines waits for more before it is parsed: pure, with the time as a value.
//!
//! Of lines of text and SGR the screen model parses only the last screenful, so many at once cost little more than
//! a few. The kernel hands over 4 KiB at a time; as long as such lines keep coming, and nobody has typed, they are
//! gathered: all but the last screenful is taken (skimmed) as they come. The rest is parsed when something else comes,
//! when it is time for a picture, or when the flood pauses for as long as a picture would wait for its end anyway, or
//! for about as long as parsing takes.

use std::time::{Duration, Instant};

use super::pacing::SETTLE;

/// More than that wait for nothing.
const MOST: usize = 2 * 1024 * 1024;
/// The longest that the first of them waits.
const LONGEST: Duration = Duration::from_millis(16);
/// A screenful that takes long to parse is parsed less often.
const DEAR: Duration = Duration::from_millis(64);
/// Bytes of a screenful that are worth a millisecond of patience.
const MILLISECOND: usize = 4 * 1024;
/// Bytes that are parsed in about a millisecond.
const PARSED: usize = 16 * 1024;

/// The lines of one pane.
#[derive(Debug, Default)]
pub(super) struct Gather {
    since: Option<Instant>,
    until: Option<Instant>,
    /// They have waited long enough.
    ripe: bool,
}

impl Gather {
    /// Whether lines of so many bytes wait for more.
    pub(super) fn waits(&mut self, bytes: usize, now: Instant) -> bool {
        self.until = None;
        let since = *self.since.get_or_insert(now);
        let longest = (LONGEST + Duration::from_millis((bytes / MILLISECOND) as u64)).min(DEAR);
        let pause = Duration::from_millis((bytes / PARSED) as u64).max(SETTLE);
        let until = (now + pause).min(since + longest);
        if self.ripe || bytes > MOST || until <= now {
            return false;
        }
        self.until = Some(until);
        true
    }

    /// Whether they are waited for.
    pub(super) const fn going(&self) -> bool {
        self.since.is_some()
    }

    /// Until when they wait; none when they do not.
    pub(super) const fn until(&self) -> Option<Instant> {
        self.until
    }

    /// Looks at the time. Whether they have waited long enough.
    pub(super) fn ripens(&mut self, now: Instant) -> bool {
        self.ripe |= self.until.is_some_and(|until| until <= now);
        self.until = self.until.filter(|_| !self.ripe);
        self.ripe
    }

    /// They are parsed.
    pub(super) fn over(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn lines_wait_while_they_keep_coming() {
        let (start, mut gather) = (Instant::now(), Gather::default());
        assert!(gather.waits(3000, start));
        assert_eq!(gather.until(), Some(start + SETTLE));
        assert!(gather.waits(3000, start + ms(15)));
        assert_eq!(gather.until(), Some(start + LONGEST), "not for ever");
        assert!(!gather.waits(3000, start + ms(16)));
        assert_eq!(gather.until(), None);
    }

    #[test]
    fn a_pause_ends_them_later_when_there_are_many() {
        let (start, mut gather) = (Instant::now(), Gather::default());
        assert!(gather.waits(5 * PARSED, start));
        assert_eq!(gather.until(), Some(start + ms(5)));
    }

    #[test]
    fn lines_that_waited_are_parsed_and_wait_no_more() {
        let (start, mut gather) = (Instant::now(), Gather::default());
        assert!(gather.waits(3000, start) && gather.going());
        assert!(!gather.ripens(start));
        assert!(gather.ripens(start + SETTLE));
        assert_eq!(gather.until(), None);
        assert!(!gather.waits(3000, start + SETTLE));
        gather.over();
        assert!(!gather.going());
        assert!(gather.waits(3000, start + SETTLE), "the next ones do");
    }

    #[test]
    fn what_takes_long_to_parse_waits_longer() {
        let start = Instant::now();
        let ends = |bytes| {
            let mut gather = Gather::default();
            (0..200).find(|n| !gather.waits(bytes, start + ms(*n)))
        };
        assert_eq!((ends(5000), ends(100_000), ends(400_000), ends(MOST + 1)), (Some(17), Some(40), Some(64), Some(0)));
    }
}
