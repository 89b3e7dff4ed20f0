//! Being a window: find or start the workstation, open a pane if one was asked for, attach.

use std::io::IsTerminal;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use super::foreground::InProcess;
use super::site::Site;
use super::{client, environment, one_shot, open_pane, output, start};
use crate::base::Report;
use crate::command::{Globals, OpenPane};

/// The window, until it ends.
///
/// # Errors
/// When there is no terminal or no workstation.
pub(super) fn window(site: &Site, globals: &Globals, pane: Option<&OpenPane>) -> Result<ExitCode, Report> {
    needs_terminal()?;
    if globals.foreground {
        let workstation = InProcess::start(site)?;
        let shown = start_pane(site, pane).and_then(|()| show(site, connect(site)?, Vec::new()));
        workstation.end()?;
        return shown;
    }
    one_shot::restart_stranger(site)?;
    start_pane(site, pane)?;
    show(site, start::connect_or_start(site)?, Vec::new())
}

/// Connects to a workstation that is known to run.
///
/// # Errors
/// When it does not listen any more.
pub(super) fn connect(site: &Site) -> Result<UnixStream, Report> {
    client::connect(site.place.socket())?.ok_or_else(|| {
        Report::internal("the workstation has ended").hint(format!("look at the log `{}`", site.place.log().display()))
    })
}

/// Attaches a window that begins with these hints, and prints what it ends with.
///
/// # Errors
/// When it cannot attach.
pub(super) fn show(site: &Site, stream: UnixStream, hints: Vec<String>) -> Result<ExitCode, Report> {
    let ended = crate::window::run(stream, environment::of(site), hints)?;
    if !ended.words.is_empty() {
        output::note(&ended.words);
    }
    Ok(ExitCode::from(ended.status))
}

/// Refuses to be a window without a terminal.
///
/// # Errors
/// When input or output is not one.
pub(super) fn needs_terminal() -> Result<(), Report> {
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        return Ok(());
    }
    Err(Report::refused("cannot open the window: standard input and output must be a terminal")
        .hint("`paralane up` starts the workstation without a window; `paralane help` lists the commands"))
}

fn start_pane(site: &Site, pane: Option<&OpenPane>) -> Result<(), Report> {
    match pane {
        None => Ok(()),
        Some(pane) => open_pane::open(site, pane).map(drop),
    }
}
