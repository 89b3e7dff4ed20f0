//! What a lane's next request would hold: found out for whoever asks, also when no workstation runs.

use std::sync::Arc;

use super::engine::Engine;
use super::memories::prompt_of;
use super::shared::blocking;
use crate::agent::{self, Beside};
use crate::app::{ContextAsk, Msg};
use crate::base::Report;
use crate::config::Provider;
use crate::domain::{ContextView, Recall};
use crate::sandbox::WorktreeFiles;

/// Looks at the worktree and the transcript; `recall`: the facts for its prompt. Blocks.
///
/// # Errors
/// When the worktree cannot be looked at.
pub fn look(ask: &ContextAsk, recall: Recall, provider: Option<&Provider>) -> Result<Box<ContextView>, Report> {
    let files = WorktreeFiles::open(&ask.directory).map_err(|error| {
        Report::refused(format!("the lane's context cannot be told: {error}"))
            .hint("a lane has a context once its worktree stands; `lane restart` makes one that is gone")
    })?;
    let off = ask.off.clone();
    let skills = agent::find_skills(&files, ask.skills.as_deref(), None).skills;
    let beside = Beside { skills, recall };
    Ok(Box::new(agent::context_view(&ask.directory, &files, &ask.entries, ask.prompt, off, beside, provider)))
}

/// Looks in the background and tells the loop.
pub(super) fn find_out(engine: &Engine, ask: ContextAsk) {
    let shared = Arc::clone(&engine.shared);
    engine.shared.background.spawn(async move {
        let (asker, lane) = (ask.asker, ask.lane);
        let provider = ask.provider.as_deref().and_then(|name| shared.providers.settings(name));
        let looking = Arc::clone(&shared);
        let view = blocking(move || {
            let recall = looking.memories.recall(prompt_of(&ask.entries, ask.prompt));
            look(&ask, recall, provider.as_ref())
        });
        let view = view.await;
        shared.tell(Msg::Context(asker, lane, view)).await;
    });
}
