//! Which rules can speak of a command at all: found by its first word, so that a thousand rules cost no more than ten.

use std::collections::HashMap;

use super::net::Hosts;
use super::rule::{Matcher, Rule, RuleEffect};

/// Rules on words, by the first of them. Places are those in the policy's list, so that a smaller one is stricter.
#[derive(Debug, Clone, Default)]
struct ByWord {
    first: HashMap<String, Vec<usize>>,
    /// Those that begin with any word.
    any: Vec<usize>,
    all: Vec<usize>,
}

impl ByWord {
    fn add(&mut self, first: Option<&str>, at: usize) {
        self.all.push(at);
        match first {
            Some(first) => self.first.entry(first.to_owned()).or_default().push(at),
            None => self.any.push(at),
        }
    }

    /// The places of rules that may fit words of which the first is this one; all for none.
    fn find(&self, name: Option<&str>) -> Vec<usize> {
        let Some(name) = name else { return self.all.clone() };
        let of = self.first.get(name).into_iter().flatten();
        let mut found: Vec<usize> = self.any.iter().chain(of).copied().collect();
        found.sort_unstable();
        found
    }
}

/// The name of a program without its directory.
fn base_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The index of a policy's rules.
#[derive(Debug, Clone, Default)]
pub(super) struct Index {
    /// Rules on shell commands that deny or ask, and those that allow.
    strict: ByWord,
    allow: ByWord,
    /// Rules on git that deny or ask, by the word after `git`.
    git: ByWord,
    /// Rules on hosts that deny or ask.
    hosts: Hosts,
    /// Rules on paths that deny or ask, and those by the directory that they begin with.
    paths: Vec<usize>,
    directories: HashMap<String, Vec<usize>>,
    /// Whether one of them is about the home directory.
    home: bool,
    /// Whether a rule denies or asks about anything that a command can do.
    restricts: bool,
}

impl Index {
    /// Of rules that stand from the strictest.
    pub fn new(rules: &[Rule]) -> Self {
        let mut index = Self::default();
        for (at, rule) in rules.iter().enumerate() {
            let strict = rule.effect != RuleEffect::Allow;
            match (&rule.matcher, rule.tool.as_str()) {
                // By the program's own name: `/bin/rm` may be what `rm` runs.
                (Matcher::Words(words), "shell") if strict => index.strict.add(words.first().map(base_name), at),
                (Matcher::Words(words), "shell") => index.allow.add(words.first(), at),
                (Matcher::Words(words), "git") if strict => index.git.add(words.first(), at),
                (Matcher::Host(host), _) if strict => index.hosts.add(host, at),
                (Matcher::Path { literal, .. }, _) if strict => {
                    index.paths.push(at);
                    index.home |= rule.matches.starts_with("~/");
                    if !literal.is_empty() {
                        index.directories.entry(literal.clone()).or_default().push(at);
                    }
                }
                _ => continue,
            }
            index.restricts |= strict;
        }
        index
    }

    /// Rules that deny or ask and may fit a shell command; `name` is its first word if that is known.
    pub fn strict(&self, name: Option<&str>) -> Vec<usize> {
        self.strict.find(name.map(base_name))
    }

    /// Rules that allow and may fit a command of this name.
    pub fn allow(&self, name: &str) -> Vec<usize> {
        self.allow.find(Some(name))
    }

    /// Rules on git that deny or ask.
    pub fn git(&self) -> &[usize] {
        &self.git.all
    }

    /// Rules on hosts that deny or ask.
    pub fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    /// Rules on paths that deny or ask.
    pub fn paths(&self) -> &[usize] {
        &self.paths
    }

    /// Whether one of them is about the home directory.
    pub fn names_home(&self) -> bool {
        self.home
    }

    /// Those of them that begin with this very directory.
    pub fn directory(&self, path: &str) -> impl Iterator<Item = usize> {
        self.directories.get(path).into_iter().flatten().copied()
    }

    /// Whether a rule denies or asks about anything that a command can do.
    pub fn restricts(&self) -> bool {
        self.restricts
    }
}
