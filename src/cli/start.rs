//! Starting a workstation as a process of its own, and ending one.
//!
//! The starter spawns its own executable with a hidden first argument and waits for one line on a pipe: `ok`,
//! or the report of what went wrong. The pipe is the child's standard input until the child has moved it
//! away, so that no number of a descriptor has to be agreed on. Of many starters at once one starts and the
//! others wait for it ([`StartLock`]).

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, PipeReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use super::client;
use super::site::{Site, lock_report};
use crate::base::Report;
use crate::git::is_git_variable;
use crate::workstation::home::Home;
use crate::workstation::is_mark;
use crate::workstation::lock::{Identity, Lock, StartLock};

/// The hidden first argument of a workstation process.
pub(super) const WORKSTATION: &str = "__workstation";

/// How long a workstation may take until it answers: migrating a large store is the longest part.
const READY: Duration = Duration::from_secs(20);

/// How long a workstation may take to end: its sessions are asked first and killed later.
const END: Duration = Duration::from_secs(30);

/// Bytes a report on the pipe may have.
const REPORT_LIMIT: u64 = 64 * 1024;

/// A log above this size is put aside at the next start.
const LOG_LIMIT: u64 = 1 << 20;

/// Lines of the log that are shown when a workstation ended without a word.
const LOG_TAIL: usize = 5;

/// Connects to the project's workstation; starts one first if none runs.
///
/// # Errors
/// When it cannot be started; with its own report if it gave one.
pub(super) fn connect_or_start(site: &Site) -> Result<UnixStream, Report> {
    if let Some(stream) = client::connect(site.place.socket())? {
        return Ok(stream);
    }
    let _right = right_to_start(site)?;
    // Somebody else may have started one while this process waited for its turn.
    if let Some(stream) = client::connect(site.place.socket())? {
        return Ok(stream);
    }
    await_former(site)?;
    start(site)?;
    client::connect(site.place.socket())?.ok_or_else(|| silent(site))
}

/// Makes the directories and waits for the right to start this project's workstation.
///
/// # Errors
/// When the state directory cannot be written, or another starter takes too long.
pub(super) fn right_to_start(site: &Site) -> Result<StartLock, Report> {
    site.place.create()?;
    StartLock::take(site.place.start_lock(), READY + END).map_err(|error| lock_report(&error))?.ok_or_else(|| {
        Report::internal("another `paralane` has been starting the workstation for too long")
            .hint(format!("look at the log `{}`, then try again", site.place.log().display()))
    })
}

/// Waits until a workstation that listens no more, but is not gone yet, has ended.
///
/// # Errors
/// When it does not end in time.
pub(super) fn await_former(site: &Site) -> Result<(), Report> {
    if Lock::wait_released(site.place.lock(), END).map_err(|error| lock_report(&error))? {
        return Ok(());
    }
    Err(stuck(site.running()?))
}

/// Starts the workstation and waits until it answers.
fn start(site: &Site) -> Result<(), Report> {
    let failed = |error: io::Error| Report::internal(format!("cannot start the workstation: {error}"));
    let (reader, writer) = io::pipe().map_err(failed)?;
    let log = open_log(&site.place.log())?;
    let mut command = Command::new(own_executable().map_err(failed)?);
    command
        .arg(WORKSTATION)
        .args([site.project.root(), site.home.root()])
        .current_dir("/")
        .stdin(Stdio::from(OwnedFd::from(writer)))
        .stdout(log.try_clone().map_err(failed)?)
        .stderr(log);
    for (name, _) in std::env::vars_os() {
        if is_git_variable(&name) || is_mark(&name) {
            command.env_remove(&name);
        }
    }
    let child = command.spawn().map_err(failed)?;
    // Dropping the command closes this process's copy of the writing end: the pipe ends with the child.
    drop(command);
    drop(child);
    await_ready(reader, site)
}

/// Waits for the one line.
///
/// # Errors
/// The workstation's own report, or that it said nothing.
pub(super) fn await_ready(reader: PipeReader, site: &Site) -> Result<(), Report> {
    let (sender, receiver) = mpsc::sync_channel(1);
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = BufReader::new(reader.take(REPORT_LIMIT)).read_line(&mut line);
        // A failed send means that the deadline has passed.
        let _ = sender.send(read.map(|_| line));
    });
    match receiver.recv_timeout(READY) {
        Ok(Ok(line)) if line == "ok\n" => Ok(()),
        Ok(Ok(line)) => Err(serde_json::from_str(&line).unwrap_or_else(|_| wordless(site))),
        Ok(Err(_)) => Err(wordless(site)),
        Err(_) => Err(Report::internal(format!("the workstation was not ready within {} s", READY.as_secs()))
            .hint(format!("look at the log `{}`, then try again", site.place.log().display()))),
    }
}

/// Ends the running workstation in order and waits until it is gone.
///
/// # Errors
/// When it does not end in time.
pub(super) fn stop(site: &Site, identity: &Identity) -> Result<(), Report> {
    match identity.terminate() {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(Report::refused(format!("cannot end the workstation (process {}): {error}", identity.pid)));
        }
        _ => {}
    }
    await_end(site)
}

