//! History as a document, and one event as a line for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::Model;
use crate::domain::{Event, History, HistoryOf, HistoryQuery, redacted};

use super::Document;
use super::event_words::event_words;
use super::text::table;

/// The document of a piece of history.
#[must_use]
pub fn history_document(model: &Model, query: &HistoryQuery, history: &History) -> Document {
    let of = match query.of {
        HistoryOf::Lane(lane) => format!("lane {}", model.name(lane)),
        HistoryOf::Prompt(prompt) => format!("prompt {prompt}"),
        HistoryOf::Issue(issue) => format!("issue {issue}"),
        HistoryOf::Claim(claim) => format!("claim {claim}"),
    };
    let rows: Vec<Vec<String>> = history
        .events
        .iter()
        .map(|event| vec![format!("{:.0}", event.at), redacted(&event_words(model, event)).into_owned()])
        .collect();
    let mut text = if rows.is_empty() { format!("nothing is known of {of} that fits\n") } else { table(&rows) };
    if history.more {
        text.push_str("older ones are left out: `--limit N` shows more, `--since` and `--kind` choose\n");
    }
    if let Some(first) = history.dropped_before {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "events from before {first:.0} have been dropped (`events.keep`, `events.days`)");
    }
    let json = json!({
        "of": of,
        "events": history.events.iter().map(|event| event_json(model, event)).collect::<Vec<_>>(),
        "more": history.more,
        "dropped_before": history.dropped_before,
    });
    Document { title: format!("history of {of}"), json, text }
}

/// One event for programs. What looks like a key or a password is not in it.
#[must_use]
pub fn event_json(model: &Model, event: &Event) -> Value {
    let mut change: Value = serde_json::from_str(&event.body).unwrap_or_default();
    redact(&mut change);
    json!({
        "seq": event.seq,
        "at": event.at,
        "lane": event.lane.map(|lane| model.name(lane)),
        "kind": change["change"],
        "words": redacted(&event_words(model, event)),
        "change": change,
    })
}

/// Takes secrets out of every text in a document.
fn redact(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let std::borrow::Cow::Owned(clean) = redacted(text) {
                *text = clean;
            }
        }
        Value::Array(all) => all.iter_mut().for_each(redact),
        Value::Object(all) => all.values_mut().for_each(redact),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_leaves_with_an_event() {
        let body = json!({"change": "prompt-edited", "prompt": 3, "text": "use sk-abcdefghijklmnop1234 and go"});
        let at = "2030-01-01T00:00:00Z".parse().unwrap();
        let event = Event { seq: 1, at, lane: None, body: body.to_string() };
        let line = event_json(&Model::default(), &event).to_string();
        assert!(!line.contains("sk-abc") && line.contains("[secret]") && line.contains("and go"), "{line}");
    }
}
