//! The tools of our own agents: what they are called, what they would do, doing it.
//!
//! A call goes three steps: its arguments are read (`arguments`), what it would do is found out
//! for the person and the rules to judge (`prepare`), and it runs (`look`, `change`, `shell`).

mod arguments;
mod change;
mod look;
mod prepare;
mod processes;
mod schema;
mod shell;

#[cfg(test)]
mod tests;

pub(super) use arguments::action;
pub(super) use prepare::{Job, Prepared, prepare, prepare_all};
pub use processes::CALL_MARK;
pub(super) use schema::definitions;
pub(super) use shell::{Shell, Surroundings, run as run_shell};

use crate::domain::{Files, ToolOutcome};
use tokio_util::sync::CancellationToken;

/// What the model is told of one result at most; more is cut with a word on how to read on.
const OUTPUT_CAP: usize = 64 * 1024;

/// Whether a tool of this name may change anything.
pub(super) fn has_effects(tool: &str) -> bool {
    !matches!(tool, "read" | "list" | "glob" | "grep")
}

/// A result that is not what was asked for.
pub(super) fn failed(words: &str, summary: &str) -> ToolOutcome {
    ToolOutcome { ok: false, output: words.to_owned(), summary: summary.to_owned(), diff: None, written: Vec::new() }
}

/// A result with nothing written.
fn looked(output: String, summary: String) -> ToolOutcome {
    ToolOutcome { ok: true, output, summary, diff: None, written: Vec::new() }
}

/// Runs a job on files. Blocks.
pub(super) fn run_on_files(job: &Job, files: &dyn Files, stop: &CancellationToken) -> ToolOutcome {
    match job {
        Job::Look(tool) => look::run(tool, files, stop),
        Job::Change(change) => change.run(files),
        Job::Shell(_) => failed("a shell command does not run here", "fault"),
    }
}
