//! One actor a lane: it carries out orders for the lane's directory, session and turn, one after the other,
//! and tells the loop what came of them. Long work runs in jobs of its own that a later order can end.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::hooks;
use super::job::Job;
use super::lane_git::{self, Looks};
use super::lane_repository::LaneRepository;
use super::lane_walls::LaneWalls;
use super::shared::{Shared, blocking, in_place};
use super::{lane_setup, lane_turn, natives};
use crate::agent::{self, LaneHooks, LaneTools, Voice};
use crate::app::{
    CheckpointOrder, CompactStart, LaneMsg, LaneOrder, Msg, PaneMsg, PaneOrder, Purpose, SetUp, SetupPlan, TurnMsg,
    TurnStart,
};
use crate::base::{Report, lock};
use crate::command::RewindWhat;
use crate::domain::{Checkpoint, LaneDoor, LaneId, Place, PromptId, Taken, ToolOutcome, TurnOutcome};
use crate::git::{self, Checkpoints};
use crate::terminal::Launch;

/// Orders of one lane that may wait: far more than a person gives.
const ORDERS: usize = 256;

/// How long the last output of a program that has ended may take to be drawn before its end is told.
const LAST_OUTPUT: Duration = Duration::from_secs(1);

/// What a broken job's message says.
const FAULT: &str = "it ended with a fault of Paralane's own";

/// One order.
#[derive(Debug)]
pub(super) enum Order {
    Lane(LaneOrder),
    Pane(PaneOrder),
}

/// All actors.
pub(super) type Actors = BTreeMap<LaneId, Actor>;

/// An actor, as the loop sees it.
#[derive(Clone)]
pub(super) struct Actor {
    orders: mpsc::Sender<Order>,
    looks: Arc<Looks>,
}

impl Actor {
    /// Starts a lane's actor.
    pub fn start(lane: LaneId, shared: &Arc<Shared>) -> Self {
        let (orders, inbox) = mpsc::channel(ORDERS);
        let looks = Arc::new(Looks::default());
        let worker = Worker {
            lane,
            shared: Arc::clone(shared),
            looks: Arc::clone(&looks),
            looker: None,
            setup: None,
            turn: None,
            delivery: None,
            shells: Vec::new(),
            tools: LaneTools::new(
                Arc::new(LaneRepository::new(lane, shared)),
                Arc::new(LaneWalls::new(lane, shared)),
                Voice { door: Arc::clone(&shared.doors) as Arc<dyn LaneDoor>, lane },
            ),
            checkpoints: Arc::default(),
            hooks: None,
        };
        let broken = Msg::Lane(lane, LaneMsg::Trouble(broken("the lane's worker")));
        // Nobody ends this job: it ends by its inbox or together with the workstation.
        drop(Job::start(shared, broken, |_| worker.run(inbox)));
        Self { orders, looks }
    }

    /// Gives an order.
    ///
    /// # Errors
    /// The order, when it is not taken.
    #[allow(clippy::result_large_err, reason = "the order itself comes back")]
    pub fn order(&self, order: Order) -> Result<(), mpsc::error::TrySendError<Order>> {
        self.orders.try_send(order)
    }

    /// Has git looked at; requests that come while it looks are gathered.
    pub fn look(&self, touched: Vec<String>) {
        self.looks.ask(touched);
    }

    /// Resolves when the actor and everything it started have ended.
    pub async fn ended(self) {
        self.orders.closed().await;
    }
}

