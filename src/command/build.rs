//! From `clap`'s matches to an [`Invocation`]: values become types, and what does not go together is said.

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use clap::ArgMatches;

use super::build_work;
use super::fault;
use super::invocation::{HistoryTarget, Invocation, MoveTo, PromptTarget, RewindWhat, ShellKind, TopView};
use super::select::{BulkDeed, Selector};
use super::spec::{Spec, Surface};
use crate::base::Report;
use crate::config::NewCli;
use crate::domain::{
    AnswerScope, Cli, FactScope, LaneKind, Layer, Limit, Mode, Money, MoneyError, NativeLane, Period, Priority,
    PromptId, WARN_PERCENT,
};

/// The arguments of one command.
pub(super) struct Given<'a> {
    matches: &'a ArgMatches,
    spec: &'static Spec,
    surface: Surface,
}

impl Given<'_> {
    /// The command's words.
    pub(super) const fn path(&self) -> &'static [&'static str] {
        self.spec.path
    }

    /// An argument's text. One that this surface does not have counts as absent.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.matches.try_get_one::<String>(name).ok().flatten().cloned()
    }

    fn file(&self, name: &str) -> Option<PathBuf> {
        self.text(name).map(PathBuf::from)
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.matches.try_get_one::<bool>(name).ok().flatten().copied().unwrap_or_default()
    }

    pub(super) fn many(&self, name: &str) -> Vec<String> {
        self.matches.try_get_many::<String>(name).ok().flatten().into_iter().flatten().cloned().collect()
    }

    pub(super) fn need(&self, name: &str) -> Result<String, Report> {
        self.text(name).ok_or_else(|| self.fault(format!("`{}` lacks `{name}`", self.spec.title())))
    }

    pub(super) fn maybe<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>, Report> {
        self.text(name).map(|text| text.parse().map_err(|error: T::Err| self.fault(error.to_string()))).transpose()
    }

    pub(super) fn parsed<T: FromStr<Err: Display>>(&self, name: &str) -> Result<T, Report> {
        self.need(name)?.parse().map_err(|error: T::Err| self.fault(error.to_string()))
    }

    fn number(&self, name: &str) -> Result<Option<u64>, Report> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let number = text.parse::<u64>().ok().filter(|number| *number > 0);
        number.map(Some).ok_or_else(|| self.fault(format!("`{text}` is no number of a checkpoint: such as `3`")))
    }

    /// Free text: its words with a blank between; never empty.
    pub(super) fn free_text(&self) -> Result<String, Report> {
        self.filled(self.many("TEXT").join(" "), "the text")
    }

    pub(super) fn filled(&self, text: String, what: &str) -> Result<String, Report> {
        if text.trim().is_empty() {
            Err(self.fault(format!("`{}`: {what} is empty", self.spec.title())))
        } else {
            Ok(text)
        }
    }

    fn priority(&self) -> Option<Priority> {
        match self.text("priority")?.as_str() {
            "high" => Some(Priority::High),
            "low" => Some(Priority::Low),
            _ => Some(Priority::Normal),
        }
    }

    fn mode(&self) -> Option<Mode> {
        let word = self.text("MODE")?;
        Mode::ALL.into_iter().find(|mode| mode.word() == word)
    }

    pub(super) fn fault(&self, message: impl Into<String>) -> Report {
        fault::usage(self.spec, self.surface, message)
    }
}

