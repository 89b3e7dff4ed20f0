//! Merges the layers key by key and checks what came out.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::document::Document;
use super::hooks::{self, Hook};
use super::leader::{leader_word, parse_leader};
use super::model::{Budget, COMPACT_AT, Config, Layer, Layers, Origin, Provider, Setting};
use super::problem::{Problem, Problems};
use super::raw::{RawBudget, RawConfig, RawProvider};
use super::rules;
use super::values::{self, Fault};
use crate::base::{length_words, nearest};
use crate::domain::{Limit, Mode, Period, WARN_PERCENT};

/// Seconds. Large models on small machines read a long prompt for minutes before the first word.
const DEFAULT_SILENCE: u64 = 300;

impl Config {
    /// The effective configuration of these layers: a higher one wins, key by key. `themes` are the names
    /// that `ui.theme` may take.
    ///
    /// `agent.mode` is the exception: each layer may only make it stricter than the one above it.
    ///
    /// # Errors
    /// Everything that is wrong in the files that count.
    pub fn load(layers: &Layers, themes: &[&str]) -> Result<Self, Problems> {
        let project = layers.project.as_ref().filter(|_| layers.project_trusted);
        let files =
            [(Layer::Managed, layers.managed.as_ref()), (Layer::User, layers.user.as_ref()), (Layer::Project, project)];
        let mut merge = Merge::default();
        for (layer, file) in files.into_iter().filter_map(|(layer, file)| file.map(|file| (layer, file))) {
            match Document::parse(layer, file) {
                Ok(document) => merge.documents.push(document),
                Err(mut problems) => merge.problems.append(&mut problems),
            }
        }
        let mut config = merge.config(themes);
        if !merge.problems.is_empty() {
            return Err(Problems(merge.problems));
        }
        merge.settings.sort_by(|a, b| a.key.cmp(&b.key));
        config.settings = merge.settings;
        config.notices = merge.notices;
        Ok(config)
    }
}

/// The merge on its way.
#[derive(Default)]
pub(super) struct Merge {
    /// From the highest layer.
    pub documents: Vec<Document>,
    pub problems: Vec<Problem>,
    pub notices: Vec<Problem>,
    pub settings: Vec<Setting>,
}

impl Merge {
    fn config(&mut self, themes: &[&str]) -> Config {
        let mut config = Config::default();
        let names: BTreeSet<String> = self.documents.iter().flat_map(|d| d.raw.providers.keys().cloned()).collect();
        for name in names {
            if let Some(provider) = self.provider(&name) {
                config.providers.insert(name, provider);
            }
        }
        self.agent(&mut config);
        config.budgets = self.budgets();
        config.hooks = self.hooks();
        config.servers = self.servers(&config);
        config.clis = super::clis::read(&self.documents, &mut self.settings, &mut self.problems);
        config.rules = rules::gather(&self.documents);

        let scheduler = &mut config.scheduler;
        self.set("scheduler.max_running", &mut scheduler.max_running, |r| r.scheduler.max_running, values::max_running);
        self.set(
            "scheduler.block_on_unmerged",
            &mut scheduler.block_on_unmerged,
            |r| r.scheduler.block_on_unmerged,
            Ok,
        );

        let claims = &mut config.coordination.claims_per_lane;
        self.set("coordination.claims_per_lane", claims, |r| r.coordination.claims_per_lane, values::claims_per_lane);
        let events = &mut config.events;
        self.set("events.keep", &mut events.keep, |r| r.events.keep, values::events_kept);
        self.set("events.days", &mut events.days, |r| r.events.days, values::event_days);
        self.set("events.mail", &mut events.mail, |r| r.events.mail, values::mail_kept);

        self.set("forge.kind", &mut config.forge, |r| r.forge.kind.clone(), |text| values::forge(&text));
        let approvals = &mut config.approvals;
        self.set(
            "approvals.expire",
            &mut approvals.expire,
            |r| r.approvals.expire.clone(),
            |text| values::expire(&text).map(Some),
        );
        self.show(config.approvals.expire.map(length_words));

        let web = &mut config.web;
        self.set("web.allow", &mut web.allow, |r| r.web.allow.clone(), |hosts| values::hosts(&hosts));
        self.set("web.private", &mut web.private, |r| r.web.private.clone(), |hosts| values::servers(&hosts));

        let lanes = &mut config.lanes;
        self.set("lanes.worktrees", &mut lanes.worktrees, |r| r.lanes.worktrees.clone(), |text| Ok(Some(text.into())));
        self.set("lanes.copy", &mut lanes.copy, |r| r.lanes.copy.clone(), |paths| values::copy(&paths));
        self.set("lanes.init", &mut lanes.init, |r| r.lanes.init.clone(), |words| values::init(&words));

        let ui = &mut config.ui;
        self.set("ui.theme", &mut ui.theme, |r| r.ui.theme.clone(), |text| values::theme(&text, themes));
        self.set("ui.notify", &mut ui.notify, |r| r.ui.notify.clone(), |words| values::notify(&words));
        let mut leader = leader_word(ui.leader).to_lowercase();
        self.set(
            "ui.leader",
            &mut leader,
            |r| r.ui.leader.clone(),
            |text| match parse_leader(&text) {
                Ok(_) => Ok(text),
                Err(message) => Err((message, "write it like `ctrl-g`".to_owned())),
            },
        );
        if let Ok(key) = parse_leader(&leader) {
            ui.leader = key;
        }
        self.sandbox(&mut config.sandbox);
        config
    }

