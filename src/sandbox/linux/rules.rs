//! The Landlock rules of one command: what of the files it may read and write, and that it reaches no process outside.

use std::collections::BTreeSet;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};

use super::plan::{TEMPORARY, real};
use crate::sandbox::Bounds;

/// What is asked for; older kernels give what they have.
const WANTED: ABI = ABI::V6;
/// Devices that programs need.
const DEVICES: &[&str] = &["null", "zero", "full", "random", "urandom", "tty", "shm"];

/// The rules for a command that sees a view of its own: the view covers what is secret, the rules hold beside it.
pub(super) fn in_view(bounds: &Bounds, devices: &OwnedFd) -> Result<Option<OwnedFd>, String> {
    let scope = if bounds.network { Scope::Signal | Scope::AbstractUnixSocket } else { Scope::Signal.into() };
    let make = || -> Result<Option<OwnedFd>, RulesetError> {
        let rules = start(scope)?;
        let rules = allow(rules, Path::new("/"), AccessFs::from_read(WANTED))?;
        let rules = rules.add_rule(PathBeneath::new(devices.as_fd(), all()))?;
        writable(rules, bounds).map(Into::into)
    };
    make().map_err(|error| format!("making the file rules: {error}"))
}

/// The rules for a command that sees the machine's own files: what may be read is listed, with the secrets left out.
pub(super) fn alone(bounds: &Bounds) -> Result<Option<OwnedFd>, String> {
    // What lies in a hidden directory and belongs to the lane has a rule of its own.
    let hidden: BTreeSet<PathBuf> =
        bounds.hide.iter().filter_map(|path| real(path)).chain([PathBuf::from("/dev")]).collect();
    let make = || -> Result<Option<OwnedFd>, RulesetError> {
        let mut rules = start(Scope::Signal | Scope::AbstractUnixSocket)?;
        // Names may be listed everywhere: a rule for a directory counts for all below it.
        rules = allow(rules, Path::new("/"), AccessFs::ReadDir.into())?;
        for path in readable(&hidden) {
            rules = allow(rules, &path, AccessFs::from_read(WANTED))?;
        }
        for device in DEVICES {
            rules = allow(rules, &Path::new("/dev").join(device), all())?;
        }
        writable(rules, bounds).map(Into::into)
    };
    make().map_err(|error| format!("making the file rules: {error}"))
}

fn start(scope: BitFlags<Scope>) -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(WANTED))?
        .scope(scope)?
        .create()
}

/// Everything but making device files.
fn all() -> BitFlags<AccessFs> {
    AccessFs::from_all(WANTED) & !(AccessFs::MakeChar | AccessFs::MakeBlock)
}

fn writable(mut rules: RulesetCreated, bounds: &Bounds) -> Result<RulesetCreated, RulesetError> {
    let hidden: Vec<PathBuf> = bounds.hide.iter().filter_map(|path| real(path)).collect();
    let secret = |path: &PathBuf| hidden.iter().any(|hidden| path.starts_with(hidden));
    let more = bounds.write.iter().filter_map(|path| real(path)).filter(|path| !secret(path));
    let paths = [bounds.worktree.clone(), bounds.temporary.clone()].into_iter().chain(more);
    for path in paths {
        rules = allow(rules, &path, all() & !BitFlags::from(AccessFs::IoctlDev))?;
    }
    Ok(rules)
}

/// A rule for a path, if it is there.
fn allow(rules: RulesetCreated, path: &Path, rights: BitFlags<AccessFs>) -> Result<RulesetCreated, RulesetError> {
    let Ok(fd) = PathFd::new(path) else { return Ok(rules) };
    let rights = if path.is_dir() { rights } else { rights & AccessFs::from_file(WANTED) };
    rules.add_rule(PathBeneath::new(fd, rights))
}

/// The fewest paths that together hold everything but what is hidden.
fn readable(hidden: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::from("/")];
    while let Some(directory) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if hidden.contains(&path) || path.is_symlink() {
                continue;
            }
            if hidden.iter().any(|hidden| hidden.starts_with(&path)) {
                open.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found
}

/// The variable that tells programs where temporary files go: what they call it in a view of their own.
pub(super) fn temporary_in_view() -> &'static str {
    TEMPORARY.first().copied().unwrap_or("/tmp")
}
