//! A plan: issues with titles, what waits for what, and groups that belong together.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::IssueId;

/// A plan as it is in force.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// What it is called.
    pub name: String,
    /// Titles of issues.
    #[serde(with = "pairs")]
    pub issues: BTreeMap<IssueId, String>,
    /// What each issue waits for.
    #[serde(with = "pairs")]
    pub dependencies: BTreeMap<IssueId, BTreeSet<IssueId>>,
    /// Issues that belong together.
    pub groups: BTreeMap<String, BTreeSet<IssueId>>,
}

/// Maps by issue as lists of pairs: a map's keys become texts on their way, and are not read back as numbers everywhere.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::IssueId;

    pub fn serialize<V: Serialize, S: Serializer>(map: &BTreeMap<IssueId, V>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(map)
    }

    pub fn deserialize<'de, V, D>(from: D) -> Result<BTreeMap<IssueId, V>, D::Error>
    where
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Ok(Vec::<(IssueId, V)>::deserialize(from)?.into_iter().collect())
    }
}

impl Plan {
    /// Every issue that it names, in order.
    #[must_use]
    pub fn all(&self) -> BTreeSet<IssueId> {
        let waiting = self.dependencies.iter().flat_map(|(issue, on)| std::iter::once(issue).chain(on));
        self.issues.keys().chain(waiting).chain(self.groups.values().flatten()).copied().collect()
    }

    /// The groups that an issue is in.
    pub fn groups_of(&self, issue: IssueId) -> impl Iterator<Item = (&str, &BTreeSet<IssueId>)> {
        self.groups.iter().filter(move |(_, all)| all.contains(&issue)).map(|(name, all)| (name.as_str(), all))
    }
}

/// A plan that was applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppliedPlan {
    /// The plan.
    pub plan: Plan,
    /// SHA-256 of what it says, hexadecimal: the same plan has the same, however its file is laid out.
    pub digest: String,
    /// When it was applied.
    pub at: Timestamp,
}

/// One durable step of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "what")]
#[allow(missing_docs, reason = "the fields are those of the types they change")]
pub enum PlanChange {
    /// This plan is in force from now on.
    Applied { applied: Box<AppliedPlan> },
}
