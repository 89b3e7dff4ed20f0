//! `[[rule]]` and `[policy]`: as written in each layer, with their places. What they mean is told in `policy`.

use serde::{Deserialize, Serialize};

use super::document::Document;
use super::model::{Layer, LayerFile, Origin};
use super::problem::{Problem, Problems};
use crate::domain::RuleText;

/// The list of tools that need two persons, as a key.
pub const TWO_PERSON: &str = "approvals.two_person";

/// A rule as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawRule {
    /// `deny`, `ask` or `allow`.
    pub effect: String,
    /// A tool or a group of tools.
    pub tool: String,
    /// What it fits.
    pub matches: String,
    /// Why.
    pub reason: Option<String>,
    /// How many have to say yes, if it says so.
    pub confirm: Option<i64>,
    /// Where it stands.
    pub origin: Origin,
    /// Where its keys `effect`, `tool`, `match` and `confirm` stand.
    pub keys: [Origin; 4],
    /// Its key in the file: `rule[0]`.
    pub key: String,
}

/// A group of tools that can be switched off as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// Reading and writing files by tools.
    Files,
    /// Commands.
    Shell,
    /// Pages of the web.
    Network,
    /// Git's own tools, and git in commands.
    Git,
    /// Tools of MCP servers.
    Mcp,
    /// Child agents.
    Spawn,
}

impl Switch {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Files, Self::Shell, Self::Network, Self::Git, Self::Mcp, Self::Spawn];

    /// The key that people and files use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Shell => "shell",
            Self::Network => "network",
            Self::Git => "git",
            Self::Mcp => "mcp",
            Self::Spawn => "spawn",
        }
    }
}

/// Rules and switches of all layers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    /// Every rule, managed ones first.
    pub rules: Vec<RawRule>,
    /// What is switched off, with the highest layer that says so.
    pub off: Vec<(Switch, Origin)>,
    /// Entries that cannot be read. What they would have denied is not known.
    pub broken: Vec<Problem>,
    /// Where it stands that answers are not remembered; none if they are.
    pub forgetful: Option<Origin>,
    /// Where it stands that the mode `full` does not count; none if it does.
    pub never_full: Option<Origin>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawEntry {
    pub effect: Option<String>,
    pub tool: Option<String>,
    #[serde(rename = "match")]
    pub matches: Option<String>,
    pub reason: Option<String>,
    pub confirm: Option<i64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawPolicy {
    pub files: Option<String>,
    pub shell: Option<String>,
    pub network: Option<String>,
    pub git: Option<String>,
    pub mcp: Option<String>,
    pub spawn: Option<String>,
    pub remember: Option<bool>,
    pub full: Option<bool>,
}

/// The rules of a file that holds nothing else: those that a lane is to have of its own.
///
/// # Errors
/// What cannot be read, with line and key.
pub fn lane_rules(file: &LayerFile) -> Result<Vec<RuleText>, Problems> {
    let document = Document::parse(Layer::Lane, file).map_err(Problems)?;
    if let Some(key) = document.other_than("rule") {
        let hint = "write `[[rule]]` tables with `effect`, `tool` and `match`";
        return Err(Problems(vec![document.problem(&key, "does not belong into a lane's rules", hint)]));
    }
    let all = gather(std::slice::from_ref(&document));
    if !all.broken.is_empty() {
        return Err(Problems(all.broken));
    }
    let text = |rule: RawRule| match rule.confirm {
        None | Some(1 | 2) => Ok(RuleText {
            effect: rule.effect,
            tool: rule.tool,
            matches: rule.matches,
            reason: rule.reason,
            two: rule.confirm == Some(2),
        }),
        Some(_) => Err(Problems(vec![document.problem(
            &format!("{}.confirm", rule.key),
            "is neither 1 nor 2",
            "write 1 or 2",
        )])),
    };
    all.rules.into_iter().map(text).collect()
}

/// Gathers the rules of all layers. Every layer counts: a lower one can only make things stricter.
pub(super) fn gather(documents: &[Document]) -> Rules {
    let mut all = Rules::default();
    for document in documents {
        for (index, entry) in document.raw.rule.iter().enumerate() {
            let key = format!("rule[{index}]");
            match (&entry.effect, &entry.tool) {
                (Some(effect), Some(tool)) => all.rules.push(RawRule {
                    effect: effect.clone(),
                    tool: tool.clone(),
                    matches: entry.matches.clone().unwrap_or_else(|| "*".to_owned()),
                    reason: entry.reason.clone(),
                    confirm: entry.confirm,
                    origin: document.origin(&key),
                    keys: ["effect", "tool", "match", "confirm"].map(|leaf| document.origin(&format!("{key}.{leaf}"))),
                    key,
                }),
                (effect, _) => {
                    let lacks = if effect.is_none() { "effect" } else { "tool" };
                    let hint = "write `effect`, `tool` and `match`, such as \"ask\", \"shell\" and \"git push *\"";
                    all.broken.push(document.table_problem(&key, format!("lacks `{lacks}`"), hint));
                }
            }
        }
        // Two persons for a tool are a rule on all that it does: no layer can loosen it.
        for tool in document.raw.approvals.two_person.iter().flatten() {
            let key = TWO_PERSON;
            let origin = document.origin(key);
            all.rules.push(RawRule {
                effect: "ask".to_owned(),
                tool: tool.clone(),
                matches: "*".to_owned(),
                reason: None,
                confirm: Some(2),
                keys: std::array::from_fn(|_| origin.clone()),
                origin,
                key: key.to_owned(),
            });
        }
        let raw = &document.raw.policy;
        for (switch, word) in [
            (Switch::Files, &raw.files),
            (Switch::Shell, &raw.shell),
            (Switch::Network, &raw.network),
            (Switch::Git, &raw.git),
            (Switch::Mcp, &raw.mcp),
            (Switch::Spawn, &raw.spawn),
        ] {
            let key = format!("policy.{}", switch.word());
            match word.as_deref() {
                None | Some("on") => {}
                Some("off") if all.off.iter().any(|(known, _)| *known == switch) => {}
                Some("off") => all.off.push((switch, document.origin(&key))),
                Some(other) => {
                    all.broken.push(document.problem(&key, format!("cannot be `{other}`"), "write \"on\" or \"off\""));
                }
            }
        }
        if raw.remember == Some(false) {
            all.forgetful.get_or_insert_with(|| document.origin("policy.remember"));
        }
        if raw.full == Some(false) {
            all.never_full.get_or_insert_with(|| document.origin("policy.full"));
        }
    }
    all
}
