//! A worktree, a port that keeps everything, and waiting for conditions.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use paralane::agent::{ApiKey, LaneHooks, LaneTools, ModelClient, Provider, RetryPolicy, TurnInput, run_turn};
use paralane::config::Hook;
use paralane::domain::{
    CallId, CallRequest, Compaction, Entry, EntryBody, FactScope, HookTrust, LaneId, NotesEntry, PortFuture, PromptId,
    SpendAsk, SpendEnd, SpendId, ToolCall, ToolOutcome, TurnOutcome, TurnPort, TurnRecord, UpTo, Verdict,
};
use paralane::sandbox::WorktreeFiles;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::model_server::ModelServer;

pub const KEY: &str = "sk-test-SENTINEL";

type Decide = Box<dyn Fn(&CallRequest) -> Option<Verdict> + Send + Sync>;

/// Keeps what a turn says. `decide` answers requests; `None` leaves one open for ever.
pub struct Port {
    decide: Decide,
    pub records: Mutex<Vec<TurnRecord>>,
    pub requests: Mutex<Vec<CallRequest>>,
    pub answer: Mutex<String>,
    pub reasoning: Mutex<String>,
    pub output: Mutex<String>,
    pub phases: Mutex<Vec<String>>,
    pub refuse_records_after: Mutex<Option<usize>>,
    /// What was reserved, and what it came to.
    pub spends: Mutex<Vec<(SpendAsk, Option<SpendEnd>)>>,
    /// What was to be remembered.
    pub remembered: Mutex<Vec<(FactScope, String)>>,
    /// No call may be made, for this reason.
    pub refuse_spends: Mutex<Option<String>>,
}

impl Port {
    pub fn new(decide: impl Fn(&CallRequest) -> Option<Verdict> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            decide: Box::new(decide),
            records: Mutex::default(),
            requests: Mutex::default(),
            answer: Mutex::default(),
            reasoning: Mutex::default(),
            output: Mutex::default(),
            phases: Mutex::default(),
            refuse_records_after: Mutex::default(),
            spends: Mutex::default(),
            remembered: Mutex::default(),
            refuse_spends: Mutex::default(),
        })
    }

    pub fn allowing() -> Arc<Self> {
        Self::new(|request| Some(Verdict::Run(request.call.clone())))
    }

    /// The results in the order they came.
    pub fn outcomes(&self) -> Vec<ToolOutcome> {
        let records = self.records.lock().unwrap();
        let outcome = |record: &TurnRecord| match record {
            TurnRecord::CallFinished { outcome, .. } => Some(outcome.clone()),
            _ => None,
        };
        records.iter().filter_map(outcome).collect()
    }

    pub fn started(&self) -> Vec<CallId> {
        let records = self.records.lock().unwrap();
        let started = |record: &TurnRecord| match record {
            TurnRecord::CallStarted(call) => Some(call.clone()),
            _ => None,
        };
        records.iter().filter_map(started).collect()
    }

    /// The compactions.
    pub fn compactions(&self) -> Vec<Compaction> {
        let records = self.records.lock().unwrap();
        let made = |record: &TurnRecord| match record {
            TurnRecord::Compacted(made) => Some((**made).clone()),
            _ => None,
        };
        records.iter().filter_map(made).collect()
    }

    /// What the person was told beside the answers.
    pub fn notices(&self) -> Vec<String> {
        let records = self.records.lock().unwrap();
        let notice = |record: &TurnRecord| match record {
            TurnRecord::Notice { text, .. } => Some(text.clone()),
            _ => None,
        };
        records.iter().filter_map(notice).collect()
    }

    /// What the workstation would have in the transcript.
    pub fn entries(&self) -> Vec<EntryBody> {
        self.entries_after(0)
    }

    /// The same, in a transcript that had so many entries when the turn began.
    pub fn entries_after(&self, before: u64) -> Vec<EntryBody> {
        let mut entries = Vec::new();
        for record in self.records.lock().unwrap().iter().cloned() {
            match record {
                TurnRecord::Step { text, cut, calls, usage, reasoning } => {
                    entries.push(EntryBody::Answer { text, cut, usage, reasoning });
                    entries.extend(calls.into_iter().map(|(call, action)| EntryBody::Call { call, action }));
                }
                TurnRecord::Notice { level, text } => entries.push(EntryBody::Notice { level, text }),
                TurnRecord::Told { event, by, text } => entries.push(EntryBody::Told { event, by, text }),
                TurnRecord::Withheld => entries.push(EntryBody::Withheld),
                TurnRecord::CallStarted(_) | TurnRecord::Checkpoint(_) => {}
                TurnRecord::Compacted(made) => {
                    // As the workstation places them, of entries that are numbered from `before` on.
                    let place = |call: &CallId| {
                        let made =
                            |body: &EntryBody| matches!(body, EntryBody::Call { call: of, .. } if of.id == *call);
                        let at = entries.iter().position(made).expect("the call is kept");
                        entries[..at].iter().rposition(|body| matches!(body, EntryBody::Answer { .. })).unwrap() as u64
                    };
                    let upto = match &made.upto {
                        UpTo::Entry(seq) => *seq,
                        UpTo::Now => before + entries.len() as u64,
                        UpTo::BeforeCall(call) => before + place(call),
                    };
                    let Compaction { notes, cause, without_model, before, after, .. } = *made;
                    let noted = NotesEntry { upto, notes, cause, without_model, before, after };
                    entries.push(EntryBody::Notes(Box::new(noted)));
                }
                TurnRecord::Child { under, step, .. } => entries.push(EntryBody::Child { under, step }),
                TurnRecord::CallFinished { call, outcome } => entries.push(EntryBody::Result { call, outcome }),
            }
        }
        entries
    }
}

