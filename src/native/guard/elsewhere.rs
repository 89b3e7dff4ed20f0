//! Commands of git that work on another place than the lane's worktree: `git -C ../base reset`, `cd ../base && git add`.
//! They may look there, and nothing else.

use std::path::Path;

use super::{Git, Ground, Leads};
use crate::policy::shell::{Analysis, Simple};

/// Commands that only look.
const LOOKS: [&str; 29] = [
    "archive",
    "blame",
    "cat-file",
    "check-attr",
    "check-ignore",
    "count-objects",
    "describe",
    "diff",
    "diff-index",
    "diff-tree",
    "for-each-ref",
    "fsck",
    "grep",
    "help",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge-base",
    "name-rev",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "show-ref",
    "status",
    "var",
    "version",
    "whatchanged",
];

/// Why a command is refused, if it does so.
pub(super) fn look(analysis: &Analysis, ground: &Ground) -> Option<String> {
    let moved = analysis.directories.iter().find(|to| outside(to, ground));
    analysis.commands.iter().find_map(|simple| {
        let git = Git::of(simple).ok().flatten().filter(|git| !looks(git))?;
        let named = ["-C", "--git-dir", "--work-tree"].into_iter().flat_map(|option| git.globals(option));
        let named = named.into_iter().find(|to| outside(to, ground)).map(str::to_owned);
        named.or_else(|| moved.cloned()).map(|place| refusal(simple, &place, ground))
    })
}

fn refusal(simple: &Simple, place: &str, ground: &Ground) -> String {
    format!(
        "`{}` works on `{place}`, which lies outside this lane's worktree `{}`: run git in the worktree; what is \
         elsewhere may be looked at",
        simple.shown(),
        ground.directory.display()
    )
}

/// Whether a directory that a command names is neither the lane's nor open to all.
fn outside(to: &str, ground: &Ground) -> bool {
    let home = |rest: &str| ground.home.as_ref().map(|home| home.join(rest.trim_start_matches('/')));
    let path = to.strip_prefix('~').and_then(home).unwrap_or_else(|| Path::new(to).to_owned());
    // One that nobody knows is empty, and asks.
    !to.is_empty() && matches!(ground.leads(&path), Leads::Outside(_))
}

fn looks(git: &Git<'_>) -> bool {
    let plain = || git.arguments().flatten().filter(|word| !word.starts_with('-'));
    match git.sub {
        "branch" | "tag" | "remote" | "config" => {
            plain().count() == 0 || git.arguments().flatten().any(|word| word == "--get")
        }
        "stash" | "worktree" | "reflog" | "notes" => matches!(plain().next(), Some("list" | "show")),
        sub => LOOKS.contains(&sub),
    }
}

#[cfg(test)]
mod tests {
    use super::super::ground_for_tests as ground;
    use super::*;
    use crate::policy::shell::analyse;

    #[test]
    fn git_works_in_the_lane_and_looks_elsewhere() {
        let (_all, ground) = ground();
        let of = |command: &str| look(&analyse(command), &ground);
        for command in [
            "git -C ../base reset --hard",
            "git -C ../base add .",
            "git --git-dir ../base/.git --work-tree ../base commit -m x",
            "git --work-tree=../base checkout -- .",
            "cd ../base && git commit -am x",
            "cd link && git clean -fdx",
            "bash -c 'cd ../base; git stash'",
            "git -C ~/other pull",
        ] {
            assert!(of(command).is_some(), "{command}");
        }
        for command in [
            "git -C ../base log",
            "git -C ../base status && git commit -m x",
            "cd ../base && git diff",
            "git -C src add .",
            "cd src && git add .",
            "git -C ../tmp/x commit -m x",
            "git -C ../base branch",
            "git -C ../base stash list",
        ] {
            assert_eq!(of(command), None, "{command}");
        }
    }
}
