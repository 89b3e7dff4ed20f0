//! Plans as TOML: read with places, compared, put in force, shown as a tree.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::json;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::dependencies::{cycle, round_words};
use super::ledger::{Decision, Ledger};
use super::refusal::{Reason, Refusal};
use crate::base::{hidden, one_line, sha256_hex, visible};
use crate::domain::{AppliedPlan, Change, IssueId, Plan, PlanChange};

/// Issues of one plan.
pub const PLANNED: usize = 200;
/// Groups of one plan.
pub const GROUPS: usize = 32;
/// Bytes of a plan's file.
pub const FILE: usize = 256 * 1024;

/// A plan's file being read.
struct Source<'t> {
    file: &'t str,
    text: &'t str,
}

impl Source<'_> {
    /// Something is wrong at a byte, with the key that it belongs to.
    fn fault(&self, at: Range<usize>, key: &str, what: &str) -> Refusal {
        let before = self.text.get(..at.start).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let key = if key.is_empty() { String::new() } else { format!("`{key}`: ") };
        Refusal::new(Reason::Invalid, format!("{}:{line}: {key}{what}", self.file))
            .next("mend the file there; nothing was changed")
    }

    /// The key that a line of a file that does not parse is about, as far as it can be told.
    fn key_at(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count();
        let table =
            self.text.lines().take(line).filter_map(|line| line.trim().strip_prefix('[')?.strip_suffix(']')).last();
        let key = self.text.lines().nth(line).and_then(|line| line.split_once('=')).map(|(key, _)| key.trim());
        table.into_iter().chain(key).collect::<Vec<_>>().join(".")
    }

    fn number(&self, text: &str, at: Range<usize>, key: &str) -> Result<IssueId, Refusal> {
        let number = text.parse::<IssueId>().ok().filter(|issue| issue.0 > 0);
        number.ok_or_else(|| self.fault(at, key, &format!("`{text}` is no issue's number")))
    }

    fn table<'v, 'i>(&self, value: &'v Spanned<DeValue<'i>>, key: &str) -> Result<&'v DeTable<'i>, Refusal> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(table),
            _ => Err(self.fault(value.span(), key, "it is a table: write `[name]` above its keys")),
        }
    }

    fn text(&self, value: &Spanned<DeValue<'_>>, key: &str) -> Result<String, Refusal> {
        match value.get_ref() {
            DeValue::String(text) if !one_plain_line(text) => {
                Err(self.fault(value.span(), key, "it is one line without control characters"))
            }
            DeValue::String(text) if !text.trim().is_empty() && text.len() <= 200 => Ok(text.to_string()),
            _ => Err(self.fault(value.span(), key, "it is a text of at most 200 bytes, in quotes")),
        }
    }

    /// An issue as a key: `1`, `01` and `#1` are the same one. `seen`: those before, and where.
    fn new_key(
        &self,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        full: &str,
        seen: &mut BTreeMap<IssueId, Range<usize>>,
    ) -> Result<IssueId, Refusal> {
        let issue = self.number(key.get_ref(), key.span(), full)?;
        match seen.insert(issue, key.span()) {
            // Keys come sorted, and not as they stand in the file.
            Some(other) => {
                let second = if other.start > key.span().start { other } else { key.span() };
                Err(self.fault(second, full, &format!("issue {issue} stands in this table twice")))
            }
            None => Ok(issue),
        }
    }

    fn numbers(&self, value: &Spanned<DeValue<'_>>, key: &str) -> Result<BTreeSet<IssueId>, Refusal> {
        let DeValue::Array(items) = value.get_ref() else {
            return Err(self.fault(value.span(), key, "it is a list of issues, such as `[1, 2]`"));
        };
        let mut all = BTreeSet::new();
        for item in items {
            let issue = match item.get_ref() {
                DeValue::Integer(number) => self.number(number.as_str(), item.span(), key)?,
                DeValue::String(text) => self.number(text, item.span(), key)?,
                _ => return Err(self.fault(item.span(), key, "it holds numbers of issues, such as `[1, 2]`")),
            };
            if !all.insert(issue) {
                return Err(self.fault(item.span(), key, &format!("{issue} stands there twice")));
            }
        }
        Ok(all)
    }
}

fn one_plain_line(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() || hidden(c))
}

