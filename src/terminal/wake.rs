//! Wakes a thread that waits in `poll`.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::fs::{OFlags, fcntl_setfl};

/// The end that wakes. Never blocks: a full pipe already says it.
#[derive(Debug)]
pub(super) struct Wake(PipeWriter);

/// The end that is waited on.
#[derive(Debug)]
pub(super) struct Waiter(PipeReader);

/// A pair of both ends.
pub(super) fn pair() -> io::Result<(Wake, Waiter)> {
    let (reader, writer) = io::pipe()?;
    fcntl_setfl(&reader, OFlags::NONBLOCK)?;
    fcntl_setfl(&writer, OFlags::NONBLOCK)?;
    Ok((Wake(writer), Waiter(reader)))
}

impl Wake {
    /// Wakes the waiter; once more does nothing until it has run.
    pub(super) fn ring(&self) {
        // An error means a full pipe or a waiter that is gone: nothing is lost in either case.
        let _ = (&self.0).write(&[1]);
    }
}

impl Waiter {
    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// Forgets the rings so far.
    pub(super) fn clear(&self) {
        let mut rings = [0; 64];
        while matches!((&self.0).read(&mut rings), Ok(64)) {}
    }
}
