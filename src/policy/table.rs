//! All rules in force, arranged for quick answers.

use std::fmt;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::index::Index;
use super::net;
use super::rule::{Matcher, Rule, RuleEffect};
use super::shell::{Known, Place, Simple};
use super::words::Fit;
use crate::config::{Origin, Switch};
use crate::domain::RuleOrigin;

/// The rules and switches that hold, from all layers.
#[derive(Clone, Default)]
pub struct Policy {
    /// From the strictest, of those that ask first those that ask two; then in the order of the layers and files.
    rules: Vec<Rule>,
    /// The patterns of all rules on paths.
    paths: GlobSet,
    /// By pattern: the place of its rule in `rules`.
    owners: Vec<usize>,
    index: Index,
    /// Switches that are off, and where.
    off: Vec<(Switch, String)>,
    /// Where it stands that answers are not remembered.
    forgetful: Option<String>,
    /// Where it stands that the mode `full` does not count.
    never_full: Option<String>,
    /// Where rules stand that cannot be read.
    unreadable: Option<String>,
    /// The rules by which two have to say yes, by themselves; none if there are none.
    twos: Option<Box<Policy>>,
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policy")
            .field("rules", &self.rules)
            .field("off", &self.off)
            .field("forgetful", &self.forgetful)
            .field("never_full", &self.never_full)
            .field("unreadable", &self.unreadable)
            .finish_non_exhaustive()
    }
}

impl Eq for Policy {}

impl PartialEq for Policy {
    fn eq(&self, other: &Self) -> bool {
        let parts = |p: &Self| {
            (p.rules.clone(), p.off.clone(), p.forgetful.clone(), p.never_full.clone(), p.unreadable.clone())
        };
        parts(self) == parts(other)
    }
}

/// What is set beside the rules.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Switches {
    /// Switches that are off, and where that stands.
    pub off: Vec<(Switch, String)>,
    /// Where it stands that answers are not remembered; none if they are.
    pub forgetful: Option<String>,
    /// Where it stands that the mode `full` does not count; none if it does.
    pub never_full: Option<String>,
    /// Where rules stand that cannot be read; none if all can.
    pub unreadable: Option<String>,
}

impl Policy {
    /// Arranges rules.
    #[must_use]
    pub fn new(rules: Vec<Rule>, switches: Switches) -> Self {
        let twos: Vec<Rule> = rules.iter().filter(|rule| rule.two).cloned().collect();
        let twos = (!twos.is_empty()).then(|| Box::new(Self::arrange(twos, Switches::default())));
        Self { twos, ..Self::arrange(rules, switches) }
    }

    /// Whether any rule or switch may keep a file from being read.
    #[must_use]
    pub fn guards_reads(&self) -> bool {
        // Tools that read no file by its path.
        let other = ["shell", "write", "edit", "patch", "net", "fetch", "git", "mcp", "spawn"];
        let guards = |rule: &Rule| rule.effect != RuleEffect::Allow && !other.contains(&rule.tool.as_str());
        !self.off.is_empty() || self.unreadable.is_some() || self.rules.iter().any(guards)
    }

    /// The same with further rules: those of one lane.
    #[must_use]
    pub fn with(&self, further: Vec<Rule>) -> Self {
        let switches = Switches {
            off: self.off.clone(),
            forgetful: self.forgetful.clone(),
            never_full: self.never_full.clone(),
            unreadable: self.unreadable.clone(),
        };
        Self::new(self.rules.iter().cloned().chain(further).collect(), switches)
    }