/// Reads a plan.
///
/// # Errors
/// File, line and key of the first fault.
pub fn read(file: &str, text: &str) -> Result<Plan, Refusal> {
    let source = Source { file, text };
    if text.len() > FILE {
        return Err(Refusal::new(
            Reason::Invalid,
            format!("{file} has {} bytes, and a plan at most {FILE}", text.len()),
        ));
    }
    let parsed = DeTable::parse(text).map_err(|error| {
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        let at = error.span().unwrap_or_default();
        let key = source.key_at(at.start);
        source.fault(at, &key, &message)
    })?;
    let mut plan = Plan::default();
    let mut named = false;
    for (key, value) in parsed.get_ref() {
        let table: &str = key.get_ref();
        match table {
            "plan" => {
                for (key, value) in source.table(value, table)? {
                    let full = format!("plan.{}", key.get_ref());
                    match key.get_ref().as_ref() {
                        "name" => {
                            plan.name = source.text(value, &full)?;
                            named = true;
                        }
                        _ => {
                            return Err(source.fault(
                                key.span(),
                                &full,
                                "there is no such key; `name` is the only one",
                            ));
                        }
                    }
                }
            }
            "issues" => {
                let mut seen = BTreeMap::new();
                for (key, value) in source.table(value, table)? {
                    let full = format!("issues.{}", key.get_ref());
                    let issue = source.new_key(key, &full, &mut seen)?;
                    plan.issues.insert(issue, source.text(value, &full)?);
                }
            }
            "dependencies" => {
                let mut seen = BTreeMap::new();
                for (key, value) in source.table(value, table)? {
                    let full = format!("dependencies.{}", key.get_ref());
                    let issue = source.new_key(key, &full, &mut seen)?;
                    let on = source.numbers(value, &full)?;
                    if on.contains(&issue) {
                        return Err(source.fault(value.span(), &full, &format!("{issue} cannot wait for itself")));
                    }
                    plan.dependencies.insert(issue, on);
                    if let Some(round) = cycle([issue], &|at| plan.dependencies.get(&at).cloned().unwrap_or_default()) {
                        let words = format!("these wait for each other: {}", round_words(&round));
                        return Err(source.fault(key.span(), &full, &words));
                    }
                }
            }
            "groups" => {
                for (key, value) in source.table(value, table)? {
                    let name = key.get_ref();
                    let full = format!("groups.{}", visible(&one_line(name)));
                    if name.trim().is_empty() || name.len() > 100 || !one_plain_line(name) {
                        let words = "a group's name is one line of 1 to 100 bytes without control characters";
                        return Err(source.fault(key.span(), &full, words));
                    }
                    let all = source.numbers(value, &full)?;
                    if all.is_empty() {
                        return Err(source.fault(value.span(), &full, "a group has at least one issue"));
                    }
                    plan.groups.insert(key.get_ref().to_string(), all);
                }
            }
            _ => {
                let words = "there is no such table; `plan`, `issues`, `dependencies` and `groups` are known";
                return Err(source.fault(key.span(), table, words));
            }
        }
    }
    if !named {
        return Err(Refusal::new(Reason::Invalid, format!("{file}:1: `plan.name`: the plan has no name"))
            .next("begin it with `[plan]` and `name = \"…\"`"));
    }
    let (issues, groups) = (plan.all().len(), plan.groups.len());
    if issues > PLANNED || groups > GROUPS {
        return Err(Refusal::new(
            Reason::Limit,
            format!("{file}: the plan has {issues} issues and {groups} groups: at most {PLANNED} and {GROUPS}"),
        ));
    }
    Ok(plan)
}

/// SHA-256 of what a plan says, hexadecimal: layout, order and comments do not count.
#[must_use]
pub fn digest(plan: &Plan) -> String {
    // Of sorted maps of numbers and text only, which always serialise.
    sha256_hex(serde_json::to_string(plan).unwrap_or_default().as_bytes())
}

/// What a plan would change, in lines that begin with `+` or `-`.
#[must_use]
pub fn diff(old: Option<&Plan>, new: &Plan) -> Vec<String> {
    let none = Plan::default();
    let old = old.unwrap_or(&none);
    let mut lines = Vec::new();
    if old.name != new.name {
        if !old.name.is_empty() {
            lines.push(format!("- plan {}", old.name));
        }
        lines.push(format!("+ plan {}", new.name));
    }
    compare(&mut lines, &titles(old), &titles(new));
    compare(&mut lines, &edges(old), &edges(new));
    compare(&mut lines, &groups(old), &groups(new));
    lines
}

