//! The signals that end a window.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// TERM, HUP, INT and QUIT. From a keyboard in raw mode they do not come; from elsewhere they do.
pub(super) struct EndingSignals {
    terminate: Signal,
    hangup: Signal,
    interrupt: Signal,
    quit: Signal,
}

impl EndingSignals {
    /// Takes the signals over. To be called within the runtime, before the terminal is touched.
    pub(super) fn take() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
        })
    }

    /// Waits for one of them; gives its number.
    pub(super) async fn next(&mut self) -> u8 {
        let kind = tokio::select! {
            _ = self.terminate.recv() => SignalKind::terminate(),
            _ = self.hangup.recv() => SignalKind::hangup(),
            _ = self.interrupt.recv() => SignalKind::interrupt(),
            _ = self.quit.recv() => SignalKind::quit(),
        };
        kind.as_raw_value() as u8
    }
}
