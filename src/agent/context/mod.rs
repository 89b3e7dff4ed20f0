//! What a request holds, in named layers: tools, the agent's own system prompt, the project's rules, rules scoped by
//! path, remembered facts, notes, earlier turns, and the prompt that runs.
//!
//! `rules` reads rule files through [`Files`](crate::domain::Files); `memory` chooses
//! among the facts that were found for the prompt; `tokens` estimates what text weighs; `gauge`
//! holds the estimate against the server's own count and decides what is left out when a window is full; `layers`
//! puts a turn's requests together; `view` tells all of it to a person. Rules stand in the system prompt, so they
//! stay when old turns go. Nothing here is stored but what the person switched off: the rest follows from the
//! transcript and the worktree.

mod gauge;
mod layers;
mod memory;
mod rules;
mod tokens;
mod view;

#[cfg(test)]
mod tests;

use super::wire::Tool;
pub(super) use layers::{Context, Fitted, Plan};
pub use view::{Beside, ModelLimits, context_view};

/// What the definitions of tools weigh, as estimated.
pub(super) fn weight_of_tools(tools: &[Tool]) -> u64 {
    tokens::tools(tools)
}

/// What a text weighs, as estimated.
pub(super) fn weight(text: &str) -> u64 {
    tokens::text(text)
}
