//! A call's arguments as typed values, or words for the model about what is wrong with them.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::check;
use super::schema::{Set, find, tools};
use crate::agent::mcp;
use crate::base::{clip, nearest, one_line, visible};
use crate::domain::{CallId, FactScope, GitAsk, LANE_TOOLS, TodoItem, ToolCall, fact_text};

/// Seconds that a command gets without word from the model.
const DEFAULT_TIMEOUT: u64 = 120;
/// Commits that a log shows without word from the model.
const DEFAULT_COMMITS: u32 = 20;

/// A call with valid arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::agent) enum Tool {
    Read(Read),
    List {
        path: String,
    },
    Glob {
        pattern: String,
        path: String,
    },
    Grep(Grep),
    Write {
        path: String,
        content: String,
    },
    Edit {
        path: String,
        edits: Vec<Edit>,
    },
    Patch {
        patch: String,
    },
    Shell {
        command: String,
        timeout: u64,
        background: bool,
    },
    Jobs(JobAsk),
    More {
        result: String,
        offset: u64,
    },
    Git(GitAsk),
    Fetch {
        url: String,
        raw: bool,
    },
    Todo {
        items: Vec<TodoItem>,
    },
    Remember {
        scope: FactScope,
        text: String,
    },
    Ask {
        question: String,
        answer: Option<String>,
    },
    Spawn {
        task: String,
        change: bool,
    },
    Skill {
        name: String,
    },
    /// A tool for coordination; the command behind it reads the rest.
    Coordinate(Map<String, Value>),
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(in crate::agent) struct Read {
    pub path: String,
    pub offset: Option<u64>,
    pub limit: Option<u64>,
}

/// What a search gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::agent) enum Only {
    #[default]
    Lines,
    Files,
    Count,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(in crate::agent) struct Grep {
    pub pattern: String,
    #[serde(default)]
    pub path: String,
    pub glob: Option<String>,
    #[serde(default)]
    pub ignore_case: bool,
    #[serde(default)]
    pub context: usize,
    #[serde(default)]
    pub only: Only,
}

/// One exact change of a file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(in crate::agent) struct Edit {
    pub old: String,
    pub new: String,
    #[serde(default)]
    pub all: bool,
}

/// What is asked of the background jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::agent) enum JobAsk {
    List,
    Read { job: String, wait: u64 },
    Kill { job: String },
}

#[derive(Deserialize)]
struct Under {
    #[serde(default)]
    pattern: String,
    #[serde(default)]
    path: String,
}

#[derive(Deserialize)]
struct Write {
    path: String,
    content: String,
}

#[derive(Deserialize)]
struct Edits {
    path: String,
    old: Option<String>,
    new: Option<String>,
    all: Option<bool>,
    #[serde(rename = "edits")]
    several: Option<Vec<Edit>>,
}

#[derive(Deserialize)]
struct Patch {
    patch: String,
}

#[derive(Deserialize)]
struct Shell {
    command: String,
    timeout: Option<u64>,
    #[serde(default)]
    background: bool,
}

#[derive(Deserialize)]
struct Jobs {
    #[serde(rename = "do")]
    what: Option<String>,
    job: Option<String>,
    #[serde(default)]
    wait: u64,
}

#[derive(Deserialize)]
struct More {
    result: String,
    #[serde(default)]
    offset: u64,
}

#[derive(Deserialize)]
struct Diff {
    #[serde(default)]
    staged: bool,
    against: Option<String>,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    summary: bool,
}

#[derive(Deserialize)]
struct Log {
    count: Option<u32>,
    from: Option<String>,
    path: Option<String>,
}

#[derive(Deserialize)]
struct Commit {
    message: String,
    #[serde(default)]
    paths: Vec<String>,
}

#[derive(Deserialize)]
struct Fetch {
    url: String,
    #[serde(default)]
    raw: bool,
}

#[derive(Deserialize)]
struct Todo {
    items: Vec<TodoItem>,
}

#[derive(Deserialize)]
struct Remember {
    text: String,
    #[serde(default)]
    scope: FactScope,
}

#[derive(Deserialize)]
struct Ask {
    question: String,
}

