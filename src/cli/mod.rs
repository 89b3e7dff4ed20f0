//! Arguments, one-shot commands and their output, starting and ending the workstation, the demo.
//!
//! [`main`] parses the arguments through the command tree and does one of four things: print something, run a
//! command on the workstation, be a window, or (by a hidden first argument) be the workstation. Everything
//! ends as an exit status: 0 done, 1 refused or condition found, 2 usage, 3 internal fault.

mod attach;
mod bridge;
mod bulk;
mod client;
mod demo;
mod environment;
mod events;
mod fault;
mod file;
mod foreground;
mod git_hook;
mod hook;
mod metrics;
mod one_shot;
mod output;
mod process;
mod rhythm;
mod site;
mod start;
mod state;
mod top;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::panic::AssertUnwindSafe;
use std::path::Path;
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
        if let Some(directory) = git_hook::asked(&arguments) {
            return git_hook::run(&directory);
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
    // What was parsed is what travels, so that both sides read the same words.
    let words = || arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let reply = match invocation {
        Invocation::Demo => return demo::run(),
        Invocation::EventsExport { since, lane, output } => {
            return events::export(&site(globals)?, *since, lane.as_deref(), output.as_deref());
        }
        Invocation::Watch { lane } => return events::watch(&site(globals)?, lane.as_deref(), globals.json),
        Invocation::Top { once: false, view } if !globals.json && std::io::stdout().is_terminal() => {
            return top::live(&site(globals)?, globals, view);
        }
        Invocation::Metrics { output: Some(path), every } => {
            return metrics::write(&site(globals)?, globals, path, *every);
        }
        Invocation::StateExport { file } => return state::export(&site(globals)?, file, globals.json),
        Invocation::StateShow { file } => return state::show(file, globals.json),
        Invocation::StateImport { file, merge } => return state::import(&site(globals)?, file, *merge, globals.json),
        Invocation::Bulk { deed, yes, .. } => {
            return bulk::run(&site(globals)?, globals, invocation, deed, *yes, words());
        }
        Invocation::Up => one_shot::up(&site(globals)?)?,
        Invocation::Down => one_shot::down(&site(globals)?)?,
        // It tells what stands against it itself.
        Invocation::Doctor => one_shot::ask(&site(globals)?, globals, invocation, words())?,
        other => {
            // What was parsed is what travels, so that both sides read the same words.
            let mut words: Vec<String> = arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            // Files are relative to where this shell stands, which the workstation does not know.
            let standing = std::env::current_dir().ok();
            if let (Some(standing), Invocation::Work { command, .. }) = (standing, other) {
                whole_paths(&mut words, &command.files(), &standing);
            }
            let absolute = parse_args(&words.iter().map(OsString::from).collect::<Vec<_>>(), None)?;
            let other = match &absolute.action {
                Action::Run(invocation) => invocation,
                _ => other,
            };
            one_shot::run(&site(globals)?, globals, other, words)?
        }
    };
    Ok(output::reply(&reply))
}

/// Writes files out in full, as they are named in arguments: alone, or behind `--name=`.
fn whole_paths(words: &mut [String], files: &[&str], standing: &Path) {
    for word in words {
        let (lead, file) = match word.split_once('=') {
            Some((lead, file)) if lead.starts_with("--") && files.contains(&file) => (format!("{lead}="), file),
            _ if files.contains(&word.as_str()) => (String::new(), word.as_str()),
            _ => continue,
        };
        *word = format!("{lead}{}", standing.join(file).display());
    }
}

fn site(globals: &Globals) -> Result<Site, Report> {
    Site::find(globals.repo.as_deref(), globals.home.as_deref())
}
