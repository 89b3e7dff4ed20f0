//! Calls of tools that servers (MCP) offer.
//!
//! What such a tool does nobody here can see, so without the person's word each call asks. What a server says of its
//! own tools is a stranger's hint: "only reads" lets a call run in plan mode only when the person has listed the tool.

use super::{Decision, Verdict};
use crate::config::{Origin, Server};
use crate::domain::{Mode, RuleOrigin, ServerTool};

/// Whose tool is to be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerQuestion<'a> {
    /// The tool.
    pub tool: &'a ServerTool,
    /// Its server as the configuration has it now; none when it is not configured any more.
    pub rules: Option<&'a Server>,
}

/// Whether a tool's name stands on a list, whole or by its beginning and `*`.
#[must_use]
pub fn tool_listed(list: &[String], tool: &str) -> bool {
    list.iter().any(|entry| match entry.strip_suffix('*') {
        Some(begin) => tool.starts_with(begin),
        None => entry == tool,
    })
}

/// What is denied whatever the person has answered: tools of a server that is gone or that are on its list, and in plan
/// mode what is not known to read only.
pub(super) fn denied(asked: &ServerQuestion<'_>, mode: Mode, mode_place: &str) -> Option<Decision> {
    let ServerTool { server, tool, read_only } = asked.tool;
    let name = name(asked);
    let Some(rules) = asked.rules else {
        let reason = format!("the tool server `{server}` is not configured any more");
        return Some(decided(Verdict::Deny, reason.clone(), "built in".to_owned(), reason));
    };
    if tool_listed(&rules.deny, tool) {
        let reason = format!("the person has denied `{name}`");
        return Some(decided(Verdict::Deny, format!("{name} is denied"), place(rules, "deny"), reason));
    }
    if mode == Mode::Plan && !(*read_only && tool_listed(&rules.allow, tool)) {
        let reason = format!("plan mode only reads, so `{name}` does not run; say what you would do instead");
        let rule = format!("mode {} denies {name}", mode.word());
        return Some(decided(Verdict::Deny, rule, mode_place.to_owned(), reason));
    }
    None
}

/// What the server's list and the mode say of what no rule speaks of.
pub(super) fn by_default(asked: &ServerQuestion<'_>, mode: Mode, mode_place: &str) -> Decision {
    let (name, word) = (name(asked), mode.word());
    if let Some(rules) = asked.rules.filter(|rules| tool_listed(&rules.allow, &asked.tool.tool)) {
        let reason = format!("the configuration lists `{name}`");
        return decided(Verdict::Allow, format!("{name} is listed"), place(rules, "allow"), reason);
    }
    let (verdict, does) = if mode == Mode::Full { (Verdict::Allow, "allows") } else { (Verdict::Ask, "asks before") };
    let reason = format!("mode {word} {does} `{name}`");
    decided(verdict, format!("mode {word} {does} {name}"), mode_place.to_owned(), reason)
}

fn name(asked: &ServerQuestion<'_>) -> String {
    format!("{}:{}", asked.tool.server, asked.tool.tool)
}

/// Where a list of a server stands.
fn place(rules: &Server, list: &str) -> String {
    match &rules.origin {
        Origin::BuiltIn | Origin::Lane { .. } => format!("mcp.{}.{list}", rules.name),
        Origin::File { layer, line, .. } => format!("{} config.toml:{line}, {list}", layer.word()),
    }
}

const fn decided(verdict: Verdict, rule: String, place: String, reason: String) -> Decision {
    Decision { verdict, rule: RuleOrigin { rule, place }, reason, needs: 1 }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{Policy, Question, Remembered};
    use super::*;
    use crate::config::Reach;

    fn rules(allow: &[&str], deny: &[&str]) -> Server {
        let list = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        Server {
            name: "docs".to_owned(),
            reach: Reach::Command(vec!["x".to_owned()]),
            env: BTreeMap::new(),
            allow: list(allow),
            deny: list(deny),
            timeout: 60,
            sandbox: false,
            origin: Origin::BuiltIn,
        }
    }

    fn ask(tool: &str, read_only: bool, rules: Option<&Server>, mode: Mode, remembered: Remembered) -> Decision {
        let tool = ServerTool { server: "docs".to_owned(), tool: tool.to_owned(), read_only };
        super::super::decide(&Question {
            tool: "mcp__docs__x",
            action: "docs:x {}",
            command: None,
            writes: &[],
            reads: &[],
            directory: "/srv",
            policy: &Policy::default(),
            mode,
            mode_place: "config.toml:14",
            remembered,
            web: &[],
            server: Some(ServerQuestion { tool: &tool, rules }),
        })
    }

    #[test]
    fn each_mode_treats_listed_and_unlisted_tools_as_promised() {
        use Verdict::{Allow, Ask, Deny};
        let rules = rules(&["get_*", "write"], &["drop*", "get_secret"]);
        for (tool, read_only, wanted) in [
            ("search", false, [Deny, Ask, Ask, Allow]),
            ("search", true, [Deny, Ask, Ask, Allow]),
            ("get_page", true, [Allow, Allow, Allow, Allow]),
            ("get_page", false, [Deny, Allow, Allow, Allow]),
            ("write", false, [Deny, Allow, Allow, Allow]),
            ("writer", false, [Deny, Ask, Ask, Allow]),
            ("drop_table", true, [Deny, Deny, Deny, Deny]),
            ("get_secret", true, [Deny, Deny, Deny, Deny]),
        ] {
            for (mode, verdict) in Mode::ALL.into_iter().zip(wanted) {
                let decided = ask(tool, read_only, Some(&rules), mode, Remembered::No);
                assert_eq!(decided.verdict, verdict, "{tool} {read_only} {mode:?}");
            }
        }
    }

    #[test]
    fn a_remembered_answer_goes_before_ask_and_after_deny() {
        let rules = rules(&[], &["drop"]);
        for remembered in [Remembered::Session, Remembered::Always] {
            assert_eq!(ask("x", false, Some(&rules), Mode::Ask, remembered).verdict, Verdict::Allow);
            assert_eq!(ask("x", false, Some(&rules), Mode::Plan, remembered).verdict, Verdict::Deny);
            assert_eq!(ask("drop", false, Some(&rules), Mode::Full, remembered).verdict, Verdict::Deny);
        }
    }

    #[test]
    fn a_server_that_is_gone_from_the_configuration_is_denied_in_every_mode() {
        for mode in Mode::ALL {
            assert_eq!(ask("x", true, None, mode, Remembered::Always).verdict, Verdict::Deny);
        }
    }

    #[test]
    fn the_rule_names_server_and_tool_and_where_it_stands() {
        let decided = ask("x", false, Some(&rules(&[], &[])), Mode::AutoEdit, Remembered::No);
        assert_eq!(decided.rule.rule, "mode auto-edit asks before docs:x");
        assert_eq!(decided.rule.place, "config.toml:14");
        let decided = ask("x", false, Some(&rules(&["*"], &[])), Mode::Ask, Remembered::No);
        assert_eq!((decided.rule.rule.as_str(), decided.rule.place.as_str()), ("docs:x is listed", "mcp.docs.allow"));
    }
}
