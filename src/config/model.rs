//! The effective configuration.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Hook, Problem, Rules, Sandbox};
use crate::domain::{EventBounds, ForgeKind, Key, Limit, Mode, Period, Price};

/// Which file a value stands in. The order is the order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// The machine's, set by its administrator.
    Managed,
    /// The person's own.
    User,
    /// The repository's.
    Project,
    /// One lane's own.
    Lane,
}

impl Layer {
    /// The word people and JSON use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::Project => "project",
            Self::Lane => "lane",
        }
    }
}

/// A file's text as the caller read it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LayerFile {
    /// Its path, for messages.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// The files that exist.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layers {
    /// The machine's.
    pub managed: Option<LayerFile>,
    /// The person's own.
    pub user: Option<LayerFile>,
    /// The repository's.
    pub project: Option<LayerFile>,
    /// Whether the person trusts the project file as it stands. If not, it counts for nothing, and its
    /// faults are not told either.
    pub project_trusted: bool,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// No file names it.
    BuiltIn,
    /// A file's line.
    File {
        /// Which layer.
        layer: Layer,
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
    },
    /// The rules of one lane.
    Lane {
        /// Its name.
        lane: String,
        /// Which of its rules, from 1.
        number: usize,
    },
}

impl Origin {
    /// Whether a file of the repository says it.
    #[must_use]
    pub const fn is_project(&self) -> bool {
        matches!(self, Self::File { layer: Layer::Project, .. })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built in"),
            Self::File { layer, file, line } => write!(f, "{} {file}:{line}", layer.word()),
            Self::Lane { lane, number } => write!(f, "lane {lane}, its rule {number}"),
        }
    }
}

/// One effective value, for the command `config`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// Its key: `scheduler.max_running`.
    pub key: String,
    /// Its value.
    pub value: serde_json::Value,
    /// Where it comes from.
    pub origin: Origin,
}

/// The wire language of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// Chat completions as many servers speak them.
    #[default]
    OpenaiChat,
    /// OpenAI's Responses.
    OpenaiResponses,
    /// Anthropic's Messages.
    Anthropic,
    /// Gemini's generateContent.
    Gemini,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::OpenaiChat, Self::OpenaiResponses, Self::Anthropic, Self::Gemini];

    /// The word people and files use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }
}

/// How long a model is to think before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// Little.
    Low,
    /// As usual.
    Medium,
    /// Long.
    High,
}

impl Effort {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// The word people, files and servers use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// Percent of a window at which conversations are compacted, unless somebody said otherwise.
pub const COMPACT_AT: u8 = 80;

/// A model server.
#[derive(Debug, Clone, PartialEq)]
pub struct Provider {
    /// Its name in the configuration.
    pub name: String,
    /// What it speaks.
    pub dialect: Dialect,
    /// Its address, without a slash at the end.
    pub base_url: String,
    /// The model, unless the person chose another.
    pub model: String,
    /// The environment variable that holds the key, if it needs one.
    pub api_key_env: Option<String>,
    /// The header that the key goes into, where it is not the dialect's own.
    pub api_key_header: Option<String>,
    /// Further headers by name; no secrets.
    pub headers: BTreeMap<String, String>,
    /// Further headers whose values stand in environment variables, by header name.
    pub headers_env: BTreeMap<String, String>,
    /// What is added to each address after `?`, by name; no secrets.
    pub query: BTreeMap<String, String>,
    /// Tokens a request may hold, if known.
    pub context_window: Option<u64>,
    /// Percent of that at which conversations are compacted; 0: never by themselves. Always there once loaded.
    pub compact_at: Option<u8>,
    /// Tokens one answer may have; none: the server's default, or ours where the dialect wants a number.
    pub max_output: Option<u64>,
    /// How long the model is to think; none: as the server likes.
    pub reasoning: Option<Effort>,
    /// Seconds of silence after which a stream is dead.
    pub silence: u64,
    /// What a token of `model` costs, if known.
    pub price: Option<Price>,
    /// What a token of other models costs, by name.
    pub prices: BTreeMap<String, Price>,
    /// Prompts that may run on it at once, if limited.
    pub max_running: Option<usize>,
}

impl Provider {
    /// What a token costs, by model, where that is known.
    pub fn all_prices(&self) -> BTreeMap<String, Price> {
        let own = self.price.map(|price| (self.model.clone(), price));
        own.into_iter().chain(self.prices.clone()).collect()
    }

