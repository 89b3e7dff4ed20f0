//! Native CLIs: coding agents with a program of their own in a lane's pane. What such a lane is started with, what its
//! hooks tell, and what they are answered. A hook's native form is known only to the room `native`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Sum;

/// A coding agent's own program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "named after the programs")]
pub enum Cli {
    Claude,
    Codex,
    Gemini,
    Opencode,
    Copilot,
    Amp,
}

/// What an adapter must carry for its program to be governed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// The beginning of a session is told.
    SessionStart,
    /// A tool waits for leave before it runs.
    BeforeTool,
    /// The end of a turn is told.
    Stop,
}

impl Guard {
    /// All.
    pub const ALL: [Self; 3] = [Self::SessionStart, Self::BeforeTool, Self::Stop];

    /// The word people read.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::BeforeTool => "before-tool",
            Self::Stop => "stop",
        }
    }
}

impl Cli {
    /// All that are known.
    pub const ALL: [Self; 6] = [Self::Claude, Self::Codex, Self::Gemini, Self::Opencode, Self::Copilot, Self::Amp];
    /// Their words.
    pub const WORDS: &'static [&'static str] = &["claude", "codex", "gemini", "opencode", "copilot", "amp"];

    /// The word people, JSON and hooks use; also the name of its program.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Copilot => "copilot",
            Self::Amp => "amp",
        }
    }

    /// What its adapter carries.
    #[must_use]
    pub const fn carries(self) -> &'static [Guard] {
        match self {
            Self::Claude | Self::Codex | Self::Gemini | Self::Opencode | Self::Copilot => &Guard::ALL,
            Self::Amp => &[],
        }
    }

    /// The guards that its adapter does not carry: with any, its program is not started as a governed lane.
    pub fn missing(self) -> impl Iterator<Item = Guard> {
        Guard::ALL.into_iter().filter(move |guard| !self.carries().contains(guard))
    }

    /// The version that was tried.
    #[must_use]
    pub const fn tried(self) -> &'static str {
        match self {
            Self::Claude => "2.1.332",
            Self::Codex => "0.171.0",
            Self::Gemini => "0.61.0",
            Self::Opencode => "1.18.33",
            Self::Copilot => "1.0.102",
            Self::Amp => "none",
        }
    }

    /// What it cannot do as a governed lane, in words.
    #[must_use]
    pub const fn lacks(self) -> &'static [&'static str] {
        match self {
            Self::Claude => &[],
            Self::Codex => &["its own dialogs take keys only"],
            Self::Gemini => &["its dialogs take keys only", "it tells no cost"],
            Self::Opencode => &["what our rules ask stands in the panel alone, not in its dialog"],
            Self::Copilot => &["its dialogs take keys only", "it asks for trust in each new worktree"],
            Self::Amp => &["it cannot be governed: its agent is a service behind a login"],
        }
    }

    /// The variable that moves its configuration, and its login with it; none where there is no such.
    #[must_use]
    pub const fn home_variable(self) -> Option<&'static str> {
        match self {
            Self::Claude => Some("CLAUDE_CONFIG_DIR"),
            Self::Codex => Some("CODEX_HOME"),
            Self::Gemini => Some("GEMINI_CLI_HOME"),
            Self::Copilot => Some("COPILOT_HOME"),
            Self::Opencode | Self::Amp => None,
        }
    }

    /// How a question that a rule leaves to the person comes about.
    #[must_use]
    pub const fn asking(self) -> Asking {
        match self {
            Self::Codex | Self::Opencode => Asking::Holds,
            Self::Claude | Self::Gemini | Self::Copilot | Self::Amp => Asking::Dialog,
        }
    }

    /// How its own dialogs are answered from here.
    #[must_use]
    pub const fn answered(self) -> Answered {
        match self {
            Self::Claude | Self::Opencode => Answered::Beside,
            Self::Codex | Self::Gemini | Self::Copilot | Self::Amp => Answered::Keys,
        }
    }
}

/// How a native CLI has its person asked about a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// Its hook says `ask`, and its dialog opens.
    Dialog,
    /// It knows no such answer: the hook before the tool waits for the person.
    Holds,
}

/// How the dialog of a native CLI is answered from elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// A hook waits beside it: whoever answers first counts.
    Beside,
    /// It waits for nobody's hook and takes keys, which are typed only while it stands on the screen.
    Keys,
}

impl fmt::Display for Cli {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// There is no such CLI.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no native CLI that is known: claude, codex, gemini, opencode, copilot or amp")]
pub struct UnknownCli(pub String);

impl FromStr for Cli {
    type Err = UnknownCli;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|cli| cli.word() == text).ok_or_else(|| UnknownCli(text.to_owned()))
    }
}

/// What a lane's native CLI is started with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NativeLane {
    /// Which.
    pub cli: Cli,
    /// Its model; none means its own choice.
    pub model: Option<String>,
    /// The conversation that it has had, by the CLI's own id; none before the first prompt.
    pub session: Option<String>,
    /// The name under which it was asked for, when that is not the CLI's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// The login that it uses; none means the person's usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credentials: Option<String>,
}

