//! Drives one turn: performs the machine's effects in order and feeds it what happens.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::child::{self, Children};
use super::client::ModelClient;
use super::compact::{self, Unwritten, Writer};
use super::context::{Context, Fitted, ModelLimits, Plan};
use super::guard;
use super::hooks::{Hooks, LaneHooks};
use super::machine::{Effect, Event, TurnMachine};
use super::mcp::{Offer, ServerSpec};
use super::model_call::{Backend, Backends, ModelEnd};
use super::skills::find_skills;
use super::system_prompt::system_prompt;
use super::tools::{self, Bench, Job, LaneTools, Prepared, Seen, Set, Told};
use super::transcript::{Message, Rebuilt, rebuild};
use super::wire::{Request, Tool};
use crate::base::lock;
use crate::config::Web;
use crate::domain::{
    CallId, CallRequest, CompactCause, Compaction, Entry, Files, HookEvent, LayersOff, NoticeLevel, PromptId, Recall,
    ToolCall, ToolOutcome, TurnOutcome, TurnPort, TurnRecord, UpTo, Verdict,
};

/// Steps of one turn without word from the caller.
pub const DEFAULT_MAX_STEPS: u32 = 50;

/// What a turn starts from.
#[derive(Clone)]
pub struct TurnInput {
    /// The provider.
    pub client: ModelClient,
    /// The model's name.
    pub model: String,
    /// Who is asked when this provider does not answer, in order.
    pub fallback: Vec<Backend>,
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
    /// What the lane's tools keep between turns.
    pub tools: LaneTools,
    /// What may be fetched from the web.
    pub web: Web,
    /// The lane's tool servers.
    pub servers: Vec<ServerSpec>,
    /// Layers of the context that the person switched off.
    pub off: LayersOff,
    /// Facts that were found for the prompt, best first.
    pub recall: Recall,
    /// Its hooks.
    pub hooks: LaneHooks,
    /// How many hooks the repository brings that do not run because it is not trusted.
    pub unused_hooks: usize,
    /// Where the person's own skills stand.
    pub skills: Option<PathBuf>,
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
    let first = Backend { client: input.client.clone(), model: input.model.clone() };
    let backends = Arc::new(Backends::new(first, input.fallback.clone()));
    let (seen, stop) = (input.tools.seen(), cancel.child_token());
    let input = Arc::new(input);
    // While this is held, the servers are not put to sleep.
    let _awake = input.tools.servers().wake(&input.servers, &cancel, || port.phase("starting tool servers")).await;
    let (limits, name) = backends.limits();
    let (begun, beneath) = (Arc::clone(&input), Arc::clone(&files));
    let begin = tokio::task::spawn_blocking(move || begin(&begun, limits, &*beneath)).await;
    let Ok((mut begin, mut context)) = begin else {
        return TurnOutcome::Failed { error: "the turn broke down while it began; send the prompt again".to_owned() };
    };
    if let Some(error) = context.refusal(limits, name).filter(|_| begin.answered.is_none()) {
        return TurnOutcome::Failed { error };
    }
    if let Some(window) = input.tools.learned_window(&backends.key()) {
        context.know(limits.learned(limits.window.map_or(window, |said| said.min(window))));
    }
    let secret = input.client.secret().map(str::to_owned);
    let (directory, environment) = (input.directory.clone(), input.environment.clone());
    let hooks = Arc::new(Hooks::new(input.hooks.clone(), directory, environment, secret, Some(input.prompt)));
    guard::say_unused(&*port, &input.tools, input.unused_hooks).await;
    let asked = (&input.transcript[..], input.prompt);
    if let Err(outcome) = guard::open(&hooks, &*port, &mut begin, asked, &input.tools, &stop).await {
        return outcome;
    }
    let places = Some(begin.places.clone());
    let mut machine = TurnMachine::new(input.prompt, begin, input.interrupted_calls.clone(), input.max_steps);
    if hooks.any(HookEvent::Stop, None) {
        machine = machine.asking_to_stop();
    }
    let shared = Shared {
        input,
        backends,
        port,
        files,
        stop,
        set: Set::Whole,
        context: Mutex::new(context),
        places,
        uncompacted: AtomicBool::new(false),
        seen,
        children: Arc::default(),
        shown: Mutex::default(),
        hooks,
        hooked: Mutex::default(),
    };
    drive(shared, machine, cancel).await
}