/// Builds the invocation of one command.
///
/// # Errors
/// In words, when a value does not read or arguments do not go together.
pub(super) fn build(spec: &'static Spec, matches: &ArgMatches, surface: Surface) -> Result<Invocation, Report> {
    let given = Given { matches, spec, surface };
    if let Some(invocation) = build_work::build(&given)? {
        return Ok(invocation);
    }
    let lane = || given.text("NAME");
    let of_lane = || given.text("lane");
    let all = given.flag("all");
    Ok(match spec.path {
        ["lane", "new"] => lane_new(&given)?,
        ["lane", "list"] => Invocation::LaneList { all },
        ["lane", "show"] => Invocation::LaneShow { lane: lane(), why: given.flag("why") },
        ["lane", "focus"] => Invocation::LaneFocus { lane: given.need("NAME")? },
        ["lane", "rename"] => Invocation::LaneRename { lane: given.need("NAME")?, name: given.parsed("NEW")? },
        ["lane", "pause"] => lane_or_bulk(&given, BulkDeed::Pause)?,
        ["lane", "resume"] => lane_or_bulk(&given, BulkDeed::Resume)?,
        ["lane", "stop"] => lane_or_bulk(&given, BulkDeed::Stop)?,
        ["lane", "restart"] => restart(&given)?,
        ["lane", "close"] => lane_or_bulk(&given, BulkDeed::Close { keep_branch: given.flag("keep-branch") })?,
        ["lane", "restore"] => Invocation::LaneRestore { lane: given.need("NAME")? },
        ["lane", "fork"] => {
            Invocation::LaneFork { lane: given.need("LANE")?, name: given.parsed("NAME")?, at: given.number("at")? }
        }
        ["compact"] => {
            let focus = given.many("FOCUS").join(" ");
            Invocation::Compact { lane: given.text("LANE"), focus: Some(focus).filter(|text| !text.trim().is_empty()) }
        }
        ["rewind"] => rewind(&given)?,
        ["prompt"] => prompt(&given)?,
        ["queue", "list"] => Invocation::QueueList { all, lane: of_lane() },
        ["queue", "edit"] => Invocation::QueueEdit { prompt: given.parsed("ID")?, text: given.free_text()? },
        ["queue", "move"] => queue_move(&given)?,
        ["queue", "cancel"] => Invocation::QueueCancel { prompt: given.parsed("ID")? },
        ["cancel"] => Invocation::Cancel { target: prompt_target(given.text("TARGET")) },
        ["retry"] => Invocation::Retry { target: prompt_target(given.text("TARGET")) },
        ["broadcast"] => broadcast(&given)?,
        ["find"] => Invocation::Find { text: given.free_text()? },
        ["approvals"] => Invocation::Approvals { all },
        ["approve"] => approve(&given)?,
        ["deny"] => {
            Invocation::Deny { approval: given.parsed("ID")?, reason: given.text("reason").unwrap_or_default() }
        }
        ["conflicts"] => Invocation::Conflicts { all },
        ["override"] => Invocation::Override { conflict: given.parsed("ID")? },
        ["wait"] => Invocation::Wait { conflict: given.parsed("ID")? },
        ["mode"] => Invocation::Mode { set: given.mode(), lane: of_lane() },
        ["policy", "show"] => Invocation::PolicyShow { lane: of_lane() },
        ["policy", "explain"] => Invocation::PolicyExplain {
            tool: given.need("TOOL")?,
            action: given.many("ACTION").join(" "),
            lane: of_lane(),
        },
        ["policy", "add"] => policy_add(&given)?,
        ["policy", "remove"] => {
            let wrong = || given.fault("`NUMBER` is a rule's number in `policy show`");
            Invocation::PolicyRemove { number: given.need("NUMBER")?.parse().map_err(|_| wrong())?, lane: of_lane() }
        }
        ["history", "approvals"] => Invocation::HistoryApprovals { lane: of_lane(), last: last(&given)? },
        ["trust"] => Invocation::Trust,
        ["model"] => Invocation::Model { set: given.text("MODEL"), lane: of_lane() },
        ["context"] => context(&given)?,
        ["skill"] => skill(&given)?,
        ["remember"] => Invocation::Remember { scope: user_scope(given.flag("user")), text: given.free_text()? },
        ["memory", "list"] => Invocation::MemoryList { scope: memory_scope(&given)? },
        ["memory", "search"] => Invocation::MemorySearch { words: given.free_text()? },
        ["memory", "edit"] => Invocation::MemoryEdit { fact: given.parsed("ID")?, text: given.free_text()? },
        ["memory", "forget"] => Invocation::MemoryForget { fact: given.parsed("ID")? },
        ["problems"] => Invocation::Problems,
        ["budget", "set"] => budget_set(&given)?,
        ["budget", "list"] => Invocation::BudgetList,
        ["budget", "remove"] => Invocation::BudgetRemove { budget: given.parsed("ID")? },
        ["servers", "list"] => Invocation::ServersList,
        ["servers", "show"] => Invocation::ServersShow { server: given.need("NAME")?, lane: of_lane() },
        ["servers", "restart"] => Invocation::ServersRestart { server: given.need("NAME")?, lane: of_lane() },
        ["history", "lane"] => history(&given, HistoryTarget::Lane(lane()))?,
        ["history", "prompt"] => history(&given, HistoryTarget::Prompt(given.parsed("ID")?))?,
        ["history", "issue"] => history(&given, HistoryTarget::Issue(build_work::an_issue(&given, "N")?))?,
        ["history", "claim"] => history(&given, HistoryTarget::Claim(given.parsed("ID")?))?,
        ["events", "export"] => {
            Invocation::EventsExport { since: given.maybe("since")?, lane: of_lane(), output: given.file("output") }
        }
        ["watch"] => Invocation::Watch { lane: given.text("LANE") },
        ["top"] => top(&given)?,
        ["metrics"] => metrics(&given)?,
        ["state", "export"] => Invocation::StateExport { file: given.need("FILE")?.into() },
        ["state", "show"] => Invocation::StateShow { file: given.need("FILE")?.into() },
        ["state", "import"] => Invocation::StateImport { file: given.need("FILE")?.into(), merge: given.flag("merge") },
        ["status"] => Invocation::Status,
        ["theme"] => Invocation::Theme { set: lane() },
        ["config"] => Invocation::Config,
        ["doctor"] => Invocation::Doctor,
        ["provider", "list"] => Invocation::ProviderList,
        ["provider", "add"] => Invocation::ProviderAdd(new_cli(&given)?),
        ["provider", "shadow"] => Invocation::ProviderShadow(shadow(&given)?),
        ["provider", "remove"] => Invocation::ProviderRemove { name: given.need("NAME")? },
        ["completion"] => Invocation::Completion {
            shell: match given.need("SHELL")?.as_str() {
                "zsh" => ShellKind::Zsh,
                "fish" => ShellKind::Fish,
                _ => ShellKind::Bash,
            },
        },
        ["demo"] => Invocation::Demo,
        ["up"] => Invocation::Up,
        ["down"] => Invocation::Down,
        ["help"] => Invocation::Help { topic: given.many("COMMAND") },
        ["detach"] => Invocation::Detach,
        ["quit"] => Invocation::Quit,
        _ => return Err(Report::internal(format!("the command `{}` is in the table but not built", spec.title()))),
    })
}

