//! Programs that lanes' programs left behind stay below the workstation: whoever double-forks is still known to run in
//! a lane. Those that end are taken from the kernel's list.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::signal::unix::{SignalKind, signal};

use crate::base::{Adopted, adopt_orphans};

/// Between two looks. Whoever waits for a child of its own is done long before the second.
const LOOK: Duration = Duration::from_secs(10);

/// Adopts orphans from now on. Without a child that ends, nothing is looked at.
pub(super) fn tend(background: &Handle) {
    if !adopt_orphans() {
        return;
    }
    background.spawn(async {
        let Ok(mut ended) = signal(SignalKind::child()) else { return };
        let mut adopted = Adopted::default();
        while ended.recv().await.is_some() {
            loop {
                tokio::time::sleep(LOOK).await;
                if !adopted.reap() {
                    break;
                }
            }
        }
    });
}
