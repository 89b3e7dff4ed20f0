//! A child agent: a turn within a call, with a context and a smaller set of tools of its own.
//!
//! Its calls pass the same permission path under ids of their own; what it says and does goes to its parent's
//! transcript as steps below the call; its last answer is the call's result. It has no tool that starts a further
//! child, and it ends when its parent's turn is cancelled.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use tokio::sync::Semaphore;

use super::context::Context;
use super::machine::TurnMachine;
use super::tools::{self, Seen, Set};
use super::transcript::{Message, Rebuilt};
use super::turn::{Shared, drive};
use crate::base::{clip, lock, one_line};
use crate::domain::{
    CallId, CallRequest, ChildStep, FactScope, PortFuture, SpendAsk, SpendEnd, SpendId, ToolOutcome, TurnOutcome,
    TurnPort, TurnRecord, Verdict,
};

/// Children of one turn.
const MOST: u32 = 16;
/// Children that run at once.
const AT_ONCE: usize = 4;
/// Model calls of one child.
const STEPS: u32 = 30;
/// Cells of what it said, as its parent's transcript shows it.
const SAID: usize = 300;

/// The children of a turn.
#[derive(Debug)]
pub(super) struct Children {
    started: AtomicU32,
    slots: Semaphore,
}

impl Default for Children {
    fn default() -> Self {
        Self { started: AtomicU32::new(0), slots: Semaphore::new(AT_ONCE) }
    }
}

/// Runs a child to its end.
pub(super) fn run(parent: Arc<Shared>, call: CallId, task: String, change: bool) -> BoxFuture<'static, ToolOutcome> {
    // Boxed here: a turn runs children, and a child is a turn.
    Box::pin(async move {
        if parent.children.started.fetch_add(1, Ordering::Relaxed) >= MOST {
            let words = format!("{MOST} child agents were started in this turn already; do the rest yourself");
            return tools::failed(&words, "too many");
        }
        let cancelled = || tools::failed("ended: the person cancelled the turn", "cancelled");
        let slot = tokio::select! {
            () = parent.stop.cancelled() => return cancelled(),
            slot = parent.children.slots.acquire() => slot,
        };
        let port = Arc::new(ChildPort {
            parent: Arc::clone(&parent.port),
            under: call.clone(),
            actions: Mutex::default(),
            steps: AtomicU32::new(0),
        });
        let begin = Rebuilt {
            messages: vec![Message::User { text: task, images: Vec::new() }],
            next_step: 1,
            ..Rebuilt::default()
        };
        let machine = TurnMachine::child(parent.input.prompt, call, begin, STEPS);
        let set = if change { Set::Work } else { Set::Look };
        let (of, own) = (Arc::clone(&parent), prompt(&parent.input.directory, change));
        let context = tokio::task::spawn_blocking(move || {
            let offers = if set == Set::Look { Vec::new() } else { of.input.tools.servers().offers() };
            Context::new(own, &tools::definitions_with(set, offers), of.input.off.clone(), &*of.files)
        });
        let Ok(context) = context.await else { return tools::broke_down() };
        let shared = Shared {
            input: Arc::clone(&parent.input),
            backends: Arc::clone(&parent.backends),
            port: Arc::<ChildPort>::clone(&port),
            files: Arc::clone(&parent.files),
            stop: parent.stop.child_token(),
            set,
            context: Mutex::new(context),
            places: None,
            uncompacted: AtomicBool::new(false),
            seen: Arc::<Seen>::default(),
            children: Arc::default(),
            shown: Mutex::default(),
            hooks: Arc::clone(&parent.hooks),
            hooked: Mutex::default(),
        };
        let outcome = drive(shared, machine, parent.stop.child_token()).await;
        drop(slot);
        let steps = port.steps.load(Ordering::Relaxed);
        let summary = format!("{steps} {}", if steps == 1 { "step" } else { "steps" });
        match outcome {
            TurnOutcome::Done { answer } => {
                let output = parent.input.tools.fit(answer);
                ToolOutcome { ok: true, output, summary, ..ToolOutcome::default() }
            }
            TurnOutcome::Failed { error } => tools::failed(
                &format!("The child agent did not finish: {error}. What it changed until then stands."),
                "failed",
            ),
            TurnOutcome::Cancelled => cancelled(),
        }
    })
}