fn titles(plan: &Plan) -> BTreeSet<String> {
    plan.issues.iter().map(|(issue, title)| format!("{issue} {title}")).collect()
}

fn edges(plan: &Plan) -> BTreeSet<String> {
    let all =
        plan.dependencies.iter().flat_map(|(issue, on)| on.iter().map(move |on| format!("{issue} waits for {on}")));
    all.collect()
}

fn groups(plan: &Plan) -> BTreeSet<String> {
    let all =
        plan.groups.iter().flat_map(|(name, all)| all.iter().map(move |issue| format!("{issue} is in group {name}")));
    all.collect()
}

fn compare(lines: &mut Vec<String>, old: &BTreeSet<String>, new: &BTreeSet<String>) {
    lines.extend(old.difference(new).map(|line| format!("- {line}")));
    lines.extend(new.difference(old).map(|line| format!("+ {line}")));
}

/// Puts a plan in force.
///
/// # Errors
/// When together with what was recorded by hand some issues would wait for each other.
pub fn apply(ledger: &Ledger<'_>, plan: Plan) -> Result<Decision, Refusal> {
    let digest = digest(&plan);
    let short = digest.get(..12).unwrap_or_default().to_owned();
    let old = ledger.shared.plan.as_ref();
    let name = plan.name.clone();
    if old.is_some_and(|old| old.digest == digest) {
        let words = format!("plan {name} ({short}) is in force already");
        let json = json!({ "done": words, "plan": name, "digest": digest, "changed": [] });
        return Ok(Decision { changes: Vec::new(), words, json });
    }
    for issue in plan.all() {
        ledger.nameable(issue)?;
    }
    let waits_for = |at: IssueId| {
        let by_hand = ledger.shared.issues.get(&at).map(|issue| &issue.blockers);
        by_hand.into_iter().chain(plan.dependencies.get(&at)).flatten().copied().collect::<BTreeSet<_>>()
    };
    if let Some(round) = cycle(plan.all(), &waits_for) {
        return Err(Refusal::new(
            Reason::Cycle,
            format!("with what was recorded by hand these would wait for each other: {}", round_words(&round)),
        )
        .next("`paralane issue unblock N --on M` takes one of them off; nothing was changed"));
    }
    let lines = diff(old.map(|old| &old.plan), &plan);
    let words = format!("plan {name} ({short}) is in force: {} lines changed", lines.len());
    let json = json!({ "done": words, "plan": name, "digest": digest, "changed": lines });
    let applied = AppliedPlan { plan, digest, at: ledger.now };
    Ok(Decision { changes: vec![Change::Plan(PlanChange::Applied { applied: Box::new(applied) })], words, json })
}

/// One line of a plan's tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// How deep it stands, from 0.
    pub depth: usize,
    /// The issue.
    pub issue: IssueId,
    /// It stands further up already, with what is below it.
    pub again: bool,
    /// Recorded by hand, not by the plan.
    pub by_hand: bool,
}

/// The issues of a plan as a tree: below each what waits for it.
#[must_use]
pub fn tree(ledger: &Ledger<'_>) -> Vec<Branch> {
    let shared = ledger.shared;
    let plan = shared.plan.as_ref().map(|applied| &applied.plan);
    let mut below: BTreeMap<IssueId, Vec<(IssueId, bool)>> = BTreeMap::new();
    let mut all: BTreeSet<IssueId> = plan.map(Plan::all).unwrap_or_default();
    all.extend(shared.issues.values().filter(|issue| !issue.blockers.is_empty()).map(|issue| issue.id));
    for issue in &all {
        let planned = plan.and_then(|plan| plan.dependencies.get(issue));
        for on in shared.blockers(*issue) {
            let by_hand = planned.is_none_or(|planned| !planned.contains(&on));
            below.entry(on).or_default().push((*issue, by_hand));
        }
    }
    all.extend(below.keys().copied().collect::<Vec<_>>());
    let mut branches = Vec::new();
    let mut shown = BTreeSet::new();
    for root in all.iter().filter(|issue| shared.blockers(**issue).is_empty()) {
        let mut stack = vec![(0, *root, false)];
        while let Some((depth, issue, by_hand)) = stack.pop() {
            let again = !shown.insert(issue);
            branches.push(Branch { depth, issue, again, by_hand });
            if !again {
                let next = below.get(&issue).into_iter().flatten().rev();
                stack.extend(next.map(|(issue, by_hand)| (depth + 1, *issue, *by_hand)));
            }
        }
    }
    branches
}