#[derive(Deserialize)]
struct Spawn {
    task: String,
    #[serde(default)]
    change: bool,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

impl Tool {
    /// Reads a call of an agent that has this set of tools.
    pub fn parse(call: &ToolCall, set: Set) -> Result<Self, String> {
        let Some(definition) = find(&call.tool, set) else { return Err(unknown(&call.tool, set)) };
        let name = definition.name;
        let mut arguments = match &call.arguments {
            Value::String(raw) if raw.trim().is_empty() => Value::Object(serde_json::Map::new()),
            Value::String(raw) => return Err(check::broken(name, raw)),
            other => other.clone(),
        };
        // The person's answer comes back in the arguments; a model cannot give it.
        let answer = arguments.as_object_mut().filter(|_| name == "ask").and_then(|map| map.remove("answer"));
        check::check(definition, &mut arguments)?;
        let tool = match name {
            "read" => Self::Read(typed(name, arguments)?),
            "list" => Self::List { path: typed::<Under>(name, arguments)?.path },
            "glob" => {
                let Under { pattern, path } = typed(name, arguments)?;
                Self::Glob { pattern, path }
            }
            "grep" => Self::Grep(typed(name, arguments)?),
            "write" => {
                let Write { path, content } = typed(name, arguments)?;
                Self::Write { path, content }
            }
            "edit" => edit(typed(name, arguments)?)?,
            "patch" => Self::Patch { patch: typed::<Patch>(name, arguments)?.patch },
            "shell" => {
                let Shell { command, timeout, background } = typed(name, arguments)?;
                if command.contains('\0') {
                    return Err("`command` has a NUL character in it.".to_owned());
                }
                if background && set != Set::Whole {
                    return Err("A child agent runs commands to their end only; leave `background` out.".to_owned());
                }
                Self::Shell { command, timeout: timeout.unwrap_or(DEFAULT_TIMEOUT), background }
            }
            "jobs" => jobs(typed(name, arguments)?)?,
            "read_more" => {
                let More { result, offset } = typed(name, arguments)?;
                Self::More { result, offset }
            }
            "git_status" => Self::Git(GitAsk::Status),
            "git_diff" => {
                let Diff { staged, against, paths, summary } = typed(name, arguments)?;
                Self::Git(GitAsk::Diff { staged, against, paths, summary })
            }
            "git_log" => {
                let Log { count, from, path } = typed(name, arguments)?;
                Self::Git(GitAsk::Log { count: count.unwrap_or(DEFAULT_COMMITS), from, path })
            }
            "git_commit" => {
                let Commit { message, paths } = typed(name, arguments)?;
                Self::Git(GitAsk::Commit { message, paths })
            }
            "fetch" => {
                let Fetch { url, raw } = typed(name, arguments)?;
                Self::Fetch { url, raw }
            }
            "todo" => Self::Todo { items: typed::<Todo>(name, arguments)?.items },
            "remember" => {
                let Remember { text, scope } = typed(name, arguments)?;
                let text = fact_text(&text).map_err(|fault| format!("Nothing was remembered: {fault}."))?;
                Self::Remember { scope, text }
            }
            "ask" => {
                let answer = answer.and_then(|answer| answer.as_str().map(str::to_owned));
                Self::Ask { question: typed::<Ask>(name, arguments)?.question, answer }
            }
            "skill" => Self::Skill { name: typed::<Named>(name, arguments)?.name },
            tool if LANE_TOOLS.contains(&tool) => Self::Coordinate(typed(name, arguments)?),
            _ => {
                let Spawn { task, change } = typed(name, arguments)?;
                Self::Spawn { task, change }
            }
        };
        Ok(tool)
    }
}

/// What is wrong with arguments that a person gives a call, of a tool of ours or of a server with this schema.
///
/// # Errors
/// What is wrong, and where.
pub fn fits(tool: &str, schema: Option<&Value>, arguments: &Value) -> Result<(), String> {
    let told = match schema {
        Some(schema) => mcp::check(tool, schema, &mut arguments.clone()),
        // Of a server's tool that does not run now nothing is known.
        None if tool.starts_with("mcp__") => return Ok(()),
        None => {
            let (id, model_id) = (CallId(String::new()), String::new());
            let call = ToolCall { id, model_id, tool: tool.to_owned(), arguments: arguments.clone() };
            Tool::parse(&call, Set::Whole).map(drop)
        }
    };
    // What follows is advice for models.
    let bare = |words: String| {
        let words = words.trim_end_matches(" Call it again.").trim_end_matches("\nNothing ran.");
        words.to_owned()
    };
    told.map_err(bare)
}

/// Arguments that fit the schema as what they stand for.
fn typed<T: DeserializeOwned>(name: &str, arguments: Value) -> Result<T, String> {
    T::deserialize(arguments).map_err(|error| format!("The arguments of `{name}` are wrong: {error}. Call it again."))
}

fn unknown(name: &str, set: Set) -> String {
    let names: Vec<&str> = tools(set).map(|tool| tool.name).collect();
    let shown = clip(&visible(&one_line(name)), 60).clone();
    if name.starts_with("mcp__") {
        return format!("There is no tool `{shown}` now: its server does not run, or does not offer it any more.");
    }
    let meant = nearest(name, names.iter().copied()).map(|meant| format!(" Did you mean `{meant}`?"));
    format!("There is no tool `{shown}`.{} The tools are: {}.", meant.unwrap_or_default(), names.join(", "))
}

fn edit(given: Edits) -> Result<Tool, String> {
    let Edits { path, old, new, all, several } = given;
    let edits = match (old, new, several) {
        (Some(old), Some(new), None) => vec![Edit { old, new, all: all.unwrap_or(false) }],
        (None, None, Some(edits)) => edits,
        (None, None, None) => return Err("Give `old` and `new`, or several changes as `edits`.".to_owned()),
        (_, _, Some(_)) => return Err("Give either `old` and `new`, or `edits`, not both.".to_owned()),
        (old, ..) => return Err(format!("`{}` is missing.", if old.is_none() { "old" } else { "new" })),
    };
    if let Some(same) = edits.iter().position(|edit| edit.old == edit.new) {
        let place = if edits.len() == 1 { String::new() } else { format!(" in `edits[{same}]`") };
        return Err(format!("`old` and `new` are the same{place}: nothing would change."));
    }
    Ok(Tool::Edit { path, edits })
}

fn jobs(given: Jobs) -> Result<Tool, String> {
    let Jobs { what, job, wait } = given;
    let ask = match (what.as_deref(), job) {
        (None | Some("list"), None) => JobAsk::List,
        (None | Some("read"), Some(job)) => JobAsk::Read { job, wait },
        (Some("kill"), Some(job)) => JobAsk::Kill { job },
        (Some("list"), Some(_)) => JobAsk::List,
        (Some(what), _) => return Err(format!("`job` is missing: which one to {what}. `jobs` alone lists them.")),
    };
    Ok(Tool::Jobs(ask))
}

/// The exact command, path, pattern or question of a call, from its arguments alone.
pub(in crate::agent) fn action(call: &ToolCall) -> String {
    let text = |name: &str| call.arguments.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let within = |what: &str, more: Option<&str>, word: &str| match more {
        Some(more) => format!("{what} {word} {more}"),
        None => what.to_owned(),
    };
    // Of a tool that is not ours, every argument may be what matters.
    if let Some((server, tool)) = call.tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
        return format!("{server}:{tool} {}", call.arguments);
    }
    let found = match call.tool.as_str() {
        "shell" => text("command").map(|command| {
            let background = call.arguments.get("background").is_some_and(|given| given == true || given == "true");
            if background { format!("{command} &") } else { command.to_owned() }
        }),
        "glob" | "grep" => text("pattern").map(|pattern| within(pattern, text("path"), "in")),
        "list" => Some(text("path").unwrap_or(".").to_owned()),
        "patch" => text("patch").map(|patch| crate::preflight::named_in_patch(patch).join(", ")),
        "jobs" => Some(within(text("do").unwrap_or("list"), text("job"), "")).map(|words| words.replace("  ", " ")),
        "read_more" => text("result").map(str::to_owned),
        "git_status" => Some(String::new()),
        "git_diff" => Some(text("against").map(|against| format!("against {against}")).unwrap_or_default()),
        "git_log" => Some(text("path").or_else(|| text("from")).unwrap_or_default().to_owned()),
        "git_commit" => text("message").map(str::to_owned),
        "fetch" => text("url").map(str::to_owned),
        "todo" => call.arguments.get("items").and_then(Value::as_array).map(|items| format!("{} items", items.len())),
        // The scope goes first, so that no text can pose as one.
        "remember" => text("text").map(|fact| format!("{}: {}", text("scope").unwrap_or("project"), fact.trim())),
        "ask" => text("question").map(str::to_owned),
        "spawn" => text("task").map(str::to_owned),
        "skill" => text("name").map(str::to_owned),
        _ => text("path").map(str::to_owned),
    };
    found.unwrap_or_else(|| match &call.arguments {
        Value::String(raw) => one_line(raw),
        other => other.to_string(),
    })
}
