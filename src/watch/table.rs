//! Which directories are watched, and for which lanes. Several lanes share the watch of a directory, such as the
//! repository's `refs/heads`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use notify::{ErrorKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::error::WatchError;
use super::tree::{Found, Judge, directories};
use crate::domain::LaneId;

/// What to watch for a lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The worktree; none to watch only git's state.
    pub directory: Option<PathBuf>,
    /// The directory with the HEAD and index that count.
    pub git_dir: PathBuf,
    /// The repository's directory, with the refs.
    pub common_dir: PathBuf,
    /// Full names of the refs that count, such as `refs/heads/main`.
    pub refs: Vec<String>,
}

/// Why a directory is watched for a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It is part of the worktree.
    Tree,
    /// It holds git's state.
    Git,
}

/// All watches.
pub(super) struct Table {
    notify: RecommendedWatcher,
    /// By path: a directory stands right before all that is below it.
    watched: BTreeMap<PathBuf, Vec<(LaneId, Role)>>,
    targets: BTreeMap<LaneId, Target>,
    /// What judges new directories, kept for the length of one burst of changes.
    judges: BTreeMap<LaneId, Judge>,
    cap: usize,
}

impl Table {
    pub(super) const fn new(notify: RecommendedWatcher, cap: usize) -> Self {
        Self { notify, watched: BTreeMap::new(), targets: BTreeMap::new(), judges: BTreeMap::new(), cap }
    }

    /// All lanes.
    pub(super) fn lanes(&self) -> Vec<LaneId> {
        self.targets.keys().copied().collect()
    }

    /// What is watched for the lane.
    pub(super) fn target(&self, lane: LaneId) -> Option<&Target> {
        self.targets.get(&lane)
    }

    /// The lanes for which the directory is watched.
    pub(super) fn owners(&self, directory: &Path) -> Vec<(LaneId, Role)> {
        self.watched.get(directory).cloned().unwrap_or_default()
    }

    /// Begins to watch a lane. On a limit, what was watched until then stays watched.
    pub(super) fn add(&mut self, lane: LaneId, target: Target) -> Result<(), WatchError> {
        self.remove(lane);
        // One directory under two names would share one kernel watch and mix up its paths.
        let real = |dir: PathBuf| dir.canonicalize().map_err(|_| WatchError::Missing { dir });
        let target = Target {
            directory: target.directory.map(real).transpose()?,
            git_dir: real(target.git_dir)?,
            common_dir: real(target.common_dir)?,
            refs: target.refs,
        };
        let directory = target.directory.clone();
        self.targets.insert(lane, target);
        let added = self.watch_git(lane).and_then(|()| match &directory {
            Some(root) => self.watch_tree(lane, root),
            None => Ok(()),
        });
        if added.as_ref().is_err_and(|error| !error.is_limit()) {
            self.remove(lane);
        }
        added
    }

    /// Ends watching a lane.
    pub(super) fn remove(&mut self, lane: LaneId) {
        self.settle(lane);
        if self.targets.remove(&lane).is_some() {
            self.release(|_, owner, _| owner == lane);
        }
    }

    /// A burst of changes is over: the rules are read anew for the next.
    pub(super) fn settle(&mut self, lane: LaneId) {
        self.judges.remove(&lane);
    }

    /// Forgets a directory that is gone, with all below it, for every lane.
    pub(super) fn forget(&mut self, directory: &Path) {
        let below = self.watched.range(directory.to_owned()..).map(|(path, _)| path);
        let below: Vec<_> = below.take_while(|path| path.starts_with(directory)).cloned().collect();
        for path in below {
            self.watched.remove(&path);
            // The kernel has dropped most of these itself; one that was moved away it would go on watching.
            let _ = self.notify.unwatch(&path);
        }
    }

    /// Watches a directory that appeared in the worktree, and all below it that git does not ignore; tells the files there.
    pub(super) fn watch_new(
        &mut self,
        lane: LaneId,
        from: &Path,
        mut file: impl FnMut(&Path),
    ) -> Result<(), WatchError> {
        let Some(root) = self.targets.get(&lane).and_then(|target| target.directory.as_deref()) else { return Ok(()) };
        // Taken out while it works beside the table.
        let Some(mut judge) = self.judges.remove(&lane).or_else(|| Judge::new(root)) else { return Ok(()) };
        let flow = judge.walk(from, |found| {
            match found {
                Found::File(path) => file(path),
                Found::Directory(path) => return only_limits(self.watch(lane, Role::Tree, path)),
            }
            ControlFlow::Continue(())
        });
        self.judges.insert(lane, judge);
        as_result(flow)
    }

