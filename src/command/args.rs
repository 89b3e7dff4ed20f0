//! The arguments of the program as an [`Action`] with its global options.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ArgMatches;
use clap::error::ErrorKind;

use super::build::build;
use super::fault;
use super::help::{completion_script, help_text};
use super::invocation::Invocation;
use super::spec::{Spec, Surface};
use super::tree::{clap_tree, clap_tree_of};
use crate::base::Report;

/// Options that every shell command takes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Globals {
    /// The repository; none means the one around the current directory.
    pub repo: Option<PathBuf>,
    /// Where state is kept; none means the platform's state directory.
    pub home: Option<PathBuf>,
    /// Window and workstation in one process.
    pub foreground: bool,
    /// Print one JSON document.
    pub json: bool,
}

/// A pane to open with the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPane {
    /// The program and its arguments; never empty.
    pub command: Vec<String>,
    /// In the base checkout, without a worktree.
    pub here: bool,
}

/// What the program was asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Open the window, and a pane with it if one is named.
    Window(Option<OpenPane>),
    /// Run a command.
    Run(Box<Invocation>),
    /// Print this on standard output and end with status 0: help, version, completion script.
    Print(String),
}

/// Everything the program was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    /// The global options.
    pub globals: Globals,
    /// What to do.
    pub action: Action,
}

/// Parses the program's arguments, its own name left out. `home` is the value of `PARALANE_HOME`; the
/// option wins over it.
///
/// # Errors
/// A usage report with the nearest command, option or word.
pub fn parse_args(args: &[OsString], home: Option<OsString>) -> Result<CommandLine, Report> {
    let spec = find_command(args)?;
    // Help without a command lists them, and that of a group shows all of it.
    let group = |arg: &OsString| super::groups().iter().any(|(name, _)| arg == name);
    let whole = spec.is_none() && args.iter().any(|arg| arg == "--help" || arg == "-h" || group(arg));
    let tree = if whole { clap_tree(Surface::Shell) } else { clap_tree_of(spec) };
    let matches = match tree.try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            return Ok(CommandLine { globals: Globals::default(), action: Action::Print(error.to_string()) });
        }
        Err(error) => return Err(fault::from_clap(&error, spec, Surface::Shell)),
    };
    let mut last = &matches;
    while let Some((_, next)) = last.subcommand() {
        last = next;
    }
    let home = home.filter(|value| !value.is_empty()).map(PathBuf::from);
    let globals = Globals {
        repo: last.get_one::<PathBuf>("repo").cloned(),
        home: last.get_one::<PathBuf>("home").cloned().or(home),
        foreground: last.get_flag("foreground"),
        json: last.get_flag("json"),
    };
    Ok(CommandLine { globals, action: action(spec, &matches, last)? })
}

fn action(spec: Option<&'static Spec>, root: &ArgMatches, last: &ArgMatches) -> Result<Action, Report> {
    let here = root.get_flag("here");
    let Some(spec) = spec else {
        let command: Vec<String> = root.get_many::<String>("COMMAND").into_iter().flatten().cloned().collect();
        return match (here, command.is_empty()) {
            (true, true) => Err(Report::usage("`--here` needs a program to run in the base checkout")
                .hint("usage: `paralane --here -- PROGRAM ARG…`")),
            (_, true) => Ok(Action::Window(None)),
            (here, false) => Ok(Action::Window(Some(OpenPane { command, here }))),
        };
    };
    if here {
        return Err(Report::usage(format!("`--here` does not go before `{}`", spec.title()))
            .hint("usage: `paralane --here -- PROGRAM ARG…` or `paralane lane new --here`"));
    }
    match build(spec, last, Surface::Shell)? {
        Invocation::Help { topic } => {
            let topic: Vec<&str> = topic.iter().map(String::as_str).collect();
            help_text(&topic, Surface::Shell).map(Action::Print)
        }
        Invocation::Completion { shell } => Ok(Action::Print(completion_script(shell))),
        other => Ok(Action::Run(Box::new(other))),
    }
}

/// The command that the words before any `--` name. Looked for before `clap` does, so that an unknown
/// one is told in the same words here and in the window.
fn find_command(args: &[OsString]) -> Result<Option<&'static Spec>, Report> {
    let mut words = args.iter().map(|arg| arg.to_string_lossy()).take_while(|arg| arg != "--");
    let mut help = false;
    let mut next = || {
        loop {
            let word = words.next()?;
            match word.as_ref() {
                "--repo" | "--home" => drop(words.next()),
                "-h" | "--help" => help = true,
                word if word.starts_with('-') => {}
                word => return Some(word.to_owned()),
            }
        }
    };
    let Some(first) = next() else { return Ok(None) };
    let second = if super::groups().iter().any(|(name, _)| *name == first) { next() } else { None };
    if second.is_none() && (help || args.iter().any(|arg| arg == "--help" || arg == "-h")) {
        // `paralane lane --help`: `clap` prints the group's help.
        return Ok(super::find(&[&first]));
    }
    fault::locate(&first, || second, Surface::Shell).map(Some)
}
