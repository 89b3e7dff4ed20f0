//! The master side of one pseudo-terminal as a plain, non-blocking descriptor.
//!
//! portable-pty makes the pair; after that its master is exchanged for a duplicate of our own, because its
//! writer blocks and types an end-of-file into a program that lives on when it is dropped.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use portable_pty::{PtySize, SlavePty, native_pty_system};
use rustix::fs::{OFlags, fcntl_setfl};
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

    /// Reads what is there. `Ok(None)`: nothing now. `Ok(Some(0))`: the program's side is closed.
    pub(super) fn read(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match rustix::io::read(&self.master, buffer) {
            Ok(count) => Ok(Some(count)),
            // Linux answers so when the last program closed the terminal: the normal end.
            Err(rustix::io::Errno::IO) => Ok(Some(0)),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(None),
            Err(error) => Err(error.into()),
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
