//! Signals that end the workstation. In the foreground they are the window's.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals, taken from now on.
pub(super) struct Signals {
    term: Option<Signal>,
    int: Option<Signal>,
    /// A hang-up is that of the terminal it was started from: the work stays. Taken so that it does not kill.
    _hangup: Option<Signal>,
}

impl Signals {
    /// # Errors
    /// When the system refuses.
    pub fn take(foreground: bool) -> std::io::Result<Self> {
        let own = |kind| if foreground { Ok(None) } else { signal(kind).map(Some) };
        Ok(Self {
            term: own(SignalKind::terminate())?,
            int: own(SignalKind::interrupt())?,
            _hangup: own(SignalKind::hangup())?,
        })
    }

    /// Resolves when one came that asks for the end.
    pub async fn end(&mut self) {
        async fn one(signal: &mut Option<Signal>) {
            match signal {
                Some(signal) => drop(signal.recv().await),
                None => std::future::pending().await,
            }
        }
        tokio::select! {
            () = one(&mut self.term) => {}
            () = one(&mut self.int) => {}
        }
    }
}
