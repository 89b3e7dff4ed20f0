//! One actor a lane: it carries out orders for the lane's directory, session and turn, one after the other,
//! and tells the loop what came of them. Long work runs in tasks of its own that a later order can end.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::agent::{self, TurnInput};
use crate::app::{LaneMsg, LaneOrder, Msg, PaneMsg, PaneOrder, SetUp, SetupPlan, TurnMsg, TurnStart};
use crate::base::Report;
use crate::domain::{LaneId, Place, PromptId, TurnOutcome};
use crate::git::{self, Cancel, Project};
use crate::sandbox::WorktreeFiles;
use crate::store::Store;
use crate::terminal::{Colours, Delivery, Launch, Panes};

use super::environment::SessionEnvironment;
use super::feeds::Feeds;
use super::lane_git;
use super::places::Places;
use super::port::LanePort;
use super::providers::Providers;
use super::tokens::Tokens;

/// Orders of one lane that may wait: far more than a person gives.
pub(super) const ORDERS: usize = 256;
/// Entries of a restored lane's transcript that are read again: as many as after a start.
const RECALLED: usize = 500;

/// What every actor shares.
pub(super) struct Shared {
    pub messages: mpsc::Sender<Msg>,
    pub panes: Panes,
    pub project: Project,
    pub environment: SessionEnvironment,
    pub providers: Providers,
    pub tokens: Arc<Tokens>,
    pub feeds: Arc<Feeds>,
    /// Looks at git that may run at once, so that many changed lanes do not take every core.
    pub git_slots: Semaphore,
    /// Worktrees are made and removed one at a time: git reads the half-written entries of others and fails.
    pub worktrees: Semaphore,
    pub watcher: crate::watch::Watcher,
    pub places: Places,
    /// The database's path, to read transcripts from.
    pub store: PathBuf,
    /// What panes answer when a program asks for the terminal's colours.
    pub colours: Colours,
}

/// One order.
#[derive(Debug)]
pub(super) enum Order {
    Lane(LaneOrder),
    Pane(PaneOrder),
}

/// A task that can be ended and waited for.
struct Job {
    cancel: CancellationToken,
    task: JoinHandle<()>,
}

impl Job {
    async fn end(self) {
        self.cancel.cancel();
        // A task that panicked has ended too; its lane was told by its own guard.
        let _ = self.task.await;
    }
}

/// Starts a lane's actor.
pub(super) fn start(lane: LaneId, shared: Arc<Shared>, runtime: &tokio::runtime::Handle) -> mpsc::Sender<Order> {
    let (sender, orders) = mpsc::channel(ORDERS);
    let actor = Actor { lane, shared, setup: None, turn: None, delivery: None, shells: Vec::new(), looker: None };
    runtime.spawn(actor.run(orders));
    sender
}

struct Actor {
    lane: LaneId,
    shared: Arc<Shared>,
    setup: Option<Job>,
    turn: Option<Job>,
    delivery: Option<(PromptId, Job)>,
    shells: Vec<Job>,
    looker: Option<mpsc::Sender<Vec<String>>>,
}

impl Actor {
    async fn run(mut self, mut orders: mpsc::Receiver<Order>) {
        while let Some(order) = orders.recv().await {
            match order {
                Order::Lane(LaneOrder::Retire) => break,
                Order::Lane(order) => self.lane_order(order).await,
                Order::Pane(order) => self.pane_order(order).await,
            }
        }
        self.end_everything().await;
        self.shared.watcher.remove(self.lane);
    }

    async fn end_everything(&mut self) {
        for job in [self.setup.take(), self.turn.take(), self.delivery.take().map(|(_, j)| j)].into_iter().flatten() {
            job.end().await;
        }
        for job in self.shells.drain(..) {
            job.end().await;
        }
        // A lane without a pane has none to close.
        let _ = self.shared.panes.close(self.lane).await;
    }

    async fn tell(&self, msg: LaneMsg) {
        tell(&self.shared, self.lane, msg).await;
    }