    /// The value of the highest layer that names the key, checked; what stood there before is the default.
    fn set<T, V: Serialize>(
        &mut self,
        key: &str,
        slot: &mut V,
        get: impl Fn(&RawConfig) -> Option<T>,
        check: impl FnOnce(T) -> Result<V, Fault>,
    ) {
        let mut origin = Origin::BuiltIn;
        if let Some((document, raw)) = self.documents.iter().find_map(|d| get(&d.raw).map(|value| (d, value))) {
            match check(raw) {
                Ok(value) => {
                    *slot = value;
                    origin = document.origin(key);
                }
                Err((message, hint)) => self.problems.push(document.problem(key, message, hint)),
            }
        }
        self.note(key, slot, origin);
    }

    /// Shows the value that was set last in a form that people know.
    fn show(&mut self, value: impl Serialize) {
        if let Some(last) = self.settings.last_mut() {
            last.value = serde_json::to_value(value).unwrap_or_default();
        }
    }

    pub fn note(&mut self, key: &str, value: &impl Serialize, origin: Origin) {
        let value = serde_json::to_value(value).unwrap_or_default();
        self.settings.push(Setting { key: key.to_owned(), value, origin });
    }

    fn provider(&mut self, name: &str) -> Option<Provider> {
        let before = self.problems.len();
        let key = |leaf: &str| format!("providers.{name}.{leaf}");
        let of = |raw: &RawConfig| raw.providers.get(name).cloned().unwrap_or_default();
        let mut made = Provider {
            name: name.to_owned(),
            dialect: super::Dialect::default(),
            base_url: String::new(),
            model: String::new(),
            api_key_env: None,
            api_key_header: None,
            headers: BTreeMap::new(),
            headers_env: BTreeMap::new(),
            query: BTreeMap::new(),
            context_window: None,
            compact_at: None,
            max_output: None,
            reasoning: None,
            silence: DEFAULT_SILENCE,
            price: None,
            prices: BTreeMap::new(),
            max_running: None,
        };
        self.set(&key("dialect"), &mut made.dialect, |r| of(r).dialect, |text| values::dialect(&text));
        self.set(&key("base_url"), &mut made.base_url, |r| of(r).base_url, |text| values::base_url(&text));
        self.set(&key("model"), &mut made.model, |r| of(r).model, |text| values::model(&text));
        let some = |r: &RawConfig, get: fn(RawProvider) -> Option<i64>| get(of(r));
        self.set(
            &key("api_key_env"),
            &mut made.api_key_env,
            |r| of(r).api_key_env,
            |text| values::api_key_env(&text).map(Some),
        );
        self.set(
            &key("context_window"),
            &mut made.context_window,
            |r| some(r, |p| p.context_window),
            |n| values::context_window(n).map(Some),
        );
        self.set(
            &key("compact_at"),
            &mut made.compact_at,
            |r| some(r, |p| p.compact_at),
            |n| values::compact_at(n).map(Some),
        );
        self.set(
            &key("api_key_header"),
            &mut made.api_key_header,
            |r| of(r).api_key_header,
            |text| values::header_name(&text).map(Some),
        );
        self.set(&key("headers"), &mut made.headers, |r| of(r).headers, values::headers);
        self.set(&key("headers_env"), &mut made.headers_env, |r| of(r).headers_env, values::headers_env);
        self.set(&key("query"), &mut made.query, |r| of(r).query, values::query);
        self.set(
            &key("max_output"),
            &mut made.max_output,
            |r| some(r, |p| p.max_output),
            |n| values::max_output(n).map(Some),
        );
        self.set(
            &key("reasoning"),
            &mut made.reasoning,
            |r| of(r).reasoning,
            |text| values::reasoning(&text).map(Some),
        );
        self.set(&key("silence"), &mut made.silence, |r| some(r, |p| p.silence), values::silence);
        self.set(&key("price"), &mut made.price, |r| of(r).price, |price| values::price(price).map(Some));
        self.show(made.price.map(|price| values::shown_price(&price)));
        self.set(&key("prices"), &mut made.prices, |r| of(r).prices, values::prices);
        let prices: BTreeMap<_, _> =
            made.prices.iter().map(|(model, price)| (model, values::shown_price(price))).collect();
        self.show(&prices);
        self.set(
            &key("max_running"),
            &mut made.max_running,
            |r| some(r, |p| p.max_running),
            |n| values::max_running(n).map(Some),
        );
        for (leaf, example) in [("base_url", "http://127.0.0.1:8080/v1"), ("model", "some-model")] {
            if !self.documents.iter().any(|document| document.has(&key(leaf))) {
                let table = format!("providers.{name}");
                if let Some(document) = self.documents.iter().find(|document| document.has(&table)) {
                    let hint = format!("add `{leaf} = \"{example}\"`");
                    self.problems.push(document.table_problem(&table, format!("lacks `{leaf}`"), hint));
                }
            }
        }
        (self.problems.len() == before).then_some(made)
    }

