//! What the tools of one lane keep between calls and turns: background jobs, tool servers, cut results, what was seen of
//! files.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::jobs::Jobs;
use super::results::Results;
use super::seen::Seen;
use crate::agent::mcp::Servers;
use crate::base::lock;
use crate::domain::{LaneDoor, LaneGit, LaneId, Sandbox, ServerView};

/// Words that are remembered as said; beyond, they may be said again.
const SAID: usize = 256;

/// How the agent of a lane coordinates with others.
#[derive(Clone)]
pub struct Voice {
    /// Where it is heard.
    pub door: Arc<dyn LaneDoor>,
    /// Whose it is.
    pub lane: LaneId,
}

/// The tools' memory of one lane. Cheap to clone; clones share it.
#[derive(Clone, Default)]
pub struct LaneTools(Arc<Inner>);

#[derive(Default)]
struct Inner {
    jobs: Jobs,
    results: Results,
    seen: Arc<Seen>,
    git: Option<Arc<dyn LaneGit>>,
    sandbox: Option<Arc<dyn Sandbox>>,
    voice: Option<Voice>,
    said: Mutex<HashSet<String>>,
    /// What the server that was asked last takes, where it refused more.
    learned: Mutex<Option<(String, u64)>>,
    session: AtomicBool,
    servers: Servers,
}

impl std::fmt::Debug for LaneTools {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LaneTools").field("jobs", &self.running_jobs()).finish_non_exhaustive()
    }
}

impl LaneTools {
    /// For a lane with this repository, with these walls around its commands, and with this voice among lanes.
    #[must_use]
    pub fn new(git: Arc<dyn LaneGit>, sandbox: Arc<dyn Sandbox>, voice: Voice) -> Self {
        Self(Arc::new(Inner { git: Some(git), sandbox: Some(sandbox), voice: Some(voice), ..Inner::default() }))
    }

    /// Begins the agent's session, once. Whether it had not begun.
    pub(in crate::agent) fn begin_session(&self) -> bool {
        !self.0.session.swap(true, Ordering::Relaxed)
    }

    /// Ends the agent's session. Whether one had begun.
    #[must_use]
    pub fn end_session(&self) -> bool {
        self.0.session.swap(false, Ordering::Relaxed)
    }

    /// How many background jobs run.
    #[must_use]
    pub fn running_jobs(&self) -> usize {
        *self.0.jobs.running().borrow()
    }

    /// The same, and every change of it.
    #[must_use]
    pub fn watch_jobs(&self) -> tokio::sync::watch::Receiver<usize> {
        self.0.jobs.running()
    }

    /// Ends all background jobs and tool servers, and waits until they have ended.
    pub async fn end_work(&self) {
        tokio::join!(self.0.jobs.end_all(false), self.0.servers.end_all(false));
    }

    /// The same, for good: nothing is started any more.
    pub async fn close(&self) {
        tokio::join!(self.0.jobs.end_all(true), self.0.servers.end_all(true));
    }

    /// Every change of its tool servers from now on.
    #[must_use]
    pub fn watch_servers(&self) -> tokio::sync::watch::Receiver<u64> {
        self.0.servers.watch()
    }

    /// How its tool servers stand, and what the person was not told of them yet.
    #[must_use]
    pub fn server_news(&self) -> (Vec<ServerView>, Vec<String>) {
        let news = self.0.servers.news();
        (self.0.servers.views(), news)
    }

    /// Starts a tool server anew, also one that is off. False when the lane has none of this name.
    #[must_use]
    pub fn restart_server(&self, name: &str) -> bool {
        self.0.servers.restart(name)
    }

    pub(in crate::agent) fn servers(&self) -> &Servers {
        &self.0.servers
    }

    /// A result as the model is told it: whole, or cut and kept to be read on.
    pub(in crate::agent) fn fit(&self, text: String) -> String {
        self.0.results.fit(text)
    }

    /// Whether these words have not been said in this lane.
    pub(in crate::agent) fn first_time(&self, words: &str) -> bool {
        let mut said = lock(&self.0.said);
        if said.len() >= SAID {
            said.clear();
        }
        said.insert(words.to_owned())
    }

    /// Remembers that this server takes no more than so many tokens.
    pub(in crate::agent) fn learn_window(&self, server: String, window: u64) {
        *lock(&self.0.learned) = Some((server, window));
    }

    /// What this server takes, as far as it was learned.
    pub(in crate::agent) fn learned_window(&self, server: &str) -> Option<u64> {
        lock(&self.0.learned).as_ref().filter(|(of, _)| of == server).map(|(_, window)| *window)
    }

    pub(super) fn jobs(&self) -> &Jobs {
        &self.0.jobs
    }

    pub(super) fn results(&self) -> &Results {
        &self.0.results
    }

    pub(in crate::agent) fn seen(&self) -> Arc<Seen> {
        Arc::clone(&self.0.seen)
    }

    /// Calls one of the lane's tools for coordination. A cancel gives the wait up.
    pub(super) async fn coordinate(
        &self,
        tool: String,
        arguments: Map<String, Value>,
        stop: &CancellationToken,
    ) -> Result<String, String> {
        let Some(Voice { door, lane }) = self.0.voice.clone() else {
            return Err("this agent works alone; there is nobody to coordinate with".to_owned());
        };
        let called = stop.run_until_cancelled(door.call(lane, tool, arguments)).await;
        called.unwrap_or_else(|| Err("ended: the person cancelled the turn".to_owned()))
    }

    /// What holds its commands and the programs of its configuration.
    #[must_use]
    pub fn sandbox(&self) -> Option<Arc<dyn Sandbox>> {
        self.0.sandbox.clone()
    }

    pub(super) fn git(&self) -> Option<Arc<dyn LaneGit>> {
        self.0.git.clone()
    }
}
