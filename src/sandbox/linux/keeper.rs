//! The keeper of one command: nothing that the command starts outlives it.
//!
//! Between fork and exec the child parts into three. The first, whom the workstation waits for, only relays how the
//! command ended. The second is the keeper. The third goes on and becomes the command.
//!
//! Where a namespace of processes can be made, the keeper is its first process: when it ends, the kernel ends all
//! others in it, whatever they did to hide. Elsewhere orphans of the command become the keeper's children, and it
//! ends them generation by generation. It ends everything when its leash does, that is, when the workstation lets go
//! of the other side or dies, by whatever signal; and by itself once nothing is left.
//!
//! Relay and keeper never run another program. They are copies of the workstation that give back its memory, and what
//! the command sees of them is nothing: they can be neither traced nor read.

#![allow(unsafe_code, reason = "between fork and exec only bare system calls are allowed")]

use std::ffi::{CStr, c_int, c_ulong};
use std::io::{Error, PipeReader, PipeWriter, Read, Result};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use super::sys::{self, Mounted};

/// Ranges of memory that are given back, at most.
const RANGES: usize = 64;
/// Smaller ones are not worth a call; also libraries keep things in small ones that their functions need. Bytes.
const WORTH: usize = 256 * 1024;
/// How often the keeper without a namespace looks for children that are left, and how many milliseconds lie between.
const ROUNDS: usize = 2_000;
const PAUSE: c_int = 2;

/// Memory as pairs of its beginning and its length.
type Ranges = [(usize, usize); RANGES];

/// What the command's child needs to part; made before the fork.
pub(super) struct Keeper {
    leash: OwnedFd,
    alive: OwnedFd,
    ranges: Ranges,
    tree: bool,
}

/// The workstation's side.
#[derive(Debug)]
pub(super) struct Leash {
    hold: Option<PipeWriter>,
    alive: PipeReader,
}

impl Leash {
    /// Has the keeper end all that is left, and itself.
    pub fn let_go(&mut self) {
        self.hold = None;
    }

    /// Whether the keeper has ended, and with it everything that it kept.
    pub fn is_over(&mut self) -> bool {
        // Nothing is ever written to it.
        rustix::io::ioctl_fionbio(&self.alive, true).is_ok() && matches!(self.alive.read(&mut [0]), Ok(0))
    }
}

/// A keeper and its leash. `tree` says whether the command's processes get a namespace of their own.
pub(super) fn keeper(tree: bool) -> Result<(Keeper, Leash)> {
    let (leash, hold) = std::io::pipe()?;
    let (alive, token) = std::io::pipe()?;
    let keeper = Keeper { leash: leash.into(), alive: token.into(), ranges: ranges(), tree };
    Ok((keeper, Leash { hold: Some(hold), alive }))
}

/// The large private memory of this process, which a copy of it does not need.
fn ranges() -> Ranges {
    let mut ranges = [(0, 0); RANGES];
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let large = maps.lines().filter_map(|line| {
        let mut fields = line.split_ascii_whitespace();
        let (from, to) = fields.next()?.split_once('-')?;
        let anonymous =
            fields.next()? == "rw-p" && fields.nth(2)? == "0" && fields.next().is_none_or(|n| n == "[heap]");
        let (from, to) = (usize::from_str_radix(from, 16).ok()?, usize::from_str_radix(to, 16).ok()?);
        (anonymous && to - from >= WORTH).then_some((from, to - from))
    });
    for (slot, range) in ranges.iter_mut().zip(large) {
        *slot = range;
    }
    ranges
}

impl Keeper {
    /// Parts this process. Returns in the one that becomes the command.
    pub fn part(&self) -> Result<()> {
        let Self { leash, alive, ranges, tree } = self;
        // On the stack: the rest is given back.
        let (leash, alive, ranges, tree) = (leash.as_raw_fd(), alive.as_raw_fd(), *ranges, *tree);
        // SAFETY: takes nothing.
        let number = unsafe { libc::getpid() };
        if tree {
            sys::unshare(libc::CLONE_NEWPID | libc::CLONE_NEWNS)?;
        }
        let (read, write) = pipe()?;
        let keeper = fork()?;
        if keeper != 0 {
            relay(keeper, read, &ranges);
        }
        if tree {
            own_processes(number)?;
        } else {
            prctl(libc::PR_SET_CHILD_SUBREAPER, 1)?;
        }
        // A copy of the workstation's memory and environment: nobody looks into it, from its first moment on.
        prctl(libc::PR_SET_DUMPABLE, 0)?;
        let command = fork()?;
        if command != 0 {
            keep(Kept { command, leash, alive, status: write, tree }, &ranges);
        }
        // SAFETY: takes nothing; a session of its own cannot fail for a process that leads no group.
        unsafe { libc::setsid() };
        Ok(())
    }
}

