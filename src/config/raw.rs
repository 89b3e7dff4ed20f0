//! One file's keys as `serde` reads them; everything may be absent, numbers are checked later.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use super::rules::{RawEntry, RawPolicy};

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawConfig {
    pub providers: BTreeMap<String, RawProvider>,
    pub agent: RawAgent,
    pub scheduler: RawScheduler,
    pub events: RawEvents,
    pub forge: RawForge,
    pub web: RawWeb,
    pub mcp: BTreeMap<String, RawServer>,
    pub clis: BTreeMap<String, RawCli>,
    pub credentials: BTreeMap<String, RawCredentials>,
    pub budgets: BTreeMap<String, RawBudget>,
    pub lanes: RawLanes,
    pub hook: Vec<RawHook>,
    pub ui: RawUi,
    pub sandbox: RawSandbox,
    pub coordination: RawCoordination,
    pub rule: Vec<RawEntry>,
    pub policy: RawPolicy,
    pub approvals: RawApprovals,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawProvider {
    pub dialect: Option<String>,
    pub base_url: Option<String>,
    pub model: Option<String>,
    pub api_key_env: Option<String>,
    pub api_key_header: Option<String>,
    pub headers: Option<BTreeMap<String, String>>,
    pub headers_env: Option<BTreeMap<String, String>>,
    pub query: Option<BTreeMap<String, String>>,
    pub context_window: Option<i64>,
    pub compact_at: Option<i64>,
    pub max_output: Option<i64>,
    pub reasoning: Option<String>,
    pub silence: Option<i64>,
    pub price: Option<RawPrice>,
    pub prices: Option<BTreeMap<String, RawPrice>>,
    pub max_running: Option<i64>,
}

/// Per million tokens.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPrice {
    pub input: f64,
    #[serde(default)]
    pub cached: Option<f64>,
    #[serde(default)]
    pub cache_write: Option<f64>,
    pub output: f64,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawBudget {
    pub lane: Option<String>,
    pub provider: Option<String>,
    pub per: Option<String>,
    pub tokens: Option<i64>,
    pub money: Option<f64>,
    pub warn: Option<i64>,
    pub stop: Option<bool>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawAgent {
    pub provider: Option<String>,
    pub fallback: Option<Vec<String>>,
    pub mode: Option<String>,
    pub compact_at: Option<i64>,
    pub compact_idle: Option<i64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawCoordination {
    pub claims_per_lane: Option<i64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawForge {
    pub kind: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawEvents {
    pub keep: Option<i64>,
    pub days: Option<i64>,
    pub mail: Option<i64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawScheduler {
    pub max_running: Option<i64>,
    pub block_on_unmerged: Option<bool>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawWeb {
    pub allow: Option<Vec<String>>,
    pub private: Option<Vec<String>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawLanes {
    pub worktrees: Option<String>,
    pub copy: Option<Vec<String>>,
    pub init: Option<Vec<String>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawUi {
    pub theme: Option<String>,
    pub leader: Option<String>,
    pub notify: Option<Vec<String>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawHook {
    pub event: Option<String>,
    #[serde(rename = "match")]
    pub tools: Option<OneOrMany>,
    pub command: Option<Vec<String>>,
    pub timeout: Option<i64>,
    pub lane: Option<String>,
    pub sandbox: Option<bool>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawApprovals {
    pub expire: Option<String>,
    pub two_person: Option<Vec<String>>,
}

/// A word, or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawServer {
    pub command: Option<Vec<String>>,
    pub url: Option<String>,
    pub env: Option<Vec<String>>,
    pub headers_env: Option<BTreeMap<String, String>>,
    pub allow: Option<Vec<String>>,
    pub deny: Option<Vec<String>>,
    pub timeout: Option<i64>,
    pub sandbox: Option<bool>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawCli {
    pub cli: Option<String>,
    pub model: Option<String>,
    pub set: BTreeMap<String, String>,
    pub from: BTreeMap<String, String>,
    pub args: Option<Vec<String>>,
    pub off: bool,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawCredentials {
    pub home: Option<PathBuf>,
    pub env: Option<Vec<String>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawSandbox {
    pub mode: Option<String>,
    pub network: Option<String>,
    pub hosts: Option<Vec<String>>,
    pub required: Option<bool>,
    pub write: Option<Vec<String>>,
    pub hide: Option<Vec<String>>,
    pub processes: Option<i64>,
    pub memory: Option<i64>,
}
