//! Being a window: find or start the workstation, open a pane if one was asked for, attach.

use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use super::foreground::InProcess;
use super::site::Site;
use super::{Foreground, client, environment, one_shot, open_pane, start};
use crate::base::Report;
use crate::command::{Globals, OpenPane};
use crate::protocol::{Client, Hint};
use crate::window::{self, WindowError, require_terminal};

/// The window, until it ends.
///
/// # Errors
/// When there is no terminal or no workstation.
pub(super) fn open(site: &Site, globals: &Globals, pane: Option<&OpenPane>) -> Result<ExitCode, Report> {
    require_terminal().map_err(WindowError::report)?;
    if globals.foreground {
        let workstation = InProcess::start(site)?;
        let shown = start_pane(site, pane).and_then(|focus| {
            let begin = Begin { focus, foreground: Foreground::Yes, ..Begin::default() };
            show(site, connect(site)?, begin)
        });
        workstation.end()?;
        return shown;
    }
    one_shot::restart_stranger(site)?;
    let begin = Begin { focus: start_pane(site, pane)?, ..Begin::default() };
    show(site, start::connect_or_start(site)?, begin)
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

/// What a window begins with.
#[derive(Debug, Default)]
pub(super) struct Begin {
    /// The lane in focus; none leaves it to the workstation.
    pub focus: Option<String>,
    /// Whether the workstation runs in this process.
    pub foreground: Foreground,
    /// Hints to show.
    pub hints: Vec<Hint>,
}

/// Attaches a window, until it ends. What it ends with has been printed then.
///
/// # Errors
/// When it cannot attach.
pub(super) fn show(site: &Site, stream: UnixStream, begin: Begin) -> Result<ExitCode, Report> {
    let mut hello = window::hello(environment::of(site), begin.hints).map_err(WindowError::report)?;
    if let Client::Window(window) = &mut hello.client {
        // A process cannot tidy up after its own death by -9.
        window.terminal = begin.foreground == Foreground::No;
        window.focus = begin.focus;
    }
    window::run(stream, hello).map(|end| ExitCode::from(end.exit_status())).map_err(WindowError::report)
}

/// Opens the pane that was asked for, if one was, and gives its lane's name.
fn start_pane(site: &Site, pane: Option<&OpenPane>) -> Result<Option<String>, Report> {
    pane.map(|pane| open_pane::open(site, pane)).transpose()
}