    async fn lane_order(&mut self, order: LaneOrder) {
        match order {
            LaneOrder::Plan { name, base, directory } => {
                let project = self.shared.project.clone();
                let planned =
                    blocking(move || git::plan(&project, &name, base.as_deref(), &directory).map_err(Report::from))
                        .await;
                match planned {
                    Ok(place) => self.tell(LaneMsg::Planned(place)).await,
                    Err(report) => self.tell(LaneMsg::SetUpFailed(report)).await,
                }
            }
            LaneOrder::SetUp { place, plan, set_up } => {
                if let Some(job) = self.setup.take() {
                    job.end().await;
                }
                let cancel = CancellationToken::new();
                let task = tokio::spawn(make(self.lane, Arc::clone(&self.shared), place, plan, set_up, cancel.clone()));
                self.setup = Some(Job { cancel, task });
            }
            LaneOrder::StartTurn(start) => {
                if let Some(job) = self.turn.take() {
                    job.end().await;
                }
                let cancel = CancellationToken::new();
                let task = tokio::spawn(turn(self.lane, Arc::clone(&self.shared), *start, cancel.clone()));
                self.turn = Some(Job { cancel, task });
            }
            // The task ends its processes, tells the loop, and is over; nothing else waits for it.
            LaneOrder::CancelTurn => {
                if let Some(job) = &self.turn {
                    job.cancel.cancel();
                }
            }
            LaneOrder::Shell { command, directory } => self.shell(command, directory),
            LaneOrder::Close { place, keep_branch } => self.close(place, keep_branch).await,
            LaneOrder::Look(touched) => self.look(touched).await,
            LaneOrder::Retire => {}
        }
    }

    fn shell(&mut self, command: String, directory: PathBuf) {
        self.shells.retain(|job| !job.task.is_finished());
        let cancel = CancellationToken::new();
        let (lane, shared, stop) = (self.lane, Arc::clone(&self.shared), cancel.clone());
        let task = tokio::spawn(async move {
            let environment = shared.environment.without(&[]);
            let outcome = agent::run_shell(&command, &directory, &environment, stop).await;
            tell(&shared, lane, LaneMsg::ShellDone { command, outcome }).await;
        });
        self.shells.push(Job { cancel, task });
    }

    /// Nothing that runs is ended before it is certain that closing loses nothing.
    async fn close(&mut self, place: Place, keep_branch: bool) {
        if let Some(job) = self.setup.take() {
            job.end().await;
        }
        let (project, looked) = (self.shared.project.clone(), place.clone());
        let lost = blocking(move || {
            let losses = git::losses(&project, &looked).map_err(Report::from)?;
            if !losses.blocks(keep_branch) {
                return Ok(());
            }
            let dir = looked.directory;
            Err(Report::from(git::GitError::WouldLose { dir, losses: Box::new(losses) }))
        });
        if let Err(report) = lost.await {
            return self.tell(LaneMsg::CloseRefused(report)).await;
        }
        self.shared.watcher.remove(self.lane);
        self.end_everything().await;
        let turn = self.shared.worktrees.acquire().await;
        let project = self.shared.project.clone();
        let closed = blocking(move || git::close_worktree(&project, &place, keep_branch).map_err(Report::from)).await;
        drop(turn);
        match closed {
            Ok(closed) => {
                let tip = closed.sha.filter(|_| closed.branch_deleted);
                self.tell(LaneMsg::Closed { tip }).await;
            }
            Err(report) => self.tell(LaneMsg::CloseRefused(report)).await,
        }
    }

    /// Looks at git in a task of its own; while one looks, the next look gathers what changes.
    async fn look(&mut self, touched: Vec<String>) {
        let looker = self.looker.get_or_insert_with(|| lane_git::start(self.lane, Arc::clone(&self.shared)));
        // The looker lives as long as this actor.
        let _ = looker.send(touched).await;
    }

