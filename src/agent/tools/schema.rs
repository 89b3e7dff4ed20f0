//! The one definition of each tool: its name, the words for the model, the schema its arguments are checked against.

use std::sync::{Arc, LazyLock, OnceLock};

use serde_json::{Value, json};

use crate::agent::context;
use crate::agent::mcp::Offer;
use crate::agent::wire;
use crate::command::offered_tools;

/// A tool as the model is told of it.
pub(in crate::agent) struct Definition {
    pub name: &'static str,
    pub words: &'static str,
    pub schema: Value,
    least: Set,
}

/// Which tools an agent has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(in crate::agent) enum Set {
    /// Those that only look: a child agent that finds something out.
    Look,
    /// Also those that change files and run commands: a child agent that does something.
    Work,
    /// All.
    #[default]
    Whole,
}

static ALL: LazyLock<Vec<Definition>> = LazyLock::new(|| {
    let mut all = vec![
        read(),
        list(),
        glob(),
        grep(),
        write(),
        edit(),
        patch(),
        shell(),
        jobs(),
        read_more(),
        git_status(),
        git_diff(),
        git_log(),
        git_commit(),
        fetch(),
        todo(),
        remember(),
        ask(),
        spawn(),
        skill(),
    ];
    // A child agent speaks for no lane.
    all.extend(offered_tools().into_iter().map(|tool| {
        let mut schema = Value::Object(tool.schema);
        schema["additionalProperties"] = false.into();
        if schema["required"].is_null() {
            schema["required"] = json!([]);
        }
        Definition { name: tool.name, words: tool.about, schema, least: Set::Whole }
    }));
    all
});

/// The tools of a set.
pub(in crate::agent) fn tools(set: Set) -> impl Iterator<Item = &'static Definition> {
    ALL.iter().filter(move |tool| tool.least <= set)
}

/// Tools as a request names them: name, description and schema of each.
#[derive(Debug, Default)]
pub(in crate::agent) struct Told {
    pub list: Vec<wire::Tool>,
    weight: OnceLock<u64>,
}

impl Told {
    pub fn new(list: Vec<wire::Tool>) -> Self {
        Self { list, weight: OnceLock::new() }
    }

    /// What they weigh in a request.
    pub fn weight(&self) -> u64 {
        *self.weight.get_or_init(|| context::weight_of_tools(&self.list))
    }
}

/// The tools of a set, made once.
pub(in crate::agent) fn definitions(set: Set) -> Arc<Told> {
    static OWN: [OnceLock<Arc<Told>>; 3] = [const { OnceLock::new() }; 3];
    Arc::clone(OWN[set as usize].get_or_init(|| Arc::new(Told::new(own(set)))))
}

fn own(set: Set) -> Vec<wire::Tool> {
    tools(set).map(|tool| (tool.name.into(), tool.words.into(), tool.schema.clone())).collect()
}

/// The same with what tool servers offer.
pub(in crate::agent) fn definitions_with(set: Set, offers: Vec<Offer>) -> Arc<Told> {
    if offers.is_empty() {
        return definitions(set);
    }
    let offers = offers.into_iter().map(|offer| (offer.name.into(), offer.words.into(), offer.schema));
    Arc::new(Told::new(own(set).into_iter().chain(offers).collect()))
}

/// The tool of this name in a set.
pub(super) fn find(name: &str, set: Set) -> Option<&'static Definition> {
    tools(set).find(|tool| tool.name == name)
}

fn define(name: &'static str, least: Set, words: &'static str, properties: Value, required: &[&str]) -> Definition {
    let schema =
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    Definition { name, words, schema, least }
}

fn text(words: &str) -> Value {
    json!({"type": "string", "description": words})
}

fn line(words: &str) -> Value {
    json!({"type": "string", "minLength": 1, "description": words})
}

fn flag(words: &str) -> Value {
    json!({"type": "boolean", "description": words})
}

fn number(least: u64, most: u64, words: &str) -> Value {
    json!({"type": "integer", "minimum": least, "maximum": most, "description": words})
}

fn lines(most: usize, words: &str) -> Value {
    json!({"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": most, "description": words})
}

fn path() -> Value {
    line("Path relative to the worktree")
}

