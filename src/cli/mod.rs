//! Arguments, one-shot commands and their output, starting and ending the workstation, the demo.
//!
//! [`main`] parses the arguments through the command tree and does one of four things: print something, run a
//! command on the workstation, be a window, or (by a hidden first argument) be the workstation. Everything
//! ends as an exit status: 0 done, 1 refused or condition found, 2 usage, 3 internal fault.

mod attach;
mod bridge;
mod client;
mod demo;
mod environment;
mod fault;
mod foreground;
mod hook;
mod one_shot;
mod output;
mod process;
mod site;
mod start;

use std::ffi::OsString;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;

use crate::base::Report;
use crate::command::{Action, CommandLine, Globals, Invocation, parse_args};
use site::Site;

/// The exit status after a fault of our own.
const FAULT: u8 = 3;

/// Whether the workstation runs in the window's own process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Foreground {
    /// In the same process; it ends with it.
    Yes,
    /// In a process of its own.
    #[default]
    No,
}

/// The whole program.
#[must_use]
pub fn main() -> ExitCode {
    fault::install();
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let run = || {
        if process::is_workstation(&arguments) {
            return process::workstation_main(&arguments[1..]);
        }
        if let Some(call) = hook::asked(&arguments) {
            return hook::run(&call);
        }
        if bridge::is_bridge(&arguments) {
            return bridge::run().unwrap_or_else(|report| output::fail(&report));
        }
        run(&arguments).unwrap_or_else(|report| output::fail(&report))
    };
    // The hook has said what happened.
    std::panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or(ExitCode::from(FAULT))
}

fn run(arguments: &[OsString]) -> Result<ExitCode, Report> {
    let CommandLine { globals, action } = parse_args(arguments, std::env::var_os("PARALANE_HOME"))?;
    match action {
        Action::Print(text) => output::print(&text).map(|()| ExitCode::SUCCESS),
        Action::Window(pane) => attach::open(&site(&globals)?, &globals, pane.as_ref()),
        Action::Run(invocation) => command(&globals, &invocation, arguments),
    }
}

fn command(globals: &Globals, invocation: &Invocation, arguments: &[OsString]) -> Result<ExitCode, Report> {
    let reply = match invocation {
        Invocation::Demo => return demo::run(),
        Invocation::Up => one_shot::up(&site(globals)?)?,
        Invocation::Down => one_shot::down(&site(globals)?)?,
        other => {
            // What was parsed is what travels, so that both sides read the same words.
            let words = arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            one_shot::run(&site(globals)?, globals, other, words)?
        }
    };
    Ok(output::reply(&reply))
}

fn site(globals: &Globals) -> Result<Site, Report> {
    Site::find(globals.repo.as_deref(), globals.home.as_deref())
}