impl TurnPort for Port {
    fn record(&self, record: TurnRecord) -> PortFuture<'_, Result<(), String>> {
        let mut records = self.records.lock().unwrap();
        let refuse = self.refuse_records_after.lock().unwrap().is_some_and(|count| records.len() >= count);
        if !refuse {
            records.push(record);
        }
        Box::pin(std::future::ready(if refuse { Err("disk full".to_owned()) } else { Ok(()) }))
    }

    fn reserve(&self, ask: SpendAsk) -> PortFuture<'_, Result<SpendId, String>> {
        let mut spends = self.spends.lock().unwrap();
        let answer = match &*self.refuse_spends.lock().unwrap() {
            Some(words) => Err(words.clone()),
            None => Ok(SpendId(spends.len() as i64 + 1)),
        };
        spends.push((ask, None));
        Box::pin(std::future::ready(answer))
    }

    fn settle(&self, spend: SpendId, end: SpendEnd) -> PortFuture<'_, ()> {
        let place = usize::try_from(spend.0 - 1).unwrap();
        let before = self.spends.lock().unwrap()[place].1.replace(end);
        assert_eq!(before, None, "settled twice");
        Box::pin(std::future::ready(()))
    }

    fn remember(&self, scope: FactScope, text: String) -> PortFuture<'_, Result<String, String>> {
        self.remembered.lock().unwrap().push((scope, text));
        Box::pin(std::future::ready(Ok("m1 remembered for this project".to_owned())))
    }

    fn permit(&self, request: CallRequest) -> PortFuture<'_, Verdict> {
        let verdict = (self.decide)(&request);
        self.requests.lock().unwrap().push(request);
        match verdict {
            Some(verdict) => Box::pin(std::future::ready(verdict)),
            None => Box::pin(std::future::pending()),
        }
    }

    fn answer_delta(&self, text: &str) {
        self.answer.lock().unwrap().push_str(text);
    }

    fn reasoning_delta(&self, text: &str) {
        self.reasoning.lock().unwrap().push_str(text);
    }

    fn output_delta(&self, _: &CallId, text: &str) {
        self.output.lock().unwrap().push_str(text);
    }

    fn phase(&self, words: &str) {
        self.phases.lock().unwrap().push(words.to_owned());
    }
}

