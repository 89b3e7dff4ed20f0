//! What is wrong in a configuration file, and where.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::base::Report;

/// One thing that is wrong in one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The file, as it was handed in.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
    /// The key it is about: `providers.local.base_url`; none for broken TOML.
    pub key: Option<String>,
    /// What is wrong. Never holds a value that could be a credential.
    pub message: String,
    /// What to do; may be empty.
    pub hint: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` line {}, column {}", self.file, self.line, self.column)?;
        if let Some(key) = &self.key {
            write!(f, ", key `{key}`")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Everything that is wrong; never empty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct Problems(pub Vec<Problem>);

impl From<Problems> for Report {
    fn from(problems: Problems) -> Self {
        let Problems(list) = problems;
        let mut list = list.into_iter();
        let Some(first) = list.next() else { return Self::refused("the configuration cannot be used") };
        let mut report = Self::refused(format!("the configuration cannot be used: {first}"));
        if !first.hint.is_empty() {
            report = report.hint(first.hint);
        }
        for more in list {
            report = report.hint(format!("also: {more}{}{}", if more.hint.is_empty() { "" } else { "; " }, more.hint));
        }
        report
    }
}
