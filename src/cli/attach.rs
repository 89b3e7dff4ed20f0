//! Being a window: find or start the workstation, open a pane if one was asked for, attach.

use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use super::foreground::InProcess;
use super::process::Birth;
use super::site::Site;
use super::start::Link;
use super::{Foreground, client, environment, one_shot, start};
use crate::base::Report;
use crate::command::{Globals, OpenPane};
use crate::protocol::{Client, Hint, NewPane};
use crate::window::{self, WindowError, require_terminal};

/// The window, until it ends.
///
/// # Errors
/// When there is no terminal or no workstation.
pub(super) fn open(site: &Site, globals: &Globals, pane: Option<&OpenPane>) -> Result<ExitCode, Report> {
    require_terminal().map_err(WindowError::report)?;
    let open = pane.map(|pane| NewPane { command: pane.command.clone(), here: pane.here });
    let begin = Begin { open, ..Begin::default() };
    if globals.foreground {
        let workstation = InProcess::start(site)?;
        let begin = Begin { foreground: Foreground::Yes, ..begin };
        let shown = connect(site).and_then(|stream| show(site, Link::There(stream), begin));
        workstation.end()?;
        return shown;
    }
    one_shot::restart_stranger(site)?;
    show(site, start::reach(site, Birth::Copied)?, begin)
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
    /// A pane to open first.
    pub open: Option<NewPane>,
    /// Whether the workstation runs in this process.
    pub foreground: Foreground,
    /// Hints to show.
    pub hints: Vec<Hint>,
}

/// Attaches a window, until it ends. What it ends with has been printed then.
///
/// # Errors
/// When it cannot attach.
pub(super) fn show(site: &Site, link: Link, begin: Begin) -> Result<ExitCode, Report> {
    let mut hello = window::hello(environment::of(site), begin.hints).map_err(WindowError::report)?;
    if let Client::Window(window) = &mut hello.client {
        // A process cannot tidy up after its own death by -9.
        window.terminal = begin.foreground == Foreground::No;
        window.focus = begin.focus;
        window.open = begin.open;
    }
    let mut greeted = None;
    let stream = link.stream(site, |stream| {
        greeted = Some(window::greet(stream, hello).map_err(WindowError::report)?);
        Ok(())
    })?;
    let Some(greeted) = greeted else { return Err(Report::internal("the window has not introduced itself")) };
    window::run(stream, greeted).map(|end| ExitCode::from(end.exit_status())).map_err(WindowError::report)
}
