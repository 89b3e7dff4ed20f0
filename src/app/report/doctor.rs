//! What was found on this machine and around the project's state.

use serde_json::json;

use super::text::path;
use super::{Document, Read};
use crate::domain::Guard;

/// How a finding stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    Warning,
    Bad,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    what: &'static str,
    verdict: Verdict,
    words: String,
    hint: Option<String>,
}

impl Finding {
    /// It is as it should be.
    #[must_use]
    pub fn good(what: &'static str, words: impl Into<String>) -> Self {
        Self { what, verdict: Verdict::Good, words: words.into(), hint: None }
    }

    /// It works, and may surprise.
    #[must_use]
    pub fn warning(what: &'static str, words: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what, verdict: Verdict::Warning, words: words.into(), hint: Some(hint.into()) }
    }

    /// It does not work.
    #[must_use]
    pub fn bad(what: &'static str, words: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what, verdict: Verdict::Bad, words: words.into(), hint: Some(hint.into()) }
    }
}

/// What was found, and what keeps agents' commands in their lanes.
#[must_use]
pub fn doctor_document(read: &Read<'_>, found: &[Finding]) -> Document {
    let walls = &read.state.settings.walls;
    let mut lines = Vec::new();
    for finding in found {
        let mark = match finding.verdict {
            Verdict::Good => "✓",
            Verdict::Warning => "!",
            Verdict::Bad => "✗",
        };
        lines.push(format!("{mark} {:<9} {}", finding.what, finding.words));
        lines.extend(finding.hint.iter().map(|hint| format!("            → {hint}")));
    }
    let mark = if walls.on && !walls.lacks.is_empty() { "!" } else { "✓" };
    lines.push(format!("{mark} sandbox   of own agents' commands: {}", walls.words()));
    lines.extend(walls.lines.iter().map(|line| format!("            {line}")));
    lines.extend(walls.lacks.iter().map(|lack| format!("            missing: {lack}")));
    if walls.required {
        lines.push("            demanded by the configuration: nothing is run where a wall is missing".to_owned());
    }
    let mut clis = Vec::new();
    for (cli, place) in &read.state.settings.clis {
        let place = place.as_ref().map(|place| path(place));
        let missing: Vec<&str> = cli.missing().map(Guard::word).collect();
        let words = match (&place, missing.is_empty()) {
            (None, _) => "not on the PATH".to_owned(),
            (Some(place), true) => format!("{place}: can be a governed lane"),
            (Some(place), false) => format!("{place}: in a plain pane only, its adapter lacks {}", missing.join(", ")),
        };
        lines.push(format!("{} {:<9} {words}", if place.is_some() { "✓" } else { "·" }, cli.word()));
        clis.push(json!({ "cli": cli.word(), "path": place, "missing": missing }));
    }
    let json = json!({
        "clis": clis,
        "checks": found.iter().map(|finding| json!({
            "check": finding.what,
            "state": match finding.verdict {
                Verdict::Good => "ok",
                Verdict::Warning => "warning",
                Verdict::Bad => "bad",
            },
            "message": finding.words,
            "hint": finding.hint,
        })).collect::<Vec<_>>(),
        "sandbox": {
            "on": walls.on,
            "network": walls.network,
            "required": walls.required,
            "facts": walls.lines,
            "missing": walls.lacks,
        },
    });
    Document { title: "doctor".into(), json, text: lines.join("\n") }
}

/// Whether something does not work.
#[must_use]
pub fn anything_bad(document: &Document) -> bool {
    document.json["checks"].as_array().is_some_and(|all| all.iter().any(|check| check["state"] == "bad"))
}
