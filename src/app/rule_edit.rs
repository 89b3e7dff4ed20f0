//! A change of the rules in a configuration file, and what came of it.

use crate::config::NewRule;

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleEdit {
    /// In the project's file; else in the person's own.
    pub project: bool,
    /// The rule.
    pub rule: NewRule,
    /// It goes; else it comes.
    pub remove: bool,
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