/// Shows the namespace's processes, and no others, in `/proc`.
fn own_processes(number: c_int) -> Result<()> {
    sys::mount(c"proc", c"/proc", libc::MS_NODEV | libc::MS_NOEXEC, c"")?;
    // Numbers begin where the machine's stand: scripts take their own for the names of temporary files, which the
    // lane's next command would find. Old kernels count from 1.
    let mut text = [0; 12];
    let _counts_from_one = sys::write_file(c"/proc/sys/kernel/ns_last_pid", decimal(number, &mut text));
    sys::read_only(Mounted::At(c"/proc"))
}

fn decimal(number: c_int, text: &mut [u8; 12]) -> &[u8] {
    let mut rest = number.unsigned_abs();
    let mut at = text.len();
    loop {
        at -= 1;
        if let Some(digit) = text.get_mut(at) {
            *digit = b'0' + (rest % 10) as u8;
        }
        rest /= 10;
        if rest == 0 || at == 0 {
            return text.get(at..).unwrap_or_default();
        }
    }
}

/// How a command ended, on its way from the keeper to the relay: its status, and whether nothing else is left.
type Word = [u8; 5];

/// Waits for the keeper's word, and ends as the command did.
fn relay(keeper: c_int, status: RawFd, ranges: &Ranges) -> ! {
    block_signals();
    settle(c"paralane-relay", &mut [status], ranges);
    let mut word: Word = [0; 5];
    // SAFETY: the buffer is as long as said; a pipe gives so few bytes in one piece.
    let got = unsafe { libc::read(status, word.as_mut_ptr().cast(), word.len()) };
    let [a, b, c, d, alone] = word;
    let how = c_int::from_ne_bytes([a, b, c, d]);
    let told = usize::try_from(got) == Ok(word.len());
    if !told || alone == 1 {
        wait_for(keeper);
    }
    if !told {
        end_by(libc::SIGKILL);
    }
    if libc::WIFSIGNALED(how) {
        end_by(libc::WTERMSIG(how));
    }
    exit(libc::WEXITSTATUS(how));
}

/// What the keeper looks after.
struct Kept {
    command: c_int,
    leash: RawFd,
    alive: RawFd,
    status: RawFd,
    tree: bool,
}

/// The keeper's life.
fn keep(kept: Kept, ranges: &Ranges) -> ! {
    let Kept { command, leash, alive, status, tree } = kept;
    block_signals();
    let events = child_events();
    settle(c"paralane-keeper", &mut [leash, alive, status, events], ranges);
    let mut told = false;
    loop {
        let mut ended = None;
        let alone = loop {
            let mut how = 0;
            // SAFETY: the number lives through the call.
            let pid = unsafe { libc::waitpid(-1, &raw mut how, libc::WNOHANG | libc::__WALL) };
            if pid == command {
                ended = Some(how);
            } else if pid <= 0 {
                break pid < 0;
            }
        };
        if let Some(how) = ended {
            let [a, b, c, d] = how.to_ne_bytes();
            // The relay may have been killed: then nobody waits for it.
            let _ = sys::write(status, &[a, b, c, d, u8::from(alone)]);
            sys::close(status);
            told = true;
        }
        if alone {
            exit(0);
        }
        let watch = |fd, events| libc::pollfd { fd, events, revents: 0 };
        // A relay that is gone before it was told has been killed: the command is not wanted any more.
        let mut fds =
            [watch(events, libc::POLLIN), watch(leash, libc::POLLIN), watch(if told { -1 } else { status }, 0)];
        // SAFETY: the array is as long as said.
        unsafe { libc::poll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, -1) };
        let [child, leash, relay] = fds;
        if leash.revents != 0 || relay.revents != 0 {
            if !tree {
                end_children();
            }
            exit(0);
        }
        if child.revents != 0 {
            let mut buffer = [0_u8; size_of::<libc::signalfd_siginfo>()];
            // SAFETY: the buffer is as long as said. What it says is found out by waiting.
            unsafe { libc::read(events, buffer.as_mut_ptr().cast(), buffer.len()) };
        }
    }
}

/// Kills children until there are none; orphans of killed ones become children.
fn end_children() {
    for _ in 0..ROUNDS {
        let mut list = [0_u8; 4096];
        if let Ok(file) = sys::open(c"/proc/thread-self/children", libc::O_RDONLY) {
            // SAFETY: the buffer is as long as said.
            let got = unsafe { libc::read(file, list.as_mut_ptr().cast(), list.len()) };
            sys::close(file);
            let got = usize::try_from(got).unwrap_or(0);
            let mut number = 0;
            for byte in list.get(..got).unwrap_or_default() {
                if byte.is_ascii_digit() {
                    number = number * 10 + c_int::from(byte - b'0');
                    continue;
                }
                if number > 1 {
                    // SAFETY: takes numbers only. A child's number stays its own until it is waited for.
                    unsafe { libc::kill(number, libc::SIGKILL) };
                }
                number = 0;
            }
        }
        loop {
            let mut how = 0;
            // SAFETY: the number lives through the call.
            match unsafe { libc::waitpid(-1, &raw mut how, libc::WNOHANG | libc::__WALL) } {
                0 => break,
                1.. => {}
                _ => return,
            }
        }
        // SAFETY: looks at no descriptor.
        unsafe { libc::poll(std::ptr::null_mut(), 0, PAUSE) };
    }
}

