//! `[[hook]]`: programs that run at certain moments of an own agent's work. Those of all layers run, the machine's
//! first: a lower layer adds hooks and takes none away.

use std::path::Path;

use super::document::Document;
use super::model::Origin;
use super::raw::{OneOrMany, RawHook};
use super::values::{Fault, one_of};
use crate::base::{clip, visible};
use crate::domain::HookEvent;

/// Seconds that a hook gets without word from the file.
const TIMEOUT: u64 = 30;
/// The most seconds that it may be given.
const MOST_TIMEOUT: i64 = 600;
/// The most hooks of one file: far more than anybody keeps track of.
const MOST: usize = 64;

/// Cells of a command where people are told of its hook.
const LABEL_CELLS: usize = 60;

/// One hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// When it runs.
    pub event: HookEvent,
    /// The tools whose calls it is about, `*` for any part of a name; empty for all.
    pub tools: Vec<String>,
    /// The program and its arguments; never empty.
    pub command: Vec<String>,
    /// Seconds after which it is ended.
    pub timeout: u64,
    /// The only lane that it is for, by name.
    pub lane: Option<String>,
    /// Whether it runs in the sandbox.
    pub sandbox: bool,
    /// Where it stands.
    pub origin: Origin,
}

impl Hook {
    /// Whether the repository brings it.
    #[must_use]
    pub const fn of_project(&self) -> bool {
        self.origin.is_project()
    }

    /// The hook as people are told of it: its command, and where it stands.
    #[must_use]
    pub fn label(&self) -> String {
        let place = match &self.origin {
            Origin::BuiltIn | Origin::Lane { .. } => self.origin.to_string(),
            Origin::File { layer, file, line } => {
                let name = Path::new(file).file_name().map_or(file.as_str().into(), |name| name.to_string_lossy());
                format!("{} {name}:{line}", layer.word())
            }
        };
        format!("hook `{}` ({place})", clip(&visible(&self.command.join(" ")), LABEL_CELLS))
    }
}

/// The hooks of one file, each with what is wrong with it.
pub(super) fn of(document: &Document) -> Vec<Result<Hook, (String, Fault)>> {
    let mut hooks: Vec<_> = document
        .raw
        .hook
        .iter()
        .enumerate()
        .map(|(number, raw)| {
            let table = format!("hook[{number}]");
            hook(raw, document.origin(&table)).map_err(|(leaf, fault)| {
                let key = format!("{table}.{leaf}");
                (if document.has(&key) { key } else { table }, fault)
            })
        })
        .collect();
    if hooks.len() > MOST {
        let fault = (format!("{} hooks are more than the {MOST} that one file may have", hooks.len()), String::new());
        hooks.push(Err((format!("hook[{MOST}]"), fault)));
    }
    hooks
}

/// One hook, or the key that is wrong and how.
fn hook(raw: &RawHook, origin: Origin) -> Result<Hook, (&'static str, Fault)> {
    let words = HookEvent::ALL.map(HookEvent::word);
    let lacks = |what: &str, example: &str| (format!("lacks `{what}`"), format!("add `{example}`"));
    let Some(event) = &raw.event else { return Err(("event", lacks("event", "event = \"before-tool\""))) };
    let event = HookEvent::of(event).ok_or_else(|| ("event", one_of("event of a hook", event, &words)))?;
    let Some(command) = &raw.command else {
        return Err(("command", lacks("command", "command = [\"./check.sh\"]")));
    };
    if command.first().is_none_or(|program| program.trim().is_empty()) {
        return Err(("command", ("names no program".to_owned(), "write it like `[\"./check.sh\"]`".to_owned())));
    }
    if command.iter().any(|word| word.contains('\0')) {
        return Err(("command", ("has a NUL character in it".to_owned(), "leave it out".to_owned())));
    }
    let tools = match &raw.tools {
        None => Vec::new(),
        Some(OneOrMany::One(tool)) => vec![tool.clone()],
        Some(OneOrMany::Many(tools)) => tools.clone(),
    };
    if raw.tools.is_some() && !event.of_tool() {
        let message = format!("is for tools, and `{}` is about none", event.word());
        return Err(("match", (message, "leave it out, or use `before-tool` or `after-tool`".to_owned())));
    }
    let plain =
        |tool: &String| !tool.is_empty() && tool.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-*".contains(&b));
    if raw.tools.is_some() && (tools.is_empty() || !tools.iter().all(plain)) {
        let hint = "write tools' names, `*` for any part: `[\"shell\", \"git_*\"]`; leave it out for all";
        return Err(("match", ("names no tools".to_owned(), hint.to_owned())));
    }
    let timeout = match raw.timeout {
        None => TIMEOUT,
        Some(seconds @ 1..=MOST_TIMEOUT) => seconds.unsigned_abs(),
        Some(seconds) => {
            let message = format!("is {seconds}, and must be from 1 to {MOST_TIMEOUT} seconds");
            return Err(("timeout", (message, format!("leave it out for {TIMEOUT}"))));
        }
    };
    let sandbox = raw.sandbox.unwrap_or_else(|| origin.is_project());
    Ok(Hook { event, tools, command: command.clone(), timeout, lane: raw.lane.clone(), sandbox, origin })
}
