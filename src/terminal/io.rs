//! The I/O thread of one pane: reads while the inbox has room, writes on what waits, and reaps the program.
//!
//! It sleeps in `poll` otherwise. When the inbox is full it stops reading but goes on writing, so a program
//! that floods and waits for an answer at the same time is not held for ever.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use portable_pty::Child;
use rustix::event::{PollFd, PollFlags, poll};

use super::pane::{Ending, MAX_INBOX, Pane};
use super::wake::Waiter;

use crate::base::lock;

/// The most that one read takes. Linux gives about 4 KiB each.
const READ: usize = 16 * 1024;
/// The thread keeps one buffer and little else on its stack.
const STACK: usize = 128 * 1024;

/// Starts the thread.
pub(super) fn start(
    pane: Arc<Pane>,
    child: Box<dyn Child + Send + Sync>,
    waiter: Waiter,
    exit: Option<OwnedFd>,
) -> io::Result<()> {
    let name = format!("pane-{}", pane.lane);
    std::thread::Builder::new().name(name).stack_size(STACK).spawn(move || {
        run(&pane, &waiter, exit.as_ref());
        finish(&pane, child);
    })?;
    Ok(())
}

/// What a round of reading came to.
#[derive(PartialEq, Eq)]
enum Round {
    /// Nothing more now.
    Empty,
    /// The inbox is full.
    Full,
    /// The terminal is closed on the program's side.
    Closed,
}

/// Reads and writes until the program has ended and its output is taken, or the pane is closed.
fn run(pane: &Arc<Pane>, waiter: &Waiter, exit: Option<&OwnedFd>) {
    let mut buffer = vec![0; READ];
    let mut room = true;
    let mut open = true;
    let mut exited = false;
    loop {
        if lock(&pane.mail).closed {
            return;
        }
        let writing = open && lock(&pane.outbox).waiting() > 0;
        let mut interest = PollFlags::empty();
        interest.set(PollFlags::IN, open && room);
        interest.set(PollFlags::OUT, writing);
        let mut fds = vec![PollFd::from_borrowed_fd(waiter.fd(), PollFlags::IN)];
        let watched = exit.filter(|_| !exited);
        fds.extend(watched.map(|exit| PollFd::new(exit, PollFlags::IN)));
        // A hung-up terminal is always reported: it is left out while we wait for room only.
        if !interest.is_empty() {
            fds.push(PollFd::from_borrowed_fd(pane.tty.fd(), interest));
        }
        if poll(&mut fds, None).is_err() {
            // Only EINTR is possible here; look again.
            continue;
        }
        let mut answers = fds.iter().map(PollFd::revents);
        if answers.next().is_some_and(|wake| !wake.is_empty()) {
            waiter.clear();
        }
        exited |= watched.is_some() && answers.next().is_some_and(|exit| !exit.is_empty());
        let tty_ready = answers.next().unwrap_or(PollFlags::empty());
        if tty_ready.contains(PollFlags::OUT) {
            lock(&pane.outbox).flush(&pane.tty);
        }
        if !room {
            room = lock(&pane.mail).inbox.len() < MAX_INBOX;
        }
        if open && room && (exited || tty_ready.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR)) {
            match take(pane, &mut buffer) {
                Round::Empty => open = !exited,
                Round::Full => room = false,
                Round::Closed => open = false,
            }
            if !open {
                lock(&pane.outbox).close();
            }
        }
        if !open && (exited || exit.is_none()) {
            return;
        }
    }
}

/// Reads into the inbox until nothing is there or it is full.
fn take(pane: &Arc<Pane>, buffer: &mut [u8]) -> Round {
    loop {
        let room = {
            let mut mail = lock(&pane.mail);
            let room = MAX_INBOX.saturating_sub(mail.inbox.len());
            mail.stalled = room == 0;
            room.min(buffer.len())
        };
        if room == 0 {
            return Round::Full;
        }
        match pane.tty.read(&mut buffer[..room]) {
            Ok(None) => return Round::Empty,
            Ok(Some(0)) | Err(_) => return Round::Closed,
            Ok(Some(count)) => pane.post_output(&buffer[..count]),
        }
    }
}

/// Reaps the program and says how it ended.
fn finish(pane: &Arc<Pane>, mut child: Box<dyn Child + Send + Sync>) {
    let ending = match child.wait() {
        Ok(status) => match status.signal() {
            Some(signal) => Ending { status: format!("ended by a signal ({signal})"), code: None },
            None => {
                Ending { status: format!("exited with status {}", status.exit_code()), code: Some(status.exit_code()) }
            }
        },
        Err(error) => Ending { status: format!("ended; its status is unknown: {error}"), code: None },
    };
    lock(&pane.outbox).close();
    pane.post(|mail| mail.ending = Some(ending));
    pane.reaped.notify_all();
}
