//! Commands that leave the lane's branch, or move, rename or delete branches: in every spelling that the analysis sees
//! through (`git -C`, wrappers, `bash -c`, chains, substitutions, the person's aliases).

use super::{Git, Ground};
use crate::native::tools::quoted;
use crate::policy::shell::{Analysis, Kind, Simple, analyse};

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
    if name.rsplit('/').next() == Some("gh") {
        return of_gh(simple);
    }
    match Git::of(simple) {
        Ok(Some(git)) => aliased(&git, own, ground).unwrap_or_else(|| of_git(&git, own, ground)),
        Ok(None) => Move::None,
        Err(()) => Move::Unclear("names what git is to do only when it runs"),
    }
}

/// GitHub's own program.
fn of_gh(simple: &Simple) -> Move {
    let has = |wanted: &str| simple.words.iter().any(|word| word.exact() == Some(wanted));
    let checkout = has("checkout") && (has("pr") || has("co"));
    let leaves = has("pr") && has("merge") && (has("-d") || has("--delete-branch"));
    match () {
        () if checkout => Move::Away("checks out another branch"),
        () if leaves => Move::Away("checks out another branch and deletes this one"),
        () if has("repo") && has("sync") => Move::Away("moves the base branch"),
        () => Move::None,
    }
}

/// A name that the person's settings give to something: what it stands for is judged, with the arguments behind it.
fn aliased(git: &Git<'_>, own: &str, ground: &Ground) -> Option<Move> {
    let meaning = ground.aliases.iter().find(|(name, _)| name.eq_ignore_ascii_case(git.sub)).map(|(_, text)| text)?;
    let unclear = Move::Unclear("stands for a command that cannot be followed");
    let rest: Vec<String> = git.arguments().map(|word| word.map(quoted)).collect::<Option<_>>().unwrap_or_default();
    let text = match meaning.strip_prefix('!') {
        Some(script) => format!("{script} {}", rest.join(" ")),
        None => format!("git {meaning} {}", rest.join(" ")),
    };
    // An alias of an alias is followed no further: git does not follow itself either.
    let inner = Ground { aliases: Vec::new(), ..ground.clone() };
    let analysis = analyse(&text);
    if rest.is_empty() && git.arguments().count() > 0 {
        return Some(unclear);
    }
    let moves = analysis.commands.iter().map(|simple| moves(simple, own, &inner));
    Some(moves.fold(Move::None, |all, one| match (all, one) {
        (Move::None, one) => one,
        (all, _) => all,
    }))
}

/// The arguments of a call of git, in kinds.
struct Arguments<'a> {
    /// What stands before `--`, options left out.
    plain: Vec<&'a str>,
    options: Vec<&'a str>,
    /// Some are told only by running.
    unclear: bool,
    /// There is a `--`.
    dashes: bool,
}

impl<'a> Arguments<'a> {
    /// `valued` are options whose value is the next word.
    fn of(git: &Git<'a>, valued: &[&str]) -> Self {
        let all: Vec<Option<&str>> = git.arguments().collect();
        let known: Vec<&str> = all.iter().flatten().copied().collect();
        let end = known.iter().position(|word| *word == "--");
        let (mut plain, mut options) = (Vec::new(), Vec::new());
        let mut words = known.iter().take(end.unwrap_or(known.len())).copied();
        while let Some(word) = words.next() {
            if word.len() > 1 && word.starts_with('-') {
                options.push(word);
                if valued.contains(&word) {
                    let _value = words.next();
                }
            } else {
                plain.push(word);
            }
        }
        Self { unclear: all.contains(&None), dashes: end.is_some(), plain, options }
    }

    /// Whether one of these letters stands among the short options, also joined as in `-bNAME`.
    fn short(&self, letters: &[char]) -> bool {
        self.options.iter().any(|word| !word.starts_with("--") && word.contains(letters))
    }

    /// Whether one of these long options is given; git takes any beginning of them.
    fn long(&self, names: &[&str]) -> bool {
        self.options.iter().any(|word| {
            let name = word.split('=').next().unwrap_or(word);
            name.len() > 3 && name.starts_with("--") && names.iter().any(|known| known.starts_with(name))
        })
    }
}

