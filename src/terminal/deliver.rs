//! Giving prompts to a pane's program: the rules as a pure machine, and the driver that looks and types.

mod driver;
mod machine;
mod text;

pub(super) use driver::{deliver, finished, shows};

/// What became of a delivered prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivery {
    /// The program has taken it.
    Delivered,
    /// It was typed, but nothing proves that the program took it. Says why.
    Unconfirmed(String),
}
