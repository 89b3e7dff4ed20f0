//! Why changes cannot be noticed by themselves.

use std::path::PathBuf;

/// Why a lane is not watched, or not wholly.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WatchError {
    /// The system gave no watcher.
    #[error(
        "file changes cannot be watched: {reason}; close other watchers, or raise the limit with \
         `sudo sysctl fs.inotify.max_user_instances=1024`, then start again"
    )]
    Start {
        /// What the system said.
        reason: String,
    },
    /// The directory is gone.
    #[error("`{}` cannot be watched: it is gone", dir.display())]
    Missing {
        /// The directory.
        dir: PathBuf,
    },
    /// The system refused the directory.
    #[error("`{}` cannot be watched: {reason}; check its permissions", dir.display())]
    Refused {
        /// The directory.
        dir: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The kernel gives no more watches. What was watched until then stays watched.
    #[error(
        "watch limit reached at `{}`: changes there and in further directories are not noticed by themselves; \
         raise the kernel's limit with `sudo sysctl fs.inotify.max_user_watches=524288`", dir.display()
    )]
    KernelLimit {
        /// The first directory that is not watched.
        dir: PathBuf,
    },
    /// Our own cap. What was watched until then stays watched.
    #[error(
        "watch limit reached at `{}`: {cap} directories are watched, the most for one workstation; changes there and in \
         further directories are not noticed by themselves; let git ignore large generated directories, or close lanes",
        dir.display()
    )]
    OwnLimit {
        /// The first directory that is not watched.
        dir: PathBuf,
        /// The cap.
        cap: usize,
    },
    /// The watcher's thread is gone.
    #[error("the file watcher has stopped; restart the workstation")]
    Stopped,
}

impl WatchError {
    /// Whether part of the lane is watched all the same.
    #[must_use]
    pub const fn is_limit(&self) -> bool {
        matches!(self, Self::KernelLimit { .. } | Self::OwnLimit { .. })
    }
}
