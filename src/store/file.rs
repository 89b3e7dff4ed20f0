//! The database as files: who may read them, and how connections to them are opened.
//!
//! Three files belong together: the database, `-wal` (what was committed since the last checkpoint)
//! and `-shm` (the index of that log). They hold prompts and transcripts, so only their owner may read them.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, FileExt as _, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::error::{Fault, StoreError};
use super::schema;
use crate::base::failpoint;

/// How long a connection waits for another one's short exclusive moments: recovery and the last close.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Files up to this size are read whole for broken pages before a workstation writes to them, if the one before did
/// not end in order: a second or two. In larger ones a broken page is only noticed when it is met.
const CHECKED_WHOLE: u64 = 512 << 20;

/// The name of a file beside the database: `-wal`, `-shm`, `-journal`.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// What an opened database holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contents {
    /// It has just been made.
    Nothing,
    /// To be read.
    Unknown,
}

/// An opened database.
pub(super) struct Opened {
    pub connection: Connection,
    pub contents: Contents,
    /// It has just been made: nothing may be acknowledged before this is over.
    pub syncing: Option<Syncing>,
}

/// A new database on its way to the disk. Until it is there it has a second name, by which the next start would know
/// that it was cut short; the disk has forgotten that name when this is over.
#[derive(Debug)]
pub(super) struct Syncing {
    thread: JoinHandle<Result<(), StoreError>>,
}

impl Syncing {
    fn start(image: fs::File, path: &Path) -> Result<Self, StoreError> {
        let at = path.to_owned();
        let sync = move || {
            let synced = image.sync_all().and_then(|()| fs::remove_file(beside(&at, "-new")));
            synced.map_err(|source| file_error("create the store", &at, source))?;
            sync_directory(&at)
        };
        let thread = std::thread::Builder::new().name("store-sync".to_owned()).spawn(sync);
        let thread = thread.map_err(|source| file_error("start syncing the store", path, source))?;
        Ok(Self { thread })
    }

    /// Waits until it is over.
    pub fn wait(self) -> Result<(), StoreError> {
        // A panic was told when it happened; what it leaves is no store to build on.
        self.thread.join().unwrap_or(Err(StoreError::Unfounded))
    }
}

/// Opens the database for the one writer; makes or migrates it first if needed.
///
/// What stands there is judged through a connection that cannot write, so that a file which is refused stays
/// byte for byte what it was. All of it is read for that unless its last writer has `closed` it in order: then there is
/// no log, and nothing has been under way to any page.
pub(super) fn open_writer(path: &Path, closed: bool) -> Result<Opened, StoreError> {
    directory_of(path)?;
    if is_new(path)? || is_unfinished(path) {
        return open_new(path);
    }
    let unsure = names_are_unsure(path);
    if unsure {
        sync_directory(path)?;
    }
    let size = fs::metadata(path).map_or(0, |facts| facts.len());
    let judge = |connection: &Connection| {
        let version = schema::version(connection, path)?;
        if (unsure || !closed) && size <= CHECKED_WHOLE {
            schema::check(connection, path)?;
        }
        Ok(version)
    };
    let version = read(path, judge)?.unwrap_or(0);
    Ok(Opened { connection: connect_writer(path, version, false)?, contents: Contents::Unknown, syncing: None })
}

/// Makes a database and opens it, while the disk takes in what it holds.
fn open_new(path: &Path) -> Result<Opened, StoreError> {
    let image = begin_new(path)?;
    let new = beside(path, "-new");
    let syncing = if fs::hard_link(&new, path).is_ok() {
        Some(Syncing::start(image, path)?)
    } else {
        // Some file systems have no second names: then it gets its own once it is on the disk.
        let named = image.sync_all().and_then(|()| fs::rename(&new, path));
        named.map_err(|source| file_error("create the store", path, source))?;
        None
    };
    match connect_writer(path, schema::EMPTY_VERSION, true) {
        Ok(connection) => Ok(Opened { connection, contents: Contents::Nothing, syncing }),
        Err(error) => {
            // What is tried next must not meet it.
            let _ = syncing.map(Syncing::wait);
            Err(error)
        }
    }
}

fn connect_writer(path: &Path, version: i64, new: bool) -> Result<Connection, StoreError> {
    let failed = |fault: Fault| fault.on(path, "open");
    let mut connection = open_to_write(path).map_err(|error| failed(error.into()))?;
    set_up_writer(&connection, path, new)?;
    schema::migrate(&mut connection, version).map_err(failed)?;
    for file in [path.to_owned(), beside(path, "-wal"), beside(path, "-shm")] {
        close_to_others(&file)?;
    }
    Ok(connection)
}

fn open_to_write(path: &Path) -> Result<Connection, rusqlite::Error> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

/// Whether nothing is at the path yet, or an empty file.
pub(super) fn is_new(path: &Path) -> Result<bool, StoreError> {
    match fs::metadata(path) {
        Ok(facts) => Ok(facts.len() == 0),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(source) => Err(StoreError::File { doing: "read", path: path.to_owned(), source }),
    }
}