/// Where a turn begins, and with what context.
fn begin(input: &TurnInput, limits: ModelLimits, files: &dyn Files) -> (Rebuilt, Context) {
    let begin = rebuild(&input.transcript, input.prompt);
    let tools = tools::definitions_with(Set::Whole, input.tools.servers().offers());
    let own = system_prompt(&input.directory);
    let skills = find_skills(files, input.skills.as_deref(), None).skills.known;
    let context = Context::new(own, &tools, input.off.clone(), files).with_skills(&skills);
    let mut context = context.with_memory(input.recall.clone(), limits);
    context.replay(&input.transcript, &begin, limits, files);
    (begin, context)
}

/// Runs a machine to its end.
pub(super) async fn drive(shared: Shared, machine: TurnMachine, cancel: CancellationToken) -> TurnOutcome {
    Driver {
        shared: Arc::new(shared),
        machine,
        work: FuturesUnordered::new(),
        permits: FuturesUnordered::new(),
        prepared: HashMap::new(),
        over: watch::Sender::default(),
    }
    .run(cancel)
    .await
}

/// What every piece of work needs.
pub(super) struct Shared {
    pub input: Arc<TurnInput>,
    /// Who is asked, also by children: one that took over stays for the turn.
    pub backends: Arc<Backends>,
    pub port: Arc<dyn TurnPort>,
    pub files: Arc<dyn Files>,
    pub stop: CancellationToken,
    /// The tools that this agent has.
    pub set: Set,
    /// What it is told beside the conversation, and how much of that fits.
    pub context: Mutex<Context>,
    /// Where the messages that the turn began with stand in the transcript; none for a child, which has none there and
    /// is not compacted.
    pub places: Option<Vec<u64>>,
    /// A hook has blocked a compaction.
    pub uncompacted: AtomicBool,
    /// What it has seen of files.
    pub seen: Arc<Seen>,
    pub children: Arc<Children>,
    /// What the person was shown of each commit that was asked for.
    pub shown: Mutex<HashMap<CallId, String>>,
    pub hooks: Arc<Hooks>,
    /// What hooks have said of calls that are not over: the model is told with the result.
    pub hooked: Mutex<HashMap<CallId, String>>,
}

impl Shared {
    fn bench(&self) -> Bench<'_> {
        Bench { files: &*self.files, seen: &self.seen, set: self.set, offers: self.offers() }
    }

    /// What tool servers offer this agent now. One that only looks gets none: what they do is not known.
    fn offers(&self) -> Vec<Offer> {
        if self.set == Set::Look { Vec::new() } else { self.input.tools.servers().offers() }
    }
}

/// What a piece of work leads to.
enum Next {
    Event(Event),
    /// Hooks have nothing against a call: rules and person are asked.
    Ask(Box<Question>),
}

/// A call that is to be asked for.
struct Question {
    request: CallRequest,
    /// The paths of a commit, which is shown.
    commit: Option<Vec<String>>,
    /// The calls before it in its step.
    before: Vec<CallId>,
}

struct Driver {
    shared: Arc<Shared>,
    machine: TurnMachine,
    /// The model call, the running tools or hooks; on cancel they end by themselves and are waited for.
    work: FuturesUnordered<BoxFuture<'static, Next>>,
    /// Questions to the person; on cancel they are dropped.
    permits: FuturesUnordered<BoxFuture<'static, Event>>,
    prepared: HashMap<CallId, Prepared>,
    /// Calls that are over. A commit is shown once what comes before it in its step is done.
    over: watch::Sender<HashSet<CallId>>,
}

impl Driver {
    async fn run(mut self, cancel: CancellationToken) -> TurnOutcome {
        let mut effects = VecDeque::from(self.machine.handle(Event::Begin));
        let mut cancelled = false;
        loop {
            while let Some(effect) = effects.pop_front() {
                let last = match effects.front() {
                    Some(Effect::End(TurnOutcome::Done { answer })) => Some(&answer[..]),
                    _ => None,
                };
                match self.perform(effect, last).await {
                    Done::Events(events) => {
                        for event in events {
                            effects.extend(self.handle(event));
                        }
                    }
                    Done::Over(outcome) => {
                        // What still runs was told to end.
                        while self.work.next().await.is_some() {}
                        return outcome;
                    }
                }
            }
            let event = tokio::select! {
                biased;
                () = cancel.cancelled(), if !cancelled => {
                    cancelled = true;
                    self.permits.clear();
                    Event::Cancel
                }
                Some(next) = self.work.next(), if !self.work.is_empty() => match next {
                    Next::Event(event) => event,
                    Next::Ask(question) => {
                        if !cancelled {
                            self.permit(*question);
                        }
                        continue;
                    }
                },
                Some(event) = self.permits.next(), if !self.permits.is_empty() => event,
                else => {
                    let error = "the turn has nothing left to wait for; send the prompt again".to_owned();
                    return TurnOutcome::Failed { error };
                }
            };
            effects.extend(self.handle(event));
        }
    }

