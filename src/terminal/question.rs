//! A question on the screen of a program that does not say what it is at: the dialogs of Copilot and OpenCode. Pure.
//!
//! It counts only while the cursor is hidden, as those programs do as long as a dialog is open: what they print, or a
//! file that is looked at, is no question.

use std::time::{Duration, Instant};

use crate::domain::{NeedKind, ProgramState, ProgramStatus, Saying};

/// A screen is read at most so often.
const EVERY: Duration = Duration::from_millis(250);

/// What stands on the screen as long as an answer is waited for.
const SIGNS: &[(&str, NeedKind)] = &[
    ("△ Permission required", NeedKind::Permission),
    ("to navigate · enter to select · esc to cancel", NeedKind::Unnamed),
];

/// What was seen last.
#[derive(Debug, Default)]
pub(super) struct Question {
    status: Option<ProgramStatus>,
    /// How much the program had written then, and when that was.
    read: Option<(u64, Instant)>,
    due: Option<Instant>,
}

impl Question {
    /// Looks for one if the program may be asking (`hidden`) and has written since. `output` counts what it wrote.
    pub(super) fn look(&mut self, hidden: bool, output: u64, now: Instant, screen: impl FnOnce() -> String) {
        self.due = None;
        if !hidden {
            self.status = None;
            self.read = None;
            return;
        }
        match self.read {
            Some((read, _)) if read == output => {}
            Some((_, at)) if now < at + EVERY => self.due = Some(at + EVERY),
            _ => {
                self.read = Some((output, now));
                self.status = asked(&screen());
            }
        }
    }

    /// The screen cannot be read now; who can says so by the next look.
    pub(super) const fn put_off(&mut self) {
        self.due = None;
    }

    /// When to look again though nothing happens.
    pub(super) const fn due(&self) -> Option<Instant> {
        self.due
    }

    /// The question, if one stands there.
    pub(super) const fn status(&self) -> Option<&ProgramStatus> {
        self.status.as_ref()
    }
}

fn asked(screen: &str) -> Option<ProgramStatus> {
    let (_, kind) = SIGNS.iter().find(|(sign, _)| screen.contains(sign))?;
    Some(ProgramStatus { state: ProgramState::Blocked(*kind), message: String::new(), by: Saying::Screen })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COPILOT: &str = "│ ❯ 1. Yes   │\n│ ↑/↓ to navigate · enter to select · esc to cancel   │";
    const OPENCODE: &str = "  ┃  △ Permission required\n  ┃    # Shell command";

    fn state(question: &Question) -> Option<ProgramState> {
        question.status().map(|status| status.state)
    }

    #[test]
    fn a_dialog_counts_while_the_cursor_is_hidden() {
        let (mut question, now) = (Question::default(), Instant::now());
        question.look(false, 10, now, || panic!("a shown cursor is not doubted"));
        assert_eq!(state(&question), None);
        question.look(true, 20, now, || OPENCODE.to_owned());
        assert_eq!(state(&question), Some(ProgramState::Blocked(NeedKind::Permission)));
        question.look(false, 30, now, || panic!("nor after a dialog"));
        assert_eq!(state(&question), None);
        question.look(true, 40, now, || COPILOT.to_owned());
        assert_eq!(state(&question), Some(ProgramState::Blocked(NeedKind::Unnamed)));
    }

    #[test]
    fn a_screen_is_read_seldom_and_never_twice_for_the_same_bytes() {
        let (mut question, now) = (Question::default(), Instant::now());
        question.look(true, 10, now, || "Working".to_owned());
        question.look(true, 10, now + 2 * EVERY, || panic!("nothing was written"));
        assert_eq!((state(&question), question.due()), (None, None));
        question.look(true, 20, now + EVERY / 2, || panic!("too soon"));
        assert_eq!(question.due(), Some(now + EVERY));
        question.look(true, 20, now + EVERY, || COPILOT.to_owned());
        assert_eq!((state(&question).is_some(), question.due()), (true, None));
    }
}
