//! The tool servers of own agents: all of them, and one in full.

use serde_json::{Value, json};

use crate::base::{Report, nearest, visible};
use crate::config::{Reach, Server};
use crate::domain::{Lane, LaneKind, ServerView};
use crate::policy::tool_listed;

use super::text::{line, table};
use super::{Document, Read};

/// Cells of a command or an error in a table.
const CELLS: usize = 80;

/// What is said of a server that no lane has started.
const NOT_STARTED: &str = "not started";

fn lanes<'a>(read: &Read<'a>, server: &'a Server) -> Vec<(&'a Lane, &'a ServerView)> {
    let state = read.state;
    let agents = state.model.open_lanes().filter(|lane| matches!(lane.kind, LaneKind::Agent { .. }));
    let of = |lane: &'a Lane| {
        let view = state.live(lane.id)?.servers.iter().find(|view| view.name == server.name)?;
        Some((lane, view))
    };
    agents.filter(|lane| read.focused.is_none_or(|focused| focused == lane.id)).filter_map(of).collect()
}

fn common(server: &Server) -> Value {
    json!({
        "name": server.name,
        "transport": match server.reach { Reach::Command(_) => "stdio", Reach::Url { .. } => "http" },
        "place": server.place(),
        "origin": server.origin.to_string(),
    })
}

fn in_lane(mut server: Value, view: Option<(&Lane, &ServerView)>) -> Value {
    server["lane"] = json!(view.map(|(lane, _)| lane.name.as_str()));
    server["state"] = json!(view.map_or(NOT_STARTED, |(_, view)| view.state.word()));
    server["tools"] = json!(view.map_or(0, |(_, view)| view.tools.len()));
    server["starts"] = json!(view.map_or(0, |(_, view)| view.starts));
    server["error"] = json!(view.and_then(|(_, view)| view.error.as_deref()));
    server
}

/// Every configured server in every lane that has started it.
pub(super) fn list(read: &Read<'_>) -> Document {
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    for server in &read.state.settings.servers {
        let lanes = lanes(read, server);
        if lanes.is_empty() {
            rows.push(vec![
                server.name.clone(),
                "-".into(),
                NOT_STARTED.into(),
                String::new(),
                line(&server.place(), CELLS),
            ]);
            all.push(in_lane(common(server), None));
        }
        for (lane, view) in lanes {
            let about = view.error.clone().unwrap_or_else(|| server.place());
            let tools = match view.tools.len() {
                1 => "1 tool".to_owned(),
                many => format!("{many} tools"),
            };
            rows.push(vec![
                server.name.clone(),
                lane.name.to_string(),
                view.state.word().to_owned(),
                tools,
                line(&about, CELLS),
            ]);
            all.push(in_lane(common(server), Some((lane, view))));
        }
    }
    let text = if rows.is_empty() {
        "no tool server is configured: name one under `[mcp.NAME]` in the configuration".to_owned()
    } else {
        table(&rows)
    };
    Document { title: "tool servers".into(), json: json!({ "servers": all }), text }
}

/// One server in full.
pub(super) fn show(read: &Read<'_>, name: &str) -> Result<Document, Report> {
    let servers = &read.state.settings.servers;
    let Some(server) = servers.iter().find(|server| server.name == name) else {
        let report = Report::refused(format!("there is no tool server `{name}`"));
        return Err(match nearest(name, servers.iter().map(|server| server.name.as_str())) {
            Some(near) => report.hint(format!("did you mean `{near}`?")),
            None => report.hint("`servers list` shows those that the configuration names"),
        });
    };
    let mut text = format!(
        "{}  {}\nfrom {}\nallow: {}\ndeny: {}\na call may take {} s\n",
        server.name,
        line(&server.place(), 200),
        server.origin,
        words(&server.allow),
        words(&server.deny),
        server.timeout,
    );
    let mut all = Vec::new();
    for (lane, view) in lanes(read, server) {
        let mut one = in_lane(json!({}), Some((lane, view)));
        one["tools"] = view
            .tools
            .iter()
            .map(|tool| {
                let listed = tool_listed(&server.allow, &tool.tool);
                json!({ "name": tool.tool, "listed": listed, "says_it_only_reads": tool.read_only })
            })
            .collect();
        one["left_out"] = json!(view.left_out);
        one["said"] = json!(view.said);
        all.push(one);
        text.extend([format!("\nlane {}: {}, started {}\n", lane.name, view.state.word(), times(view.starts))]);
        text.extend(view.error.as_deref().map(|error| format!("  {}\n", line(error, 300))));
        for tool in &view.tools {
            let listed = if tool_listed(&server.allow, &tool.tool) { "  listed" } else { "" };
            let reads = if tool.read_only { "  says that it only reads" } else { "" };
            text.extend([format!("  {}{listed}{reads}\n", line(&tool.tool, 100))]);
        }
        if !view.left_out.is_empty() {
            text.push_str("  left out:\n");
            text.extend(view.left_out.iter().map(|words| format!("    {}\n", line(words, 160))));
        }
        if !view.said.trim().is_empty() {
            text.push_str("  its error output ends with:\n");
            let lines: Vec<&str> = view.said.trim_end().lines().collect();
            let last = lines.iter().skip(lines.len().saturating_sub(20));
            text.extend(last.map(|said| format!("    {}\n", visible(said))));
        }
    }
    if all.is_empty() {
        text.push_str("\nno lane has started it; it starts with a lane's next prompt\n");
    }
    let mut json = common(server);
    json["allow"] = json!(server.allow);
    json["deny"] = json!(server.deny);
    json["timeout"] = json!(server.timeout);
    json["lanes"] = json!(all);
    Ok(Document { title: format!("tool server {name}"), json, text })
}

fn words(list: &[String]) -> String {
    if list.is_empty() { "nothing".to_owned() } else { list.join(", ") }
}

fn times(count: u32) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
