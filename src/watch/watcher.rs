//! The watcher's door and its one thread.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Instant;

use notify::event::{CreateKind, ModifyKind, RenameMode};
use notify::{Event, EventKind};

use super::error::WatchError;
use super::pending::{Pending, WatchEvent};
use super::table::{Role, Table, Target};
use crate::base::path_text;
use crate::domain::LaneId;

/// Bounds of a watcher.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Directories watched at most; each costs about 1 KB of kernel memory.
    pub watches: usize,
    /// Events between the kernel and us; a burst beyond it becomes `overflow`.
    pub queue: usize,
}

const LIMITS: Limits = Limits { watches: 65_536, queue: 4_096 };

/// Watches all lanes of a workstation. Dropping it ends the watching.
#[derive(Debug)]
pub struct Watcher {
    sender: SyncSender<Message>,
    shared: Arc<Shared>,
}

/// What cannot go through a full queue.
#[derive(Debug, Default)]
struct Shared {
    /// Events were lost.
    lost: AtomicBool,
    /// The watcher was dropped.
    stop: AtomicBool,
}

enum Message {
    Happened(notify::Result<Event>),
    Add(LaneId, Target, SyncSender<Result<(), WatchError>>),
    Remove(LaneId),
    /// Look at the shared flags.
    Look,
}

impl Watcher {
    /// Starts a watcher. The sink is called on the watcher's thread; it must not wait and must not call the watcher.
    ///
    /// # Errors
    /// When the system gives no watcher or no thread.
    pub fn new(sink: impl FnMut(WatchEvent) + Send + 'static) -> Result<Self, WatchError> {
        Self::with_limits(sink, LIMITS)
    }

    pub(super) fn with_limits(
        sink: impl FnMut(WatchEvent) + Send + 'static,
        limits: Limits,
    ) -> Result<Self, WatchError> {
        let (sender, messages) = sync_channel(limits.queue);
        let shared = Arc::new(Shared::default());
        let handler = handler(sender.clone(), Arc::clone(&shared));
        let notify =
            notify::recommended_watcher(handler).map_err(|error| WatchError::Start { reason: error.to_string() })?;
        let table = Table::new(notify, limits.watches);
        let running = Running { table, pending: BTreeMap::new(), shared: Arc::clone(&shared), sink: Box::new(sink) };
        thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || running.run(&messages))
            .map_err(|error| WatchError::Start { reason: error.to_string() })?;
        Ok(Self { sender, shared })
    }

    /// Begins to watch a lane, or watches it anew. Blocks while the directories are looked through.
    ///
    /// # Errors
    /// When a directory is gone or refused; when a limit is reached ([`WatchError::is_limit`]): then the lane is watched
    /// as far as the limit allows.
    pub fn add(&self, lane: LaneId, target: Target) -> Result<(), WatchError> {
        let (reply, answer) = sync_channel(1);
        self.sender.send(Message::Add(lane, target, reply)).map_err(|_| WatchError::Stopped)?;
        answer.recv().map_err(|_| WatchError::Stopped)?
    }

    /// Ends watching a lane; what was not told yet is dropped. A lane that is not watched is no error.
    pub fn remove(&self, lane: LaneId) {
        // A watcher whose thread is gone watches nothing.
        let _ = self.sender.send(Message::Remove(lane));
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        // A full queue is being read, and its reader looks at the flags after each message.
        let _ = self.sender.try_send(Message::Look);
    }
}

/// Runs on notify's thread and must not wait: that thread also answers our requests for watches.
fn handler(sender: SyncSender<Message>, shared: Arc<Shared>) -> impl FnMut(notify::Result<Event>) + Send + 'static {
    move |happened| {
        // Reading is no change; it is told for every file that git or an editor opens.
        if matches!(&happened, Ok(event) if event.kind.is_access() && !event.need_rescan()) {
            return;
        }
        if let Err(TrySendError::Full(_)) = sender.try_send(Message::Happened(happened)) {
            shared.lost.store(true, Ordering::SeqCst);
            let _ = sender.try_send(Message::Look);
        }
    }
}

struct Running {
    table: Table,
    pending: BTreeMap<LaneId, Pending>,
    shared: Arc<Shared>,
    sink: Box<dyn FnMut(WatchEvent) + Send>,
}

