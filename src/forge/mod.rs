//! Forges through the programs that people have anyway: `gh` for GitHub, `bd` for Beads.
//!
//! [`find`] gives the one that a repository has, or none. Every call is best effort: the program has a time limit, what
//! it prints a size limit, and it can ask nobody anything.

mod beads;
mod github;
mod run;

use std::path::Path;
use std::time::Duration;

use crate::domain::{Forge, ForgeKind};

/// The forge of a repository. `origin` is the address of its remote of that name, if it has one.
#[must_use]
pub fn find(kind: ForgeKind, root: &Path, origin: Option<&str>, patience: Duration) -> Option<Box<dyn Forge>> {
    let kind = match kind {
        ForgeKind::Auto if root.join(".beads").is_dir() => ForgeKind::Beads,
        ForgeKind::Auto if origin.is_some_and(on_github) => ForgeKind::Github,
        ForgeKind::Auto => ForgeKind::None,
        kind => kind,
    };
    let program = |name| run::Program { name, directory: root.to_owned(), patience };
    match kind {
        ForgeKind::Github => Some(Box::new(github::Github(program("gh")))),
        ForgeKind::Beads => Some(Box::new(beads::Beads(program("bd")))),
        ForgeKind::None | ForgeKind::Auto => None,
    }
}

/// `https://github.com/a/b`, `git@github.com:a/b`, `ssh://git@github.com/a/b`
fn on_github(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.split_once('@').map_or(rest, |(_, rest)| rest);
    rest.split(['/', ':']).next().is_some_and(|host| host.eq_ignore_ascii_case("github.com"))
}

#[cfg(test)]
mod tests;
