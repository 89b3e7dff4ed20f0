//! One rule of the configuration: what it says, and whether it fits.

use crate::base::nearest;
use crate::config::{Layer, Origin};
use crate::domain::LANE_TOOLS;

use super::net::HostRule;
use super::words::Words;

/// What a rule makes of what it fits. The order is from the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleEffect {
    /// It does not run.
    Deny,
    /// The person is asked.
    Ask,
    /// It runs.
    Allow,
}

impl RuleEffect {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Deny, Self::Ask, Self::Allow];

    /// The word people and files use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
        }
    }
}

/// Groups of tools that a rule can name, and the tools in them. Shell commands are also judged as `write`, `read`,
/// `net` and `git` where they write, read, fetch or call git.
const GROUPS: &[(&str, &[&str])] = &[
    ("shell", &["shell"]),
    ("read", &["read", "list", "glob", "grep"]),
    ("write", &["write", "edit", "patch"]),
    ("net", &["fetch"]),
    ("git", &["git_status", "git_diff", "git_log", "git_commit"]),
    ("spawn", &["spawn"]),
    ("mcp", &[]),
    ("coordination", LANE_TOOLS),
];

/// Tools that a rule can name by themselves.
const SINGLE: &[&str] = &[
    "list",
    "glob",
    "grep",
    "edit",
    "patch",
    "fetch",
    "git_status",
    "git_diff",
    "git_log",
    "git_commit",
    "todo",
    "jobs",
    "read_more",
];

/// How a rule's `match` is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Matcher {
    /// The words of a command, or of what a tool is asked to do.
    Words(Words),
    /// A path: its patterns stand in the table of all paths, and the directory that it surely lies in without case.
    Path { patterns: Vec<String>, literal: String, outside: bool },
    /// A host.
    Host(HostRule),
    /// A server's tool.
    ServerTool(String),
}

/// A rule, ready for use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// What it makes of what it fits.
    pub effect: RuleEffect,
    /// A tool or a group of tools.
    pub tool: String,
    /// What it fits, as written.
    pub matches: String,
    /// Why, in the words of who wrote it.
    pub reason: Option<String>,
    /// Whether two have to say yes, for one that asks.
    pub two: bool,
    /// Whether it is an entry of `approvals.two_person`, not a rule of its own.
    pub listed: bool,
    /// Where it stands.
    pub origin: Origin,
    pub(super) matcher: Matcher,
}

impl Rule {
    /// Reads a rule.
    ///
    /// # Errors
    /// The key that is wrong (`effect`, `tool` or `match`), what is wrong with it and what to do.
    pub fn new(
        effect: &str,
        tool: &str,
        matches: &str,
        reason: Option<String>,
        origin: Origin,
    ) -> Result<Self, (&'static str, String, String)> {
        let words = RuleEffect::ALL.map(RuleEffect::word);
        let Some(effect) = RuleEffect::ALL.into_iter().find(|known| known.word() == effect) else {
            return Err(("effect", format!("there is no effect `{effect}`"), one_of(effect, words.into_iter())));
        };
        let names = || GROUPS.iter().map(|(name, _)| *name).chain(SINGLE.iter().copied());
        if !names().any(|name| name == tool) && !tool.starts_with("mcp__") {
            return Err(("tool", format!("there is no tool `{tool}`"), one_of(tool, names())));
        }
        let matcher = matcher(tool, matches).map_err(|(message, hint)| ("match", message, hint))?;
        let (tool, matches) = (tool.to_owned(), matches.to_owned());
        Ok(Self { effect, tool, matches, reason, two: false, listed: false, origin, matcher })
    }

    /// The same rule, where so many have to say yes; none: one.
    ///
    /// # Errors
    /// As for [`Rule::new`], about the key `confirm`.
    pub fn confirmed(self, confirm: Option<i64>) -> Result<Self, (&'static str, String, String)> {
        match confirm {
            None | Some(1) => Ok(self),
            Some(2) if self.effect == RuleEffect::Ask => Ok(Self { two: true, ..self }),
            Some(2) => {
                let message = format!("is about questions, and `{}` asks none", self.effect.word());
                Err(("confirm", message, "leave it out, or make it `effect = \"ask\"`".to_owned()))
            }
            Some(other) => Err(("confirm", format!("cannot be {other}"), "write 1 or 2".to_owned())),
        }
    }