fn read() -> Definition {
    define(
        "read",
        Set::Look,
        "Reads a text file or shows an image (png, jpeg, gif, webp). Long files come in parts: the result says which \
         lines came and how to read on.",
        json!({
            "path": path(),
            "offset": number(1, 1 << 40, "First line, counted from 1; default 1"),
            "limit": number(1, 1 << 40, "Number of lines; default 2000"),
        }),
        &["path"],
    )
}

fn list() -> Definition {
    let path = text("Directory; default: the worktree itself");
    let words = "Lists a directory. Directories end in `/`, links in `@`; what git ignores is marked `(ignored)`.";
    define("list", Set::Look, words, json!({"path": path}), &[])
}

fn under() -> Value {
    text("File or directory to search; default: the whole worktree")
}

fn glob() -> Definition {
    define(
        "glob",
        Set::Look,
        "Finds files by name, without what git ignores. A pattern without `/` matches file names at any depth.",
        json!({"pattern": line("Such as `*.rs`, `src/**/*.ts`, `{a,b}.md`"), "path": under()}),
        &["pattern"],
    )
}

fn grep() -> Definition {
    define(
        "grep",
        Set::Look,
        "Searches files line by line for a regular expression, without what git ignores. Gives `path:line: text`; \
         lines of context have `-` in place of `:`.",
        json!({
            "pattern": line("Regular expression (Rust syntax)"),
            "path": under(),
            "glob": text("Only files that match, such as `*.rs`"),
            "ignore_case": flag("Whether case does not count; default false"),
            "context": number(0, 20, "Lines to show before and after each match; default 0"),
            "only": json!({
                "type": "string", "enum": ["lines", "files", "count"],
                "description": "What to give: matching lines (default), the files' names, or matches per file",
            }),
        }),
        &["pattern"],
    )
}

fn write() -> Definition {
    define(
        "write",
        Set::Work,
        "Creates a file or replaces its whole content. Missing directories are made.",
        json!({"path": path(), "content": text("The whole new content")}),
        &["path", "content"],
    )
}

fn edit() -> Definition {
    let old = line("The text to replace, exactly as in the file");
    let new = text("The text to put there");
    let all = flag("Replace every occurrence; default false");
    define(
        "edit",
        Set::Work,
        "Replaces exact text in a file. `old` must occur exactly once unless `all` is true: give enough lines around \
         it. For several changes of one file give `edits`: they are made in order, all or none.",
        json!({
            "path": path(), "old": old, "new": new, "all": all,
            "edits": {
                "type": "array", "minItems": 1, "maxItems": 100,
                "description": "Several changes in place of `old` and `new`",
                "items": {
                    "type": "object", "required": ["old", "new"], "additionalProperties": false,
                    "properties": {"old": old, "new": new, "all": all},
                },
            },
        }),
        &["path"],
    )
}

fn patch() -> Definition {
    define(
        "patch",
        Set::Work,
        "Changes several files at once, all or none, by a patch: a unified diff (`--- a/x`, `+++ b/x`, `@@ … @@`), or \
         `*** Begin Patch`, then `*** Update File: x` (optionally `*** Move to: y`), `*** Add File: x` or \
         `*** Delete File: x` with lines that begin with ` `, `-` or `+`, then `*** End Patch`.",
        json!({"patch": line("The patch")}),
        &["patch"],
    )
}

fn shell() -> Definition {
    define(
        "shell",
        Set::Work,
        "Runs a shell command in the worktree, without input and without a terminal. Output and errors come in one \
         text. Everything the command started ends with it. For a server, a watcher or long work set `background`: \
         it runs on as a job, see `jobs`. Commands may be confined: writing outside the worktree, secrets and the \
         network are refused then; do not look for a way around it, say what you need.",
        json!({
            "command": line("The command line"),
            "timeout": number(1, 600, "Seconds after which it is ended; default 120. Does not count in the background"),
            "background": flag("Let it run on as a job; default false"),
        }),
        &["command"],
    )
}

fn jobs() -> Definition {
    define(
        "jobs",
        Set::Whole,
        "Looks after the commands that run in the background of this lane: lists them, reads what one has said since \
         it was last read, ends one.",
        json!({
            "do": {"type": "string", "enum": ["list", "read", "kill"], "description": "Default: list"},
            "job": line("The job, such as `j1`; for read and kill"),
            "wait": number(0, 60, "For read: seconds to wait for something new; default 0"),
        }),
        &[],
    )
}

