//! The terminal as the window holds it: taken at the start, given back whatever happens.

use std::cell::RefCell;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::Hide;
use crossterm::event::{EnableFocusChange, KeyboardEnhancementFlags, PushKeyboardEnhancementFlags};
use crossterm::queue;
use crossterm::terminal::EnterAlternateScreen;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::retry_on_intr;

use crate::base::{TerminalSettings, terminal_restore};

/// The mouse (buttons, drags, cells in decimal), bracketed paste and word of dark and light: crossterm's own command
/// would ask for every movement of the mouse, too.
const WISHES: &[u8] = b"\x1b[?1000h\x1b[?1002h\x1b[?1006h\x1b[?2004h\x1b[?2031h";

/// Questions, after the wishes and before the first frame, which waits for no answer: the colours of text, ground and
/// cursor and the sixteen named ones, dark or light, and whether the terminal speaks the kitty keyboard protocol.
/// Last comes one that every terminal answers, so that an answer to the others comes before.
fn questions() -> Vec<u8> {
    let mut bytes = b"\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b]12;?\x1b\\".to_vec();
    for colour in 0..16 {
        bytes.extend_from_slice(format!("\x1b]4;{colour};?\x1b\\").as_bytes());
    }
    bytes.extend_from_slice(b"\x1b[?996n\x1b[?u\x1b[c");
    bytes
}

/// As much as one write hands over: a slow terminal then cannot hold the loop for long.
const WRITE: usize = 16 * 1024;

thread_local! {
    /// The terminal that this thread holds, for the panic hook.
    static HELD: RefCell<Option<Rc<Tty>>> = const { RefCell::new(None) };
}

/// The terminal, in raw mode from [`Tty::take`] on.
pub(super) struct Tty {
    input: OwnedFd,
    output: OwnedFd,
    saved: TerminalSettings,
    opened: AtomicBool,
    given_back: AtomicBool,
}

impl Tty {
    /// Takes the terminal: raw mode, nothing shown yet.
    pub(super) fn take(input: BorrowedFd<'_>, output: BorrowedFd<'_>) -> io::Result<Held> {
        let tty = Rc::new(Self {
            saved: TerminalSettings::of(input)?,
            input: input.try_clone_to_owned()?,
            output: own_description(output).or_else(|_| output.try_clone_to_owned())?,
            opened: AtomicBool::new(false),
            given_back: AtomicBool::new(false),
        });
        install_hook();
        HELD.with_borrow_mut(|held| *held = Some(Rc::clone(&tty)));
        let held = Held(tty);
        held.0.saved.apply_raw(&held.0.input)?;
        Ok(held)
    }

    pub(super) fn input(&self) -> BorrowedFd<'_> {
        self.input.as_fd()
    }

    pub(super) fn output(&self) -> BorrowedFd<'_> {
        self.output.as_fd()
    }

    /// What opens the window on the screen; nothing when it is open. From now on giving the terminal back
    /// means undoing it.
    pub(super) fn opening(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if !self.opened.swap(true, Ordering::Relaxed) {
            queue!(bytes, EnterAlternateScreen, Hide, EnableFocusChange)?;
            bytes.extend_from_slice(WISHES);
            bytes.extend(questions());
        }
        Ok(bytes)
    }

    /// The same for a text that is only looked at: no mouse, no questions.
    pub(super) fn opening_plain(&self) -> Vec<u8> {
        self.opened.store(true, Ordering::Relaxed);
        b"\x1b[?1049h\x1b[?25l".to_vec()
    }

    /// Gives the terminal to another program for a while, as it was before.
    pub(super) fn lend(&self) -> io::Result<()> {
        if self.opened.swap(false, Ordering::Relaxed) {
            terminal_restore::restore(self.output(), None)?;
        }
        self.saved.apply(&self.input)
    }

    /// Takes the terminal that was lent; nothing is shown until it is opened again.
    pub(super) fn take_back(&self) -> io::Result<()> {
        self.saved.apply_raw(&self.input)
    }

    /// What asks for keys that can be told apart (Shift+Enter from Enter): of a terminal that speaks the kitty keyboard
    /// protocol, with repeats, releases and alternates; else xterm's modifyOtherKeys, of those that are like it.
    pub(super) fn keyboard(kitty: bool, term: &str) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if kitty {
            let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES
                | KeyboardEnhancementFlags::REPORT_EVENT_TYPES
                | KeyboardEnhancementFlags::REPORT_ALTERNATE_KEYS;
            queue!(bytes, PushKeyboardEnhancementFlags(flags))?;
        } else if ["xterm", "tmux", "foot", "mintty", "contour"].iter().any(|name| term.starts_with(name)) {
            bytes.extend_from_slice(b"\x1b[>4;2m");
        }
        Ok(bytes)
    }

    /// Reads what has been typed; [`io::ErrorKind::WouldBlock`] when nothing has.
    pub(super) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        // The description is shared with the shell and must stay a blocking one.
        if !ready(self.input(), PollFlags::IN)? {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        Ok(retry_on_intr(|| rustix::io::read(&self.input, &mut *buffer))?)
    }

    /// Whether something has been typed that was not read.
    pub(super) fn has_input(&self) -> bool {
        ready(self.input(), PollFlags::IN).unwrap_or(true)
    }

    /// Writes as much as the terminal takes now; [`io::ErrorKind::WouldBlock`] when it takes nothing.
    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        if !ready(self.output(), PollFlags::OUT)? {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        Ok(retry_on_intr(|| rustix::io::write(&self.output, &bytes[..bytes.len().min(WRITE)]))?)
    }

    /// Gives the terminal back; once. Faults are not told: there is nobody left to tell.
    pub(super) fn give_back(&self) {
        if self.given_back.swap(true, Ordering::Relaxed) {
            return;
        }
        if self.opened.load(Ordering::Relaxed) {
            let _ = terminal_restore::restore(self.output(), None);
        }
        let _ = self.saved.apply(self.input());
    }

    /// Prints a line on the terminal that was given back.
    pub(super) fn print(&self, words: &str) {
        if !words.is_empty() {
            let line = format!("{}\n", crate::base::visible(words));
            let _ = terminal_restore::write_all(self.output(), line.as_bytes());
        }
    }
}

/// Gives the terminal back when it goes.
pub(super) struct Held(Rc<Tty>);

impl std::ops::Deref for Held {
    type Target = Tty;

    fn deref(&self) -> &Tty {
        &self.0
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.give_back();
        // While a thread ends its locals may be gone already.
        let _ = HELD.try_with(|held| held.try_borrow_mut().map(|mut held| held.take()));
    }
}

/// The terminal opened anew: a description of our own can be non-blocking without the shell's being so.
pub(super) fn own_description(terminal: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    let name = rustix::termios::ttyname(terminal, Vec::new())?;
    Ok(open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?)
}

fn ready(terminal: BorrowedFd<'_>, flags: PollFlags) -> io::Result<bool> {
    let count = retry_on_intr(|| poll(&mut [PollFd::from_borrowed_fd(terminal, flags)], Some(&Timespec::default())))?;
    Ok(count > 0)
}

/// A panic's message must not go to the alternate screen: the terminal is given back first. Only a panic
/// of the thread that holds it counts; a fault elsewhere in the process must not end the window.
fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let _ = HELD.try_with(|held| {
                if let Ok(held) = held.try_borrow()
                    && let Some(tty) = held.as_ref()
                {
                    tty.give_back();
                }
            });
            previous(info);
        }));
    });
}
