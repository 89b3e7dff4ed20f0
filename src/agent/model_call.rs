//! One step's model call: tried again while that makes sense, handed to the next provider when it does not, dropped
//! at once on cancel.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::client::{BYTES_LIKELY, ModelClient};
use super::context::ModelLimits;
use super::error::ModelError;
use super::wire::{Delta, Request, StepAnswer};
use crate::domain::{NoticeLevel, SpendEnd, TurnPort, TurnRecord, Usage};

/// So many answers of one provider may break in the middle before the next one is asked.
const BREAKS: u32 = 2;

/// A provider and the model that is asked there.
#[derive(Debug, Clone)]
pub struct Backend {
    /// The provider.
    pub client: ModelClient,
    /// The model's name.
    pub model: String,
}

/// The providers of a turn, in the order in which they are asked. One that took over stays for the turn.
#[derive(Debug)]
pub(super) struct Backends {
    list: Vec<Backend>,
    now: AtomicUsize,
    breaks: AtomicU32,
}

/// How a model call ended.
#[derive(Debug)]
pub(super) enum ModelEnd {
    /// With a whole answer.
    Answered(StepAnswer),
    /// In the middle of an answer that the person has seen the beginning of.
    Broke {
        /// What was shown.
        text: String,
        /// What happened.
        error: String,
        /// Whether asking again may help.
        passing: bool,
    },
    /// Without anything shown, and asking again would not help or has not helped.
    Failed(String),
    /// A budget, or whoever counts, does not allow the call; nobody else is asked.
    Refused(String),
    /// The conversation is longer than the model takes.
    TooLong(String),
    /// By cancel.
    Cancelled {
        /// What was shown.
        text: String,
    },
}

impl Backends {
    pub fn new(first: Backend, fallback: Vec<Backend>) -> Self {
        let list = std::iter::once(first).chain(fallback).collect();
        Self { list, now: AtomicUsize::new(0), breaks: AtomicU32::new(0) }
    }

    /// The provider that is asked now: its limits and its name.
    pub fn limits(&self) -> (ModelLimits, &str) {
        let backend = self.list.get(self.now.load(Ordering::Relaxed));
        backend.map_or_else(Default::default, |backend| (backend.client.limits(), backend.client.name()))
    }

    /// The provider and the model that are asked now.
    pub fn key(&self) -> String {
        let backend = self.list.get(self.now.load(Ordering::Relaxed));
        backend.map(|backend| format!("{} {}", backend.client.name(), backend.model)).unwrap_or_default()
    }

    /// Goes on with the provider after the one at this place, if there is one, and says so in the transcript.
    async fn next(&self, at: usize, error: &str, port: &dyn TurnPort) -> Result<bool, String> {
        let (Some(before), Some(next)) = (self.list.get(at), self.list.get(at + 1)) else { return Ok(false) };
        if self.now.compare_exchange(at, at + 1, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            // Somebody else who asks through this has gone on already.
            return Ok(true);
        }
        self.breaks.store(0, Ordering::Relaxed);
        let text = format!(
            "{error}\nprovider `{}` did not answer; `{}` ({}) goes on with this turn",
            before.client.name(),
            next.client.name(),
            next.model
        );
        port.record(TurnRecord::Notice { level: NoticeLevel::Warning, text }).await?;
        port.phase(&format!("thinking ({})", next.client.name()));
        Ok(true)
    }

    /// One try at the provider that is asked now, without showing anything. With it, how long to wait before the next
    /// one, where that makes sense.
    pub async fn once(
        &self,
        request: &Request<'_>,
        port: &dyn TurnPort,
        cancel: &CancellationToken,
        seed: u64,
        number: u32,
    ) -> (Tried, Option<Duration>) {
        let Some(backend) = self.list.get(self.now.load(Ordering::Relaxed)) else {
            return (Tried::Refused("no provider is left".to_owned()), None);
        };
        let request = Request { model: &backend.model, ..*request };
        let quirks = backend.client.quirks();
        let tried = attempt(&backend.client, &request, port, cancel, &mut |_| {}).await;
        let wait = match &tried {
            // It taught us how to ask.
            Tried::Fault(_) if backend.client.quirks() != quirks => Some(Duration::ZERO),
            Tried::Fault(error) if error.passing() => {
                backend.client.retry().wait(number + 1, error.retry_after(), seed)
            }
            _ => None,
        };
        (tried, wait)
    }

    /// Calls the model, and the next provider's when that fails.
    pub async fn call(
        &self,
        request: &Request<'_>,
        port: &dyn TurnPort,
        cancel: &CancellationToken,
        seed: u64,
    ) -> ModelEnd {
        loop {
            let at = self.now.load(Ordering::Relaxed);
            let Some(backend) = self.list.get(at) else {
                return ModelEnd::Failed("no provider is left; send the prompt again".to_owned());
            };
            let request = Request { model: &backend.model, ..*request };
            let end = call(&backend.client, &request, port, cancel, seed).await;
            let error = match &end {
                ModelEnd::Failed(error) => error,
                ModelEnd::Broke { error, passing: true, .. } => {
                    let breaks = self.breaks.fetch_add(1, Ordering::Relaxed) + 1;
                    if breaks < BREAKS {
                        return end;
                    }
                    error
                }
                ModelEnd::Broke { error, .. } => error,
                ModelEnd::Answered(_) | ModelEnd::Refused(_) | ModelEnd::TooLong(_) | ModelEnd::Cancelled { .. } => {
                    return end;
                }
            };
            match self.next(at, error, port).await {
                Ok(false) => return end,
                Ok(true) => {
                    // The turn keeps what was shown, and asks again.
                    if let ModelEnd::Broke { text, error, .. } = end {
                        return ModelEnd::Broke { text, error, passing: true };
                    }
                }
                Err(error) => {
                    let error = format!("the turn was stopped because its transcript could not be stored: {error}");
                    return ModelEnd::Failed(error);
                }
            }
        }
    }
}

