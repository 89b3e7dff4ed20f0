//! Starting a program in a terminal without copying this process first.
//!
//! A fork copies the tables of this process's memory, which all its threads then wait for; `posix_spawn` borrows the
//! memory until the program begins, which takes a fraction of the time. The library has to know how to enter a
//! directory and how to close what is open on the way; where it does not, portable-pty forks.

#![allow(unsafe_code, reason = "the library's `posix_spawn` is a C interface")]

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, OsStr, OsString, c_char, c_int, c_short};
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use portable_pty::{Child, ChildKiller, ExitStatus};
use rustix::fs::{Access, access};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

/// A program, and what it begins with.
pub(super) struct Program<'a> {
    /// Its words; the first is its name.
    pub(super) words: &'a [OsString],
    /// Where it begins.
    pub(super) directory: &'a Path,
    /// All its variables.
    pub(super) environment: &'a BTreeMap<OsString, OsString>,
    /// The path of its terminal.
    pub(super) terminal: &'a CStr,
}

/// Starts it as the leader of a session with this terminal; none where it cannot be done this way: the library is too
/// old for it, or there is no such program.
///
/// # Errors
/// When the system refuses.
pub(super) fn spawn(program: &Program<'_>) -> io::Result<Option<Spawned>> {
    let Some(calls) = Calls::known() else { return Ok(None) };
    let Some(path) = find(program) else { return Ok(None) };
    let path = c_string(path.as_os_str())?;
    let directory = c_string(program.directory.as_os_str())?;
    let words = program.words.iter().map(|word| c_string(word)).collect::<io::Result<Vec<_>>>()?;
    let variable = |(name, value): (&OsString, &OsString)| {
        c_string(OsStr::from_bytes(&[name.as_bytes(), b"=", value.as_bytes()].concat()))
    };
    let variables = program.environment.iter().map(variable).collect::<io::Result<Vec<_>>>()?;
    let attributes = Attributes::new()?;
    let mut actions = Actions::new()?;
    let own = actions.own();
    // SAFETY: the strings live until after the call that starts the program, and the list is an initialised one.
    unsafe {
        // The first terminal that the leader of a session opens becomes the session's.
        check(libc::posix_spawn_file_actions_addopen(own, 0, program.terminal.as_ptr(), libc::O_RDWR, 0))?;
        check(libc::posix_spawn_file_actions_adddup2(own, 0, 1))?;
        check(libc::posix_spawn_file_actions_adddup2(own, 0, 2))?;
        check((calls.enter)(own, directory.as_ptr()))?;
        check((calls.close_from)(own, 3))?;
    }
    let (words, variables) = (pointers(&words), pointers(&variables));
    let mut pid = 0;
    // SAFETY: all that is pointed at lives through the call; both lists end in a null pointer.
    let started = unsafe {
        libc::posix_spawn(
            &raw mut pid,
            path.as_ptr(),
            &raw const actions.0,
            &raw const attributes.0,
            words.as_ptr().cast::<*mut c_char>(),
            variables.as_ptr().cast::<*mut c_char>(),
        )
    };
    check(started)?;
    Ok(Pid::from_raw(pid).map(|pid| Spawned { pid, ended: None }))
}

/// What not every library has.
#[derive(Clone, Copy)]
struct Calls {
    enter: Enter,
    close_from: CloseFrom,
}

type Enter = unsafe extern "C" fn(*mut libc::posix_spawn_file_actions_t, *const c_char) -> c_int;
type CloseFrom = unsafe extern "C" fn(*mut libc::posix_spawn_file_actions_t, c_int) -> c_int;

impl Calls {
    fn known() -> Option<Self> {
        static KNOWN: OnceLock<Option<Calls>> = OnceLock::new();
        *KNOWN.get_or_init(|| {
            let enter = symbol(c"posix_spawn_file_actions_addchdir_np")?;
            let close_from = symbol(c"posix_spawn_file_actions_addclosefrom_np")?;
            // SAFETY: functions of these names have these signatures in every library that has them.
            Some(unsafe {
                Self {
                    enter: std::mem::transmute::<*mut libc::c_void, Enter>(enter),
                    close_from: std::mem::transmute::<*mut libc::c_void, CloseFrom>(close_from),
                }
            })
        })
    }
}

