//! What configuration and project say, ready for use: no file is read here.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::ConfiguredBudget;
use crate::base::Report;
use crate::config::{Clis, Hook, Server, Web};
use crate::coordination::Fold;
use crate::domain::{BaseRef, Cli, EventBounds, ForgeKind, Key, Mode, Price};
use crate::policy::Policy;

/// The project under this workstation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectInfo {
    /// The repository directory's name.
    pub name: String,
    /// The base checkout's root.
    pub root: PathBuf,
    /// What is checked out there.
    pub base: BaseRef,
}

/// One configured model server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderInfo {
    /// Its name in the configuration.
    pub name: String,
    /// The model used unless a lane names another.
    pub model: String,
    /// How many turns may run on it at once, if limited.
    pub max_running: Option<usize>,
    /// Tokens the model can take, if known.
    pub context_window: Option<u64>,
    /// Percent of that at which conversations are compacted; 0: never by themselves.
    pub compact_at: u8,
    /// What a token costs, by model, where that is known.
    pub prices: BTreeMap<String, Price>,
}

/// What of the project the person has not trusted: its configuration, or files that hooks run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UntrustedConfig {
    /// The file; of several that hooks run, the first.
    pub path: PathBuf,
    /// SHA-256 of all that is shown, hexadecimal.
    pub hash: String,
    /// Its content, to be shown in full.
    pub content: String,
    /// What is kept when it is trusted.
    pub marks: Vec<String>,
    /// What it is.
    pub what: Untrusted,
}

/// What is not trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Untrusted {
    /// The configuration, and files that its hooks run.
    Config {
        /// How many hooks it has.
        hooks: usize,
    },
    /// Files that hooks run: these do not run.
    HookFiles,
}

/// A native CLI on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundCli {
    /// Which.
    pub cli: Cli,
    /// Its program on the PATH, if it is there.
    pub path: Option<PathBuf>,
    /// Its version, as far as it can be told without running it.
    pub version: Option<String>,
}

impl FoundCli {
    /// Which version it is, where that is another than the one that was tried.
    #[must_use]
    pub fn untried(&self) -> Option<String> {
        let (cli, tried) = (self.cli, self.cli.tried());
        self.path.as_ref()?;
        match self.version.as_deref() {
            Some(version) if version == tried => None,
            Some(version) => Some(format!("{cli} {version}, and {tried} was tried")),
            None => Some(format!("{cli} of a version that cannot be told, and {tried} was tried")),
        }
    }
}

/// Settings in force.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The project.
    pub project: ProjectInfo,
    /// The database's path.
    pub store: PathBuf,
    /// Where new worktrees go; each lane gets a directory of its name below.
    pub worktrees: PathBuf,
    /// This program's version.
    pub version: String,
    /// Configured model servers by name.
    pub providers: Vec<ProviderInfo>,
    /// The default one.
    pub provider: Option<String>,
    /// The mode for lanes without one of their own, unless the person chose another.
    pub mode: Mode,
    /// Where that mode stands: a file and line, or `built in`.
    pub mode_place: String,
    /// Turns that may run at once.
    pub max_running: usize,
    /// Issues that one lane may own at once.
    pub claims_per_lane: usize,
    /// Whether unmerged changes of a lane at rest hold a prompt back instead of warning.
    pub block_on_unmerged: bool,
    /// How much of history is kept.
    pub events: EventBounds,
    /// Where issues are kept outside.
    pub forge: ForgeKind,
    /// Seconds at rest after which a large conversation is compacted; none: never.
    pub compact_idle: Option<u64>,
    /// What own agents may fetch from the web.
    pub web: Web,
    /// Hooks, in the order in which they run.
    pub hooks: Vec<Hook>,
    /// Where the person's own skills stand.
    pub own_skills: Option<PathBuf>,
    /// Tool servers of own agents.
    pub servers: Vec<Server>,
    /// Which names of files are one name here.
    pub fold: Fold,
    /// What agents may do.
    pub policy: Arc<Policy>,
    /// Seconds after which a question that nobody has answered expires; none: never.
    pub approval_expire: Option<u64>,
    /// Budgets of the configuration.
    pub budgets: Vec<ConfiguredBudget>,
    /// Whether new lanes get files copied or a command run.
    pub set_up: SetUp,
    /// The leader key.
    pub leader: Key,
    /// The theme's name.
    pub theme: String,
    /// Whether somebody chose that theme; if not, a light terminal gets the light one.
    pub theme_chosen: bool,
    /// Names of all themes.
    pub themes: Vec<String>,
    /// How to ring: `bell`, `osc9`, `osc777`.
    pub notify: Vec<String>,
    /// What keeps own agents' commands in their lanes.
    pub walls: WallFacts,
    /// What of the project is not trusted.
    pub untrusted: Option<UntrustedConfig>,
    /// Values that are there and do not count.
    pub notices: Vec<Report>,
    /// Whether no model server is configured anywhere, so that set-up is offered.
    pub first_run: bool,
    /// The native CLIs that are known, as far as they are there.
    pub clis: Vec<FoundCli>,
    /// Native CLIs under names of the person's own, and their logins.
    pub cli_names: Clis,
    /// The effective configuration in words, one `key = value  # place` a line, for `config`.
    pub explained: Vec<String>,
}

impl Settings {
    /// How many hooks the repository brings that do not run because its configuration is not trusted.
    #[must_use]
    pub fn unused_hooks(&self) -> usize {
        match self.untrusted.as_ref().map(|untrusted| untrusted.what) {
            // Those that were trusted before go on until the person has decided about the new ones.
            Some(Untrusted::Config { hooks }) if !self.hooks.iter().any(Hook::of_project) => hooks,
            _ => 0,
        }
    }
}

/// What is done in a new lane's worktree before its session starts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SetUp {
    /// Untracked files to copy, relative to the base checkout.
    pub copy: Vec<String>,
    /// A command and its arguments to run, if any.
    pub init: Vec<String>,
}

/// What keeps own agents' commands in their lanes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WallFacts {
    /// Whether they are confined at all.
    pub on: bool,
    /// Whether they may use the network.
    pub network: bool,
    /// How many hosts or patterns of hosts are reached while it may not.
    pub hosts: usize,
    /// Whether nothing is run where a wall is missing.
    pub required: bool,
    /// The machine has not been looked at yet.
    pub unknown: bool,
    /// What the machine lacks, one sentence each.
    pub lacks: Vec<String>,
    /// What the machine has, one fact each.
    pub lines: Vec<String>,
}

impl WallFacts {
    /// The machine was looked at: what it lacks, how each wall stands, and whether there can be a door to listed hosts.
    pub fn known(&mut self, lacks: Vec<String>, lines: Vec<String>, door: bool) {
        (self.unknown, self.lacks, self.lines) = (false, lacks, lines);
        if !door {
            self.hosts = 0;
        }
    }

    /// What holds for a command, in few words.
    #[must_use]
    pub fn words(&self) -> String {
        let sandboxed = match (self.on, self.lacks.is_empty()) {
            (false, _) => return "not sandboxed".to_owned(),
            (true, _) if self.unknown => "sandboxed as far as can be",
            (true, true) => "sandboxed",
            (true, false) => "sandboxed in part",
        };
        let network = match (self.network, self.hosts) {
            (true, _) => "on".to_owned(),
            (false, 0) => "off".to_owned(),
            (false, 1) => "for 1 host".to_owned(),
            (false, hosts) => format!("for {hosts} hosts"),
        };
        format!("{sandboxed} · network {network}")
    }
}
