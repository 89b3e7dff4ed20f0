//! Runs what is allowed. Everything but a child agent, which is a turn of its own.

use std::path::Path;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::arguments::Tool;
use super::jobs::Owned;
use super::lane::LaneTools;
use super::seen::Seen;
use super::shell::{Surroundings, run as run_shell};
use super::{Job, counted, failed, looked, read, search, web};
use crate::agent::skills;
use crate::config::Web;
use crate::domain::{Files, GitAsk, TodoItem, TodoState, ToolOutcome};

/// What a call may use.
pub(in crate::agent) struct Means<'a> {
    pub files: &'a Arc<dyn Files>,
    pub seen: &'a Arc<Seen>,
    pub lane: &'a LaneTools,
    pub web: &'a Web,
    /// Where the person's own skills stand.
    pub skills: Option<&'a Path>,
    pub directory: &'a Path,
    pub environment: &'a [(String, String)],
    /// The model server's key: no command gets it.
    pub secret: Option<&'a str>,
    /// The call's id.
    pub call: &'a str,
    pub stop: &'a CancellationToken,
}

/// Runs a job to its end, or ends it. `show` gets its output as it comes.
pub(in crate::agent) async fn run(job: Job, means: &Means<'_>, show: &mut (dyn FnMut(&str) + Send)) -> ToolOutcome {
    let lane = means.lane;
    let cut = !matches!(job, Job::Look(_) | Job::Change(_) | Job::More { .. });
    let mut outcome = match job {
        Job::Look(_) | Job::Change(_) => {
            let (files, seen, stop) = (Arc::clone(means.files), Arc::clone(means.seen), means.stop.clone());
            let done = tokio::task::spawn_blocking(move || run_on_files(&job, &*files, &seen, &stop));
            done.await.unwrap_or_else(|_| broke_down())
        }
        Job::Shell(shell) => {
            let Means { directory, environment, secret, call, .. } = *means;
            let around = Surroundings { directory, environment, secret, call, sandbox: lane.sandbox() };
            run_shell(&shell, around, means.stop, show).await
        }
        Job::Background(command) => {
            let around = Owned {
                directory: means.directory.to_path_buf(),
                environment: means.environment.to_vec(),
                secret: means.secret.map(str::to_owned),
                call: means.call.to_owned(),
                sandbox: lane.sandbox(),
            };
            lane.jobs().start(&command, around).await
        }
        Job::Jobs(ask) => lane.jobs().ask(&ask, means.stop).await,
        Job::More { result, offset } => match lane.results().read(&result, offset) {
            Ok(text) => {
                let lines = text.lines().count() - 1;
                looked(text, counted(lines, "line", "lines"))
            }
            Err(words) => failed(&words, "no such result"),
        },
        Job::Git(ask) => git(ask, lane, means.stop).await,
        Job::Fetch { url, raw } => web::fetch(&url, raw, means.web, means.stop).await,
        Job::Todo(items) => todo(items),
        Job::Ask(Some(answer)) => looked(format!("The person answered: {answer}"), "answered".to_owned()),
        Job::Ask(None) => failed("the question was allowed without an answer; ask again", "no answer"),
        Job::Server { tool, arguments } => lane.servers().call(&tool, arguments, means.stop).await,
        Job::Coordinate { tool, arguments } => match lane.coordinate(tool, arguments, means.stop).await {
            Ok(text) => {
                let summary = done_words(&text);
                looked(text, summary)
            }
            Err(words) => failed(&words, "refused"),
        },
        Job::Skill(name) => {
            let (files, own) = (Arc::clone(means.files), means.skills.map(Path::to_owned));
            let loaded = tokio::task::spawn_blocking(move || skills::load(&*files, own.as_deref(), &name)).await;
            match loaded {
                Ok(Ok((text, skill))) => looked(text, skill.layer.word().to_owned()),
                Ok(Err(words)) => failed(&words, "no such skill"),
                Err(_) => broke_down(),
            }
        }
        Job::Spawn { .. } | Job::Remember { .. } => failed("this does not run here", "fault"),
    };
    if cut {
        outcome.output = lane.fit(outcome.output);
    }
    if let Some(news) = lane.jobs().news() {
        outcome.output = format!("{}\n{news}", outcome.output);
    }
    outcome
}

