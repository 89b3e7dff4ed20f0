//! The master side of one pseudo-terminal as a plain, non-blocking descriptor.
//!
//! portable-pty makes the pair; after that its master is exchanged for a duplicate of our own, because its
//! writer blocks and types an end-of-file into a program that lives on when it is dropped.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use portable_pty::{PtySize, SlavePty, native_pty_system};
use rustix::buffer::spare_capacity;
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use rustix::termios::{LocalModes, SpecialCodeIndex, Winsize, tcgetattr, tcgetpgrp, tcsetwinsize};

use crate::domain::Size;

/// How the program's terminal treats what is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    /// The kernel gathers lines and gives the program whole ones.
    pub(super) by_lines: bool,
    /// The key that interrupts, if the kernel makes a signal of it.
    pub(super) interrupt: Option<u8>,
}

/// What a read came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Got {
    /// Bytes, and more may be there.
    Some,
    /// Bytes, and most likely all that were there.
    All,
    /// Nothing is there now.
    Nothing,
    /// The program's side is closed, for good.
    Closed,
}

/// The most that one read takes.
const READ: usize = 16 * 1024;
/// A read with fewer bytes than this has emptied the terminal: Linux gives up to 4 KiB at once.
const FULL: usize = 2 * 1024;

/// The master side.
#[derive(Debug)]
pub(super) struct Tty {
    master: OwnedFd,
    #[cfg(not(target_os = "linux"))]
    name: Option<std::path::PathBuf>,
}

impl Tty {
    /// A new pair; the other side is for the program.
    pub(super) fn open(size: Size) -> io::Result<(Self, Box<dyn SlavePty + Send>)> {
        let size = PtySize { rows: size.rows.max(1), cols: size.columns.max(1), pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).map_err(|e| io::Error::other(format!("{e:#}")))?;
        let raw = pair.master.as_raw_fd().ok_or_else(|| io::Error::other("the pseudo-terminal has no descriptor"))?;
        #[allow(unsafe_code, reason = "portable-pty gives the descriptor as a number only")]
        // SAFETY: `pair.master` owns `raw` and lives until after the duplicate is made.
        let borrowed = unsafe { BorrowedFd::borrow_raw(raw) };
        let master = borrowed.try_clone_to_owned()?;
        fcntl_setfl(&master, OFlags::RDWR | OFlags::NONBLOCK)?;
        let tty = Self {
            master,
            #[cfg(not(target_os = "linux"))]
            name: pair.master.tty_name(),
        };
        Ok((tty, pair.slave))
    }

    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.master.as_fd()
    }

    /// Reads once what is there, behind what the buffer holds.
    pub(super) fn read(&self, buffer: &mut Vec<u8>) -> Got {
        buffer.reserve(READ);
        match rustix::io::read(&self.master, spare_capacity(buffer)) {
            Ok(0) => Got::Closed,
            Ok(count) if count < FULL => Got::All,
            Ok(_) => Got::Some,
            Err(Errno::AGAIN) => Got::Nothing,
            // Cut short by a signal, which says nothing of what is there.
            Err(Errno::INTR) => Got::Some,
            // EIO is how Linux tells that the last program closed the terminal: the normal end. Others say
            // that nothing more will come either.
            Err(_) => Got::Closed,
        }
    }

    /// Writes what fits now; 0 when nothing does.
    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match rustix::io::write(&self.master, bytes) {
            Ok(count) => Ok(count),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(0),
            Err(error) => Err(error.into()),
        }
    }

    /// Tells the program's side its size; the kernel sends SIGWINCH when it changed.
    pub(super) fn resize(&self, size: Size) -> io::Result<()> {
        let size = Winsize { ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0 };
        Ok(tcsetwinsize(&self.master, size)?)
    }

    /// The process group in the foreground of the terminal, if there is one.
    pub(super) fn foreground(&self) -> Option<u32> {
        tcgetpgrp(&self.master).ok().and_then(|pid| u32::try_from(pid.as_raw_nonzero().get()).ok())
    }

    /// How typed text is treated now.
    pub(super) fn line(&self) -> Option<Line> {
        let termios = tcgetattr(&self.master).ok()?;
        let signals = termios.local_modes.contains(LocalModes::ISIG);
        Some(Line {
            by_lines: termios.local_modes.contains(LocalModes::ICANON),
            interrupt: signals.then(|| termios.special_codes[SpecialCodeIndex::VINTR]),
        })
    }

    /// How many bytes stand unread before the program. The program's side must be asked: the master's own
    /// queues tell nothing about it on Linux. With line gathering only whole lines count.
    pub(super) fn unread(&self) -> io::Result<u64> {
        Ok(rustix::io::ioctl_fionread(self.peer()?)?)
    }

    /// The path of the program's side, which leads to this terminal and no other.
    #[cfg(target_os = "linux")]
    pub(super) fn name(&self) -> io::Result<std::ffi::CString> {
        Ok(rustix::termios::ttyname(self.peer()?, Vec::new())?)
    }

    #[cfg(target_os = "linux")]
    fn peer(&self) -> io::Result<OwnedFd> {
        use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer};
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        Ok(ioctl_tiocgptpeer(&self.master, flags)?)
    }

    #[cfg(not(target_os = "linux"))]
    fn peer(&self) -> io::Result<OwnedFd> {
        use rustix::fs::{Mode, open};
        let name = self.name.as_ref().ok_or_else(|| io::Error::other("the pseudo-terminal has no name"))?;
        Ok(open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?)
    }
}
