//! The same for several lanes: one plan, one question, then lane by lane.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use serde_json::{Value, json};

use super::site::Site;
use super::{one_shot, output};
use crate::base::Report;
use crate::command::{BulkDeed, Globals, Invocation};

/// Asks for the plan, has it confirmed, and does it.
///
/// # Errors
/// When no lane fits, nobody confirms, or the workstation cannot be asked.
pub(super) fn run(
    site: &Site,
    globals: &Globals,
    invocation: &Invocation,
    deed: &BulkDeed,
    yes: bool,
    arguments: Vec<String>,
) -> Result<ExitCode, Report> {
    let json = Globals { json: true, ..globals.clone() };
    let asked = std::iter::once("--json".to_owned()).chain(arguments.into_iter().filter(|word| word != "--json"));
    let reply = one_shot::run(site, &json, invocation, asked.collect())?;
    if let Some(report) = reply.error {
        return Err(report);
    }
    let plan: Value = serde_json::from_str(&reply.output).unwrap_or_default();
    let lanes: Vec<String> = serde_json::from_value(plan["plan"]["lanes"].clone())
        .map_err(|error| Report::internal(format!("the workstation named the lanes unreadably: {error}")))?;
    let words = plan["plan"]["words"].as_str().unwrap_or_default();
    if lanes.is_empty() {
        return Err(Report::refused(words).hint("`paralane lane list` shows every lane and its state"));
    }
    if !yes && !agreed(words) {
        return Err(Report::refused(format!("nothing is done: {words}")).hint("add `--yes` to do it"));
    }
    let mut all = Vec::new();
    let mut worst = 0;
    for lane in &lanes {
        let reply = one_shot::run(site, globals, &deed.of(lane), deed.arguments(lane))?;
        worst = worst.max(reply.status);
        let error = reply.error.as_ref().map(|report| report.message.clone());
        all.push(json!({ "name": lane, "done": error.is_none(), "error": error }));
        if !globals.json {
            output::reply(&reply);
        }
    }
    if globals.json {
        let skipped = &plan["plan"]["skipped"];
        output::print(&json!({ "action": deed.verb(), "lanes": all, "skipped": skipped }).to_string())?;
    } else if plan["plan"]["skipped"].as_array().is_some_and(|skipped| !skipped.is_empty()) {
        output::note(words);
    }
    Ok(ExitCode::from(worst))
}

/// Whether the person at the terminal agrees. Without one nobody does.
fn agreed(words: &str) -> bool {
    let (input, mut error) = (std::io::stdin(), std::io::stderr());
    if !input.is_terminal() || !error.is_terminal() {
        return false;
    }
    output::note(words);
    // A question that cannot be shown is not answered.
    let asked = write!(error, "go on? [y/N] ");
    let mut answer = String::new();
    asked.is_ok()
        && error.flush().is_ok()
        && input.read_line(&mut answer).is_ok()
        && matches!(answer.trim(), "y" | "Y" | "yes")
}
