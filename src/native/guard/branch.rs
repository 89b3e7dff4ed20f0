//! Commands that leave the lane's branch, or move, rename or delete branches: in every spelling that the analysis sees
//! through (`git -C`, wrappers, `bash -c`, chains, substitutions).

use super::{Git, Ground};
use crate::policy::shell::{Analysis, Kind, Simple};

/// What a command does with branches.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::native) enum Branch {
    /// Nothing.
    Stays,
    /// It only brings the lane back to its own.
    Returns,
    /// It leaves it, or moves another; says why it is refused.
    Leaves(String),
    /// It may, and only running tells.
    Unclear(String),
}

/// What one call does.
enum Move {
    None,
    /// To the lane's own branch.
    Home,
    Away(&'static str),
    Unclear(&'static str),
}

/// Looks at a whole command.
pub(super) fn look(analysis: &Analysis, ground: &Ground) -> Branch {
    let Some(own) = ground.branch.as_deref() else { return Branch::Stays };
    let mut returns = false;
    let mut only = true;
    for simple in &analysis.commands {
        match moves(simple, own, ground) {
            Move::None => only &= harmless(simple),
            Move::Home => returns = true,
            Move::Away(what) => {
                return Branch::Leaves(format!(
                    "`{}` {what}. This lane works on `{own}` alone: commit there; what belongs on another branch goes \
                     there by a merge that the person starts",
                    simple.shown()
                ));
            }
            Move::Unclear(what) => {
                let words = format!("`{}` {what}, so it may leave the branch `{own}`: write it out", simple.shown());
                return Branch::Unclear(words);
            }
        }
    }
    if returns && only { Branch::Returns } else { Branch::Stays }
}

/// What may stand beside a return to the lane's branch.
fn harmless(simple: &Simple) -> bool {
    let name = simple.words.first().and_then(|word| word.exact()).unwrap_or_default();
    let git =
        matches!(Git::of(simple), Ok(Some(git)) if matches!(git.sub, "status" | "log" | "diff" | "show" | "stash"));
    git || matches!(name, "cd" | "echo" | "true" | "pwd" | "ls") || simple.kind == Kind::Carrier
}

fn moves(simple: &Simple, own: &str, ground: &Ground) -> Move {
    if simple.kind == Kind::Guess {
        return Move::None;
    }
    let name = simple.words.first().and_then(|word| word.exact()).unwrap_or_default();
    let texts = || simple.words.iter().filter_map(|word| word.exact());
    if name.rsplit('/').next() == Some("gh") {
        let checkout = texts().any(|word| word == "checkout") && texts().any(|word| word == "pr");
        return if checkout { Move::Away("checks out another branch") } else { Move::None };
    }
    let git = match Git::of(simple) {
        Ok(Some(git)) => git,
        Ok(None) => return Move::None,
        Err(()) => return Move::Unclear("names what git is to do only when it runs"),
    };
    if git.globals("-c").iter().any(|setting| setting.to_ascii_lowercase().starts_with("alias.")) {
        return Move::Unclear("makes a name of its own for what git is to do");
    }
    of_git(&git, own, ground)
}

fn of_git(git: &Git<'_>, own: &str, ground: &Ground) -> Move {
    let all: Vec<Option<&str>> = git.arguments().collect();
    let known: Vec<&str> = all.iter().flatten().copied().collect();
    let has = |options: &[&str]| known.iter().any(|word| options.contains(word));
    let unclear = all.contains(&None);
    let dashes = known.iter().position(|word| *word == "--");
    let before = &known[..dashes.unwrap_or(known.len())];
    let plain: Vec<&str> = before.iter().copied().filter(|word| !word.starts_with('-') || *word == "-").collect();
    // `-bNAME` as one word.
    let short = |letters: &[char]| {
        before.iter().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letters))
    };
    if has(&["--help", "-h"]) {
        return Move::None;
    }
    match git.sub {
        "switch" => match plain.as_slice() {
            _ if short(&['c', 'C']) || has(&["--create", "--force-create", "--orphan", "--detach", "-d"]) => {
                Move::Away("leaves the lane's branch")
            }
            _ if unclear => Move::Unclear("names the branch only when it runs"),
            [name] if *name == own => Move::Home,
            [] => Move::None,
            _ => Move::Away("leaves the lane's branch"),
        },
        "checkout" => {
            if short(&['b', 'B']) || has(&["--orphan", "--detach", "-d"]) {
                return Move::Away("leaves the lane's branch");
            }
            match plain.as_slice() {
                _ if dashes.is_some() => Move::None,
                [name] if *name == own => Move::Home,
                [] if unclear => Move::Unclear("names what to check out only when it runs"),
                [] => Move::None,
                // A file or directory that stands there is brought back; a branch of that name too is told by git.
                [name] if *name != "-" && ground.current.join(name).symlink_metadata().is_ok() => Move::None,
                [_] => Move::Away("leaves the lane's branch; for a file, write `git checkout -- FILE`"),
                _ => Move::None,
            }
        }
        "branch" => {
            let moves = short(&['m', 'M', 'd', 'D', 'f', 'c', 'C'])
                || has(&["--move", "--delete", "--force", "--copy", "--set-upstream-to", "-u"]) && !has(&["-u"]);
            if moves { Move::Away("renames, moves or deletes a branch") } else { Move::None }
        }
        "symbolic-ref" if plain.len() > 1 || has(&["-d", "--delete"]) => Move::Away("points HEAD elsewhere"),
        "update-ref" => Move::Away("moves a ref by hand"),
        "worktree" if !matches!(plain.first(), Some(&"list") | None) => {
            Move::Away("makes or removes worktrees, which lanes do")
        }
        "stash" if plain.first() == Some(&"branch") => Move::Away("makes a branch of a stash"),
        "bisect" if !matches!(plain.first(), Some(&"log" | &"view" | &"visualize") | None) => {
            Move::Away("checks out other commits")
        }
        // `git rebase UPSTREAM BRANCH` checks BRANCH out first.
        "rebase" if plain.len() > 1 && plain[1] != own => Move::Away("checks out another branch"),
        "push"
            if has(&["--delete", "-d", "--mirror", "--force", "-f"]) || plain.iter().any(|word| word.contains(':')) =>
        {
            Move::Away("rewrites or deletes a branch elsewhere")
        }
        "fetch" if plain.iter().skip(1).any(|word| word.contains(':')) => Move::Away("writes to other branches"),
        _ => Move::None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::ground::tests::ground;
    use super::*;
    use crate::policy::shell::analyse;

    fn of(command: &str) -> Branch {
        let (_all, ground) = ground();
        look(&analyse(command), &ground)
    }

    #[test]
    fn every_spelling_of_leaving_is_refused() {
        for command in [
            "git switch main",
            "git switch -c new",
            "git switch -",
            "git checkout main",
            "git checkout -b new",
            "git checkout -bnew",
            "git checkout -",
            "git checkout --detach",
            "git checkout HEAD~1",
            "git -C . checkout main",
            "git --no-pager checkout main",
            "/usr/bin/git checkout main",
            "cd src && git checkout main",
            "bash -c 'git checkout main'",
            "sh -c \"git switch main\"",
            "env X=1 git switch main",
            "sudo git switch main",
            "nohup git switch main &",
            "x=$(git checkout main)",
            "true || (git checkout main)",
            "find . -exec git checkout main \\;",
            "git branch -m other",
            "git branch -D lane/api",
            "git branch -f main HEAD",
            "git symbolic-ref HEAD refs/heads/main",
            "git update-ref refs/heads/main HEAD",
            "git worktree add ../x",
            "git stash branch x",
            "git rebase main lane/api",
            "gh pr checkout 3",
            "git push origin :main",
        ] {
            assert!(matches!(of(command), Branch::Leaves(_)), "{command}: {:?}", of(command));
        }
        for command in ["git $X main", "git -c alias.x=checkout x main", "git switch $B"] {
            assert!(matches!(of(command), Branch::Unclear(_)), "{command}: {:?}", of(command));
        }
    }

    #[test]
    fn work_on_the_branch_is_let_through_and_the_way_back_is_known() {
        for command in [
            "git status",
            "git checkout -- src/a.rs",
            "git checkout src",
            "git checkout HEAD~1 -- src/a.rs",
            "git branch",
            "git branch --show-current",
            "git commit -m 'switch to main'",
            "git symbolic-ref HEAD",
            "git rebase main",
            "git push origin lane/web",
            "git worktree list",
            "echo git switch main",
            "git log main..lane/web",
            "git switch --help",
        ] {
            assert_eq!(of(command), Branch::Stays, "{command}");
        }
        for command in ["git switch lane/web", "git checkout lane/web", "git status && git switch lane/web"] {
            assert_eq!(of(command), Branch::Returns, "{command}");
        }
        assert_eq!(of("git switch lane/web && rm -rf src"), Branch::Stays);
    }

    #[test]
    fn a_lane_in_the_base_checkout_has_no_branch_to_keep() {
        let (_all, ground) = ground();
        let here = Ground { branch: None, ..ground };
        assert_eq!(look(&analyse("git switch main"), &here), Branch::Stays);
    }
}
