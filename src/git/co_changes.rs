//! Files that changed together in the base's newest commits. Read once for each HEAD, and only what is new of it.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Mutex;

use git2::{DiffOptions, Oid, Repository, Sort};

use crate::base::lock;
use crate::domain::{ChangeHistory, CoChange};

/// Commits that are looked at.
const COMMITS: usize = 500;
/// A commit of more files than this says nothing of what belongs together.
const FILES: usize = 50;
/// Files that changed together less often than this did so by chance.
const TIMES: usize = 3;
/// Files told at most.
const TOLD: usize = 200;

/// What each of the newest commits changed, newest first.
#[derive(Default)]
struct Known {
    head: Option<Oid>,
    commits: VecDeque<Vec<String>>,
}

/// The history of a repository's base checkout.
pub struct BaseHistory {
    root: PathBuf,
    known: Mutex<Known>,
}

impl BaseHistory {
    /// Nothing is read before it is asked.
    #[must_use]
    pub fn new(root: PathBuf) -> Self {
        Self { root, known: Mutex::new(Known::default()) }
    }

    /// Brings what is known to the base's HEAD.
    fn renew(&self, known: &mut Known) -> Result<(), git2::Error> {
        let repository = Repository::open(&self.root)?;
        let head = repository.head()?.peel_to_commit()?.id();
        if known.head == Some(head) {
            return Ok(());
        }
        let grows = known.head.is_some_and(|old| repository.graph_descendant_of(head, old).unwrap_or(false));
        let mut walk = repository.revwalk()?;
        walk.set_sorting(Sort::TOPOLOGICAL | Sort::TIME)?;
        walk.push(head)?;
        if let Some(old) = known.head.filter(|_| grows) {
            walk.hide(old)?;
        } else {
            known.commits.clear();
            known.head = None;
        }
        let mut new = Vec::new();
        for oid in walk.take(COMMITS) {
            new.push(changed(&repository, oid?)?);
        }
        for files in new.into_iter().rev() {
            known.commits.push_front(files);
        }
        known.commits.truncate(COMMITS);
        known.head = Some(head);
        Ok(())
    }
}

/// The files that one commit changed; none for a merge, whose commits are looked at themselves, and for a large one.
fn changed(repository: &Repository, oid: Oid) -> Result<Vec<String>, git2::Error> {
    let commit = repository.find_commit(oid)?;
    if commit.parent_count() > 1 {
        return Ok(Vec::new());
    }
    let parent = commit.parents().next().map(|parent| parent.tree()).transpose()?;
    let mut options = DiffOptions::new();
    options.skip_binary_check(true).include_typechange(true);
    let diff = repository.diff_tree_to_tree(parent.as_ref(), Some(&commit.tree()?), Some(&mut options))?;
    let deltas = diff.deltas();
    if deltas.len() > FILES {
        return Ok(Vec::new());
    }
    let paths = deltas.filter_map(|delta| delta.new_file().path().or_else(|| delta.old_file().path()));
    Ok(paths.filter_map(|path| path.to_str().map(str::to_owned)).collect())
}

impl ChangeHistory for BaseHistory {
    fn changed_with(&self, of: &dyn Fn(&str) -> bool) -> Vec<CoChange> {
        let mut known = lock(&self.known);
        if self.renew(&mut known).is_err() {
            // A repository without commits, or one that cannot be read: there is nothing to say.
            *known = Known::default();
            return Vec::new();
        }
        let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        for files in &known.commits {
            let meant: Vec<&String> = files.iter().filter(|file| of(file)).collect();
            for other in files.iter().filter(|file| !of(file)) {
                for one in &meant {
                    *counts.entry(other).or_default().entry(one).or_default() += 1;
                }
            }
        }
        let most = |(path, with): (&str, BTreeMap<&str, usize>)| {
            let (with, commits) = with.into_iter().max_by_key(|(_, commits)| *commits)?;
            (commits >= TIMES).then(|| CoChange { path: path.to_owned(), with: with.to_owned(), commits })
        };
        let mut all: Vec<CoChange> = counts.into_iter().filter_map(most).collect();
        all.sort_by(|a, b| b.commits.cmp(&a.commits).then_with(|| a.cmp(b)));
        all.truncate(TOLD);
        all
    }
}
