//! `metrics --output`: the measurements in a file, once or again and again.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use super::rhythm::Rhythm;
use super::site::Site;
use super::{file, one_shot, output};
use crate::base::{Report, visible};
use crate::command::{Globals, Invocation, Pace};

/// Writes the file. With a pace, anew each time until Ctrl-C; a time that fails is told and the next one tried.
///
/// # Errors
/// When the first time fails.
pub(super) fn write(site: &Site, globals: &Globals, path: &Path, every: Option<Pace>) -> Result<ExitCode, Report> {
    one_shot::restart_stranger(site)?;
    let once = || -> Result<(), Report> {
        let invocation = Invocation::Metrics { output: None, every: None };
        let mut arguments = vec!["metrics".to_owned()];
        arguments.extend(globals.json.then(|| "--json".to_owned()));
        let reply = one_shot::ask(site, globals, &invocation, arguments)?;
        if let Some(report) = reply.error {
            return Err(report);
        }
        file::replace(path, |out| {
            out.write_all(visible(&reply.output).as_bytes()).map_err(|error| file::unwritable(path, &error))
        })
    };
    let Some(Pace(seconds)) = every else { return once().map(|()| ExitCode::SUCCESS) };
    let mut rhythm = Rhythm::new()?;
    once()?;
    while rhythm.wait(Duration::from_secs(seconds.into())) {
        if let Err(report) = once() {
            output::complain(&report);
        }
    }
    Ok(ExitCode::SUCCESS)
}
