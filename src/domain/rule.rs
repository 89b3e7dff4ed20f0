//! A rule as it is written: in a configuration file, or for one lane. What it means is told in `policy`.

use serde::{Deserialize, Serialize};

/// A rule as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleText {
    /// `deny`, `ask` or `allow`.
    pub effect: String,
    /// A tool or a group of tools.
    pub tool: String,
    /// What it fits.
    #[serde(rename = "match")]
    pub matches: String,
    /// Why.
    pub reason: Option<String>,
    /// Whether two have to say yes.
    #[serde(default)]
    pub two: bool,
}