    async fn pane_order(&mut self, order: PaneOrder) {
        let (lane, panes) = (self.lane, self.shared.panes.clone());
        match order {
            PaneOrder::Open { command, directory, size } => {
                // A restart ends the old program first; without one there is nothing to close.
                let _ = panes.close(lane).await;
                let launch = Launch {
                    command: command.into_iter().map(Into::into).collect(),
                    directory,
                    environment: self.shared.environment.all(),
                    size,
                    colours: self.shared.colours.clone(),
                };
                let opened =
                    blocking(move || panes.open(lane, &launch).map_err(|e| Report::refused(e.to_string()))).await;
                let msg = match opened {
                    Ok(_) => PaneMsg::Started,
                    Err(report) => PaneMsg::NotStarted(report),
                };
                tell_pane(&self.shared, lane, msg).await;
            }
            PaneOrder::End => {
                if let Some((_, job)) = self.delivery.take() {
                    job.end().await;
                }
                // Its end is told by the pane itself.
                let _ = panes.end(lane).await;
            }
            PaneOrder::Deliver(prompt, text) => {
                if let Some((_, job)) = self.delivery.take() {
                    job.end().await;
                }
                let cancel = CancellationToken::new();
                let work = deliver(lane, Arc::clone(&self.shared), prompt, text);
                let stop = cancel.clone();
                let task = tokio::spawn(async move {
                    tokio::select! { () = work => {}, () = stop.cancelled() => {} }
                });
                self.delivery = Some((prompt, Job { cancel, task }));
            }
            PaneOrder::Withdraw(prompt) => {
                if let Some((_, job)) = self.delivery.take_if(|(p, _)| *p == prompt) {
                    job.end().await;
                }
            }
            // The rest goes to the pane directly, past this queue.
            _ => {}
        }
    }
}

async fn tell(shared: &Shared, lane: LaneId, msg: LaneMsg) {
    // A closed channel means that the workstation is ending.
    let _ = shared.messages.send(Msg::Lane(lane, msg)).await;
}

async fn tell_pane(shared: &Shared, lane: LaneId, msg: PaneMsg) {
    let _ = shared.messages.send(Msg::Pane(lane, msg)).await;
}

/// Runs blocking work on a thread for it.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Report> + Send + 'static,
) -> Result<T, Report> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|_| Err(Report::internal("a piece of work ended with a fault of its own")))
}

/// Makes a lane's directory and sets it up.
async fn make(
    lane: LaneId,
    shared: Arc<Shared>,
    place: Place,
    plan: SetupPlan,
    set_up: Option<SetUp>,
    cancel: CancellationToken,
) {
    match try_make(lane, &shared, &place, plan, set_up, &cancel).await {
        Ok(()) => tell(&shared, lane, LaneMsg::SetUp).await,
        // Whoever cancelled it closes the lane or starts it anew.
        Err(_) if cancel.is_cancelled() => {}
        Err(report) => tell(&shared, lane, LaneMsg::SetUpFailed(report)).await,
    }
}

async fn try_make(
    lane: LaneId,
    shared: &Arc<Shared>,
    place: &Place,
    plan: SetupPlan,
    set_up: Option<SetUp>,
    cancel: &CancellationToken,
) -> Result<(), Report> {
    if plan == SetupPlan::Restore {
        recall(lane, shared).await?;
    }
    let stop = Cancel::new();
    let _guard = lane_git::cancel_with(cancel.clone(), stop.clone());
    let (project, target, messages, git_stop) =
        (shared.project.clone(), place.clone(), shared.messages.clone(), stop.clone());
    if shared.worktrees.available_permits() == 0 {
        tell(shared, lane, LaneMsg::Progress("waiting for another lane's worktree".into())).await;
    }
    let turn = tokio::select! {
        turn = shared.worktrees.acquire() => turn,
        () = cancel.cancelled() => return Err(Report::refused("cancelled")),
    };
    let made = blocking(move || {
        let mut say = |line: &str| {
            let _ending = messages.blocking_send(Msg::Lane(lane, LaneMsg::Progress(line.to_owned())));
        };
        match plan {
            SetupPlan::Ensure => git::ensure_worktree(&project, &target, &git_stop, &mut say),
            SetupPlan::Restore => git::restore_worktree(&project, &target, None, &git_stop, &mut say),
        }
        .map_err(Report::from)
    })
    .await?;
    drop(turn);
    for note in made.notes {
        tell(shared, lane, LaneMsg::SetUpLine(note)).await;
    }
    if !place.is_here() {
        lane_git::watch(lane, shared, place).await;
    }
    let Some(set_up) = set_up else { return Ok(()) };
    if !set_up.copy.is_empty() {
        tell(shared, lane, LaneMsg::Progress("copying files".into())).await;
        let (project, target, stop) = (shared.project.clone(), place.clone(), stop.clone());
        let copied =
            blocking(move || git::copy_into(&project, &target, &set_up.copy, &stop).map_err(Report::from)).await?;
        for line in lane_git::copied_lines(&copied) {
            tell(shared, lane, LaneMsg::SetUpLine(line)).await;
        }
    }
    let Some((program, arguments)) = set_up.init.split_first() else { return Ok(()) };
    lane_git::run_init(lane, shared, &place.directory, program, arguments, cancel).await
}