/// Runs a job on files. Blocks.
fn run_on_files(job: &Job, files: &dyn Files, seen: &Seen, stop: &CancellationToken) -> ToolOutcome {
    let told = |(output, summary)| looked(output, summary);
    let done = match job {
        Job::Change(change) => return change.run(files, seen),
        Job::Look(Tool::Read(ask)) => read::run(ask, files).map(|(outcome, content)| {
            if let Ok(path) = files.resolve(&ask.path) {
                seen.note(&path, Some(&content));
            }
            outcome
        }),
        Job::Look(Tool::List { path }) => search::list(path, files).map(told),
        Job::Look(Tool::Glob { pattern, path }) => search::glob(pattern, path, files, stop).map(told),
        Job::Look(Tool::Grep(ask)) => search::grep(ask, files, stop).map(told),
        _ => Err("this does not run on files".to_owned()),
    };
    match done {
        _ if stop.is_cancelled() => failed("ended: the person cancelled the turn", "cancelled"),
        Ok(outcome) => outcome,
        Err(words) => failed(&words, "failed"),
    }
}

async fn git(ask: GitAsk, lane: &LaneTools, stop: &CancellationToken) -> ToolOutcome {
    let Some(git) = lane.git() else { return failed("this lane has no repository", "no repository") };
    let commit = matches!(ask, GitAsk::Commit { .. });
    let told = tokio::select! {
        biased;
        () = stop.cancelled() => return failed("ended: the person cancelled the turn", "cancelled"),
        told = git.ask(ask) => told,
    };
    match told {
        Ok(text) if commit => {
            let first = text.lines().next().unwrap_or_default().to_owned();
            looked(text, first)
        }
        Ok(text) => {
            let lines = text.lines().count();
            looked(text, counted(lines, "line", "lines"))
        }
        Err(words) => failed(&words, "git refused"),
    }
}

/// The paths of a commit, whose changes the person judges; none for anything else.
pub(in crate::agent) fn commit_paths(job: &Job) -> Option<Vec<String>> {
    match job {
        Job::Git(GitAsk::Commit { paths, .. }) => Some(paths.clone()),
        _ => None,
    }
}

/// What a commit of these paths would hold.
pub(in crate::agent) async fn preview(paths: Vec<String>, lane: &LaneTools) -> Result<String, Box<ToolOutcome>> {
    let Some(git) = lane.git() else { return Err(Box::new(failed("this lane has no repository", "no repository"))) };
    git.ask(GitAsk::Preview { paths }).await.map_err(|words| Box::new(failed(&words, "git refused")))
}

fn todo(items: Vec<TodoItem>) -> ToolOutcome {
    let done = items.iter().filter(|item| item.state == TodoState::Done).count();
    let active = items.iter().filter(|item| item.state == TodoState::Active).count();
    let mut output = format!("The list has {}, {done} done.", counted(items.len(), "line", "lines"));
    if active > 1 {
        output.push_str(" Several are active: work on one at a time.");
    }
    let summary = format!("{done} of {} done", items.len());
    ToolOutcome { ok: true, output, summary, todo: Some(items), ..ToolOutcome::default() }
}

/// What a command says that it did; empty for one that lists.
fn done_words(answer: &str) -> String {
    let document: serde_json::Value = serde_json::from_str(answer).unwrap_or_default();
    document["done"].as_str().unwrap_or_default().to_owned()
}

/// The result of a tool whose own code failed.
pub(in crate::agent) fn broke_down() -> ToolOutcome {
    failed("the tool broke down; try another way", "fault")
}
