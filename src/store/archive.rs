//! The state of a project in one file (tar): a manifest, then a copy of the database as of one moment.
//!
//! What is brought in is checked whole before anything is written: only the members that the manifest names, plain
//! files with plain names, of the size and hash that it says, and a database with exactly our tables. What the person
//! trusted or allowed for good where it was exported does not come along: it is asked for again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tar::{Archive, EntryType, Header};
use tempfile::NamedTempFile;

use super::error::{Fault, StoreError};
use super::{file, schema};

/// The version of the file's form.
const FORMAT: u32 = 1;
const MANIFEST: &str = "manifest.json";
/// Bytes that a manifest may have.
const MANIFEST_BYTES: u64 = 256 * 1024;
const DATABASE: &str = "paralane.db";
/// Bytes that a database may have here: more than any project comes to.
const DATABASE_BYTES: u64 = 64 << 30;
/// Bytes copied at once.
const CHUNK: usize = 256 * 1024;

/// One member, as the manifest says it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// SHA-256, hexadecimal.
    pub sha256: String,
    /// Bytes.
    pub bytes: u64,
}

/// Where a project stands: its base checkout, and where its worktrees go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Whereabouts {
    /// The base checkout's root.
    pub root: PathBuf,
    /// Where worktrees go.
    pub worktrees: PathBuf,
}

/// What a file of state says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the file's form.
    pub format: u32,
    /// The version of the database's tables.
    pub schema: i64,
    /// The version of the program that wrote it.
    pub program: String,
    /// When.
    pub exported: Timestamp,
    /// The project's name.
    pub project: String,
    /// Where it stood.
    pub place: Whereabouts,
    /// The other members.
    pub files: BTreeMap<String, Member>,
}

/// A file of state that cannot be made or brought in. Nothing was changed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the message of each variant says what its fields mean")]
pub enum ArchiveError {
    #[error("`{path}` is there already")]
    Exists { path: PathBuf },
    #[error("cannot {doing} `{path}`: {source}")]
    File { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("`{path}` is no file of Paralane's state: {why}")]
    Foreign { path: PathBuf, why: String },
    #[error(
        "`{path}` was written by a newer Paralane ({program}): its {what} is {found}, and this one knows up to {known}"
    )]
    Newer { path: PathBuf, program: String, what: &'static str, found: i64, known: i64 },
    #[error("`{path}` is refused: its member `{member}` {why}")]
    Member { path: PathBuf, member: String, why: String },
    #[error("there is no state of this project yet: `{path}` is missing")]
    NoState { path: PathBuf },
    #[error("this project has state already: {what} in `{path}`")]
    NotEmpty { path: PathBuf, what: String },
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// Writes the state into a new file.
///
/// # Errors
/// When there is no state, the file exists already, or one of them cannot be read or written.
pub fn export(
    store: &Path,
    out: &Path,
    project: &str,
    program: &str,
    place: Whereabouts,
    now: Timestamp,
) -> Result<Manifest, ArchiveError> {
    let write = |source| file_error("write", out, own_words(source));
    if out.symlink_metadata().is_ok() {
        return Err(ArchiveError::Exists { path: out.to_owned() });
    }
    if store.metadata().map_or(0, |facts| facts.len()) == 0 {
        return Err(ArchiveError::NoState { path: store.to_owned() });
    }
    let directory = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut tar = tempfile::Builder::new().prefix(".paralane-").tempfile_in(directory).map_err(write)?;
    // Beside the file that is written: there has to be room for it anyway.
    let mut copy = tempfile::Builder::new().prefix(".paralane-").tempfile_in(directory).map_err(write)?;
    let schema = file::copy(store, copy.path()).map_err(|error| match error {
        StoreError::File { source, .. } => write(source),
        other => other.into(),
    })?;
    let member = digest(copy.as_file_mut()).map_err(write)?;
    let manifest = Manifest {
        format: FORMAT,
        schema,
        program: program.to_owned(),
        exported: now,
        project: project.to_owned(),
        place,
        files: BTreeMap::from([(DATABASE.to_owned(), member)]),
    };
    let text = serde_json::to_vec_pretty(&manifest).map_err(|error| write(error.into()))?;
    let mut fill = || -> io::Result<()> {
        let mut builder = tar::Builder::new(tar.as_file_mut());
        append(&mut builder, MANIFEST, text.len() as u64, now, text.as_slice())?;
        copy.as_file_mut().seek(SeekFrom::Start(0))?;
        append(&mut builder, DATABASE, manifest.files[DATABASE].bytes, now, copy.as_file_mut())?;
        builder.into_inner()?.sync_all()
    };
    fill().map_err(write)?;
    tar.persist_noclobber(out).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => ArchiveError::Exists { path: out.to_owned() },
        _ => write(error.error),
    })?;
    Ok(manifest)
}

fn append<W: Write>(
    builder: &mut tar::Builder<W>,
    name: &str,
    bytes: u64,
    at: Timestamp,
    from: impl Read,
) -> io::Result<()> {
    let mut header = Header::new_ustar();
    header.set_path(name)?;
    header.set_size(bytes);
    header.set_mode(0o600);
    header.set_mtime(at.as_second().max(0) as u64);
    header.set_cksum();
    builder.append(&header, from)
}

