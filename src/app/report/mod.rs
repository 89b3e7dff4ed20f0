//! What reading commands print: one document each, as JSON or as text.
//!
//! A running workstation and a shell beside a stopped one print the same: both hand in a state.

mod approval_history;
mod context;
mod doctor;
mod documents;
mod event_words;
mod history;
mod mail;
mod memory;
mod metrics;
mod money;
mod policy;
mod problems;
mod providers;
mod servers;
mod skills;
mod text;
mod top;
mod work;
mod work_words;

use jiff::Timestamp;
use serde_json::Value;

use crate::base::{Report, visible};
use crate::command::{Invocation, Surface, help_text};
use crate::domain::LaneId;

use super::State;

pub use approval_history::approval_history_document;
pub use context::context_document;
pub use doctor::{Finding, anything_bad, doctor_document};
pub use documents::{point_words, prompt_document};
pub use event_words::event_words;
pub use history::{event_json, history_document};
pub use mail::{attachment_document, mail_document, mail_piece, pending_mail};
pub use memory::facts_document;
pub use skills::skills_document;
pub use text::json_line;
pub(in crate::app) use work::offer_words;
pub use work::{deadline_words, plan_diff, work_document};

/// One document: the same facts as JSON and as text.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// What it is about, for a window's heading.
    pub title: String,
    /// For programs (design §4, scripting).
    pub json: Value,
    /// For people.
    pub text: String,
}

/// What a document is made of.
#[derive(Debug, Clone, Copy)]
pub struct Read<'a> {
    /// The state.
    pub state: &'a State,
    /// Now, for ages.
    pub now: Timestamp,
    /// The lane that is meant, where the command names or implies one.
    pub focused: Option<LaneId>,
    /// Where it is read: commands in it stand there as they are typed there.
    pub surface: Surface,
}

/// A document as it goes to standard output: neither form carries a control character to a terminal.
#[must_use]
pub fn render(document: &Document, json: bool) -> String {
    if json { text::json_line(&document.json) } else { format!("{}\n", visible(document.text.trim_end())) }
}

/// The exit status of a reading command that worked: 1 where it was asked for a condition and found it.
#[must_use]
pub fn status(invocation: &Invocation, document: &Document) -> u8 {
    let found = match invocation {
        Invocation::Problems => document.json["problems"].as_array().is_some_and(|all| !all.is_empty()),
        Invocation::Bulk { .. } => document.json["plan"]["lanes"].as_array().is_some_and(Vec::is_empty),
        _ => false,
    };
    u8::from(found)
}

/// The document of a reading command.
///
/// # Errors
/// A report when what is named does not exist, or the command does not read.
pub fn document(read: &Read<'_>, invocation: &Invocation) -> Result<Document, Report> {
    match invocation {
        Invocation::LaneList { all } => Ok(documents::lanes(read, *all)),
        Invocation::ProviderList => Ok(providers::document(read)),
        Invocation::LaneShow { why, .. } => documents::lane(read, *why),
        Invocation::Rewind { number: None, .. } => documents::checkpoints(read),
        Invocation::QueueList { all, lane } => documents::queue(read, *all, lane.as_deref()),
        Invocation::Approvals { all } => Ok(documents::approvals(read, *all)),
        Invocation::Conflicts { all } => Ok(documents::conflicts(read, *all)),
        Invocation::Problems => Ok(problems::document(read)),
        Invocation::BudgetList => Ok(money::budgets(read)),
        Invocation::ServersList => Ok(servers::list(read)),
        Invocation::ServersShow { server, .. } => servers::show(read, server),
        Invocation::Top { view, .. } => top::document(read, view),
        Invocation::Metrics { .. } => Ok(metrics::document(read)),
        Invocation::Status => Ok(documents::status(read)),
        Invocation::Config => Ok(documents::config(read)),
        Invocation::PolicyShow { lane } => policy::show(read, lane.as_deref()),
        Invocation::PolicyExplain { tool, action, lane } => policy::explain(read, tool, action, lane.as_deref()),
        Invocation::Mode { lane, .. } => documents::mode(read, lane.as_deref()),
        Invocation::Model { lane, .. } => documents::model(read, lane.as_deref()),
        Invocation::Theme { .. } => Ok(documents::theme(read)),
        Invocation::Help { topic } => {
            let words: Vec<&str> = topic.iter().map(String::as_str).collect();
            let text = help_text(&words, Surface::Window)?;
            Ok(Document { title: "help".into(), json: serde_json::json!({ "help": text }), text })
        }
        _ => Err(Report::internal("the command prints no document")),
    }
}
