//! Whether the workstation's own files still stand. The system lets a process write to files that were removed, and a
//! socket without a name is reached by nobody: without a word from here all would seem well.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use notify::{Event, RecursiveMode, Watcher};
use tokio::sync::Notify;

use super::home::ProjectHome;
use super::shared::{Shared, blocking};
use crate::app::Msg;
use crate::base::Report;

/// After the start there is more urgent work; and whoever removes a tree does it file by file.
const SETTLED: Duration = Duration::from_secs(1);

/// Tells once when the store or the socket was removed. What is written to the store notices by itself; this is for
/// a workstation that only waits.
pub(super) fn watch(shared: &Arc<Shared>, place: &ProjectHome) {
    let files = [place.store(), place.socket().to_owned()];
    // A new store gets its name with the first commit.
    let mut seen = standing(&files);
    let shared = Arc::clone(shared);
    shared.background.clone().spawn(async move {
        let ending = shared.ending.clone();
        let watching = async {
            tokio::time::sleep(SETTLED).await;
            let bell = Arc::new(Notify::new());
            let ring = Arc::clone(&bell);
            let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
                if event.is_ok_and(|event| event.kind.is_remove() || event.kind.is_modify()) {
                    ring.notify_one();
                }
            });
            let Ok(mut watcher) = watcher else { return };
            for directory in watched(&files) {
                // Where it cannot be watched, the next write tells.
                let _ = watcher.watch(&directory, RecursiveMode::NonRecursive);
            }
            loop {
                let files = files.clone();
                let there = blocking(move || Ok(standing(&files))).await.unwrap_or_default();
                if let Some(gone) = seen.iter().find(|file| !there.contains(file)) {
                    return shared.tell(Msg::Trouble(report(gone))).await;
                }
                seen = there;
                bell.notified().await;
                tokio::time::sleep(SETTLED).await;
            }
        };
        tokio::select! { () = watching => {}, () = ending.cancelled() => {} }
    });
}

/// The directories whose names are looked at: not the store's own, where each commit is an event.
fn watched([store, socket]: &[PathBuf; 2]) -> Vec<PathBuf> {
    let above = store.parent().and_then(Path::parent);
    above.into_iter().chain(socket.parent()).map(Path::to_owned).collect()
}

fn standing(files: &[PathBuf; 2]) -> Vec<PathBuf> {
    files.iter().filter(|file| file.exists()).cloned().collect()
}

fn report(gone: &Path) -> Report {
    let words = format!(
        "`{}` was removed while this workstation runs: no command reaches it, or nothing is kept any more",
        gone.display()
    );
    Report::refused(words).hint("end this workstation and start again; branches and worktrees are still there")
}
