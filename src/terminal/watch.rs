//! What the kernel tells of the terminals and programs of one worker's panes.
//!
//! It hears once what it is to look at, so that a wait costs as much with three hundred panes as with one.

use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, epoll, poll};

use super::local::{Local, Seen};
use super::wake::Waiter;

/// Panes that one look tells of; the others are told of by the next.
const AT_ONCE: usize = 64;

/// What one worker's panes are watched for.
#[derive(Debug)]
pub(super) struct Watch {
    kernel: OwnedFd,
    known: HashMap<u64, Known>,
}

/// What the kernel knows of a pane.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    terminal: Option<epoll::EventFlags>,
    exit: bool,
}

impl Watch {
    /// One that looks at nothing.
    ///
    /// # Errors
    /// When there are no more descriptors.
    pub(super) fn new() -> io::Result<Self> {
        let kernel = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        Ok(Self { kernel, known: HashMap::new() })
    }

    /// Looks at what a pane waits for now, after everything that may have changed that.
    ///
    /// # Errors
    /// When the kernel does not look at more.
    pub(super) fn keep(&mut self, serial: u64, local: &Local) -> io::Result<()> {
        let known = self.known.entry(serial).or_default();
        let (fd, data) = (local.terminal(), name(serial, Seen::Terminal));
        let wanted = local.reads().then(|| {
            let writes = if local.writes() { epoll::EventFlags::OUT } else { epoll::EventFlags::empty() };
            epoll::EventFlags::IN | writes
        });
        match (known.terminal, wanted) {
            (before, now) if before == now => {}
            (None, Some(flags)) => epoll::add(&self.kernel, fd, data, flags)?,
            (Some(_), Some(flags)) => epoll::modify(&self.kernel, fd, data, flags)?,
            // A hung-up terminal would be told of for ever.
            (_, None) => epoll::delete(&self.kernel, fd)?,
        }
        known.terminal = wanted;
        if let Some(exit) = local.exit().filter(|_| !known.exit) {
            // Once: it is let go of by whoever reaps the program.
            let once = epoll::EventFlags::IN | epoll::EventFlags::ONESHOT;
            epoll::add(&self.kernel, exit, name(serial, Seen::Exit), once)?;
            known.exit = true;
        }
        Ok(())
    }

    /// Looks at a pane no more.
    pub(super) fn forget(&mut self, serial: u64, local: &Local) {
        if self.known.remove(&serial).is_some_and(|known| known.terminal.is_some()) {
            // An error can only say that it is not looked at.
            let _ = epoll::delete(&self.kernel, local.terminal());
        }
    }

    /// Waits for a ring, for something in a pane, or until the time is up. Says whether it was rung, and of each pane what was
    /// seen and whether its terminal takes more.
    pub(super) fn wait(&self, waiter: &Waiter, patience: Duration) -> (bool, Vec<(u64, Seen, bool)>) {
        // The kernel's own wait knows whole milliseconds only.
        let mut fds = [(waiter.fd(), PollFlags::IN), (self.kernel.as_fd(), PollFlags::IN)]
            .map(|(fd, flags)| PollFd::from_borrowed_fd(fd, flags));
        // Without a limit it waits for ever; an error can only be an interruption, after which it looks again.
        let limit = Timespec::try_from(patience).ok();
        if poll(&mut fds, limit.as_ref()).unwrap_or(0) == 0 {
            return (false, Vec::new());
        }
        let [rung, told] = fds.map(|fd| !fd.revents().is_empty());
        let mut events = Vec::with_capacity(if told { AT_ONCE } else { 0 });
        if told {
            let now = Timespec { tv_sec: 0, tv_nsec: 0 };
            // An interruption again.
            let _ = epoll::wait(&self.kernel, spare_capacity(&mut events), Some(&now));
        }
        let seen = events.iter().map(|event: &epoll::Event| {
            let (data, flags) = (event.data.u64(), event.flags);
            let seen = if data & 1 == 0 { Seen::Terminal } else { Seen::Exit };
            (data >> 1, seen, flags.contains(epoll::EventFlags::OUT))
        });
        (rung, seen.collect())
    }
}

/// A pane's terminal, or the end of its program.
fn name(serial: u64, seen: Seen) -> epoll::EventData {
    epoll::EventData::new_u64(serial << 1 | u64::from(seen == Seen::Exit))
}
