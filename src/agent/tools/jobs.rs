//! Commands that run in the background of a lane: they outlive the step and the turn, and end with the lane.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::arguments::JobAsk;
use super::shell::{Shell, Surroundings, run as run_shell};
use super::{OUTPUT_CAP, counted, failed, looked};
use crate::base::{clip, lock, one_line};
use crate::domain::{Sandbox, ToolOutcome};

/// Jobs of one lane that run at once.
const RUNNING: usize = 8;
/// Ended ones whose output is still kept.
const ENDED: usize = 8;
/// Bytes of a job's newest output that are kept until they are read.
const KEPT: usize = 256 * 1024;
/// A command that fails at once is told as a failure, not as a job.
const FIRST_LOOK: Duration = Duration::from_millis(300);
/// Seconds that a job may run: no limit that anybody meets.
const FOREVER: u64 = 365 * 24 * 3600;

/// What a job needs of the world, as its own.
pub(super) struct Owned {
    pub directory: std::path::PathBuf,
    pub environment: Vec<(String, String)>,
    pub secret: Option<String>,
    pub call: String,
    pub sandbox: Option<Arc<dyn Sandbox>>,
}

/// The jobs of a lane. Dropped, they are told to end.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    table: Mutex<Table>,
    /// How many run, for whoever watches.
    running: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct Table {
    last: u64,
    closed: bool,
    all: Vec<Arc<Job>>,
}

#[derive(Debug)]
struct Job {
    name: String,
    command: String,
    began: Instant,
    stop: CancellationToken,
    running: watch::Sender<usize>,
    changed: Notify,
    said: Mutex<Said>,
    task: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Said {
    /// What was not read yet.
    fresh: String,
    /// Bytes that fell out before they were read.
    lost: usize,
    end: Option<End>,
    /// Whether the model knows of the end.
    told: bool,
}

#[derive(Debug, Clone)]
struct End {
    ok: bool,
    words: String,
}

impl Drop for Jobs {
    fn drop(&mut self) {
        lock(&self.table).all.iter().for_each(|job| job.stop.cancel());
    }
}

impl Jobs {
    /// Starts a command as a job.
    pub async fn start(&self, command: &str, around: Owned) -> ToolOutcome {
        let job = match self.add(command, around) {
            Ok(job) => job,
            Err(words) => return failed(&words, "not started"),
        };
        let _ended_at_once = tokio::time::timeout(FIRST_LOOK, job.ended()).await;
        let (said, end) = job.take();
        let name = &job.name;
        match end {
            Some(end) => {
                let line = if said.is_empty() || said.ends_with('\n') { "" } else { "\n" };
                let output = format!("{said}{line}[job `{name}` has ended already: {}]", end.words);
                ToolOutcome { ok: end.ok, output, summary: end.words, ..ToolOutcome::default() }
            }
            None => looked(
                format!("{said}[job `{name}` runs; `jobs` with do `read` and job `{name}` gives what it says]"),
                format!("job {name}"),
            ),
        }
    }

    fn add(&self, command: &str, around: Owned) -> Result<Arc<Job>, String> {
        let mut table = lock(&self.table);
        if table.closed {
            return Err("the lane is closing; nothing is started any more".to_owned());
        }
        let running = table.all.iter().filter(|job| job.end().is_none()).count();
        if running >= RUNNING {
            return Err(format!("{RUNNING} jobs run in this lane already; end one with `jobs`, do `kill`"));
        }
        let mut over = table.all.iter().filter(|job| job.end().is_some()).count();
        table.all.retain(|job| {
            let drop = over > ENDED && job.end().is_some();
            over -= usize::from(drop);
            !drop
        });
        table.last += 1;
        let job = Arc::new(Job {
            name: format!("j{}", table.last),
            command: command.to_owned(),
            began: Instant::now(),
            stop: CancellationToken::new(),
            running: self.running.clone(),
            changed: Notify::new(),
            said: Mutex::default(),
            task: Mutex::default(),
        });
        self.running.send_modify(|running| *running += 1);
        *lock(&job.task) = Some(tokio::spawn(follow(Arc::clone(&job), around)));
        table.all.push(Arc::clone(&job));
        Ok(job)
    }

    /// Answers the model.
    pub async fn ask(&self, ask: &JobAsk, stop: &CancellationToken) -> ToolOutcome {
        match ask {
            JobAsk::List => self.list(),
            JobAsk::Read { job, wait } => match self.find(job) {
                Ok(job) => {
                    tokio::select! {
                        () = stop.cancelled() => {}
                        () = tokio::time::sleep(Duration::from_secs(*wait)) => {}
                        () = job.news() => {}
                    }
                    job.read()
                }
                Err(words) => failed(&words, "no such job"),
            },
            JobAsk::Kill { job } => match self.find(job) {
                Ok(job) => {
                    let ended = job.end();
                    job.stop.cancel();
                    job.ended().await;
                    let (said, _) = job.take();
                    let words = ended.map_or_else(|| "ended".to_owned(), |end| format!("had ended: {}", end.words));
                    looked(format!("{said}\n[job `{}` {words}]", job.name).trim_start().to_owned(), words)
                }
                Err(words) => failed(&words, "no such job"),
            },
        }
    }

