//! A prompt at work in a lane: a turn of an own agent, or its delivery to a pane's program.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::hooks;
use super::lane_setup::cancel_with;
use super::lane_walls::LaneWalls;
use super::memories::prompt_of;
use super::port::LanePort;
use super::servers;
use super::shared::{Shared, blocking};
use crate::agent::{self, CompactInput, LaneTools, NotCompacted, TurnInput};
use crate::app::{CheckpointOrder, CompactStart, LaneMsg, Msg, PaneMsg, TurnMsg, TurnStart};
use crate::base::Report;
use crate::config;
use crate::domain::{
    CallId, CallRequest, FactScope, LaneId, PortFuture, PromptId, Recall, SavedFiles, SpendAsk, SpendEnd, SpendId,
    Taken, TurnOutcome, TurnPort, TurnRecord, Verdict,
};
use crate::git::{self, Cancel, Checkpoints};
use crate::sandbox::WorktreeFiles;
use crate::terminal::Delivery;

/// Runs one turn of an own agent and tells how it ended.
pub(super) async fn run(
    lane: LaneId,
    shared: Arc<Shared>,
    start: TurnStart,
    tools: LaneTools,
    checkpoints: Arc<Checkpoints>,
    stop: CancellationToken,
) {
    let (prompt, checkpoint) = (start.prompt, start.checkpoint.clone());
    let text = prompt_of(&start.entries, Some(prompt)).to_owned();
    let (preparing, kept) = (Arc::clone(&shared), Arc::clone(&checkpoints));
    let prepared = blocking(move || {
        let mut prepared = prepare(lane, &preparing, start, tools, &kept)?;
        // Looking for facts takes less than waking another thread for it.
        prepared.0.recall = preparing.memories.recall(&text);
        Ok(prepared)
    });
    let outcome = match prepared.await {
        Ok((input, files)) => {
            let port = port(lane, &shared);
            let (saved, gate) = watch::channel(checkpoint.is_none());
            let port = Arc::new(Gated { port, gate });
            let taking = async {
                if let Some(order) = checkpoint {
                    take_checkpoint(lane, &shared, checkpoints, order, &*port, stop.clone()).await;
                }
                // Nobody listens any more when the turn is over already.
                let _ = saved.send(true);
            };
            let turn = agent::run_turn(input, Arc::clone(&port) as Arc<dyn TurnPort>, Arc::new(files), stop.clone());
            let outcome = tokio::join!(turn, taking).0;
            port.port.flush().await;
            outcome
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

/// Compacts the conversation of a lane that rests, and tells what came of it.
pub(super) async fn compact(lane: LaneId, shared: Arc<Shared>, start: CompactStart, stop: CancellationToken) {
    let preparing = Arc::clone(&shared);
    let result = match blocking(move || prepare_compaction(lane, &preparing, start)).await {
        Ok((input, files)) => {
            let port = Arc::new(port(lane, &shared));
            let (said, made) =
                agent::compact(input, Arc::clone(&port) as Arc<dyn TurnPort>, Arc::new(files), stop).await;
            port.flush().await;
            for (level, text) in said {
                shared.tell_lane(lane, LaneMsg::Said(level, text)).await;
            }
            made.map(Box::new).map_err(|why| match why {
                NotCompacted::Nothing => Report::refused(
                    "nothing to compact: the conversation is empty, or notes stand for all but its last turn already",
                ),
                NotCompacted::Cancelled => Report::refused("the compaction was cancelled; nothing has changed"),
                NotCompacted::Blocked(words) => Report::refused(format!("not compacted: {words}")),
                NotCompacted::Failed(reason) => Report::refused(format!("not compacted at rest: {reason}")),
                NotCompacted::BrokeDown => Report::internal("the compaction broke down; nothing has changed"),
            })
        }
        Err(report) => Err(report),
    };
    shared.tell(Msg::Lane(lane, LaneMsg::Compacted(result))).await;
}

fn prepare_compaction(
    lane: LaneId,
    shared: &Arc<Shared>,
    start: CompactStart,
) -> Result<(CompactInput, WorktreeFiles), Report> {
    shared.stands(lane)?;
    let client = shared.providers.client(&start.provider, &shared.environment)?;
    let files = WorktreeFiles::open(&start.directory).map_err(|e| Report::refused(e.to_string()))?;
    let input = CompactInput {
        client,
        model: start.model,
        transcript: start.entries,
        directory: start.directory,
        off: start.off,
        focus: start.focus,
        cause: start.cause,
        hooks: hooks::of_lane(shared, start.lane, start.hooks, Some(Arc::new(LaneWalls::new(lane, shared)))),
        environment: shared.environment.without(&shared.providers.key_names()),
        seed: lane.0.unsigned_abs(),
    };
    Ok((input, files))
}

fn port(lane: LaneId, shared: &Shared) -> LanePort {
    LanePort {
        lane,
        messages: shared.messages.clone(),
        tokens: Arc::clone(&shared.tokens),
        feeds: Arc::clone(&shared.feeds),
        settled: Mutex::default(),
    }
}

/// Takes the checkpoint and has it kept. One that cannot be taken is kept as such; a cancelled turn needs none.
async fn take_checkpoint(
    lane: LaneId,
    shared: &Arc<Shared>,
    checkpoints: Arc<Checkpoints>,
    order: CheckpointOrder,
    port: &dyn TurnPort,
    stop: CancellationToken,
) {
    let (number, seq) = (order.number, order.seq);
    let files = checkpoint(lane, shared, checkpoints, order, None, stop.clone()).await;
    if stop.is_cancelled() && files.is_err() {
        return;
    }
    let files = files.map_err(|report| report.message);
    // A store that takes nothing stops the turn at its own next record.
    let _ = port.record(TurnRecord::Checkpoint(Taken { number, seq, files })).await;
}

/// Takes a checkpoint of a lane's worktree.
pub(super) async fn checkpoint(
    lane: LaneId,
    shared: &Arc<Shared>,
    checkpoints: Arc<Checkpoints>,
    order: CheckpointOrder,
    towards: Option<String>,
    stop: CancellationToken,
) -> Result<SavedFiles, Report> {
    let Some(place) = shared.places.get(lane) else { return Err(Report::refused("the lane has no worktree")) };
    let cancel = Cancel::new();
    let _guard = cancel_with(stop, cancel.clone());
    let project = shared.project.clone();
    blocking(move || {
        let subject = git::Subject { project: &project, lane, place: &place, copied: &order.copied };
        checkpoints.take(&subject, order.number, towards.as_deref(), &cancel).map_err(Report::from)
    })
    .await
}

/// A turn's port through which no call begins before the turn's checkpoint is kept. The model may answer meanwhile.
struct Gated {
    port: LanePort,
    gate: watch::Receiver<bool>,
}

impl TurnPort for Gated {
    fn record(&self, record: TurnRecord) -> PortFuture<'_, Result<(), String>> {
        let mut gate = self.gate.clone();
        Box::pin(async move {
            if matches!(record, TurnRecord::CallStarted(_)) {
                // The one who opens it runs beside the turn.
                let _ = gate.wait_for(|open| *open).await;
            }
            self.port.record(record).await
        })
    }

    fn record_last(&self, record: TurnRecord, answer: &str) -> PortFuture<'_, Result<(), String>> {
        let (mut gate, answer) = (self.gate.clone(), answer.to_owned());
        Box::pin(async move {
            // What is kept of a turn is whole when it ends.
            let _ = gate.wait_for(|open| *open).await;
            self.port.record_last(record, &answer).await
        })
    }

    fn reserve(&self, ask: SpendAsk) -> PortFuture<'_, Result<SpendId, String>> {
        self.port.reserve(ask)
    }

    fn settle(&self, spend: SpendId, end: SpendEnd) -> PortFuture<'_, ()> {
        self.port.settle(spend, end)
    }

    fn settle_with_next(&self, spend: SpendId, end: SpendEnd) -> PortFuture<'_, ()> {
        self.port.settle_with_next(spend, end)
    }

    fn remember(&self, scope: FactScope, text: String) -> PortFuture<'_, Result<String, String>> {
        self.port.remember(scope, text)
    }

    fn permit(&self, request: CallRequest) -> PortFuture<'_, Verdict> {
        self.port.permit(request)
    }

    fn answer_delta(&self, text: &str) {
        self.port.answer_delta(text);
    }

    fn reasoning_delta(&self, text: &str) {
        self.port.reasoning_delta(text);
    }

    fn output_delta(&self, call: &CallId, text: &str) {
        self.port.output_delta(call, text);
    }

    fn phase(&self, words: &str) {
        self.port.phase(words);
    }
}