pub fn provider(base_url: String) -> Provider {
    let mut provider = Provider::new(base_url, Some(ApiKey::new(KEY)));
    provider.retry = RetryPolicy { first: Duration::from_millis(1), ..RetryPolicy::default() };
    provider
}

/// A worktree and a server.
pub struct Lane {
    pub dir: TempDir,
    pub server: ModelServer,
    pub client: ModelClient,
    pub cancel: CancellationToken,
    /// What its turns begin with.
    pub hooks: Vec<Hook>,
}

/// Trusts every file.
struct TrustAll;

impl HookTrust for TrustAll {
    fn trusts(&self, _: &str) -> bool {
        true
    }

    fn ask(&self) -> PortFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

impl Lane {
    pub fn new() -> Self {
        let server = ModelServer::start();
        let client = ModelClient::new(provider(server.base_url())).unwrap();
        Self { dir: tempfile::tempdir().unwrap(), server, client, cancel: CancellationToken::new(), hooks: Vec::new() }
    }

    pub fn input(&self, transcript: Vec<EntryBody>) -> TurnInput {
        let entry = |(index, body): (usize, EntryBody)| Entry {
            lane: LaneId(1),
            seq: index as u64 + 1,
            prompt: Some(PromptId(1)),
            at: jiff::Timestamp::UNIX_EPOCH,
            body,
        };
        TurnInput {
            client: self.client.clone(),
            model: "scripted".to_owned(),
            fallback: Vec::new(),
            prompt: PromptId(1),
            transcript: transcript.into_iter().enumerate().map(entry).collect(),
            interrupted_calls: BTreeSet::new(),
            directory: self.dir.path().to_path_buf(),
            environment: vec![("PATH".to_owned(), std::env::var("PATH").unwrap())],
            tools: LaneTools::default(),
            web: paralane::config::Web::default(),
            servers: Vec::new(),
            off: paralane::domain::LayersOff::new(),
            recall: paralane::domain::Recall::default(),
            hooks: LaneHooks {
                hooks: self.hooks.clone(),
                lane: "api".to_owned(),
                project: self.dir.path().to_path_buf(),
                sandbox: None,
                trust: Arc::new(TrustAll),
            },
            unused_hooks: 0,
            skills: None,
            max_steps: 50,
            seed: 1,
        }
    }

    pub async fn start(&self, input: TurnInput, port: &Arc<Port>) -> TurnOutcome {
        let files = Arc::new(WorktreeFiles::open(self.dir.path()).unwrap());
        let turn = run_turn(input, port.clone(), files, self.cancel.clone());
        tokio::time::timeout(Duration::from_secs(60), turn).await.expect("the turn ends")
    }

    /// Runs one prompt.
    pub async fn prompt(&self, text: &str, port: &Arc<Port>) -> TurnOutcome {
        self.start(self.input(vec![EntryBody::Prompt { text: text.to_owned() }]), port).await
    }

    pub fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.dir.path().join(path)).ok()
    }
}

pub fn done(answer: &str) -> TurnOutcome {
    TurnOutcome::Done { answer: answer.to_owned() }
}

pub fn error(outcome: TurnOutcome) -> String {
    match outcome {
        TurnOutcome::Failed { error } => error,
        other => panic!("expected a failure, got {other:?}"),
    }
}

/// Waits for a condition with a deadline.
pub async fn until(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < deadline, "waited for {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

pub fn call(id: &str, tool: &str, arguments: serde_json::Value) -> EntryBody {
    let call = ToolCall { id: CallId(id.into()), model_id: format!("m-{id}"), tool: tool.into(), arguments };
    EntryBody::Call { call, action: String::new() }
}
