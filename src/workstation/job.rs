//! A task of a lane that can be ended and waited for, and whose fault stays in its lane.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::shared::Shared;
use crate::app::Msg;

/// The task.
pub(super) struct Job {
    cancel: CancellationToken,
    task: JoinHandle<()>,
}

impl Job {
    /// Starts work, which must heed its token. If it breaks down, `fault` is told.
    pub fn start<W>(shared: &Arc<Shared>, fault: Msg, work: impl FnOnce(CancellationToken) -> W) -> Self
    where
        W: Future<Output = ()> + Send + 'static,
    {
        let cancel = CancellationToken::new();
        let (work, shared) = (AssertUnwindSafe(work(cancel.clone())), Arc::clone(shared));
        let task = shared.background.clone().spawn(async move {
            // What the work owned is gone with it; what it shares is whole after each step.
            if work.catch_unwind().await.is_err() {
                shared.tell(fault).await;
            }
        });
        Self { cancel, task }
    }

    /// Asks it to end.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.task.is_finished()
    }

    /// Ends it and waits until it has ended.
    pub async fn end(self) {
        self.cancel.cancel();
        // It can only fail together with the runtime.
        let _ = self.task.await;
    }
}
