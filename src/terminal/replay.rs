//! A pane's screen without a program behind it: for recordings, fuzzing and measuring.
//!
//! Bytes and sizes go in, pictures and answers come out; nothing runs in between and no time passes.

use super::colours::Colours;
use super::model::Model;
use crate::domain::{PaneFrame, Size};

/// The screen model that every pane has, fed by hand.
pub struct Replay {
    model: Model,
}

impl std::fmt::Debug for Replay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Replay").field("size", &self.model.size()).finish_non_exhaustive()
    }
}

impl Replay {
    /// A blank screen of so many columns and rows.
    #[must_use]
    pub fn new(size: Size, colours: Colours) -> Self {
        Self { model: Model::new(size, colours) }
    }

    /// Takes bytes as a program writes them, cut anywhere.
    pub fn feed(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while at < bytes.len() {
            at += self.model.feed(&bytes[at..]);
        }
    }

    /// Gives the screen a new size.
    pub fn resize(&mut self, size: Size) {
        self.model.resize(size);
    }

    /// The size in force: what was asked for, within bounds.
    #[must_use]
    pub fn size(&self) -> Size {
        self.model.size()
    }

    /// The picture as it stands.
    #[must_use]
    pub fn frame(&self) -> PaneFrame {
        self.model.frame()
    }

    /// What is in view as text: wrapped lines joined, wide characters once, blank ends cut.
    #[must_use]
    pub fn text(&self) -> String {
        self.model.text()
    }

    /// The answers to the program's questions since the last call, in order.
    pub fn replies(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.model.host().replies)
    }
}
