//! What needs the person's hand: one list from all sources, oldest first, one row for each cause, each with what
//! clears it.
//!
//! The list is made anew from the state whenever it is shown, so that `problems` in a shell, the same without a
//! workstation, and the window's tab cannot differ. A source is a pure function; another one is one more line in
//! [`SOURCES`]. Only what cannot be found out again later is kept as a [`super::Problem`].

use jiff::{SignedDuration, Timestamp};

use super::{State, Untrusted};
use crate::base::{Report, one_line, shell_word};
use crate::command::{Surface, as_taken, command_in};
use crate::coordination::{Overdue, overdue};
use crate::domain::{ConflictState, EntryBody, Lane, LaneId, LaneStage, PromptState, ServerState};

/// A turn that has kept nothing for so long has stalled.
const STALLED: SignedDuration = SignedDuration::from_mins(10);

/// How an ended lane's cause reads when that is no problem: the person did it, or its program ended well.
const ENDED_WELL: &[&str] = &["stopped", "exit 0"];

/// One cause of trouble.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemRow {
    /// What kind of cause, in one word: `approval`, `budget`.
    pub kind: &'static str,
    /// The lane it concerns, if any.
    pub lane: Option<LaneId>,
    /// What and why, and hints on what to do.
    pub report: Report,
    /// Since when.
    pub since: Timestamp,
    /// The command that clears it, without the program's name; none where a command cannot.
    pub clear: Option<String>,
}

impl ProblemRow {
    fn new(kind: &'static str, lane: Option<LaneId>, since: Timestamp, message: String, clear: String) -> Self {
        Self { kind, lane, report: Report::refused(message), since, clear: Some(clear) }
    }

    fn or(mut self, hint: impl Into<String>) -> Self {
        self.report.hints.push(hint.into());
        self
    }

    /// What to do, in words: the command first. Commands stand there as this surface takes them.
    pub fn ways_out(&self, surface: Surface) -> impl Iterator<Item = String> {
        let said = |clear: &String| self.report.hints.iter().any(|hint| hint.contains(clear.as_str()));
        let command = self.clear.iter().filter(|clear| !said(clear)).map(|clear| format!("`paralane {clear}`"));
        let all = command.chain(self.report.hints.iter().cloned());
        all.map(|way| as_taken(&way, surface)).collect::<Vec<_>>().into_iter()
    }
}

/// Everything a source can look at.
struct Scene<'a> {
    state: &'a State,
    now: Timestamp,
}

impl Scene<'_> {
    fn name(&self, lane: LaneId) -> String {
        self.state.model.name(lane)
    }

    fn since(&self, lane: &Lane) -> Timestamp {
        self.state.model.state_since(lane.id).unwrap_or(lane.since)
    }
}

