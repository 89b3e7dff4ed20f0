//! What is told when a command is not understood: what is wrong, the nearest right word, the usage.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::help::usage_line;
use super::spec::{Spec, Surface};
use super::table;
use crate::base::{Report, nearest};

/// Finds the command that begins with these words.
///
/// # Errors
/// In words, with the nearest command, when there is none on this surface.
pub(super) fn locate(
    first: &str,
    second: impl FnOnce() -> Option<String>,
    surface: Surface,
) -> Result<&'static Spec, Report> {
    let grouped = table::groups().iter().any(|(name, _)| *name == first);
    let (title, spec) = if grouped {
        let members = || table::table().iter().filter(|spec| spec.path[0] == first).map(|spec| spec.path[1]);
        let Some(second) = second() else {
            let words: Vec<String> = members().map(|word| format!("`{word}`")).collect();
            return Err(Report::usage(format!("`{first}` alone does nothing"))
                .hint(format!("say what to do: {}", words.join(", "))));
        };
        let Some(spec) = table::find(&[first, &second]) else {
            let near = nearest(&second, members()).map(|word| format!("{first} {word}"));
            return Err(unknown(&format!("{first} {second}"), near.as_deref(), surface));
        };
        (format!("{first} {second}"), Some(spec))
    } else {
        (first.to_owned(), table::find(&[first]))
    };
    match spec {
        Some(spec) if spec.on(surface) => Ok(spec),
        Some(_) if surface == Surface::Window => Err(Report::usage(format!("`{title}` works in a shell only"))
            .hint(format!("run `paralane {title}` in a shell"))),
        Some(_) => Err(Report::usage(format!("`{title}` works in a window only"))
            .hint(format!("type `/{title}` in a window's prompt bar"))),
        None => {
            let on = || table::table().iter().filter(|spec| spec.on(surface));
            // `restore` alone is `lane restore` without its group.
            let grouped = on().find(|spec| spec.path.get(1) == Some(&first)).map(|spec| spec.path.join(" "));
            let near = grouped.as_deref().or_else(|| nearest(first, on().map(|spec| spec.path[0])));
            Err(unknown(first, near, surface))
        }
    }
}

fn unknown(typed: &str, near: Option<&str>, surface: Surface) -> Report {
    let prefix = prefix(surface);
    let mut report = Report::usage(format!("there is no command `{typed}`"));
    if let Some(near) = near {
        report = report.hint(format!("did you mean `{prefix}{near}`?"));
    }
    report.hint(format!("`{prefix}help` lists every command"))
}

pub(super) const fn prefix(surface: Surface) -> &'static str {
    match surface {
        Surface::Window => "/",
        Surface::Shell => "paralane ",
    }
}

/// A usage report about one command, with its usage line.
pub(super) fn usage(spec: &'static Spec, surface: Surface, message: impl Into<String>) -> Report {
    Report::usage(message).hint(format!("usage: {}", usage_line(spec, surface)))
}

/// Puts `clap`'s error into our words.
pub(super) fn from_clap(error: &clap::Error, spec: Option<&'static Spec>, surface: Surface) -> Report {
    let title = spec.map_or_else(|| "paralane".to_owned(), Spec::title);
    let arg = context(error, ContextKind::InvalidArg);
    let value = context(error, ContextKind::InvalidValue);
    let message = match error.kind() {
        ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand => {
            let arg = if arg.is_empty() { context(error, ContextKind::InvalidSubcommand) } else { arg };
            return unknown_argument(&title, &arg, spec, surface);
        }
        ErrorKind::InvalidValue if value.is_empty() => format!("`{title}`: `{}` needs a value", bare(&arg)),
        ErrorKind::InvalidValue => {
            let words = strings(error, ContextKind::ValidValue);
            let mut report =
                Report::usage(format!("`{title}`: `{value}` is not one of {}", words.join(", ").trim_end()));
            if let Some(near) = nearest(&value, words.iter().map(String::as_str)) {
                report = report.hint(format!("did you mean `{near}`?"));
            }
            return match spec {
                Some(spec) => report.hint(format!("usage: {}", usage_line(spec, surface))),
                None => report,
            };
        }
        ErrorKind::MissingRequiredArgument => {
            let missing: Vec<String> = strings(error, ContextKind::InvalidArg).iter().map(|a| quoted(a)).collect();
            format!("`{title}` lacks {}", missing.join(" and "))
        }
        ErrorKind::ArgumentConflict => {
            let prior = context(error, ContextKind::PriorArg);
            if prior.is_empty() || prior == arg {
                format!("`{title}`: `{}` is given twice", bare(&arg))
            } else {
                format!("`{title}`: `{}` and `{}` do not go together", bare(&arg), bare(&prior))
            }
        }
        ErrorKind::InvalidUtf8 => format!("`{title}`: an argument is not valid UTF-8"),
        _ => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            format!("`{title}`: {}", first.trim_start_matches("error: "))
        }
    };
    match spec {
        Some(spec) => usage(spec, surface, message),
        None => Report::usage(message).hint("`paralane --help` lists commands and options"),
    }
}

fn unknown_argument(title: &str, arg: &str, spec: Option<&'static Spec>, surface: Surface) -> Report {
    let flag = arg.split('=').next().unwrap_or(arg);
    let Some(name) = flag.strip_prefix('-') else {
        let report = Report::usage(format!("`{title}` does not take `{arg}`"));
        let Some(spec) = spec else { return report.hint("a program to run in a pane stands after `--`") };
        return report
            .hint(format!("usage: {}", usage_line(spec, surface)))
            .hint("a value of several words stands in quotes");
    };
    let name = name.trim_start_matches('-');
    let own = spec.into_iter().flat_map(|spec| spec.args_on(surface));
    let own: Vec<&str> =
        own.filter(|arg| spec.is_some_and(|s| s.option(arg.name, surface).is_some())).map(|a| a.name).collect();
    let global: &[&str] = match surface {
        Surface::Shell => &["repo", "home", "foreground", "json", "help", "here", "version"],
        Surface::Window => &[],
    };
    let mut report = Report::usage(format!("`{title}` has no option `{flag}`"));
    if let Some(near) = nearest(name, own.iter().copied().chain(global.iter().copied())) {
        report = report.hint(format!("did you mean `--{near}`?"));
    }
    if spec.is_some_and(|spec| spec.args.iter().any(|arg| arg.shape == super::Shape::Rest)) {
        report = report.hint("put `--` before text that begins with `-`");
    }
    match spec {
        Some(spec) => report.hint(format!("usage: {}", usage_line(spec, surface))),
        None => report.hint("`paralane --help` lists commands and options"),
    }
}

fn context(error: &clap::Error, kind: ContextKind) -> String {
    strings(error, kind).into_iter().next().unwrap_or_default()
}

fn strings(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

/// `--lane <NAME>` as `--lane`, `<NAME>` as `NAME`.
fn bare(arg: &str) -> String {
    let first = arg.split_whitespace().next().unwrap_or(arg);
    first.trim_start_matches('<').trim_end_matches("...").trim_end_matches('>').to_owned()
}

fn quoted(arg: &str) -> String {
    format!("`{}`", bare(arg))
}
