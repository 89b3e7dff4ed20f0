//! All rules in force, arranged for quick answers.

use std::fmt;

use super::index::Index;
use super::net::{self, HostRule, Wanted};
use super::paths::Patterns;
use super::rule::{Matcher, Rule, RuleEffect, folded};
use super::shell::{Place, Simple};
use super::words::Fit;
use crate::config::{Origin, Switch};
use crate::domain::RuleOrigin;

/// The rules and switches that hold, from all layers.
#[derive(Clone, Default)]
pub struct Policy {
    /// From the strictest, of those that ask first those that ask two; then in the order of the layers and files.
    rules: Vec<Rule>,
    /// The patterns of rules on paths that deny or ask.
    strict: Patterns,
    /// Those of rules that allow.
    allowing: Patterns,
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

/// The patterns of rules on paths; none when they are too large to be held together. Those that deny or ask do not tell
/// upper from lower case.
fn patterns(rules: &[Rule], chosen: impl Fn(&Rule) -> bool) -> Option<Patterns> {
    let of = |(at, rule): (usize, &Rule)| {
        let patterns = if let Matcher::Path { patterns, .. } = &rule.matcher { patterns.clone() } else { Vec::new() };
        let folds = rule.effect != RuleEffect::Allow;
        patterns
            .into_iter()
            .map(move |pattern| (if folds { folded(&pattern) } else { pattern }, at))
            .collect::<Vec<_>>()
    };
    Patterns::of(rules.iter().enumerate().filter(|(_, rule)| chosen(rule)).flat_map(of))
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

    /// The same, where rules that cannot be read may deny more: everything but reading asks. `place` says where they
    /// are.
    #[must_use]
    pub fn doubted(&self, place: &str) -> Self {
        let mut same = self.with(Vec::new());
        same.unreadable.get_or_insert_with(|| place.to_owned());
        same
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
        let strict = patterns(&rules, |rule| rule.effect != RuleEffect::Allow);
        let allowing = patterns(&rules, |rule| rule.effect == RuleEffect::Allow);
        let Switches { off, forgetful, never_full, mut unreadable } = switches;
        if strict.is_none() {
            // Too large to be held together: then nothing on paths can be told for certain.
            unreadable.get_or_insert_with(|| "the rules on paths are too many".to_owned());
        }
        let (strict, allowing) = (strict.unwrap_or_default(), allowing.unwrap_or_default());
        Self { rules, strict, allowing, index, off, forgetful, never_full, unreadable, twos: None }
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
        let hosts = self.index.hosts();
        if hosts.is_empty() {
            return None;
        }
        let reach = net::Reach::of(simple);
        let mut best: Option<(usize, bool)> = None;
        for word in simple.words.iter().skip(1) {
            for named in net::named(word, reach) {
                for at in hosts.find(&named.host, named.port) {
                    let Some(rule) = self.rules.get(at) else { continue };
                    let Matcher::Host(wanted) = &rule.matcher else { continue };
                    if matches!(wanted, HostRule { host: Wanted::Any, .. }) && named.only_holds {
                        continue;
                    }
                    let sure = named.sure && (named.port.is_some() || wanted.port.is_none());
                    best = Some(stricter(&self.rules, best, (at, sure)));
                }
            }
        }
        let (at, sure) = best?;
        Some((self.rules.get(at)?, sure))
    }

    /// The strictest rule on a host that a connection of the shell's own goes to, and whether it does for certain.
    pub(super) fn connects(&self, host: Option<&str>, port: Option<u16>) -> Option<(&Rule, bool)> {
        let places = match host {
            Some(host) => self.index.hosts().find(host, port),
            None => self.index.hosts().all(),
        };
        let best = places.into_iter().fold(None, |best, at| Some(stricter(&self.rules, best, (at, host.is_some()))));
        best.and_then(|(at, sure)| Some((self.rules.get(at)?, sure)))
    }

    /// The rules of an effect that speak of one of these tools.
    pub(super) fn of<'a>(&'a self, effect: RuleEffect, tool: &'a str) -> impl Iterator<Item = &'a Rule> {
        self.rules.iter().filter(move |rule| rule.effect == effect && rule.covers(tool))
    }

    /// The rule that allows a path for a tool.
    pub(super) fn allowed(&self, tool: &str, place: &Place) -> Option<&Rule> {
        let (text, inside) = match place {
            Place::Inside(path) if path.is_empty() => (".", true),
            Place::Inside(path) => (path.as_str(), true),
            Place::Absolute(path) | Place::Above(path) => (path.as_str(), false),
            Place::Home(path) => return self.allowed_at(tool, &format!("~/{path}"), false),
            Place::Matching(_) | Place::Unknown => return None,
        };
        self.allowed_at(tool, text, inside)
    }

    fn allowed_at(&self, tool: &str, text: &str, inside: bool) -> Option<&Rule> {
        let fits = |rule: &&Rule| {
            rule.covers(tool) && matches!(&rule.matcher, Matcher::Path { outside, .. } if inside != *outside)
        };
        self.at(self.allowing.fits(text)).find(fits)
    }

    /// The strictest rule that fits a path for a tool. `below` says what is meant beside the path itself.
    /// `root` is the worktree's absolute path.
    pub(super) fn path<'a>(&'a self, tool: &'a str, place: &Place, below: Below, root: &str) -> PathRuling<'a> {
        let mut ruling = PathRuling::default();
        if self.strict.is_empty() {
            return ruling;
        }
        let text = match place {
            Place::Inside(path) if path.is_empty() => ".".to_owned(),
            Place::Inside(path) | Place::Absolute(path) | Place::Above(path) => path.clone(),
            Place::Home(path) => format!("~/{path}"),
            Place::Matching(pattern) => {
                ruling.maybe = self.pattern(tool, pattern, root);
                return ruling;
            }
            Place::Unknown => {
                ruling.maybe = self.strict_on_paths(tool).next();
                return ruling;
            }
        };
        let inside = matches!(place, Place::Inside(_));
        if let Place::Absolute(path) = place {
            ruling.maybe = self.at_home(tool, path);
        }
        let text = folded(&text);
        for at in self.strict.fits(&text) {
            let Some(rule) = self.rules.get(at).filter(|rule| rule.covers(tool)) else { continue };
            let slot = if rule.effect == RuleEffect::Deny { &mut ruling.deny } else { &mut ruling.ask };
            slot.get_or_insert(rule);
        }
        if below == Below::Itself && ruling.deny.is_none() {
            let of_it = self.at(self.index.directory(&text)).find(|rule| rule.covers(tool));
            ruling.maybe = of_it.or(ruling.maybe);
        }
        if matches!(below, Below::All | Below::Shown) && ruling.deny.is_none() {
            // Where only names are denied, something has to lie below it.
            let is_file = is_file(&text);
            let skipped = |rule: &&Rule| match &rule.matcher {
                Matcher::Path { literal, patterns, .. } if literal.is_empty() => {
                    is_file || below == Below::Shown && patterns.iter().all(|pattern| is_hidden(pattern))
                }
                _ => false,
            };
            let rules = self.strict_on_paths(tool).filter(|rule| !skipped(rule));
            let (text, inside) = if holds(place, root) { (".".to_owned(), None) } else { (text, Some(inside)) };
            ruling.maybe = rules.into_iter().find(|rule| lies_below(&rule.matcher, &text, inside)).or(ruling.maybe);
        }
        ruling
    }

    /// The rule on the home directory that may fit an absolute path: which directory that is nobody has told.
    fn at_home<'a>(&'a self, tool: &'a str, path: &str) -> Option<&'a Rule> {
        if !self.index.names_home() {
            return None;
        }
        let path = folded(path);
        let ends = path.match_indices('/').skip(1).take(HOME_DEPTH).filter_map(|(at, _)| path.get(at..));
        ends.flat_map(|end| self.strict.fits(&format!("~{end}")))
            .filter_map(|at| self.rules.get(at))
            .find(|rule| rule.covers(tool))
    }

    /// The rule that may fit what a pattern of the shell stands for: names of files that only running tells.
    fn pattern<'a>(&'a self, tool: &'a str, pattern: &str, root: &str) -> Option<&'a Rule> {
        let (pattern, absolute, root) = (folded(pattern), pattern.starts_with('/'), folded(root));
        // What leads up and down again is not followed.
        let winds = pattern.split('/').any(|part| part == "..");
        self.strict_on_paths(tool).find(|rule| match &rule.matcher {
            Matcher::Path { .. } if winds => true,
            // Files below a directory that is called as a file.
            Matcher::Path { patterns, literal, outside } => patterns.iter().any(|rule| match (absolute, *outside) {
                _ if literal.is_empty() && is_file(&pattern) && below_file(rule) => false,
                (false, true) => false,
                (true, false) => meet(&pattern, &format!("{root}/{}", folded(rule))),
                (true, true) if rule.starts_with("~/") => meet(&pattern, &folded(rule).replacen('~', "**", 1)),
                _ => meet(&pattern, &folded(rule)),
            }),
            _ => false,
        })
    }

    /// Rules on paths that deny or ask, for a tool.
    fn strict_on_paths<'a>(&'a self, tool: &'a str) -> impl Iterator<Item = &'a Rule> {
        self.at(self.index.paths().iter().copied()).filter(move |rule| rule.covers(tool))
    }

    /// The rule that denies a host or asks about it, in words with its place; none if no rule does. `address` is one of
    /// the web.
    #[must_use]
    pub fn keeps_from(&self, address: &str) -> Option<String> {
        let rule = self.host(RuleEffect::Deny, address).or_else(|| self.host(RuleEffect::Ask, address))?;
        Some(format!("`{}` ({})", rule.shown(), place(&rule.origin)))
    }

    /// The rule of an effect that fits the host of an address.
    pub(super) fn host(&self, effect: RuleEffect, address: &str) -> Option<&Rule> {
        let strict = effect != RuleEffect::Allow;
        let url = url::Url::parse(address).ok();
        let host = url.as_ref().and_then(|url| net::canonical(url.host_str()?));
        let port = url.as_ref().and_then(url::Url::port_or_known_default);
        self.of(effect, "fetch").find(|rule| match (&rule.matcher, &host) {
            (Matcher::Host(wanted), Some(name)) => wanted.fits(name, port, strict),
            // An address that cannot be read may be any.
            (Matcher::Host(_), None) => strict,
            _ => false,
        })
    }
}

/// What is meant by a path, beside itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Below {
    /// Nothing.
    Nothing,
    /// What a rule says of all below it, where it names the rule's own directory.
    Itself,
    /// All below it.
    All,
    /// All below it but what is hidden.
    Shown,
}

