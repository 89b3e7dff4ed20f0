//! Rules: who holds which paths; path and glob overlap.
//!
//! A [`Pattern`] is a path, a directory or a glob relative to the repository's root. Two patterns overlap
//! when some path lies in both: that is computed on the patterns themselves, so that globs are compared
//! with globs before any file exists. [`Holds`] gathers what lanes hold now: reservations, paths that a
//! running turn has written, unmerged changes of lanes at rest ([`PathSet`]). `preflight` asks it. What counts as one
//! path is as the file system has it ([`Fold`]).

mod glob;
mod holds;
mod paths;
mod pattern;

pub use holds::{Cause, Held, Holds, clashes};
pub use paths::{Fold, PathSet};
pub use pattern::{Pattern, PatternError};

#[cfg(test)]
mod tests;
