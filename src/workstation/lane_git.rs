//! Git and set-up work of one lane: looking at it, watching it, copying into it, running its init command.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::app::{LaneMsg, Msg};
use crate::base::{Report, visible};
use crate::domain::{LaneId, Place};
use crate::git::{self, Cancel};
use crate::watch::{Target, WatchEvent};

use super::lane_actor::{Shared, blocking};

/// A lane's disk use is measured at most this often: walking a large tree costs more than the number is worth.
const MEASURE: Duration = Duration::from_secs(30);
/// Lines of init output that are kept.
const INIT_LINES: usize = 400;

/// Starts the task that looks at a lane's git state whenever it is asked. Requests that come while it looks
/// are gathered into one more look.
pub(super) fn start(lane: LaneId, shared: Arc<Shared>) -> mpsc::Sender<Vec<String>> {
    let (sender, mut asked) = mpsc::channel::<Vec<String>>(64);
    tokio::spawn(async move {
        let mut measured: Option<Instant> = None;
        while let Some(mut touched) = asked.recv().await {
            while let Ok(more) = asked.try_recv() {
                touched.extend(more);
            }
            let measure = measured.is_none_or(|at| at.elapsed() >= MEASURE);
            if measure {
                measured = Some(Instant::now());
            }
            look(lane, &shared, touched, measure).await;
        }
    });
    sender
}

async fn look(lane: LaneId, shared: &Arc<Shared>, touched: Vec<String>, measure: bool) {
    let Some(place) = shared.places.get(lane) else { return };
    let Ok(_slot) = shared.git_slots.acquire().await else { return };
    let project = shared.project.clone();
    let looked = blocking(move || {
        let mut facts = git::facts(&project, &place).map_err(Report::from)?;
        if measure && !place.is_here() {
            facts.disk = git::disk_use(&place.directory, &Cancel::new());
        }
        Ok(facts)
    })
    .await;
    let msg = match looked {
        Ok(facts) => LaneMsg::Git { facts: Box::new(facts), touched },
        Err(report) => LaneMsg::Trouble(report),
    };
    // A closed channel means that the workstation is ending.
    let _ = shared.messages.send(Msg::Lane(lane, msg)).await;
}

/// Stands for the base checkout where the watcher wants a lane.
const BASE: LaneId = LaneId(0);

/// Watches a lane's directory from now on.
pub(super) async fn watch(lane: LaneId, shared: &Arc<Shared>, place: &Place) {
    let (watching, place) = (Arc::clone(shared), place.clone());
    let watched = blocking(move || {
        let paths = git::git_paths(&watching.project, &place).map_err(Report::from)?;
        let target = Target {
            directory: Some(place.directory),
            git_dir: paths.git_dir,
            common_dir: paths.common_dir,
            refs: paths.refs,
        };
        watching.watcher.add(lane, target).map_err(|e| Report::refused(e.to_string()))
    })
    .await;
    if let Err(report) = watched {
        say(shared, lane, LaneMsg::Trouble(report)).await;
    }
}

/// Watches what the base checkout stands on: new lanes start there, and all lanes are compared with it.
pub(super) async fn watch_base(shared: &Arc<Shared>) {
    let watching = Arc::clone(shared);
    let watched = blocking(move || {
        let here = watching.project.here().map_err(Report::from)?;
        let paths = git::git_paths(&watching.project, &here).map_err(Report::from)?;
        let refs = vec![format!("refs/heads/{}", here.base.name)];
        let target = Target { directory: None, git_dir: paths.git_dir, common_dir: paths.common_dir, refs };
        watching.watcher.add(BASE, target).map_err(|e| Report::refused(e.to_string()))
    })
    .await;
    if let Err(report) = watched {
        let _ending = shared.messages.send(Msg::Misconfigured(report)).await;
    }
}

/// What the watcher tells becomes a message. Called on the watcher's own thread.
pub(super) fn watched(messages: &mpsc::Sender<Msg>, event: WatchEvent) {
    let msg = if event.lane == BASE { Msg::BaseTouched } else { Msg::Touched(event.lane, event.touched) };
    // A closed channel means that the workstation is ending.
    let _ = messages.blocking_send(msg);
    if let Some(limit) = event.limit {
        let report = Report::refused(limit.to_string());
        let _ = messages.blocking_send(Msg::Lane(event.lane, LaneMsg::Trouble(report)));
    }
}

/// Cancels git's work together with the job it belongs to.
pub(super) fn cancel_with(token: CancellationToken, cancel: Cancel) -> DropGuard {
    let over = CancellationToken::new();
    let guard = over.clone().drop_guard();
    tokio::spawn(async move {
        tokio::select! {
            () = token.cancelled() => cancel.cancel(),
            () = over.cancelled() => {}
        }
    });
    guard
}

/// What copying did, in lines for the transcript.
pub(super) fn copied_lines(copied: &[git::Copied]) -> Vec<String> {
    let line = |c: &git::Copied| match (c.missing, c.files) {
        (true, _) => format!("copy `{}`: the base checkout has no such file", visible(&c.pattern)),
        (false, 0) => format!("copy `{}`: nothing to do, the lane has it", visible(&c.pattern)),
        (false, 1) => format!("copied `{}`", visible(&c.pattern)),
        (false, files) => format!("copied `{}`: {files} files", visible(&c.pattern)),
    };
    copied.iter().map(line).collect()
}

/// Runs the init command in a new lane. Its output goes into the transcript as it comes.
pub(super) async fn run_init(
    lane: LaneId,
    shared: &Arc<Shared>,
    directory: &Path,
    program: &str,
    arguments: &[String],
    cancel: &CancellationToken,
) -> Result<(), Report> {
    let shown = std::iter::once(program).chain(arguments.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
    let failed = |why: String| {
        Report::refused(format!("the init command `{}` of the lane failed: {why}", visible(&shown)))
            .hint("its output stands in the lane's transcript")
    };
    say(shared, lane, LaneMsg::Progress(format!("running `{shown}`"))).await;
    say(shared, lane, LaneMsg::SetUpLine(format!("$ {shown}"))).await;
    let mut command = tokio::process::Command::new(program);
    command
        .args(arguments)
        .current_dir(directory)
        .env_clear()
        .envs(shared.environment.all())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    let mut child = command.spawn().map_err(|e| failed(e.to_string()))?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let output = async {
        tokio::join!(lines(out, shared, lane), lines(err, shared, lane));
        child.wait().await
    };
    let status = tokio::select! {
        status = output => status.map_err(|e| failed(e.to_string()))?,
        () = cancel.cancelled() => return Err(failed("it was cancelled".into())),
    };
    if status.success() { Ok(()) } else { Err(failed(status.to_string())) }
}

async fn lines(stream: Option<impl AsyncRead + Unpin>, shared: &Arc<Shared>, lane: LaneId) {
    let Some(stream) = stream else { return };
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    let mut count = 0usize;
    loop {
        line.clear();
        match reader.read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                count += 1;
                if count <= INIT_LINES {
                    let text = String::from_utf8_lossy(&line).trim_end().chars().take(2_000).collect();
                    say(shared, lane, LaneMsg::SetUpLine(text)).await;
                }
            }
        }
    }
    if count > INIT_LINES {
        say(shared, lane, LaneMsg::SetUpLine(format!("… {} more lines", count - INIT_LINES))).await;
    }
}

async fn say(shared: &Arc<Shared>, lane: LaneId, msg: LaneMsg) {
    // A closed channel means that the workstation is ending.
    let _ = shared.messages.send(Msg::Lane(lane, msg)).await;
}