/// Reads a restored lane's transcript, which was let go when the lane was closed.
async fn recall(lane: LaneId, shared: &Arc<Shared>) -> Result<(), Report> {
    let store = shared.store.clone();
    let read = move || Store::entries(&store, lane, None, RECALLED).map_err(|e| Report::refused(e.to_string()));
    tell(shared, lane, LaneMsg::Recalled(blocking(read).await?)).await;
    Ok(())
}

/// Runs one turn of an own agent and tells how it ended.
async fn turn(lane: LaneId, shared: Arc<Shared>, start: TurnStart, cancel: CancellationToken) {
    let prompt = start.prompt;
    let outcome = match prepare(&shared, start) {
        Ok((input, files)) => {
            let port = Arc::new(LanePort {
                lane,
                messages: shared.messages.clone(),
                tokens: Arc::clone(&shared.tokens),
                feeds: Arc::clone(&shared.feeds),
            });
            // A fault in one turn stays in its lane.
            let run = tokio::spawn(agent::run_turn(input, port, Arc::new(files), cancel));
            run.await.unwrap_or_else(|_| TurnOutcome::Failed {
                error: "the turn ended with a fault of Paralane's own; retry goes on from what is kept".into(),
            })
        }
        Err(report) => TurnOutcome::Failed { error: report.to_string() },
    };
    for streamed in shared.feeds.take(lane) {
        let _ending = shared.messages.send(Msg::Turn(lane, streamed)).await;
    }
    let _ending = shared.messages.send(Msg::Turn(lane, TurnMsg::Ended(prompt, outcome))).await;
}

fn prepare(shared: &Shared, start: TurnStart) -> Result<(TurnInput, WorktreeFiles), Report> {
    let client = shared.providers.client(&start.provider, &shared.environment)?;
    let files = WorktreeFiles::open(&start.directory).map_err(|e| Report::refused(e.to_string()))?;
    let input = TurnInput {
        client,
        model: start.model,
        prompt: start.prompt,
        transcript: start.entries,
        interrupted_calls: start.interrupted.into_iter().collect::<BTreeSet<_>>(),
        directory: start.directory,
        environment: shared.environment.without(&shared.providers.key_names()),
        max_steps: agent::DEFAULT_MAX_STEPS,
        seed: start.prompt.0.unsigned_abs(),
    };
    Ok((input, files))
}

/// Gives a prompt to a pane's program and follows it until the program is ready again.
async fn deliver(lane: LaneId, shared: Arc<Shared>, prompt: PromptId, text: String) {
    let msg = match shared.panes.deliver(lane, &text).await {
        Ok(Delivery::Delivered) => {
            tell_pane(&shared, lane, PaneMsg::Delivered(prompt)).await;
            match shared.panes.finished(lane).await {
                Ok(()) => PaneMsg::Finished(prompt),
                // The program ended: that is told by the pane itself.
                Err(_) => return,
            }
        }
        Ok(Delivery::Unconfirmed(reason)) => PaneMsg::Unconfirmed(prompt, reason),
        Err(error) => PaneMsg::Refused(prompt, error.to_string()),
    };
    tell_pane(&shared, lane, msg).await;
}

/// Senders of all actors.
pub(super) type Actors = BTreeMap<LaneId, mpsc::Sender<Order>>;