/// Size and hash of all that is in a file.
fn digest(file: &mut File) -> io::Result<Member> {
    file.seek(SeekFrom::Start(0))?;
    copy_hashed(file, &mut io::sink(), u64::MAX)
}

/// Copies at most `most` bytes and one more, so that too many can be told.
fn copy_hashed(from: &mut impl Read, to: &mut impl Write, most: u64) -> io::Result<Member> {
    let (mut hash, mut bytes, mut chunk) = (Sha256::new(), 0_u64, vec![0; CHUNK]);
    loop {
        match from.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => {
                bytes += count as u64;
                if bytes > most {
                    break;
                }
                hash.update(&chunk[..count]);
                to.write_all(&chunk[..count])?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let sha256 = hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    });
    Ok(Member { sha256, bytes })
}

/// Checks a file whole: its form, its members and their hashes. Nothing is written.
///
/// # Errors
/// What is wrong with it.
pub fn check(path: &Path) -> Result<Manifest, ArchiveError> {
    read(path, None)
}

/// Reads a file whole and checks all of it; the database goes into `to`, if that is given.
fn read(path: &Path, mut to: Option<&mut File>) -> Result<Manifest, ArchiveError> {
    let unreadable = |source| file_error("read", path, source);
    let foreign = |why: &str| ArchiveError::Foreign { path: path.to_owned(), why: why.to_owned() };
    let broken = |error: io::Error| foreign(&format!("it cannot be read as a tar file ({error})"));
    let refused = |member: &str, why: &str| ArchiveError::Member {
        path: path.to_owned(),
        member: crate::base::visible(member).into_owned(),
        why: why.to_owned(),
    };
    let facts = path.metadata().map_err(unreadable)?;
    if !facts.is_file() {
        return Err(foreign("it is not a plain file"));
    }
    let mut archive = Archive::new(File::open(path).map_err(unreadable)?);
    let mut manifest: Option<Manifest> = None;
    let mut seen: Vec<String> = Vec::new();
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        match entry.header().entry_type() {
            EntryType::Regular => {}
            EntryType::Symlink | EntryType::Link => return Err(refused(&name, "is a link")),
            EntryType::Directory => return Err(refused(&name, "is a directory")),
            EntryType::Char | EntryType::Block | EntryType::Fifo => return Err(refused(&name, "is a device")),
            _ => return Err(refused(&name, "is not a plain file")),
        }
        if name.starts_with('/') || name.split('/').any(|part| part == "..") {
            return Err(refused(&name, "would be written outside of the state directory"));
        }
        if seen.contains(&name) {
            return Err(refused(&name, "is there twice"));
        }
        seen.push(name.clone());
        let Some(manifest) = &manifest else {
            if name != MANIFEST {
                return Err(foreign(&format!(
                    "it begins with `{}` and not with `{MANIFEST}`",
                    crate::base::visible(&name)
                )));
            }
            if entry.size() > MANIFEST_BYTES {
                return Err(refused(&name, &format!("has more than {MANIFEST_BYTES} bytes")));
            }
            let mut text = Vec::new();
            entry.read_to_end(&mut text).map_err(broken)?;
            manifest = Some(parse(path, &text)?);
            continue;
        };
        let Some(wanted) = manifest.files.get(&name) else {
            return Err(refused(&name, "does not stand in the manifest"));
        };
        if entry.size() != wanted.bytes {
            let why = format!("has {} bytes, and the manifest says {}", entry.size(), wanted.bytes);
            return Err(refused(&name, &why));
        }
        let found = match &mut to {
            Some(file) => copy_hashed(&mut entry, *file, wanted.bytes),
            None => copy_hashed(&mut entry, &mut io::sink(), wanted.bytes),
        };
        let found = found.map_err(broken)?;
        if found.bytes != wanted.bytes {
            return Err(refused(&name, &format!("ends after {} of {} bytes", found.bytes, wanted.bytes)));
        }
        if found.sha256 != wanted.sha256 {
            return Err(refused(&name, "is not what was exported: its hash is another one"));
        }
    }
    let manifest = manifest.ok_or_else(|| foreign("it is empty"))?;
    match manifest.files.keys().find(|name| !seen.contains(name)) {
        Some(missing) => Err(refused(missing, "stands in the manifest and is not there")),
        None => Ok(manifest),
    }
}

