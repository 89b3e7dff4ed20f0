//! `paralane hook git DIRECTORY`: what a governed lane's git is told before it changes refs. The rules stand beside the
//! hooks in `DIRECTORY`, so that they hold without a workstation too. It refuses by its exit status.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::base::{Process, Report};
use crate::git::{CommitWords, NewCommits};
use crate::native::credit;
use crate::native::git_hooks::{RefRules, Repository, Verdict, judge, rules};

/// The directory of hooks, if the arguments ask for this: `hook git DIRECTORY`.
pub(super) fn asked(arguments: &[OsString]) -> Option<PathBuf> {
    match arguments {
        [hook, git, directory] if hook == super::hook::HOOK && git == OsStr::new("git") => Some(directory.into()),
        _ => None,
    }
}

/// Judges what standard input tells.
pub(super) fn run(directory: &Path) -> ExitCode {
    match judged(directory) {
        Ok(()) => ExitCode::SUCCESS,
        Err(report) => {
            super::output::complain(&report);
            ExitCode::FAILURE
        }
    }
}

fn judged(directory: &Path) -> Result<(), Report> {
    let cannot = |what: &str, error: std::io::Error| {
        Report::refused(format!("the lane's hook of git cannot {what}, so no ref was changed: {error}"))
            .hint("`lane restart NAME` makes the lane's hooks anew")
    };
    let rules = rules(directory).map_err(|error| cannot("read its rules", error))?;
    super::hook::same_protocol(rules.protocol)?;
    let mut lines = Vec::new();
    std::io::stdin().lock().read_to_end(&mut lines).map_err(|error| cannot("read what git does", error))?;
    let current = std::env::current_dir().map_err(|error| cannot("tell where it runs", error))?;
    let repository = Repository::here(std::env::var_os("GIT_DIR").map(PathBuf::from), &current)
        .map_err(|error| cannot("find the repository", error))?;
    match judge(&rules, &repository, &String::from_utf8_lossy(&lines), packs()) {
        Verdict::Refused(why) => Err(Report::refused(why)),
        Verdict::Goes(tips) => tips.iter().try_for_each(|tip| uncredited(&rules, tip)),
    }
}

/// Whether git only packs its refs: it started this hook, perhaps by a shell.
fn packs() -> bool {
    let parent = Process::of(std::os::unix::process::parent_id());
    let before = parent.and_then(|parent| Process::of(parent.parent));
    [parent, before].into_iter().flatten().any(|process| process.has_argument("pack-refs"))
}

/// Refuses commits that credit an assistant, unless they were made elsewhere.
fn uncredited(rules: &RefRules, tip: &str) -> Result<(), Report> {
    let new = NewCommits::open(&rules.common_dir, &rules.branch)?;
    let credited = |commit: &CommitWords| credit(&commit.message, &commit.people);
    for commit in new.up_to(tip)? {
        if let Some(words) = credited(&commit).filter(|_| !new.is_elsewhere(&commit)) {
            return Err(Report::refused(format!("the commit {} credits an assistant (`{words}`)", commit.short)).hint(
                "commits here bear the person's name alone: make it again without that line, and by the person",
            ));
        }
    }
    Ok(())
}
