//! What the tools of one lane keep between calls and turns: background jobs, cut results, what was seen of files.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use super::jobs::Jobs;
use super::results::Results;
use super::seen::Seen;
use crate::base::lock;
use crate::domain::{LaneGit, Sandbox};

/// Words that are remembered as said; beyond, they may be said again.
const SAID: usize = 256;

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
    said: Mutex<HashSet<String>>,
}

impl std::fmt::Debug for LaneTools {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LaneTools").field("jobs", &self.running_jobs()).finish_non_exhaustive()
    }
}

impl LaneTools {
    /// For a lane with this repository, and with these walls around its commands.
    #[must_use]
    pub fn new(git: Arc<dyn LaneGit>, sandbox: Arc<dyn Sandbox>) -> Self {
        Self(Arc::new(Inner { git: Some(git), sandbox: Some(sandbox), ..Inner::default() }))
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

    /// Ends all background jobs and waits until they have ended.
    pub async fn end_jobs(&self) {
        self.0.jobs.end_all(false).await;
    }

    /// The same, for good: no further job is started.
    pub async fn close(&self) {
        self.0.jobs.end_all(true).await;
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

    pub(super) fn jobs(&self) -> &Jobs {
        &self.0.jobs
    }

    pub(super) fn results(&self) -> &Results {
        &self.0.results
    }

    pub(in crate::agent) fn seen(&self) -> Arc<Seen> {
        Arc::clone(&self.0.seen)
    }

    pub(super) fn sandbox(&self) -> Option<Arc<dyn Sandbox>> {
        self.0.sandbox.clone()
    }

    pub(super) fn git(&self) -> Option<Arc<dyn LaneGit>> {
        self.0.git.clone()
    }
}
