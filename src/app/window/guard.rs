//! Guards an answer against the question changing under the person's finger (design §4).

use jiff::{SignedDuration, Timestamp};

use crate::domain::ApprovalId;

/// How long nothing is answered after another question took the place of the one on the screen.
const PAUSE: SignedDuration = SignedDuration::from_millis(400);

/// Which approval stood in one place of the screen, and since when.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guard {
    on_screen: Option<ApprovalId>,
    /// When this one took another's place; none for one that came to an empty place.
    replaced: Option<Timestamp>,
    /// When the place was last emptied.
    emptied: Option<Timestamp>,
}

impl Guard {
    /// A frame is drawn that shows this approval in the place.
    pub fn show(&mut self, approval: Option<ApprovalId>, now: Timestamp) {
        if approval == self.on_screen {
            return;
        }
        let followed = self.emptied.is_some_and(|at| now.duration_since(at) < PAUSE);
        self.replaced = (approval.is_some() && (self.on_screen.is_some() || followed)).then_some(now);
        self.emptied = approval.is_none().then_some(now);
        self.on_screen = approval;
    }

    /// The approval a key answers now: the one on the screen, if it still stands in that place and has
    /// stood there long enough.
    #[must_use]
    pub fn answerable(&self, current: Option<ApprovalId>, now: Timestamp) -> Option<ApprovalId> {
        let settled = self.replaced.is_none_or(|at| now.duration_since(at) >= PAUSE);
        self.on_screen.filter(|_| current == self.on_screen && settled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_millisecond(milliseconds).unwrap()
    }

    #[test]
    fn the_first_question_is_answered_at_once_and_its_successor_after_a_pause() {
        let (a, b) = (Some(ApprovalId(1)), Some(ApprovalId(2)));
        let mut guard = Guard::default();
        guard.show(None, at(0));
        guard.show(a, at(1_000));
        assert_eq!(guard.answerable(a, at(1_000)), a);
        assert_eq!(guard.answerable(b, at(1_001)), None, "never drawn");
        guard.show(b, at(1_100));
        assert_eq!(guard.answerable(b, at(1_499)), None);
        assert_eq!(guard.answerable(b, at(1_500)), b);
    }

    #[test]
    fn a_short_gap_does_not_hide_the_change() {
        let (a, b) = (Some(ApprovalId(1)), Some(ApprovalId(2)));
        let mut guard = Guard::default();
        guard.show(a, at(0));
        guard.show(None, at(1_000));
        guard.show(b, at(1_050));
        assert_eq!(guard.answerable(b, at(1_100)), None);
        assert_eq!(guard.answerable(b, at(1_450)), b);
    }
}
