//! The rules in force, and what they say of one call.

use serde_json::json;

use super::{Document, Read};
use crate::base::Report;
use crate::config::{Origin, Switch};
use crate::domain::{LaneId, ServerTool};
use crate::policy::{self, Decision, Question, Remembered, ServerQuestion, Verdict};

pub(super) fn show(read: &Read<'_>, lane: Option<&str>) -> Result<Document, Report> {
    let lane = named(read, lane)?;
    let policy = read.state.policy(lane);
    let mut lines: Vec<String> = Vec::new();
    let mut rules = Vec::new();
    for (at, rule) in policy.rules().iter().enumerate() {
        lines.push(format!("{:>3}  {}  — {}", at + 1, rule.shown(), rule.origin));
        let (file, line) = file_and_line(&rule.origin);
        rules.push(json!({
            "number": at + 1,
            "effect": rule.effect.word(),
            "tool": rule.tool,
            "match": rule.matches,
            "reason": rule.reason,
            "layer": rule.layer().map(crate::config::Layer::word),
            "file": file,
            "line": line,
            "confirm": if rule.two { 2 } else { 1 },
            "lane": matches!(rule.origin, Origin::Lane { .. }).then(|| lane.map(|lane| read.state.model.name(lane))),
        }));
    }
    if lines.is_empty() {
        lines.push("no rules: what a call does depends on the mode alone".to_owned());
    }
    let off: Vec<(Switch, &str)> = Switch::ALL.iter().filter_map(|s| policy.off(*s).map(|place| (*s, place))).collect();
    lines.extend(off.iter().map(|(switch, place)| format!("     {} is off  — {place}", switch.word())));
    lines.extend(policy.forgetful().map(|place| format!("     answers are not remembered  — {place}")));
    lines.extend(policy.never_full().map(|place| format!("     the mode full is forbidden  — {place}")));
    lines.extend(
        policy.unreadable().map(|place| format!("     a rule cannot be read, so all but reading asks  — {place}")),
    );
    let set = read.state.model.mode.unwrap_or(read.state.settings.mode);
    let mode = lane.map_or(set, |lane| read.state.mode(lane));
    lines.push(format!("     everything else: mode {}", mode.word()));
    let json = json!({
        "rules": rules,
        "off": off.iter().map(|(switch, _)| switch.word()).collect::<Vec<_>>(),
        "remember": policy.forgetful().is_none(),
        "full": policy.never_full().is_none(),
        "unreadable": policy.unreadable(),
        "mode": mode.word(),
    });
    Ok(Document { title: "rules".into(), json, text: lines.join("\n") })
}

fn named(read: &Read<'_>, lane: Option<&str>) -> Result<Option<LaneId>, Report> {
    let unknown = |name: &str| Report::refused(format!("there is no lane `{name}`")).hint("`lane list` shows them");
    lane.map(|name| read.state.model.lane_named(name).map(|lane| lane.id).ok_or_else(|| unknown(name))).transpose()
}

/// What would be decided about a call; its first word is the verdict.
pub(super) fn explain(read: &Read<'_>, tool: &str, action: &str, lane: Option<&str>) -> Result<Document, Report> {
    let state = read.state;
    let lane = named(read, lane)?;
    let decision = decide(read, tool, action, lane);
    let verdict = match decision.verdict {
        Verdict::Allow => "allow",
        Verdict::Ask => "ask",
        Verdict::Deny => "deny",
    };
    let stands = state.policy(lane).named(&decision.rule);
    let (file, line) = stands.map_or((None, None), |rule| file_and_line(&rule.origin));
    let place = stands.map_or_else(|| decision.rule.place.clone(), |rule| rule.origin.to_string());
    let text = format!("{verdict}  {}\n       {place}\n       {}", decision.rule.rule, decision.reason);
    let json = json!({
        "verdict": verdict,
        "rule": decision.rule.rule,
        "place": place,
        "file": file,
        "line": line,
        "reason": decision.reason,
        "confirm": decision.needs,
    });
    Ok(Document { title: "verdict".into(), json, text })
}

fn file_and_line(origin: &Origin) -> (Option<&str>, Option<usize>) {
    match origin {
        Origin::BuiltIn | Origin::Lane { .. } => (None, None),
        Origin::File { file, line, .. } => (Some(file), Some(*line)),
    }
}

fn decide(read: &Read<'_>, tool: &str, action: &str, lane: Option<LaneId>) -> Decision {
    let (state, settings) = (read.state, &read.state.settings);
    let directory = lane.and_then(|lane| state.model.lanes.get(&lane)).map(|lane| lane.place.directory.as_path());
    let directory = directory.unwrap_or(&settings.project.root).display().to_string();
    let offered = server_tool(tool, action);
    let server = offered
        .as_ref()
        .map(|tool| ServerQuestion { tool, rules: settings.servers.iter().find(|server| server.name == tool.server) });
    // Groups stand for the tool that people mean by them.
    let (tool, action) = match tool {
        "net" => ("fetch".to_owned(), action.to_owned()),
        "git" => ("shell".to_owned(), format!("git {action}")),
        other => (other.to_owned(), action.to_owned()),
    };
    let action = if tool == "fetch" && !action.contains("://") { format!("https://{action}") } else { action };
    let path = action.strip_prefix(&directory).map_or(action.as_str(), |rest| rest.trim_start_matches('/')).to_owned();
    let path = vec![path.trim_start_matches("./").to_owned()];
    let writes = matches!(tool.as_str(), "write" | "edit" | "patch");
    let reads = matches!(tool.as_str(), "read" | "list" | "glob" | "grep");
    let key = policy::remember_key(&tool, &json!({ "command": action }));
    let known = |of: Option<LaneId>| state.model.remembered.contains(&(of, tool.clone(), key.clone()));
    let remembered = match lane {
        _ if known(None) => Remembered::Always,
        Some(_) if known(lane) => Remembered::Session,
        _ => Remembered::No,
    };
    let (mode, mode_place) = match lane {
        Some(lane) => (state.mode(lane), state.mode_place(lane)),
        None if state.model.mode.is_some() => (state.model.mode.unwrap_or(settings.mode), "set by `mode`"),
        None => (settings.mode, settings.mode_place.as_str()),
    };
    policy::decide(&Question {
        tool: &tool,
        action: &action,
        command: None,
        writes: if writes { &path } else { &[] },
        reads: if reads { &path } else { &[] },
        directory: &directory,
        policy: state.policy(lane),
        mode,
        mode_place,
        remembered,
        web: &settings.web.allow,
        server,
    })
}

/// The tool of a server that is meant: `mcp` with `server:tool`, or the name that the model knows it by.
fn server_tool(tool: &str, action: &str) -> Option<ServerTool> {
    let name = if tool == "mcp" { action.split_whitespace().next()?.split_once(':') } else { None };
    let (server, tool) = name.or_else(|| tool.strip_prefix("mcp__")?.split_once("__"))?;
    // Nothing is known of what the server says of it.
    Some(ServerTool { server: server.to_owned(), tool: tool.to_owned(), read_only: false })
}
