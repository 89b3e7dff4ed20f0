//! The messages themselves.

use serde::{Deserialize, Serialize};

use crate::base::{Report, TerminalSettings};
use crate::domain::{InputEvent, Size, WindowId};

/// The version of this protocol; both sides must have the same.
pub const VERSION: u32 = 4;

/// Pieces of a paste that a window sends before the first of them is taken: a program that reads slowly then slows the
/// paste, and nothing else that the window says.
pub const PASTE_PIECES: usize = 4;

/// The first message of a client.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// [`VERSION`] of the client.
    pub protocol: u32,
    /// The client's program version, for the message when they differ.
    pub version: String,
    /// What the client wants.
    pub client: Client,
    /// Variables that count for sessions started from now on: a short list, and the keys that the
    /// configuration names. Kept in memory only.
    pub environment: Vec<(String, String)>,
}

impl std::fmt::Debug for Hello {
    /// Without the values of the variables, which may be keys.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.environment.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Hello")
            .field("protocol", &self.protocol)
            .field("version", &self.version)
            .field("client", &self.client)
            .field("environment", &names)
            .finish()
    }
}

/// What a client wants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Client {
    /// To be a window.
    Window(WindowHello),
    /// To run one command and get its reply.
    Command(CommandHello),
    /// To speak MCP for a lane: lines of JSON both ways, after [`ServerMessage::Tools`].
    Tools(ToolsHello),
    /// To have a hook of a lane's native CLI answered: one [`Reply`].
    Hook(HookHello),
}

/// What a window says of itself. When `terminal` is true, its terminal's descriptor travels with the
/// message (SCM_RIGHTS), so that even a killed window's terminal is given back in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WindowHello {
    /// The terminal's size.
    pub size: Size,
    /// TERM.
    pub term: String,
    /// COLORTERM, if set.
    pub colorterm: Option<String>,
    /// Whether NO_COLOR is set.
    pub no_color: bool,
    /// Whether the terminal says that its background is light; none if it did not say.
    pub light: Option<bool>,
    /// Whether the terminal's descriptor is attached.
    pub terminal: bool,
    /// How the terminal's line was set before the window took it; travels with the descriptor.
    #[serde(default)]
    pub settings: Option<TerminalSettings>,
    /// The name of the lane to begin with; none: the one that the last window showed.
    #[serde(default)]
    pub focus: Option<String>,
    /// A pane to open first; the window begins with it.
    #[serde(default)]
    pub open: Option<NewPane>,
    /// Hints to show one after the other (`paralane demo`).
    pub hints: Vec<Hint>,
}

/// A pane lane for a program, named after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewPane {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// In the base checkout itself, without a worktree.
    pub here: bool,
}

/// A line that leads a newcomer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hint {
    /// What can be done now.
    pub text: String,
    /// What takes its place by the next one.
    pub until: HintUntil,
}

/// What a newcomer has to have done for a hint to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HintUntil {
    /// An approval was answered, or is no longer asked.
    Approval,
    /// A conflict was decided, or is over.
    Conflict,
    /// A prompt was sent.
    Prompt,
    /// A pane was typed into and left.
    Pane,
    /// Keys or commands were looked up.
    Help,
    /// Only the key for the next hint.
    Asked,
}

/// One command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CommandHello {
    /// The arguments as a shell would give them, without the program's name.
    pub arguments: Vec<String>,
}

/// A lane's program, or what it has started.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolsHello {
    /// Says which lane; secret.
    pub token: String,
}

impl std::fmt::Debug for ToolsHello {
    /// Without the token.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ToolsHello")
    }
}

/// A hook of a lane's native CLI.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookHello {
    /// Says which lane; secret.
    pub token: String,
    /// The event, by the CLI's own name.
    pub event: String,
    /// What the CLI gave it. Untrusted.
    pub payload: String,
}

impl std::fmt::Debug for HookHello {
    /// Without the token and what the CLI said.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HookHello").field("event", &self.event).finish_non_exhaustive()
    }
}

/// What a client sends after its hello.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ClientMessage {
    /// The hello; exactly once, first.
    Hello(Hello),
    /// Something was typed.
    Input(InputEvent),
    /// The terminal has another size.
    Resized(Size),
    /// The output with this number has been written to the terminal.
    Shown(u64),
    /// The window goes; the work stays.
    Detach,
    /// The editor has ended, or could not be started; the window shows again.
    Edited(Result<(), Report>),
}

/// Why a window ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndReason {
    /// The person detached.
    Detached,
    /// The workstation ended in order.
    Quit,
    /// The workstation ends because of a fault.
    Fault,
}

/// The reply to a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// For standard output.
    pub output: String,
    /// For standard error.
    pub error: Option<Report>,
    /// The exit status.
    pub status: u8,
}

impl Reply {
    /// It went well.
    pub fn done(output: impl Into<String>) -> Self {
        Self { output: output.into(), error: None, status: 0 }
    }

    /// It did not.
    #[must_use]
    pub fn failed(report: Report) -> Self {
        Self { output: String::new(), status: report.exit_status(), error: Some(report) }
    }
}

/// What the workstation sends. Terminal output travels as its own kind of frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ServerMessage {
    /// The window is attached.
    Welcome {
        /// Its id.
        window: WindowId,
    },
    /// The hello was refused: another version, no room, no terminal.
    Refused(Report),
    /// From here on the connection carries MCP.
    Tools,
    /// The reply to a command; the connection ends after it.
    Reply(Reply),
    /// The window is to open a text in the person's editor, and to show nothing meanwhile.
    Edit {
        /// What the text is called.
        name: String,
        /// The text. Untrusted.
        text: String,
        /// The line to begin at, from 1.
        line: u64,
    },
    /// A piece of a paste was taken: the window may send one more.
    PasteTaken,
    /// The window ends: restore the terminal, print the words, exit.
    Ended {
        /// Why.
        reason: EndReason,
        /// A plain line for the person; may be empty.
        words: String,
    },
}
