//! The configuration files: read, judged and made into [`Settings`]; and written, for what a window saves.
//!
//! Managed, user and project file are layers that `config` merges. The project's file comes with the repository,
//! so it counts only when the person has trusted exactly its content (by hash); until then it is handed on to be
//! shown. Files are read where they stand and written atomically, for the owner only.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::home::{Home, managed_config, private_directory, project_config};
use super::hooks;
use super::natives;
use crate::app::{
    CliEdit, ConfiguredBudget, ProjectInfo, ProviderInfo, RuleEdit, RulesEdited, SetUp, Settings, Untrusted,
    UntrustedConfig, WallFacts,
};
use crate::base::{Report, sha256_hex, visible};
use crate::config::{
    self, Config, Hook, LayerFile, Layers, NewProvider, Notify, Origin, Setting, with_cli, with_provider, with_rule,
    with_theme, without_cli, without_rule, without_two_person,
};
use crate::coordination::Fold;
use crate::domain::{Budget, BudgetScope};
use crate::sandbox::Facts;
use crate::ui::THEMES;

/// Bytes a configuration file may have; what is longer is none.
const FILE_LIMIT: u64 = 1 << 20;

/// Everything the files say.
#[derive(Debug, Clone)]
pub struct Configuration {
    /// For the running whole.
    pub settings: Settings,
    /// How each provider is reached, by name.
    pub access: BTreeMap<String, ProviderAccess>,
    /// What keeps own agents' commands in their lanes.
    pub sandbox: config::Sandbox,
}

/// How a model server is reached.
#[derive(Debug, Clone, PartialEq)]
pub struct ProviderAccess {
    /// Everything the configuration says about it.
    pub settings: config::Provider,
    /// Who is asked when it does not answer, in order.
    pub fallback: Vec<String>,
}

/// Reads all layers. `trusted` holds the hashes of project files that the person trusted.
///
/// # Errors
/// A file that cannot be read or is malformed: with file, line and key.
pub fn read(home: &Home, project: &ProjectInfo, trusted: &BTreeSet<String>) -> Result<Configuration, Report> {
    let mut configuration = read_files(home, project, trusted)?;
    let (facts, walls) = (Facts::of_machine(), &mut configuration.settings.walls);
    walls.known(facts.lacks(), facts.lines(), facts.namespaces.is_ok());
    Ok(configuration)
}

