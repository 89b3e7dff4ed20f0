//! Drives one turn: performs the machine's effects in order and feeds it what happens.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio_util::sync::CancellationToken;

use super::chat::request;
use super::client::ModelClient;
use super::machine::{Effect, Event, TurnMachine};
use super::model_call::{self, ModelEnd};
use super::system_prompt::system_prompt;
use super::tools::{self, Job, Prepared};
use super::transcript::rebuild;
use crate::domain::{CallId, Entry, Files, PromptId, ToolCall, ToolOutcome, TurnOutcome, TurnPort};

/// Steps of one turn without word from the caller.
pub const DEFAULT_MAX_STEPS: u32 = 50;

/// What a turn starts from.
#[derive(Clone)]
pub struct TurnInput {
    /// The provider.
    pub client: ModelClient,
    /// The model's name.
    pub model: String,
    /// The prompt whose turn this is; its entry stands in the transcript.
    pub prompt: PromptId,
    /// The lane's transcript. If its last step has calls without results, the turn goes on with them.
    pub transcript: Vec<Entry>,
    /// Calls that had started when the workstation died: they are not run again.
    pub interrupted_calls: BTreeSet<CallId>,
    /// The worktree.
    pub directory: PathBuf,
    /// The environment of shell commands, whole; nothing else is inherited.
    pub environment: Vec<(String, String)>,
    /// After so many model calls the turn ends.
    pub max_steps: u32,
    /// Spreads retries of several lanes.
    pub seed: u64,
}

impl std::fmt::Debug for TurnInput {
    /// Without the environment, which may hold secrets, and the transcript, which is long.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TurnInput")
            .field("client", &self.client)
            .field("model", &self.model)
            .field("prompt", &self.prompt)
            .field("directory", &self.directory)
            .finish_non_exhaustive()
    }
}

/// Runs a turn to its end. A cancelled turn has ended its processes when this returns.
pub async fn run_turn(
    input: TurnInput,
    port: Arc<dyn TurnPort>,
    files: Arc<dyn Files>,
    cancel: CancellationToken,
) -> TurnOutcome {
    let begin = rebuild(&input.transcript, input.prompt);
    let machine = TurnMachine::new(input.prompt, begin, input.interrupted_calls.clone(), input.max_steps);
    let shared = Arc::new(Shared { stop: cancel.child_token(), input, port, files });
    Driver {
        shared,
        machine,
        work: FuturesUnordered::new(),
        permits: FuturesUnordered::new(),
        prepared: HashMap::new(),
    }
    .run(cancel)
    .await
}

/// What every piece of work needs.
struct Shared {
    input: TurnInput,
    port: Arc<dyn TurnPort>,
    files: Arc<dyn Files>,
    stop: CancellationToken,
}

struct Driver {
    shared: Arc<Shared>,
    machine: TurnMachine,
    /// The model call or the running tools; on cancel they end by themselves and are waited for.
    work: FuturesUnordered<BoxFuture<'static, Event>>,
    /// Questions to the person; on cancel they are dropped.
    permits: FuturesUnordered<BoxFuture<'static, Event>>,
    prepared: HashMap<CallId, Prepared>,
}

impl Driver {
    async fn run(mut self, cancel: CancellationToken) -> TurnOutcome {
        let mut effects = VecDeque::from(self.machine.handle(Event::Begin));
        let mut cancelled = false;
        loop {
            while let Some(effect) = effects.pop_front() {
                match self.perform(effect).await {
                    Done::Events(events) => {
                        for event in events {
                            effects.extend(self.machine.handle(event));
                        }
                    }
                    Done::Over(outcome) => return outcome,
                }
            }
            let event = tokio::select! {
                biased;
                () = cancel.cancelled(), if !cancelled => {
                    cancelled = true;
                    self.permits.clear();
                    Event::Cancel
                }
                Some(event) = self.work.next(), if !self.work.is_empty() => event,
                Some(event) = self.permits.next(), if !self.permits.is_empty() => event,
                else => {
                    let error = "the turn has nothing left to wait for; send the prompt again".to_owned();
                    return TurnOutcome::Failed { error };
                }
            };
            effects.extend(self.machine.handle(event));
        }
    }