/// What a child is told of itself.
fn prompt(directory: &Path, change: bool) -> String {
    let may = if change {
        "You may change files and run commands; a call may wait for the person's permission."
    } else {
        "You only look: you have no tool that changes anything."
    };
    format!(
        "You are a child agent in Paralane: another agent has given you one task. You work in its git worktree: {}\n\
         {may}\n\
         - Paths are relative to the worktree.\n\
         - If a tool fails, read its message and change something before you call it again.\n\
         - Your last answer is all that the other agent gets. Answer the task itself, short and complete, with paths \
         and line numbers where they help. You cannot ask back.\n",
        directory.display()
    )
}

/// Hands a child's steps on to its parent's port.
struct ChildPort {
    parent: Arc<dyn TurnPort>,
    under: CallId,
    /// Tool and action of the calls that are not over.
    actions: Mutex<HashMap<CallId, (String, String)>>,
    steps: AtomicU32,
}

impl TurnPort for ChildPort {
    fn record(&self, record: TurnRecord) -> PortFuture<'_, Result<(), String>> {
        let under = self.under.clone();
        let told = match record {
            TurnRecord::Step { text, calls, usage, .. } => {
                self.steps.fetch_add(1, Ordering::Relaxed);
                let last = calls.is_empty();
                lock(&self.actions).extend(calls.into_iter().map(|(call, action)| (call.id, (call.tool, action))));
                // The last answer is the result, which is kept whole.
                let action = if last { String::new() } else { clip(&one_line(&text), SAID) };
                if action.is_empty() && usage.is_none() {
                    return Box::pin(std::future::ready(Ok(())));
                }
                let step = ChildStep { action, ok: true, usage, ..ChildStep::default() };
                TurnRecord::Child { under, finished: None, step, written: Vec::new() }
            }
            TurnRecord::CallFinished { call, outcome } => {
                let (tool, action) = lock(&self.actions).remove(&call).unwrap_or_default();
                let step = ChildStep { tool, action, ok: outcome.ok, summary: outcome.summary, usage: None };
                TurnRecord::Child { under, finished: Some(call), step, written: outcome.written }
            }
            other @ (TurnRecord::CallStarted(_)
            | TurnRecord::Child { .. }
            | TurnRecord::Notice { .. }
            | TurnRecord::Compacted(_)
            | TurnRecord::Told { .. }
            | TurnRecord::Withheld
            | TurnRecord::Checkpoint(_)) => other,
        };
        self.parent.record(told)
    }

    fn reserve(&self, ask: SpendAsk) -> PortFuture<'_, Result<SpendId, String>> {
        self.parent.reserve(ask)
    }

    fn settle(&self, spend: SpendId, end: SpendEnd) -> PortFuture<'_, ()> {
        self.parent.settle(spend, end)
    }

    fn settle_with_next(&self, spend: SpendId, end: SpendEnd) -> PortFuture<'_, ()> {
        self.parent.settle_with_next(spend, end)
    }

    fn remember(&self, scope: FactScope, text: String) -> PortFuture<'_, Result<String, String>> {
        self.parent.remember(scope, text)
    }

    fn permit(&self, request: CallRequest) -> PortFuture<'_, Verdict> {
        self.parent.permit(request)
    }

    fn answer_delta(&self, text: &str) {
        self.parent.output_delta(&self.under, text);
    }

    fn reasoning_delta(&self, _: &str) {}

    fn output_delta(&self, _: &CallId, text: &str) {
        self.parent.output_delta(&self.under, text);
    }

    fn phase(&self, _: &str) {}
}
