//! What needs the person's hand, for a shell.

use std::fmt::Write as _;

use serde_json::json;

use crate::app::problems;
use crate::base::visible;
use crate::command::Surface;

use super::text::age;
use super::{Document, Read};

/// The list, oldest first, with what clears each.
pub(super) fn document(read: &Read<'_>) -> Document {
    let rows = problems(read.state, read.now);
    let json = json!({ "problems": rows.iter().map(|row| json!({
        "kind": row.kind,
        "lane": row.lane.map(|lane| read.state.model.name(lane)),
        "message": row.report.message,
        "clear": row.clear.as_ref().map(|clear| format!("paralane {clear}")),
        "hints": row.report.hints,
        "since": row.since,
        "age": read.now.duration_since(row.since).as_secs().max(0),
    })).collect::<Vec<_>>() });
    let mut text = String::new();
    for row in &rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:>4}  {}", age(row.since, read.now), visible(&row.report.message));
        for way in row.ways_out(Surface::Shell) {
            let _ = writeln!(text, "      → {}", visible(&way));
        }
    }
    if text.is_empty() {
        text.push_str("no problem");
    }
    Document { title: "problems".into(), json, text }
}
