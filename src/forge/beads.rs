//! Beads through `bd`: issues that stand in the repository itself.

use serde::Deserialize;

use super::run::Program;
use crate::domain::{Forge, ForgeFault, ForgeIssue};

/// The program in a repository's directory.
#[derive(Debug)]
pub(super) struct Beads(pub Program);

/// An issue as `bd` prints it.
#[derive(Deserialize)]
struct Issue {
    id: String,
    title: String,
}

impl Forge for Beads {
    fn check(&self) -> Result<String, ForgeFault> {
        let version = self.0.output(&["version"])?;
        Ok(format!("Beads, through {}", crate::base::one_line(version.trim())))
    }

    fn issues(&self, most: usize) -> Result<Vec<ForgeIssue>, ForgeFault> {
        let text = self.0.output(&["list", "--status", "open", "--json"])?;
        let issues: Vec<Issue> = serde_json::from_str(&text).map_err(|error| ForgeFault::Unreadable {
            program: self.0.name,
            words: "list".to_owned(),
            why: error.to_string(),
        })?;
        let issue = |issue: Issue| ForgeIssue { id: issue.id, title: issue.title, url: None };
        Ok(issues.into_iter().take(most).map(issue).collect())
    }
}