/// The same without a look at what the machine has to confine commands, which takes a process.
///
/// # Errors
/// As for [`read`].
pub fn read_files(home: &Home, project: &ProjectInfo, trusted: &BTreeSet<String>) -> Result<Configuration, Report> {
    let mut layers = global_layers(home)?;
    let path = project_config(&project.root);
    let mut files = vec![file_line("managed", &managed_config(), layers.managed.is_some(), "")];
    files.extend(home.user_config().map(|path| file_line("user", path, layers.user.is_some(), "")));
    let mut untrusted = None;
    if let Some(file) = layer(&path)? {
        let hash = sha256_hex(file.text.as_bytes());
        layers.project_trusted = trusted.contains(&hash);
        if layers.project_trusted {
            layers.project = Some(file);
        } else {
            untrusted = Some(untrusted_config(path, hash, file, &project.root, trusted));
        }
    }
    let there = layers.project.is_some() || untrusted.is_some();
    files.push(file_line(
        "project",
        &project_config(&project.root),
        there,
        if layers.project.is_none() && untrusted.is_some() { ", not trusted" } else { "" },
    ));
    let mut config = Config::load(&layers, &THEMES).map_err(Report::from)?;
    config.hooks.iter_mut().for_each(at_home);
    if untrusted.is_none() {
        untrusted = untrusted_hook_files(&config.hooks, &project.root, trusted);
    }
    let place = home.project(&project.root)?;
    let worktrees = match &config.lanes.worktrees {
        Some(path) => project.root.join(expand_home(path)),
        None => place.worktrees().to_owned(),
    };
    let mut notices: Vec<Report> =
        config.notices.iter().map(|notice| Report::refused(notice.to_string()).hint(notice.hint.clone())).collect();
    let config::Sandbox { on, network, required, ref hosts, .. } = config.sandbox;
    let walls = WallFacts { on, network, hosts: hosts.len(), required, unknown: true, ..WallFacts::default() };
    let policy = super::rules::policy(&config.rules, &mut notices);
    let settings = Settings {
        project: project.clone(),
        store: place.store(),
        worktrees,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        providers: config
            .providers
            .values()
            .map(|provider| ProviderInfo {
                name: provider.name.clone(),
                model: provider.model.clone(),
                max_running: provider.max_running,
                context_window: provider.context_window,
                compact_at: provider.compact_at.unwrap_or(config::COMPACT_AT),
                prices: provider.all_prices(),
            })
            .collect(),
        provider: config.agent.provider.clone(),
        mode: config.agent.mode,
        mode_place: place_of(&config.origin("agent.mode")),
        max_running: config.scheduler.max_running,
        claims_per_lane: config.coordination.claims_per_lane,
        block_on_unmerged: config.scheduler.block_on_unmerged,
        events: config.events,
        forge: config.forge,
        compact_idle: config.agent.compact_idle,
        web: config.web.clone(),
        hooks: config.hooks.clone(),
        own_skills: home.user_config().and_then(Path::parent).map(|directory| directory.join("skills")),
        servers: config.servers.clone(),
        fold: fold(&project.root),
        policy: Arc::new(policy),
        approval_expire: config.approvals.expire,
        budgets: config.budgets.iter().map(budget).collect(),
        set_up: SetUp { copy: config.lanes.copy.clone(), init: config.lanes.init.clone() },
        leader: config.ui.leader,
        theme: config.ui.theme.clone(),
        theme_chosen: config.origin("ui.theme") != Origin::BuiltIn,
        themes: THEMES.iter().map(|&name| name.to_owned()).collect(),
        notify: config.ui.notify.iter().map(|way| notify_word(*way).to_owned()).collect(),
        walls,
        untrusted,
        notices,
        first_run: config.providers.is_empty(),
        clis: natives::found(),
        cli_names: config.clis.clone(),
        explained: files.into_iter().chain(config.settings.iter().filter_map(explain)).collect(),
    };
    let fallback = config.agent.fallback;
    let access = config
        .providers
        .into_values()
        .map(|settings| {
            let name = settings.name.clone();
            (name, ProviderAccess { settings, fallback: fallback.clone() })
        })
        .collect();
    Ok(Configuration { settings, access, sandbox: config.sandbox })
}

/// Which names are one name where the repository stands: asked of the file system itself, which has the repository's own
/// `.git` also as `.GIT` if it does not tell capitals apart. Those that do not, take Unicode's forms for one too, and so
/// do all of macOS's.
fn fold(root: &Path) -> Fold {
    let case = root.join(".git").exists() && root.join(".GIT").exists();
    Fold { case, form: case || cfg!(target_os = "macos") }
}

/// The project's configuration as it is shown to be trusted, with the files that its hooks run.
fn untrusted_config(
    path: PathBuf,
    hash: String,
    file: LayerFile,
    root: &Path,
    trusted: &BTreeSet<String>,
) -> UntrustedConfig {
    let mut content = file.text.clone();
    let layers = Layers { project: Some(file), project_trusted: true, ..Layers::default() };
    // One that cannot be read is shown all the same; what is wrong with it is told once it counts.
    let found = Config::load(&layers, &THEMES).map(|config| config.hooks).unwrap_or_default();
    let files = hooks::untrusted_files(&found, root, trusted);
    let mut marks = vec![hash.clone()];
    for file in &files {
        content.push('\n');
        content.push_str(&hooks::shown(file));
        marks.push(file.mark.clone());
    }
    let hash = if files.is_empty() { hash } else { sha256_hex(content.as_bytes()) };
    UntrustedConfig { path, hash, content, marks, what: Untrusted::Config { hooks: found.len() } }
}