fn lane_new(given: &Given<'_>) -> Result<Invocation, Report> {
    let (kind, provider, model) = (given.text("kind"), given.text("provider"), given.text("model"));
    let command = given.many("COMMAND");
    if let Some(cli) = given.text("cli") {
        return native_lane(given, &cli, kind.as_deref(), provider.is_some(), model);
    }
    if given.text("credentials").is_some() {
        return Err(given.fault("`--credentials` is for a native CLI: name one with `--cli`"));
    }
    let pane = match kind.as_deref() {
        Some("pane") if command.is_empty() => {
            return Err(given.fault("a pane needs a program to run: add `-- COMMAND ARG…`, such as `-- bash`"));
        }
        Some("agent") if !command.is_empty() => {
            return Err(given.fault("our own agent takes no `-- COMMAND`: leave it out, or use `--kind pane`"));
        }
        _ => !command.is_empty(),
    };
    if pane && (provider.is_some() || model.is_some()) {
        return Err(given.fault("`--provider` and `--model` are for our own agent, not for a program in a pane"));
    }
    let kind = if pane { LaneKind::plain(command) } else { LaneKind::Agent { provider, model } };
    lane_of(given, kind)
}

fn lane_of(given: &Given<'_>, kind: LaneKind) -> Result<Invocation, Report> {
    let (base, here) = (given.text("base"), given.flag("here"));
    if base.is_some() && here {
        return Err(given.fault("`--base` and `--here` do not go together: the base checkout stays as it is"));
    }
    let prompt = given.text("prompt").map(|text| given.filled(text, "the first prompt")).transpose()?;
    let rules = given.text("rules").map(|file| given.filled(file, "the file of rules")).transpose()?;
    Ok(Invocation::LaneNew { name: given.maybe("NAME")?, kind, base, here, prompt, rules })
}