    fn handle(&mut self, mut event: Event) -> Vec<Effect> {
        match &mut event {
            Event::Finished { call, outcome } => {
                outcome.output.push_str(&lock(&self.shared.hooked).remove(call).unwrap_or_default());
                self.over.send_modify(|over| {
                    over.insert(call.clone());
                });
            }
            Event::Decided { call, verdict: Verdict::Deny { reason } } => {
                reason.push_str(&lock(&self.shared.hooked).remove(call).unwrap_or_default());
            }
            _ => {}
        }
        self.machine.handle(event)
    }

    /// Performs an effect. `last`: after it the turn ends with this answer.
    async fn perform(&mut self, effect: Effect, last: Option<&str>) -> Done {
        match effect {
            Effect::Phase(words) => self.shared.port.phase(words),
            Effect::End(outcome) => return Done::Over(outcome),
            Effect::CallModel => {
                let shared = Arc::clone(&self.shared);
                let messages = self.machine.messages();
                self.work.push(Box::pin(async { Next::Event(ask_model(shared, messages).await) }));
            }
            Effect::Record(record) => {
                let port = &self.shared.port;
                let recorded = match last {
                    Some(answer) => port.record_last(record, answer),
                    None => port.record(record),
                };
                if let Err(error) = recorded.await {
                    self.shared.stop.cancel();
                    while self.work.next().await.is_some() {}
                    let error = unkept(&error);
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
                    Next::Event(Event::Finished { call: call.id, outcome })
                }));
            }
            Effect::AskStop { answer, again } => {
                let shared = Arc::clone(&self.shared);
                shared.port.phase("asking hooks");
                self.work.push(Box::pin(async move { Next::Event(guard::stop(&shared, &answer, again).await) }));
            }
        }
        Done::Events(Vec::new())
    }

    /// Asks for all calls of a step at once; those that can never run are answered at once.
    async fn ask(&mut self, calls: Vec<ToolCall>) -> Vec<Event> {
        let shared = Arc::clone(&self.shared);
        let ids: Vec<CallId> = calls.iter().map(|call| call.id.clone()).collect();
        let all = tokio::task::spawn_blocking(move || shared.bench().prepare_all(&calls)).await;
        let all = all.unwrap_or_else(|_| ids.iter().map(|_| Err(Box::new(tools::broke_down()))).collect());
        let mut events = Vec::new();
        for (number, prepared) in all.into_iter().enumerate() {
            let id = ids[number].clone();
            match prepared {
                Err(outcome) => events.push(Event::Finished { call: id, outcome: *outcome }),
                Ok(prepared) => {
                    let commit = tools::commit_paths(&prepared.job);
                    let question =
                        Question { request: prepared.request.clone(), commit, before: ids[..number].to_vec() };
                    self.prepared.insert(id, prepared);
                    self.guard(question);
                }
            }
        }
        events
    }

    /// Asks hooks about a call first, where there are any for it.
    fn guard(&mut self, question: Question) {
        if !self.shared.hooks.any(HookEvent::BeforeTool, Some(&question.request.call.tool)) {
            return self.permit(question);
        }
        let shared = Arc::clone(&self.shared);
        self.work.push(Box::pin(async move {
            let request = &question.request;
            match guard::before(&shared, &request.call, &request.action).await {
                Some(outcome) => Next::Event(Event::Finished { call: request.call.id.clone(), outcome }),
                None => Next::Ask(Box::new(question)),
            }
        }));
    }

    /// Asks rules and person about a call.
    fn permit(&mut self, question: Question) {
        let Question { mut request, commit, before } = question;
        let (id, port) = (request.call.id.clone(), Arc::clone(&self.shared.port));
        let mut over = self.over.subscribe();
        let shared = Arc::clone(&self.shared);
        self.permits.push(Box::pin(async move {
            if let Some(paths) = commit {
                // The driver that tells lives as long as this is waited for.
                let _ = over.wait_for(|over| before.iter().all(|id| over.contains(id))).await;
                match tools::preview(paths, &shared.input.tools).await {
                    Ok(diff) => {
                        lock(&shared.shown).insert(id.clone(), diff.clone());
                        request.diff = Some(diff);
                    }
                    Err(outcome) => return Event::Finished { call: id, outcome: *outcome },
                }
            }
            let verdict = port.permit(request).await;
            Event::Decided { call: id, verdict }
        }));
    }
}