    /// The environment variables that hold its secrets.
    pub fn key_variables(&self) -> Vec<String> {
        self.api_key_env.iter().chain(self.headers_env.values()).cloned().collect()
    }
}

/// A budget of the configuration. It is counted by what calls come to, not here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// Its name in the configuration.
    pub name: String,
    /// Only this lane's calls, by name.
    pub lane: Option<String>,
    /// Only calls to this provider.
    pub provider: Option<String>,
    /// For how long it counts.
    pub per: Period,
    /// How much.
    pub limit: Limit,
    /// Warns at so many percent.
    pub warn: u8,
    /// Whether calls that would pass it are not made.
    pub stop: bool,
    /// Where it stands.
    pub origin: Origin,
}

/// Defaults of own agents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Agent {
    /// The default provider: the one named, or the only one there is.
    pub provider: Option<String>,
    /// Further providers, in order.
    pub fallback: Vec<String>,
    /// How freely own agents may act.
    pub mode: Mode,
    /// Seconds at rest after which a large conversation is compacted; none: never.
    pub compact_idle: Option<u64>,
}

/// Limits of the scheduler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheduler {
    /// Prompts that may run at once.
    pub max_running: usize,
    /// Whether unmerged changes of a lane at rest block, instead of warn.
    pub block_on_unmerged: bool,
}

impl Default for Scheduler {
    fn default() -> Self {
        Self { max_running: 8, block_on_unmerged: false }
    }
}

/// Limits of coordination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coordination {
    /// Issues that one lane may own at once.
    pub claims_per_lane: usize,
}

impl Default for Coordination {
    fn default() -> Self {
        Self { claims_per_lane: 32 }
    }
}

/// What own agents may fetch from the web.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Web {
    /// Hosts whose pages need no asking: `docs.rs`, `*.example.com`.
    pub allow: Vec<String>,
    /// `host:port` of servers in private networks or on this machine that may be fetched from all the same.
    pub private: Vec<String>,
}

/// Questions to the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Approvals {
    /// Seconds after which one that nobody has answered expires; none: never.
    pub expire: Option<u64>,
}

/// How lanes are made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lanes {
    /// Where worktrees go; none: under the state directory.
    pub worktrees: Option<PathBuf>,
    /// Untracked files to copy into a new lane, relative to the repository's root.
    pub copy: Vec<String>,
    /// The program to run in a new lane before its session, with its arguments; empty for none.
    pub init: Vec<String>,
}

/// A way to ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Notify {
    /// BEL.
    Bell,
    /// OSC 9.
    Osc9,
    /// OSC 777.
    Osc777,
}

/// How the window looks and rings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ui {
    /// The theme's name.
    pub theme: String,
    /// The leader key.
    pub leader: Key,
    /// How to ring; empty for silence.
    pub notify: Vec<Notify>,
}

impl Default for Ui {
    fn default() -> Self {
        Self { theme: "paralane-dark".to_owned(), leader: Key::ctrl('g'), notify: vec![Notify::Bell] }
    }
}

/// The effective configuration.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config {
    /// Model servers by name.
    pub providers: BTreeMap<String, Provider>,
    /// Defaults of own agents.
    pub agent: Agent,
    /// Limits of the scheduler.
    pub scheduler: Scheduler,
    /// Limits of coordination.
    pub coordination: Coordination,
    /// How much of history is kept.
    pub events: EventBounds,
    /// Where issues are kept outside.
    pub forge: ForgeKind,
    /// What own agents may fetch from the web.
    pub web: Web,
    /// Tool servers of own agents, by name.
    pub servers: Vec<super::Server>,
    /// Native CLIs under names of the person's own, and their logins.
    pub clis: super::Clis,
    /// Budgets, by name.
    pub budgets: Vec<Budget>,
    /// How lanes are made.
    pub lanes: Lanes,
    /// Programs that run at certain moments of an own agent's work, the machine's first.
    pub hooks: Vec<Hook>,
    /// How the window looks and rings.
    pub ui: Ui,
    /// What keeps own agents' commands in their lanes.
    pub sandbox: Sandbox,
    /// What agents may do, as written.
    pub rules: Rules,
    /// How long questions wait for an answer.
    pub approvals: Approvals,
    /// Every effective value with its origin, sorted by key.
    pub settings: Vec<Setting>,
    /// Values that do not count because a lower layer may not loosen a higher one.
    pub notices: Vec<Problem>,
}

impl Config {
    /// Where the effective value of a key comes from.
    pub fn origin(&self, key: &str) -> Origin {
        self.settings.iter().find(|setting| setting.key == key).map_or(Origin::BuiltIn, |found| found.origin.clone())
    }
}
