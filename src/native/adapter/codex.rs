//! Codex: everything by `-c`, hooks trusted one by one by their hash, no daemon that would outlive the lane. Its ids are
//! its own: they are taken from its hooks.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{Adapter, Dialog, place_words};
use crate::base::sha256_hex;
use crate::domain::{HookAnswer, Key, KeyCode};
use crate::native::dialect::claude_form;
use crate::native::launch::{Fault, LaunchAsk, LaunchPlan, text};
use crate::native::tools::quoted;

/// Its events by both names, with the seconds that a hook may take. The hook before a tool may wait for the person.
const EVENTS: [(&str, &str, u64); 7] = [
    ("SessionStart", "session_start", 10),
    ("UserPromptSubmit", "user_prompt_submit", 10),
    ("PreToolUse", "pre_tool_use", 86_400),
    ("PermissionRequest", "permission_request", 30),
    ("PostToolUse", "post_tool_use", 10),
    ("Stop", "stop", 10),
    ("SessionEnd", "session_end", 1),
];

pub(super) struct Codex;

impl Adapter for Codex {
    fn plan(&self, ask: &LaunchAsk<'_>) -> Result<LaunchPlan, Fault> {
        plan(ask)
    }

    fn answer(&self, event: &str, answer: &HookAnswer) -> Option<Value> {
        match (event, answer) {
            // It takes no such word here: whatever is not denied goes on under its own rules.
            ("PreToolUse", HookAnswer::Allow(_)) => None,
            _ => claude_form(event, answer),
        }
    }

    fn dialog(&self) -> Option<Dialog> {
        Some(Dialog { allow: Key::char('y'), deny: Key::plain(KeyCode::Esc), shows: "esc to cancel" })
    }
}

fn plan(ask: &LaunchAsk<'_>) -> Result<LaunchPlan, Fault> {
    let own = quoted(text(ask.own)?);
    let config = ask.home("CODEX_HOME", ".codex");
    let mut command: Vec<OsString> = vec![ask.program.into()];
    let mut add = |words: &[&str]| command.extend(words.iter().map(OsString::from));
    match &ask.native.session {
        Some(session) if config.as_deref().is_some_and(|config| kept(&config.join("sessions"), session, 4)) => {
            add(&["resume", session]);
        }
        Some(_) => return Err(ask.no_session()),
        None => {}
    }
    add(&["--no-daemon"]);
    let mut trust = Vec::new();
    for (event, snake, seconds) in EVENTS {
        let hook = format!("{own} hook {event} codex");
        // The very form of which Codex takes the hash: keys in order, no blanks.
        let identity = json!({
            "event_name": snake,
            "hooks": [{ "async": false, "command": hook, "timeout": seconds, "type": "command" }],
        });
        let hash = sha256_hex(sorted(&identity).as_bytes());
        let setting =
            format!("hooks.{event}=[{{hooks=[{{type=\"command\",command={},timeout={seconds}}}]}}]", toml(&hook));
        add(&["-c", &setting]);
        trust.push(format!("\"/<session-flags>/config.toml:{snake}:0:0\"={{trusted_hash=\"sha256:{hash}\"}}"));
    }
    add(&["-c", &format!("hooks.state={{{}}}", trust.join(","))]);
    let server = format!(
        "mcp_servers.paralane={{url={},bearer_token_env_var=\"PARALANE_TOKEN\",default_tools_approval_mode=\"approve\"}}",
        toml(ask.tools)
    );
    add(&["-c", &server, "-c", &format!("developer_instructions={}", toml(&place_words(ask.lane)))]);
    if config.as_deref().is_some_and(|config| trusted(config, ask.base)) {
        let directory = toml(text(ask.directory)?);
        add(&["-c", &format!("projects={{{directory}={{trust_level=\"trusted\"}}}}")]);
    }
    if let Some(model) = &ask.native.model {
        add(&["-m", model]);
    }
    command.extend(ask.more.iter().map(OsString::from));
    Ok(LaunchPlan { command, open: config.into_iter().collect(), ..LaunchPlan::default() })
}

