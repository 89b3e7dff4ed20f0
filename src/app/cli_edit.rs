//! A change of the names for native CLIs in the person's own file.

use crate::config::NewCli;

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CliEdit {
    /// One comes, perhaps in the place of one that comes with the program.
    Put(NewCli),
    /// One goes.
    Remove(String),
}

impl CliEdit {
    /// The name that it is about.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Put(new) => &new.name,
            Self::Remove(name) => name,
        }
    }
}