/// Waits until the workstation is gone.
///
/// # Errors
/// When it does not end in time.
pub(super) fn await_end(site: &Site) -> Result<(), Report> {
    await_former(site)
}

/// The main function of a workstation process: `paralane __workstation ROOT HOME`, spawned by [`start`].
pub(super) fn workstation_main(arguments: &[OsString]) -> ExitCode {
    let pipe = match take_pipe() {
        Ok(pipe) => pipe,
        Err(error) => return super::output::fail(&Report::internal(format!("cannot start the workstation: {error}"))),
    };
    let Err(report) = run_detached(arguments, &pipe) else { return ExitCode::SUCCESS };
    // Whoever waits reads the report; once the workstation was ready nobody does, and the log has it.
    if let Ok(mut line) = serde_json::to_vec(&report) {
        line.push(b'\n');
        let _ = File::from(pipe).write_all(&line);
    }
    super::output::fail(&report)
}

fn run_detached(arguments: &[OsString], pipe: &OwnedFd) -> Result<(), Report> {
    let [root, home] = arguments else {
        return Err(Report::usage(format!("`{WORKSTATION}` is for Paralane itself")).hint("run `paralane up`"));
    };
    // A session of its own: closing the terminal or losing SSH ends the window, not the work.
    rustix::process::setsid().map_err(|error| {
        Report::internal(format!("cannot leave the terminal's session: {}", io::Error::from(error)))
    })?;
    let ready = pipe.try_clone().map_err(|error| Report::internal(format!("cannot start the workstation: {error}")))?;
    run(Path::new(root), Home::find(Some(Path::new(home)))?, ready, super::Foreground::No)
}

/// Runs the workstation until it ends. It says `ok` on `ready` once it answers.
///
/// # Errors
/// Whatever it could not do, in its words.
pub(super) fn run(root: &Path, home: Home, ready: OwnedFd, foreground: super::Foreground) -> Result<(), Report> {
    raise_descriptor_limit();
    let options = crate::workstation::Options {
        root: root.to_owned(),
        home,
        ready: Some(ready),
        foreground: foreground == super::Foreground::Yes,
    };
    crate::workstation::run(options).map_err(|error| match error.downcast::<Report>() {
        Ok(report) => report,
        Err(error) => Report::internal(format!("{error:#}")),
    })
}

/// Every pane takes four descriptors, and the soft limit that programs are started with is 256 or 1024 on most
/// systems. No more than this many, since programs inherit it and some close all that they could have.
const DESCRIPTORS: u64 = 16_384;

/// Raises the soft limit of open descriptors as far as this user may, up to [`DESCRIPTORS`].
fn raise_descriptor_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(DESCRIPTORS, |hard| hard.min(DESCRIPTORS));
    if limit.current.is_some_and(|soft| soft < wanted) {
        // Refused, the limit stays as it is; a pane that finds no room says so.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum: limit.maximum });
    }
}

/// Moves the pipe from standard input to a descriptor that children do not inherit.
fn take_pipe() -> io::Result<OwnedFd> {
    let pipe = rustix::io::fcntl_dupfd_cloexec(io::stdin(), 3)?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    Ok(pipe)
}

/// This very program, also when the file has been replaced by a newer one meanwhile.
fn own_executable() -> io::Result<PathBuf> {
    let path = std::env::current_exe()?;
    let linked = Path::new("/proc/self/exe");
    Ok(if !path.exists() && linked.exists() { linked.to_owned() } else { path })
}

fn open_log(path: &Path) -> Result<File, Report> {
    let failed = |error: io::Error| {
        Report::refused(format!("cannot write the log `{}`: {error}", path.display()))
            .hint("check that the state directory belongs to you and has room")
    };
    if std::fs::metadata(path).is_ok_and(|facts| facts.len() > LOG_LIMIT) {
        std::fs::rename(path, path.with_extension("old")).map_err(failed)?;
    }
    OpenOptions::new().append(true).create(true).mode(0o600).open(path).map_err(failed)
}

fn wordless(site: &Site) -> Report {
    let log = site.place.log();
    let report = Report::internal("the workstation ended before it was ready");
    match tail(&log) {
        Some(lines) => report.hint(format!("the log `{}` ends with:\n{lines}", log.display())),
        None => report.hint(format!("its log `{}` says nothing", log.display())),
    }
}

fn tail(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines: Vec<_> = text.lines().rev().take(LOG_TAIL).map(|line| format!("    {line}")).collect();
    lines.reverse();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn silent(site: &Site) -> Report {
    Report::internal("the workstation started and ended at once")
        .hint(format!("look at the log `{}`", site.place.log().display()))
}

fn stuck(identity: Option<Identity>) -> Report {
    let report =
        Report::internal(format!("the workstation holds its lock and has not ended within {} s", END.as_secs()));
    match identity {
        Some(identity) => report.hint(format!("end it with `kill {}`; nothing acknowledged is lost", identity.pid)),
        None => report,
    }
}

/// Whether these are the arguments of a workstation process.
pub(super) fn is_workstation(arguments: &[OsString]) -> bool {
    arguments.first().is_some_and(|first| first == OsStr::new(WORKSTATION))
}
