//! GitHub through `gh`.

use serde::Deserialize;

use super::run::Program;
use crate::domain::{Forge, ForgeFault, ForgeIssue};

/// The program in a repository's directory.
#[derive(Debug)]
pub(super) struct Github(pub Program);

/// An issue as `gh` prints it.
#[derive(Deserialize)]
struct Issue {
    number: u64,
    title: String,
    url: Option<String>,
}

impl Forge for Github {
    fn check(&self) -> Result<String, ForgeFault> {
        self.0.output(&["auth", "status"]).map(|_| "GitHub, through `gh`, which is logged in".to_owned())
    }

    fn issues(&self, most: usize) -> Result<Vec<ForgeIssue>, ForgeFault> {
        let limit = most.to_string();
        let words = ["issue", "list", "--state", "open", "--limit", &limit, "--json", "number,title,url"];
        let text = self.0.output(&words)?;
        let issues: Vec<Issue> = serde_json::from_str(&text).map_err(|error| ForgeFault::Unreadable {
            program: self.0.name,
            words: "issue list".to_owned(),
            why: error.to_string(),
        })?;
        let issue = |issue: Issue| ForgeIssue { id: issue.number.to_string(), title: issue.title, url: issue.url };
        Ok(issues.into_iter().take(most).map(issue).collect())
    }
}
