//! Rules: what a prompt or a write would collide with.
//!
//! [`intent`] reads the paths that a prompt's text names, [`named_in_patch`] those of a patch. [`check`] compares paths with what other lanes
//! hold: a live hold (a reservation, or a path that a running turn has written) blocks, unmerged changes of
//! a lane at rest warn. Text is only a hint: every real write is checked again when it is about to happen.

mod check;
mod intent;
mod patch;

pub use check::{AtRest, Overlap, check};
pub use intent::intent;
pub use patch::{header_path, named_in_patch};
