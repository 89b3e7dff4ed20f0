//! Starting a program in a new pseudo-terminal.

use std::collections::BTreeMap;
#[cfg(target_os = "linux")]
use std::ffi::OsStr;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use portable_pty::{Child, CommandBuilder, SlavePty};
use rustix::io::Errno;

use super::colours::Colours;
use super::environment;
use super::error::TerminalError;
use super::processes::{ProcessIdentity, start_time};
use super::tty::Tty;
use crate::domain::{LaneId, ProgramState, Size};

/// Tells from a governed program's screen what it is at before its hooks have told anything, if that can be seen.
pub type ScreenWord = fn(&str) -> Option<ProgramState>;

/// What to start in a pane.
#[derive(Clone)]
pub struct Launch {
    /// Program and arguments.
    pub command: Vec<OsString>,
    /// Where it starts; must exist.
    pub directory: PathBuf,
    /// The whole environment to start from; what leaks from the outer terminal is taken out, and TERM,
    /// COLORTERM, TERM_PROGRAM and PWD are set.
    pub environment: Vec<(OsString, OsString)>,
    /// Variables that are set whatever they are called: ours, for this program.
    pub own: Vec<(OsString, OsString)>,
    /// Its hooks tell what it is at: it is ready for nothing before it has said so, by them or by its reports.
    pub governed: Option<ScreenWord>,
    /// The size of its terminal.
    pub size: Size,
    /// The colours it is told when it asks.
    pub colours: Colours,
}

impl std::fmt::Debug for Launch {
    /// Without the environment, which may hold secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Launch")
            .field("command", &self.command)
            .field("directory", &self.directory)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

/// A program that runs in its terminal.
pub(super) struct Started {
    pub(super) tty: Tty,
    pub(super) child: Program,
    pub(super) identity: ProcessIdentity,
}

/// Starts it.
pub(super) fn start(lane: LaneId, launch: &Launch, marker: &str) -> Result<Started, TerminalError> {
    let Some(program) = launch.command.first().filter(|program| !program.is_empty()) else {
        return Err(TerminalError::NoCommand { lane });
    };
    let command = program.to_string_lossy().into_owned();
    // portable-pty would silently start in the home directory.
    if !launch.directory.is_dir() {
        return Err(TerminalError::NoDirectory { command, directory: launch.directory.clone() });
    }
    let (tty, slave) =
        Tty::open(launch.size).map_err(|source| TerminalError::System { doing: "make a pseudo-terminal", source })?;
    let mut environment =
        environment::clean(launch.environment.clone(), &launch.directory, marker, launch.colours.dark());
    environment.extend(launch.own.iter().cloned());
    let started = match spawned(&tty, launch, &mut environment) {
        Ok(None) => forked(slave.as_ref(), launch, environment),
        Ok(Some(child)) => Ok(child),
        Err(refusal) => Err(refusal),
    };
    // Only the program may hold its side, or its end would go unseen.
    drop(slave);
    let refused = |reason: String| TerminalError::Start { command: command.clone(), reason };
    let child = started.map_err(|Refusal { cause, words }| match cause.filter(|cause| exhausted(*cause)) {
        Some(cause) => TerminalError::System { doing: "start the program", source: cause.into() },
        None => refused(words),
    })?;
    let pid = child.process_id().ok_or_else(|| refused("it has no process id".to_owned()))?;
    crate::base::started(pid);
    // The program leads its own session and group: both bear its number.
    let identity = ProcessIdentity { pid, group: pid, start_time: start_time(pid).unwrap_or_default() };
    Ok(Started { tty, child, identity })
}

type Program = Box<dyn Child + Send + Sync>;

/// Why a program does not start.
struct Refusal {
    cause: Option<Errno>,
    words: String,
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self { cause: Errno::from_io_error(&error), words: error.to_string() }
    }
}

/// Started in the quick way; none where there is no such way.
#[cfg(target_os = "linux")]
fn spawned(
    tty: &Tty,
    launch: &Launch,
    environment: &mut BTreeMap<OsString, OsString>,
) -> Result<Option<Program>, Refusal> {
    let Ok(terminal) = tty.name() else { return Ok(None) };
    if !environment.contains_key(OsStr::new("SHELL")) {
        let mut own = CommandBuilder::new_default_prog();
        own.env_clear();
        environment.insert("SHELL".into(), own.get_shell().into());
    }
    let program = super::spawn::Program {
        words: &launch.command,
        directory: &launch.directory,
        environment,
        terminal: &terminal,
    };
    Ok(super::spawn::spawn(&program)?.map(|child| Box::new(child) as Program))
}

#[cfg(not(target_os = "linux"))]
fn spawned(_: &Tty, _: &Launch, _: &mut BTreeMap<OsString, OsString>) -> Result<Option<Program>, Refusal> {
    Ok(None)
}

/// Started by portable-pty, which also says best why it cannot be.
fn forked(
    slave: &dyn SlavePty,
    launch: &Launch,
    environment: BTreeMap<OsString, OsString>,
) -> Result<Program, Refusal> {
    let mut builder = CommandBuilder::from_argv(launch.command.clone());
    builder.cwd(&launch.directory);
    builder.env_clear();
    for (name, value) in environment {
        builder.env(name, value);
    }
    slave.spawn_command(builder).map_err(|error| {
        let cause = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>()).and_then(Errno::from_io_error);
        Refusal { cause, words: why(&format!("{error:#}")) }
    })
}

/// The reason in portable-pty's words, which are several lines that name the program again.
fn why(words: &str) -> String {
    let reason = words.split_once("because").map_or(words, |(_, reason)| reason.trim_start_matches(':'));
    let absent = |line: &str| line.starts_with("No viable candidates found in PATH");
    let mut lines: Vec<&str> = reason.lines().map(|line| line.trim().trim_end_matches('.')).collect();
    lines.retain(|line| !line.is_empty() && !absent(line));
    if lines.is_empty() { "there is no such program".to_owned() } else { lines.join(", ") }
}

/// Whether the system says that something has run out: then the program itself is not to blame.
fn exhausted(error: Errno) -> bool {
    matches!(error, Errno::MFILE | Errno::NFILE | Errno::AGAIN | Errno::NOMEM)
}

#[cfg(test)]
mod tests {
    use super::why;

    #[test]
    fn a_refusal_is_said_in_one_line() {
        for (words, said) in [
            (
                "Unable to spawn x because:\nNo viable candidates found in PATH \"/bin:/usr/bin\"",
                "there is no such program",
            ),
            (
                "Unable to spawn x because:\n/bin/x exists but is not executable.\nNo viable candidates found in PATH \"/bin\"",
                "/bin/x exists but is not executable",
            ),
            ("Unable to spawn /tmp because it is a directory", "it is a directory"),
            ("Exec format error (os error 8)", "Exec format error (os error 8)"),
        ] {
            assert_eq!(why(words), said);
        }
    }
}