/// What is done to one lane, or to all that fit.
fn lane_or_bulk(given: &Given<'_>, deed: BulkDeed) -> Result<Invocation, Report> {
    let (lane, select, yes) = (given.text("NAME"), selector(given)?, given.flag("yes"));
    match (lane, select.is_empty()) {
        (Some(_), false) => Err(given.fault("name a lane or choose some by options, not both")),
        (None, false) => Ok(Invocation::Bulk { select, deed, yes }),
        (_, true) if yes => Err(given.fault("`--yes` goes with lanes that options choose, such as `--all`")),
        (None, true) if given.surface == Surface::Shell => Err(given
            .fault(format!("`{}` lacks `NAME`, or a choice such as `--all` or `--state idle`", given.spec.title()))),
        (Some(lane), true) => Ok(deed.of(&lane)),
        // The lane in focus.
        (None, true) => Ok(match deed {
            BulkDeed::Pause => Invocation::LanePause { lane: None },
            BulkDeed::Resume => Invocation::LaneResume { lane: None },
            BulkDeed::Stop => Invocation::LaneStop { lane: None },
            BulkDeed::Close { keep_branch } => Invocation::LaneClose { lane: None, keep_branch },
            BulkDeed::Restart | BulkDeed::Prompt { .. } => Invocation::LaneRestart { lane: None, fresh: false },
        }),
    }
}

fn restart(given: &Given<'_>) -> Result<Invocation, Report> {
    match lane_or_bulk(given, BulkDeed::Restart)? {
        Invocation::LaneRestart { lane, .. } => Ok(Invocation::LaneRestart { lane, fresh: given.flag("fresh") }),
        _ if given.flag("fresh") => Err(given.fault("`--fresh` goes with one lane that is named")),
        several => Ok(several),
    }
}

fn broadcast(given: &Given<'_>) -> Result<Invocation, Report> {
    let (text, select, yes) = (given.free_text()?, selector(given)?, given.flag("yes"));
    match (select.is_empty(), yes) {
        (true, false) => Ok(Invocation::Broadcast { text }),
        (true, true) => Err(given.fault("`--yes` goes with lanes that options choose, such as `--state idle`")),
        (false, yes) => Ok(Invocation::Bulk { select, deed: BulkDeed::Prompt { text }, yes }),
    }
}

fn selector(given: &Given<'_>) -> Result<Selector, Report> {
    let select = Selector {
        names: Vec::new(),
        all: given.flag("all"),
        provider: given.text("provider"),
        state: given.text("state"),
        outcome: given.text("outcome"),
        drifted: given.flag("drifted"),
        idle: given.flag("idle"),
        over_budget: given.flag("over-budget"),
    };
    if select.all && select != (Selector { all: true, ..Selector::default() }) {
        return Err(given.fault("`--all` means every lane: leave it out, or leave out the other options"));
    }
    Ok(select)
}

/// Events that `history` shows unless something else is said.
const HISTORY_LIMIT: usize = 200;

fn history(given: &Given<'_>, of: HistoryTarget) -> Result<Invocation, Report> {
    let limit = match given.text("limit") {
        None => HISTORY_LIMIT,
        Some(text) => {
            let wrong = || given.fault(format!("`--limit {text}` is not a whole number from 1 to 100000"));
            text.parse().ok().filter(|limit| (1..=100_000).contains(limit)).ok_or_else(wrong)?
        }
    };
    Ok(Invocation::History { of, kind: given.text("kind"), since: given.maybe("since")?, limit })
}

fn top(given: &Given<'_>) -> Result<Invocation, Report> {
    let width = given
        .text("width")
        .map(|text| {
            let wrong = || given.fault(format!("`--width {text}` is not a whole number from 20 to 10000"));
            text.parse().ok().filter(|cells| (20..=10_000).contains(cells)).ok_or_else(wrong)
        })
        .transpose()?;
    let view =
        TopView { sort: given.text("sort"), filter: given.text("filter"), columns: given.text("columns"), width };
    Ok(Invocation::Top { once: given.flag("once"), view })
}

fn metrics(given: &Given<'_>) -> Result<Invocation, Report> {
    let (output, every) = (given.file("output"), given.maybe("every")?);
    if every.is_some() && output.is_none() {
        return Err(given.fault("`--every` needs `--output FILE`: the file that is written anew"));
    }
    Ok(Invocation::Metrics { output, every })
}