/// What came of an effect.
enum Done {
    Events(Vec<Event>),
    Over(TurnOutcome),
}

async fn ask_model(shared: Arc<Shared>, messages: Arc<Vec<Message>>) -> Event {
    let (mut limits, _) = shared.backends.limits();
    // Once for each request: what does not help is not tried again.
    let (mut compacted, mut refused) = (false, false);
    loop {
        let cause = if refused { CompactCause::Refused } else { CompactCause::Full };
        let mut made = make(&shared, &messages, limits, (!compacted).then_some(cause)).await;
        if let Some(Made::Plan(plan)) = made {
            match compact_turn(&shared, &messages, &plan, cause).await {
                Ok(done) => compacted = done,
                Err(event) => return event,
            }
            made = make(&shared, &messages, limits, None).await;
        }
        let Some(Made::Request(fitted, tools)) = made else {
            let error = "the request could not be put together; send the prompt again".to_owned();
            return Event::ModelFailed { error };
        };
        for text in fitted.notices.into_iter().filter(|text| shared.input.tools.first_time(text)) {
            if let Err(error) = shared.port.record(TurnRecord::Notice { level: NoticeLevel::Warning, text }).await {
                let error = unkept(&error);
                return Event::ModelFailed { error };
            }
        }
        let kept = fitted.kept.of(&messages, fitted.notes.as_deref());
        let end = send(&shared, &fitted.system, &kept, &tools.list).await;
        match end {
            ModelEnd::Answered(answer) => {
                if let Some(usage) = &answer.usage {
                    lock(&shared.context).learn(usage.input);
                }
                return Event::Answered(answer);
            }
            ModelEnd::TooLong(error) => {
                // The window is smaller than was known. Each time less is sent, so this ends.
                let smaller = lock(&shared.context).too_long(&messages, limits);
                match smaller {
                    Some(smaller) => {
                        (limits, refused) = (smaller, true);
                        if let Some(window) = smaller.window {
                            shared.input.tools.learn_window(shared.backends.key(), window);
                        }
                    }
                    None => return Event::ModelTooLong { error },
                }
            }
            ModelEnd::Broke { text, error, passing } => return Event::ModelBroke { text, error, passing },
            ModelEnd::Failed(error) | ModelEnd::Refused(error) => return Event::ModelFailed { error },
            ModelEnd::Cancelled { text } => return Event::ModelStopped { text },
        }
    }
}

/// What the next request is to be.
enum Made {
    /// This, with these tools.
    Request(Fitted, Arc<Told>),
    /// The conversation is to be compacted first.
    Plan(Plan),
}

/// Makes the next request on a thread for it, since files are read. `compact`: unless a compaction is due, and why one
/// would be. None when that broke down.
async fn make(
    shared: &Arc<Shared>,
    messages: &Arc<Vec<Message>>,
    limits: ModelLimits,
    compact: Option<CompactCause>,
) -> Option<Made> {
    let open = limits.compact_at > 0 && shared.places.is_some() && !shared.uncompacted.load(Ordering::Relaxed);
    let cause = compact.filter(|_| open);
    let (shared, messages) = (Arc::clone(shared), Arc::clone(messages));
    let work = move || {
        let tools = tools::definitions_with(shared.set, shared.offers());
        let mut context = lock(&shared.context);
        context.retool(&tools);
        let forced = |cause| cause == CompactCause::Refused;
        let plan = cause.and_then(|cause| context.plan(&messages, limits, &*shared.files, forced(cause)));
        match plan {
            Some(plan) => Made::Plan(plan),
            None => Made::Request(context.fit(&messages, limits, &*shared.files), tools),
        }
    };
    tokio::task::spawn_blocking(work).await.ok()
}

