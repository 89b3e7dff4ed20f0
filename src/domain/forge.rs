//! Where a project's issues are kept outside: what is asked of it, whatever it is.
//!
//! All of it is best effort. A forge tells titles and whether it can be reached; who owns an issue is decided here and
//! never there.

use serde::{Deserialize, Serialize};

/// Which forge a project has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForgeKind {
    /// The one that the repository looks like, or none.
    #[default]
    Auto,
    /// GitHub, through `gh`.
    Github,
    /// Beads, through `bd`.
    Beads,
    /// None.
    None,
}

impl ForgeKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Github, Self::Beads, Self::None];

    /// The word that people and files use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Github => "github",
            Self::Beads => "beads",
            Self::None => "none",
        }
    }
}

/// An open issue as the forge tells it. Untrusted text: escape before showing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgeIssue {
    /// Its number or name there.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Where it can be read, if the forge says.
    pub url: Option<String>,
}

/// Why a forge did not tell. Nothing depends on it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the message of each variant says what its fields mean")]
pub enum ForgeFault {
    #[error("`{program}` is not there: install it, or set `forge.kind = \"none\"`")]
    Missing { program: &'static str },
    #[error("`{program} {words}` did not end within {seconds} s")]
    Slow { program: &'static str, words: String, seconds: u64 },
    #[error("`{program} {words}` failed: {said}")]
    Failed { program: &'static str, words: String, said: String },
    #[error("`{program} {words}` printed what cannot be read: {why}")]
    Unreadable { program: &'static str, words: String, why: String },
}

/// A forge. Each call runs a program and blocks until it has ended or its time is over: never on a path that somebody
/// looks at.
pub trait Forge: Send + Sync {
    /// What it is, and that it can be used, in words.
    ///
    /// # Errors
    /// Why it cannot.
    fn check(&self) -> Result<String, ForgeFault>;

    /// Open issues, at most `most`.
    ///
    /// # Errors
    /// Why there are none to be had.
    fn issues(&self, most: usize) -> Result<Vec<ForgeIssue>, ForgeFault>;
}