    fn find(&self, name: &str) -> Result<Arc<Job>, String> {
        let table = lock(&self.table);
        let names = || table.all.iter().map(|job| format!("`{}`", job.name)).collect::<Vec<_>>().join(", ");
        table.all.iter().find(|job| job.name == name.trim()).cloned().ok_or_else(|| {
            let known =
                if table.all.is_empty() { "there is none".to_owned() } else { format!("there are {}", names()) };
            format!("There is no job `{}`: {known}. Jobs end with the workstation and with their lane.", clip(name, 20))
        })
    }

    fn list(&self) -> ToolOutcome {
        let all = lock(&self.table).all.clone();
        let line = |job: &Arc<Job>| {
            let said = lock(&job.said);
            let state = match &said.end {
                Some(end) => end.words.clone(),
                None => format!("running {} s", job.began.elapsed().as_secs()),
            };
            let fresh =
                if said.fresh.is_empty() { String::new() } else { format!(", {} bytes unread", said.fresh.len()) };
            format!("{}  {state}{fresh}  {}", job.name, clip(&one_line(&job.command), 200))
        };
        let lines: Vec<String> = all.iter().map(line).collect();
        let text = if lines.is_empty() { "no job runs in this lane".to_owned() } else { lines.join("\n") };
        looked(text, counted(all.len(), "job", "jobs"))
    }

    /// Ends that the model was not told of yet.
    pub fn news(&self) -> Option<String> {
        let all = lock(&self.table).all.clone();
        let told = |job: &Arc<Job>| {
            let mut said = lock(&job.said);
            let end = said.end.clone().filter(|_| !said.told)?;
            said.told = true;
            Some(format!("[job `{}` has ended: {}]", job.name, end.words))
        };
        let lines: Vec<String> = all.iter().filter_map(told).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// How many run, now and from now on.
    pub fn running(&self) -> watch::Receiver<usize> {
        self.running.subscribe()
    }

    /// Ends all and waits until they have ended. None starts any more if `close`.
    pub async fn end_all(&self, close: bool) {
        let all = {
            let mut table = lock(&self.table);
            table.closed |= close;
            table.all.clone()
        };
        for job in &all {
            job.stop.cancel();
        }
        for job in all {
            let task = lock(&job.task).take();
            if let Some(task) = task {
                // It can only fail together with the runtime.
                let _ = task.await;
            }
        }
    }
}

async fn follow(job: Arc<Job>, around: Owned) {
    let shell = Shell { command: job.command.clone(), timeout: FOREVER, keep: OUTPUT_CAP };
    let mut show = |text: &str| {
        lock(&job.said).push(text);
        job.changed.notify_waiters();
    };
    let surroundings = Surroundings {
        directory: &around.directory,
        environment: &around.environment,
        secret: around.secret.as_deref(),
        call: &around.call,
        sandbox: around.sandbox.clone(),
    };
    let outcome = run_shell(&shell, surroundings, &job.stop, &mut show).await;
    let mut said = lock(&job.said);
    if outcome.summary == "not started" {
        said.push(&outcome.output);
    }
    let words = if job.stop.is_cancelled() { "ended on request".to_owned() } else { outcome.summary };
    // Under one lock: who sees the end sees the number too.
    job.running.send_modify(|running| *running = running.saturating_sub(1));
    said.end = Some(End { ok: outcome.ok, words });
    drop(said);
    job.changed.notify_waiters();
}

impl Said {
    fn push(&mut self, text: &str) {
        self.fresh.push_str(text);
        if self.fresh.len() > KEPT {
            let mut cut = self.fresh.len() - KEPT;
            while !self.fresh.is_char_boundary(cut) {
                cut += 1;
            }
            self.fresh.drain(..cut);
            self.lost += cut;
        }
    }
}

impl Job {
    fn end(&self) -> Option<End> {
        lock(&self.said).end.clone()
    }

    /// Resolves when the job has ended.
    async fn ended(&self) {
        self.until(|said| said.end.is_some()).await;
    }

    /// Resolves when there is something to read, or the job has ended.
    async fn news(&self) {
        self.until(|said| said.end.is_some() || !said.fresh.is_empty()).await;
    }

    async fn until(&self, holds: impl Fn(&Said) -> bool) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // Listening begins before looking, so that no change is missed in between.
            changed.as_mut().enable();
            if holds(&lock(&self.said)) {
                return;
            }
            changed.await;
        }
    }

    /// What was said since the last time, and how it ended.
    fn take(&self) -> (String, Option<End>) {
        let mut said = lock(&self.said);
        let lost = std::mem::take(&mut said.lost);
        let fresh = std::mem::take(&mut said.fresh);
        said.told |= said.end.is_some();
        let before = if lost > 0 {
            format!("[{lost} bytes before were not read in time and are gone]\n")
        } else {
            String::new()
        };
        (before + &fresh, said.end.clone())
    }

    fn read(&self) -> ToolOutcome {
        let (said, end) = self.take();
        let state = match &end {
            Some(end) => format!("ended: {}", end.words),
            None => format!("running {} s", self.began.elapsed().as_secs()),
        };
        let lines = said.lines().count();
        let summary = if lines == 0 {
            format!("nothing new, {state}")
        } else {
            format!("{}, {state}", counted(lines, "line", "lines"))
        };
        let said = if said.is_empty() { "[nothing new]\n".to_owned() } else { said };
        let line = if said.ends_with('\n') { "" } else { "\n" };
        looked(format!("{said}{line}[job `{}`: {state}]", self.name), summary)
    }
}
