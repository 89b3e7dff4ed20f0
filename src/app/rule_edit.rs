//! A change of the rules in a configuration file, and what came of it.

use crate::domain::RuleText;

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleEdit {
    /// In the project's file; else in the person's own.
    pub project: bool,
    /// The rule.
    pub rule: RuleText,
    /// It goes; else it comes.
    pub remove: Option<Standing>,
}

/// Where a rule stands that goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Which of the rules of its file that say the very same, from 0.
    pub nth: usize,
    /// It is an entry of `approvals.two_person`.
    pub listed: bool,
    /// Its line, for words.
    pub line: usize,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesEdited {
    /// The file, in words.
    pub file: String,
    /// What was done.
    pub edit: RuleEdit,
    /// The hash of the project's file as it stands now, if the person trusted it as it stood before.
    pub trust: Option<String>,
}
