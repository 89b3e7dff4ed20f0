//! A bell: rung from any thread, without waiting, when there is something to look at.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// A bell that one listener hears. Rung many times before it is heard, it is heard once.
#[derive(Debug, Default)]
pub(super) struct Bell {
    rung: AtomicBool,
    wake: Notify,
}

impl Bell {
    /// Rings.
    pub fn ring(&self) {
        self.rung.store(true, Ordering::Release);
        self.wake.notify_one();
    }

    /// Whether it was rung since it was last silenced; silences it.
    pub fn silence(&self) -> bool {
        self.rung.swap(false, Ordering::AcqRel)
    }

    /// Resolves while it is rung. It stays rung until it is silenced.
    pub async fn heard(&self) {
        while !self.rung.load(Ordering::Acquire) {
            self.wake.notified().await;
        }
    }
}

/// Rung for new frames of panes.
#[derive(Debug, Default)]
pub(super) struct FrameBell {
    /// The bell.
    pub bell: Bell,
    ends: AtomicBool,
}

impl FrameBell {
    /// Rings for a frame; `ends` says that nothing more was on its way behind it.
    pub fn ring(&self, ends: bool) {
        if ends {
            self.ends.store(true, Ordering::Release);
        }
        self.bell.ring();
    }

    /// Whether it was rung for the end of a burst since this was asked last.
    pub fn ends(&self) -> bool {
        self.ends.swap(false, Ordering::AcqRel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_ring_before_the_listener_came_is_heard_once() {
        let bell = Bell::default();
        bell.ring();
        bell.ring();
        bell.heard().await;
        assert!(bell.silence() && !bell.silence());
        let heard = bell.heard();
        tokio::pin!(heard);
        // What the silenced rings left behind wakes nobody for good.
        tokio::select! { biased; () = &mut heard => panic!("nobody rang"), () = tokio::task::yield_now() => {} }
        bell.ring();
        heard.await;
    }
}