/// Where rows come from.
const SOURCES: &[fn(&Scene<'_>) -> Vec<ProblemRow>] =
    &[told, approvals, conflicts, prompts, lanes, drifted, stalled, late, servers, budgets, settings];

/// Every problem there is now, oldest first.
#[must_use]
pub fn problems(state: &State, now: Timestamp) -> Vec<ProblemRow> {
    let scene = Scene { state, now };
    let mut rows: Vec<ProblemRow> = SOURCES.iter().flat_map(|source| source(&scene)).collect();
    rows.sort_by_key(|row| row.since);
    rows
}

/// What was told when it happened.
fn told(scene: &Scene<'_>) -> Vec<ProblemRow> {
    let row = |problem: &super::Problem| {
        let clear = problem.report.hints.iter().find_map(|hint| command_in(hint));
        ProblemRow { kind: "fault", lane: problem.lane, report: problem.report.clone(), since: problem.since, clear }
    };
    scene.state.problems.iter().map(row).collect()
}

fn approvals(scene: &Scene<'_>) -> Vec<ProblemRow> {
    let row = |asked: &crate::domain::Approval| {
        let (id, name) = (asked.id, scene.name(asked.lane));
        let words = one_line(&asked.action);
        let (what, clear) = if asked.is_question() {
            (format!("the agent of `{name}` asks: {words}"), format!("approve {id} --answer TEXT"))
        } else {
            (format!("`{name}` waits for an answer to {}: {words}", asked.tool), format!("approve {id}"))
        };
        ProblemRow::new("approval", Some(asked.lane), asked.created, what, clear)
            .or(format!("`deny {id} --reason TEXT` refuses it"))
    };
    scene.state.pending_approvals().map(row).collect()
}

fn conflicts(scene: &Scene<'_>) -> Vec<ProblemRow> {
    let pending = scene.state.model.open_conflicts().filter(|conflict| conflict.state == ConflictState::Pending);
    let row = |conflict: &crate::domain::Conflict| {
        let (id, name, with) = (conflict.id, scene.name(conflict.lane), scene.name(conflict.with));
        let paths = conflict.paths.join(", ");
        let message = format!("`{name}` is held back by `{with}` ({}): {paths}", conflict.cause);
        ProblemRow::new("conflict", Some(conflict.lane), conflict.created, message, format!("wait {id}"))
            .or(format!("`override {id}` lets it go on now, `cancel {}` gives the prompt up", conflict.prompt))
    };
    pending.filter(|conflict| conflict.kind.holds_back()).map(row).collect()
}

/// Prompts that stand still until the person decides, and lanes whose last prompt failed.
fn prompts(scene: &Scene<'_>) -> Vec<ProblemRow> {
    let model = &scene.state.model;
    let mut rows = Vec::new();
    for lane in model.open_lanes() {
        for prompt in model.queue(lane.id).into_iter().filter(|prompt| prompt.state.needs_person()) {
            let (id, cause) = (prompt.id, prompt.error.as_deref().map(one_line).unwrap_or_default());
            let what = if prompt.state == PromptState::Interrupted { "was cut off" } else { "is unconfirmed" };
            let message = format!("prompt {id} of `{}` {what}: {cause}", lane.name);
            let row = ProblemRow::new("prompt", Some(lane.id), prompt.since, message, format!("retry {id}"));
            rows.push(row.or(format!("`retry {id}` runs it again, `cancel {id}` gives it up")));
        }
        let failed = model.last_ended(lane.id).filter(|last| last.state == PromptState::Failed);
        if let Some(prompt) = failed.filter(|_| model.active_prompt(lane.id).is_none()) {
            let (id, cause) = (prompt.id, prompt.error.as_deref().map(one_line).unwrap_or_default());
            let message = format!("prompt {id} of `{}` failed: {cause}", lane.name);
            let row = ProblemRow::new("prompt", Some(lane.id), prompt.since, message, format!("retry {id}"));
            rows.push(row.or(format!("`retry {id}` goes on; another prompt to `{}` lets it rest", lane.name)));
        }
    }
    rows
}

/// Lanes whose set-up or session failed, and panes whose program is gone.
fn lanes(scene: &Scene<'_>) -> Vec<ProblemRow> {
    // What was told when it happened has the same words, and more to say on what to do.
    let known = |lane: &Lane| {
        let told =
            |told: &super::Problem| told.lane == Some(lane.id) && lane.error.as_ref() == Some(&told.report.message);
        scene.state.problems.iter().any(told)
    };
    let row = |lane: &Lane| {
        let (name, cause) = (&lane.name, lane.error.as_deref().map(one_line).unwrap_or_default());
        let message = match lane.stage {
            LaneStage::Failed => format!("lane `{name}` failed: {cause}"),
            LaneStage::Ended if !ENDED_WELL.contains(&cause.as_str()) && !cause.is_empty() => {
                format!("the program of `{name}` ended: {cause}")
            }
            _ => return None,
        };
        let row = ProblemRow::new("lane", Some(lane.id), scene.since(lane), message, format!("lane restart {name}"));
        Some(row.or(format!("`lane restart {name}` starts it again, `lane close {name}` closes it")))
    };
    scene.state.model.open_lanes().filter(|lane| !known(lane)).filter_map(row).collect()
}

/// Lanes that have another branch checked out than their own.
fn drifted(scene: &Scene<'_>) -> Vec<ProblemRow> {
    let row = |lane: &Lane| {
        let to = scene.state.live(lane.id)?.git.as_ref()?.drifted_to.as_ref()?;
        let (name, branch) = (&lane.name, lane.place.branch.as_deref()?);
        let message = format!("`{name}` has `{to}` checked out, not its own branch `{branch}`");
        let directory = lane.place.directory.display().to_string();
        let report = Report::refused(message).hint(format!(
            "`git -C {} switch {}` brings it back",
            shell_word(&directory),
            shell_word(branch)
        ));
        Some(ProblemRow { kind: "drift", lane: Some(lane.id), report, since: scene.since(lane), clear: None })
    };
    scene.state.model.open_lanes().filter_map(row).collect()
}

/// Own agents at work that have kept nothing for long.
fn stalled(scene: &Scene<'_>) -> Vec<ProblemRow> {
    let model = &scene.state.model;
    let row = |lane: &Lane| {
        let running = model.active_prompt(lane.id).filter(|prompt| prompt.state == PromptState::Running)?;
        let said = |entry: &&std::sync::Arc<crate::domain::Entry>| !matches!(entry.body, EntryBody::Notice { .. });
        let last = model.entries(lane.id).rev().find(said).map(|entry| entry.at).into_iter();
        let last = last.chain([running.since]).max()?;
        let silent = scene.now.duration_since(last) >= STALLED;
        let (id, name) = (running.id, &lane.name);
        let message = format!("`{name}` is at work on {id} and has done nothing new since {last:.0}");
        let row = ProblemRow::new("stalled", Some(lane.id), last, message, format!("cancel {id}"));
        silent.then(|| row.or(format!("`lane show {name}` tells what it is at; `cancel {id}` ends it")))
    };
    let agents = model.open_lanes().filter(|lane| matches!(lane.kind, crate::domain::LaneKind::Agent { .. }));
    agents.filter_map(row).collect()
}

/// What is late between lanes.
fn late(scene: &Scene<'_>) -> Vec<ProblemRow> {
    let row = |one: Overdue| {
        ProblemRow::new("late", one.lane, one.since, format!("late: {}", one.words), one.clear).or(one.hint)
    };
    overdue(&scene.state.ledger(scene.now)).into_iter().map(row).collect()
}

/// Tool servers that are not started again by themselves.
fn servers(scene: &Scene<'_>) -> Vec<ProblemRow> {
    let of = |lane: &Lane| {
        let views = scene.state.live(lane.id).map(|live| live.servers.as_slice()).unwrap_or_default();
        let failing = |view: &&crate::domain::ServerView| {
            view.state == ServerState::Off || (view.error.is_some() && view.state != ServerState::Running)
        };
        let row = |view: &crate::domain::ServerView| {
            let (server, name) = (&view.name, &lane.name);
            let cause = view.error.as_deref().map(one_line).unwrap_or_default();
            let message = format!("the tool server `{server}` of `{name}` does not run: {cause}");
            let clear = format!("servers restart {server} --lane {name}");
            ProblemRow::new("tool-server", Some(lane.id), scene.since(lane), message, clear)
                .or(format!("`servers show {server}` tells more; `[mcp.{server}]` is where it is configured"))
        };
        let configured =
            |view: &&crate::domain::ServerView| scene.state.settings.servers.iter().any(|s| s.name == view.name);
        views.iter().filter(configured).filter(failing).map(row).collect::<Vec<_>>()
    };
    scene.state.model.open_lanes().flat_map(of).collect()
}

/// Budgets that are nearly or wholly used.
fn budgets(scene: &Scene<'_>) -> Vec<ProblemRow> {
    let state = scene.state;
    let row = |due: super::DueBudget| {
        let since = state.warned.get(&due.head).copied().unwrap_or(scene.now);
        let report = Report::refused(format!("{}: {}", due.head, due.words)).hint(due.budget.way_out());
        let clear = due.budget.by.as_ref().ok().map(|id| format!("budget remove {id}"));
        let lane = match due.budget.rule.scope {
            crate::domain::BudgetScope::Lane(lane) => Some(lane),
            _ => None,
        };
        ProblemRow { kind: "budget", lane, report, since, clear }
    };
    state.due_budgets().map(row).collect()
}

/// What the configuration and the machine leave out.
fn settings(scene: &Scene<'_>) -> Vec<ProblemRow> {
    let settings = &scene.state.settings;
    let since = scene.state.settings_since.unwrap_or(scene.now);
    let row = |kind, report, clear: Option<&str>| ProblemRow {
        kind,
        lane: None,
        report,
        since,
        clear: clear.map(str::to_owned),
    };
    let notice = |notice: &Report| {
        let report = Report { message: format!("a value does not count: {}", notice.message), ..notice.clone() };
        row("configuration", report, None)
    };
    let mut rows: Vec<ProblemRow> = settings.notices.iter().map(notice).collect();
    let walls = &settings.walls;
    if walls.on && !walls.lacks.is_empty() {
        let follows =
            if walls.required { "own agents run no command" } else { "own agents' commands are confined in part" };
        let report = Report::refused(format!("this machine lacks walls, so {follows}: {}", walls.lacks.join("; ")));
        rows.push(row("sandbox", report.hint("`paralane doctor` shows what there is"), Some("doctor")));
    }
    if let Some(untrusted) = &settings.untrusted {
        let path = untrusted.path.display();
        let words = match untrusted.what {
            Untrusted::Config { .. } => {
                format!("the project's configuration is not trusted and is not used: `{path}`")
            }
            Untrusted::HookFiles => format!(
                "a hook does not run because its file is not trusted: `{path}`; what the hook guards does not go on"
            ),
        };
        let report = Report::refused(words)
            .hint("`/trust` shows it in full and asks; `paralane trust` in a shell prints it and trusts it");
        rows.push(row("trust", report, Some("trust")));
    }
    rows
}
