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
use super::model_call::{Backends, Tried};
use super::transcript::Message;
use super::wire::Request;
use crate::domain::{CompactCause, Notes, TurnPort};
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

/// Writes the notes of a plan: asks the model, and makes them without it when it fails or may not be asked. None when
/// cancelled.
pub(super) async fn write(
    writer: &Writer<'_>,
    plan: &Plan,
    messages: &[Message],
    cause: CompactCause,
    focus: Option<&str>,
) -> Option<Written> {
    let old = messages.get(plan.since..plan.from).unwrap_or_default();
    before_model(cause);
    let (notes, without_model) = match ask(writer, plan, old, focus).await {
        Asked::Notes(notes) => (*notes, None),
        Asked::Failed(reason) => (plain::notes(plan.earlier.as_ref(), old, focus), Some(reason)),
        Asked::Cancelled => return None,
    };
    let mut notes = notes;
    notes.fit(plan.notes, super::context::weight);
    notes.fit(NOTES_BYTES, |text| text.len() as u64);
    Some(Written { notes, without_model })
}

/// The one place that every compaction passes before its model is asked: what has a say in it beforehand goes here.
const fn before_model(_: CompactCause) {}

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