/// Files that hooks run and that are not trusted as they stand, shown whole.
fn untrusted_hook_files(found: &[Hook], root: &Path, trusted: &BTreeSet<String>) -> Option<UntrustedConfig> {
    let files = hooks::untrusted_files(found, root, trusted);
    let path = root.join(&files.first()?.path);
    let content = files.iter().map(hooks::shown).collect::<Vec<_>>().join("\n");
    let hash = sha256_hex(content.as_bytes());
    let marks = files.into_iter().map(|file| file.mark).collect();
    Some(UntrustedConfig { path, hash, content, marks, what: Untrusted::HookFiles })
}

/// `~/…` as a hook's program.
fn at_home(hook: &mut Hook) {
    if let Some(program) = hook.command.first_mut().filter(|program| program.starts_with("~/")) {
        *program = expand_home(Path::new(&*program)).display().to_string();
    }
}

fn budget(budget: &config::Budget) -> ConfiguredBudget {
    let scope = budget.provider.clone().map_or(BudgetScope::Project, BudgetScope::Provider);
    let config::Budget { per, limit, warn, stop, .. } = *budget;
    ConfiguredBudget {
        name: budget.name.clone(),
        lane: budget.lane.clone(),
        rule: Budget { scope, per, limit, warn, stop },
        place: place_of(&budget.origin),
    }
}

/// `# user: /home/ann/.config/paralane/config.toml (not there)`, for who looks where to write something.
fn file_line(layer: &str, path: &Path, there: bool, more: &str) -> String {
    let there = if there { "" } else { " (not there)" };
    format!("# {layer}: {}{there}{more}", visible(&path.display().to_string()))
}

/// Names of the variables that providers and tool servers want, in any layer. Only names are looked for, so the
/// project's layer needs no trust here. Nothing when the files are broken: reading them for use tells why.
#[must_use]
pub fn key_variables(home: &Home, root: &Path) -> Vec<String> {
    let with_project = || -> Result<Config, Report> {
        let mut layers = global_layers(home)?;
        layers.project = layer(&project_config(root))?;
        layers.project_trusted = true;
        Config::load(&layers, &THEMES).map_err(Report::from)
    };
    let without = || Config::load(&global_layers(home)?, &THEMES).map_err(Report::from);
    let config = with_project().or_else(|_| without()).unwrap_or_default();
    let servers = config.servers.iter().flat_map(config::Server::variables);
    config
        .providers
        .values()
        .flat_map(config::Provider::key_variables)
        .chain(servers)
        .chain(config.clis.variables())
        .collect()
}

/// Adds a provider to the person's own file.
///
/// # Errors
/// When the file cannot be read, changed or written; nothing is changed then.
pub fn save_provider(home: &Home, provider: &NewProvider) -> Result<(), Report> {
    change(home, |text| with_provider(text, provider))
}

/// Writes the theme's name into the person's own file, comments and order kept.
///
/// # Errors
/// When the file cannot be read, changed or written; nothing is changed then.
pub fn save_theme(home: &Home, theme: &str) -> Result<(), Report> {
    change(home, |text| with_theme(text, theme))
}

/// Adds or removes a rule; `trusted` holds the hashes of project files that the person trusted.
///
/// # Errors
/// When the file cannot be read, changed or written, or is a project's file that is not trusted; nothing is changed
/// then.
pub fn edit_rules(home: &Home, root: &Path, trusted: &BTreeSet<String>, edit: RuleEdit) -> Result<RulesEdited, Report> {
    let path = if edit.project { project_config(root) } else { own_file(home)?.to_owned() };
    let before = layer(&path)?.map(|file| file.text);
    if edit.project && before.as_ref().is_some_and(|text| !trusted.contains(&sha256_hex(text.as_bytes()))) {
        return Err(Report::refused("the project's configuration is not trusted, so it is not changed")
            .hint("`trust` shows it and asks; then try again"));
    }
    let before = before.unwrap_or_default();
    let after = match edit.remove {
        Some(standing) if standing.listed => without_two_person(&before, &edit.rule.tool)?,
        Some(standing) => without_rule(&before, &edit.rule, standing.nth)?,
        None => with_rule(&before, &edit.rule)?,
    };
    write(&path, &after)?;
    let trust = edit.project.then(|| sha256_hex(after.as_bytes()));
    Ok(RulesEdited { file: path.display().to_string(), edit, trust })
}