/// Compacts the conversation, and has it kept before the turn goes by it. Whether it was.
async fn compact_turn(
    shared: &Arc<Shared>,
    messages: &Arc<Vec<Message>>,
    plan: &Plan,
    cause: CompactCause,
) -> Result<bool, Event> {
    let upto = shared.places.as_ref().and_then(|places| place(places, messages, plan.from));
    let Some(upto) = upto else { return Ok(false) };
    let port = &*shared.port;
    let (backends, hooks, cancel) = (&shared.backends, &shared.hooks, &shared.stop);
    let writer = Writer { backends, port, hooks, cancel, seed: shared.input.seed };
    let mut said = Vec::new();
    let written = compact::write(&writer, plan, messages, cause, None, &mut said).await;
    for (level, text) in said {
        if let Err(error) = port.record(TurnRecord::Notice { level, text }).await {
            return Err(Event::ModelFailed { error: unkept(&error) });
        }
    }
    let written = match written {
        Ok(written) => written,
        Err(Unwritten::Cancelled) => return Err(Event::ModelStopped { text: String::new() }),
        Err(Unwritten::Blocked(_)) => {
            // It is not asked again in this turn: the oldest are left out instead.
            shared.uncompacted.store(true, Ordering::Relaxed);
            return Ok(false);
        }
    };
    let after = lock(&shared.context).after(plan.from, &written.notes);
    let notes = written.notes.clone();
    let (before, without_model) = (plan.before, written.without_model);
    let compaction = Compaction { upto, notes: written.notes, cause, without_model, before, after };
    crate::base::failpoint("compaction");
    if let Err(error) = port.record(TurnRecord::Compacted(Box::new(compaction))).await {
        return Err(Event::ModelFailed { error: unkept(&error) });
    }
    lock(&shared.context).compacted(plan.from, notes);
    port.phase("thinking");
    Ok(true)
}

fn unkept(error: &str) -> String {
    format!("the turn was stopped because its transcript could not be stored: {error}")
}

/// Where in the transcript the messages before this one end.
fn place(places: &[u64], messages: &[Message], from: usize) -> Option<UpTo> {
    match (places.get(from), messages.get(from)) {
        (Some(seq), _) => Some(UpTo::Entry(seq.saturating_sub(1))),
        (None, None) => Some(UpTo::Now),
        // A step of this turn.
        (None, Some(Message::Assistant { calls, .. })) => calls.first().map(|call| UpTo::BeforeCall(call.id.clone())),
        (None, Some(_)) => None,
    }
}

/// Sends one request.
async fn send(shared: &Shared, system: &str, messages: &[Message], tools: &[Tool]) -> ModelEnd {
    let input = &shared.input;
    // Model, limit and effort are each provider's own.
    let request = Request { model: &input.model, system, messages, tools, max_output: None, effort: None };
    shared.backends.call(&request, &*shared.port, &shared.stop, input.seed).await
}

async fn run_call(shared: &Arc<Shared>, call: &ToolCall, prepared: Option<Prepared>, edited: bool) -> ToolOutcome {
    let prepared = if let Some(prepared) = prepared {
        Ok(prepared)
    } else {
        let (again, from) = (call.clone(), Arc::clone(shared));
        let prepare = tokio::task::spawn_blocking(move || from.bench().prepare(&again));
        prepare.await.unwrap_or_else(|_| Err(Box::new(tools::broke_down())))
    };
    let mut outcome = match prepared {
        Ok(prepared) => {
            let action = prepared.request.action.clone();
            // What the person made of a call is another call.
            let blocked = if edited && call.tool != "ask" { guard::before(shared, call, &action).await } else { None };
            if let Some(outcome) = blocked {
                outcome
            } else {
                let mut outcome = run_job(shared, call, prepared.job).await;
                guard::after(shared, call, &action, &mut outcome).await;
                outcome
            }
        }
        Err(outcome) => *outcome,
    };
    // The answer to a question is no change of it.
    if edited && call.tool != "ask" {
        let words = format!("[the person changed this call; what ran is: {}]\n", call.arguments);
        outcome.output.insert_str(0, &words);
    }
    outcome
}

async fn run_job(shared: &Arc<Shared>, call: &ToolCall, job: Job) -> ToolOutcome {
    let shown = lock(&shared.shown).remove(&call.id);
    if let (Some(shown), Some(paths)) = (shown, tools::commit_paths(&job)) {
        match tools::preview(paths, &shared.input.tools).await {
            Ok(now) if now == shown => {}
            Ok(_) => {
                let words = "what would be committed has changed since the person was shown it; look, and call again";
                return tools::failed(words, "changed");
            }
            Err(outcome) => return *outcome,
        }
    }
    if let Job::Spawn { task, change } = job {
        return child::run(Arc::clone(shared), call.id.clone(), task, change).await;
    }
    if let Job::Remember { scope, text } = job {
        return tools::remember(&*shared.port, scope, text).await;
    }
    let input = &shared.input;
    let means = tools::Means {
        files: &shared.files,
        seen: &shared.seen,
        lane: &input.tools,
        web: &input.web,
        skills: input.skills.as_deref(),
        directory: &input.directory,
        environment: &input.environment,
        secret: input.client.secret(),
        call: &call.id.0,
        stop: &shared.stop,
    };
    tools::run(job, &means, &mut |text| shared.port.output_delta(&call.id, text)).await
}