/// How one try ended.
#[derive(Debug)]
pub(super) enum Tried {
    /// With a whole answer.
    Answered(StepAnswer),
    /// A budget, or whoever counts, does not allow the call.
    Refused(String),
    /// By cancel.
    Cancelled,
    /// With an error.
    Fault(ModelError),
}

/// One try at one provider's model, counted for itself before it is made. `show` gets what comes of the answer.
async fn attempt(
    client: &ModelClient,
    request: &Request<'_>,
    port: &dyn TurnPort,
    cancel: &CancellationToken,
    show: &mut (dyn FnMut(Delta) + Send),
) -> Tried {
    let asked = client.prepare(request);
    // Not dropped on cancel: what is reserved is either used or given back.
    let spend = match port.reserve(asked.most.clone()).await {
        Ok(spend) => spend,
        Err(_) if cancel.is_cancelled() => return Tried::Cancelled,
        Err(words) => return Tried::Refused(words),
    };
    crate::base::failpoint("model-reserved");
    let mut seen = Received { likely_input: asked.likely_input, ..Received::default() };
    let mut take = |delta: Delta| {
        seen.take(&delta);
        show(delta);
    };
    let end = tokio::select! {
        biased;
        () = cancel.cancelled() => None,
        end = client.answer(asked, &mut take) => Some(end),
    };
    let used = seen.end(end.as_ref());
    if matches!(end, Some(Ok(_))) {
        port.settle_with_next(spend, used).await;
    } else {
        port.settle(spend, used).await;
    }
    match end {
        None => Tried::Cancelled,
        Some(Ok(answer)) => Tried::Answered(answer),
        Some(Err(error)) => Tried::Fault(error),
    }
}

/// Calls one provider's model, again and again while that makes sense.
async fn call(
    client: &ModelClient,
    request: &Request<'_>,
    port: &dyn TurnPort,
    cancel: &CancellationToken,
    seed: u64,
) -> ModelEnd {
    let policy = client.retry();
    let mut tries = 1;
    loop {
        let quirks = client.quirks();
        let mut text = String::new();
        let mut show = |delta: Delta| match delta {
            Delta::Text(piece) => {
                text.push_str(&piece);
                port.answer_delta(&piece);
                crate::base::failpoint("model-stream");
            }
            Delta::Reasoning(piece) => port.reasoning_delta(&piece),
            Delta::Usage(_) => {}
        };
        let error = match attempt(client, request, port, cancel, &mut show).await {
            Tried::Cancelled => return ModelEnd::Cancelled { text },
            Tried::Refused(words) => return ModelEnd::Refused(words),
            Tried::Answered(answer) => return ModelEnd::Answered(answer),
            Tried::Fault(error) => error,
        };
        if !text.is_empty() {
            return ModelEnd::Broke { text, error: error.to_string(), passing: error.passing() };
        }
        // A refusal that taught us how to ask is asked again at once; it can teach only a few things.
        if client.quirks() != quirks {
            continue;
        }
        if matches!(error, ModelError::TooLong { .. }) {
            return ModelEnd::TooLong(error.to_string());
        }
        if !error.passing() {
            return ModelEnd::Failed(error.to_string());
        }
        tries += 1;
        let Some(wait) = policy.wait(tries, error.retry_after(), seed) else {
            return ModelEnd::Failed(given_up(&error, tries - 1));
        };
        let seconds = wait.as_secs_f64().ceil();
        port.phase(&format!("retrying in {seconds} s (try {tries} of {}): {}", policy.tries, error.short()));
        tokio::select! {
            biased;
            () = cancel.cancelled() => return ModelEnd::Cancelled { text },
            () = tokio::time::sleep(wait) => {}
        }
        port.phase("thinking");
    }
}

/// What has come of one try, for whoever counts it.
#[derive(Debug, Default)]
struct Received {
    likely_input: u64,
    bytes: u64,
    /// What the server has said until now.
    usage: Option<Usage>,
}

impl Received {
    fn take(&mut self, delta: &Delta) {
        match delta {
            Delta::Text(piece) | Delta::Reasoning(piece) => self.bytes += piece.len() as u64,
            Delta::Usage(usage) => self.usage = Some(*usage),
        }
    }

    /// What the try came to. An answer that broke off is paid for like a whole one, as far as it came.
    fn end(&self, end: Option<&Result<StepAnswer, ModelError>>) -> SpendEnd {
        let calls = match end {
            Some(Ok(StepAnswer { usage: Some(usage), .. })) => return SpendEnd::Used(*usage),
            Some(Ok(answer)) => answer.calls.iter().map(|call| call.arguments.to_string().len() as u64).sum(),
            Some(Err(error)) if !error.begun() && self.bytes == 0 && self.usage.is_none() => return SpendEnd::Nothing,
            Some(Err(_)) | None => 0,
        };
        let said = self.usage.unwrap_or(Usage { input: self.likely_input, ..Usage::default() });
        let output = said.output.max((self.bytes + calls).div_ceil(BYTES_LIKELY));
        SpendEnd::Estimated(Usage { output, ..said })
    }
}

fn given_up(error: &ModelError, tries: u32) -> String {
    let times = if tries == 1 { "once".to_owned() } else { format!("{tries} times") };
    match error.retry_after() {
        Some(asked) => format!("{error} (tried {times}; the server asks to wait {} s)", asked.as_secs()),
        None => format!("{error} (tried {times})"),
    }
}
