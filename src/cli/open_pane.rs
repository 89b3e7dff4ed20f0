//! `paralane [--here] -- COMMAND …`: a new pane lane for a program, named after it.

use std::path::Path;

use serde_json::Value;

use super::client::{self, Wait};
use super::site::Site;
use super::{environment, start};
use crate::base::Report;
use crate::command::OpenPane;
use crate::domain::LaneName;
use crate::protocol::Reply;

/// How often another name is tried when somebody else takes one at the same moment.
const TRIES: usize = 3;

/// Characters of the program's name that are used: room for a number is left.
const NAME_LIMIT: usize = 32;

/// Makes the lane and gives its name.
///
/// # Errors
/// When the workstation refuses it.
pub(super) fn open(site: &Site, pane: &OpenPane) -> Result<String, Report> {
    let mut refusal = Report::internal("no name could be found for the new lane");
    for _ in 0..TRIES {
        let taken = names(&ask(site, &["lane", "list", "--json"])?)?;
        let name = free_name(&pane.command[0], &taken);
        let mut arguments = vec!["lane", "new", &name];
        if pane.here {
            arguments.push("--here");
        }
        arguments.push("--");
        arguments.extend(pane.command.iter().map(String::as_str));
        match ask(site, &arguments)?.error {
            None => return Ok(name),
            Some(report) => refusal = report,
        }
        if !names(&ask(site, &["lane", "list", "--json"])?)?.contains(&name) {
            // It was not the name.
            break;
        }
    }
    Err(refusal)
}

fn ask(site: &Site, arguments: &[&str]) -> Result<Reply, Report> {
    let stream = start::connect_or_start(site)?;
    let arguments = arguments.iter().map(|&word| word.to_owned()).collect();
    client::command(stream, arguments, environment::of(site), Wait::Short)
}

/// The names in the answer to `lane list --json`.
fn names(reply: &Reply) -> Result<Vec<String>, Report> {
    if let Some(report) = &reply.error {
        return Err(report.clone());
    }
    let document: Value = serde_json::from_str(&reply.output)
        .map_err(|error| Report::internal(format!("the workstation listed its lanes unreadably: {error}")))?;
    let lanes = document["lanes"].as_array().cloned().unwrap_or_default();
    Ok(lanes.iter().filter_map(|lane| lane["name"].as_str().map(str::to_owned)).collect())
}

/// A lane's name made from the program's file name that no lane has yet.
fn free_name(program: &str, taken: &[String]) -> String {
    let file = Path::new(program).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let plain: String =
        file.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' }).collect();
    let base: String = plain.trim_start_matches(['.', '_', '-']).chars().take(NAME_LIMIT).collect();
    let base = if base.parse::<LaneName>().is_ok() { base } else { "pane".to_owned() };
    let free = |name: &String| !taken.iter().any(|other| other.eq_ignore_ascii_case(name));
    // One of so many names is free.
    let numbered = (2..=taken.len() + 2).map(|number| format!("{base}-{number}"));
    std::iter::once(base.clone()).chain(numbered).find(free).unwrap_or(base)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_lane_is_named_after_its_program() {
        for (program, name) in [
            ("/usr/bin/vim", "vim"),
            ("bash", "bash"),
            ("./run it.sh", "run-it.sh"),
            (".claude-unwrapped", "claude-unwrapped"),
            ("all", "pane"),
            ("x.lock", "pane"),
            ("漢字", "pane"),
            ("/", "pane"),
        ] {
            assert_eq!(free_name(program, &[]), name, "{program}");
        }
        assert_eq!(free_name("vim", &["vim".into(), "VIM-2".into()]), "vim-3");
    }

    proptest! {
        #[test]
        fn any_program_gives_a_valid_free_name(program in ".{0,60}", count in 0usize..4) {
            let mut taken = Vec::new();
            for _ in 0..=count {
                let name = free_name(&program, &taken);
                prop_assert!(name.parse::<LaneName>().is_ok(), "{name}");
                prop_assert!(!taken.contains(&name));
                taken.push(name);
            }
        }
    }
}
