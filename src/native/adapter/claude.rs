//! Claude Code: settings, tools and words per launch (`--settings`, `--mcp-config`, `--append-system-prompt`), a preset
//! conversation id, and its own dialogs for what a rule leaves to the person.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Adapter, place_words};
use crate::domain::HookAnswer;
use crate::native::dialect::claude_form;
use crate::native::launch::{Fault, LaunchAsk, LaunchPlan, text};

/// The events that we listen to, with the seconds that a hook may take. A permission waits as long as the person.
const EVENTS: [(&str, u64); 9] = [
    ("SessionStart", 10),
    ("UserPromptSubmit", 10),
    ("PreToolUse", 30),
    ("PermissionRequest", 86_400),
    ("PostToolUse", 10),
    ("PostToolUseFailure", 10),
    ("Notification", 10),
    ("Stop", 10),
    ("SessionEnd", 10),
];

pub(super) struct Claude;

impl Adapter for Claude {
    fn plan(&self, ask: &LaunchAsk<'_>) -> Result<LaunchPlan, Fault> {
        plan(ask)
    }

    fn answer(&self, event: &str, answer: &HookAnswer) -> Option<Value> {
        claude_form(event, answer)
    }
}

fn plan(ask: &LaunchAsk<'_>) -> Result<LaunchPlan, Fault> {
    let own = text(ask.own)?;
    let hook = |(event, seconds): (&str, u64)| {
        // Without a shell in between: two processes less for each call.
        let hook = json!({ "type": "command", "command": own, "args": ["hook", event, "claude"], "timeout": seconds });
        (event.to_owned(), json!([{ "hooks": [hook] }]))
    };
    let hooks: serde_json::Map<String, Value> = EVENTS.into_iter().map(hook).collect();
    let settings = json!({ "hooks": hooks });
    let server = json!({
        "type": "http", "url": ask.tools, "headers": { "Authorization": "Bearer ${PARALANE_TOKEN}" },
    });
    let servers = json!({ "mcpServers": { "paralane": server } });
    let config = ask.home("CLAUDE_CONFIG_DIR", ".claude");
    let mut command: Vec<OsString> = vec![ask.program.into()];
    let mut add = |words: &[&str]| command.extend(words.iter().map(OsString::from));
    let (settings_file, servers_file) = (ask.private.join("settings.json"), ask.private.join("mcp.json"));
    add(&["--settings", text(&settings_file)?, "--mcp-config", text(&servers_file)?]);
    // Its own rules ask, so that ours decide: in its mode `auto` a model would.
    add(&["--append-system-prompt", &place_words(ask.lane), "--permission-mode", "manual"]);
    match &ask.native.session {
        Some(session) if kept(config.as_deref(), session) => add(&["--resume", session]),
        Some(_) => return Err(ask.no_session()),
        None => add(&["--session-id", ask.fresh]),
    }
    if let Some(model) = &ask.native.model {
        add(&["--model", model]);
    }
    command.extend(ask.more.iter().map(OsString::from));
    let mut variables: Vec<(OsString, OsString)> = Vec::new();
    if trusted(ask) {
        // The worktree holds what the trusted checkout holds.
        variables.push(("CLAUDE_CODE_SANDBOXED".into(), "1".into()));
    }
    let files = vec![("settings.json", settings.to_string()), ("mcp.json", servers.to_string())];
    Ok(LaunchPlan { command, variables, files, open: config.into_iter().collect(), ..LaunchPlan::default() })
}

/// Whether a transcript of this conversation is kept, in whatever directory it was had.
fn kept(config: Option<&Path>, session: &str) -> bool {
    let Some(projects) = config.and_then(|config| fs::read_dir(config.join("projects")).ok()) else { return false };
    let name = format!("{session}.jsonl");
    projects.flatten().any(|project| project.path().join(&name).is_file())
}

/// Whether the person has trusted the base checkout, or a directory around it.
fn trusted(ask: &LaunchAsk<'_>) -> bool {
    let moved = ask.variable("CLAUDE_CONFIG_DIR").map(PathBuf::from);
    let place = moved.or_else(|| ask.variable("HOME").map(PathBuf::from));
    let Some(file) = place.map(|place| place.join(".claude.json")) else { return false };
    let known: Value = fs::read(file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    let accepted = |path: &Path| {
        path.to_str().is_some_and(|path| known["projects"][path]["hasTrustDialogAccepted"] == Value::Bool(true))
    };
    ask.base.ancestors().chain(ask.directory.ancestors()).any(accepted)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ask_in, words};
    use super::*;
    use crate::domain::{Cli, NativeLane};

    #[test]
    fn a_launch_brings_hooks_tools_and_words_and_a_fresh_id() {
        let all = tempfile::tempdir().unwrap();
        let native = NativeLane { model: Some("opus".into()), ..NativeLane::new(Cli::Claude) };
        let env = vec![("HOME".into(), all.path().into())];
        let ask = ask_in(all.path(), &native, &env);
        let plan = plan(&ask).unwrap();
        let command = words(&plan);
        assert_eq!(command[0], "/usr/bin/cli");
        for pair in [["--session-id", "fresh-id"], ["--model", "opus"], ["--permission-mode", "manual"]] {
            assert!(command.windows(2).any(|two| two == pair), "{pair:?} {command:?}");
        }
        assert_eq!(command.last().map(String::as_str), Some("--verbose"));
        let settings: Value = serde_json::from_str(&plan.files[0].1).unwrap();
        let hook = &settings["hooks"]["PreToolUse"][0]["hooks"][0];
        assert_eq!(
            (&hook["command"], &hook["args"]),
            (&json!("/usr/bin/paralane"), &json!(["hook", "PreToolUse", "claude"]))
        );
        assert!(!plan.files[1].1.contains("Bearer t"), "no token stands in a file: {}", plan.files[1].1);
        assert_eq!(plan.variables, []);
    }

    #[test]
    fn trust_in_the_base_checkout_covers_its_worktrees() {
        let all = tempfile::tempdir().unwrap();
        fs::write(all.path().join(".claude.json"), r#"{"projects":{"/repos/shop":{"hasTrustDialogAccepted":true}}}"#)
            .unwrap();
        let native = NativeLane::new(Cli::Claude);
        let env = vec![("HOME".into(), all.path().into())];
        assert_eq!(plan(&ask_in(all.path(), &native, &env)).unwrap().variables.len(), 1);
    }

    #[test]
    fn a_conversation_is_resumed_and_a_missing_one_is_said() {
        let all = tempfile::tempdir().unwrap();
        let native = NativeLane { session: Some("abc-1".into()), ..NativeLane::new(Cli::Claude) };
        let env = vec![("CLAUDE_CONFIG_DIR".into(), all.path().into())];
        let ask = ask_in(all.path(), &native, &env);
        let fault = plan(&ask).unwrap_err().to_string();
        assert!(fault.contains("the conversation `abc-1` of lane `web` is not there any more"), "{fault}");
        fs::create_dir_all(all.path().join("projects/-elsewhere")).unwrap();
        fs::write(all.path().join("projects/-elsewhere/abc-1.jsonl"), "").unwrap();
        let command = words(&plan(&ask).unwrap());
        assert!(command.windows(2).any(|two| two == ["--resume", "abc-1"]), "{command:?}");
        assert!(!command.iter().any(|word| word == "--session-id"));
    }
}