/// What is told of an order that was not taken, so that whoever waits for it hears of it.
pub(super) fn not_taken(lane: LaneId, order: Order, report: Report) -> Msg {
    let of_lane = |msg| Msg::Lane(lane, msg);
    let of_pane = |msg| Msg::Pane(lane, msg);
    match order {
        Order::Lane(LaneOrder::Plan { .. } | LaneOrder::SetUp { .. }) => of_lane(LaneMsg::SetUpFailed(report)),
        Order::Lane(LaneOrder::StartTurn(start)) => {
            Msg::Turn(lane, TurnMsg::Ended(start.prompt, TurnOutcome::Failed { error: report.to_string() }))
        }
        Order::Lane(LaneOrder::Checkpoint { order, purpose }) => {
            let taken = Taken { number: order.number, seq: order.seq, files: Err(report.message) };
            of_lane(LaneMsg::Checkpointed { taken, purpose })
        }
        Order::Lane(LaneOrder::Rewind { to, what, before, .. }) => {
            of_lane(LaneMsg::Rewound { to, what, before: before.0, result: Err(report) })
        }
        Order::Lane(LaneOrder::Compact(_)) => of_lane(LaneMsg::Compacted(Err(report))),
        Order::Lane(LaneOrder::Close { .. }) => of_lane(LaneMsg::CloseRefused(report)),
        Order::Pane(PaneOrder::Open { .. }) => of_pane(PaneMsg::NotStarted(report)),
        Order::Pane(PaneOrder::Deliver(prompt, _)) => of_pane(PaneMsg::Refused(prompt, report.to_string())),
        Order::Lane(_) | Order::Pane(_) => of_lane(LaneMsg::Trouble(report)),
    }
}

fn broken(what: &str) -> Report {
    Report::internal(format!("{what} broke down: {FAULT}")).hint("`lane restart` makes the lane fresh")
}

/// The actor itself.
struct Worker {
    lane: LaneId,
    shared: Arc<Shared>,
    looks: Arc<Looks>,
    looker: Option<Job>,
    setup: Option<Job>,
    turn: Option<Job>,
    delivery: Option<(PromptId, Job)>,
    shells: Vec<Job>,
    /// What the agent's tools keep between turns: background jobs above all.
    tools: LaneTools,
    checkpoints: Arc<Checkpoints>,
    /// The hooks of its last turn, for the end of the session.
    hooks: Option<LaneHooks>,
}

impl Worker {
    async fn run(mut self, mut orders: mpsc::Receiver<Order>) {
        let ending = self.shared.ending.clone();
        self.start_looker();
        let mut jobs = self.tools.watch_jobs();
        let mut servers = self.tools.watch_servers();
        loop {
            let order = tokio::select! {
                biased;
                () = ending.cancelled() => break,
                Ok(()) = jobs.changed() => {
                    let running = *jobs.borrow_and_update();
                    self.tell(LaneMsg::Jobs(running)).await;
                    continue;
                }
                Ok(()) = servers.changed() => {
                    let (views, news) = self.tools.server_news();
                    self.tell(LaneMsg::Servers(views)).await;
                    if !news.is_empty() {
                        self.tell(LaneMsg::ServerNews(news)).await;
                    }
                    continue;
                }
                order = orders.recv() => order,
            };
            match order {
                None | Some(Order::Lane(LaneOrder::Retire)) => break,
                Some(Order::Lane(order)) => self.lane_order(order).await,
                Some(Order::Pane(order)) => self.pane_order(order).await,
            }
        }
        self.end_looker().await;
        self.end_work().await;
        self.end_session("the workstation ends").await;
        self.tools.close().await;
        let (shared, lane) = (Arc::clone(&self.shared), self.lane);
        // Not waited for: what is left is removed at the next start.
        drop(tokio::task::spawn_blocking(move || {
            shared.walls.forget(lane);
            shared.natives.forget(lane);
        }));
        // A lane without a pane has none to close.
        let _ = self.shared.panes.close(self.lane).await;
        self.shared.news.forget(self.lane);
    }

    fn start_looker(&mut self) {
        let (lane, shared, looks) = (self.lane, Arc::clone(&self.shared), Arc::clone(&self.looks));
        let fault = Msg::Lane(lane, LaneMsg::Trouble(broken("looking at the lane's files")));
        self.looker =
            Some(Job::start(&self.shared, fault, |stop| lane_git::look_when_asked(lane, shared, looks, stop)));
    }