/// A lane for a native CLI. What follows `--` are further arguments of its program.
fn native_lane(
    given: &Given<'_>,
    name: &str,
    kind: Option<&str>,
    provider: bool,
    model: Option<String>,
) -> Result<Invocation, Report> {
    if kind == Some("agent") {
        return Err(given.fault("`--cli` runs a program in a pane, not our own agent: leave out `--kind agent`"));
    }
    if provider {
        return Err(given.fault("`--provider` is for our own agent: a native CLI has its own login"));
    }
    // Which CLI carries another name is known to the configuration.
    let (cli, preset) = match name.parse::<Cli>() {
        Ok(cli) => (cli, None),
        Err(_) => (Cli::Claude, Some(name.to_owned())),
    };
    let command = [name.to_owned()].into_iter().chain(given.many("COMMAND")).collect();
    let credentials = given.text("credentials");
    let native = Some(Box::new(NativeLane { model, preset, credentials, ..NativeLane::new(cli) }));
    lane_of(given, LaneKind::Pane { command, native })
}

fn rewind(given: &Given<'_>) -> Result<Invocation, Report> {
    let what = match (given.flag("both"), given.flag("conversation"), given.flag("files")) {
        (_, false, false) => RewindWhat::Both,
        (false, true, false) => RewindWhat::Conversation,
        (false, false, true) => RewindWhat::Files,
        _ => return Err(given.fault("`--both`, `--conversation` and `--files` do not go together: give one of them")),
    };
    let (lane, number) = (given.text("LANE"), given.number("N")?);
    // In a window the lane may be left out.
    let alone = given.surface == Surface::Window && number.is_none();
    match lane.as_ref().and_then(|text| text.parse::<u64>().ok()).filter(|number| alone && *number > 0) {
        Some(number) => Ok(Invocation::Rewind { lane: None, number: Some(number), what }),
        None => Ok(Invocation::Rewind { lane, number, what }),
    }
}

fn prompt(given: &Given<'_>) -> Result<Invocation, Report> {
    let wait = given.flag("wait");
    let (timeout, fail_on_approval) = (given.text("timeout"), given.flag("fail-on-approval"));
    if !wait && (timeout.is_some() || fail_on_approval) {
        return Err(given.fault("`--timeout` and `--fail-on-approval` need `--wait`"));
    }
    let timeout = timeout
        .map(|text| {
            let wrong = || given.fault(format!("`--timeout {text}` is not a whole number of seconds above 0"));
            text.parse::<u64>().ok().filter(|seconds| *seconds > 0).ok_or_else(wrong)
        })
        .transpose()?;
    let (after, at, every) = (given.maybe("after")?, given.maybe("at")?, given.maybe("every")?);
    let when_released = build_work::maybe_issue(given, "when-released")?;
    if when_released.is_some() && (after.is_some() || at.is_some() || every.is_some()) {
        return Err(given.fault(
            "`--when-released` goes with none of `--after`, `--at`, `--every`: a prompt is held until one thing",
        ));
    }
    if after.is_some() && (at.is_some() || every.is_some()) {
        return Err(given.fault("`--after` goes with neither `--at` nor `--every`: a prompt is held until one thing"));
    }
    if wait && every.is_some() {
        return Err(given.fault("`--wait` and `--every` do not go together: a series has no end"));
    }
    let key = given.text("key").map(|key| given.filled(key, "the key")).transpose()?;
    Ok(Invocation::Prompt {
        lane: given.need("LANE")?,
        text: given.free_text()?,
        wait,
        timeout,
        fail_on_approval,
        priority: given.priority().unwrap_or_default(),
        key,
        after,
        at,
        every,
        when_released,
    })
}

fn queue_move(given: &Given<'_>) -> Result<Invocation, Report> {
    let other: Option<PromptId> = given.maybe("OTHER")?;
    let to = match (given.text("WHERE").as_deref(), other) {
        (Some("before"), Some(other)) => Some(MoveTo::Before(other)),
        (Some("before"), None) => return Err(given.fault("`before` needs the id of the other prompt")),
        (_, Some(other)) => return Err(given.fault(format!("`{other}` goes with `before` only"))),
        (Some("first"), None) => Some(MoveTo::First),
        (Some("last"), None) => Some(MoveTo::Last),
        (Some("up"), None) => Some(MoveTo::Up),
        (Some("down"), None) => Some(MoveTo::Down),
        (_, None) => None,
    };
    let (prompt, lane, priority) = (given.parsed("ID")?, given.text("lane"), given.priority());
    if to.is_none() && lane.is_none() && priority.is_none() {
        return Err(given.fault("say where to move it: a place, `--lane` or `--priority`"));
    }
    Ok(Invocation::QueueMove { prompt, to, lane, priority })
}

