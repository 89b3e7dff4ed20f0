//! Skills: instructions in Markdown that an own agent is told of by name, and reads when it needs them.

use std::path::PathBuf;

/// Whose a skill is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkillLayer {
    /// The repository's: it stands in the lane's worktree.
    Project,
    /// The person's own: it stands beside their configuration.
    User,
}

impl SkillLayer {
    /// The word people and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
        }
    }
}

/// One skill that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Its name: lower-case letters, digits and `-`.
    pub name: String,
    /// What it is for, in one line. Untrusted text.
    pub description: String,
    /// The tools that it says it needs. It grants none of them. Untrusted text.
    pub tools: Vec<String>,
    /// Whose it is.
    pub layer: SkillLayer,
    /// Its file: relative to the worktree, or absolute for the person's own.
    pub file: String,
}

/// A skill that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillFault {
    /// Its file.
    pub file: String,
    /// The line, from 1; none where it is about the whole file.
    pub line: Option<usize>,
    /// What is wrong and what to do. Untrusted text may be quoted in it.
    pub message: String,
}

/// The skills of a lane.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Skills {
    /// Those that can be used, by name.
    pub known: Vec<Skill>,
    /// Those that cannot.
    pub faults: Vec<SkillFault>,
}

impl Skills {
    /// The skill of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Skill> {
        self.known.iter().find(|skill| skill.name == name)
    }
}

/// What is asked about skills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillsAsk {
    /// The worktree.
    pub directory: PathBuf,
    /// Where the person's own stand.
    pub own: Option<PathBuf>,
    /// The one whose text is wanted.
    pub load: Option<String>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillsFound {
    /// All of them.
    pub skills: Skills,
    /// The text of the one that was wanted.
    pub text: Option<String>,
}