    fn arrange(mut rules: Vec<Rule>, switches: Switches) -> Self {
        rules.sort_by_key(|rule| (rule.effect, !rule.two));
        let index = Index::new(&rules);
        let mut set = GlobSetBuilder::new();
        let mut owners = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            let Matcher::Path { patterns, .. } = &rule.matcher else { continue };
            for pattern in patterns {
                // Some file systems do not tell case apart: what is denied is denied in any case.
                let strict = rule.effect != RuleEffect::Allow;
                let glob = GlobBuilder::new(pattern).literal_separator(true).case_insensitive(strict).build();
                if let Ok(glob) = glob {
                    set.add(glob);
                    owners.push(index);
                }
            }
        }
        let Switches { off, forgetful, never_full, unreadable } = switches;
        if let Ok(paths) = set.build() {
            return Self { rules, paths, owners, index, off, forgetful, never_full, unreadable, twos: None };
        }
        // Too large to be held together: then nothing on paths can be told for certain.
        let unreadable = unreadable.or_else(|| Some("the rules on paths are too many".to_owned()));
        let (paths, owners) = (GlobSet::empty(), Vec::new());
        Self { rules, paths, owners, index, off, forgetful, never_full, unreadable, twos: None }
    }

    /// The rules by which two have to say yes, if there are any.
    pub(super) fn twos(&self) -> Option<&Self> {
        self.twos.as_deref()
    }

    /// The rule that a verdict names, if it is one of these.
    #[must_use]
    pub fn named(&self, origin: &RuleOrigin) -> Option<&Rule> {
        self.rules.iter().find(|rule| place(&rule.origin) == origin.place && origin.rule.starts_with(&rule.shown()))
    }

    /// The rules, from the strictest.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Where a switch was turned off, if it was.
    #[must_use]
    pub fn off(&self, switch: Switch) -> Option<&str> {
        self.off.iter().find(|(known, _)| *known == switch).map(|(_, place)| place.as_str())
    }

    /// Where it stands that answers are not remembered; none if they are.
    #[must_use]
    pub fn forgetful(&self) -> Option<&str> {
        self.forgetful.as_deref()
    }

    /// Where it stands that the mode `full` does not count; none if it does.
    #[must_use]
    pub fn never_full(&self) -> Option<&str> {
        self.never_full.as_deref()
    }

    /// Where rules stand that cannot be read; none if all can.
    #[must_use]
    pub fn unreadable(&self) -> Option<&str> {
        self.unreadable.as_deref()
    }

    /// Whether there are rules at all.
    #[must_use]
    pub fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// Whether any rule or switch could forbid or question what a command does.
    #[must_use]
    pub fn restricts(&self) -> bool {
        self.index.restricts() || !self.off.is_empty() || self.unreadable.is_some()
    }

    /// The rules at these places, as long as there are any.
    fn at(&self, places: impl IntoIterator<Item = usize>) -> impl Iterator<Item = &Rule> {
        places.into_iter().filter_map(|at| self.rules.get(at))
    }

    /// Rules on shell commands that deny or ask, from the strictest, and may fit one of this name; all if the name is
    /// not known.
    pub(super) fn strict(&self, name: Option<&str>) -> impl Iterator<Item = &Rule> {
        self.at(self.index.strict(name))
    }

    /// Rules on git that deny or ask, from the strictest.
    pub(super) fn strict_git(&self) -> impl Iterator<Item = &Rule> {
        self.at(self.index.git().iter().copied())
    }

    /// Rules that may allow a shell command of this name.
    pub(super) fn allowing(&self, name: &str) -> impl Iterator<Item = &Rule> {
        self.at(self.index.allow(name))
    }

    /// The strictest rule on a host that a command names, and whether it does for certain.
    pub(super) fn named_host(&self, simple: &Simple) -> Option<(&Rule, bool)> {
        if self.index.hosts().is_empty() {
            return None;
        }
        let reaches = net::reaches(simple);
        let words = simple.words.iter().skip(1).filter(|word| reaches || word.text.contains("://"));
        let mut best: Option<(&Rule, bool)> = None;
        for word in words {
            let hosts = net::hosts(&word.text);
            let any = reaches && net::may_be_any(word);
            for rule in self.at(self.index.hosts().iter().copied()) {
                let Matcher::Host(wanted) = &rule.matcher else { continue };
                let fit = hosts.iter().find(|named| {
                    let name = named.host.to_ascii_lowercase();
                    let part = wanted == "*" && !named.sure;
                    // Without a port, any may be meant.
                    let port = named.port.or_else(|| wanted.rsplit_once(':').and_then(|(_, port)| port.parse().ok()));
                    !part && host_fits(wanted, &name, port, rule.effect)
                });
                let ends =
                    || hosts.iter().any(|named| word.text.starts_with('-') && named.host.ends_with(wanted.as_str()));
                let found = match fit {
                    Some(named) => {
                        named.sure && (named.port.is_some() || !wanted.contains(':')) && word.known == Known::All
                    }
                    None if any || ends() => false,
                    None => continue,
                };
                let rank =
                    |rule: &Rule, sure: bool| (rule.effect == RuleEffect::Deny && sure, rule.effect == RuleEffect::Ask);
                if best.is_none_or(|(old, sure)| rank(rule, found) > rank(old, sure)) {
                    best = Some((rule, found));
                }
                if rule.effect == RuleEffect::Deny && found {
                    return best;
                }
            }
        }
        best
    }

    /// The rules of an effect that speak of one of these tools.
    pub(super) fn of<'a>(&'a self, effect: RuleEffect, tool: &'a str) -> impl Iterator<Item = &'a Rule> {
        self.rules.iter().filter(move |rule| rule.effect == effect && rule.covers(tool))
    }

    /// The strictest rule that fits a path for a tool. `below` asks about all that lies under it as well.
    pub(super) fn path<'a>(&'a self, tool: &'a str, place: &Place, below: bool) -> PathRuling<'a> {
        let mut ruling = PathRuling::default();
        if self.owners.is_empty() {
            return ruling;
        }
        let text = match place {
            Place::Inside(path) if path.is_empty() => ".".to_owned(),
            Place::Inside(path) | Place::Absolute(path) | Place::Above(path) => path.clone(),
            Place::Home(path) => format!("~/{path}"),
            Place::Unknown => {
                ruling.maybe = self.at(self.index.paths().iter().copied()).find(|rule| rule.covers(tool));
                return ruling;
            }
        };
        let inside = matches!(place, Place::Inside(_));
        for at in self.paths.matches(&text) {
            let Some(rule) = self.owners.get(at).and_then(|owner| self.rules.get(*owner)) else { continue };
            let Matcher::Path { outside, .. } = &rule.matcher else { continue };
            if !rule.covers(tool) {
                continue;
            }
            let slot = match rule.effect {
                RuleEffect::Deny => &mut ruling.deny,
                RuleEffect::Ask => &mut ruling.ask,
                RuleEffect::Allow if inside != *outside => &mut ruling.allow,
                RuleEffect::Allow => continue,
            };
            slot.get_or_insert(rule);
        }
        if below && ruling.deny.is_none() {
            let under = |rule: &&Rule| match &rule.matcher {
                // A name without a directory may stand at any depth.
                Matcher::Path { literal, outside, .. } if inside && !outside => {
                    text == "."
                        || literal.is_empty()
                        || (literal.starts_with(&text)
                            && matches!(literal.as_bytes().get(text.len()), None | Some(b'/')))
                }
                _ => false,
            };
            ruling.maybe = self.at(self.index.paths().iter().copied()).filter(|rule| rule.covers(tool)).find(under);
        }
        ruling
    }

    /// The rule that denies a host or asks about it, in words with its place; none if no rule does. `address` is one of
    /// the web.
    #[must_use]
    pub fn keeps_from(&self, address: &str) -> Option<String> {
        let rule = self.host(RuleEffect::Deny, address).or_else(|| self.host(RuleEffect::Ask, address))?;
        Some(format!("`{}` ({})", rule.shown(), place(&rule.origin)))
    }

    /// How far a rule fits a host, whatever its port where the rule names none.
    pub(super) fn host(&self, effect: RuleEffect, address: &str) -> Option<&Rule> {
        let host = host_of(address);
        self.of(effect, "fetch").find(|rule| match (&rule.matcher, &host) {
            (Matcher::Host(wanted), Some((name, port))) => host_fits(wanted, name, *port, effect),
            // An address that cannot be read may be any.
            (Matcher::Host(_), None) => effect != RuleEffect::Allow,
            _ => false,
        })
    }
}

