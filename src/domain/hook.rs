//! Hooks: the moments at which a program of the person may look at what an own agent does, and say something to it.

use serde::{Deserialize, Serialize};

use super::PortFuture;

/// When a hook runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HookEvent {
    /// A lane's agent gets its first prompt since the workstation started.
    SessionStart,
    /// A prompt begins, before the model is asked.
    Prompt,
    /// A tool call is asked for, before rules and person judge it.
    BeforeTool,
    /// A tool call has run, before the model is told.
    AfterTool,
    /// Older turns are about to be replaced by notes.
    BeforeCompaction,
    /// The model has given its last answer.
    Stop,
    /// The lane closes or the workstation ends, when a session has begun.
    SessionEnd,
}

impl HookEvent {
    /// All, in the order in which they happen.
    pub const ALL: [Self; 7] = [
        Self::SessionStart,
        Self::Prompt,
        Self::BeforeTool,
        Self::AfterTool,
        Self::BeforeCompaction,
        Self::Stop,
        Self::SessionEnd,
    ];

    /// The word that files, people and hooks use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::Prompt => "prompt",
            Self::BeforeTool => "before-tool",
            Self::AfterTool => "after-tool",
            Self::BeforeCompaction => "before-compaction",
            Self::Stop => "stop",
            Self::SessionEnd => "session-end",
        }
    }

    /// The event of this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.word() == word)
    }

    /// Whether nothing goes on when its hook fails: a guard that broke down lets nothing through.
    #[must_use]
    pub const fn gates(self) -> bool {
        matches!(self, Self::Prompt | Self::BeforeTool)
    }

    /// Whether it is about a tool.
    #[must_use]
    pub const fn of_tool(self) -> bool {
        matches!(self, Self::BeforeTool | Self::AfterTool)
    }
}

/// Whether files of the repository that hooks run are what the person trusted.
pub trait HookTrust: Send + Sync {
    /// Whether the person trusted the file with this mark (see `agent::hook_file_mark`).
    fn trusts(&self, mark: &str) -> bool;

    /// A hook did not run because a file is not trusted as it stands: the person is to be asked.
    fn ask(&self) -> PortFuture<'_, ()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_name_the_events() {
        for event in HookEvent::ALL {
            assert_eq!(HookEvent::of(event.word()), Some(event));
            assert_eq!(serde_json::to_value(event).unwrap(), event.word());
        }
    }
}
