//! A call's arguments as typed values, or words for the model about what is wrong with them.

use serde::Deserialize;
use serde_json::Value;

use super::schema::NAMES;
use crate::domain::ToolCall;

/// Longest time a shell command may take, in seconds.
const MAX_TIMEOUT: u64 = 600;
/// Without word from the model.
const DEFAULT_TIMEOUT: u64 = 120;

/// A call with valid arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::agent) enum Tool {
    Read { path: String, offset: u64, limit: Option<u64> },
    List { path: String },
    Glob { pattern: String, path: String },
    Grep { pattern: String, path: String, glob: Option<String> },
    Write { path: String, content: String },
    Edit { path: String, old: String, new: String, all: bool },
    Shell { command: String, timeout: u64 },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    path: String,
    offset: Option<u64>,
    limit: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    path: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Glob {
    pattern: String,
    path: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Grep {
    pattern: String,
    path: Option<String>,
    glob: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Write {
    path: String,
    content: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    path: String,
    old: String,
    new: String,
    all: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shell {
    command: String,
    timeout: Option<u64>,
}

impl Tool {
    /// Reads a call.
    pub fn parse(call: &ToolCall) -> Result<Self, String> {
        let name = call.tool.as_str();
        if let Value::String(raw) = &call.arguments {
            let why = serde_json::from_str::<Value>(raw).err().map(|error| format!(" ({error})")).unwrap_or_default();
            return Err(format!(
                "The arguments of `{name}` are not a JSON object{why}. Call it again with valid JSON."
            ));
        }
        let wrong = |error: serde_json::Error| format!("The arguments of `{name}` are wrong: {error}. Call it again.");
        macro_rules! read {
            ($kind:ty) => {
                <$kind>::deserialize(&call.arguments).map_err(wrong)?
            };
        }
        let tool = match name {
            "read" => {
                let Read { path, offset, limit } = read!(Read);
                Self::Read { path, offset: offset.unwrap_or(1).max(1), limit }
            }
            "list" => Self::List { path: read!(List).path.unwrap_or_default() },
            "glob" => {
                let Glob { pattern, path } = read!(Glob);
                Self::Glob { pattern, path: path.unwrap_or_default() }
            }
            "grep" => {
                let Grep { pattern, path, glob } = read!(Grep);
                Self::Grep { pattern, path: path.unwrap_or_default(), glob }
            }
            "write" => {
                let Write { path, content } = read!(Write);
                Self::Write { path, content }
            }
            "edit" => {
                let Edit { path, old, new, all } = read!(Edit);
                Self::Edit { path, old, new, all: all.unwrap_or(false) }
            }
            "shell" => {
                let Shell { command, timeout } = read!(Shell);
                Self::Shell { command, timeout: timeout.unwrap_or(DEFAULT_TIMEOUT) }
            }
            other => return Err(format!("There is no tool `{other}`. The tools are: {NAMES}.")),
        };
        tool.checked()
    }

    /// What types alone do not say.
    fn checked(self) -> Result<Self, String> {
        let wrong = match &self {
            Self::Read { path, .. } | Self::Write { path, .. } | Self::Edit { path, .. } if path.trim().is_empty() => {
                "`path` is empty; name a file"
            }
            Self::Glob { pattern, .. } | Self::Grep { pattern, .. } if pattern.is_empty() => "`pattern` is empty",
            Self::Read { limit: Some(0), .. } => "`limit` must be at least 1",
            Self::Edit { old, .. } if old.is_empty() => {
                "`old` is empty; give the text to replace, or use `write` for a new file"
            }
            Self::Edit { old, new, .. } if old == new => "`old` and `new` are the same: nothing would change",
            Self::Shell { command, .. } if command.trim().is_empty() => "`command` is empty",
            Self::Shell { command, .. } if command.contains('\0') => "`command` has a NUL character in it",
            Self::Shell { timeout, .. } if !(1..=MAX_TIMEOUT).contains(timeout) => {
                "`timeout` must be 1 to 600 seconds; run longer work in parts"
            }
            _ => return Ok(self),
        };
        Err(format!("{wrong}."))
    }
}

/// The exact command, path or pattern of a call, from its arguments alone.
pub(in crate::agent) fn action(call: &ToolCall) -> String {
    let text = |name: &str| call.arguments.get(name).and_then(Value::as_str).map(str::to_owned);
    let found = match call.tool.as_str() {
        "shell" => text("command"),
        "glob" | "grep" => text("pattern").map(|pattern| match text("path").filter(|path| !path.is_empty()) {
            Some(path) => format!("{pattern} in {path}"),
            None => pattern,
        }),
        "list" => Some(text("path").filter(|path| !path.is_empty()).unwrap_or_else(|| ".".to_owned())),
        _ => text("path"),
    };
    found.unwrap_or_else(|| match &call.arguments {
        Value::String(raw) => crate::base::one_line(raw),
        other => other.to_string(),
    })
}
