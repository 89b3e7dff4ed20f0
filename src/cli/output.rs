//! What goes to standard output and standard error, and the exit status that follows.
//!
//! A reader that closes the pipe early (`| head`) has what it wanted: that is no fault and no panic.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::base::{Report, visible};
use crate::command::{Surface, report_as_taken};
use crate::protocol::Reply;

/// Writes text to standard output, with a newline at its end.
///
/// # Errors
/// When standard output cannot take it, unless its reader is gone.
pub(super) fn print(text: &str) -> Result<(), Report> {
    if text.is_empty() {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written =
        out.write_all(text.as_bytes()).and_then(|()| out.write_all(end.as_bytes())).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Report::internal(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes text to standard output as it is, at once. False when its reader is gone.
///
/// # Errors
/// When standard output cannot take it.
pub(super) fn stream(text: &str) -> Result<bool, Report> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Report::internal(format!("cannot write to standard output: {error}"))),
    }
}

/// Writes a report to standard error and gives its exit status.
pub(super) fn fail(report: &Report) -> ExitCode {
    complain(report);
    ExitCode::from(report.exit_status())
}

/// Writes a report to standard error. Names of files and branches in it may hold anything, so that control
/// characters are made visible.
pub(super) fn complain(report: &Report) {
    // With standard error gone there is nobody left to tell.
    let _ = writeln!(
        io::stderr().lock(),
        "error: {}",
        visible(&report_as_taken(report.clone(), Surface::Shell).to_string())
    );
}

/// Writes one plain line to standard error.
pub(super) fn note(line: &str) {
    // As above.
    let _ = writeln!(io::stderr().lock(), "{}", visible(line));
}

/// Prints a reply and gives its exit status.
pub(super) fn reply(reply: &Reply) -> ExitCode {
    let printed = print(&visible(&reply.output));
    if let Some(report) = &reply.error {
        complain(report);
    }
    match printed {
        Ok(()) => ExitCode::from(reply.status),
        Err(report) => fail(&report),
    }
}
