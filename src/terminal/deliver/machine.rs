//! The rules of a delivery, pure: what was seen goes in, what to do comes out.
//!
//! Ready → text → read whole → a pause → Enter alone → evidence. A program that reads whole lines gets text
//! and Enter together, since the kernel gives it nothing before. Evidence is that the program has read all
//! that was typed, and that it wrote something or gave the terminal to a child since; of a program that reports
//! what it is at, that it says to have begun, and nothing less. Without evidence Enter is pressed once more, and
//! only when the text still stands on the screen. Enter is never pressed while the program asks, or may be asking,
//! something: it would answer.

use std::time::{Duration, Instant};

use super::Delivery;
use crate::base::clip;

/// Between a paste and Enter: programs that see both at once take Enter for a part of the paste.
pub(super) const PAUSE: Duration = Duration::from_millis(300);
/// How long evidence may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// Looks in a row without unread input. One may fall between two portions that the kernel hands over.
const SURE: u32 = 2;

/// How a program takes text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    /// It asked for bracketed paste.
    Pastes,
    /// Key by key.
    Keys,
    /// Whole lines, gathered by the kernel.
    Lines,
}

/// What is seen of the pane at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) at: Instant,
    pub(super) alive: bool,
    /// Ready for a line, by the rule of design §5.
    pub(super) ready: bool,
    pub(super) reads: Reads,
    /// Who has the terminal.
    pub(super) foreground: Option<u32>,
    /// Bytes written by the program so far.
    pub(super) output: u64,
    /// How often the person typed.
    pub(super) typed: u64,
    /// Bytes that the program has not read; none when that cannot be told.
    pub(super) unread: Option<u64>,
    /// How often the program said that it began something.
    pub(super) begun: u64,
    /// It says so each time.
    pub(super) reports: bool,
    /// It says that it waits for an answer of the person.
    pub(super) asks: bool,
    /// It says nothing of what it is at and hides its cursor: it may have opened a dialog.
    pub(super) hides: bool,
}

/// What happened.
#[derive(Debug)]
pub(super) enum Event {
    /// A look was taken.
    Looked(Look),
    /// Whether the end of the text stands on the screen.
    Screen { stands: bool },
    /// Typing was refused.
    Refused(String),
}

/// What to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Type the text in the form for this kind of program.
    TypeText(Reads),
    /// Press Enter, once.
    PressEnter,
    /// Look whether the text stands on the screen.
    ReadScreen,
    /// The delivery is over.
    End(Delivery),
}

/// Where a delivery stands.
#[derive(Debug, Clone, Copy)]
enum Stage {
    Waiting,
    /// The text is typed; since when it is read whole.
    Typed {
        since: Instant,
        typed: u64,
        foreground: Option<u32>,
        empty_looks: u32,
        read_at: Option<Instant>,
    },
    /// Enter is pressed; what was seen just before.
    Entered {
        before: Look,
        empty_looks: u32,
        again: bool,
    },
    /// Whether the text stands on the screen decides.
    Doubting {
        before: Look,
    },
    Ended,
}

/// One delivery.
#[derive(Debug)]
pub(super) struct Machine {
    stage: Stage,
}

impl Machine {
    pub(super) const fn new() -> Self {
        Self { stage: Stage::Waiting }
    }

    /// Whether nothing was typed yet.
    pub(super) const fn waiting(&self) -> bool {
        matches!(self.stage, Stage::Waiting)
    }

