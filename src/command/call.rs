//! The words of a lane's tool as an [`Invocation`].
//!
//! Programs of lanes call by the dozen, and making a tree of all commands costs more than most calls do: here each
//! command is made once, alone, and kept.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use clap::{Arg, ArgAction, Command};

use super::build::build;
use super::fault;
use super::invocation::Invocation;
use super::spec::Surface;
use super::table;
use super::tree::command_of;
use crate::base::{Report, lock};

/// The commands that were called, by their words.
static KEPT: LazyLock<Mutex<HashMap<&'static [&'static str], Command>>> = LazyLock::new(Mutex::default);

/// Parses the words that [`tool_words`](super::tool_words) makes of a call: a command and its arguments, `--json` among
/// them and no other global option.
///
/// # Errors
/// As for [`parse_args`](super::parse_args), in the same words.
pub fn parse_call(words: &[String]) -> Result<Invocation, Report> {
    let path: Vec<&str> = words.iter().map(String::as_str).take(2).collect();
    let found = (1..=path.len()).rev().find_map(|count| Some((table::find(path.get(..count)?)?, count)));
    let Some((spec, count)) = found else {
        return Err(Report::usage(format!("there is no command `{}`", path.join(" "))));
    };
    let mut kept = lock(&KEPT);
    let command = kept.entry(spec.path).or_insert_with(|| {
        let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
        command_of(spec, Surface::Shell).no_binary_name(true).arg(json)
    });
    let matches = command.try_get_matches_from_mut(words.get(count..).unwrap_or_default());
    drop(kept);
    let matches = matches.map_err(|error| fault::from_clap(&error, Some(spec), Surface::Shell))?;
    build(spec, &matches, Surface::Shell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Action, parse_args};

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_call_means_what_the_same_words_mean_in_a_shell() {
        for line in [
            "lane list --json",
            "reserve --json --lane=api --shared -- src/ --lane=web",
            "mail list --json --lane=api --unread --limit=5",
            "mail list --json --lane=api --unread --limit=7",
            "mail list --json --lane=api",
            "issue claim --json --lane=api --within=2h -- 7",
            "say --json --lane=api --subject=x --ack -- web a text",
            "report --json --lane=api --state=working --evidence=a --evidence=b",
        ] {
            let shell: Vec<std::ffi::OsString> = words(line).into_iter().map(Into::into).collect();
            match (parse_call(&words(line)), parse_args(&shell, None)) {
                (Ok(call), Ok(line)) => assert_eq!(Action::Run(Box::new(call)), line.action),
                (call, shell) => assert_eq!(call.map(drop), shell.map(drop), "{line}"),
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_told_in_the_same_words() {
        for line in ["issue claim --json --lane=api", "mail list --json --limit=many", "mail list --json --nothing=x"] {
            let shell: Vec<std::ffi::OsString> = words(line).into_iter().map(Into::into).collect();
            assert_eq!(parse_call(&words(line)).unwrap_err(), parse_args(&shell, None).unwrap_err());
        }
        assert!(parse_call(&words("nothing at all")).is_err());
    }
}
