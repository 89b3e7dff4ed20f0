//! Compaction: notes that stand for the older part of a conversation, so that it fits and goes on.
//!
//! What is to be noted and what stays is [`context`](super::context)'s decision ([`Plan`]). `material` is what the model
//! reads, `answer` its notes back, `plain` notes made without one, `rest` the compaction of a lane that rests. A turn
//! compacts by itself before a request that would be over the limit. Nothing is kept here: whoever asked keeps the
//! [`Compaction`] first and goes by it then.

mod answer;
mod material;
mod plain;
mod rest;

use tokio_util::sync::CancellationToken;

use super::context::Plan;
use super::error::ModelError;
use super::hooks::{HookWords, Hooks};
use super::model_call::{Backends, Tried};
use super::transcript::Message;
use super::wire::Request;
use crate::domain::{CompactCause, HookEvent, Notes, NoticeLevel, TurnPort};
use material::Material;

pub use rest::{CompactInput, NotCompacted, compact};

/// Tries with the model. Then notes are made without it.
const TRIES: u32 = 3;
/// Bytes of notes at most, however large the window is.
const NOTES_BYTES: u64 = 24 * 1024;

/// Who writes notes, and for whom.
pub(super) struct Writer<'a> {
    /// Who is asked.
    pub backends: &'a Backends,
    /// Where it is counted and told.
    pub port: &'a dyn TurnPort,
    /// Who has a say beforehand.
    pub hooks: &'a Hooks,
    /// Ends it.
    pub cancel: &'a CancellationToken,
    /// Spreads retries of several lanes.
    pub seed: u64,
}

/// Notes, and why they were made without a model, if they were.
pub(super) struct Written {
    pub notes: Notes,
    pub without_model: Option<String>,
}

/// Why there are no notes.
pub(super) enum Unwritten {
    Cancelled,
    /// A hook has blocked them, in its words.
    Blocked(String),
}

/// Lines for the transcript.
pub(super) type Said = Vec<(NoticeLevel, String)>;

/// Writes the notes of a plan: asks hooks, then the model, and makes them without it when it fails or may not be asked.
/// What hooks have to say is added to `said`.
pub(super) async fn write(
    writer: &Writer<'_>,
    plan: &Plan,
    messages: &[Message],
    cause: CompactCause,
    focus: Option<&str>,
    said: &mut Said,
) -> Result<Written, Unwritten> {
    let old = messages.get(plan.since..plan.from).unwrap_or_default();
    let reply = writer.hooks.before_compaction(trigger(cause), plan.before, writer.cancel).await;
    if reply.cancelled {
        return Err(Unwritten::Cancelled);
    }
    said.extend(reply.notices(HookEvent::BeforeCompaction));
    if let Some(HookWords { by, text }) = reply.block {
        return Err(Unwritten::Blocked(format!("{by} blocks it: {text}")));
    }
    let wanted: Vec<&str> = focus.into_iter().chain(reply.inject.iter().map(|words| words.text.as_str())).collect();
    let wanted = wanted.join("\n");
    let focus = Some(wanted.as_str()).filter(|wanted| !wanted.is_empty());
    let (notes, without_model) = match ask(writer, plan, old, focus).await {
        Asked::Notes(notes) => (*notes, None),
        Asked::Failed(reason) => (plain::notes(plan.earlier.as_ref(), old, focus), Some(reason)),
        Asked::Cancelled => return Err(Unwritten::Cancelled),
    };
    let mut notes = notes;
    notes.fit(plan.notes, super::context::weight);
    notes.fit(NOTES_BYTES, |text| text.len() as u64);
    Ok(Written { notes, without_model })
}

/// What hooks are told of the cause.
const fn trigger(cause: CompactCause) -> &'static str {
    match cause {
        CompactCause::Full | CompactCause::Refused => "auto",
        CompactCause::Asked => "manual",
        CompactCause::Idle => "idle",
    }
}

enum Asked {
    Notes(Box<Notes>),
    Failed(String),
    Cancelled,
}

async fn ask(writer: &Writer<'_>, plan: &Plan, old: &[Message], focus: Option<&str>) -> Asked {
    let mut material = Material::new(plan, old, focus);
    let mut reason = String::new();
    for number in 1..=TRIES {
        let again = if number == 1 { String::new() } else { format!(" (try {number} of {TRIES})") };
        writer.port.phase(&format!("compacting the conversation{again}"));
        let messages = [Message::User { text: material.text(), images: Vec::new() }];
        let request = Request {
            model: "",
            system: material::SYSTEM,
            messages: &messages,
            tools: &[],
            max_output: None,
            effort: None,
        };
        let (tried, wait) = writer.backends.once(&request, writer.port, writer.cancel, writer.seed, number).await;
        match tried {
            Tried::Cancelled => return Asked::Cancelled,
            // Another call would be refused as well.
            Tried::Refused(words) => return Asked::Failed(words),
            Tried::Answered(answer) => match answer::read(&answer.text) {
                Ok(notes) => return Asked::Notes(Box::new(notes)),
                Err(words) => {
                    words.clone_into(&mut reason);
                    material.repeat();
                }
            },
            Tried::Fault(error) => {
                reason = error.to_string();
                match (&error, wait) {
                    (ModelError::TooLong { .. }, _) => material.halve(),
                    (_, Some(wait)) if number < TRIES => tokio::select! {
                        biased;
                        () = writer.cancel.cancelled() => return Asked::Cancelled,
                        () = tokio::time::sleep(wait) => {}
                    },
                    (error, None) if !error.passing() => return Asked::Failed(reason),
                    _ => {}
                }
            }
        }
    }
    Asked::Failed(format!("{reason} (tried {TRIES} times)"))
}
