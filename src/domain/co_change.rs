//! Files that change together, as the base's history tells.

/// A file that changed together with others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CoChange {
    /// The file, relative to the root.
    pub path: String,
    /// The one that it changed together with most often.
    pub with: String,
    /// In how many commits.
    pub commits: usize,
}

/// A history that can say which files change together. Asking may read many commits: it blocks.
pub trait ChangeHistory: Send + Sync {
    /// Files that changed together with any file that `of` says is meant, in at least three of the base's newest
    /// commits, the most frequent first. Empty where the history cannot be read.
    fn changed_with(&self, of: &dyn Fn(&str) -> bool) -> Vec<CoChange>;
}
