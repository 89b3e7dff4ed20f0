//! What a lane's own agent asks of git: state, changes, commits, and making one.
//!
//! Arguments are values, never text for a shell: names are resolved to commits before they are used, paths are taken
//! as they are written, and nothing that begins with `-` is ever read as an option.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use git2::{DiffFormat, DiffOptions, Repository};

use super::cancel::Cancel;
use super::error::GitError;
use super::project::Project;
use super::run::Git;
use super::status::{self, Status};
use super::{hooks, names, project};
use crate::base::one_line;
use crate::domain::{GitAsk, Place, Sandbox};

/// Bytes of a preview: more than this nobody judges.
const PREVIEW: usize = 256 * 1024;
/// The mode of an index's entry that is a repository of its own.
const REPOSITORY: u32 = 0o160_000;
/// How long signing may take: a person can give a passphrase meanwhile.
const SIGNING: Duration = Duration::from_secs(60);
/// Paths given to one `git add`.
const AT_ONCE: usize = 500;
/// What every reading git gets: no colours, no programs of the configuration, paths as they are. No git is run in
/// repositories within the worktree: it would go by their configuration, which the agent writes.
const PLAIN: [&str; 9] = [
    "-c",
    "diff.ignoreSubmodules=dirty",
    "-c",
    "core.quotePath=false",
    "-c",
    "core.fsmonitor=false",
    "--no-pager",
    "--literal-pathspecs",
    "--no-optional-locks",
];

/// Git's answer as text. Hooks that stand in the checkout run within the sandbox when a commit is made.
///
/// # Errors
/// When a commit is not known, there is nothing to commit, or git or a hook refuses; cancelled.
pub fn ask(
    project: &Project,
    place: &Place,
    ask: &GitAsk,
    sandbox: &dyn Sandbox,
    cancel: &Cancel,
) -> Result<String, GitError> {
    project.stands(place)?;
    within(project, place, ask, sandbox, cancel, SIGNING)
}

/// The same, where signing may take so long.
pub(super) fn within(
    project: &Project,
    place: &Place,
    ask: &GitAsk,
    sandbox: &dyn Sandbox,
    cancel: &Cancel,
    patience: Duration,
) -> Result<String, GitError> {
    let asked = Asked { project, place, dir: &place.directory, sandbox, cancel, patience };
    match ask {
        GitAsk::Status => {
            asked.read("asking for the state", &["status", "--short", "--branch", "--ignore-submodules=dirty"], &[])
        }
        GitAsk::Diff { staged, against, paths, summary } => {
            let mut args = vec!["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
            args.extend(summary.then_some("--stat"));
            args.extend(staged.then_some("--cached"));
            let against = against.as_deref().map(|name| asked.range(name)).transpose()?;
            // Without a commit: everything since the last one, staged or not.
            args.push(against.as_deref().unwrap_or(if *staged { "--" } else { "HEAD" }));
            asked.read("comparing", &args, paths).map(|text| or(text, "nothing differs"))
        }
        GitAsk::Log { count, from, path } => {
            let count = format!("--max-count={count}");
            let from = from.as_deref().map(|name| asked.range(name)).transpose()?;
            let mut args = vec!["log", "--no-color", "--format=%h %as %an: %s%d", &count];
            args.extend(from.as_deref());
            asked.read("reading the commits", &args, path.as_slice()).map(|text| or(text, "no commit touches that"))
        }
        GitAsk::Preview { paths } => asked.preview(paths),
        GitAsk::Commit { message, paths } => asked.commit(message, paths),
    }
}

fn or(text: String, empty: &str) -> String {
    if text.trim().is_empty() { empty.to_owned() } else { text }
}

struct Asked<'a> {
    project: &'a Project,
    place: &'a Place,
    dir: &'a Path,
    sandbox: &'a dyn Sandbox,
    cancel: &'a Cancel,
    patience: Duration,
}

