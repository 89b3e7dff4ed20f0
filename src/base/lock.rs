//! Leaf locks that outlive a panic: what they guard is rebuilt, not repaired.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, also after a thread panicked with the lock held.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