impl NativeLane {
    /// One under its own name, with its own choice of a model and the usual login.
    #[must_use]
    pub const fn new(cli: Cli) -> Self {
        Self { cli, model: None, session: None, preset: None, credentials: None }
    }
}

/// A tool call of a native CLI, in our own words.
#[derive(Debug, Clone, PartialEq)]
pub struct NativeCall {
    /// The tool's name in our words; the CLI's own where we have none.
    pub tool: String,
    /// The exact command, or the path. Untouched.
    pub action: String,
    /// The command's text, for the tool `shell`.
    pub command: Option<String>,
    /// The arguments in our words, for what is remembered.
    pub arguments: Value,
    /// What it changes, for the person; shortened.
    pub diff: Option<String>,
    /// The directory that it runs in.
    pub directory: String,
    /// Paths it would write, relative to the worktree's root.
    pub writes: Vec<String>,
    /// Paths it would read, the same way; those elsewhere are the CLI's own business.
    pub reads: Vec<String>,
    /// Whether all that it reads lies in the worktree.
    pub inside: bool,
    /// Whether the policy has words for such a tool. Else the CLI's own rules hold, unless ours deny or ask.
    pub known: bool,
    /// What no mode allows, and why.
    pub refused: Option<(ReasonClass, String)>,
    /// It only brings the lane back to its own branch.
    pub returns: bool,
}

/// What a hook tells.
#[derive(Debug, Clone, PartialEq)]
pub enum NativeEvent {
    /// A conversation begins, or another one goes on.
    Started(Conversation),
    /// The person, or a prompt of the queue, has been taken.
    Prompt(String),
    /// A tool is about to run.
    Before(Box<NativeCall>),
    /// Its dialog opens for a tool.
    Permission(Box<NativeCall>),
    /// Its dialog stands on the screen, for a call that it has announced before; its words for that.
    Opened(String),
    /// A tool has run; which, where it is said.
    After(Option<Box<NativeCall>>),
    /// The turn is over.
    Stop {
        /// A hook has kept it from stopping before.
        again: bool,
        /// Its last words.
        answer: Option<String>,
    },
    /// It waits for the person for so long that it says so.
    Waits,
    /// The session ends.
    Ended,
    /// Something that nothing follows from.
    Other,
}

/// How a conversation came to be the current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conversation {
    /// A new one: it is kept nowhere before its first prompt.
    New,
    /// One that was had before goes on.
    Old,
}

/// One hook's call.
#[derive(Debug, Clone, PartialEq)]
pub struct HookCall {
    /// The CLI's id of the conversation.
    pub session: Option<String>,
    /// The event by the CLI's own name, for history.
    pub name: String,
    /// What it tells.
    pub event: NativeEvent,
    /// What the conversation has used by now, where that was counted.
    pub usage: Option<NativeUsage>,
}

/// What a conversation has used, as the CLI itself counts it. Never read as anything but a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NativeUsage {
    /// All its calls.
    pub sum: Sum,
    /// Tokens of the newest call: how full the context is.
    pub context: u64,
    /// How much fits, where that is said.
    pub window: Option<u64>,
}

/// What a hook is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookAnswer {
    /// Nothing: the CLI goes on as it would.
    Pass,
    /// Words for the model, beside what the CLI does anyway.
    Context(String),
    /// It runs, for this reason.
    Allow(String),
    /// The person is asked, for this reason.
    Ask(String),
    /// It does not run, for this reason.
    Deny(String),
    /// The turn is not over yet, for this reason.
    GoOn(String),
}

impl HookAnswer {
    /// The word that history uses.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Pass | Self::Context(_) => "pass",
            Self::Allow(_) => "allow",
            Self::Ask(_) => "ask",
            Self::Deny(_) => "deny",
            Self::GoOn(_) => "go-on",
        }
    }
}

/// What a decision rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasonClass {
    /// A rule, or the mode.
    Policy,
    /// An answer that was to hold for longer.
    Remembered,
    /// The person, just now.
    Person,
    /// Neither rules nor mode speak of it.
    NoOpinion,
    /// The lane is paused.
    Paused,
    /// It would leave the lane's branch, or move a branch.
    BranchSwitch,
    /// The lane stands on another branch than its own.
    BranchDrift,
    /// It would write outside the lane's worktree.
    OutsideLane,
    /// Another lane holds what it would write.
    ReservedPath,
    /// A message would credit an assistant.
    AttributionRefused,
    /// The command cannot be followed.
    Unclear,
    /// The dialog was answered where it stood, or nobody asks any more.
    Answered,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_name_the_clis() {
        assert_eq!(Cli::ALL.map(Cli::word), Cli::WORDS);
        for cli in Cli::ALL {
            assert_eq!(cli.word().parse(), Ok(cli));
            assert_eq!(serde_json::to_value(cli).unwrap(), cli.word());
        }
        assert!("Claude".parse::<Cli>().unwrap_err().to_string().contains("claude, codex"));
    }

    #[test]
    fn what_an_adapter_does_not_carry_is_named() {
        assert_eq!(Cli::Claude.missing().count(), 0);
        let words: Vec<&str> = Cli::Amp.missing().map(Guard::word).collect();
        assert_eq!(words, ["session-start", "before-tool", "stop"]);
    }
}