fn symbol(name: &CStr) -> Option<*mut libc::c_void> {
    // SAFETY: the name ends in NUL; asking changes nothing.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// What is done on the way to the program.
struct Actions(libc::posix_spawn_file_actions_t);

impl Actions {
    fn new() -> io::Result<Self> {
        let mut actions = MaybeUninit::uninit();
        // SAFETY: the call initialises what it is given, or fails.
        unsafe {
            check(libc::posix_spawn_file_actions_init(actions.as_mut_ptr()))?;
            Ok(Self(actions.assume_init()))
        }
    }

    const fn own(&mut self) -> *mut libc::posix_spawn_file_actions_t {
        &raw mut self.0
    }
}

impl Drop for Actions {
    fn drop(&mut self) {
        // SAFETY: initialised by `new`.
        unsafe { libc::posix_spawn_file_actions_destroy(&raw mut self.0) };
    }
}

/// What the program is when it begins: the leader of a session, with no signal blocked or ignored.
struct Attributes(libc::posix_spawnattr_t);

impl Attributes {
    fn new() -> io::Result<Self> {
        /// `POSIX_SPAWN_SETSID` of every library on Linux.
        const SESSION: c_int = 0x80;
        let flags = libc::POSIX_SPAWN_SETSIGDEF | libc::POSIX_SPAWN_SETSIGMASK | SESSION;
        let mut attributes = MaybeUninit::uninit();
        let mut signals = MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: each call initialises what it is given, or fails; what is set is initialised.
        unsafe {
            check(libc::posix_spawnattr_init(attributes.as_mut_ptr()))?;
            let mut own = Self(attributes.assume_init());
            let attributes = &raw mut own.0;
            check(libc::posix_spawnattr_setflags(attributes, flags as c_short))?;
            libc::sigfillset(signals.as_mut_ptr());
            check(libc::posix_spawnattr_setsigdefault(attributes, signals.as_ptr()))?;
            libc::sigemptyset(signals.as_mut_ptr());
            check(libc::posix_spawnattr_setsigmask(attributes, signals.as_ptr()))?;
            Ok(own)
        }
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: initialised by `new`.
        unsafe { libc::posix_spawnattr_destroy(&raw mut self.0) };
    }
}

/// These calls give the error itself.
fn check(error: c_int) -> io::Result<()> {
    if error == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(error)) }
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    Ok(CString::new(text.as_bytes())?)
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]).collect()
}

/// The file of the program, looked for as portable-pty does it: a name beginning with a dot from where it begins, any
/// other along its own PATH.
fn find(program: &Program<'_>) -> Option<PathBuf> {
    let name = Path::new(program.words.first()?);
    let runs = |path: &PathBuf| access(path, Access::EXEC_OK).is_ok() && !path.is_dir();
    if name.is_absolute() || name.starts_with(".") || name.starts_with("..") {
        return Some(program.directory.join(name)).filter(runs);
    }
    let places = program.environment.get(OsStr::new("PATH"))?;
    std::env::split_paths(places).map(|place| program.directory.join(place).join(name)).find(runs)
}

/// A program that was started here.
#[derive(Debug)]
pub(super) struct Spawned {
    pid: Pid,
    ended: Option<ExitStatus>,
}

impl Spawned {
    fn await_end(&mut self, options: WaitOptions) -> io::Result<Option<ExitStatus>> {
        if self.ended.is_none() {
            let ended = rustix::io::retry_on_intr(|| waitpid(Some(self.pid), options))?;
            self.ended = ended.map(|(_, status)| std::process::ExitStatus::from_raw(status.as_raw()).into());
        }
        Ok(self.ended.clone())
    }
}

impl Child for Spawned {
    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.await_end(WaitOptions::NOHANG)
    }

    fn wait(&mut self) -> io::Result<ExitStatus> {
        self.await_end(WaitOptions::empty())?.ok_or_else(|| io::ErrorKind::WouldBlock.into())
    }

    fn process_id(&self) -> Option<u32> {
        u32::try_from(self.pid.as_raw_nonzero().get()).ok()
    }
}

impl ChildKiller for Spawned {
    fn kill(&mut self) -> io::Result<()> {
        // A number that was waited for is somebody else's.
        if self.ended.is_some() { Ok(()) } else { Ok(kill_process(self.pid, Signal::HUP)?) }
    }

    fn clone_killer(&self) -> Box<dyn ChildKiller + Send + Sync> {
        Box::new(Self { pid: self.pid, ended: self.ended.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(words: &[&str], directory: &str, path: &str) -> Option<PathBuf> {
        let words: Vec<OsString> = words.iter().map(Into::into).collect();
        let environment = BTreeMap::from([("PATH".into(), path.into())]);
        let program =
            Program { words: &words, directory: Path::new(directory), environment: &environment, terminal: c"" };
        find(&program)
    }

    #[test]
    fn a_program_is_looked_for_where_it_begins_and_along_its_own_path() {
        assert_eq!(found(&["sh"], "/", "/none:/bin"), Some("/bin/sh".into()));
        assert_eq!(found(&["sh"], "/", "bin"), Some("/bin/sh".into()));
        assert_eq!(found(&["./sh"], "/bin", "/none"), Some("/bin/./sh".into()));
        assert_eq!(found(&["/bin/sh"], "/none", ""), Some("/bin/sh".into()));
        for absent in ["no-such-program", "./no-such-program", "/bin", ".", "/etc/passwd"] {
            assert_eq!(found(&[absent], "/", "/bin"), None, "{absent}");
        }
    }
}