/// What the rules say of a path.
#[derive(Debug, Default)]
pub(super) struct PathRuling<'a> {
    pub deny: Option<&'a Rule>,
    pub ask: Option<&'a Rule>,
    /// A rule that denies or asks, and may fit.
    pub maybe: Option<&'a Rule>,
}

/// Names that end so are files' and nobody's directories.
const ENDS: &[&str] = &[
    "c", "cc", "cpp", "cs", "css", "csv", "go", "h", "hpp", "html", "java", "json", "jsx", "kt", "lua", "md", "php",
    "proto", "py", "rb", "rs", "scss", "sh", "sql", "svelte", "svg", "swift", "toml", "ts", "tsx", "txt", "vue", "xml",
    "yaml", "yml",
];

/// Whether a path names a file, by the end of its name.
fn is_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(before, end)| !before.is_empty() && ENDS.contains(&end))
}

/// Whether a pattern is for what lies below a name that files have: `**/.env/**`, `**/*.pem/**`.
fn below_file(pattern: &str) -> bool {
    let name = pattern.strip_prefix("**/").and_then(|rest| rest.strip_suffix("/**"));
    name.is_some_and(|name| {
        !name.contains('/')
            && (name == ".env" || name.starts_with(".env.") || name.trim_start_matches('.').contains('.'))
    })
}

