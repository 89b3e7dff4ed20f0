//! The table as a `clap` tree.

use clap::builder::PossibleValuesParser;
use clap::{Arg as ClapArg, ArgAction, Command, ValueHint};

use super::spec::{Arg, Kind, Shape, Spec, Surface};
use super::table;
use crate::domain::Mode;

/// Columns that help is wrapped to: fixed, so that the text is the same wherever it is shown.
const HELP_COLUMNS: usize = 100;

/// The whole tree of a surface: `paralane …` with its global options, or the slash commands.
pub(super) fn clap_tree(surface: Surface) -> Command {
    let mut root = root(surface);
    for (name, about) in table::groups() {
        let members = table::table().iter().filter(|spec| spec.path.len() > 1 && spec.path[0] == *name);
        let members = members.filter(|spec| spec.on(surface)).map(|spec| command_of(spec, surface));
        root = root.subcommand(group(name, about, surface).subcommands(members));
    }
    let single = table::table().iter().filter(|spec| spec.path.len() == 1 && spec.on(surface));
    root.subcommands(single.map(|spec| command_of(spec, surface)))
}

/// The shell's tree with one command alone, or with none: the others would be made for nothing, each time that
/// `paralane` is called.
pub(super) fn clap_tree_of(wanted: Option<&'static Spec>) -> Command {
    let root = root(Surface::Shell);
    let Some(spec) = wanted else { return root };
    let command = command_of(spec, Surface::Shell);
    match table::groups().iter().find(|(name, _)| spec.path.len() > 1 && spec.path[0] == *name) {
        Some((name, about)) => root.subcommand(group(name, about, Surface::Shell).subcommand(command)),
        None => root.subcommand(command),
    }
}

/// What stands before all commands.
fn root(surface: Surface) -> Command {
    let root = base(Command::new("paralane"))
        .about("One terminal window for every coding agent")
        .no_binary_name(true)
        .subcommand_required(false)
        .disable_help_subcommand(true);
    match surface {
        Surface::Window => root.bin_name("/").disable_help_flag(true),
        Surface::Shell => root
            .version(env!("CARGO_PKG_VERSION"))
            .args(root_args())
            .override_usage("paralane [OPTIONS] [COMMAND]\n       paralane [OPTIONS] [--here] -- PROGRAM ARG…")
            .after_help(
                "Without a command: starts the workstation if none runs and opens the window.\n\
             `paralane [--here] -- PROGRAM ARG…` opens a pane with that program beside it.\n\
             Exit status: 0 done, 1 refused or condition found, 2 usage, 3 internal fault.",
            ),
    }
}

fn group(name: &'static str, about: &'static str, surface: Surface) -> Command {
    base(Command::new(name).about(about))
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .disable_help_flag(surface == Surface::Window)
}

/// One command alone, without the global options.
pub(super) fn command_of(spec: &'static Spec, surface: Surface) -> Command {
    let name = spec.path.last().copied().unwrap_or_default();
    let title = spec.title();
    let prefix = match surface {
        Surface::Window => "/",
        Surface::Shell => "paralane ",
    };
    let mut command = base(Command::new(name).about(spec.about))
        .bin_name(format!("{prefix}{title}"))
        .disable_help_flag(surface == Surface::Window)
        .args(spec.args_on(surface).map(|arg| clap_arg(arg, surface)));
    if !spec.example.is_empty() {
        command = command.after_help(format!("Example: {prefix}{title} {}", spec.example));
    }
    command
}

fn base(command: Command) -> Command {
    command.term_width(HELP_COLUMNS).color(clap::ColorChoice::Never).args_override_self(false)
}

/// Options every shell command takes, and the program to open a pane with.
fn root_args() -> [ClapArg; 6] {
    let dir = |name: &'static str| {
        ClapArg::new(name)
            .long(name)
            .value_name("DIR")
            .global(true)
            .value_hint(ValueHint::DirPath)
            .value_parser(clap::value_parser!(std::path::PathBuf))
    };
    let flag = |name: &'static str| ClapArg::new(name).long(name).action(ArgAction::SetTrue);
    [
        dir("repo").help("The repository; default the one around the current directory"),
        dir("home").help("Where state is kept [env: PARALANE_HOME]; default the platform's state directory"),
        flag("foreground").global(true).help("Window and workstation in one process"),
        flag("json").global(true).help("Print one JSON document"),
        flag("here").help("With -- PROGRAM: run it in the base checkout, without a worktree"),
        ClapArg::new("COMMAND")
            .value_name("PROGRAM")
            .help("A program to open a pane with")
            .last(true)
            .num_args(1..)
            .value_hint(ValueHint::CommandWithArguments),
    ]
}

fn clap_arg(arg: &'static Arg, surface: Surface) -> ClapArg {
    let clap = ClapArg::new(arg.name).help(arg.about);
    let clap = match arg.shape {
        Shape::Flag => return clap.long(arg.name).action(ArgAction::SetTrue),
        Shape::One => clap.value_name(arg.name),
        Shape::Many | Shape::Rest => clap.value_name(arg.name).num_args(1..),
        Shape::Program => clap.value_name(arg.name).num_args(1..).last(true),
        Shape::Option(value) | Shape::RestOption(value) => {
            clap.long(arg.name).value_name(value).allow_negative_numbers(true)
        }
        Shape::Repeated(value) => {
            clap.long(arg.name).value_name(value).allow_negative_numbers(true).action(ArgAction::Append)
        }
    };
    let clap = clap.required(arg.required(surface));
    match (arg.kind, arg.shape) {
        (Kind::Words(words), _) => clap.value_parser(PossibleValuesParser::new(words)),
        (Kind::Column, _) => clap.allow_hyphen_values(true),
        (Kind::Mode, _) => clap.value_parser(PossibleValuesParser::new(Mode::ALL.map(Mode::word))),
        (Kind::Path, _) => clap.value_hint(ValueHint::AnyPath),
        (_, Shape::Program) => clap.value_hint(ValueHint::CommandWithArguments),
        _ => clap.value_hint(ValueHint::Other),
    }
}