    /// The one transition function.
    pub(super) fn step(&mut self, event: Event) -> Vec<Effect> {
        match (self.stage, event) {
            (Stage::Ended, _) => Vec::new(),
            (_, Event::Refused(reason)) => self.doubt(&reason),
            (_, Event::Looked(look)) if !look.alive => {
                self.doubt("the program ended before it was seen to take the text")
            }
            (Stage::Waiting, Event::Looked(look)) if look.ready => self.type_text(look),
            (Stage::Typed { typed, .. }, Event::Looked(look)) if look.typed != typed => {
                self.doubt("keys were typed into the pane before the text was submitted")
            }
            // Enter would answer it.
            (Stage::Typed { .. }, Event::Looked(look)) if look.asks => {
                self.doubt("the program asked something before the text was submitted")
            }
            (Stage::Typed { .. }, Event::Looked(look)) => self.typed(look),
            (Stage::Entered { before, .. }, Event::Looked(look))
                if look.reads == Reads::Pastes
                    && before.reads != Reads::Pastes
                    && look.foreground == before.foreground =>
            {
                self.doubt("the program changed how it reads while the text was on its way")
            }
            (Stage::Entered { .. }, Event::Looked(look)) => self.entered(look),
            (Stage::Doubting { before }, Event::Screen { stands: true }) => {
                self.stage = Stage::Entered { before, empty_looks: 0, again: true };
                vec![Effect::PressEnter]
            }
            (Stage::Doubting { .. }, Event::Screen { stands: false }) => {
                self.doubt("the program read the text but showed no sign of taking it")
            }
            (Stage::Waiting | Stage::Doubting { .. } | Stage::Typed { .. } | Stage::Entered { .. }, _) => Vec::new(),
        }
    }

    fn type_text(&mut self, look: Look) -> Vec<Effect> {
        if look.reads == Reads::Lines {
            self.stage = Stage::Entered { before: look, empty_looks: 0, again: true };
            return vec![Effect::TypeText(look.reads), Effect::PressEnter];
        }
        self.stage = Stage::Typed {
            since: look.at,
            typed: look.typed,
            foreground: look.foreground,
            empty_looks: 0,
            read_at: None,
        };
        vec![Effect::TypeText(look.reads)]
    }

    fn typed(&mut self, look: Look) -> Vec<Effect> {
        let Stage::Typed { since, typed, foreground, empty_looks, read_at } = self.stage else { return Vec::new() };
        if look.foreground != foreground {
            return self.doubt("another program took the terminal before the text was submitted");
        }
        let empty_looks = if look.unread == Some(0) { empty_looks + 1 } else { 0 };
        let read_at = read_at.filter(|_| empty_looks > 0).or((empty_looks >= SURE).then_some(look.at));
        self.stage = Stage::Typed { since, typed, foreground, empty_looks, read_at };
        match read_at {
            // A frame that is being drawn hides the cursor for a moment, a dialog until it is answered.
            Some(read_at) if look.hides && look.at >= read_at + PATIENCE => {
                self.doubt("the program hid its cursor before the text was submitted, as one that asks something does")
            }
            Some(read_at) if !look.hides && look.at >= read_at + PAUSE => {
                self.stage = Stage::Entered { before: look, empty_looks: 0, again: false };
                vec![Effect::PressEnter]
            }
            None if look.at >= since + PATIENCE => self.doubt("the program does not read what is typed"),
            _ => Vec::new(),
        }
    }

    fn entered(&mut self, look: Look) -> Vec<Effect> {
        let Stage::Entered { before, empty_looks, again } = self.stage else { return Vec::new() };
        let empty_looks = if look.unread == Some(0) { empty_looks + 1 } else { 0 };
        self.stage = Stage::Entered { before, empty_looks, again };
        let began = look.begun > before.begun;
        let moved = look.output > before.output || look.foreground != before.foreground;
        if began || empty_looks >= SURE && moved && !look.reports {
            self.stage = Stage::Ended;
            return vec![Effect::End(Delivery::Delivered)];
        }
        if look.at < before.at + PATIENCE {
            return Vec::new();
        }
        if empty_looks < SURE {
            return self.doubt("the program has not read the text");
        }
        if again || look.asks || look.hides {
            return self.doubt("the program read the text but showed no sign of taking it");
        }
        self.stage = Stage::Doubting { before: Look { at: look.at, ..before } };
        vec![Effect::ReadScreen]
    }

    fn doubt(&mut self, reason: &str) -> Vec<Effect> {
        self.stage = Stage::Ended;
        vec![Effect::End(Delivery::Unconfirmed(clip(reason, 400)))]
    }
}

#[cfg(test)]
mod tests;