impl Asked<'_> {
    fn git(&self, doing: &str) -> Git<'_> {
        self.project.git(self.dir, format!("{doing} in `{}`", self.dir.display()))
    }

    fn read(&self, doing: &str, args: &[&str], paths: &[String]) -> Result<String, GitError> {
        let args = args.iter().filter(|arg| **arg != "--");
        let git = self.git(doing).args(PLAIN).args(args).args(["--"]).args(paths);
        Ok(String::from_utf8_lossy(&git.answer(self.cancel)?).into_owned())
    }

    /// A commit, or two with dots between, by their full names.
    fn range(&self, name: &str) -> Result<String, GitError> {
        let (from, dots, to) = match (name.split_once("..."), name.split_once("..")) {
            (Some((from, to)), _) => (from, "...", to),
            (None, Some((from, to))) => (from, "..", to),
            (None, None) => return self.commit_named(name),
        };
        let end = |name: &str| if name.is_empty() { Ok("HEAD".to_owned()) } else { self.commit_named(name) };
        Ok(format!("{}{dots}{}", end(from)?, end(to)?))
    }

    fn commit_named(&self, name: &str) -> Result<String, GitError> {
        let repo = project::open(self.dir).map_err(GitError::library("opening the lane's worktree"))?;
        let unknown = || GitError::UnknownCommit { name: name.to_owned() };
        let found = repo.revparse_single(name).map_err(|_| unknown())?;
        Ok(found.peel_to_commit().map_err(|_| unknown())?.id().to_string())
    }

    /// What a commit of these paths would take: what differs from the last commit, but nothing that setting up the
    /// lane has copied from the base checkout.
    fn chosen(&self, repo: &Repository, paths: &[String]) -> Result<BTreeSet<Vec<u8>>, GitError> {
        let Status { changed, untracked } = status::status(self.project, self.dir, repo)?;
        let copied = |path: &[u8]| !self.place.is_here() && status::has_twin(self.project, self.dir, path);
        let own = untracked.into_iter().filter(|path| !copied(path));
        let wanted: Vec<String> = paths.iter().map(|path| self.relative(path)).collect();
        let within = |path: &Vec<u8>| {
            let below = |wanted: &String| {
                let rest = path.strip_prefix(wanted.as_bytes());
                wanted.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
            };
            wanted.is_empty() || wanted.iter().any(below)
        };
        let chosen: BTreeSet<Vec<u8>> = changed.into_iter().chain(own).filter(within).collect();
        if chosen.is_empty() {
            return Err(GitError::NothingToCommit { paths: paths.to_vec() });
        }
        Ok(chosen)
    }

    /// A path as git names it.
    fn relative(&self, path: &str) -> String {
        let below = Path::new(path).strip_prefix(self.dir).map_or(path, |rest| rest.to_str().unwrap_or(path));
        let path = below.trim_start_matches("./").trim_end_matches('/');
        if path == "." { String::new() } else { path.to_owned() }
    }

    fn preview(&self, paths: &[String]) -> Result<String, GitError> {
        let repo = project::open(self.dir).map_err(GitError::library("opening the lane's worktree"))?;
        let chosen = self.chosen(&repo, paths)?;
        let reading = || GitError::library("comparing with the last commit");
        let head = repo.head().and_then(|head| head.peel_to_tree()).map_err(reading())?;
        let mut options = DiffOptions::new();
        options.include_untracked(true).recurse_untracked_dirs(true).show_untracked_content(true);
        options.disable_pathspec_match(true);
        for path in &chosen {
            options.pathspec(names::path(path));
        }
        let diff = repo.diff_tree_to_workdir_with_index(Some(&head), Some(&mut options)).map_err(reading())?;
        let mut text = Vec::new();
        let printed = diff.print(DiffFormat::Patch, |_, _, line| {
            if matches!(line.origin(), '+' | '-' | ' ') {
                text.push(line.origin() as u8);
            }
            text.extend_from_slice(line.content());
            text.len() <= PREVIEW
        });
        let mut text = String::from_utf8_lossy(&text).into_owned();
        if text.len() > PREVIEW {
            text.push_str("\n… the rest is left out\n");
        } else {
            printed.map_err(reading())?;
        }
        Ok(text)
    }

    /// Makes a commit that is signed: whoever holds the keys may wait for a passphrase for ever.
    fn signed(&self, git: &Git<'_>, walled: bool) -> Result<(), GitError> {
        let unlock = "unlock the key (`gpg --clearsign </dev/null`, or `ssh-add`)";
        let late = AtomicBool::new(false);
        let (cancel, patience, is_late) = (self.cancel, self.patience, &late);
        let (over, waits) = mpsc::channel::<()>();
        let made = thread::scope(|scope| {
            scope.spawn(move || {
                if waits.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                    is_late.store(true, Ordering::SeqCst);
                    cancel.cancel();
                }
            });
            let made = git.answer(cancel);
            drop(over);
            made
        });
        match made {
            Err(_) if late.load(Ordering::SeqCst) => {
                let why =
                    format!("it took more than {} s, so that a passphrase may be asked for", self.patience.as_secs());
                Err(GitError::Unsigned { why, remedy: unlock })
            }
            Err(GitError::Git { stderr, .. }) if stderr.contains("sign") || stderr.contains("commit object") => {
                if walled {
                    let why = "the hooks of this checkout run behind walls, where keys are hidden".to_owned();
                    return Err(GitError::Unsigned { why, remedy: "move the hooks to `.git/hooks`" });
                }
                let said: Vec<String> = stderr.lines().filter(|line| !line.trim().is_empty()).map(one_line).collect();
                Err(GitError::Unsigned { why: said.join("; "), remedy: unlock })
            }
            made => made.map(drop),
        }
    }

    fn commit(&self, message: &str, paths: &[String]) -> Result<String, GitError> {
        let repo = project::open(self.dir).map_err(GitError::library("opening the lane's worktree"))?;
        let chosen: Vec<_> = self.chosen(&repo, paths)?.into_iter().map(|path| names::path(&path)).collect();
        let index = repo.index().map_err(GitError::library("reading the index"))?;
        let inner = |path: &PathBuf| index.get_path(path, 0).is_some_and(|entry| entry.mode == REPOSITORY);
        let (inner, files): (Vec<PathBuf>, Vec<PathBuf>) = chosen.iter().cloned().partition(inner);
        for some in files.chunks(AT_ONCE) {
            let git = self.git("adding to the index").args(["--literal-pathspecs", "add", "--all", "--"]);
            git.args(some).answer(self.cancel)?;
        }
        for some in inner.chunks(AT_ONCE) {
            // `add` would run git in them.
            let git = self.git("adding to the index").args(["update-index", "--remove", "--"]);
            git.args(some).answer(self.cancel)?;
        }
        let mut git = self.git("committing").args(["-c", "diff.ignoreSubmodules=dirty", "--literal-pathspecs"]);
        git = git.args(["commit", "--quiet"]);
        git = git.args([format!("--message={message}")]);
        if !paths.is_empty() {
            git = git.args(["--only", "--"]).args(&chosen);
        }
        let hooks = hooks::in_checkout(self.project, self.dir);
        // In the base checkout nothing of the repository is writable behind walls, so git could not commit.
        if hooks.is_some() && !self.place.is_here() {
            git = git.within(self.sandbox);
        }
        if repo.config().and_then(|config| config.get_bool("commit.gpgsign")).unwrap_or(false) {
            self.signed(&git, hooks.is_some() && !self.place.is_here())?;
        } else {
            git.answer(self.cancel)?;
        }
        let shown = ["show", "--no-color", "--no-ext-diff", "--no-textconv", "--stat", "--format=%h %s", "HEAD"];
        let told = self.read("reading the commit", &shown, &[])?;
        Ok(match hooks.filter(|_| self.place.is_here()) {
            Some(hooks) => format!("{told}\n[hooks in `{}` were not run: they stand in the checkout]", hooks.display()),
            None => told,
        })
    }
}
