//! A prompt at work in a lane: a turn of an own agent, or its delivery to a pane's program.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::port::LanePort;
use super::shared::{Shared, blocking};
use crate::agent::{self, LaneTools, TurnInput};
use crate::app::{Msg, PaneMsg, TurnMsg, TurnStart};
use crate::base::Report;
use crate::domain::{LaneId, PromptId, TurnOutcome};
use crate::sandbox::WorktreeFiles;
use crate::terminal::Delivery;

/// Runs one turn of an own agent and tells how it ended.
pub(super) async fn run(
    lane: LaneId,
    shared: Arc<Shared>,
    start: TurnStart,
    tools: LaneTools,
    stop: CancellationToken,
) {
    let prompt = start.prompt;
    let preparing = Arc::clone(&shared);
    let outcome = match blocking(move || prepare(lane, &preparing, start, tools)).await {
        Ok((input, files)) => {
            let port = LanePort {
                lane,
                messages: shared.messages.clone(),
                tokens: Arc::clone(&shared.tokens),
                feeds: Arc::clone(&shared.feeds),
            };
            agent::run_turn(input, Arc::new(port), Arc::new(files), stop.clone()).await
        }
        Err(report) => TurnOutcome::Failed { error: report.to_string() },
    };
    // Whatever a cancelled turn stumbled over on its way out is no failure.
    let cancelled = stop.is_cancelled() && matches!(outcome, TurnOutcome::Failed { .. });
    let outcome = if cancelled { TurnOutcome::Cancelled } else { outcome };
    for streamed in shared.feeds.take(lane) {
        shared.tell(Msg::Turn(lane, streamed)).await;
    }
    shared.tell(Msg::Turn(lane, TurnMsg::Ended(prompt, outcome))).await;
}

fn prepare(
    lane: LaneId,
    shared: &Shared,
    start: TurnStart,
    tools: LaneTools,
) -> Result<(TurnInput, WorktreeFiles), Report> {
    shared.stands(lane)?;
    let client = shared.providers.client(&start.provider, &shared.environment)?;
    let fallback = shared.providers.fallback(&start.provider, &shared.environment);
    let files = WorktreeFiles::open(&start.directory).map_err(|e| Report::refused(e.to_string()))?;
    let input = TurnInput {
        client,
        model: start.model,
        fallback,
        prompt: start.prompt,
        transcript: start.entries,
        interrupted_calls: start.interrupted.into_iter().collect::<BTreeSet<_>>(),
        directory: start.directory,
        environment: shared.environment.without(&shared.providers.key_names()),
        tools,
        web: start.web,
        off: start.off,
        max_steps: agent::DEFAULT_MAX_STEPS,
        seed: start.prompt.0.unsigned_abs(),
    };
    Ok((input, files))
}

/// Gives a prompt to a pane's program and follows it until the program is ready again.
pub(super) async fn deliver(
    lane: LaneId,
    shared: Arc<Shared>,
    prompt: PromptId,
    text: String,
    stop: CancellationToken,
) {
    let followed = follow(lane, &shared, prompt, &text);
    tokio::select! { () = followed => {}, () = stop.cancelled() => {} }
}

async fn follow(lane: LaneId, shared: &Shared, prompt: PromptId, text: &str) {
    let msg = match shared.panes.deliver(lane, text).await {
        Ok(Delivery::Delivered) => {
            shared.tell(Msg::Pane(lane, PaneMsg::Delivered(prompt))).await;
            match shared.panes.finished(lane).await {
                Ok(()) => PaneMsg::Finished(prompt),
                // The program ended: that is told by the pane itself.
                Err(_) => return,
            }
        }
        Ok(Delivery::Unconfirmed(reason)) => PaneMsg::Unconfirmed(prompt, reason),
        Err(error) => PaneMsg::Refused(prompt, error.to_string()),
    };
    shared.tell(Msg::Pane(lane, msg)).await;
}
