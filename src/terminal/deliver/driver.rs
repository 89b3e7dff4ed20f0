//! Drives one delivery: looks at the pane, types, and asks for its screen when the rules want it.
//!
//! Looking costs a timer only here: while a prompt waits for its pane or a pane for its end, a few times a
//! second, since a change of the foreground makes no event; while text is on its way, 40 times a second,
//! since the kernel does not tell when a program has read. No timer runs without a delivery.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::machine::{Effect, Event, Look, Machine, Reads};
use super::{Delivery, text};
use crate::base::lock;
use crate::domain::ProgramState;
use crate::terminal::TerminalError;
use crate::terminal::pane::{Known, Pane, Readiness};

/// Between two looks at a pane that is not ready, unless its status changes first.
const WAITING: Duration = Duration::from_millis(250);
/// Between two looks while text is on its way.
const TYPING: Duration = Duration::from_millis(25);

/// Keeps other deliveries away from a pane.
struct Turn<'a>(&'a Pane);

impl<'a> Turn<'a> {
    fn take(pane: &'a Pane) -> Result<Self, TerminalError> {
        if pane.delivering.swap(true, Ordering::AcqRel) {
            return Err(TerminalError::Delivering { lane: pane.lane });
        }
        Ok(Self(pane))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.delivering.store(false, Ordering::Release);
    }
}

/// Gives a prompt to the pane's program.
pub(in crate::terminal) async fn deliver(pane: &Arc<Pane>, prompt: &str) -> Result<Delivery, TerminalError> {
    let _turn = Turn::take(pane)?;
    let mut machine = Machine::new();
    loop {
        let seen = look(pane);
        if machine.waiting() && !seen.alive {
            return Err(TerminalError::Ended { lane: pane.lane });
        }
        let mut events = vec![Event::Looked(seen)];
        while let Some(event) = events.pop() {
            for effect in machine.step(event) {
                match effect {
                    Effect::TypeText(reads) => {
                        let bytes = text::encode(prompt, reads)
                            .map_err(|reason| TerminalError::Undeliverable { lane: pane.lane, reason })?;
                        // From here on the text stands as a draft until Enter is pressed.
                        lock(&pane.mail).draft = true;
                        if let Err(error) = pane.send(&bytes) {
                            // Refused whole: nothing stands there.
                            lock(&pane.mail).draft = false;
                            return Err(error);
                        }
                    }
                    Effect::PressEnter => {
                        // Noted first: what the program says to it may be heard before the write returns.
                        lock(&pane.mail).draft = false;
                        let pressed = pane.send(b"\r");
                        pane.post(|mail| mail.draft |= pressed.is_err());
                        events.extend(pressed.err().map(|error| Event::Refused(error.to_string())));
                    }
                    Effect::ReadScreen => {
                        let stands = match pane.ask() {
                            Some(answer) => answer.await.is_ok_and(|screen| text::stands(&text::tail(prompt), &screen)),
                            None => false,
                        };
                        events.push(Event::Screen { stands });
                    }
                    Effect::End(delivery) => return Ok(delivery),
                }
            }
        }
        pause(pane, if machine.waiting() { WAITING } else { TYPING }).await;
    }
}

/// Resolves when the program waits for input again, be it for the rest of a line that the person has begun.
pub(in crate::terminal) async fn finished(pane: &Arc<Pane>) -> Result<(), TerminalError> {
    loop {
        if pane.ended() {
            return Err(TerminalError::Ended { lane: pane.lane });
        }
        if pane.at_rest(Instant::now()) == Readiness::Ready {
            return Ok(());
        }
        pause(pane, WAITING).await;
    }
}

/// Whether all these words stand on the pane's screen, now or within this time.
pub(in crate::terminal) async fn shows(pane: &Arc<Pane>, words: &[String], within: Duration) -> bool {
    let end = Instant::now() + within;
    while !pane.ended() {
        let screen = match pane.ask() {
            Some(answer) => answer.await.unwrap_or_default(),
            None => String::new(),
        };
        if words.iter().all(|words| text::stands(&text::letters(words), &screen)) {
            return true;
        }
        if Instant::now() >= end {
            return false;
        }
        pause(pane, TYPING * 4).await;
    }
    false
}

/// Waits for the pane's next status, but not longer than `most`.
async fn pause(pane: &Pane, most: Duration) {
    // Which of both came first does not matter: the pane is looked at again.
    let _ = tokio::time::timeout(most, pane.status.notified()).await;
}

fn look(pane: &Pane) -> Look {
    let at = Instant::now();
    let known = *lock(&pane.known);
    let Known { modes, says, begun, .. } = known;
    let hooks = *lock(&pane.hooks);
    let (alive, output, typed) = {
        let mail = lock(&pane.mail);
        (mail.ending.is_none(), mail.output, mail.typed)
    };
    let state = hooks.weigh(&known);
    let by_lines = pane.tty.line().is_some_and(|line| line.by_lines);
    Look {
        at,
        alive,
        ready: pane.readiness(at) == Readiness::Ready,
        reads: match (modes.bracketed_paste, by_lines) {
            (true, _) => Reads::Pastes,
            (false, true) => Reads::Lines,
            (false, false) => Reads::Keys,
        },
        foreground: pane.tty.foreground(),
        output,
        typed,
        unread: pane.unread().ok(),
        begun: begun + hooks.begun,
        reports: hooks.governed || says.is_some_and(|says| says.reports),
        asks: state.is_some_and(|state| matches!(state, ProgramState::Blocked(_))),
        hides: state.is_none() && !modes.cursor_shown,
    }
}