/// Adds or removes a name for a native CLI in the person's own file; gives the file, in words.
///
/// # Errors
/// When the file cannot be read, changed or written; nothing is changed then.
pub fn edit_clis(home: &Home, edit: &CliEdit) -> Result<String, Report> {
    change(home, |text| match edit {
        CliEdit::Put(new) => with_cli(text, new),
        CliEdit::Remove(name) => without_cli(text, name),
    })?;
    Ok(own_file(home)?.display().to_string())
}

/// Changes the person's own file.
fn change(home: &Home, with: impl FnOnce(&str) -> Result<String, Report>) -> Result<(), Report> {
    let path = own_file(home)?;
    let text = layer(path)?.map(|file| file.text).unwrap_or_default();
    write(path, &with(&text)?)
}

fn global_layers(home: &Home) -> Result<Layers, Report> {
    let user = home.user_config().map(layer).transpose()?.flatten();
    Ok(Layers { managed: layer(&managed_config())?, user, project: None, project_trusted: false })
}

/// A file's text; none when there is no file.
pub(super) fn layer(path: &Path) -> Result<Option<LayerFile>, Report> {
    let failed = |why: String| {
        Report::refused(format!("cannot read the configuration `{}`: {why}", path.display()))
            .hint("mend the file, or move it away")
    };
    let facts = match fs::metadata(path) {
        Ok(facts) => facts,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(failed(error.to_string())),
    };
    // A pipe would never end, and a device may never begin.
    if !facts.is_file() {
        return Err(failed("it is not a file".to_owned()));
    }
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(FILE_LIMIT + 1).read_to_end(&mut bytes));
    read.map_err(|error| failed(error.to_string()))?;
    if bytes.len() as u64 > FILE_LIMIT {
        return Err(failed(format!("it is larger than {FILE_LIMIT} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.split(|byte| *byte == b'\n').count();
        failed(format!("line {line} is not UTF-8 text"))
    })?;
    Ok(Some(LayerFile { file: path.display().to_string(), text }))
}

/// Replaces a file's content: whole or not at all.
fn write(path: &Path, text: &str) -> Result<(), Report> {
    // A link (many keep such files elsewhere) stays one.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let directory = target.parent().map_or_else(PathBuf::new, Path::to_owned);
    if !directory.exists() {
        private_directory(&directory)?;
    }
    let replace = || -> io::Result<()> {
        // Made with 0600.
        let mut file = tempfile::NamedTempFile::new_in(&directory)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(&target)?;
        Ok(())
    };
    replace().map_err(|error| {
        Report::refused(format!("cannot write the configuration `{}`: {error}", target.display()))
            .hint("check that its directory belongs to you and has room; the old file is untouched")
    })
}

fn own_file(home: &Home) -> Result<&Path, Report> {
    home.user_config().ok_or_else(|| {
        Report::refused("cannot find a place for your configuration: the home directory is not known").hint("set HOME")
    })
}

/// `~/…` as people write it.
fn expand_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), etcetera::home_dir()) {
        (Ok(rest), Ok(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

/// Where a value stands, as short as a panel wants it: the layer says in which of the files.
fn place_of(origin: &Origin) -> String {
    match origin {
        Origin::BuiltIn | Origin::Lane { .. } => origin.to_string(),
        Origin::File { layer, line, .. } => format!("{} config.toml:{line}", layer.word()),
    }
}

const fn notify_word(way: Notify) -> &'static str {
    match way {
        Notify::Bell => "bell",
        Notify::Osc9 => "osc9",
        Notify::Osc777 => "osc777",
    }
}

fn explain(setting: &Setting) -> Option<String> {
    if setting.value.is_null() || setting.value.as_object().is_some_and(serde_json::Map::is_empty) {
        return None;
    }
    Some(format!("{} = {}  # {}", setting.key, setting.value, setting.origin))
}

#[cfg(test)]
mod tests;
