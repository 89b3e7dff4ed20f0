//! Commits that a branch is about to gain, as words: who is named in them.

use std::path::Path;

use git2::{Config, Oid, Repository, Signature, Sort};

use super::error::{GitError, short};
use super::{names, project};

/// Commits that are looked at in one go: a person's merge of more was looked at where they were made.
const MOST: usize = 200;

/// A commit's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitWords {
    /// Its id, shortened.
    pub short: String,
    /// Its message.
    pub message: String,
    /// Author and committer, but for those that git is set to name here anyway.
    pub people: Vec<String>,
    id: Oid,
}

/// Commits that some branch is about to gain.
pub struct NewCommits {
    repo: Repository,
    branch: String,
}

impl NewCommits {
    /// Opens a repository by the directory that all its worktrees share.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(common_dir: &Path, branch: &str) -> Result<Self, GitError> {
        let repo = project::open(common_dir)
            .map_err(GitError::library(format!("opening the repository `{}`", common_dir.display())))?;
        Ok(Self { repo, branch: format!("refs/heads/{branch}") })
    }

    /// The commits up to `tip` that the branch does not have, the newest first, and no more than some hundred.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn up_to(&self, tip: &str) -> Result<Vec<CommitWords>, GitError> {
        self.walk(tip).map_err(GitError::library(format!("reading the commits up to {tip}")))
    }

    fn walk(&self, tip: &str) -> Result<Vec<CommitWords>, git2::Error> {
        let mut walk = self.repo.revwalk()?;
        walk.set_sorting(Sort::TIME)?;
        walk.push(Oid::from_str(tip)?)?;
        if let Ok(id) = self.repo.refname_to_id(&self.branch) {
            walk.hide(id)?;
        }
        let config = self.repo.config()?;
        walk.take(MOST).map(|id| self.words(id?, &config)).collect()
    }

    fn words(&self, id: Oid, config: &Config) -> Result<CommitWords, git2::Error> {
        let commit = self.repo.find_commit(id)?;
        let is = |key: &str, bytes: &[u8]| config.get_string(key).is_ok_and(|value| value.as_bytes() == bytes);
        let usual = |who: &Signature<'_>| is("user.name", who.name_bytes()) && is("user.email", who.email_bytes());
        let people = [commit.author(), commit.committer()];
        let people = people.iter().filter(|who| !usual(who));
        let people =
            people.map(|who| format!("{} <{}>", names::text(who.name_bytes()), names::text(who.email_bytes())));
        Ok(CommitWords {
            short: short(&id.to_string()).to_owned(),
            message: names::text(commit.message_bytes()),
            people: people.collect(),
            id,
        })
    }

    /// Whether another ref has the commit too: then it was made elsewhere, and is only merged.
    #[must_use]
    pub fn is_elsewhere(&self, commit: &CommitWords) -> bool {
        let Ok(references) = self.repo.references() else { return false };
        references.flatten().any(|reference| {
            let other = reference.name_bytes() != self.branch.as_bytes() && reference.symbolic_target_bytes().is_none();
            let tip = reference.peel_to_commit().map(|tip| tip.id());
            let has = |tip| tip == commit.id || self.repo.graph_descendant_of(tip, commit.id).unwrap_or_default();
            other && tip.is_ok_and(has)
        })
    }
}