fn read_more() -> Definition {
    define(
        "read_more",
        Set::Look,
        "Reads on in a result that was cut. The cut result says its name and where to go on.",
        json!({
            "result": line("Its name, such as `r3`"),
            "offset": number(0, 1 << 40, "Byte to go on from; default 0"),
        }),
        &["result"],
    )
}

fn git_status() -> Definition {
    let words = "Shows the branch and what differs from its last commit.";
    define("git_status", Set::Look, words, json!({}), &[])
}

fn git_diff() -> Definition {
    define(
        "git_diff",
        Set::Look,
        "Shows changes as a unified diff: what is in the worktree against the last commit, untracked files left out.",
        json!({
            "staged": flag("What is staged instead; default false"),
            "against": line("A commit, branch or tag to compare with instead of the last commit"),
            "paths": lines(100, "Only these paths"),
            "summary": flag("Names and numbers only; default false"),
        }),
        &[],
    )
}

fn git_log() -> Definition {
    define(
        "git_log",
        Set::Look,
        "Shows commits, newest first.",
        json!({
            "count": number(1, 200, "How many; default 20"),
            "from": line("A commit, branch or tag to begin at; default: the last commit"),
            "path": line("Only those that touch this path"),
        }),
        &[],
    )
}

fn git_commit() -> Definition {
    define(
        "git_commit",
        Set::Work,
        "Commits changes on this lane's branch. Untracked files go with it, ignored ones do not.",
        json!({
            "message": line("The message: a short first line, then, after a blank line, why"),
            "paths": lines(500, "Only these paths; default: everything that changed"),
        }),
        &["message"],
    )
}

fn fetch() -> Definition {
    define(
        "fetch",
        Set::Look,
        "Gets a page from the web as text. HTML becomes plain text with its links listed.",
        json!({
            "url": line("The whole address, `https://…`"),
            "raw": flag("HTML as it is instead; default false"),
        }),
        &["url"],
    )
}

fn todo() -> Definition {
    define(
        "todo",
        Set::Whole,
        "Replaces your list of what is to be done; the person sees it. Use it for work of several steps, and keep it \
         true: one line active at a time, done as soon as it is.",
        json!({
            "items": {
                "type": "array", "maxItems": 50,
                "items": {
                    "type": "object", "required": ["text", "state"], "additionalProperties": false,
                    "properties": {
                        "text": line("What is to be done"),
                        "state": {"type": "string", "enum": ["open", "active", "done"]},
                    },
                },
            },
        }),
        &["items"],
    )
}

fn remember() -> Definition {
    define(
        "remember",
        Set::Whole,
        "Proposes a fact to be remembered for later sessions; the person is asked each time. Only what will hold for \
         long, was hard to find out and does not stand in a file: a decision and its reason, a trap, a preference the \
         person told you. One fact, complete in itself, in few words. Never a secret.",
        json!({
            "text": line("The fact"),
            "scope": json!({
                "type": "string", "enum": ["project", "user"],
                "description": "For this project (default), or for all projects of the person",
            }),
        }),
        &["text"],
    )
}

fn ask() -> Definition {
    define(
        "ask",
        Set::Whole,
        "Asks the person a question and waits for the answer. Ask only what you cannot find out and must know.",
        json!({
            "question": line("The question, with what the person needs to know to answer it"),
            "choices": lines(9, "Answers to choose from; the person may also answer freely"),
        }),
        &["question"],
    )
}

fn skill() -> Definition {
    define(
        "skill",
        Set::Whole,
        "Loads the instructions of a skill. The skills there are stand in your first instructions.",
        json!({"name": line("The skill's name")}),
        &["name"],
    )
}

fn spawn() -> Definition {
    define(
        "spawn",
        Set::Whole,
        "Starts a child agent with a fresh context for one task and gives its answer. It sees nothing of this \
         conversation, so tell it all it needs. It only looks (several such run together) unless `change` is true.",
        json!({
            "task": line("The task: what to find out or do, where, and what to answer"),
            "change": flag("Whether it may change files and run commands; default false"),
        }),
        &["task"],
    )
}
