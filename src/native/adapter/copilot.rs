//! Copilot: hooks come as a plugin for the launch (`--plugin-dir`), tools and words beside it. Its hook before a tool
//! allows, denies or has the call asked; its dialogs take keys only. It tells of a session with the first prompt, so
//! that it is ready is seen on its screen.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::{Adapter, Dialog, place_words, wants_person};
use crate::domain::{HookAnswer, Key, KeyCode, ProgramState};
use crate::native::dialect::claude_form;
use crate::native::launch::{Fault, LaunchAsk, LaunchPlan, text};
use crate::native::tools::quoted;

/// Its events, with the seconds that a hook may take.
const EVENTS: [(&str, u64); 8] = [
    ("SessionStart", 10),
    ("UserPromptSubmit", 10),
    ("PreToolUse", 30),
    ("PermissionRequest", 30),
    ("PostToolUse", 10),
    ("Notification", 10),
    ("Stop", 10),
    ("SessionEnd", 10),
];

/// Bytes at the end of a conversation's file that may have its last words.
const TAIL: u64 = 256 * 1024;

/// Where it looks for words beside the repository's own.
const WORDS: &str = "COPILOT_CUSTOM_INSTRUCTIONS_DIRS";

pub(super) struct Copilot;

impl Adapter for Copilot {
    fn plan(&self, ask: &LaunchAsk<'_>) -> Result<LaunchPlan, Fault> {
        let own = quoted(text(ask.own)?);
        let hook = |(event, seconds): (&str, u64)| {
            let hook =
                json!({ "type": "command", "command": format!("{own} hook {event} copilot"), "timeout": seconds });
            (event.to_owned(), json!([{ "hooks": [hook] }]))
        };
        let hooks: Map<String, Value> = EVENTS.into_iter().map(hook).collect();
        let plugin = json!({ "name": "paralane", "version": "0.1.0", "description": "The rules of this lane" });
        let server = json!({
            "type": "http", "url": ask.tools, "headers": { "Authorization": "Bearer ${PARALANE_TOKEN}" }, "tools": ["*"],
        });
        let words = format!("---\napplyTo: \"**\"\n---\n{}\n", place_words(ask.lane));
        let files = vec![
            ("plugin/.claude-plugin/plugin.json", plugin.to_string()),
            ("plugin/hooks/hooks.json", json!({ "hooks": hooks }).to_string()),
            ("mcp.json", json!({ "mcpServers": { "paralane": server } }).to_string()),
            ("words/.github/instructions/paralane.instructions.md", words),
        ];
        let home = ask.home("COPILOT_HOME", ".copilot").unwrap_or_default();
        let mut command: Vec<OsString> = vec![ask.program.into()];
        let mut add = |words: &[&str]| command.extend(words.iter().map(OsString::from));
        add(&["--plugin-dir", text(&ask.private.join("plugin"))?]);
        add(&["--additional-mcp-config", &format!("@{}", text(&ask.private.join("mcp.json"))?)]);
        match &ask.native.session {
            Some(session) if kept(&home, session) => add(&[&format!("--resume={session}")]),
            Some(_) => return Err(ask.no_session()),
            None => add(&["--session-id", ask.fresh]),
        }
        if let Some(model) = &ask.native.model {
            add(&["--model", model]);
        }
        command.extend(ask.more.iter().map(OsString::from));
        let mut places = ask.variable(WORDS).cloned().unwrap_or_default();
        if !places.is_empty() {
            places.push(",");
        }
        places.push(ask.private.join("words"));
        // One that renews itself while it runs would not be the one that was tried.
        let variables = vec![(WORDS.into(), places), ("COPILOT_AUTO_UPDATE".into(), "false".into())];
        let open = vec![home.join("session-state"), home.join("logs")];
        Ok(LaunchPlan { command, variables, files, open, ..LaunchPlan::default() })
    }

    fn answer(&self, event: &str, answer: &HookAnswer) -> Option<Value> {
        Some(match (event, answer) {
            ("PermissionRequest", HookAnswer::Allow(_)) => json!({ "behavior": "allow" }),
            ("PermissionRequest", HookAnswer::Deny(reason)) => json!({ "behavior": "deny", "message": reason }),
            (_, HookAnswer::Context(text)) => json!({ "additionalContext": text }),
            _ => return claude_form(event, answer),
        })
    }

    fn dialog(&self) -> Option<Dialog> {
        Some(Dialog { allow: Key::char('1'), deny: Key::plain(KeyCode::Esc), shows: "1. Yes" })
    }

    /// It tells of the end a moment before it writes what came before. That hook stands in the record too, and is open.
    fn whole(&self, transcript: &Path) -> bool {
        let text = tail(transcript).unwrap_or_default();
        let rows = text.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut told = rows.filter(|row| row["data"]["hookType"] == "agentStop");
        told.next().is_some_and(|row| row["type"] == "hook.start")
    }