fn prepare(
    lane: LaneId,
    shared: &Arc<Shared>,
    start: TurnStart,
    tools: LaneTools,
    checkpoints: &Checkpoints,
) -> Result<(TurnInput, WorktreeFiles), Report> {
    match shared.places.get(lane).filter(|place| start.checkpoint.is_some() && !place.is_here()) {
        Some(place) => checkpoints.stands(&shared.project, &place).map_err(Report::from)?,
        None => shared.stands(lane)?,
    }
    let client = shared.providers.client(&start.provider, &shared.environment)?;
    let fallback = shared.providers.fallback(&start.provider, &shared.environment);
    // No command that a model runs gets what reaches model and tool servers.
    let mut keys = shared.providers.key_names();
    keys.extend(start.servers.iter().flat_map(config::Server::secret_variables));
    let files = WorktreeFiles::open(&start.directory).map_err(|e| Report::refused(e.to_string()))?;
    let servers = start.servers.into_iter();
    let sandbox = tools.sandbox();
    let servers =
        servers.map(|server| servers::spec(server, &start.directory, &shared.environment, sandbox.as_ref())).collect();
    let input = TurnInput {
        client,
        model: start.model,
        fallback,
        prompt: start.prompt,
        transcript: start.entries,
        interrupted_calls: start.interrupted.into_iter().collect::<BTreeSet<_>>(),
        directory: start.directory,
        environment: shared.environment.without(&keys),
        servers,
        hooks: hooks::of_lane(shared, start.lane, start.hooks, sandbox),
        tools,
        web: start.web,
        off: start.off,
        recall: Recall::default(),
        unused_hooks: start.unused_hooks,
        skills: start.skills,
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