/// A text as TOML writes it.
fn toml(text: &str) -> String {
    ::toml::Value::String(text.to_owned()).to_string()
}

/// JSON without blanks, keys in order.
fn sorted(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Object(map) => {
            let mut pairs: Vec<_> = map.iter().collect();
            pairs.sort_by_key(|(key, _)| *key);
            let all: Vec<String> =
                pairs.iter().map(|(key, value)| format!("{}:{}", json!(key), sorted(value))).collect();
            format!("{{{}}}", all.join(","))
        }
        serde_json::Value::Array(all) => format!("[{}]", all.iter().map(sorted).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

/// Whether a transcript of this conversation is kept: they stand by year, month and day.
fn kept(directory: &Path, session: &str, depth: usize) -> bool {
    let Ok(entries) = fs::read_dir(directory) else { return false };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let found = name.strip_suffix(".jsonl").or(name.strip_suffix(".jsonl.zst"));
        found.is_some_and(|name| name.ends_with(session)) || depth > 0 && kept(&entry.path(), session, depth - 1)
    })
}

/// Whether the person has trusted the base checkout.
fn trusted(config: &Path, base: &Path) -> bool {
    let text = fs::read_to_string(config.join("config.toml")).unwrap_or_default();
    let table: ::toml::Table = text.parse().unwrap_or_default();
    let level = |path: &Path| {
        table.get("projects")?.get(path.to_str()?)?.get("trust_level")?.as_str().map(|level| level == "trusted")
    };
    base.ancestors().find_map(level).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ask_in, words};
    use super::*;
    use crate::domain::{Cli, NativeLane};

    #[test]
    fn a_launch_brings_trusted_hooks_and_tools() {
        let all = tempfile::tempdir().unwrap();
        fs::write(all.path().join("config.toml"), "[projects.\"/repos/shop\"]\ntrust_level = \"trusted\"\n").unwrap();
        let native = NativeLane { model: Some("gpt".into()), ..NativeLane::new(Cli::Codex) };
        let env = vec![("CODEX_HOME".into(), all.path().into())];
        let ask = ask_in(all.path(), &native, &env);
        let command = words(&plan(&ask).unwrap());
        let setting = |name: &str| command.iter().find(|word| word.starts_with(name)).cloned().unwrap_or_default();
        assert_eq!(
            setting("hooks.Stop="),
            "hooks.Stop=[{hooks=[{type=\"command\",command=\"/usr/bin/paralane hook Stop codex\",timeout=10}]}]"
        );
        // Every setting is sound TOML, as Codex reads it.
        for value in command.windows(2).filter(|two| two[0] == "-c").map(|two| &two[1]) {
            value.parse::<::toml::Table>().unwrap_or_else(|error| panic!("{value}: {error}"));
        }
        let identity = r#"{"event_name":"stop","hooks":[{"async":false,"command":"/usr/bin/paralane hook Stop codex","timeout":10,"type":"command"}]}"#;
        assert!(setting("hooks.state=").contains(&sha256_hex(identity.as_bytes())));
        assert!(setting("projects=").contains("trusted"));
        assert!(command.contains(&"--no-daemon".to_owned()) && !command.contains(&"resume".to_owned()));
        assert!(!command.iter().any(|word| word.contains("Bearer")));
    }

    #[test]
    fn a_conversation_is_resumed_and_a_missing_one_is_said() {
        let all = tempfile::tempdir().unwrap();
        let native = NativeLane { session: Some("01-ab".into()), ..NativeLane::new(Cli::Codex) };
        let env = vec![("CODEX_HOME".into(), all.path().into())];
        let ask = ask_in(all.path(), &native, &env);
        assert!(matches!(plan(&ask), Err(Fault::NoSession { .. })));
        let day = all.path().join("sessions/2026/11/30");
        fs::create_dir_all(&day).unwrap();
        fs::write(day.join("rollout-2026-11-30T10-00-00-01-ab.jsonl"), "").unwrap();
        assert_eq!(words(&plan(&ask).unwrap())[1..3], ["resume", "01-ab"]);
    }
}
