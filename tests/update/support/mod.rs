//! A workstation that lives in one value: see [`Sim`].

mod disk;
mod sim;
mod turn;
mod writing;

pub use sim::{Sim, settings};