    /// Whether it speaks of a tool.
    #[must_use]
    pub fn covers(&self, tool: &str) -> bool {
        self.tool == tool
            || (self.tool == "mcp" && tool.starts_with("mcp__"))
            || GROUPS.iter().any(|(group, tools)| *group == self.tool && tools.contains(&tool))
    }

    /// Which layer it stands in; none for one that is built in.
    #[must_use]
    pub fn layer(&self) -> Option<Layer> {
        match &self.origin {
            Origin::BuiltIn => None,
            Origin::File { layer, .. } => Some(*layer),
            Origin::Lane { .. } => Some(Layer::Lane),
        }
    }

    /// The rule in words: `ask shell git push * (pushes are reviewed)`.
    #[must_use]
    pub fn shown(&self) -> String {
        let reason = self.reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        let two = if self.two { ", the yes of two" } else { "" };
        format!("{} {} {}{two}{reason}", self.effect.word(), self.tool, self.matches)
    }
}

fn one_of<'a>(text: &str, words: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(text, words.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of {}", words.map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")),
    }
}

/// A path or pattern as those see it that do not tell upper from lower case: some file systems do not.
pub(super) fn folded(text: &str) -> String {
    // By way of the upper case, since several letters share one.
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.to_uppercase().to_lowercase() }
}

type Fault = (String, String);

fn matcher(tool: &str, matches: &str) -> Result<Matcher, Fault> {
    if matches.trim().is_empty() {
        return Err(("is empty".to_owned(), "write `*` for everything".to_owned()));
    }
    if matches.chars().any(char::is_control) {
        return Err(("has control characters".to_owned(), "write it in one plain line".to_owned()));
    }
    match tool {
        "read" | "list" | "glob" | "grep" | "write" | "edit" | "patch" => path(matches),
        "net" | "fetch" => host(matches),
        "mcp" => Ok(Matcher::ServerTool(matches.to_owned())),
        _ => {
            let words = Words::parse(matches)?;
            if tool == "shell" || tool == "git" {
                words.can_fit(tool)?;
            }
            Ok(Matcher::Words(words))
        }
    }
}

/// A pattern as in a `.gitignore`: without a slash it fits at any depth, and what fits a directory fits all below it.
fn path(matches: &str) -> Result<Matcher, Fault> {
    if matches.starts_with('!') {
        let hint = "write what is allowed as a rule with `effect = \"allow\"`";
        return Err(("begins with `!`, which rules do not have".to_owned(), hint.to_owned()));
    }
    let outside = matches.starts_with("//") || matches.starts_with("~/");
    let bare =
        if let Some(absolute) = matches.strip_prefix("//") { format!("/{absolute}") } else { matches.to_owned() };
    let bare = bare.trim_end_matches('/');
    let inner = bare.strip_prefix('/').filter(|_| !outside).unwrap_or(bare);
    let anchored = outside || bare.contains('/');
    let inner = inner.strip_prefix("./").unwrap_or(inner);
    if inner.is_empty() || inner.split('/').any(|part| part == "..") {
        let hint = "name paths below the worktree, `//…` for absolute ones and `~/…` for those in your home";
        return Err(("names no path of the worktree".to_owned(), hint.to_owned()));
    }
    let pattern = if anchored || inner == "**" { inner.to_owned() } else { format!("**/{inner}") };
    let mut literal = String::new();
    if anchored {
        let end = inner
            .find(['*', '?', '[', '{', '\\'])
            .map_or(inner.len(), |at| inner.get(..at).and_then(|i| i.rfind('/')).unwrap_or(0));
        literal = folded(inner.get(..end).unwrap_or_default());
    }
    let below = format!("{pattern}/**");
    for pattern in [&pattern, &below] {
        globset::GlobBuilder::new(pattern).literal_separator(true).build().map_err(|error| {
            (format!("is no pattern: {}", error.kind()), "write it as in a `.gitignore`".to_owned())
        })?;
    }
    let patterns = if pattern.ends_with("**") { vec![pattern] } else { vec![pattern, below] };
    Ok(Matcher::Path { patterns, literal, outside })
}

fn host(matches: &str) -> Result<Matcher, Fault> {
    HostRule::parse(matches).map(Matcher::Host).ok_or_else(|| {
        let hint = "write a host such as `docs.rs`, `*.example.com`, `example.com:8443`, `10.0.0.1`, `::1`, or `*`";
        ("is no host".to_owned(), hint.to_owned())
    })
}
