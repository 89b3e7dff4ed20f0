//! The compaction of a lane that rests: a person asks for it, or its configuration does.

use std::path::PathBuf;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::{Said, Unwritten, Writer};
use crate::agent::client::ModelClient;
use crate::agent::context::{Context, Plan};
use crate::agent::hooks::{Hooks, LaneHooks};
use crate::agent::model_call::{Backend, Backends};
use crate::agent::system_prompt::system_prompt;
use crate::agent::tools::{self, Set};
use crate::agent::transcript::{Message, rebuild};
use crate::domain::{CompactCause, Compaction, Entry, Files, LayersOff, NoticeLevel, PromptId, TurnPort, UpTo};

/// What a compaction starts from.
#[derive(Clone)]
pub struct CompactInput {
    /// The provider.
    pub client: ModelClient,
    /// The model's name.
    pub model: String,
    /// The lane's transcript.
    pub transcript: Vec<Entry>,
    /// The worktree.
    pub directory: PathBuf,
    /// Layers of the context that the person switched off.
    pub off: LayersOff,
    /// What the notes are to keep in view.
    pub focus: Option<String>,
    /// Who asks.
    pub cause: CompactCause,
    /// The lane's hooks.
    pub hooks: LaneHooks,
    /// What they see of the world.
    pub environment: Vec<(String, String)>,
    /// Spreads retries of several lanes.
    pub seed: u64,
}

impl std::fmt::Debug for CompactInput {
    /// Without the transcript, which is long.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CompactInput").field("client", &self.client).field("cause", &self.cause).finish_non_exhaustive()
    }
}

/// Why a conversation was not compacted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotCompacted {
    /// There is nothing that notes could stand for.
    Nothing,
    /// By cancel.
    Cancelled,
    /// By a hook, in its words.
    Blocked(String),
    /// The model failed, and nobody asked who would rather have plain notes than none.
    Failed(String),
    /// A fault of our own.
    BrokeDown,
}

/// What was found out before the model is asked.
struct Begun {
    context: Context,
    messages: Vec<Message>,
    plan: Plan,
    upto: u64,
}

/// Compacts a conversation between two turns. Nothing of it counts until the caller has kept it. With it come the lines
/// that hooks have for the transcript.
///
/// # Errors
/// When there is nothing to compact, or it was cancelled or blocked.
pub async fn compact(
    input: CompactInput,
    port: Arc<dyn TurnPort>,
    files: Arc<dyn Files>,
    cancel: CancellationToken,
) -> (Vec<(NoticeLevel, String)>, Result<Compaction, NotCompacted>) {
    let mut said = Vec::new();
    let made = make(input, &*port, files, &cancel, &mut said).await;
    (said, made)
}

async fn make(
    input: CompactInput,
    port: &dyn TurnPort,
    files: Arc<dyn Files>,
    cancel: &CancellationToken,
    said: &mut Said,
) -> Result<Compaction, NotCompacted> {
    let input = Arc::new(input);
    let beginning = Arc::clone(&input);
    let begun = tokio::task::spawn_blocking(move || begin(&beginning, &*files)).await;
    let begun = begun.map_err(|_| NotCompacted::BrokeDown)?.ok_or(NotCompacted::Nothing)?;
    let Begun { context, messages, plan, upto } = begun;
    let backends = Backends::new(Backend { client: input.client.clone(), model: input.model.clone() }, Vec::new());
    let secret = input.client.secret().map(str::to_owned);
    let hooks = Hooks::new(input.hooks.clone(), input.directory.clone(), input.environment.clone(), secret, None);
    let writer = Writer { backends: &backends, port, hooks: &hooks, cancel, seed: input.seed };
    let written = super::write(&writer, &plan, &messages, input.cause, input.focus.as_deref(), said).await;
    let written = written.map_err(|why| match why {
        Unwritten::Cancelled => NotCompacted::Cancelled,
        Unwritten::Blocked(words) => NotCompacted::Blocked(words),
    })?;
    if let (CompactCause::Idle, Some(reason)) = (input.cause, &written.without_model) {
        return Err(NotCompacted::Failed(reason.clone()));
    }
    crate::base::failpoint("compaction");
    Ok(Compaction {
        upto: UpTo::Entry(upto),
        after: context.after(plan.from, &written.notes),
        notes: written.notes,
        cause: input.cause,
        without_model: written.without_model,
        before: plan.before,
    })
}

fn begin(input: &CompactInput, files: &dyn Files) -> Option<Begun> {
    let limits = input.client.limits();
    let rebuilt = rebuild(&input.transcript, PromptId(0));
    let (own, tools) = (system_prompt(&input.directory), tools::definitions(Set::Whole));
    let mut context = Context::new(own, &tools, input.off.clone(), files);
    context.replay(&input.transcript, &rebuilt, limits, files);
    context.rest(rebuilt.messages.len());
    let plan = context.plan_at_rest(&rebuilt, limits)?;
    let upto = match rebuilt.places.get(plan.from) {
        Some(seq) => seq.saturating_sub(1),
        None => input.transcript.last()?.seq,
    };
    Some(Begun { context, messages: rebuilt.messages, plan, upto })
}
