//! Finds out what a call would do before anybody is asked, and refuses what can never run.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value};
use url::Url;

use super::arguments::{JobAsk, Tool, action};
use super::change::{Base, Change};
use super::schema::{Set, tools};
use super::seen::Seen;
use super::shell::Shell;
use super::{RESULT_CAP, check, failed, web};
use crate::agent::mcp::{self, Offer};
use crate::domain::{CallRequest, FactScope, FileKind, Files, GitAsk, ServerTool, TodoItem, ToolCall, ToolOutcome};

/// What runs once it is allowed.
#[derive(Debug)]
pub(in crate::agent) enum Job {
    /// Looks at files.
    Look(Tool),
    /// Writes files.
    Change(Change),
    /// Runs a command.
    Shell(Shell),
    /// Starts a command that runs on.
    Background(String),
    /// Looks after those.
    Jobs(JobAsk),
    /// Reads on in a result that was cut.
    More { result: String, offset: u64 },
    /// Asks the repository.
    Git(GitAsk),
    /// Gets a page.
    Fetch { url: Url, raw: bool },
    /// Replaces the list of what is to be done.
    Todo(Vec<TodoItem>),
    /// Has a fact kept.
    Remember { scope: FactScope, text: String },
    /// Hands the person's answer on.
    Ask(Option<String>),
    /// Starts a child agent.
    Spawn { task: String, change: bool },
    /// Says or asks something as the lane.
    Coordinate { tool: String, arguments: Map<String, Value> },
    /// Loads a skill.
    Skill(String),
    /// Calls a tool of a server.
    Server { tool: ServerTool, arguments: Value },
}

/// A call that can run, and what the person and the rules judge.
#[derive(Debug)]
pub(in crate::agent) struct Prepared {
    pub request: CallRequest,
    pub job: Job,
}

/// Files as they will be once the calls before have run: path to content, none for one that goes.
pub(super) type Ahead = HashMap<String, Option<Vec<u8>>>;

/// Whose calls are prepared.
pub(in crate::agent) struct Bench<'a> {
    pub files: &'a dyn Files,
    pub seen: &'a Seen,
    pub set: Set,
    /// What tool servers offer.
    pub offers: Vec<Offer>,
}

impl Bench<'_> {
    /// Prepares the calls of one step in order. Each sees what those before it will have written, so that two edits of
    /// one file can both be asked for at once.
    pub fn prepare_all(&self, calls: &[ToolCall]) -> Vec<Result<Prepared, Box<ToolOutcome>>> {
        let mut ahead = Ahead::new();
        calls.iter().map(|call| self.one(call, &mut ahead)).collect()
    }

    /// Prepares one call against the files as they are.
    pub fn prepare(&self, call: &ToolCall) -> Result<Prepared, Box<ToolOutcome>> {
        self.one(call, &mut Ahead::new())
    }

    fn one(&self, call: &ToolCall, ahead: &mut Ahead) -> Result<Prepared, Box<ToolOutcome>> {
        if let Some(offer) = self.offers.iter().find(|offer| offer.name == call.tool) {
            return self.of_server(call, offer);
        }
        let refuse = |words: String| Box::new(failed(&words, "refused"));
        let known = tools(self.set).any(|tool| tool.name == call.tool);
        let summary = if known { "wrong arguments" } else { "no such tool" };
        let tool = Tool::parse(call, self.set).map_err(|words| Box::new(failed(&words, summary)))?;
        let mut request = CallRequest {
            call: call.clone(),
            action: action(call),
            writes: Vec::new(),
            reads: Vec::new(),
            diff: None,
            directory: self.files.root().display().to_string(),
            server: None,
            schema: None,
        };
        let base = Base { files: self.files, seen: self.seen, ahead };
        let job = match tool {
            Tool::Shell { command, background: true, .. } => Job::Background(command),
            Tool::Shell { command, timeout, .. } => Job::Shell(Shell { command, timeout, keep: RESULT_CAP }),
            Tool::Write { path, content } => Job::Change(base.whole(&path, content).map_err(refuse)?),
            Tool::Edit { path, edits } => Job::Change(base.parts(&path, &edits).map_err(refuse)?),
            Tool::Patch { patch } => Job::Change(base.patch(&patch).map_err(refuse)?),
            Tool::Jobs(ask) => Job::Jobs(ask),
            Tool::More { result, offset } => Job::More { result, offset },
            Tool::Git(ask) => {
                if let GitAsk::Diff { paths, summary: false, .. } = &ask {
                    let all = vec![String::new()];
                    let paths = if paths.is_empty() { &all } else { paths };
                    request.reads = paths.iter().map(|path| format!("{path}/")).collect();
                }
                Job::Git(ask)
            }
            Tool::Fetch { url, raw } => {
                let url = web::address(&url).map_err(refuse)?;
                request.action = url.to_string();
                Job::Fetch { url, raw }
            }
            Tool::Todo { items } => Job::Todo(items),
            Tool::Remember { scope, text } => Job::Remember { scope, text },
            Tool::Ask { answer, .. } => Job::Ask(answer),
            Tool::Spawn { task, change } => Job::Spawn { task, change },
            Tool::Skill { name } => Job::Skill(name),
            Tool::Coordinate(arguments) => Job::Coordinate { tool: call.tool.clone(), arguments },
            Tool::Read(ref ask) => {
                request.action = self.files.resolve(&ask.path).map_err(|error| refuse(error.to_string()))?;
                request.reads = vec![request.action.clone()];
                Job::Look(tool)
            }
            Tool::List { ref path } | Tool::Glob { ref path, .. } => {
                request.reads = vec![self.files.resolve(path).map_err(|error| refuse(error.to_string()))?];
                Job::Look(tool)
            }
            Tool::Grep(ref ask) => {
                let real = self.files.resolve(&ask.path).map_err(|error| refuse(error.to_string()))?;
                let file = self.files.kind(&ask.path).is_ok_and(|kind| kind == FileKind::File);
                request.reads = vec![if file { real } else { format!("{real}/") }];
                Job::Look(tool)
            }
        };
        if let Job::Change(change) = &job {
            request.writes = change.paths();
            request.action = request.writes.join(", ");
            request.diff = Some(change.diff.clone());
            ahead.extend(change.files.iter().map(|file| (file.path.clone(), file.content.clone())));
        }
        Ok(Prepared { request, job })
    }

    /// A call of a server's tool: what it does is not known here, so the person judges tool and arguments.
    fn of_server(&self, call: &ToolCall, offer: &Offer) -> Result<Prepared, Box<ToolOutcome>> {
        let wrong = |words: String| Box::new(failed(&words, "wrong arguments"));
        let mut arguments = match &call.arguments {
            Value::String(raw) if raw.trim().is_empty() => Value::Object(serde_json::Map::new()),
            Value::String(raw) => return Err(wrong(check::broken(&offer.name, raw))),
            other => other.clone(),
        };
        mcp::check(&offer.name, &offer.schema, &mut arguments).map_err(wrong)?;
        let tool = offer.tool.clone();
        let request = CallRequest {
            call: call.clone(),
            action: format!("{}:{} {arguments}", tool.server, tool.tool),
            writes: Vec::new(),
            reads: Vec::new(),
            diff: None,
            directory: self.files.root().display().to_string(),
            server: Some(tool.clone()),
            schema: Some(Arc::new(offer.schema.clone())),
        };
        Ok(Prepared { request, job: Job::Server { tool, arguments } })
    }
}