    async fn end_looker(&mut self) {
        if let Some(job) = self.looker.take() {
            job.end().await;
        }
        lane_git::unwatch(self.lane, &self.shared).await;
    }

    /// Ends what runs beside the pane, all at once.
    async fn end_work(&mut self) {
        let jobs: Vec<Job> = [self.setup.take(), self.turn.take(), self.delivery.take().map(|(_, job)| job)]
            .into_iter()
            .flatten()
            .chain(self.shells.drain(..))
            .collect();
        jobs.iter().for_each(Job::cancel);
        for job in jobs {
            job.end().await;
        }
        self.tools.end_work().await;
    }

    /// Tells hooks that the agent's session is over, if one had begun.
    async fn end_session(&mut self, reason: &str) {
        if let Some(hooks) = self.hooks.take()
            && self.tools.end_session()
        {
            hooks::end_session(self.lane, &self.shared, hooks, reason).await;
        }
    }

    async fn tell(&self, msg: LaneMsg) {
        self.shared.tell_lane(self.lane, msg).await;
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
            LaneOrder::SetUp { place, plan, set_up, files } => self.set_up(place, plan, set_up, files).await,
            LaneOrder::StartTurn(start) => self.start_turn(*start).await,
            LaneOrder::Compact(start) => self.compact(*start).await,
            // The job ends its processes, tells the loop, and is over; nothing else waits for it.
            LaneOrder::CancelTurn => self.turn.iter().for_each(Job::cancel),
            LaneOrder::EndWork => {
                // Only then it starts no job any more.
                if let Some(job) = self.turn.take() {
                    job.end().await;
                }
                self.tools.end_work().await;
            }
            LaneOrder::Shell { command, directory } => self.shell(command, directory),
            LaneOrder::Close { place, keep_branch } => self.close(place, keep_branch).await,
            LaneOrder::Checkpoint { order, purpose } => self.checkpoint(order, purpose).await,
            LaneOrder::Rewind { to, what, before, copied } => self.rewind(to, what, before, copied).await,
            LaneOrder::Forget(numbers) => self.forget(numbers).await,
            LaneOrder::RestartServer(name) => {
                if !self.tools.restart_server(&name) {
                    let report = Report::refused(format!("tool server `{name}` does not run in this lane any more"));
                    self.tell(LaneMsg::Trouble(report.hint("it starts with the lane's next prompt"))).await;
                }
            }
            // These never come through the inbox.
            LaneOrder::Look(touched) => self.looks.ask(touched),
            LaneOrder::Retire => {}
        }
    }

    /// Takes a checkpoint while nothing else is done in the lane.
    async fn checkpoint(&self, order: CheckpointOrder, purpose: Purpose) {
        let (number, seq) = (order.number, order.seq);
        let towards = match &purpose {
            Purpose::Rewind(to, what) if what.files() => to.commit.clone(),
            _ => None,
        };
        let stop = self.shared.ending.clone();
        let kept = Arc::clone(&self.checkpoints);
        let files = lane_turn::checkpoint(self.lane, &self.shared, kept, order, towards, stop).await;
        let files = files.map_err(|report| report.message);
        self.tell(LaneMsg::Checkpointed { taken: Taken { number, seq, files }, purpose }).await;
    }

    async fn rewind(&self, to: Box<Checkpoint>, what: RewindWhat, before: (u64, String), copied: Vec<String>) {
        let (lane, project, place) = (self.lane, self.shared.project.clone(), self.shared.places.get(self.lane));
        let (number, before) = before;
        let target = to.commit.clone();
        let work = move || {
            let (Some(place), Some(target)) = (place, target) else {
                return Err(Report::refused("the lane has no worktree, or the checkpoint no files"));
            };
            let subject = git::Subject { project: &project, lane, place: &place, copied: &copied };
            // Not cancelled half-way: it takes no longer than a checkout.
            let done = git::rewind(&subject, &target, &before, &git::Cancel::new()).map_err(Report::from)?;
            Ok((done.written, done.removed))
        };
        let result = blocking(work).await;
        self.tell(LaneMsg::Rewound { to, what, before: number, result }).await;
        self.looks.ask(Vec::new());
    }

    async fn forget(&self, numbers: Option<Vec<u64>>) {
        let (lane, project) = (self.lane, self.shared.project.clone());
        let forget = move || match numbers {
            Some(numbers) => git::forget_checkpoints(&project, lane, &numbers).map_err(Report::from),
            None => git::forget_lane(&project, lane).map_err(Report::from),
        };
        if let Err(report) = blocking(forget).await {
            self.tell(LaneMsg::Trouble(report)).await;
        }
    }

    async fn set_up(&mut self, place: Place, plan: SetupPlan, set_up: Option<SetUp>, files: Option<String>) {
        if let Some(job) = self.setup.take() {
            job.end().await;
        }
        let (lane, shared) = (self.lane, Arc::clone(&self.shared));
        let fault = Msg::Lane(lane, LaneMsg::SetUpFailed(broken("setting up the lane")));
        let work = |stop| lane_setup::make(lane, shared, place, plan, (files, set_up), stop);
        self.setup = Some(Job::start(&self.shared, fault, work));
    }

    async fn start_turn(&mut self, start: TurnStart) {
        if let Some(job) = self.turn.take() {
            job.end().await;
        }
        let (lane, shared, tools) = (self.lane, Arc::clone(&self.shared), self.tools.clone());
        let kept = Arc::clone(&self.checkpoints);
        self.hooks = Some(hooks::of_lane(&shared, start.lane.clone(), start.hooks.clone(), tools.sandbox()));
        let error = format!("the turn broke down: {FAULT}; retry goes on from what is kept");
        let fault = Msg::Turn(lane, TurnMsg::Ended(start.prompt, TurnOutcome::Failed { error }));
        self.turn =
            Some(Job::start(&self.shared, fault, |stop| lane_turn::run(lane, shared, start, tools, kept, stop)));
    }

    async fn compact(&mut self, start: CompactStart) {
        if let Some(job) = self.turn.take() {
            job.end().await;
        }
        let (lane, shared) = (self.lane, Arc::clone(&self.shared));
        let fault = Msg::Lane(lane, LaneMsg::Compacted(Err(broken("compacting the conversation"))));
        self.turn = Some(Job::start(&self.shared, fault, |stop| lane_turn::compact(lane, shared, start, stop)));
    }

    fn shell(&mut self, command: String, directory: PathBuf) {
        self.shells.retain(|job| !job.is_over());
        let (lane, shared) = (self.lane, Arc::clone(&self.shared));
        let outcome =
            ToolOutcome { ok: false, output: FAULT.to_owned(), summary: "fault".to_owned(), ..ToolOutcome::default() };
        let fault = Msg::Lane(lane, LaneMsg::ShellDone { command: command.clone(), outcome });
        self.shells.push(Job::start(&self.shared, fault, |stop| async move {
            let outcome = agent::run_shell(&command, &directory, &shared.environment.without(&[]), stop).await;
            shared.tell_lane(lane, LaneMsg::ShellDone { command, outcome }).await;
        }));
    }

    /// Nothing that runs is ended before it is certain that closing loses nothing; only a set-up has to stop
    /// first, since what it makes could not be judged.
    async fn close(&mut self, place: Place, keep_branch: bool) {
        let unfinished = self.setup.take_if(|job| !job.is_over());
        let set_up_stopped = unfinished.is_some();
        if let Some(job) = unfinished {
            job.end().await;
        }
        if let Err(report) = self.try_close(place, keep_branch).await {
            if set_up_stopped {
                let stopped = Report::refused("setting up the lane was stopped in order to close it");
                self.tell(LaneMsg::SetUpFailed(stopped)).await;
            }
            self.tell(LaneMsg::CloseRefused(report)).await;
            if self.looker.is_none() {
                self.start_looker();
            }
            self.looks.ask(Vec::new());
        }
    }

    async fn try_close(&mut self, place: Place, keep_branch: bool) -> Result<(), Report> {
        let (project, looked) = (self.shared.project.clone(), place.clone());
        blocking(move || {
            let losses = git::losses(&project, &looked).map_err(Report::from)?;
            if !losses.blocks(keep_branch) {
                return Ok(());
            }
            let dir = looked.directory;
            Err(Report::from(git::GitError::WouldLose { dir, losses: Box::new(losses) }))
        })
        .await?;
        // Git's own processes of a look would be found at work in the directory that goes.
        self.end_looker().await;
        self.end_work().await;
        self.end_session("the lane closes").await;
        // The program's end is told by the pane itself, in case the lane stays. None has none to end.
        let _ = self.shared.panes.end(self.lane).await;
        let turn = self.shared.worktrees.acquire().await;
        let project = self.shared.project.clone();
        let closed = blocking(move || git::close_worktree(&project, &place, keep_branch).map_err(Report::from)).await;
        drop(turn);
        let closed = closed?;
        let _ = self.shared.panes.close(self.lane).await;
        self.shared.doors.revoke(self.lane);
        let tip = closed.sha.filter(|_| closed.branch_deleted);
        self.tell(LaneMsg::Closed { tip }).await;
        Ok(())
    }

    async fn pane_order(&mut self, order: PaneOrder) {
        let (lane, panes) = (self.lane, self.shared.panes.clone());
        match order {
            PaneOrder::Open { command, directory, size, native } => {
                // A restart ends the old program first; without one there is nothing to close.
                let _ = panes.close(lane).await;
                let mut environment = self.shared.environment.all();
                match self.shared.doors.key(lane) {
                    Ok(key) => environment.extend(key),
                    // The program runs without its tools.
                    Err(report) => self.tell(LaneMsg::Trouble(report)).await,
                }
                let launch = Launch {
                    command: command.into_iter().map(Into::into).collect(),
                    directory,
                    environment,
                    own: Vec::new(),
                    governed: None,
                    size,
                    colours: lock(&self.shared.colours).clone(),
                };
                self.shared.news.starting(lane);
                let shared = Arc::clone(&self.shared);
                let open = move || {
                    shared.stands(lane)?;
                    let launch = natives::launch(&shared, lane, launch, native.as_deref())?;
                    let opened = panes.open(lane, &launch).map_err(|e| Report::refused(e.to_string()))?;
                    shared.doors.runs(lane, opened);
                    Ok(opened)
                };
                // Whoever opened it waits for the first that it shows.
                let opened = in_place(open);
                if opened.is_err() {
                    self.shared.doors.revoke(lane);
                }
                self.shared.news.started(lane, opened);
            }
            PaneOrder::End => {
                if let Some((_, job)) = self.delivery.take() {
                    job.end().await;
                }
                // Its end is told by the pane itself, and has to stand before anything that follows from here.
                let ended = panes.end(lane).await;
                self.shared.doors.revoke(lane);
                if ended.is_ok() {
                    let _ = tokio::time::timeout(LAST_OUTPUT, self.shared.news.ended(lane)).await;
                }
            }
            PaneOrder::Deliver(prompt, text) => {
                if let Some((_, job)) = self.delivery.take() {
                    job.end().await;
                }
                let shared = Arc::clone(&self.shared);
                let reason = format!("giving it to the program broke down: {FAULT}");
                let fault = Msg::Pane(lane, PaneMsg::Unconfirmed(prompt, reason));
                let work = |stop| lane_turn::deliver(lane, shared, prompt, text, stop);
                self.delivery = Some((prompt, Job::start(&self.shared, fault, work)));
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