    /// Each budget as the highest file has it that names it: a lower one must not loosen it by single keys. Budgets
    /// of other names only tighten.
    fn budgets(&mut self) -> Vec<Budget> {
        let providers: BTreeSet<String> = self.documents.iter().flat_map(|d| d.raw.providers.keys().cloned()).collect();
        let names: BTreeSet<String> = self.documents.iter().flat_map(|d| d.raw.budgets.keys().cloned()).collect();
        let mut budgets = Vec::new();
        for name in names {
            let Some((document, raw)) = self.documents.iter().find_map(|d| Some((d, d.raw.budgets.get(&name)?))) else {
                continue;
            };
            let table = format!("budgets.{name}");
            match budget(&name, raw, &providers, document.origin(&table)) {
                Ok(budget) => {
                    let limit = match budget.limit {
                        Limit::Tokens(_) => "tokens",
                        Limit::Money(_) => "money",
                    };
                    let value = serde_json::json!({
                        "lane": budget.lane,
                        "provider": budget.provider,
                        "per": budget.per.word(),
                        limit: budget.limit.to_string(),
                        "warn": budget.warn,
                        "stop": budget.stop,
                    });
                    self.settings.push(Setting { key: table, value, origin: budget.origin.clone() });
                    budgets.push(budget);
                }
                Err((message, hint)) => self.problems.push(document.table_problem(&table, message, hint)),
            }
        }
        budgets
    }

    /// The hooks of all files, the machine's first.
    fn hooks(&mut self) -> Vec<Hook> {
        let mut hooks = Vec::new();
        for document in &self.documents {
            for found in hooks::of(document) {
                match found {
                    Ok(hook) => {
                        let value = serde_json::json!({
                            "event": hook.event.word(),
                            "match": hook.tools,
                            "command": hook.command,
                            "timeout": hook.timeout,
                            "lane": hook.lane,
                            "sandbox": hook.sandbox,
                        });
                        let key = format!("hook[{}]", hooks.len());
                        self.settings.push(Setting { key, value, origin: hook.origin.clone() });
                        hooks.push(hook);
                    }
                    Err((key, (message, hint))) => self.problems.push(document.problem(&key, message, hint)),
                }
            }
        }
        hooks
    }

