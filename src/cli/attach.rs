//! Being a window: find or start the workstation, open a pane if one was asked for, attach.

use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use super::foreground::InProcess;
use super::site::Site;
use super::{Foreground, client, environment, one_shot, open_pane, start};
use crate::base::Report;
use crate::command::{Globals, OpenPane};
use crate::protocol::Client;
use crate::window::{self, WindowError, require_terminal};

/// The window, until it ends.
///
/// # Errors
/// When there is no terminal or no workstation.
pub(super) fn open(site: &Site, globals: &Globals, pane: Option<&OpenPane>) -> Result<ExitCode, Report> {
    require_terminal().map_err(WindowError::report)?;
    if globals.foreground {
        let workstation = InProcess::start(site)?;
        let shown = start_pane(site, pane).and_then(|()| show(site, connect(site)?, Foreground::Yes, Vec::new()));
        workstation.end()?;
        return shown;
    }
    one_shot::restart_stranger(site)?;
    start_pane(site, pane)?;
    show(site, start::connect_or_start(site)?, Foreground::No, Vec::new())
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

/// Attaches a window that begins with these hints, until it ends. What it ends with has been printed then.
///
/// # Errors
/// When it cannot attach.
pub(super) fn show(
    site: &Site,
    stream: UnixStream,
    foreground: Foreground,
    hints: Vec<String>,
) -> Result<ExitCode, Report> {
    let mut hello = window::hello(environment::of(site), hints).map_err(WindowError::report)?;
    if let Client::Window(window) = &mut hello.client {
        // A process cannot tidy up after its own death by -9.
        window.terminal = foreground == Foreground::No;
    }
    window::run(stream, hello).map(|end| ExitCode::from(end.exit_status())).map_err(WindowError::report)
}

fn start_pane(site: &Site, pane: Option<&OpenPane>) -> Result<(), Report> {
    match pane {
        None => Ok(()),
        Some(pane) => open_pane::open(site, pane).map(drop),
    }
}