fn context(given: &Given<'_>) -> Result<Invocation, Report> {
    let (first, layer, lane) = (given.text("LANE"), given.text("LAYER"), given.text("lane"));
    let on = match first.as_deref() {
        Some("on") => Some(true),
        Some("off") => Some(false),
        _ => None,
    };
    match (on, layer.as_deref().and_then(Layer::of), lane) {
        // A lane of such a name is shown by `--lane`.
        (Some(on), Some(layer), lane) => Ok(Invocation::Context { lane, switch: Some((layer, on)) }),
        (Some(_), None, _) => Err(given.fault(format!("name the layer to switch: {}", Layer::OPTIONAL.join(", ")))),
        (None, None, None) => Ok(Invocation::Context { lane: first, switch: None }),
        (None, None, lane) if first.is_none() => Ok(Invocation::Context { lane, switch: None }),
        (None, None, Some(_)) => Err(given.fault("the lane is named twice: leave out one of them")),
        (None, Some(_), _) => Err(given.fault("say `on` or `off` before the layer")),
    }
}

const fn user_scope(user: bool) -> FactScope {
    if user { FactScope::User } else { FactScope::Project }
}

fn memory_scope(given: &Given<'_>) -> Result<Option<FactScope>, Report> {
    match (given.flag("project"), given.flag("user")) {
        (true, true) => Err(given.fault("`--project` and `--user` do not go together: leave out both for all facts")),
        (false, false) => Ok(None),
        (_, user) => Ok(Some(user_scope(user))),
    }
}

fn skill(given: &Given<'_>) -> Result<Invocation, Report> {
    let (name, text, lane) = (given.need("NAME")?, given.many("TEXT").join(" "), given.text("lane"));
    if name != "list" {
        if lane.is_none() && given.surface == Surface::Shell {
            return Err(given.fault("`--lane NAME` is missing: the lane that is to use the skill"));
        }
        return Ok(Invocation::Skill { name: Some(name), text, lane });
    }
    if !text.trim().is_empty() {
        return Err(given.fault("`skill list` takes no text"));
    }
    Ok(Invocation::Skill { name: None, text, lane })
}

fn approve(given: &Given<'_>) -> Result<Invocation, Report> {
    let scope = match given.text("for").as_deref() {
        Some("session") => AnswerScope::Session,
        Some("always") => AnswerScope::Always,
        _ => AnswerScope::Once,
    };
    let edit = given
        .text("edit")
        .map(|text| match serde_json::from_str(&text) {
            Ok(value @ serde_json::Value::Object(_)) => Ok(value),
            Ok(_) => Err(given.fault("`--edit` needs a JSON object with the call's arguments")),
            Err(error) => Err(given.fault(format!("`--edit` is not valid JSON: {error}"))),
        })
        .transpose()?;
    let answer = given.text("answer").filter(|answer| !answer.trim().is_empty());
    if answer.is_some() && edit.is_some() {
        return Err(
            given.fault("a question is answered by `--answer`, a call is changed by `--edit`; give one of them")
        );
    }
    Ok(Invocation::Approve { approval: given.parsed("ID")?, scope, edit, answer })
}

fn policy_add(given: &Given<'_>) -> Result<Invocation, Report> {
    let (project, lane) = (given.flag("project"), given.text("lane"));
    if project && given.flag("user") {
        return Err(given.fault("`--user` and `--project` do not go together: add two rules"));
    }
    if lane.is_some() && (project || given.flag("user")) {
        return Err(given.fault("a lane's rule stands in no file: leave out `--user` and `--project`"));
    }
    Ok(Invocation::PolicyAdd {
        effect: given.need("EFFECT")?,
        tool: given.need("TOOL")?,
        matches: given.need("MATCH")?,
        reason: given.text("reason"),
        two: given.flag("two"),
        project,
        lane,
    })
}