    fn servers(&mut self, config: &Config) -> Vec<super::Server> {
        let keys = config.providers.values().flat_map(Provider::key_variables).collect();
        let mut read = super::servers::read(&self.documents, &keys);
        self.settings.append(&mut read.settings);
        self.problems.append(&mut read.problems);
        read.servers
    }

    fn agent(&mut self, config: &mut Config) {
        let mut known: Vec<String> = self.documents.iter().flat_map(|d| d.raw.providers.keys().cloned()).collect();
        known.sort();
        known.dedup();
        let exists = |name: &str| -> Result<(), Fault> {
            if known.iter().any(|known| known == name) {
                return Ok(());
            }
            let hint = match nearest(name, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("add a table `[providers.{name}]`"),
            };
            Err((format!("there is no provider `{name}`"), hint))
        };
        let agent = &mut config.agent;
        // With one provider there is nothing to choose.
        agent.provider = Some(&known).filter(|known| known.len() == 1).and_then(|known| known.first().cloned());
        self.set(
            "agent.provider",
            &mut agent.provider,
            |r| r.agent.provider.clone(),
            |name| exists(&name).map(|()| Some(name)),
        );
        self.set(
            "agent.fallback",
            &mut agent.fallback,
            |r| r.agent.fallback.clone(),
            |names| names.iter().try_for_each(|name| exists(name)).map(|()| names),
        );
        let mut compact_at = COMPACT_AT;
        self.set("agent.compact_at", &mut compact_at, |r| r.agent.compact_at, values::compact_at);
        // What is said of a provider goes before what is said of all.
        for provider in config.providers.values_mut() {
            provider.compact_at.get_or_insert(compact_at);
        }
        self.set("agent.compact_idle", &mut agent.compact_idle, |r| r.agent.compact_idle, values::compact_idle);
        let (mode, origin) = self.mode();
        agent.mode = mode;
        self.note("agent.mode", &mode, origin);
    }

    /// The strictest wins: managed bounds the user's, and what came of both bounds the project's. The
    /// default bounds the project's too, but not the user's.
    fn mode(&mut self) -> (Mode, Origin) {
        const KEY: &str = "agent.mode";
        let mut stands: Option<(Mode, Origin)> = None;
        for document in &self.documents {
            let Some(text) = &document.raw.agent.mode else { continue };
            let mode = match values::mode(text) {
                Ok(mode) => mode,
                Err((message, hint)) => {
                    self.problems.push(document.problem(KEY, message, hint));
                    continue;
                }
            };
            let bound = match &stands {
                None if document.layer == Layer::Project => Some(Mode::default()),
                None => None,
                Some((mode, _)) => Some(*mode),
            };
            match bound {
                Some(bound) if strictness(mode) > strictness(bound) => {
                    let message = format!("`{}` is looser than `{}` and does not count", mode.word(), bound.word());
                    let hint = "a lower layer may only be stricter".to_owned();
                    self.notices.push(document.problem(KEY, message, hint));
                }
                _ => stands = Some((mode, document.origin(KEY))),
            }
        }
        stands.unwrap_or((Mode::default(), Origin::BuiltIn))
    }
}

fn budget(name: &str, raw: &RawBudget, providers: &BTreeSet<String>, origin: Origin) -> Result<Budget, Fault> {
    if let Some(provider) = raw.provider.as_ref().filter(|provider| !providers.contains(*provider)) {
        let hint = match nearest(provider, providers.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("add a table `[providers.{provider}]`"),
        };
        return Err((format!("counts `{provider}`, and there is no such provider"), hint));
    }
    if raw.lane.is_some() && raw.provider.is_some() {
        let message = "counts both a lane and a provider".to_owned();
        return Err((message, "make two budgets of it, each with its name".to_owned()));
    }
    Ok(Budget {
        name: name.to_owned(),
        lane: raw.lane.clone(),
        provider: raw.provider.clone(),
        per: raw.per.as_deref().map_or(Ok(Period::Day), values::period)?,
        limit: values::limit(raw.tokens, raw.money)?,
        warn: raw.warn.map_or(Ok(WARN_PERCENT), values::warn)?,
        stop: raw.stop.unwrap_or(true),
        origin,
    })
}

/// The place in the order from the strictest mode.
fn strictness(mode: Mode) -> usize {
    Mode::ALL.iter().position(|known| *known == mode).unwrap_or_default()
}