    fn last_words(&self, transcript: &Path) -> Option<String> {
        let text = tail(transcript)?;
        let rows = text.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut told = rows.filter(|row| row["type"] == "assistant.message" || row["type"] == "user.message");
        // It may not have written its last words yet: then what came before is none of them.
        let last = told.next().filter(|row| row["type"] == "assistant.message")?;
        let calls = last["data"]["toolRequests"].as_array().is_some_and(|calls| !calls.is_empty());
        last["data"]["content"].as_str().filter(|_| !calls).map(str::to_owned)
    }

    fn screen(&self) -> fn(&str) -> Option<ProgramState> {
        screen
    }
}

fn screen(screen: &str) -> Option<ProgramState> {
    wants_person(screen).or_else(|| screen.contains("/ commands").then_some(ProgramState::Idle))
}

/// The end of a file, as much as a last answer may take.
fn tail(file: &Path) -> Option<String> {
    let mut file = File::open(file).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a conversation is kept.
fn kept(home: &Path, session: &str) -> bool {
    home.join("session-state").join(session).join("events.jsonl").is_file()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::tests::{ask_in, words};
    use super::*;
    use crate::domain::{Cli, NativeLane, NeedKind};

    #[test]
    fn a_launch_brings_a_plugin_and_tools_without_a_token() {
        let all = tempfile::tempdir().unwrap();
        let native = NativeLane { model: Some("big".into()), ..NativeLane::new(Cli::Copilot) };
        let env = vec![("HOME".into(), all.path().into()), (WORDS.into(), "/mine".into())];
        let plan = Copilot.plan(&ask_in(all.path(), &native, &env)).unwrap();
        let command = words(&plan);
        for pair in [["--session-id", "fresh-id"], ["--model", "big"]] {
            assert!(command.windows(2).any(|two| two == pair), "{pair:?} {command:?}");
        }
        assert!(plan.variables[0].1.to_str().unwrap().starts_with("/mine,/"), "{:?}", plan.variables);
        let hooks: Value = serde_json::from_str(&plan.files[1].1).unwrap();
        let hook = &hooks["hooks"]["PreToolUse"][0]["hooks"][0];
        assert_eq!(hook["command"], "/usr/bin/paralane hook PreToolUse copilot");
        assert!(plan.files[2].1.contains("Bearer ${PARALANE_TOKEN}"));
    }

    #[test]
    fn a_conversation_is_resumed_and_a_missing_one_is_said() {
        let all = tempfile::tempdir().unwrap();
        let native = NativeLane { session: Some("ab-1".into()), ..NativeLane::new(Cli::Copilot) };
        let env = vec![("HOME".into(), all.path().into())];
        let ask = ask_in(all.path(), &native, &env);
        assert!(matches!(Copilot.plan(&ask), Err(Fault::NoSession { .. })));
        let place = all.path().join(".copilot/session-state/ab-1");
        fs::create_dir_all(&place).unwrap();
        let said = |text: &str| json!({"type": "assistant.message", "data": {"content": text}}).to_string();
        fs::write(place.join("events.jsonl"), [said("one"), said("two"), "{}".into()].join("\n")).unwrap();
        assert_eq!(Copilot.last_words(&place.join("events.jsonl")).as_deref(), Some("two"));
        assert!(words(&Copilot.plan(&ask).unwrap()).contains(&"--resume=ab-1".to_owned()));
    }

    #[test]
    fn a_turns_record_is_whole_once_the_hook_of_its_end_stands_there() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let hook = |row: &str, of: &str| json!({"type": row, "data": {"hookType": of}}).to_string();
        for (rows, whole) in [
            (vec![], false),
            (vec![hook("hook.start", "preToolUse")], false),
            (vec![hook("hook.start", "agentStop")], true),
            (vec![hook("hook.start", "agentStop"), hook("hook.end", "agentStop")], false),
        ] {
            fs::write(file.path(), rows.join("\n")).unwrap();
            assert_eq!(Copilot.whole(file.path()), whole, "{rows:?}");
        }
    }

    #[test]
    fn its_answers_and_its_screen_have_forms_of_their_own() {
        let out = |event, answer: &HookAnswer| Copilot.answer(event, answer).unwrap().to_string();
        let why = || "why".to_owned();
        assert_eq!(out("PermissionRequest", &HookAnswer::Allow(why())), r#"{"behavior":"allow"}"#);
        assert_eq!(out("SessionStart", &HookAnswer::Context(why())), r#"{"additionalContext":"why"}"#);
        assert!(out("PreToolUse", &HookAnswer::Ask(why())).contains(r#""permissionDecision":"ask""#));
        for (shown, state) in [
            ("│ Confirm folder trust │", Some(ProgramState::Blocked(NeedKind::Permission))),
            ("❯\n Interactive · / commands · ? help", Some(ProgramState::Idle)),
            ("loading", None),
        ] {
            assert_eq!(screen(shown), state, "{shown}");
        }
    }
}
