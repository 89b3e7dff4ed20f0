//! Rules: which prompt runs next, under which limit.
//!
//! [`plan`] looks at the open prompts, which [`Queues`] keeps in their order, at the lanes that could take one and at
//! the limits, and says which held prompts are due, which queued ones run now, why the others wait and when to look
//! again. What it must remember between two looks stands in [`Rounds`], which the caller keeps and may lose: losing it
//! costs a turn in the round, no prompt.
//!
//! The rules, in their order:
//! - A lane runs one prompt at a time. An interrupted or unconfirmed prompt, or a paused one whose turn has
//!   begun, stops its lane until the person decides.
//! - Within a lane: a turn that has begun goes on first; then priority, then position. A blocked prompt keeps
//!   its place: those behind it wait, unless the person moves one before it. Held prompts stop nobody.
//! - Among lanes: a lane is as urgent as its most urgent prompt; equally urgent lanes take turns.
//! - No starvation: after [`PATIENCE`] admissions of more urgent prompts, within a lane or among lanes, the
//!   less urgent are served once.
//! - A prompt that waits for an approval or a hold stops its lane but does not count against the limits: questions
//!   left overnight hold up nobody else. Its turn goes on the moment the answer comes, also when the limit is
//!   reached by then; nothing more is admitted until there is room again.

mod aging;
mod lane;
mod place;
mod plan;
mod queues;

pub use aging::{PATIENCE, Rounds};
pub use place::{Spot, place};
pub use plan::{Limits, Plan, Seat, plan};
pub use queues::Queues;

#[cfg(test)]
mod tests;