    /// Watches all directories of the worktree that git does not ignore.
    fn watch_tree(&mut self, lane: LaneId, root: &Path) -> Result<(), WatchError> {
        self.watch(lane, Role::Tree, root)?;
        as_result(directories(root, |path| only_limits(self.watch(lane, Role::Tree, path))))
    }

    /// Watches where the lane's git state shows. Called again when a folder of refs appears.
    pub(super) fn watch_git(&mut self, lane: LaneId) -> Result<(), WatchError> {
        let Some(target) = self.targets.get(&lane).cloned() else { return Ok(()) };
        self.watch(lane, Role::Git, &target.git_dir)?;
        self.watch(lane, Role::Git, &target.common_dir)?;
        for folder in ref_folders(&target) {
            // Git removes empty folders of refs and makes them again.
            match self.watch(lane, Role::Git, &folder) {
                Err(WatchError::Missing { .. }) | Ok(()) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Looks through the whole worktree again: watches what is new, lets go of what git ignores by now.
    pub(super) fn rescan(&mut self, lane: LaneId) -> Result<(), WatchError> {
        let Some(root) = self.targets.get(&lane).and_then(|target| target.directory.clone()) else {
            return self.watch_git(lane);
        };
        let mut wanted = BTreeSet::new();
        let _ = directories(&root, |path| {
            wanted.insert(path.to_owned());
            ControlFlow::<()>::Continue(())
        });
        self.release(|path, owner, role| owner == lane && role == Role::Tree && !wanted.contains(path));
        self.watch_git(lane)?;
        self.watch_tree(lane, &root)
    }

    /// Drops the claims that `go` names, and the watches that nobody claims any more.
    fn release(&mut self, go: impl Fn(&Path, LaneId, Role) -> bool) {
        let notify = &mut self.notify;
        self.watched.retain(|path, owners| {
            owners.retain(|(lane, role)| !go(path, *lane, *role));
            if owners.is_empty() {
                // An error here means that the directory, and so the watch, is gone already.
                let _ = notify.unwatch(path);
            }
            !owners.is_empty()
        });
    }

    fn watch(&mut self, lane: LaneId, role: Role, dir: &Path) -> Result<(), WatchError> {
        if let Some(owners) = self.watched.get_mut(dir) {
            if !owners.contains(&(lane, role)) {
                owners.push((lane, role));
            }
            return Ok(());
        }
        if self.watched.len() >= self.cap {
            return Err(WatchError::OwnLimit { dir: dir.to_owned(), cap: self.cap });
        }
        match self.notify.watch(dir, RecursiveMode::NonRecursive) {
            Ok(()) => {
                self.watched.insert(dir.to_owned(), vec![(lane, role)]);
                Ok(())
            }
            Err(error) => Err(match error.kind {
                ErrorKind::MaxFilesWatch => WatchError::KernelLimit { dir: dir.to_owned() },
                ErrorKind::PathNotFound => WatchError::Missing { dir: dir.to_owned() },
                _ => WatchError::Refused { dir: dir.to_owned(), reason: error.to_string() },
            }),
        }
    }
}

impl Target {
    /// Whether a change of this path may mean that HEAD, the index or a ref of the lane moved.
    pub(super) fn concerns(&self, path: &Path) -> bool {
        let Some(name) = path.file_name() else { return false };
        let name = name.as_encoded_bytes();
        let state = name.ends_with(b"HEAD") && name != b"FETCH_HEAD"
            || [&b"index"[..], b"rebase-merge", b"rebase-apply", b"sequencer", b"BISECT_LOG"].contains(&name);
        path.parent() == Some(&self.git_dir) && state
            || path == self.common_dir.join("packed-refs")
            || self.refs.iter().any(|name| path == self.common_dir.join(name))
    }

    /// Whether this directory leads to a ref of the lane.
    pub(super) fn leads_to_ref(&self, directory: &Path) -> bool {
        self.refs.iter().any(|name| self.common_dir.join(name).starts_with(directory))
    }
}

/// A limit ends a walk; a directory that cannot be read, or is gone by now, has nothing to tell.
fn only_limits(watched: Result<(), WatchError>) -> ControlFlow<WatchError> {
    match watched {
        Err(error) if error.is_limit() => ControlFlow::Break(error),
        _ => ControlFlow::Continue(()),
    }
}

fn as_result(flow: ControlFlow<WatchError>) -> Result<(), WatchError> {
    match flow {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// The folders from `refs` down to each ref's own.
fn ref_folders(target: &Target) -> BTreeSet<PathBuf> {
    let mut folders = BTreeSet::new();
    for name in &target.refs {
        let path = target.common_dir.join(name);
        let above = path.ancestors().skip(1).take_while(|folder| *folder != target.common_dir);
        folders.extend(above.filter(|folder| folder.starts_with(&target.common_dir)).map(Path::to_owned));
    }
    folders
}
