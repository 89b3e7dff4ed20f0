//! Finds out what a call would do before anybody is asked, and refuses what can never run.

use std::collections::HashMap;

use super::arguments::{Tool, action};
use super::change::Change;
use super::failed;
use super::shell::Shell;
use crate::domain::{CallRequest, Files, ToolCall, ToolOutcome};

/// What runs once it is allowed.
#[derive(Debug)]
pub(in crate::agent) enum Job {
    /// Looks at files.
    Look(Tool),
    /// Writes a file.
    Change(Change),
    /// Runs a command.
    Shell(Shell),
}

/// A call that can run, and what the person and the rules judge.
#[derive(Debug)]
pub(in crate::agent) struct Prepared {
    pub request: CallRequest,
    pub job: Job,
}

/// Files as they will be once the calls before have run: path to content.
pub(super) type Ahead = HashMap<String, Vec<u8>>;

/// Prepares the calls of one step in order. Each sees what those before it will have written, so
/// that two edits of one file can both be asked for at once.
pub(in crate::agent) fn prepare_all(calls: &[ToolCall], files: &dyn Files) -> Vec<Result<Prepared, ToolOutcome>> {
    let mut ahead = Ahead::new();
    calls.iter().map(|call| prepare_one(call, files, &mut ahead)).collect()
}

/// Prepares one call against the files as they are.
pub(in crate::agent) fn prepare(call: &ToolCall, files: &dyn Files) -> Result<Prepared, ToolOutcome> {
    prepare_one(call, files, &mut Ahead::new())
}

fn prepare_one(call: &ToolCall, files: &dyn Files, ahead: &mut Ahead) -> Result<Prepared, ToolOutcome> {
    let refuse = |words: String| failed(&words, "refused");
    let tool = Tool::parse(call).map_err(|words| failed(&words, "wrong arguments"))?;
    let mut request = CallRequest {
        call: call.clone(),
        action: action(call),
        writes: Vec::new(),
        diff: None,
        directory: files.root().display().to_string(),
    };
    let job = match tool {
        Tool::Shell { command, timeout } => Job::Shell(Shell { command, timeout }),
        Tool::Write { path, .. } | Tool::Edit { path, .. } if files.check_writable(&path).is_err() => {
            let error = files.check_writable(&path).err().map(|error| error.to_string());
            return Err(refuse(error.unwrap_or_else(|| format!("`{path}` is not writable; try again"))));
        }
        Tool::Write { path, content } => Job::Change(Change::whole(&path, content, files, ahead).map_err(refuse)?),
        Tool::Edit { path, old, new, all } => {
            Job::Change(Change::part(&path, &old, &new, all, files, ahead).map_err(refuse)?)
        }
        look => {
            let (Tool::Read { path, .. } | Tool::List { path } | Tool::Glob { path, .. } | Tool::Grep { path, .. }) =
                &look
            else {
                return Err(refuse("this tool does not look at files".to_owned()));
            };
            let real = files.resolve(path).map_err(|error| refuse(error.to_string()))?;
            if matches!(look, Tool::Read { .. }) {
                request.action = real;
            }
            Job::Look(look)
        }
    };
    if let Job::Change(change) = &job {
        request.action.clone_from(&change.path);
        request.writes.push(change.path.clone());
        request.diff = Some(change.diff.clone());
        ahead.insert(change.path.clone(), change.content.clone());
    }
    Ok(Prepared { request, job })
}
