//! A cancel flag that also wakes whoever waits for a running git.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};

use super::run::Event;

use crate::base::lock;

/// Stops a blocking operation from another thread. Clones share one flag; once set it stays set.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    set: AtomicBool,
    next: AtomicU64,
    listeners: Mutex<Vec<(u64, SyncSender<Event>)>>,
}

impl Cancel {
    /// A flag that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the flag and wakes the operation. Never waits.
    pub fn cancel(&self) {
        self.0.set.store(true, Ordering::SeqCst);
        for (_, listener) in lock(&self.0.listeners).iter() {
            // A full queue is being read, and its reader looks at the flag after each item.
            let _ = listener.try_send(Event::Woken);
        }
    }

    /// Whether the flag is set.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.set.load(Ordering::SeqCst)
    }

    /// Wakes `listener` on cancel for as long as the guard lives.
    pub(super) fn listen(&self, listener: SyncSender<Event>) -> Listening<'_> {
        let id = self.0.next.fetch_add(1, Ordering::Relaxed);
        lock(&self.0.listeners).push((id, listener));
        Listening { cancel: self, id }
    }
}

/// Ends the listening when dropped.
pub(super) struct Listening<'a> {
    cancel: &'a Cancel,
    id: u64,
}

impl Drop for Listening<'_> {
    fn drop(&mut self) {
        lock(&self.cancel.0.listeners).retain(|(id, _)| *id != self.id);
    }
}
