//! Tool servers (MCP) of own agents: whose tool a call is, and what is known of a lane's servers while it works.

/// A tool that a server offers, as far as rules care.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerTool {
    /// The server's name in the configuration.
    pub server: String,
    /// The tool's name as the server has it, untouched. Escape before showing.
    pub tool: String,
    /// Whether the server says that it only reads: a hint of a stranger, never enough by itself.
    pub read_only: bool,
}

/// How a server stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ServerState {
    /// It is being started.
    Starting,
    /// It answers.
    Running,
    /// It ended, and is started again after a pause.
    Waiting,
    /// Its lane is at rest: it is started with the next prompt.
    Asleep,
    /// It ended too often, or could not be started: the person restarts it.
    Off,
}

impl ServerState {
    /// The word people and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Asleep => "asleep",
            Self::Off => "off",
        }
    }
}

/// One server of one lane, for the person. Texts come from the server: escape before showing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerView {
    /// Its name in the configuration.
    pub name: String,
    /// How it stands.
    pub state: ServerState,
    /// The tools that agents are given, by the server's own names.
    pub tools: Vec<ServerTool>,
    /// Tools that are not given, each with the reason.
    pub left_out: Vec<String>,
    /// Why it ended or did not start, last.
    pub error: Option<String>,
    /// The newest that it wrote to its error output.
    pub said: String,
    /// How often it was started in this lane.
    pub starts: u32,
}
