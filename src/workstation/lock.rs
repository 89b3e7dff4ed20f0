//! One workstation per project, recognised by identity and never by a process number alone.
//!
//! The running workstation holds an exclusive `flock` on its lock file for life; the kernel gives it back
//! however the process ends, so what the file says of a dead one is never believed. Only the holder removes a
//! stale socket and binds the new one. Lock files stay when their holder ends: removing one would let two
//! processes hold "the" lock on two files of one name.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::base::Process;

/// How long to go on trying while only lookers (shared locks, held for microseconds) are in the way.
const PATIENCE: Duration = Duration::from_secs(2);

/// Who a workstation is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Its process number.
    pub pid: i32,
    /// When the process started, in the kernel's ticks since boot; 0 where the system does not say.
    pub start_time: u64,
    /// A random name of this very run.
    pub instance: String,
    /// The program's version.
    pub version: String,
    /// The version of the protocol that it speaks.
    #[serde(default)]
    pub protocol: u32,
}

impl Identity {
    /// This process, as a new run.
    fn own() -> Self {
        let pid = rustix::process::getpid().as_raw_nonzero().get();
        let instance = format!("{:016x}", random());
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { pid, start_time: start_time(pid), instance, version, protocol: crate::protocol::VERSION }
    }

    /// Asks the process to end in order (SIGTERM), if it is still the one that was meant. To be called while the
    /// lock is known to be held.
    ///
    /// # Errors
    /// When there is no such process any more, or it belongs to somebody else.
    pub fn terminate(&self) -> io::Result<()> {
        let gone = || io::Error::from(io::ErrorKind::NotFound);
        let pid = rustix::process::Pid::from_raw(self.pid).ok_or_else(gone)?;
        if start_time(self.pid) != self.start_time {
            return Err(gone());
        }
        Ok(rustix::process::kill_process(pid, rustix::process::Signal::TERM)?)
    }
}

/// Why the lock was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds it.
    #[error("another workstation runs for this project{}", who(.0.as_ref()))]
    Held(Option<Identity>),
    /// A file operation failed.
    #[error("cannot {doing} `{path}`: {source}")]
    File {
        /// What was being done.
        doing: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// The held lock: while it lives, no other process is this project's workstation.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
    identity: Identity,
    crashed: Option<Identity>,
    in_order: bool,
}

impl Lock {
    /// Takes the lock and writes into it who holds it.
    ///
    /// # Errors
    /// [`LockError::Held`] when another process has it, without waiting for it.
    pub fn take(path: &Path) -> Result<Self, LockError> {
        let give_up = Instant::now() + PATIENCE;
        loop {
            let file = open(path)?;
            if !try_lock(&file, FlockOperation::NonBlockingLockExclusive, path)? {
                let only_lookers = try_lock(&file, FlockOperation::NonBlockingLockShared, path)?;
                if !only_lookers || Instant::now() > give_up {
                    return Err(LockError::Held(read(&file)));
                }
                std::thread::yield_now();
                continue;
            }
            if !same_file(&file, path) {
                continue;
            }
            let crashed = read(&file);
            let mut lock = Self { file, path: path.to_owned(), identity: Identity::own(), crashed, in_order: true };
            lock.write().map_err(|source| file_error("write", path, source))?;
            return Ok(lock);
        }
    }

    /// Who holds the lock now, if anybody does. Never waits.
    ///
    /// # Errors
    /// When the file is there and cannot be looked at.
    pub fn peek(path: &Path) -> Result<Option<Holder>, LockError> {
        let file = match look_at(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(file_error("look at", path, source)),
        };
        if try_lock(&file, FlockOperation::NonBlockingLockShared, path)? {
            return Ok(None);
        }
        Ok(Some(Holder { identity: read(&file) }))
    }

    /// Waits until nobody holds the lock; false when the time is over first.
    ///
    /// # Errors
    /// When the file is there and cannot be looked at.
    pub fn wait_released(path: &Path, patience: Duration) -> Result<bool, LockError> {
        let file = match look_at(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            Err(source) => return Err(file_error("look at", path, source)),
        };
        Ok(lock_within(file, FlockOperation::LockShared, patience).is_some())
    }

    /// Who this process is as the holder.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The holder before this one, if it ended without giving the lock back in order.
    #[must_use]
    pub const fn crashed(&self) -> Option<&Identity> {
        self.crashed.as_ref()
    }

