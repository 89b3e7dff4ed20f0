//! Starting a workstation, and ending one.
//!
//! The starter makes the workstation's process ([`process`]) and waits for one line on a pipe: `ok`, or the report of
//! what went wrong. Of many starters at once one starts and the others wait for it ([`StartLock`]).

use std::io::{self, PipeReader, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{RecvFlags, recv};

use super::process::Birth;
use super::site::{Site, lock_report};
use super::{client, process};
use crate::base::Report;
use crate::workstation::lock::{Identity, Lock, StartLock};

/// How long a workstation may take until it answers: migrating a large store is the longest part.
const READY: Duration = Duration::from_secs(20);

/// How long a workstation may take to end: its sessions are asked first and killed later.
const END: Duration = Duration::from_secs(30);

/// Bytes a report on the pipe may have.
const REPORT_LIMIT: usize = 64 * 1024;

/// Lines of the log that are shown when a workstation ended without a word.
const LOG_TAIL: usize = 5;

/// The way to a workstation that answers, or is about to.
#[derive(Debug)]
pub(super) enum Link {
    /// It answers.
    There(UnixStream),
    /// It has been started and will say so on the pipe. This process may be connected to it from the start.
    Starting(PipeReader, StartLock, Option<UnixStream>),
}

impl Link {
    /// The connection, once there is one, over which a window has introduced itself.
    ///
    /// # Errors
    /// When the workstation does not start; with its own report if it gave one.
    pub(super) fn stream(
        self,
        site: &Site,
        greet: impl FnOnce(&UnixStream) -> Result<(), Report>,
    ) -> Result<UnixStream, Report> {
        let stream = match self {
            Self::There(stream) => stream,
            Self::Starting(ready, _right, None) => {
                await_ready(ready, site)?;
                client::connect(site.place.socket())?.ok_or_else(|| silent(site))?
            }
            Self::Starting(ready, _right, Some(stream)) => {
                // One that is gone already has left its report on the pipe.
                let greeted = greet(&stream);
                await_word(&stream, ready, site)?;
                return greeted.map(|()| stream);
            }
        };
        greet(&stream)?;
        Ok(stream)
    }
}

/// Reaches the project's workstation; starts one if none runs. What else is needed can be made ready meanwhile.
///
/// # Errors
/// When it cannot be started.
pub(super) fn reach(site: &Site, birth: Birth) -> Result<Link, Report> {
    if let Some(stream) = client::connect(site.place.socket())? {
        return Ok(Link::There(stream));
    }
    let right = right_to_start(site)?;
    // Somebody else may have started one while this process waited for its turn.
    if let Some(stream) = client::connect(site.place.socket())? {
        return Ok(Link::There(stream));
    }
    await_former(site)?;
    let (ready, right, stream) = process::begin(site, right, birth)?;
    Ok(Link::Starting(ready, right, stream))
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

/// Waits for a first word, on the connection or on the pipe.
fn await_word(stream: &UnixStream, ready: PipeReader, site: &Site) -> Result<(), Report> {
    let end = Instant::now() + READY;
    let spoke = loop {
        let left = Timespec::try_from(end.saturating_duration_since(Instant::now())).unwrap_or_default();
        let mut both = [PollFd::new(stream, PollFlags::IN), PollFd::new(&ready, PollFlags::IN)];
        match poll(&mut both, Some(&left)) {
            Ok(0) => return Err(late(site)),
            Ok(_) => break !both[0].revents().is_empty(),
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return Err(wordless(site)),
        }
    };
    let mut byte = [0];
    if spoke && matches!(recv(stream, &mut byte[..], RecvFlags::PEEK | RecvFlags::DONTWAIT), Ok((1, _))) {
        return Ok(());
    }
    await_ready(ready, site)?;
    if spoke { Err(silent(site)) } else { Ok(()) }
}

/// Waits for the one line.
///
/// # Errors
/// The workstation's own report, or that it said nothing.
pub(super) fn await_ready(mut reader: PipeReader, site: &Site) -> Result<(), Report> {
    let end = Instant::now() + READY;
    let mut line = Vec::new();
    while !line.ends_with(b"\n") && line.len() < REPORT_LIMIT {
        let left = Timespec::try_from(end.saturating_duration_since(Instant::now())).unwrap_or_default();
        match poll(&mut [PollFd::new(&reader, PollFlags::IN)], Some(&left)) {
            Ok(0) => return Err(late(site)),
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return Err(wordless(site)),
        }
        let mut bytes = [0; 4096];
        match reader.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => line.extend_from_slice(&bytes[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Err(wordless(site)),
        }
    }
    if line == b"ok\n" { Ok(()) } else { Err(serde_json::from_slice(&line).unwrap_or_else(|_| wordless(site))) }
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

/// Runs the workstation until it ends. It says `ok` on `ready` once it answers.
///
/// # Errors
/// Whatever it could not do, in its words.
pub(super) fn run(
    site: Site,
    ready: OwnedFd,
    first: Option<UnixStream>,
    foreground: super::Foreground,
) -> Result<(), Report> {
    raise_descriptor_limit();
    let options = crate::workstation::Options {
        project: site.project,
        base: site.base,
        home: site.home,
        ready: Some(ready),
        first,
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

fn late(site: &Site) -> Report {
    Report::internal(format!("the workstation was not ready within {} s", READY.as_secs()))
        .hint(format!("look at the log `{}`, then try again", site.place.log().display()))
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