/// Keeps nothing of the workstation but these descriptors.
fn settle(name: &CStr, keep: &mut [RawFd], ranges: &Ranges) {
    // Whatever of this fails only costs memory or a name; cores hold what the workstation holds.
    let _ = prctl(libc::PR_SET_DUMPABLE, 0);
    let _ = sys::limit(libc::RLIMIT_CORE, 0);
    let _ = prctl(libc::PR_SET_NAME, name.as_ptr() as c_ulong);
    let _ = sys::chdir(c"/");
    keep.sort_unstable();
    let mut from = 0;
    for fd in keep.iter().filter_map(|fd| u32::try_from(*fd).ok()) {
        if fd > from {
            close_range(from, fd - 1);
        }
        from = fd + 1;
    }
    close_range(from, u32::MAX);
    let here = std::ptr::from_ref(&from) as usize;
    // SAFETY: gives an address of this thread.
    let own = unsafe { libc::__errno_location() } as usize;
    for (from, length) in ranges.iter().copied().filter(|(_, length)| *length > 0) {
        let holds = |address: usize| (from..from + length).contains(&address);
        if !holds(here) && !holds(own) {
            // SAFETY: private memory that nothing here looks at any more: all that is used stands on the stack.
            unsafe { libc::madvise(from as *mut _, length, libc::MADV_DONTNEED) };
        }
    }
}

fn close_range(from: u32, to: u32) {
    // SAFETY: takes numbers only.
    let done = unsafe { libc::syscall(libc::SYS_close_range, from, to, 0) };
    if done != 0 {
        // Kernels before 5.9. No workstation has more descriptors open.
        for fd in from..=to.min(65_536) {
            sys::close(fd as RawFd);
        }
    }
}

fn fork() -> Result<c_int> {
    // Not the library's: it runs handlers that may wait for locks of threads which are not here.
    // SAFETY: makes a copy of this process that goes on from here, with a stack of its own.
    let pid = unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD as c_ulong, 0_usize, 0_usize, 0_usize, 0_usize) };
    if pid < 0 { Err(Error::last_os_error()) } else { Ok(pid as c_int) }
}

fn pipe() -> Result<(RawFd, RawFd)> {
    let mut fds = [-1; 2];
    // SAFETY: the array has room for both.
    if unsafe { libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC) } < 0 {
        return Err(Error::last_os_error());
    }
    Ok((fds[0], fds[1]))
}

fn prctl(what: c_int, value: c_ulong) -> Result<()> {
    // SAFETY: takes numbers, or a name that ends in NUL.
    if unsafe { libc::prctl(what, value, 0, 0, 0) } < 0 { Err(Error::last_os_error()) } else { Ok(()) }
}

/// Takes no signal any more but those that nobody can refuse.
fn block_signals() {
    // SAFETY: all zeros is a valid set, which is filled.
    let mut all: libc::sigset_t = unsafe { std::mem::zeroed() };
    // SAFETY: the set lives through both calls.
    unsafe {
        libc::sigfillset(&raw mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const all, std::ptr::null_mut());
    }
}

/// Becomes readable when a child ends.
fn child_events() -> RawFd {
    // SAFETY: all zeros is a valid set; it lives through the calls.
    unsafe {
        let mut wanted: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut wanted);
        libc::sigaddset(&raw mut wanted, libc::SIGCHLD);
        libc::signalfd(-1, &raw const wanted, libc::SFD_CLOEXEC)
    }
}

fn wait_for(pid: c_int) {
    let mut how = 0;
    // SAFETY: the number lives through the call; no signal interrupts it.
    unsafe { libc::waitpid(pid, &raw mut how, libc::__WALL) };
}

fn end_by(signal: c_int) -> ! {
    // SAFETY: takes numbers, and a set that is emptied; kills this process alone.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::signal(signal, libc::SIG_DFL);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
        libc::kill(libc::getpid(), signal);
    }
    exit(128 + signal)
}

fn exit(code: c_int) -> ! {
    // SAFETY: ends this process; nothing of the workstation's is cleaned up by it.
    unsafe { libc::_exit(code) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_full() {
        for number in [0, 7, 10, 4_194_304, c_int::MAX] {
            assert_eq!(decimal(number, &mut [0; 12]), number.to_string().as_bytes());
        }
    }
}
