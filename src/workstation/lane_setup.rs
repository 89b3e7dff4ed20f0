//! A lane's directory made and set up: worktree, copied files, init program.

use std::path::Path;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::shared::{Shared, blocking};
use crate::agent;
use crate::app::{LaneMsg, Msg, SetUp, SetupPlan};
use crate::base::{Report, visible};
use crate::domain::{LaneId, Place};
use crate::git::{self, Cancel};

/// Lines of the init program's output that are kept.
const LINES: usize = 400;
/// Characters of such a line.
const LINE: usize = 2_000;

/// Makes a lane's directory, sets it up, and tells what came of it.
pub(super) async fn make(
    lane: LaneId,
    shared: Arc<Shared>,
    place: Place,
    plan: SetupPlan,
    begin: (Option<String>, Option<SetUp>),
    stop: CancellationToken,
) {
    match try_make(lane, &shared, &place, plan, begin, &stop).await {
        Ok(()) => shared.tell_lane(lane, LaneMsg::SetUp).await,
        // Whoever stopped it closes the lane or starts it anew.
        Err(_) if stop.is_cancelled() => {}
        Err(report) => shared.tell_lane(lane, LaneMsg::SetUpFailed(report)).await,
    }
}

async fn try_make(
    lane: LaneId,
    shared: &Arc<Shared>,
    place: &Place,
    plan: SetupPlan,
    (files, set_up): (Option<String>, Option<SetUp>),
    stop: &CancellationToken,
) -> Result<(), Report> {
    let git_stop = Cancel::new();
    let _guard = cancel_with(stop.clone(), git_stop.clone());
    if shared.worktrees.available_permits() == 0 {
        shared.tell_lane(lane, LaneMsg::Progress("waiting for another lane's worktree".into())).await;
    }
    let turn = tokio::select! {
        turn = shared.worktrees.acquire() => turn,
        () = stop.cancelled() => return Err(Report::refused("cancelled")),
    };
    let (project, target, messages, cancel) =
        (shared.project.clone(), place.clone(), shared.messages.clone(), git_stop.clone());
    let made = blocking(move || {
        let mut say = |line: &str| {
            let _ending = messages.blocking_send(Msg::Lane(lane, LaneMsg::Progress(line.to_owned())));
        };
        match plan {
            SetupPlan::Ensure => git::ensure_worktree(&project, &target, &cancel, &mut say),
            SetupPlan::Restore => git::restore_worktree(&project, &target, &cancel, &mut say),
        }
        .map_err(Report::from)
    })
    .await;
    drop(turn);
    for note in made?.notes {
        shared.tell_lane(lane, LaneMsg::SetUpLine(note)).await;
    }
    if let Some(target) = files {
        shared.tell_lane(lane, LaneMsg::Progress("bringing the files".into())).await;
        let (project, place, cancel) = (shared.project.clone(), place.clone(), git_stop.clone());
        let copied = set_up.as_ref().map_or_else(Vec::new, |set_up| set_up.copy.clone());
        let fill = move || {
            let subject = git::Subject { project: &project, lane, place: &place, copied: &copied };
            git::begin_with(&subject, &target, &cancel).map_err(Report::from)
        };
        blocking(fill).await?;
    }
    let Some(set_up) = set_up else { return Ok(()) };
    if !set_up.copy.is_empty() {
        shared.tell_lane(lane, LaneMsg::Progress("copying files".into())).await;
        let (project, target) = (shared.project.clone(), place.clone());
        let copied =
            blocking(move || git::copy_into(&project, &target, &set_up.copy, &git_stop).map_err(Report::from)).await?;
        for line in copied.iter().map(copied_line) {
            shared.tell_lane(lane, LaneMsg::SetUpLine(line)).await;
        }
    }
    if set_up.init.is_empty() {
        return Ok(());
    }
    run_init(lane, shared, &place.directory, &set_up.init, stop).await
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

/// What copying did, in a line for the transcript.
fn copied_line(copied: &git::Copied) -> String {
    let pattern = visible(&copied.pattern);
    match (copied.missing, copied.files) {
        (true, _) => format!("copy `{pattern}`: the base checkout has no such file"),
        (false, 0) => format!("copy `{pattern}`: nothing to do, the lane has it"),
        (false, 1) => format!("copied `{pattern}`"),
        (false, files) => format!("copied `{pattern}`: {files} files"),
    }
}

/// Runs the init program in a new lane. Its output goes into the transcript as it comes.
async fn run_init(
    lane: LaneId,
    shared: &Arc<Shared>,
    directory: &Path,
    init: &[String],
    stop: &CancellationToken,
) -> Result<(), Report> {
    let shown = visible(&init.join(" ")).into_owned();
    shared.tell_lane(lane, LaneMsg::Progress(format!("running `{shown}`"))).await;
    shared.tell_lane(lane, LaneMsg::SetUpLine(format!("$ {shown}"))).await;
    // Room for every line that is kept: the program's output never waits.
    let (sender, mut lines) = mpsc::channel(LINES + 1);
    let mut output = Lines { sender, line: String::new(), count: 0 };
    let environment = shared.environment.without(&[]);
    let running = async move {
        let show = &mut |text: &str| output.push(text);
        let outcome = agent::run_program(init, directory, &environment, stop.clone(), show).await;
        output.end();
        outcome
    };
    let telling = async {
        while let Some(line) = lines.recv().await {
            shared.tell_lane(lane, LaneMsg::SetUpLine(line)).await;
        }
    };
    let (outcome, ()) = tokio::join!(running, telling);
    if outcome.ok {
        return Ok(());
    }
    Err(Report::refused(format!("the init command `{shown}` of the lane failed: {}", outcome.summary))
        .hint("its output stands in the lane's transcript"))
}

/// Output cut into lines: the first ones are kept, the rest is counted.
struct Lines {
    sender: mpsc::Sender<String>,
    line: String,
    count: usize,
}

impl Lines {
    fn push(&mut self, text: &str) {
        for piece in text.split_inclusive('\n') {
            let room = (LINE * 4).saturating_sub(self.line.len());
            self.line.extend(piece.chars().take(room));
            if piece.ends_with('\n') {
                self.finish_line();
            }
        }
    }

    fn finish_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.count += 1;
        if self.count <= LINES {
            // There is room for all of them.
            let _ = self.sender.try_send(line.trim_end().chars().take(LINE).collect());
        }
    }

    fn end(mut self) {
        if !self.line.is_empty() {
            self.finish_line();
        }
        if self.count > LINES {
            let _ = self.sender.try_send(format!("… {} more lines", self.count - LINES));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(pieces: &[&str]) -> Vec<String> {
        let (sender, mut receiver) = mpsc::channel(LINES + 1);
        let mut lines = Lines { sender, line: String::new(), count: 0 };
        for piece in pieces {
            lines.push(piece);
        }
        lines.end();
        std::iter::from_fn(|| receiver.try_recv().ok()).collect()
    }

    #[test]
    fn lines_are_whole_whatever_the_pieces() {
        assert_eq!(told(&["on", "e\ntwo\r\n\nth", "ree"]), ["one", "two", "", "three"]);
        assert_eq!(told(&[]), Vec::<String>::new());
        assert_eq!(told(&[&"x".repeat(100_000)])[0].len(), LINE);
    }

    #[test]
    fn a_flood_of_lines_is_counted() {
        let lines = told(&["x\n".repeat(5_000).as_str()]);
        assert_eq!((lines.len(), lines[LINES].as_str()), (LINES + 1, "… 4600 more lines"));
    }
}