    /// The holder ends, but not in order: the next one is to look closely at what it left.
    pub const fn out_of_order(&mut self) {
        self.in_order = false;
    }

    /// Binds the workstation's socket for the owner only. A socket that stands there is stale, since its
    /// workstation would hold this lock.
    ///
    /// # Errors
    /// When the socket cannot be made.
    pub fn bind(&self, socket: &Path) -> Result<UnixListener, LockError> {
        match std::fs::remove_file(socket) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(file_error("remove the stale socket", socket, error));
            }
            _ => {}
        }
        // The directory is private, so nobody else gets in between these two calls.
        let listener = UnixListener::bind(socket).map_err(|error| file_error("bind the socket", socket, error))?;
        std::fs::set_permissions(socket, std::fs::Permissions::from_mode(0o600))
            .map_err(|error| file_error("make private", socket, error))?;
        Ok(listener)
    }

    fn write(&mut self) -> io::Result<()> {
        let text = serde_json::to_vec(&self.identity)?;
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(&text)
    }
}

impl Drop for Lock {
    /// An empty file says that the holder ended in order.
    fn drop(&mut self) {
        if self.in_order && same_file(&self.file, &self.path) {
            let _ = self.file.set_len(0);
        }
    }
}

/// The process that holds the lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// Who it says it is; none in the moment before it has written so.
    pub identity: Option<Identity>,
}

/// The right to start a workstation: whoever holds it is the only one who does, and the others wait.
#[derive(Debug)]
pub struct StartLock(#[allow(dead_code, reason = "held, not read")] File);

impl StartLock {
    /// Waits for the right; none when the time is over first.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn take(path: &Path, patience: Duration) -> Result<Option<Self>, LockError> {
        Ok(lock_within(open(path)?, FlockOperation::LockExclusive, patience).map(Self))
    }
}

/// Takes a lock that may have to be waited for, at most so long. The kernel wakes the waiting thread; one that
/// waits in vain holds nothing and ends with the process or with the lock.
fn lock_within(file: File, operation: FlockOperation, patience: Duration) -> Option<File> {
    let at_once = match operation {
        FlockOperation::LockShared => FlockOperation::NonBlockingLockShared,
        _ => FlockOperation::NonBlockingLockExclusive,
    };
    // Mostly nobody is in the way, and no thread is needed.
    if flock(&file, at_once).is_ok() {
        return Some(file);
    }
    let (sender, receiver) = mpsc::sync_channel(1);
    std::thread::spawn(move || {
        let locked = loop {
            match flock(&file, operation) {
                Err(Errno::INTR) => {}
                other => break other.is_ok(),
            }
        };
        // A failed send means that nobody waits any more: the file closes and the lock with it.
        let _ = sender.send(locked.then_some(file));
    });
    receiver.recv_timeout(patience).ok().flatten()
}

/// Opens the lock file and makes it if it is missing. What is no file of its own, a link above all, is refused: the
/// file it leads to would be overwritten.
fn open(path: &Path) -> Result<File, LockError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    plain(&mut options, path).map_err(|source| file_error("open the lock file", path, source))
}

/// Opens a lock file that is there, for reading.
fn look_at(path: &Path) -> io::Result<File> {
    plain(OpenOptions::new().read(true), path)
}

/// Opens a regular file without following a link and without waiting, as a pipe would.
fn plain(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = options.custom_flags(flags.bits().cast_signed()).open(path).map_err(|error| {
        let link = error.raw_os_error() == Some(Errno::LOOP.raw_os_error());
        if link { io::Error::other("it is a symbolic link; remove it") } else { error }
    })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a regular file; remove it")) }
}

fn try_lock(file: &File, operation: FlockOperation, path: &Path) -> Result<bool, LockError> {
    match flock(file, operation) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(file_error("lock", path, error.into())),
    }
}

