//! Follows a slash line word by word against a command's arguments: where raw text begins, and what
//! the next word may be. Parsing and completion share it, so they cannot disagree.

use super::spec::{Arg, Shape, Spec, Surface};
use super::words::Word;

/// What the next word may be, apart from options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// The value of an option.
    Value(&'static Arg),
    /// An argument by its place.
    Place(&'static Arg),
    /// A word of a program's command line.
    Program,
    /// Nothing.
    Nothing,
}

/// How raw text that begins at a word is handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Raw {
    /// As the argument by its place; a `--` stands before it already or not.
    Place {
        /// Whether a `--` was typed.
        literal: bool,
    },
    /// As the value of this option.
    Value(&'static Arg),
}

/// How far a line has come.
#[derive(Debug, Clone)]
pub(super) struct Walk {
    spec: &'static Spec,
    surface: Surface,
    filled: usize,
    pending: Option<&'static Arg>,
    literal: bool,
    program: bool,
    used: Vec<&'static str>,
}

/// Whether an unquoted word is an option, a flag or `--`.
fn dashed(word: &Word) -> bool {
    !word.quoted && word.text.starts_with('-') && word.text != "-"
}

impl Walk {
    pub fn new(spec: &'static Spec, surface: Surface) -> Self {
        Self { spec, surface, filled: 0, pending: None, literal: false, program: false, used: Vec::new() }
    }

    /// What the next word may be.
    pub fn slot(&self) -> Slot {
        if self.program {
            return Slot::Program;
        }
        if let Some(arg) = self.pending {
            return Slot::Value(arg);
        }
        self.places().nth(self.filled).map_or(Slot::Nothing, Slot::Place)
    }

    /// The options that may still be given here.
    pub fn options(&self) -> impl Iterator<Item = &'static Arg> {
        let closed = self.program || self.literal || self.pending.is_some();
        self.spec.args_on(self.surface).filter(move |arg| {
            !closed && !arg.by_place() && arg.shape != Shape::Program && !self.used.contains(&arg.name)
        })
    }

    /// Whether `--` and a program may follow.
    pub fn takes_program(&self) -> bool {
        !self.program && self.pending.is_none() && self.program_arg()
    }

    /// Whether raw text begins with this word.
    pub fn raw(&self, word: &Word) -> Option<Raw> {
        match self.slot() {
            Slot::Value(arg) if matches!(arg.shape, Shape::RestOption(_)) => {
                let wanted = self.places().filter(|arg| arg.required(self.surface)).count();
                (self.filled >= wanted).then_some(Raw::Value(arg))
            }
            Slot::Place(arg) if arg.shape == Shape::Rest => {
                (self.literal || !dashed(word)).then_some(Raw::Place { literal: self.literal })
            }
            _ => None,
        }
    }

    /// Takes a whole word.
    pub fn feed(&mut self, word: &Word) {
        if self.program || self.pending.take().is_some() {
            return;
        }
        if self.literal || !dashed(word) {
            let repeats = matches!(self.slot(), Slot::Place(arg) if arg.shape != Shape::One);
            self.filled += usize::from(!repeats);
        } else if word.text == "--" {
            self.program = self.program_arg();
            self.literal = !self.program;
        } else {
            let name = word.text.trim_start_matches('-');
            let (name, has_value) = name.split_once('=').map_or((name, false), |(name, _)| (name, true));
            if let Some(arg) = self.spec.option(name, self.surface) {
                self.used.push(arg.name);
                self.pending = (arg.shape != Shape::Flag && !has_value).then_some(arg);
            }
        }
    }

    fn places(&self) -> impl Iterator<Item = &'static Arg> + use<> {
        self.spec.args_on(self.surface).filter(|arg| arg.by_place())
    }

    fn program_arg(&self) -> bool {
        self.spec.args_on(self.surface).any(|arg| arg.shape == Shape::Program)
    }
}
