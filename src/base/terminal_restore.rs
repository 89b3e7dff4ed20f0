//! Giving a terminal back: the settings it had, and the bytes that undo what a window asked for.
//!
//! The window does it for itself; the workstation does it for a window that died, with the descriptor
//! and the [`TerminalSettings`] that came with the window's hello.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{
    ControlModes, InputModes, LocalModes, OptionalActions, OutputModes, QueueSelector, SpecialCodeIndex, Termios,
    tcflush, tcgetattr, tcsetattr,
};
use serde::{Deserialize, Serialize};

/// Undoes everything that a window may have asked of its terminal, whatever of it was in force.
///
/// The order counts: the string terminator ends a sequence that was cut in the middle, synchronised
/// output ends first so that the rest is shown, keyboard flags belong to the alternate screen and are
/// popped before it is left. What an old console takes for an attribute comes before the attributes are reset.
pub const GIVE_BACK: &[u8] = b"\x1b\\\x1b[?2026l\x1b[>4m\x1b[0m\x1b[?7h\
    \x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?1004l\x1b[?2004l\x1b[?2031l\
    \x1b[<u\x1b[0 q\x1b[?25h\x1b[?1049l\x1b[?25h";

/// A terminal that takes nothing for this long is given up: its restorer must not hang.
const PATIENCE: Duration = Duration::from_secs(1);

/// The special characters that are part of the settings, present on every system we build for.
const CODES: [SpecialCodeIndex; 16] = [
    SpecialCodeIndex::VINTR,
    SpecialCodeIndex::VQUIT,
    SpecialCodeIndex::VERASE,
    SpecialCodeIndex::VKILL,
    SpecialCodeIndex::VEOF,
    SpecialCodeIndex::VTIME,
    SpecialCodeIndex::VMIN,
    SpecialCodeIndex::VSTART,
    SpecialCodeIndex::VSTOP,
    SpecialCodeIndex::VSUSP,
    SpecialCodeIndex::VEOL,
    SpecialCodeIndex::VREPRINT,
    SpecialCodeIndex::VDISCARD,
    SpecialCodeIndex::VWERASE,
    SpecialCodeIndex::VLNEXT,
    SpecialCodeIndex::VEOL2,
];

/// How a terminal's line was set (termios), as plain data that can travel to another process of the
/// same program on the same machine. Line speeds are not part of it: nothing here changes them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalSettings {
    input: u64,
    output: u64,
    control: u64,
    local: u64,
    codes: Vec<u8>,
}

impl TerminalSettings {
    /// The settings that the terminal has now.
    ///
    /// # Errors
    /// When the descriptor is no terminal or the terminal is gone.
    pub fn of(terminal: impl AsFd) -> io::Result<Self> {
        Ok(Self::from_termios(&tcgetattr(terminal)?))
    }

    /// Sets the terminal so.
    ///
    /// # Errors
    /// When the descriptor is no terminal or the terminal is gone.
    pub fn apply(&self, terminal: impl AsFd) -> io::Result<()> {
        let mut termios = tcgetattr(&terminal)?;
        self.write_to(&mut termios);
        Ok(tcsetattr(&terminal, OptionalActions::Now, &termios)?)
    }

    /// Sets the terminal so, but with every key handed over as it is typed (raw).
    ///
    /// # Errors
    /// When the descriptor is no terminal or the terminal is gone.
    pub fn apply_raw(&self, terminal: impl AsFd) -> io::Result<()> {
        let mut termios = tcgetattr(&terminal)?;
        self.write_to(&mut termios);
        termios.make_raw();
        Ok(tcsetattr(&terminal, OptionalActions::Now, &termios)?)
    }

    /// Whether the terminal still stands as [`Self::apply_raw`] left it: nobody took it over since.
    fn still_raw(&self, terminal: impl AsFd) -> io::Result<bool> {
        let mut termios = tcgetattr(&terminal)?;
        let now = Self::from_termios(&termios);
        self.write_to(&mut termios);
        termios.make_raw();
        Ok(Self::from_termios(&termios) == now)
    }

    fn from_termios(termios: &Termios) -> Self {
        Self {
            input: termios.input_modes.bits().into(),
            output: termios.output_modes.bits().into(),
            control: termios.control_modes.bits().into(),
            local: termios.local_modes.bits().into(),
            codes: CODES.iter().map(|code| termios.special_codes[*code]).collect(),
        }
    }