/// Whether the open file is still the one that stands at the path.
fn same_file(file: &File, path: &Path) -> bool {
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(open), Ok(named)) => (open.dev(), open.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

fn read(mut file: &File) -> Option<Identity> {
    let mut text = String::new();
    file.rewind().ok()?;
    // A lock file of ours has some 120 bytes; whatever is longer is none.
    file.take(4096).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// When a process started; 0 where the system does not say.
#[must_use]
pub fn start_time(pid: i32) -> u64 {
    u32::try_from(pid).ok().and_then(Process::of).map_or(0, |process| process.start_time)
}

/// A number that differs from run to run: the standard library's keyed hasher draws its keys at random.
fn random() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

fn who(identity: Option<&Identity>) -> String {
    identity.map_or_else(String::new, |i| format!(" (process {}, version {})", i.pid, i.version))
}

fn file_error(doing: &'static str, path: &Path, source: io::Error) -> LockError {
    LockError::File { doing, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.lock");
        (directory, path)
    }

    #[test]
    fn one_holder_at_a_time() {
        let (_directory, path) = place();
        assert_eq!(Lock::peek(&path).unwrap(), None);
        let lock = Lock::take(&path).unwrap();
        assert!(lock.crashed().is_none());
        let Err(LockError::Held(Some(holder))) = Lock::take(&path) else { panic!("taken twice") };
        assert_eq!(&holder, lock.identity());
        assert_eq!(Lock::peek(&path).unwrap().unwrap().identity.unwrap(), holder);
        drop(lock);
        assert_eq!(Lock::peek(&path).unwrap(), None);
        assert!(Lock::take(&path).unwrap().crashed().is_none());
    }

    #[test]
    fn only_a_file_of_its_own_is_a_lock() {
        let (directory, path) = place();
        let other = directory.path().join("precious");
        std::fs::write(&other, "precious").unwrap();
        let refused = |why: &str| {
            for error in [Lock::take(&path).unwrap_err(), Lock::peek(&path).unwrap_err()] {
                let LockError::File { source, .. } = error else { panic!("{error}") };
                assert!(source.to_string().contains(why), "{source}");
            }
        };
        std::os::unix::fs::symlink(&other, &path).unwrap();
        refused("symbolic link");
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "precious");
        // Elsewhere rustix cannot make a pipe with a name.
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{CWD, FileType, Mode, mknodat};
            std::fs::remove_file(&path).unwrap();
            mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
            refused("not a regular file");
        }
    }

    #[test]
    fn a_dead_holder_is_not_believed_but_remembered() {
        let (_directory, path) = place();
        let own = rustix::process::getpid().as_raw_nonzero().get();
        // The number is alive: it is ours. Still nobody holds the lock.
        let left = Identity { pid: own, start_time: 1, instance: "x".into(), version: "0".into(), protocol: 1 };
        std::fs::write(&path, serde_json::to_vec(&left).unwrap()).unwrap();
        assert_eq!(Lock::peek(&path).unwrap(), None);
        assert_eq!(Lock::take(&path).unwrap().crashed(), Some(&left));
    }

    #[test]
    fn lookers_do_not_keep_a_holder_out() {
        let (_directory, path) = place();
        drop(open(&path).unwrap());
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                        let _ = Lock::peek(&path);
                        std::thread::yield_now();
                    }
                });
            }
            for _ in 0..50 {
                drop(Lock::take(&path).unwrap());
            }
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
    }

    #[test]
    fn waiting_ends_when_the_lock_is_given_back_or_the_time_is_over() {
        let (_directory, path) = place();
        assert!(Lock::wait_released(&path, Duration::ZERO).unwrap());
        let lock = Lock::take(&path).unwrap();
        assert!(!Lock::wait_released(&path, Duration::from_millis(1)).unwrap());
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| Lock::wait_released(&path, Duration::from_secs(20)).unwrap());
            drop(lock);
            assert!(waiter.join().unwrap());
        });
    }

    #[test]
    fn only_one_may_start() {
        let (_directory, path) = place();
        let right = StartLock::take(&path, Duration::from_secs(20)).unwrap().unwrap();
        assert!(StartLock::take(&path, Duration::from_millis(1)).unwrap().is_none());
        drop(right);
        assert!(StartLock::take(&path, Duration::from_secs(20)).unwrap().is_some());
    }

    #[test]
    fn a_stale_socket_is_replaced_by_a_private_one() {
        let (directory, path) = place();
        let socket = directory.path().join("x.sock");
        drop(UnixListener::bind(&socket).unwrap());
        let lock = Lock::take(&path).unwrap();
        let _listener = lock.bind(&socket).unwrap();
        assert_eq!(std::fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        std::os::unix::net::UnixStream::connect(&socket).unwrap();
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_has_started_at_some_time() {
        assert_ne!(start_time(rustix::process::getpid().as_raw_nonzero().get()), 0);
    }
}
