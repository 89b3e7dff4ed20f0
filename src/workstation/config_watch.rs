//! Reads the configuration again when one of its files changes: a rule that a person writes holds at once.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use notify::{Event, RecursiveMode, Watcher};
use tokio::sync::mpsc;

use super::home::{Home, managed_config, project_config};
use super::shared::Shared;
use crate::app::Msg;

/// The person's file, its directory, and two above: `~/.config`, `~`.
const REACH: usize = 4;
/// After the start there is more urgent work.
const SETTLED: Duration = Duration::from_secs(1);
/// Editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(150);

/// Watches the files of all layers until the end. Where that is not possible they are read at the next start.
pub(super) fn watch(shared: &Arc<Shared>, home: &Home, root: &Path) {
    let user = home.user_config().map(Path::to_owned);
    let mut files = vec![managed_config(), project_config(root)];
    files.extend(user.clone());
    let above = Above { root: root.to_owned(), user };
    let before = stamps(&files);
    let background = shared.background.clone();
    let shared = Arc::clone(shared);
    background.spawn(async move {
        let ending = shared.ending.clone();
        let watching = async {
            tokio::time::sleep(SETTLED).await;
            let (ring, mut heard) = mpsc::channel(1);
            let meant = files.clone();
            let concerns =
                move |path: &PathBuf| meant.iter().any(|file| file.ancestors().take(REACH).any(|a| a == path));
            let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
                if event.is_ok_and(|event| !event.kind.is_access() && event.paths.iter().any(&concerns)) {
                    // A full channel rings already.
                    let _ = ring.try_send(());
                }
            });
            let Ok(mut watcher) = watcher else { return };
            above.listen(&mut watcher, &files);
            // What changed since the start, before anybody watched.
            if stamps(&files) != before {
                shared.tell(Msg::ConfigTouched).await;
            }
            while heard.recv().await.is_some() {
                tokio::time::sleep(QUIET).await;
                let _ = heard.try_recv();
                // A directory may have come meanwhile.
                above.listen(&mut watcher, &files);
                shared.tell(Msg::ConfigTouched).await;
            }
        };
        tokio::select! { () = watching => {}, () = ending.cancelled() => {} }
    });
}

/// What tells whether a file has changed.
fn stamps(files: &[PathBuf]) -> Vec<Option<(SystemTime, u64)>> {
    let stamp = |file: &PathBuf| {
        let facts = std::fs::metadata(file).ok()?;
        Some((facts.modified().ok()?, facts.len()))
    };
    files.iter().map(stamp).collect()
}

/// Where directories that come later are waited for.
struct Above {
    root: PathBuf,
    user: Option<PathBuf>,
}

impl Above {
    /// Watches the directories of the files. Where the project's is missing, the repository's root; where the person's
    /// is, the nearest above it. Above others too much happens: each file that is opened in `/etc` would be told.
    fn listen(&self, watcher: &mut impl Watcher, files: &[PathBuf]) {
        for file in files {
            let reach = if self.user.as_ref() == Some(file) { REACH } else { 3 };
            let above = file.ancestors().take(reach).skip(1).find(|directory| directory.is_dir());
            let meant = |above: &&Path| file.parent() == Some(above) || *above == self.root || reach == REACH;
            if let Some(directory) = above.filter(meant) {
                // One that cannot be watched is read at the next start.
                let _ = watcher.watch(directory, RecursiveMode::NonRecursive);
            }
        }
    }
}
