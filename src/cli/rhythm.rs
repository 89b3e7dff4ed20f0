//! Doing something again and again until Ctrl-C: that is how it is meant to end, and no fault.

use std::io;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::base::Report;

/// Waits, and hears Ctrl-C and TERM from its making on.
pub(super) struct Rhythm {
    runtime: Runtime,
    interrupt: Signal,
    terminate: Signal,
}

impl Rhythm {
    /// # Errors
    /// When the system gives no signals.
    pub(super) fn new() -> Result<Self, Report> {
        let make = || -> io::Result<Self> {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let within = runtime.enter();
            let (interrupt, terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
            drop(within);
            Ok(Self { runtime, interrupt, terminate })
        };
        make().map_err(|error| Report::internal(format!("cannot wait for Ctrl-C: {error}")))
    }

    /// Waits so long. False when it is to end.
    pub(super) fn wait(&mut self, time: Duration) -> bool {
        let (interrupt, terminate) = (&mut self.interrupt, &mut self.terminate);
        self.runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => false,
                _ = terminate.recv() => false,
                () = tokio::time::sleep(time) => true,
            }
        })
    }
}