    fn write_to(&self, termios: &mut Termios) {
        termios.input_modes = InputModes::from_bits_retain(self.input as _);
        termios.output_modes = OutputModes::from_bits_retain(self.output as _);
        termios.control_modes = ControlModes::from_bits_retain(self.control as _);
        termios.local_modes = LocalModes::from_bits_retain(self.local as _);
        for (code, value) in CODES.iter().zip(&self.codes) {
            termios.special_codes[*code] = *value;
        }
    }
}

/// Gives the terminal back: undoes modes and screen, throws away what was typed but not read (late
/// replies would land in the shell), sets the line as it was. Goes on after a fault, and is harmless
/// when done twice.
///
/// # Errors
/// The first fault that was met.
pub fn restore(terminal: BorrowedFd<'_>, saved: Option<&TerminalSettings>) -> io::Result<()> {
    let written = write_all(terminal, GIVE_BACK);
    let flushed = tcflush(terminal, QueueSelector::IFlush).map_err(io::Error::from);
    let set = saved.map_or(Ok(()), |settings| settings.apply(terminal));
    written.and(flushed).and(set)
}

/// The same for a window that died without doing it. Where a shell has already set the line for
/// itself, its settings stay: only a line that still stands as the window left it is set back.
///
/// # Errors
/// The first fault that was met; a terminal that is gone is one.
pub fn restore_abandoned(terminal: BorrowedFd<'_>, saved: Option<&TerminalSettings>) -> io::Result<()> {
    let ours = saved.filter(|settings| settings.still_raw(terminal).unwrap_or(false));
    match ours {
        Some(settings) => restore(terminal, Some(settings)),
        None => write_all(terminal, GIVE_BACK),
    }
}

/// Writes all bytes, also to a descriptor that does not block, but waits no longer than a second
/// for a terminal that takes nothing.
///
/// # Errors
/// Whatever the terminal says; [`io::ErrorKind::TimedOut`] when it takes nothing.
pub fn write_all(terminal: BorrowedFd<'_>, mut bytes: &[u8]) -> io::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    while !bytes.is_empty() {
        let left = deadline.saturating_duration_since(Instant::now());
        let wait = Timespec::try_from(left).map_err(io::Error::other)?;
        let mut waiting = [PollFd::from_borrowed_fd(terminal, PollFlags::OUT)];
        match poll(&mut waiting, Some(&wait)) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        }
        match rustix::io::write(terminal, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::os::fd::OwnedFd;

    use rustix::fs::{Mode, OFlags, open};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    use super::*;

    fn pair() -> (std::fs::File, OwnedFd) {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        (master.into(), open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap())
    }

    #[test]
    fn settings_come_back_after_a_journey() {
        let (mut master, slave) = pair();
        let before = TerminalSettings::of(&slave).unwrap();
        before.apply_raw(&slave).unwrap();
        assert_ne!(TerminalSettings::of(&slave).unwrap(), before);

        let travelled: TerminalSettings = serde_json::from_str(&serde_json::to_string(&before).unwrap()).unwrap();
        restore(slave.as_fd(), Some(&travelled)).unwrap();
        assert_eq!(TerminalSettings::of(&slave).unwrap(), before);

        let mut seen = vec![0; GIVE_BACK.len()];
        master.read_exact(&mut seen).unwrap();
        assert_eq!(seen, GIVE_BACK);
    }

    #[test]
    fn a_shell_that_took_the_terminal_keeps_its_settings() {
        let (_master, slave) = pair();
        let before = TerminalSettings::of(&slave).unwrap();
        before.apply_raw(&slave).unwrap();
        restore_abandoned(slave.as_fd(), Some(&before)).unwrap();
        assert_eq!(TerminalSettings::of(&slave).unwrap(), before);

        before.apply_raw(&slave).unwrap();
        let mut shell = tcgetattr(&slave).unwrap();
        shell.local_modes |= LocalModes::ISIG;
        tcsetattr(&slave, OptionalActions::Now, &shell).unwrap();
        let taken = TerminalSettings::of(&slave).unwrap();
        restore_abandoned(slave.as_fd(), Some(&before)).unwrap();
        assert_eq!(TerminalSettings::of(&slave).unwrap(), taken);
    }

    #[test]
    fn a_terminal_that_takes_nothing_does_not_hang_the_restorer() {
        let (_master, slave) = pair();
        rustix::fs::fcntl_setfl(&slave, OFlags::NONBLOCK).unwrap();
        // The kernel makes room a few times before the pair is really full.
        let error = loop {
            if let Err(error) = write_all(slave.as_fd(), &[b'x'; 4096]) {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