impl Running {
    fn run(mut self, messages: &Receiver<Message>) {
        while !self.shared.stop.load(Ordering::SeqCst) {
            let message = match self.pending.values().map(Pending::due).min() {
                None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => messages.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            let now = Instant::now();
            match message {
                Ok(Message::Happened(Ok(event))) => self.happened(&event, now),
                Ok(Message::Happened(Err(_))) => self.lost(now),
                Ok(Message::Add(lane, target, reply)) => {
                    self.pending.remove(&lane);
                    // Whoever asked may be gone.
                    let _ = reply.send(self.table.add(lane, target));
                }
                Ok(Message::Remove(lane)) => {
                    self.table.remove(lane);
                    self.pending.remove(&lane);
                }
                Ok(Message::Look) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.shared.lost.swap(false, Ordering::SeqCst) {
                self.lost(now);
            }
            self.tell(now);
        }
    }

    fn stirred(&mut self, lane: LaneId, now: Instant) -> &mut Pending {
        let pending = self.pending.entry(lane).or_insert_with(|| Pending::new(now));
        pending.stir(now);
        pending
    }

    /// Nobody knows what happened: everything must be looked at.
    fn lost(&mut self, now: Instant) {
        for lane in self.table.lanes() {
            let pending = self.stirred(lane, now);
            pending.overflow = true;
            pending.rescan = true;
        }
    }

    fn happened(&mut self, event: &Event, now: Instant) {
        if event.need_rescan() {
            return self.lost(now);
        }
        // Both halves of a rename were told one by one.
        if event.kind == EventKind::Modify(ModifyKind::Name(RenameMode::Both)) {
            return;
        }
        for path in &event.paths {
            self.path(path, event.kind, now);
        }
    }

    fn path(&mut self, path: &Path, kind: EventKind, now: Instant) {
        let gone = matches!(kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From)));
        let new = matches!(kind, EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(RenameMode::To)));
        let own = self.table.owners(path);
        let owners = path.parent().map(|parent| self.table.owners(parent)).unwrap_or_default();
        if gone {
            for (lane, _) in own.iter().filter(|(_, role)| *role == Role::Tree) {
                if self.table.target(*lane).is_some_and(|target| target.directory.as_deref() == Some(path)) {
                    self.stirred(*lane, now).missing = true;
                }
            }
            self.table.forget(path);
        }
        let new_folder = new && path.symlink_metadata().is_ok_and(|meta| meta.is_dir());
        for (lane, role) in owners {
            match role {
                Role::Git => self.git(lane, path, new_folder, now),
                // A watched directory's own times and modes are nothing to git.
                Role::Tree if own.is_empty() || gone || new => self.tree(lane, path, kind, new_folder, now),
                Role::Tree => {}
            }
        }
    }

    fn git(&mut self, lane: LaneId, path: &Path, new_folder: bool, now: Instant) {
        let Some(target) = self.table.target(lane) else { return };
        let leads = new_folder && target.leads_to_ref(path);
        if !leads && !target.concerns(path) {
            return;
        }
        let limit = if leads { self.table.watch_git(lane).err().filter(WatchError::is_limit) } else { None };
        let pending = self.stirred(lane, now);
        pending.git_moved = true;
        pending.limit = limit.or(pending.limit.take());
    }

    fn tree(&mut self, lane: LaneId, path: &Path, kind: EventKind, new_folder: bool, now: Instant) {
        let Some(root) = self.table.target(lane).and_then(|target| target.directory.clone()) else { return };
        let Some(relative) = relative(&root, path) else { return };
        // Taken out while the table works, which never looks at it.
        let mut pending = self.pending.remove(&lane).unwrap_or_else(|| Pending::new(now));
        pending.stir(now);
        if new_folder {
            let watched = self.table.watch_new(lane, path, |file| {
                if let Some(file) = self::relative(&root, file) {
                    pending.touch(file);
                }
            });
            pending.limit = watched.err().filter(WatchError::is_limit).or(pending.limit.take());
        } else if kind != EventKind::Create(CreateKind::Folder) {
            pending.rescan |= path.file_name().is_some_and(|name| name == ".gitignore");
            pending.touch(relative);
        }
        self.pending.insert(lane, pending);
    }

    /// Tells what is due.
    fn tell(&mut self, now: Instant) {
        let due: Vec<_> =
            self.pending.iter().filter(|(_, pending)| pending.due() <= now).map(|(lane, _)| *lane).collect();
        for lane in due {
            let Some(mut pending) = self.pending.remove(&lane) else { continue };
            self.table.settle(lane);
            if pending.missing {
                let directory = self.table.target(lane).and_then(|target| target.directory.as_deref());
                pending.missing = directory.is_some_and(|directory| !directory.is_dir());
                // One that went and came back has no watches any more.
                pending.overflow |= !pending.missing;
                pending.rescan |= !pending.missing;
            }
            if pending.rescan && !pending.missing {
                let limit = self.table.rescan(lane).err().filter(WatchError::is_limit);
                pending.limit = limit.or(pending.limit);
            }
            if let Some(event) = pending.into_event(lane) {
                (self.sink)(event);
            }
        }
    }
}

/// The path below the root as text; none for the root itself and for git's own.
fn relative(root: &Path, path: &Path) -> Option<String> {
    let relative = path.strip_prefix(root).ok()?;
    let first = relative.components().next()?;
    (first.as_os_str() != ".git").then(|| path_text(relative.as_os_str().as_encoded_bytes()))
}
