//! The skills of a lane: found out for whoever asks, also when no workstation runs.

use std::sync::Arc;

use super::engine::Engine;
use super::shared::blocking;
use crate::agent;
use crate::app::{Msg, SkillsOrder};
use crate::base::Report;
use crate::domain::{SkillsAsk, SkillsFound};
use crate::sandbox::WorktreeFiles;

/// Looks at the files. Blocks.
///
/// # Errors
/// When the worktree cannot be looked at.
pub fn look(ask: &SkillsAsk) -> Result<Box<SkillsFound>, Report> {
    let files = WorktreeFiles::open(&ask.directory).map_err(|error| {
        Report::refused(format!("the skills cannot be told: {error}"))
            .hint("a lane has them once its worktree stands; `lane restart` makes one that is gone")
    })?;
    Ok(Box::new(agent::find_skills(&files, ask.own.as_deref(), ask.load.as_deref())))
}

/// Looks in the background and tells the loop.
pub(super) fn find_out(engine: &Engine, order: Box<SkillsOrder>) {
    let shared = Arc::clone(&engine.shared);
    engine.shared.background.spawn(async move {
        let ask = order.ask.clone();
        let found = blocking(move || look(&ask)).await;
        shared.tell(Msg::Skills(order, found)).await;
    });
}
