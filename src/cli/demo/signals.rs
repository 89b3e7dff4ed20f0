//! Signals that ask the demo to end, noticed while there is no window yet that would notice them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

use crate::base::Report;

/// Watches until dropped.
#[derive(Debug)]
pub(super) struct Signals {
    came: Arc<AtomicBool>,
    runtime: Option<Runtime>,
}

impl Signals {
    /// Begins to watch for SIGTERM, SIGHUP and SIGINT.
    ///
    /// # Errors
    /// When the system refuses.
    pub(super) fn watch() -> Result<Self, Report> {
        let watch = || -> io::Result<Self> {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .thread_name("demo-signals")
                .enable_all()
                .build()?;
            let came = Arc::new(AtomicBool::new(false));
            for kind in [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt()] {
                let mut stream = {
                    let _inside = runtime.enter();
                    signal(kind)?
                };
                let came = Arc::clone(&came);
                runtime.spawn(async move {
                    while stream.recv().await.is_some() {
                        came.store(true, Ordering::Relaxed);
                    }
                });
            }
            Ok(Self { came, runtime: Some(runtime) })
        };
        watch().map_err(|error| Report::internal(format!("cannot watch for signals: {error}")))
    }

    /// Whether one came.
    pub(super) fn came(&self) -> bool {
        self.came.load(Ordering::Relaxed)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
