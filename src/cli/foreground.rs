//! The workstation inside this very process, on a thread of its own (`--foreground`, `demo`).
//!
//! It listens on the same socket as ever, so that windows and commands see no difference; it ends with this
//! process.

use std::io;
use std::os::fd::OwnedFd;
use std::thread::JoinHandle;

use super::site::Site;
use super::{Foreground, client, fault, start};
use crate::base::Report;

/// A workstation on a thread.
#[derive(Debug)]
pub(super) struct InProcess {
    thread: Option<JoinHandle<Result<(), Report>>>,
    site: Site,
}

impl InProcess {
    /// Starts it and waits until it answers.
    ///
    /// # Errors
    /// When one runs already, or it cannot start.
    pub(super) fn start(site: &Site) -> Result<Self, Report> {
        let _right = start::right_to_start(site)?;
        if let Some(identity) = site.running()? {
            return Err(Report::refused(format!("a workstation runs already (process {})", identity.pid))
                .hint("attach to it with `paralane`, or end it first with `paralane down`"));
        }
        let failed = |error: io::Error| Report::internal(format!("cannot start the workstation: {error}"));
        // The thread's faults must not be written over the window.
        fault::log_to(&site.place.log());
        let (reader, writer) = io::pipe().map_err(failed)?;
        let ours = site.clone();
        let thread = std::thread::Builder::new()
            .name("workstation".to_owned())
            .spawn(move || start::run(ours, OwnedFd::from(writer), None, Foreground::Yes))
            .map_err(failed)?;
        let mut running = Self { thread: Some(thread), site: site.clone() };
        match start::await_ready(reader, site) {
            Ok(()) => Ok(running),
            // The thread's own report says more than a closed pipe.
            Err(report) if running.has_ended() => Err(running.join().err().unwrap_or(report)),
            Err(report) => Err(report),
        }
    }

    /// Ends it in order.
    ///
    /// # Errors
    /// What it ended with, or that it does not end.
    pub(super) fn end(mut self) -> Result<(), Report> {
        self.finish()
    }

    fn finish(&mut self) -> Result<(), Report> {
        if let Some(stream) = client::connect(self.site.place.socket())? {
            // It may be ending already, and then has no answer for this: what counts is that it is gone.
            let _ = client::command(stream, vec!["down".to_owned()], Vec::new(), client::Wait::Short);
        }
        start::await_end(&self.site)?;
        self.join()
    }

    /// Whether the thread is over, or about to be: it holds its lock until then.
    fn has_ended(&self) -> bool {
        self.site.running().is_ok_and(|running| running.is_none())
    }

    fn join(&mut self) -> Result<(), Report> {
        match self.thread.take().map(JoinHandle::join) {
            None | Some(Ok(Ok(()))) => Ok(()),
            Some(Ok(Err(report))) => Err(report),
            Some(Err(_)) => Err(Report::internal("the workstation ended with a fault of its own")
                .hint(format!("look at the log `{}`", self.site.place.log().display()))),
        }
    }
}

impl Drop for InProcess {
    fn drop(&mut self) {
        if self.thread.is_some() {
            // On the way out of an error or a panic: that one is told, not this one.
            let _ = self.finish();
        }
    }
}