/// Whether what stands at the path was being made when its maker died: nothing in it was acknowledged.
pub(super) fn is_unfinished(path: &Path) -> bool {
    let maker = identity(&beside(path, "-new"));
    maker.is_some() && maker == identity(path)
}

/// Whether the last writer may have died before the disk knew the names of its files: then its log is there.
fn names_are_unsure(path: &Path) -> bool {
    beside(path, "-wal").exists()
}

fn sync_directory(path: &Path) -> Result<(), StoreError> {
    let Some(directory) = path.parent().filter(|directory| !directory.as_os_str().is_empty()) else { return Ok(()) };
    let synced = fs::File::open(directory).and_then(|directory| directory.sync_all());
    synced.map_err(|source| file_error("sync the directory", directory, source))
}

/// Makes an empty database beside the path: it needs no log and no syncs but one.
///
/// What the directory says of its log is synced together with the first commit: SQLite does that when it makes it.
/// A later opening that finds a log syncs the directory before anything else.
fn begin_new(path: &Path) -> Result<fs::File, StoreError> {
    let new = beside(path, "-new");
    // A log without a database belongs to none; SQLite would remove it as well.
    for left_over in ["-new", "-wal", "-shm", "-journal", ""] {
        match fs::remove_file(beside(path, left_over)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(file_error("make room for the store", &new, error));
            }
            _ => {}
        }
    }
    let fill = || -> io::Result<fs::File> {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
        file.write_all(schema::EMPTY)?;
        failpoint("store-half-made");
        Ok(file)
    };
    fill().map_err(|source| file_error("create the store", path, source))
}

/// Bytes that the log has from its first commits on: a little more than SQLite lets stand in it before it moves them
/// into the database and begins anew (1,000 pages).
pub(super) const LOG: u64 = 1_100 * 4_120;

/// Gives the log its usual size at once, in zeros, which no reader takes for a commit. A commit then waits for its own
/// bytes alone: in a file that grows it waits for the file system's journal too, and so for whatever others write.
///
/// To be called between commits, on the thread that makes them.
pub(super) fn extend_log(path: &Path) -> io::Result<()> {
    let log = OpenOptions::new().write(true).open(beside(path, "-wal"))?;
    let zeros = vec![0; 64 * 1024];
    let mut size = log.metadata()?.len();
    while size < LOG {
        let piece = zeros.get(..(LOG - size).min(zeros.len() as u64) as usize).unwrap_or_default();
        log.write_all_at(piece, size)?;
        size += piece.len() as u64;
    }
    log.sync_all()
}

/// Settings of the writer's connection.
///
/// `synchronous = FULL` syncs the log at each commit. `NORMAL` would be enough against `kill -9` but may lose the
/// last moments when the power fails. The sync costs about 0.2 ms on a fast disk, happens on the writer's own
/// thread, and waiting batches share one, so the safer one is affordable.
///
/// The log of a `new` store is begun without a sync: the first commit then syncs once instead of twice before it is
/// acknowledged. A log whose beginning the disk lost is none, and nothing in it was acknowledged.
fn set_up_writer(connection: &Connection, path: &Path, new: bool) -> Result<(), StoreError> {
    let set = || -> Result<String, rusqlite::Error> {
        connection.busy_timeout(PATIENCE)?;
        let journal: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
        if new {
            connection.execute_batch("PRAGMA synchronous = OFF;")?;
            connection.pragma_update(None, "user_version", schema::EMPTY_VERSION)?;
        }
        connection.execute_batch(
            "PRAGMA synchronous = FULL;
             PRAGMA foreign_keys = ON;
             PRAGMA trusted_schema = OFF;
             PRAGMA temp_store = MEMORY;
             PRAGMA journal_size_limit = 8388608;",
        )?;
        // Every statement of the writer stays prepared.
        connection.set_prepared_statement_cache_capacity(128);
        Ok(journal)
    };
    match set() {
        Ok(journal) if journal == "wal" => Ok(()),
        Ok(_) => Err(StoreError::NoWal { path: path.to_owned() }),
        Err(error) => Err(Fault::from(error).on(path, "open")),
    }
}

/// Reads through a connection that cannot write. `None` if there is no database, or an empty file.
///
/// Without a log beside it, nobody writes, and the file is opened as unchangeable: SQLite then makes no `-wal` and
/// `-shm` of its own, and a read-only directory is fine. If a workstation started meanwhile, what was read may be
/// torn, and is read again in the ordinary way.
pub(super) fn read<T>(path: &Path, query: impl Fn(&Connection) -> Result<T, Fault>) -> Result<Option<T>, StoreError> {
    let Some(before) = at_rest(path)? else { return read_with(path, "", query).map(Some) };
    if before.size == 0 {
        return Ok(None);
    }
    let found = read_with(path, "?immutable=1", &query);
    if at_rest(path)?.as_ref() == Some(&before) { found.map(Some) } else { read_with(path, "", query).map(Some) }
}

