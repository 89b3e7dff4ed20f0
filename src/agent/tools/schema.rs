//! What the model is told about the tools: names, descriptions, JSON schemas.

use serde_json::{Value, json};

/// The tools' names, for messages.
pub(in crate::agent) const NAMES: &str = "read, list, glob, grep, write, edit, shell";

/// Name, description and schema of each tool.
pub(in crate::agent) fn definitions() -> Vec<(&'static str, &'static str, Value)> {
    let path = json!({"type": "string", "description": "Path relative to the worktree"});
    let under = json!({"type": "string", "description": "File or directory to search; default: the whole worktree"});
    vec![
        (
            "read",
            "Reads a text file. Long files come in parts: the result says which lines came and how to read on.",
            object(
                json!({
                    "path": path,
                    "offset": {"type": "integer", "minimum": 1, "description": "First line, counted from 1; default 1"},
                    "limit": {"type": "integer", "minimum": 1, "description": "Number of lines; default 2000"},
                }),
                &["path"],
            ),
        ),
        (
            "list",
            "Lists a directory. Directories end in `/`, links in `@`.",
            object(json!({"path": {"type": "string", "description": "Directory; default: the worktree itself"}}), &[]),
        ),
        (
            "glob",
            "Finds files by name, without what git ignores. A pattern without `/` matches file names at any depth.",
            object(
                json!({
                    "pattern": {"type": "string", "description": "Such as `*.rs`, `src/**/*.ts`, `{a,b}.md`"},
                    "path": under,
                }),
                &["pattern"],
            ),
        ),
        (
            "grep",
            "Searches files line by line for a regular expression, without what git ignores. Gives `path:line: text`.",
            object(
                json!({
                    "pattern": {"type": "string", "description": "Regular expression (Rust syntax); `(?i)` ignores case"},
                    "path": under,
                    "glob": {"type": "string", "description": "Only files that match, such as `*.rs`"},
                }),
                &["pattern"],
            ),
        ),
        (
            "write",
            "Creates a file or replaces its whole content. Missing directories are made.",
            object(
                json!({"path": path, "content": {"type": "string", "description": "The whole new content"}}),
                &["path", "content"],
            ),
        ),
        (
            "edit",
            "Replaces exact text in a file. `old` must occur exactly once unless `all` is true: \
             give enough lines around it.",
            object(
                json!({
                    "path": path,
                    "old": {"type": "string", "description": "The text to replace, exactly as in the file"},
                    "new": {"type": "string", "description": "The text to put there"},
                    "all": {"type": "boolean", "description": "Replace every occurrence; default false"},
                }),
                &["path", "old", "new"],
            ),
        ),
        (
            "shell",
            "Runs a shell command in the worktree, without input and without a terminal. Output and errors come in \
             one text; of a long one the middle is left out. Everything the command started ends with it.",
            object(
                json!({
                    "command": {"type": "string", "description": "The command line"},
                    "timeout": {
                        "type": "integer", "minimum": 1, "maximum": 600,
                        "description": "Seconds after which it is ended; default 120",
                    },
                }),
                &["command"],
            ),
        ),
    ]
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}
