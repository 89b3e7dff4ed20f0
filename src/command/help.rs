//! Help, palette and completion scripts, all from the table.

use std::fmt::Write as _;

use super::fault::{self, prefix};
use super::invocation::ShellKind;
use super::spec::{Arg, Shape, Spec, Surface};
use super::table;
use super::tree::{clap_tree, command_of};
use crate::base::Report;

/// One entry of the command palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaletteEntry {
    /// The command's words: `lane new`.
    pub title: String,
    /// What it does, in one line.
    pub about: &'static str,
    /// What to put into the prompt bar: `/lane new `.
    pub line: String,
    /// Whether that line can be sent as it is.
    pub ready: bool,
}

/// Every command that works in a window.
pub fn palette() -> Vec<PaletteEntry> {
    let entry = |spec: &'static Spec| {
        let title = spec.title();
        let bare = spec.args_on(Surface::Window).next().is_none();
        PaletteEntry {
            line: format!("/{title}{}", if bare { "" } else { " " }),
            about: spec.about,
            ready: !spec.args_on(Surface::Window).any(|arg| arg.required(Surface::Window)),
            title,
        }
    };
    table::table().iter().filter(|spec| spec.on(Surface::Window)).map(entry).collect()
}

/// How a command is written: `/prompt LANE TEXT… [--priority PRIORITY]`. Raw text stands last in a
/// window, since it takes the rest of the line.
pub(super) fn usage_line(spec: &'static Spec, surface: Surface) -> String {
    let last = |arg: &Arg| match arg.shape {
        Shape::Rest => surface == Surface::Window,
        Shape::Program => true,
        _ => false,
    };
    let places = spec.args_on(surface).filter(|arg| arg.by_place() && !last(arg));
    let named = spec.args_on(surface).filter(|arg| !arg.by_place() && !last(arg));
    let ends = spec.args_on(surface).filter(|arg| last(arg));
    let mut line = format!("{}{}", prefix(surface), spec.title());
    for arg in places.chain(named).chain(ends) {
        let _ = write!(line, " {}", arg.usage(surface));
    }
    format!("`{line}`")
}

/// Help on a command or group; without a topic, on all commands.
///
/// # Errors
/// A usage report with the nearest command when there is none of that name.
pub fn help_text(topic: &[&str], surface: Surface) -> Result<String, Report> {
    match topic {
        [] => Ok(overview(surface)),
        [group] if table::groups().iter().any(|(name, _)| name == group) => {
            Ok(list(surface, |spec| spec.path[0] == *group))
        }
        [first, rest @ ..] => {
            let spec = fault::locate(first, || rest.first().map(|&word| word.to_owned()), surface)?;
            let mut command = command_of(spec, surface);
            let mut text = command.render_help().to_string();
            if surface == Surface::Window && spec.args.iter().any(|arg| arg.shape == Shape::Rest) {
                text.push_str("\nOptions stand before the text; the text is the rest of the line, quotes and all.\n");
            }
            Ok(text)
        }
    }
}

fn overview(surface: Surface) -> String {
    match surface {
        Surface::Shell => clap_tree(surface).render_help().to_string(),
        Surface::Window => list(surface, |_| true),
    }
}

/// One line a command: its words and what it does.
fn list(surface: Surface, wanted: impl Fn(&Spec) -> bool) -> String {
    let chosen: Vec<&Spec> = table::table().iter().filter(|spec| spec.on(surface) && wanted(spec)).collect();
    let column = chosen.iter().map(|spec| spec.title().len()).max().unwrap_or_default();
    let mut text = String::new();
    for spec in chosen {
        let _ = writeln!(text, "{}{:column$}  {}", prefix(surface), spec.title(), spec.about);
    }
    text
}

/// The completion script of a shell.
pub(super) fn completion_script(shell: ShellKind) -> String {
    let mut script = Vec::new();
    let mut tree = clap_tree(Surface::Shell).no_binary_name(false);
    let shell = match shell {
        ShellKind::Bash => clap_complete::Shell::Bash,
        ShellKind::Zsh => clap_complete::Shell::Zsh,
        ShellKind::Fish => clap_complete::Shell::Fish,
    };
    clap_complete::generate(shell, &mut tree, "paralane", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}