    async fn perform(&mut self, effect: Effect) -> Done {
        match effect {
            Effect::Phase(words) => self.shared.port.phase(words),
            Effect::End(outcome) => return Done::Over(outcome),
            Effect::CallModel => {
                let shared = Arc::clone(&self.shared);
                let messages = self.machine.messages();
                self.work.push(Box::pin(async move { ask_model(&shared, &messages).await }));
            }
            Effect::Record(record) => {
                if let Err(error) = self.shared.port.record(record).await {
                    self.shared.stop.cancel();
                    while self.work.next().await.is_some() {}
                    let error = format!("the turn was stopped because its transcript could not be stored: {error}");
                    return Done::Over(TurnOutcome::Failed { error });
                }
            }
            Effect::AskPermission(calls) => return Done::Events(self.ask(calls).await),
            Effect::Run { call, edited } => {
                let shared = Arc::clone(&self.shared);
                let prepared = self.prepared.remove(&call.id).filter(|_| !edited);
                shared.port.phase(&format!("running {}", call.tool));
                self.work.push(Box::pin(async move {
                    let outcome = run_call(&shared, &call, prepared, edited).await;
                    Event::Finished { call: call.id, outcome }
                }));
            }
        }
        Done::Events(Vec::new())
    }

    /// Asks for all calls of a step at once; those that can never run are answered at once.
    async fn ask(&mut self, calls: Vec<ToolCall>) -> Vec<Event> {
        let shared = Arc::clone(&self.shared);
        let ids: Vec<CallId> = calls.iter().map(|call| call.id.clone()).collect();
        let all = tokio::task::spawn_blocking(move || tools::prepare_all(&calls, &*shared.files)).await;
        let all = all.unwrap_or_else(|_| ids.iter().map(|_| Err(broke_down())).collect());
        let mut events = Vec::new();
        for (id, prepared) in ids.into_iter().zip(all) {
            match prepared {
                Err(outcome) => events.push(Event::Finished { call: id, outcome }),
                Ok(prepared) => {
                    let port = Arc::clone(&self.shared.port);
                    let request = prepared.request.clone();
                    self.prepared.insert(id.clone(), prepared);
                    self.permits.push(Box::pin(async move {
                        let verdict = port.permit(request).await;
                        Event::Decided { call: id, verdict }
                    }));
                }
            }
        }
        events
    }
}

/// What came of an effect.
enum Done {
    Events(Vec<Event>),
    Over(TurnOutcome),
}

async fn ask_model(shared: &Shared, messages: &[super::transcript::Message]) -> Event {
    let input = &shared.input;
    let system = system_prompt(&input.directory);
    let definitions = tools::definitions();
    let body = |quirks| request::body(&input.model, &system, messages, &definitions, quirks);
    match model_call::call(&input.client, &body, &*shared.port, &shared.stop, input.seed).await {
        ModelEnd::Answered(answer) => Event::Answered(answer),
        ModelEnd::Broke { text, error, passing } => Event::ModelBroke { text, error, passing },
        ModelEnd::Failed(error) => Event::ModelFailed { error },
        ModelEnd::Cancelled { text } => Event::ModelStopped { text },
    }
}

async fn run_call(shared: &Arc<Shared>, call: &ToolCall, prepared: Option<Prepared>, edited: bool) -> ToolOutcome {
    let prepared = if let Some(prepared) = prepared {
        Ok(prepared)
    } else {
        let (again, from) = (call.clone(), Arc::clone(shared));
        let prepare = tokio::task::spawn_blocking(move || tools::prepare(&again, &*from.files));
        prepare.await.unwrap_or_else(|_| Err(broke_down()))
    };
    let mut outcome = match prepared {
        Ok(prepared) => run_job(shared, &call.id, prepared.job).await,
        Err(outcome) => outcome,
    };
    if edited {
        let words = format!("[the person changed this call; what ran is: {}]\n", call.arguments);
        outcome.output.insert_str(0, &words);
    }
    outcome
}

async fn run_job(shared: &Arc<Shared>, id: &CallId, job: Job) -> ToolOutcome {
    let Job::Shell(shell) = job else {
        let shared = Arc::clone(shared);
        return tokio::task::spawn_blocking(move || tools::run_on_files(&job, &*shared.files, &shared.stop))
            .await
            .unwrap_or_else(|_| broke_down());
    };
    let input = &shared.input;
    let around = tools::Surroundings {
        directory: &input.directory,
        environment: &input.environment,
        secret: input.client.secret(),
        call: &id.0,
    };
    tools::run_shell(&shell, around, &shared.stop, &mut |text| shared.port.output_delta(id, text)).await
}

fn broke_down() -> ToolOutcome {
    tools::failed("the tool broke down; try another way", "fault")
}
