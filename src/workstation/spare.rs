//! Memory that nobody needs any more goes back to the system.
//!
//! The allocator keeps what a burst of calls has used and freed, and keeps it apart for each thread: after a few bursts
//! half of the process is memory that nothing stands in. So threads share two arenas, and when a burst is over what is
//! free is given back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::shared::Shared;

/// How long nothing must have been asked for before memory is given back.
const QUIET: Duration = Duration::from_secs(1);
/// However much is asked for, this often it is given back all the same.
const LONGEST: Duration = Duration::from_secs(10);

/// Gives free memory back after each burst of requests. While nothing is asked for it does nothing.
pub(super) fn give_back_when_quiet(shared: &Arc<Shared>) {
    let background = shared.background.clone();
    let shared = Arc::clone(shared);
    background.spawn(async move {
        let giving = async {
            loop {
                shared.asked.heard().await;
                let since = Instant::now();
                while shared.asked.silence() && since.elapsed() < LONGEST {
                    tokio::time::sleep(QUIET).await;
                }
                // Nothing depends on it.
                let _ = tokio::task::spawn_blocking(give_back).await;
            }
        };
        tokio::select! { () = giving => {}, () = shared.ending.cancelled() => {} }
    });
}

/// Has the threads that come share a few arenas. To be called while there are hardly any.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn share_arenas() {
    /// More cost memory, fewer cost time: threads would wait for each other.
    const ARENAS: i32 = 2;
    #[allow(unsafe_code, reason = "a setting of the allocator has no other door; it only reads its two numbers")]
    // Where it is refused there are more arenas.
    let _taken = unsafe { libc::mallopt(libc::M_ARENA_MAX, ARENAS) };
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn give_back() {
    #[allow(unsafe_code, reason = "the allocator has no other door; it touches only what is free")]
    let _any = unsafe { libc::malloc_trim(0) };
}

/// Other allocators do it by themselves, or cannot be told.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) const fn share_arenas() {}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
const fn give_back() {}