fn of_git(git: &Git<'_>, own: &str, ground: &Ground) -> Move {
    let valued: &[&str] = match git.sub {
        "rebase" => &["--onto", "-x", "--exec", "-s", "--strategy", "-X", "--strategy-option", "-C"],
        "branch" => &["--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "--sort", "--format"],
        _ => &[],
    };
    let args = Arguments::of(git, valued);
    let plain = args.plain.as_slice();
    if args.options.iter().any(|word| matches!(*word, "--help" | "-h")) {
        return Move::None;
    }
    match git.sub {
        "switch" => match plain {
            _ if args.short(&['c', 'C', 'd']) || args.long(&["--create", "--force-create", "--orphan", "--detach"]) => {
                Move::Away(LEAVES)
            }
            _ if args.unclear => Move::Unclear("names the branch only when it runs"),
            [name] if *name == own => Move::Home,
            [] => Move::None,
            _ => Move::Away(LEAVES),
        },
        "checkout" => checkout(&args, own, ground),
        "branch" => branch(&args, own),
        "reset" => {
            let drops = args.long(&["--hard", "--keep", "--merge"]);
            match plain {
                [to, ..] if drops && !args.dashes && is_other(to, own) => {
                    Move::Away("makes another branch's state of the lane's branch and drops its own work")
                }
                _ if drops && args.unclear => Move::Unclear("names where to only when it runs"),
                _ => Move::None,
            }
        }
        "symbolic-ref" if plain.len() > 1 || args.short(&['d']) || args.long(&["--delete"]) => {
            Move::Away("points HEAD elsewhere")
        }
        "update-ref" | "fast-import" | "filter-branch" | "receive-pack" => Move::Away("moves refs by hand"),
        "worktree" if !matches!(plain.first(), Some(&"list") | None) => {
            Move::Away("makes or removes worktrees, which lanes do")
        }
        "stash" if plain.first() == Some(&"branch") => Move::Away("makes a branch of a stash"),
        "bisect" if !matches!(plain.first(), Some(&"log" | &"view" | &"visualize") | None) => {
            Move::Away("checks out other commits")
        }
        "rebase" if args.long(&["--update-refs"]) => Move::Away("moves other branches too"),
        // `git rebase UPSTREAM BRANCH` checks BRANCH out first; with `--root` the branch stands first.
        "rebase" => {
            let branch = plain.get(usize::from(!args.long(&["--root"])));
            let away = branch.is_some_and(|branch| *branch != own && !is_here(branch));
            if away { Move::Away("checks out another branch") } else { Move::None }
        }
        "push"
            if args.short(&['d', 'f'])
                || args.long(&["--delete", "--mirror", "--force", "--prune", "--all", "--branches"])
                || plain.iter().any(|word| word.contains(':') && !word.contains("://") && !is_address(word)) =>
        {
            Move::Away("rewrites or deletes a branch elsewhere")
        }
        "fetch" | "pull" if plain.iter().skip(1).any(|word| word.contains(':')) => {
            Move::Away("writes to other branches")
        }
        _ => Move::None,
    }
}

const LEAVES: &str = "leaves the lane's branch";

/// Whether a word is where HEAD stands already.
fn is_here(name: &str) -> bool {
    name.starts_with("HEAD") || name.starts_with('@')
}

/// `host:path`, as the first argument of a push may be.
fn is_address(word: &str) -> bool {
    word.split_once(':').is_some_and(|(host, path)| (host.contains('@') || host.contains('.')) && path.contains('/'))
}

/// Whether a commit's name is another branch's, and not a place in the lane's own line.
fn is_other(name: &str, own: &str) -> bool {
    let line = name.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with(['~', '^', '@']));
    let id = name.len() >= 7 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    !line && !id && !is_here(name) && !name.starts_with("ORIG_HEAD") && !name.starts_with("refs/paralane/")
}

fn checkout(args: &Arguments<'_>, own: &str, ground: &Ground) -> Move {
    if args.short(&['b', 'B', 'd']) || args.long(&["--orphan", "--detach"]) {
        return Move::Away(LEAVES);
    }
    match args.plain.as_slice() {
        _ if args.dashes => Move::None,
        [name] if *name == own => Move::Home,
        [] if args.unclear => Move::Unclear("names what to check out only when it runs"),
        [] => Move::None,
        // A file or directory that stands there is brought back; a branch of that name too is told by git.
        [name] if *name != "-" && ground.current.join(name).symlink_metadata().is_ok() => Move::None,
        [_] => Move::Away("leaves the lane's branch; for a file, write `git checkout -- FILE`"),
        _ => Move::None,
    }
}

fn branch(args: &Arguments<'_>, own: &str) -> Move {
    if args.short(&['m', 'M', 'd', 'D', 'f', 'c', 'C']) || args.long(&["--move", "--delete", "--force", "--copy"]) {
        return Move::Away("renames, moves or deletes a branch");
    }
    let told = args.short(&['a', 'r', 'l', 'u'])
        || args.long(&["--list", "--all", "--remotes", "--show-current", "--set-upstream-to", "--unset-upstream"])
        || args.long(&["--edit-description", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"]);
    match args.plain.as_slice() {
        [] => Move::None,
        _ if told => Move::None,
        [name, ..] if *name == own => Move::None,
        _ => Move::Away("makes another branch"),
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
            "git push . HEAD:main",
            "git push --force origin lane/web",
            "git switch --det",
            "git switch -fc new",
            "git switch -d",
            "git checkout --orph new",
            "git-checkout main",
            "git branch new",
            "git branch new HEAD~2",
            "git branch --del lane/api",
            "git reset --hard main",
            "git reset --hard origin/main",
            "git reset --keep lane/api~1",
            "git rebase --onto main HEAD~3 lane/api",
            "git rebase --root main",
            "git rebase --update-refs main",
            "git rebase main -x 'git switch main'",
            "git bisect start",
            "git bisect run make",
            "git pull . lane/api:main",
            "git fast-import",
            "git filter-branch -f HEAD",
            "timeout 5 git switch main",
            "eval 'git switch main'",
            "git co main",
            "git sw -c new",
            "git leave",
            "gh pr merge 3 -d",
            "gh co checkout 3",
        ] {
            assert!(matches!(of(command), Branch::Leaves(_)), "{command}: {:?}", of(command));
        }
        for command in ["git $X main", "git switch $B", "git co $B", "git reset --hard $X", "xargs git switch main"] {
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
            "git co -- src/a.rs",
            "git st",
            "git branch -a",
            "git branch --list 'lane/*'",
            "git branch -u origin/x",
            "git branch --contains main",
            "git reset --hard HEAD~1",
            "git reset --hard",
            "git reset --hard 1a2b3c4d",
            "git reset --soft main",
            "git reset main -- src/a.rs",
            "git rebase --onto main HEAD~3",
            "git rebase -i HEAD~3",
            "git rebase --continue",
            "git push -u origin lane/web",
            "git push git@host.example:a/b lane/web",
            "git fetch origin main",
            "git stash",
            "git tag v1",
            "gh pr view 3",
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
