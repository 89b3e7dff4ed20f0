//! Whether a program that has paused is at rest: pure, with the time as a value.
//!
//! One that writes again by itself was at work all the while. It has to be silent for longer then, or its lane would
//! change between working and idle several times a second.

use std::time::{Duration, Instant};

/// A program that went on by itself counts as at rest after so much silence.
const SILENCE: Duration = Duration::from_secs(2);
/// So long after it went on it is watched more closely.
const MEMORY: Duration = Duration::from_secs(3);

/// What a program did after its pauses.
#[derive(Debug, Default)]
pub(super) struct Calm {
    /// What it had been given when it was last told to be at rest.
    given: u64,
    /// When it last wrote by itself after that.
    again: Option<Instant>,
}

impl Calm {
    /// Whether it is at rest, given that it pauses (`ready`), and when to look again if not. `was`: it was told to be at rest.
    /// `given` counts what was sent to it, `wrote` is when it last wrote.
    pub(super) fn rests(
        &mut self,
        ready: bool,
        was: bool,
        given: u64,
        wrote: Option<Instant>,
        now: Instant,
    ) -> Result<(), Option<Instant>> {
        if given != self.given {
            // It answers.
            self.again = None;
        } else if was && !ready {
            self.again = wrote;
        } else if let (Some(again), Some(wrote)) = (self.again, wrote)
            && wrote < again + MEMORY
        {
            self.again = Some(wrote);
        }
        if !ready {
            return Err(None);
        }
        let silent = wrote.map(|wrote| wrote + SILENCE).filter(|_| self.again.is_some());
        if silent.is_some_and(|silent| silent > now) {
            return Err(silent);
        }
        (self.given, self.again) = (given, None);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn who_goes_on_by_itself_is_not_at_rest_in_its_pauses() {
        let (mut calm, start) = (Calm::default(), Instant::now());
        assert_eq!(calm.rests(true, false, 1, Some(start), start + ms(300)), Ok(()));
        // Each time it writes, and pauses again.
        for round in 1..20 {
            let wrote = start + ms(round * 500);
            assert_eq!(calm.rests(false, round == 1, 1, Some(wrote), wrote), Err(None));
            assert_eq!(calm.rests(true, false, 1, Some(wrote), wrote + ms(300)), Err(Some(wrote + SILENCE)));
        }
        let last = start + ms(19 * 500);
        assert_eq!(calm.rests(true, false, 1, Some(last), last + SILENCE), Ok(()));
    }

    #[test]
    fn who_answers_is_at_rest_at_once() {
        let (mut calm, start) = (Calm::default(), Instant::now());
        assert_eq!(calm.rests(true, false, 1, Some(start), start + ms(300)), Ok(()));
        for round in 1..20 {
            let wrote = start + ms(round * 500);
            assert_eq!(calm.rests(false, true, 1 + round, Some(wrote), wrote), Err(None));
            assert_eq!(calm.rests(true, false, 1 + round, Some(wrote), wrote + ms(300)), Ok(()));
        }
    }
}
