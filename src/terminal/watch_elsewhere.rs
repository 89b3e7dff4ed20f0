//! What the kernel tells of one worker's panes, where it has to be told of all of them each time.

use std::collections::HashMap;
use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::local::{Local, Seen};
use super::wake::Waiter;

/// What one worker's panes are watched for. The end of a program is not: nothing here tells of it.
#[derive(Debug, Default)]
pub(super) struct Watch {
    known: HashMap<u64, (OwnedFd, PollFlags)>,
}

impl Watch {
    /// One that looks at nothing.
    ///
    /// # Errors
    /// Never.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self::default())
    }

    /// Looks at what a pane waits for now, after everything that may have changed that.
    ///
    /// # Errors
    /// When there are no more descriptors.
    pub(super) fn keep(&mut self, serial: u64, local: &Local) -> io::Result<()> {
        if !local.reads() {
            self.forget(serial, local);
            return Ok(());
        }
        let flags = PollFlags::IN | if local.writes() { PollFlags::OUT } else { PollFlags::empty() };
        if let Some((_, known)) = self.known.get_mut(&serial) {
            *known = flags;
        } else {
            self.known.insert(serial, (local.terminal().try_clone_to_owned()?, flags));
        }
        Ok(())
    }

    /// Looks at a pane no more.
    pub(super) fn forget(&mut self, serial: u64, _local: &Local) {
        self.known.remove(&serial);
    }

    /// Waits for a ring, for something in a pane, or until the time is up. Says whether it was rung, and of each pane
    /// what was seen and whether its terminal takes more.
    pub(super) fn wait(&self, waiter: &Waiter, patience: Duration) -> (bool, Vec<(u64, Seen, bool)>) {
        let panes = self.known.values().map(|(fd, flags)| PollFd::new(fd, *flags));
        let mut fds: Vec<PollFd<'_>> =
            std::iter::once(PollFd::from_borrowed_fd(waiter.fd(), PollFlags::IN)).chain(panes).collect();
        // Without a limit it waits for ever; an error can only be an interruption, after which it looks again.
        let limit = Timespec::try_from(patience).ok();
        if poll(&mut fds, limit.as_ref()).unwrap_or(0) == 0 {
            return (false, Vec::new());
        }
        let told = self.known.keys().zip(&fds[1..]).filter(|(_, fd)| !fd.revents().is_empty());
        let seen = told.map(|(serial, fd)| (*serial, Seen::Terminal, fd.revents().contains(PollFlags::OUT)));
        (!fds[0].revents().is_empty(), seen.collect())
    }
}
