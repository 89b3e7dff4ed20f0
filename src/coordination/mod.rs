//! Rules: who owns which issue, who holds what, who writes to whom, what comes first.
//!
//! Everything here is decided by pure functions over a [`Ledger`]: what is known, and now. An act of a party gives a
//! [`Decision`], whose changes are kept all together, or a [`Refusal`] that names who stands in the way and the next
//! command. Ownership moves only by an act of a party: what is late is told ([`overdue`]) and moves nothing.
//!
//! | file | what it decides |
//! | --- | --- |
//! | `ledger`, `offers` | claims and releases; how an issue changes hands |
//! | `dependencies`, `plans`, `next` | what waits for what; plans; what could be done next |
//! | `reservations`, `target` | holds on paths and named resources, and the queue for them |
//! | `mail`, `reports`, `deadlines` | messages, accounts of work, what is late |
//! | `pattern`, `glob`, `holds` | whether two paths or globs meet; what is held at one moment |
//!
//! A [`Pattern`] is a path, a directory or a glob relative to the repository's root. Two patterns overlap
//! when some path lies in both: that is computed on the patterns themselves, so that globs are compared
//! with globs before any file exists. [`Holds`] gathers what lanes hold now: reservations, paths that a
//! running turn has written, unmerged changes of lanes at rest ([`PathSet`]). `preflight` asks it. What counts as one
//! path is as the file system has it ([`Fold`]).

mod deadlines;
pub mod dependencies;
mod glob;
mod holds;
pub mod ledger;
pub mod mail;
mod next;
pub mod offers;
mod paths;
mod pattern;
pub mod plans;
mod refusal;
pub mod reports;
pub mod reservations;
mod target;

pub use deadlines::{Late, Overdue, next_late, overdue};
pub use holds::{Cause, Held, Holds};
pub use ledger::{Decision, Ledger};
pub use next::{Choice, next};
pub use paths::{Fold, PathSet};
pub use pattern::{Pattern, PatternError};
pub use refusal::{Reason, Refusal};
pub use target::Target;

#[cfg(test)]
mod tests;
