//! The tools of our own agents: what they are called, what they would do, doing it.
//!
//! A call goes four steps: its tool is looked up (`schema`: one definition gives name, words and schema), its arguments
//! are checked against the schema (`check`) and read (`arguments`), what it would do is found out for the person and
//! the rules to judge (`prepare`), and it runs (`run`): `read`, `search`, `change` (with `edit` and `patch`), `shell`,
//! `jobs`, `web`, `remember`, or a tool server (the room `mcp` beside this one). What the tools of a lane keep between calls stands in `lane`.

mod arguments;
mod change;
mod check;
mod edit;
mod jobs;
mod lane;
mod patch;
mod prepare;
mod processes;
mod read;
mod remember;
mod results;
mod run;
mod schema;
mod search;
mod seen;
mod shell;
mod web;

#[cfg(test)]
mod tests;

pub(super) use arguments::action;
pub use arguments::fits;
pub use lane::{LaneTools, Voice};
pub(super) use prepare::{Bench, Job, Prepared};
pub use processes::CALL_MARK;
pub(super) use processes::{Family, Reach};
pub(super) use read::{IMAGE_CAP, image_type};
pub(super) use remember::remember;
pub(super) use run::{Means, broke_down, commit_paths, preview, run};
pub(super) use schema::{Set, Told, definitions, definitions_with};
pub(super) use seen::Seen;
pub(super) use shell::{Shell, Surroundings, own_session, passes, run as run_shell, walls};

use crate::domain::{ToolCall, ToolOutcome};

/// What the model is told of one result at most; more is cut, and kept to be read on.
pub(super) const OUTPUT_CAP: usize = 32 * 1024;
/// What is kept of one result.
pub(super) const RESULT_CAP: usize = 1024 * 1024;

/// Whether calls of this kind take effect one by one in the model's order. Others run together.
pub(super) fn has_effects(call: &ToolCall) -> bool {
    match call.tool.as_str() {
        "read" | "list" | "glob" | "grep" | "read_more" | "git_status" | "git_diff" | "git_log" | "fetch" | "skill"
        | "lanes" => false,
        "spawn" => call.arguments.get("change").is_some_and(|change| change == true || change == "true"),
        _ => true,
    }
}

/// Whether a call's start is kept before it runs, so that it is never run a second time after a crash. To remember the
/// same fact again changes nothing, so what was allowed is kept after all.
pub(super) fn starts(call: &ToolCall) -> bool {
    call.tool != "remember" && (has_effects(call) || call.tool == "spawn")
}

/// A result that is not what was asked for.
pub(super) fn failed(words: &str, summary: &str) -> ToolOutcome {
    ToolOutcome { output: words.to_owned(), summary: summary.to_owned(), ..ToolOutcome::default() }
}

/// A result with nothing written.
fn looked(output: String, summary: String) -> ToolOutcome {
    ToolOutcome { ok: true, output, summary, ..ToolOutcome::default() }
}

/// `1 line`, `2 lines`.
pub(super) fn counted(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