/// Whether a pattern `**/NAME` is for hidden files alone.
fn is_hidden(pattern: &str) -> bool {
    pattern.strip_prefix("**/").is_some_and(|name| name.starts_with('.'))
}

/// Whether the worktree lies at a place or below it.
fn holds(place: &Place, root: &str) -> bool {
    match place {
        Place::Absolute(path) => {
            let rest = root.strip_prefix(path.trim_end_matches('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
        Place::Home(path) => path.is_empty() || root.contains(&format!("/{path}/")),
        _ => false,
    }
}

/// Whether a rule on paths may fit something below a place: in the worktree, outside of it, or both.
fn lies_below(matcher: &Matcher, text: &str, inside: Option<bool>) -> bool {
    let Matcher::Path { literal, outside, .. } = matcher else { return false };
    let Some(inside) = inside else { return true };
    if inside == *outside {
        return false;
    }
    // A name without a directory may stand at any depth of the worktree.
    let all = literal.is_empty() || (inside && text == ".") || text == "/";
    all || literal.strip_prefix(text).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether what a pattern of the shell stands for may be a file that decides what agents may do.
pub(super) fn may_be_guarded(pattern: &str) -> bool {
    const GUARDED: [&str; 2] = [".git", ".paralane"];
    let pattern = folded(pattern);
    let part = |part: &str| part != "**" && GUARDED.iter().any(|name| parts_meet(part, name));
    pattern.split('/').any(part) || GUARDED.iter().any(|name| meet(&pattern, &format!("{name}/**")))
}

/// How deep a home directory lies at most: `/root`, `/home/ann`, `/var/home/ann`.
const HOME_DEPTH: usize = 3;

/// Parts of two patterns that are compared; more may meet.
const PARTS: usize = 64;

/// Whether a pattern of the shell and one of a rule may fit the same path.
fn meet(shell: &str, rule: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        text.split('/').filter(|part| !matches!(*part, "." | "")).map(str::to_owned).collect()
    };
    let (shell, rule) = (parts(shell), parts(rule));
    if shell.len() > PARTS || rule.len() > PARTS {
        return true;
    }
    // By how much is left of each, from none: whether the rests meet.
    let mut before: Vec<bool> = Vec::new();
    for i in (0..=shell.len()).rev() {
        let mut row = vec![false; rule.len() + 1];
        for j in (0..=rule.len()).rev() {
            let next = |i_more: usize, j_more: usize| {
                let of = if i_more == 0 { &row } else { &before };
                of.get(j + j_more).copied().unwrap_or(false)
            };
            let meets = match (shell.get(i).map(String::as_str), rule.get(j).map(String::as_str)) {
                (None, None) => true,
                (Some("**"), Some("**")) => next(1, 0) || next(0, 1),
                (Some("**"), other) => next(1, 0) || (other.is_some() && next(0, 1)),
                (other, Some("**")) => next(0, 1) || (other.is_some() && next(1, 0)),
                (Some(one), Some(other)) => next(1, 1) && parts_meet(one, other),
                _ => false,
            };
            if let Some(place) = row.get_mut(j) {
                *place = meets;
            }
        }
        before = row;
    }
    before.first().copied().unwrap_or(false)
}

/// Whether one name may fit both: not if their beginnings or ends differ.
fn parts_meet(shell: &str, rule: &str) -> bool {
    let special = |c: char| "*?[]{}\\".contains(c);
    let ends = |text: &'_ str| {
        let first = text.find(special).unwrap_or(text.len());
        let last = text.rfind(special).map_or(0, |at| at + 1);
        (text.get(..first).unwrap_or_default().to_owned(), text.get(last..).unwrap_or_default().to_owned())
    };
    if !shell.contains(special) && !rule.contains(special) {
        return shell == rule;
    }
    // A pattern of the shell fits no hidden file unless it begins with the dot.
    if rule.starts_with('.') && shell.starts_with(special) {
        return false;
    }
    let ((one, one_end), (other, other_end)) = (ends(shell), ends(rule));
    (one.starts_with(&other) || other.starts_with(&one))
        && (one_end.ends_with(&other_end) || other_end.ends_with(&one_end))
}

/// The stricter of two rules, by place, of which each fits for certain or only may.
fn stricter(rules: &[Rule], old: Option<(usize, bool)>, new: (usize, bool)) -> (usize, bool) {
    let rank = |(at, sure): (usize, bool)| {
        rules.get(at).map_or((false, false), |rule: &Rule| {
            (rule.effect == RuleEffect::Deny && sure, rule.effect == RuleEffect::Ask)
        })
    };
    match old {
        Some(old) if rank(old) >= rank(new) => old,
        _ => new,
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
    fn servers_fit_by_whole_parts() {
        assert!(server_tool_fits("git:*", "mcp__git__push"));
        assert!(server_tool_fits("git:push", "mcp__git__push"));
        assert!(server_tool_fits("*:pu*", "mcp__git__push"));
        assert!(server_tool_fits("git", "mcp__git__push"));
        assert!(!server_tool_fits("gi:push", "mcp__git__push"));
        assert!(!server_tool_fits("git:*", "mcp__gitx__push"));
    }

    #[test]
    fn patterns_meet_where_one_path_may_fit_both() {
        for (shell, rule, meets) in [
            ("secrets/*", "secrets/**", true),
            ("s*/key", "secrets/**", true),
            ("s*", "secrets/**", true),
            ("*/key", "secrets/**", true),
            ("src/*", "secrets/**", false),
            ("**/*.pem", "secrets/**", true),
            ("*.ts", "**/.env", false),
            ("*", "**/.env", false),
            (".e*", "**/.env", true),
            ("a/.[e]nv", "**/.env", true),
            ("a/*.ts", "**/*.pem", false),
            ("a/k*", "**/*.pem", true),
            ("src/**/*.rs", "src/m1/*.key", false),
        ] {
            assert_eq!(meet(shell, rule), meets, "{shell} {rule}");
        }
    }
}
