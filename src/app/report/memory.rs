//! What is remembered, with who had it kept.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::app::FactQuery;
use crate::base::one_line;
use crate::domain::{Author, Fact, FactScope, Recall};

use super::Document;
use super::text::{age, line};

/// Cells of a lane's or project's name.
const CELLS: usize = 40;

/// The document of these facts, in their order.
#[must_use]
pub fn facts_document(query: &FactQuery, recall: &Recall, now: Timestamp) -> Document {
    let json = json!({
        "facts": recall.facts.iter().map(fact_json).collect::<Vec<_>>(),
        "faults": recall.faults,
    });
    let mut text = String::new();
    for fact in &recall.facts {
        let edited = fact.edited.map(|at| format!(", changed {} ago", age(at, now))).unwrap_or_default();
        let scope = match fact.id.scope {
            FactScope::Project => "this project",
            FactScope::User => "all your projects",
        };
        let head = format!("{}  {scope} · {}, {} ago{edited}\n", fact.id, by(&fact.author), age(fact.created, now));
        text.push_str(&head);
        for line in fact.text.lines() {
            text.push_str("    ");
            text.push_str(line);
            text.push('\n');
        }
    }
    if recall.facts.is_empty() {
        text.push_str(match query {
            FactQuery::All(_) => "nothing is remembered; `remember TEXT` keeps a fact",
            FactQuery::Fitting(_) => "no fact fits these words",
        });
        text.push('\n');
    }
    for fault in &recall.faults {
        text.push_str("! ");
        text.push_str(&one_line(fault));
        text.push('\n');
    }
    let title = match query {
        FactQuery::All(None) => "memory".to_owned(),
        FactQuery::All(Some(scope)) => format!("memory of the {}", scope.word()),
        FactQuery::Fitting(words) => format!("memory: {}", line(words, CELLS)),
    };
    Document { title, json, text }
}

fn by(author: &Author) -> String {
    match author {
        Author::Person => "by you".to_owned(),
        Author::Agent { project, lane, prompt } => {
            format!("by the agent of {} in {}, {prompt}", line(lane, CELLS), line(project, CELLS))
        }
    }
}

fn fact_json(fact: &Fact) -> Value {
    let (by, project, lane, prompt) = match &fact.author {
        Author::Person => ("person", None, None, None),
        Author::Agent { project, lane, prompt } => ("agent", Some(project), Some(lane), Some(prompt.to_string())),
    };
    json!({
        "id": fact.id.to_string(),
        "scope": fact.id.scope.word(),
        "text": fact.text,
        "by": by,
        "project": project,
        "lane": lane,
        "prompt": prompt,
        "created": fact.created.to_string(),
        "edited": fact.edited.map(|at| at.to_string()),
    })
}
