//! Tool calls of our own agents.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The id of one tool call: unique within its lane. Ours, not the model's (servers repeat theirs).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub String);

impl CallId {
    /// The id of a call that a child agent makes, so that it is unique within the lane too.
    #[must_use]
    pub fn child(&self, step: u32, number: usize) -> Self {
        Self(format!("{}/{step}.{number}", self.0))
    }

    /// The call that started the child agent which made this one; none for a call of the lane's own agent.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(parent, _)| Self(parent.to_owned()))
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One call that a model asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Our id.
    pub id: CallId,
    /// The model's id for it, echoed back with the result.
    pub model_id: String,
    /// The tool's name.
    pub tool: String,
    /// The arguments: a JSON object, or the raw text as a JSON string when it did not parse.
    pub arguments: serde_json::Value,
}

/// How far a call has come. Stored before each step happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallState {
    /// The model asked; nothing was decided.
    Requested,
    /// Waits for the person or for a hold.
    Waiting,
    /// May run; has not begun.
    Allowed,
    /// Has begun: it may have had an effect.
    Started,
    /// Over; its result is in the transcript.
    Finished,
}

/// What a call intends, so that policy and preflight can judge it before it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRequest {
    /// The call.
    pub call: ToolCall,
    /// The exact command, path or pattern: what a person judges.
    pub action: String,
    /// Paths it would write, relative to the worktree's root; empty for reads and for shell.
    pub writes: Vec<String>,
    /// Paths that it would look at, where they really lead; one that ends in `/` with all that is below it. Empty for shell.
    pub reads: Vec<String>,
    /// A unified diff for writes.
    pub diff: Option<String>,
    /// The directory it would run in.
    pub directory: String,
    /// Whose tool it is, when a tool server offers it.
    pub server: Option<super::ServerTool>,
    /// What its arguments have to fit, when a tool server offers it.
    pub schema: Option<Arc<serde_json::Value>>,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ToolOutcome {
    /// Whether it did what was asked.
    pub ok: bool,
    /// What the model is told.
    pub output: String,
    /// One short line for the folded view: `214 lines`, `+18 −2`, `exit 1`.
    pub summary: String,
    /// A unified diff, for writes.
    pub diff: Option<String>,
    /// Paths it really wrote, relative to the worktree's root.
    pub written: Vec<String>,
    /// Images it shows the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<ToolImage>,
    /// The agent's list of what is to be done, when the call replaced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub todo: Option<Vec<TodoItem>>,
}

/// An image as a call's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolImage {
    /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    pub media_type: String,
    /// Its bytes in base64.
    pub data: String,
}

/// One line of an agent's list of what is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TodoItem {
    /// What is to be done, untouched. Escape before showing.
    pub text: String,
    /// How far it is.
    pub state: TodoState,
}

/// How far a line of an agent's list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TodoState {
    /// Not begun.
    Open,
    /// Being worked on.
    Active,
    /// Done.
    Done,
}

/// One step of a child agent, as its parent's transcript shows it: something it said, or a call that is over.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ChildStep {
    /// The tool; empty for something it said.
    pub tool: String,
    /// The exact command or path, or the beginning of what it said. Escape before showing.
    pub action: String,
    /// Whether the call did what was asked.
    pub ok: bool,
    /// What came of the call, in a word or two.
    pub summary: String,
    /// Tokens of the model call, if the server said.
    pub usage: Option<super::Usage>,
}