/// A name for a native CLI.
fn new_cli(given: &Given<'_>) -> Result<NewCli, Report> {
    Ok(NewCli {
        name: given.need("NAME")?,
        cli: Some(given.text("cli").ok_or_else(|| given.fault("`--cli CLI` is missing: the CLI that carries it"))?),
        model: given.text("model"),
        set: pairs(given, "set")?,
        from: pairs(given, "from")?,
        args: given.many("COMMAND"),
    })
}

fn shadow(given: &Given<'_>) -> Result<NewCli, Report> {
    if !given.flag("off") {
        return new_cli(given);
    }
    let more = ["cli", "model", "set", "from", "COMMAND"].into_iter().any(|name| !given.many(name).is_empty());
    if more {
        return Err(given.fault("`--off` takes it away: nothing else goes with it"));
    }
    Ok(NewCli { name: given.need("NAME")?, ..NewCli::default() })
}

/// `NAME=VALUE`, as often as it was given. What has no `=` may be a secret: it is not repeated.
fn pairs(given: &Given<'_>, option: &str) -> Result<Vec<(String, String)>, Report> {
    let pair = |text: String| {
        let (name, value) = text.split_once('=')?;
        Some((name.to_owned(), value.to_owned()))
    };
    let wrong = || given.fault(format!("`--{option}` needs a variable of the CLI, `=`, and what it stands for"));
    given.many(option).into_iter().map(|text| pair(text).ok_or_else(wrong)).collect()
}

/// Lines of history that are told unless more are wanted.
const HISTORY: usize = 200;
/// The most that are told at once.
const MOST_HISTORY: usize = 100_000;

fn last(given: &Given<'_>) -> Result<usize, Report> {
    let Some(text) = given.text("last") else { return Ok(HISTORY) };
    let number = text.parse().ok().filter(|number| (1..=MOST_HISTORY).contains(number));
    number.ok_or_else(|| given.fault(format!("`--last {text}` is no number of lines from 1 to {MOST_HISTORY}")))
}

fn budget_set(given: &Given<'_>) -> Result<Invocation, Report> {
    let limit = match (given.text("money"), given.text("tokens")) {
        (Some(money), None) => match money.parse().map_err(|error: MoneyError| given.fault(error.to_string()))? {
            Money::ZERO => return Err(given.fault("`--money` must be above 0")),
            money => Limit::Money(money),
        },
        (None, Some(tokens)) => {
            let wrong = || given.fault(format!("`--tokens {tokens}` is not a whole number above 0"));
            Limit::Tokens(tokens.parse().ok().filter(|tokens: &u64| *tokens > 0).ok_or_else(wrong)?)
        }
        (None, None) => return Err(given.fault("a budget needs a limit: `--money AMOUNT` or `--tokens COUNT`")),
        (Some(_), Some(_)) => {
            return Err(given.fault("`--money` and `--tokens` do not go together: set two budgets"));
        }
    };
    let (lane, provider) = (given.text("lane"), given.text("provider"));
    if lane.is_some() && provider.is_some() {
        return Err(given.fault("`--lane` and `--provider` do not go together: set two budgets"));
    }
    let warn = match given.text("warn") {
        None => WARN_PERCENT,
        Some(text) => {
            let wrong = || given.fault(format!("`--warn {text}` is not a whole number from 1 to 100"));
            text.parse().ok().filter(|percent| (1..=100).contains(percent)).ok_or_else(wrong)?
        }
    };
    let per = given.text("per").and_then(|word| Period::ALL.into_iter().find(|period| period.word() == word));
    let stop = !given.flag("warn-only");
    Ok(Invocation::BudgetSet { limit, per: per.unwrap_or(Period::Day), lane, provider, warn, stop })
}

/// What reads as a prompt's id is one; a lane of such a name is cancelled through its prompt.
fn prompt_target(text: Option<String>) -> PromptTarget {
    match text.map(|text| text.parse().map_err(|_| text)) {
        None => PromptTarget::Focused,
        Some(Ok(prompt)) => PromptTarget::Prompt(prompt),
        Some(Err(lane)) => PromptTarget::Lane(lane),
    }
}
