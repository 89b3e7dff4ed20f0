//! One step's model call: tried again while that makes sense, dropped at once on cancel.

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::chat::StepAnswer;
use super::chat::request::Quirks;
use super::client::ModelClient;
use super::error::ModelError;
use crate::domain::TurnPort;

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
    /// By cancel.
    Cancelled {
        /// What was shown.
        text: String,
    },
}

/// Calls the model. `body` builds the request for what the server is known to refuse.
pub(super) async fn call(
    client: &ModelClient,
    body: &(dyn Fn(Quirks) -> Value + Send + Sync),
    port: &dyn TurnPort,
    cancel: &CancellationToken,
    seed: u64,
) -> ModelEnd {
    let policy = client.retry();
    let mut tries = 1;
    loop {
        let quirks = client.quirks();
        let mut text = String::new();
        let mut show = |piece: &str| {
            text.push_str(piece);
            port.answer_delta(piece);
            crate::base::failpoint("model-stream");
        };
        let request = body(quirks);
        let end = tokio::select! {
            biased;
            () = cancel.cancelled() => None,
            end = client.answer(&request, &mut show) => Some(end),
        };
        let error = match end {
            None => return ModelEnd::Cancelled { text },
            Some(Ok(answer)) => return ModelEnd::Answered(answer),
            Some(Err(error)) => error,
        };
        if !text.is_empty() {
            return ModelEnd::Broke { text, error: error.to_string(), passing: error.passing() };
        }
        // A refusal that taught us how to ask is asked again at once; it can teach only a few things.
        if client.quirks() != quirks {
            continue;
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

fn given_up(error: &ModelError, tries: u32) -> String {
    let times = if tries == 1 { "once".to_owned() } else { format!("{tries} times") };
    match error.retry_after() {
        Some(asked) => format!("{error} (tried {times}; the server asks to wait {} s)", asked.as_secs()),
        None => format!("{error} (tried {times})"),
    }
}
