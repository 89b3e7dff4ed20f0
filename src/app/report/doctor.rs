//! What was found on this machine and around the project's state.

use serde_json::{Value, json};

use super::text::path;
use super::{Document, Read};
use crate::app::FoundCli;
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
    for found in &read.state.settings.clis {
        let words = cli_words(found);
        lines.push(format!("{} {:<9} {words}", if found.path.is_some() { "✓" } else { "·" }, found.cli.word()));
        clis.push(cli_json(found));
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

/// Where a CLI stands and what it can be, in one line.
pub(super) fn cli_words(found: &FoundCli) -> String {
    let cli = found.cli;
    let missing: Vec<&str> = cli.missing().map(Guard::word).collect();
    let Some(place) = found.path.as_ref().map(|place| path(place)) else { return "not on the PATH".to_owned() };
    let version = match found.version.as_deref() {
        Some(version) if version == cli.tried() => format!(" {version}"),
        Some(version) => format!(" {version}, {} was tried", cli.tried()),
        None => format!(" of an unknown version, {} was tried", cli.tried()),
    };
    if missing.is_empty() {
        format!("{place}{version}: can be a governed lane")
    } else {
        format!("{place}{version}: in a plain pane only, its adapter lacks {}", missing.join(", "))
    }
}

/// The same as data.
pub(super) fn cli_json(found: &FoundCli) -> Value {
    let cli = found.cli;
    json!({
        "cli": cli.word(),
        "path": found.path.as_ref().map(|place| path(place)),
        "version": found.version,
        "tried": cli.tried(),
        "missing": cli.missing().map(Guard::word).collect::<Vec<_>>(),
        "lacks": cli.lacks(),
    })
}

/// Whether something does not work.
#[must_use]
pub fn anything_bad(document: &Document) -> bool {
    document.json["checks"].as_array().is_some_and(|all| all.iter().any(|check| check["state"] == "bad"))
}
