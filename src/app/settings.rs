//! What configuration and project say, ready for use: no file is read here.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::ConfiguredBudget;
use crate::base::Report;
use crate::config::Web;
use crate::domain::{BaseRef, Key, Mode, Price};
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
    /// What a token costs, by model, where that is known.
    pub prices: BTreeMap<String, Price>,
}

/// A project configuration that the person has not trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UntrustedConfig {
    /// The file.
    pub path: PathBuf,
    /// SHA-256 of its content, hexadecimal.
    pub hash: String,
    /// Its content, to be shown in full.
    pub content: String,
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
    /// Whether unmerged changes of a lane at rest hold a prompt back instead of warning.
    pub block_on_unmerged: bool,
    /// What own agents may fetch from the web.
    pub web: Web,
    /// What agents may do.
    pub policy: Arc<Policy>,
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
    /// The project's configuration, while it is not trusted.
    pub untrusted: Option<UntrustedConfig>,
    /// Values that are there and do not count.
    pub notices: Vec<Report>,
    /// Whether no model server is configured anywhere, so that set-up is offered.
    pub first_run: bool,
    /// The effective configuration in words, one `key = value  # place` a line, for `config`.
    pub explained: Vec<String>,
}

/// What is done in a new lane's worktree before its session starts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SetUp {
    /// Untracked files to copy, relative to the base checkout.
    pub copy: Vec<String>,
    /// A command and its arguments to run, if any.
    pub init: Vec<String>,
}
