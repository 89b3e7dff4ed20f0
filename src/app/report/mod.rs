//! What reading commands print: one document each, as JSON or as text.
//!
//! A running workstation and a shell beside a stopped one print the same: both hand in a state.

mod context;
mod documents;
mod memory;
mod money;
mod policy;
mod servers;
mod skills;
mod text;

use jiff::Timestamp;
use serde_json::Value;

use crate::base::{Report, visible};
use crate::command::{Invocation, Surface, help_text};
use crate::domain::LaneId;

use super::State;

pub use context::context_document;
pub use documents::{point_words, prompt_document};
pub use memory::facts_document;
pub use skills::skills_document;

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
}

/// A document as it goes to standard output: neither form carries a control character to a terminal.
#[must_use]
pub fn render(document: &Document, json: bool) -> String {
    if json { text::json_line(&document.json) } else { format!("{}\n", visible(document.text.trim_end())) }
}

/// The document of a reading command.
///
/// # Errors
/// A report when what is named does not exist, or the command does not read.
pub fn document(read: &Read<'_>, invocation: &Invocation) -> Result<Document, Report> {
    match invocation {
        Invocation::LaneList { all } => Ok(documents::lanes(read, *all)),
        Invocation::LaneShow { why, .. } => documents::lane(read, *why),
        Invocation::Rewind { number: None, .. } => documents::checkpoints(read),
        Invocation::QueueList { all, lane } => documents::queue(read, *all, lane.as_deref()),
        Invocation::Approvals { all } => Ok(documents::approvals(read, *all)),
        Invocation::Conflicts { all } => Ok(documents::conflicts(read, *all)),
        Invocation::Problems => Ok(documents::problems(read)),
        Invocation::BudgetList => Ok(money::budgets(read)),
        Invocation::ServersList => Ok(servers::list(read)),
        Invocation::ServersShow { server, .. } => servers::show(read, server),
        Invocation::Top => Ok(money::top(read)),
        Invocation::Status => Ok(documents::status(read)),
        Invocation::Config => Ok(documents::config(read)),
        Invocation::Doctor => Ok(documents::doctor(read)),
        Invocation::PolicyShow => Ok(policy::show(read)),
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
