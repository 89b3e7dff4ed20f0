//! The workstation's own process: a copy of its starter, or this program anew.
//!
//! A copy is there at once: the program is loaded, linked and warm, and the project is known. It is made where that is
//! sound: of a process with one thread, on Linux (frameworks of macOS do not work in one), and whose environment
//! carries no mark of another workstation, since the kernel shows an environment as it was at the beginning. Else the
//! program is executed with a hidden first argument; the pipe is its standard input until it has moved it away, so
//! that no number of a descriptor has to be agreed on.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, PipeReader, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use super::site::Site;
use super::{FAULT, Foreground, output, start};
use crate::base::Report;
use crate::git::is_git_variable;
use crate::workstation::home::Home;
use crate::workstation::is_mark;
use crate::workstation::lock::StartLock;

/// The hidden first argument of a workstation process.
const WORKSTATION: &str = "__workstation";

/// A log above this size is put aside at the next start.
const LOG_LIMIT: u64 = 1 << 20;

/// How the process comes to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Birth {
    /// As a copy, where that is sound: whoever opens a window waits for it. The list of processes shows its words.
    Copied,
    /// By executing the program: the words of a command, a prompt's above all, are not to be seen for as long as the
    /// workstation lives.
    Anew,
}

/// Starts the process. It will say one line on the pipe. A copy is connected to this process from the start.
///
/// # Errors
/// When the log cannot be written or the system gives no process.
pub(super) fn begin(
    site: &Site,
    right: StartLock,
    birth: Birth,
) -> Result<(PipeReader, StartLock, Option<UnixStream>), Report> {
    let (reader, writer) = io::pipe().map_err(failed)?;
    let log = open_log(&site.place.log())?;
    if birth == Birth::Copied && may_copy() {
        let (near, far) = UnixStream::pair().map_err(failed)?;
        if fork().map_err(failed)? == Side::Copy {
            // What is the starter's alone: the lock counts for as long as anyone has it open.
            drop((reader, right, near));
            be_copy(site, writer.into(), far, &log);
        }
        return Ok((reader, right, Some(near)));
    }
    execute(site, writer.into(), log).map_err(failed)?;
    Ok((reader, right, None))
}

fn failed(error: io::Error) -> Report {
    Report::internal(format!("cannot start the workstation: {error}"))
}

/// Which of two processes this is.
#[derive(PartialEq, Eq)]
enum Side {
    Original,
    Copy,
}

fn may_copy() -> bool {
    let one_thread = || std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1);
    cfg!(target_os = "linux") && !std::env::vars_os().any(|(name, _)| is_mark(&name)) && one_thread()
}

#[allow(unsafe_code, reason = "there is no safe door to a copy of a process")]
fn fork() -> io::Result<Side> {
    // SAFETY: this process has one thread (`may_copy`), so that no lock is held and nothing is half done in the copy.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Side::Copy),
        _ => Ok(Side::Original),
    }
}

/// The copy's life. It never goes back to where the starter was.
fn be_copy(site: &Site, pipe: OwnedFd, starter: UnixStream, log: &File) -> ! {
    let life = || {
        let lived = leave_terminal(log).map_err(failed).and_then(|()| run(site.clone(), &pipe, Some(starter)));
        lived.map_or_else(|report| last_words(&report, &pipe), |()| 0)
    };
    // The hook has said what happened.
    let status = catch_unwind(AssertUnwindSafe(life)).unwrap_or(FAULT);
    std::process::exit(status.into())
}

/// Closing the terminal or losing SSH ends the window, not the work.
fn leave_terminal(log: &File) -> io::Result<()> {
    rustix::process::setsid()?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    rustix::stdio::dup2_stdout(log)?;
    rustix::stdio::dup2_stderr(log)?;
    std::env::set_current_dir("/")
}

fn run(site: Site, pipe: &OwnedFd, first: Option<UnixStream>) -> Result<(), Report> {
    start::run(site, pipe.try_clone().map_err(failed)?, first, Foreground::No)
}

/// Whoever waits reads the report; once the workstation was ready nobody does, and the log has it.
fn last_words(report: &Report, pipe: &OwnedFd) -> u8 {
    if let (Ok(mut line), Ok(pipe)) = (serde_json::to_vec(report), pipe.try_clone()) {
        line.push(b'\n');
        let _ = File::from(pipe).write_all(&line);
    }
    output::complain(report);
    report.exit_status()
}

/// Executes this program as the workstation.
fn execute(site: &Site, pipe: OwnedFd, log: File) -> io::Result<()> {
    let mut command = Command::new(own_executable()?);
    command
        .arg(WORKSTATION)
        .args([site.project.root(), site.home.root()])
        .current_dir("/")
        .stdin(Stdio::from(pipe))
        .stdout(log.try_clone()?)
        .stderr(log);
    for (name, _) in std::env::vars_os() {
        if is_git_variable(&name) || is_mark(&name) {
            command.env_remove(&name);
        }
    }
    // Dropping the command closes this process's copy of the pipe's writing end: it ends with the child.
    command.spawn().map(drop)
}

/// Whether these are the arguments of a workstation process.
pub(super) fn is_workstation(arguments: &[OsString]) -> bool {
    arguments.first().is_some_and(|first| first == OsStr::new(WORKSTATION))
}

/// The main function of an executed workstation: `paralane __workstation ROOT HOME`.
pub(super) fn workstation_main(arguments: &[OsString]) -> ExitCode {
    let pipe = match take_pipe() {
        Ok(pipe) => pipe,
        Err(error) => return output::fail(&failed(error)),
    };
    let lived = run_executed(arguments, &pipe);
    lived.map_or_else(|report| ExitCode::from(last_words(&report, &pipe)), |()| ExitCode::SUCCESS)
}

fn run_executed(arguments: &[OsString], pipe: &OwnedFd) -> Result<(), Report> {
    let [root, home] = arguments else {
        return Err(Report::usage(format!("`{WORKSTATION}` is for Paralane itself")).hint("run `paralane up`"));
    };
    rustix::process::setsid().map_err(|error| {
        Report::internal(format!("cannot leave the terminal's session: {}", io::Error::from(error)))
    })?;
    let root = Path::new(root);
    let site = Site::at(root, Home::find(Some(Path::new(home)))?)?;
    if site.project.root() != root {
        let (root, found) = (root.display(), site.project.root().display());
        return Err(Report::refused(format!("`{root}` is no base checkout: it belongs to `{found}`")));
    }
    run(site, pipe, None)
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