/// What the rules say of a path.
#[derive(Debug, Default)]
pub(super) struct PathRuling<'a> {
    pub deny: Option<&'a Rule>,
    pub ask: Option<&'a Rule>,
    pub allow: Option<&'a Rule>,
    /// A rule that denies or asks, and may fit.
    pub maybe: Option<&'a Rule>,
}

fn host_of(address: &str) -> Option<(String, Option<u16>)> {
    let url = url::Url::parse(address).ok()?;
    let host = url.host_str()?.trim_end_matches('.').to_ascii_lowercase();
    Some((host, url.port_or_known_default()))
}

fn host_fits(wanted: &str, name: &str, port: Option<u16>, effect: RuleEffect) -> bool {
    if wanted == "*" {
        return true;
    }
    let (host, wanted_port) = match wanted.rsplit_once(':') {
        Some((host, port)) => (host, port.parse::<u16>().ok()),
        None => (wanted, None),
    };
    let fits = match host.strip_prefix("*.") {
        Some(parent) => name.strip_suffix(parent).is_some_and(|label| label.len() > 1 && label.ends_with('.')),
        None => host == name,
    };
    // Without a port a rule that allows means the usual ones; one that denies means all.
    let usual = matches!(port, Some(80 | 443));
    fits && match wanted_port {
        Some(_) => wanted_port == port,
        None => effect != RuleEffect::Allow || usual,
    }
}

