//! A slash line of the prompt bar as an [`Invocation`].

use super::build::build;
use super::fault;
use super::invocation::Invocation;
use super::spec::Surface;
use super::tree::command_of;
use super::walk::{Raw, Walk};
use super::words::{Word, Words};
use crate::base::Report;

/// Parses a line such as `/prompt api fix the "thing"`; the slash may be absent. Words split like in
/// a shell, but the last free text of a command is the rest of the line, untouched: options stand
/// before it.
///
/// # Errors
/// A usage report with the nearest command, flag or word.
pub fn parse_line(line: &str) -> Result<Invocation, Report> {
    let body = line.trim_start();
    let body = body.strip_prefix('/').unwrap_or(body);
    let mut words = Words::new(body, 0);
    let first =
        words.next().ok_or_else(|| Report::usage("no command was typed").hint("`/help` lists every command"))?;
    let spec = fault::locate(&first.text, || words.next().map(|word| word.text), Surface::Window)?;
    let mut walk = Walk::new(spec, Surface::Window);
    let mut args: Vec<String> = Vec::new();
    loop {
        let rest = words.rest();
        let Some(word) = words.next() else { break };
        match walk.raw(&word) {
            Some(Raw::Place { literal }) => {
                if !literal {
                    args.push("--".to_owned());
                }
                args.push(rest.to_owned());
                break;
            }
            Some(Raw::Value(arg)) => {
                args.pop();
                args.push(format!("--{}={}", arg.name, unquoted(rest, &word)));
                break;
            }
            None => {}
        }
        if let Some(quote) = word.open {
            let message = format!("the quote `{quote}` in `{}` is not closed", &body[word.span.clone()]);
            return Err(fault::usage(spec, Surface::Window, message));
        }
        walk.feed(&word);
        args.push(word.text);
    }
    let command = command_of(spec, Surface::Window).no_binary_name(true);
    let matches =
        command.try_get_matches_from(args).map_err(|error| fault::from_clap(&error, Some(spec), Surface::Window))?;
    build(spec, &matches, Surface::Window)
}

/// A reason that is one quoted word from end to end loses its quotes, as it would in a shell.
fn unquoted(rest: &str, word: &Word) -> String {
    let whole = word.open.is_none() && word.quoted && word.span.len() == rest.len();
    if whole { word.text.clone() } else { rest.to_owned() }
}
