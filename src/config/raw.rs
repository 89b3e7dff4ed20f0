//! One file's keys as `serde` reads them; everything may be absent, numbers are checked later.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::rules::{RawEntry, RawPolicy};

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawConfig {
    pub providers: BTreeMap<String, RawProvider>,
    pub agent: RawAgent,
    pub scheduler: RawScheduler,
    pub web: RawWeb,
    pub budgets: BTreeMap<String, RawBudget>,
    pub lanes: RawLanes,
    pub ui: RawUi,
    pub rule: Vec<RawEntry>,
    pub policy: RawPolicy,
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