/// Whether a rule for `server:tool` fits a tool that is called `mcp__server__tool`.
pub(super) fn server_tool_fits(wanted: &str, tool: &str) -> bool {
    let Some((server, name)) = tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) else { return false };
    match wanted.split_once(':') {
        Some((wanted_server, wanted_name)) => star_fits(wanted_server, server) && star_fits(wanted_name, name),
        None => star_fits(wanted, server),
    }
}

/// Whether a text fits a pattern in which `*` stands for anything.
fn star_fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The rule as a panel shows it.
pub(super) fn shown(rule: &Rule) -> RuleOrigin {
    RuleOrigin { rule: rule.shown(), place: place(&rule.origin) }
}

/// Where something stands, as short as a panel wants it: the layer says in which of the files.
#[must_use]
pub fn place(origin: &Origin) -> String {
    match origin {
        Origin::BuiltIn | Origin::Lane { .. } => origin.to_string(),
        Origin::File { layer, line, .. } => format!("{} config.toml:{line}", layer.word()),
    }
}

/// The words of something that is not a command.
pub(super) fn plain_fit(matcher: &Matcher, tool: &str, words: &[super::shell::Word]) -> Fit {
    match matcher {
        Matcher::Words(wanted) => wanted.fit(words),
        Matcher::ServerTool(wanted) if server_tool_fits(wanted, tool) => Fit::Yes,
        _ => Fit::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_servers_fit_by_whole_parts() {
        use RuleEffect::{Allow, Deny};
        let fits = |wanted: &str, address: &str, effect| {
            host_of(address).is_some_and(|(name, port)| host_fits(wanted, &name, port, effect))
        };
        assert!(fits("docs.rs", "https://docs.rs/x", Allow));
        assert!(!fits("docs.rs", "https://docs.rs:8443/x", Allow));
        assert!(fits("docs.rs", "https://docs.rs:8443/x", Deny));
        assert!(fits("docs.rs", "https://DOCS.rs./x", Deny));
        assert!(!fits("*.example.com", "https://evilexample.com", Deny));
        assert!(fits("*.example.com", "https://a.example.com", Deny));
        assert!(fits("*", "https://a.example.com:9", Allow));
        assert!(server_tool_fits("git:*", "mcp__git__push"));
        assert!(server_tool_fits("git:push", "mcp__git__push"));
        assert!(server_tool_fits("*:pu*", "mcp__git__push"));
        assert!(server_tool_fits("git", "mcp__git__push"));
        assert!(!server_tool_fits("gi:push", "mcp__git__push"));
        assert!(!server_tool_fits("git:*", "mcp__gitx__push"));
    }
}