fn parse(path: &Path, text: &[u8]) -> Result<Manifest, ArchiveError> {
    /// What every version of the form has.
    #[derive(Deserialize)]
    struct Head {
        format: u32,
        #[serde(default)]
        program: String,
    }
    let foreign = |why: String| ArchiveError::Foreign { path: path.to_owned(), why };
    let unreadable = |error: serde_json::Error| foreign(format!("its manifest cannot be read ({error})"));
    let newer = |what, found, known, program: &str| ArchiveError::Newer {
        path: path.to_owned(),
        program: crate::base::visible(program).into_owned(),
        what,
        found,
        known,
    };
    let head: Head = serde_json::from_slice(text).map_err(unreadable)?;
    if head.format > FORMAT {
        return Err(newer("form", head.format.into(), FORMAT.into(), &head.program));
    }
    let manifest: Manifest = serde_json::from_slice(text).map_err(unreadable)?;
    if manifest.schema > schema::CURRENT {
        return Err(newer("schema", manifest.schema, schema::CURRENT, &manifest.program));
    }
    match manifest.files.iter().next() {
        Some((name, member)) if manifest.files.len() == 1 && name == DATABASE => {
            if member.bytes > DATABASE_BYTES {
                return Err(foreign(format!("its database has more than {DATABASE_BYTES} bytes")));
            }
            Ok(manifest)
        }
        _ => Err(foreign(format!("its manifest does not name `{DATABASE}` and nothing else"))),
    }
}

/// Brings a checked file in as this project's state. The caller sees to it that no workstation runs or starts.
///
/// # Errors
/// When the project has state already, or anything is wrong with the file; nothing was changed then.
pub fn import(path: &Path, store: &Path, here: &Whereabouts) -> Result<Manifest, ArchiveError> {
    // The whole of it, before anything is written anywhere.
    check(path)?;
    if let Some(what) = file::read(store, |db| holds(db, store))?.flatten() {
        return Err(ArchiveError::NotEmpty { path: store.to_owned(), what });
    }
    file::directory_of(store)?;
    let directory = store.parent().unwrap_or(Path::new("."));
    let write = |source| file_error("write", store, own_words(source));
    let mut new = NamedTempFile::with_prefix_in(".import-", directory).map_err(write)?;
    let manifest = read(path, Some(new.as_file_mut()))?;
    fit(path, new.path(), &manifest, here)?;
    new.as_file().sync_all().map_err(write)?;
    // A log that belongs to no database any more would be taken for the new one's.
    file::forget_logs(store)?;
    new.persist(store).map_err(|error| write(error.error))?;
    File::open(directory).and_then(|directory| directory.sync_all()).map_err(write)?;
    Ok(manifest)
}

/// What a database holds that would be lost, in words.
fn holds(db: &Connection, path: &Path) -> Result<Option<String>, Fault> {
    if schema::version(db, path)? == 0 {
        return Ok(None);
    }
    for (table, word) in [("lanes", "lanes"), ("prompts", "prompts"), ("facts", "facts")] {
        let count: i64 = db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
        if count > 0 {
            return Ok(Some(format!("{count} {word}")));
        }
    }
    Ok(None)
}

/// Checks that the database is one of ours, and makes it one of this place.
fn fit(path: &Path, database: &Path, manifest: &Manifest, here: &Whereabouts) -> Result<(), ArchiveError> {
    let member = |why: String| ArchiveError::Member { path: path.to_owned(), member: DATABASE.to_owned(), why };
    let broken =
        |fault: Fault| member(format!("is no database of Paralane: {}", fault.on(Path::new(DATABASE), "read")));
    let version = file::read(database, |db| {
        let version = schema::version(db, Path::new(DATABASE))?;
        schema::check(db, Path::new(DATABASE))?;
        Ok(version)
    });
    let version = version.map_err(|error| member(format!("is no database of Paralane: {error}")))?.unwrap_or(0);
    if version != manifest.schema {
        return Err(member(format!("has schema {version}, and the manifest says {}", manifest.schema)));
    }
    let adapt = || -> Result<bool, Fault> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut db = Connection::open_with_flags(database, flags)?;
        db.execute_batch("PRAGMA journal_mode = MEMORY; PRAGMA trusted_schema = OFF;")?;
        schema::migrate(&mut db, version)?;
        let mut ours = Connection::open_in_memory()?;
        schema::migrate(&mut ours, 0)?;
        if tables(&db)? != tables(&ours)? {
            return Ok(false);
        }
        let moved = "UPDATE lanes SET directory = ?2 || substr(directory, length(?1) + 1)
                     WHERE directory = ?1 OR substr(directory, 1, length(?1) + 1) = ?1 || '/'";
        for (from, to) in [(&manifest.place.worktrees, &here.worktrees), (&manifest.place.root, &here.root)] {
            db.execute(moved, [from.to_string_lossy(), to.to_string_lossy()])?;
        }
        db.execute_batch("DELETE FROM trusted; DELETE FROM remembered;")?;
        Ok(true)
    };
    if adapt().map_err(broken)? { Ok(()) } else { Err(member("has other tables than Paralane's".to_owned())) }
}

/// Everything that a database is made of.
fn tables(db: &Connection) -> Result<Vec<(String, String, String)>, rusqlite::Error> {
    let sql = "SELECT type, name, ifnull(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY 1, 2";
    super::load::rows(db, sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}

/// An error without the name of a file that exists only meanwhile: nobody has ever seen that.
fn own_words(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.rsplit_once(" at path \"") {
        Some((words, _)) => io::Error::new(error.kind(), words.to_owned()),
        None => error,
    }
}

fn file_error(doing: &'static str, path: &Path, source: io::Error) -> ArchiveError {
    ArchiveError::File { doing, path: path.to_owned(), source }
}
