//! What the loop, the actors and their tasks share.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use super::bell::Bell;
use super::doors::Doors;
use super::environment::SessionEnvironment;
use super::feeds::Feeds;
use super::hooks::Trusted;
use super::lane_walls::WallPlan;
use super::memories::Memories;
use super::natives::Natives;
use super::news::News;
use super::places::Places;
use super::providers::Providers;
use super::tokens::Tokens;
use crate::app::{LaneMsg, Msg};
use crate::base::Report;
use crate::domain::{ChangeHistory, LaneId};
use crate::git::Project;
use crate::terminal::{Colours, Panes};
use crate::watch::Watcher;

/// What everyone shares.
pub(super) struct Shared {
    /// Where lanes and whatever else takes time run: not on the loop's thread.
    pub background: tokio::runtime::Handle,
    pub messages: mpsc::Sender<Msg>,
    pub news: Arc<News>,
    pub panes: Panes,
    pub project: Project,
    pub environment: SessionEnvironment,
    pub providers: Providers,
    /// What hooks may run of the repository.
    pub trusted: Trusted,
    pub walls: WallPlan,
    pub tokens: Arc<Tokens>,
    pub feeds: Arc<Feeds>,
    pub memories: Memories,
    /// How lanes' programs reach their tools.
    pub doors: Arc<Doors>,
    /// What the base's history tells of files that change together.
    pub history: Arc<dyn ChangeHistory>,
    /// What native CLIs are launched with.
    pub natives: Natives,
    /// Looks at git that may run at once, so that many changed lanes do not take every core.
    pub git_slots: Semaphore,
    /// Worktrees are made and removed one at a time: git reads the half-written entries of others and fails.
    pub worktrees: Semaphore,
    /// The configuration files are read and written one at a time, so that no change overwrites another.
    pub preferences: Semaphore,
    pub watcher: Watcher,
    pub places: Places,
    /// Rung when the base checkout is to be looked at.
    pub base: Bell,
    /// Rung when something was asked for that takes memory.
    pub asked: Bell,
    /// Whether edits in the base checkout are looked for too.
    pub edits: AtomicBool,
    /// What a new pane answers when its program asks for the terminal's colours.
    pub colours: Mutex<Colours>,
    /// Set once the workstation ends: actors take no more orders.
    pub ending: CancellationToken,
}

impl Shared {
    /// Tells the loop something, waiting for room.
    pub async fn tell(&self, msg: Msg) {
        // A closed channel means that the workstation has ended.
        let _ = self.messages.send(msg).await;
    }

    /// Checks that the lane's directory is what it was made as, before anything runs in it. Blocks.
    ///
    /// # Errors
    /// What stands there instead, and what to do.
    pub fn stands(&self, lane: LaneId) -> Result<(), Report> {
        let Some(place) = self.places.get(lane) else { return Ok(()) };
        self.project.stands(&place).map_err(Report::from)
    }

    /// Tells the loop something of a lane.
    pub async fn tell_lane(&self, lane: LaneId, msg: LaneMsg) {
        self.tell(Msg::Lane(lane, msg)).await;
    }
}

/// Runs blocking work on a thread for it, which tells the loop itself: no other thread is woken in between.
pub(super) fn aside<T>(
    shared: &Arc<Shared>,
    work: impl FnOnce(&Shared) -> Result<T, Report> + Send + 'static,
    tells: impl FnOnce(Result<T, Report>) -> Msg + Send + 'static,
) {
    let own = Arc::clone(shared);
    shared.background.spawn_blocking(move || {
        let done = catch_unwind(AssertUnwindSafe(|| work(&own))).unwrap_or_else(|_| Err(fault()));
        // A closed channel means that the workstation has ended.
        let _ = own.messages.blocking_send(tells(done));
    });
}

/// Runs blocking work on a thread for it.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Report> + Send + 'static,
) -> Result<T, Report> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(fault()))
}

/// Runs blocking work on the thread that it is asked for on, when waking another would be felt.
pub(super) fn in_place<T>(work: impl FnOnce() -> Result<T, Report>) -> Result<T, Report> {
    tokio::task::block_in_place(|| catch_unwind(AssertUnwindSafe(work))).unwrap_or_else(|_| Err(fault()))
}

fn fault() -> Report {
    Report::internal("a piece of work ended with a fault of its own")
}