fn read_with<T>(
    path: &Path,
    parameters: &str,
    query: impl Fn(&Connection) -> Result<T, Fault>,
) -> Result<T, StoreError> {
    let run = || -> Result<T, Fault> {
        let connection = reader(path, parameters)?;
        // One transaction: every query of one reader sees the same moment.
        let moment = connection.unchecked_transaction()?;
        query(&moment)
    };
    run().map_err(|fault| fault.on(path, "read"))
}

/// Copies a database as of one moment into the empty file `to`, also while a workstation writes; gives its version.
pub(super) fn copy(path: &Path, to: &Path) -> Result<i64, StoreError> {
    let run = |parameters: &str| -> Result<i64, Fault> {
        let connection = reader(path, parameters)?;
        let version = schema::version(&connection, path)?;
        connection.execute("VACUUM INTO ?1", [to.to_string_lossy()])?;
        Ok(version)
    };
    let Some(before) = at_rest(path)? else { return run("").map_err(|fault| fault.on(path, "copy")) };
    let copied = run("?immutable=1");
    if at_rest(path)?.as_ref() == Some(&before) {
        return copied.map_err(|fault| fault.on(path, "copy"));
    }
    // A workstation has started meanwhile: what was copied may be torn.
    fs::write(to, b"").map_err(|source| file_error("write", to, source))?;
    run("").map_err(|fault| fault.on(path, "copy"))
}

/// Removes the logs beside a database that is about to be replaced.
pub(super) fn forget_logs(path: &Path) -> Result<(), StoreError> {
    for log in ["-wal", "-shm", "-journal"].map(|suffix| beside(path, suffix)) {
        match fs::remove_file(&log) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(file_error("remove", &log, error)),
            _ => {}
        }
    }
    Ok(())
}

/// A connection that cannot write, to a database that is open for writing elsewhere.
pub(super) fn open_reader(path: &Path) -> Result<Connection, rusqlite::Error> {
    reader(path, "")
}

/// The same, to be kept: with little memory of its own.
pub(super) fn open_kept(path: &Path) -> Result<Connection, Fault> {
    let connection = reader(path, "")?;
    schema::version(&connection, path)?;
    connection.execute_batch("PRAGMA cache_size = -512;")?;
    connection.set_prepared_statement_cache_capacity(16);
    Ok(connection)
}

fn reader(path: &Path, parameters: &str) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(uri(path) + parameters, flags)?;
    connection.busy_timeout(PATIENCE)?;
    Ok(connection)
}

/// Which file stands at a path: device and inode. `None` if none does.
pub(super) fn identity(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|facts| (facts.dev(), facts.ino()))
}

/// A file that nobody has open for writing, as far as can be seen from outside.
#[derive(PartialEq, Eq)]
struct AtRest {
    size: u64,
    inode: u64,
    changed: (i64, i64),
}

/// What the file is like at rest; `None` if a log or journal stands beside it. A missing file has size 0.
fn at_rest(path: &Path) -> Result<Option<AtRest>, StoreError> {
    let exists = |suffix| beside(path, suffix).try_exists();
    let look = || -> io::Result<Option<AtRest>> {
        let rest = match fs::metadata(path) {
            Ok(facts) => AtRest { size: facts.len(), inode: facts.ino(), changed: (facts.mtime(), facts.mtime_nsec()) },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Some(AtRest { size: 0, inode: 0, changed: (0, 0) }));
            }
            Err(error) => return Err(error),
        };
        Ok((!exists("-wal")? && !exists("-journal")?).then_some(rest))
    };
    look().map_err(|source| StoreError::File { doing: "read", path: path.to_owned(), source })
}

/// The path as SQLite's `file:` URI. Bytes that mean something in a URI are escaped.
fn uri(path: &Path) -> String {
    let mut text = String::from("file:");
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for byte in absolute.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(byte) {
            text.push(char::from(*byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

/// Makes the directories that are missing (0700).
pub(super) fn directory_of(path: &Path) -> Result<(), StoreError> {
    let Some(directory) = path.parent().filter(|directory| !directory.as_os_str().is_empty()) else { return Ok(()) };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(|source| file_error("create the directory", directory, source))
}

/// Takes group's and others' permissions from a file, if it is there and has any.
pub(super) fn close_to_others(path: &Path) -> Result<(), StoreError> {
    match fs::metadata(path) {
        Ok(facts) if facts.permissions().mode() & 0o077 != 0 => {
            fs::set_permissions(path, Permissions::from_mode(0o600))
                .map_err(|source| file_error("make private", path, source))
        }
        _ => Ok(()),
    }
}

pub(super) fn file_error(doing: &'static str, path: &Path, source: io::Error) -> StoreError {
    if source.kind() == io::ErrorKind::StorageFull {
        return StoreError::DiskFull { path: path.to_owned(), doing: "create" };
    }
    StoreError::File { doing, path: path.to_owned(), source }
}
