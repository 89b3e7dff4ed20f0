//! OpenCode: a plugin of ours for the launch judges each call before it runs and answers OpenCode's own questions through
//! its server, as the person could in its dialog. Configuration is given by a variable that is merged over the person's.
//! It tells of a session with the first prompt, so that it is ready is seen on its screen.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use super::{Adapter, place_words, wants_person};
use crate::domain::{HookAnswer, ProgramState};
use crate::native::launch::{Fault, LaunchAsk, LaunchPlan, text};

/// What runs in it.
const GUARD: &str = include_str!("opencode_guard.js");
/// The variable with configuration that counts after all files.
const CONFIG: &str = "OPENCODE_CONFIG_CONTENT";

pub(super) struct Opencode;

impl Adapter for Opencode {
    fn plan(&self, ask: &LaunchAsk<'_>) -> Result<LaunchPlan, Fault> {
        let (guard, words) = (ask.private.join("guard.js"), ask.private.join("words.md"));
        let data = ask.home("XDG_DATA_HOME", ".local/share").map(|data| data.join("opencode")).unwrap_or_default();
        let mut command: Vec<OsString> = vec![ask.program.into()];
        let mut add = |words: &[&str]| command.extend(words.iter().map(OsString::from));
        match &ask.native.session {
            Some(session) if kept(&data, session) => add(&["--session", session]),
            Some(_) => return Err(ask.no_session()),
            None => {}
        }
        if let Some(model) = &ask.native.model {
            add(&["--model", model]);
        }
        command.extend(ask.more.iter().map(OsString::from));
        let config = merged(theirs(ask)?, ask, &guard, &words)?;
        let variables = vec![
            (CONFIG.into(), config.to_string().into()),
            // One that renews itself while it runs would not be the one that was tried.
            ("OPENCODE_DISABLE_AUTOUPDATE".into(), "1".into()),
        ];
        let files = vec![
            ("guard.js", GUARD.replace("@PROGRAM@", &json!(text(ask.own)?).to_string())),
            ("words.md", place_words(ask.lane)),
        ];
        let cache = ask.home("XDG_CACHE_HOME", ".cache").map(|cache| cache.join("opencode"));
        let open = [Some(data), cache].into_iter().flatten().collect();
        Ok(LaunchPlan { command, variables, files, open, ..LaunchPlan::default() })
    }

    /// Its plugin's own form: a decision with its reason, or words for the model.
    fn answer(&self, _event: &str, answer: &HookAnswer) -> Option<Value> {
        Some(match answer {
            HookAnswer::Pass => return None,
            HookAnswer::Context(text) => json!({ "context": text }),
            HookAnswer::Allow(reason) => json!({ "decision": "allow", "reason": reason }),
            HookAnswer::Deny(reason) | HookAnswer::Ask(reason) => json!({ "decision": "deny", "reason": reason }),
            HookAnswer::GoOn(reason) => json!({ "decision": "block", "reason": reason }),
        })
    }

    fn screen(&self) -> fn(&str) -> Option<ProgramState> {
        screen
    }
}

/// The line below its prompt is cut where the pane is narrow: the prompt's own edge tells as well.
fn screen(screen: &str) -> Option<ProgramState> {
    let waits = ["Ask anything", "ctrl+p commands", "╹▀▀▀"].iter().any(|sign| screen.contains(sign));
    wants_person(screen).or_else(|| waits.then_some(ProgramState::Idle))
}

/// What the person has given by the same variable.
fn theirs(ask: &LaunchAsk<'_>) -> Result<Value, Fault> {
    let Some(given) = ask.variable(CONFIG) else { return Ok(json!({})) };
    let fault = |words: String| Fault::Settings { path: PathBuf::from(format!("${CONFIG}")), words };
    match serde_json::from_str(&given.to_string_lossy()) {
        Ok(Value::Object(all)) => Ok(Value::Object(all)),
        Ok(_) => Err(fault("it is no JSON object".to_owned())),
        Err(error) => Err(fault(error.to_string())),
    }
}

/// Theirs with ours.
fn merged(mut all: Value, ask: &LaunchAsk<'_>, guard: &Path, words: &Path) -> Result<Value, Fault> {
    let add = |list: &mut Value, one: String| match list.as_array_mut() {
        // Last: what it sees is what runs.
        Some(known) => known.push(one.into()),
        None => *list = json!([one]),
    };
    add(&mut all["plugin"], format!("file://{}", text(guard)?));
    add(&mut all["instructions"], text(words)?.to_owned());
    let server = json!({
        "type": "remote", "url": ask.tools, "headers": { "Authorization": "Bearer {env:PARALANE_TOKEN}" },
        "oauth": false, "enabled": true,
    });
    if !all["mcp"].is_object() {
        all["mcp"] = json!({});
    }
    all["mcp"]["paralane"] = server;
    if all["permission"].is_object() || all["permission"].is_null() {
        all["permission"]["paralane_*"] = "allow".into();
    }
    Ok(all)
}

/// Whether a conversation is kept.
fn kept(data: &Path, session: &str) -> bool {
    let names = std::fs::read_dir(data).into_iter().flatten().flatten().map(|entry| entry.path());
    let databases = names.filter(|path| path.extension().is_some_and(|ending| ending == "db"));
    let has = |path: PathBuf| {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let base = Connection::open_with_flags(path, flags)?;
        base.query_row("select count(*) from session where id = ?1", [session], |row| row.get::<_, i64>(0))
    };
    databases.into_iter().any(|path| has(path).is_ok_and(|count| count > 0))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ask_in, words};
    use super::*;
    use crate::domain::{Cli, NativeLane};

    #[test]
    fn a_launch_brings_a_plugin_and_tools_beside_what_the_person_gave() {
        let all = tempfile::tempdir().unwrap();
        let native = NativeLane { model: Some("a/b".into()), ..NativeLane::new(Cli::Opencode) };
        let env = vec![
            ("HOME".into(), all.path().into()),
            (CONFIG.into(), r#"{"plugin":["mine"],"theme":"x","permission":{"bash":"ask"}}"#.into()),
        ];
        let plan = Opencode.plan(&ask_in(all.path(), &native, &env)).unwrap();
        assert_eq!(words(&plan), ["/usr/bin/cli", "--model", "a/b", "--verbose"]);
        let config: Value = serde_json::from_str(plan.variables[0].1.to_str().unwrap()).unwrap();
        let guard = format!("file://{}/guard.js", all.path().display());
        assert_eq!((&config["plugin"], &config["theme"]), (&json!(["mine", guard]), &json!("x")));
        assert_eq!(config["permission"], json!({"bash": "ask", "paralane_*": "allow"}));
        assert_eq!(config["mcp"]["paralane"]["headers"]["Authorization"], "Bearer {env:PARALANE_TOKEN}");
        assert!(plan.files[0].1.contains("const PROGRAM = \"/usr/bin/paralane\"\n"));
        let broken = vec![(CONFIG.into(), "{".into())];
        assert!(matches!(Opencode.plan(&ask_in(all.path(), &native, &broken)), Err(Fault::Settings { .. })));
    }

    #[test]
    fn a_conversation_is_resumed_and_a_missing_one_is_said() {
        let all = tempfile::tempdir().unwrap();
        let native = NativeLane { session: Some("ses_1".into()), ..NativeLane::new(Cli::Opencode) };
        let env = vec![("XDG_DATA_HOME".into(), all.path().into())];
        let ask = ask_in(all.path(), &native, &env);
        std::fs::create_dir(all.path().join("opencode")).unwrap();
        let base = Connection::open(all.path().join("opencode/opencode.db")).unwrap();
        base.execute_batch("create table session (id text); insert into session values ('ses_2')").unwrap();
        assert!(matches!(Opencode.plan(&ask), Err(Fault::NoSession { .. })));
        base.execute_batch("insert into session values ('ses_1')").unwrap();
        assert_eq!(words(&Opencode.plan(&ask).unwrap())[1..3], ["--session", "ses_1"]);
    }

    #[test]
    fn its_prompt_is_seen_in_a_narrow_pane_too() {
        for (shown, state) in [
            (
                "  ┃  Build · Big\n  ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀\n   /state/worktrees/shop/     1.2K (1%) ctrl+p",
                Some(ProgramState::Idle),
            ),
            ("┃  Ask anything… \"Fix a TODO\"", Some(ProgramState::Idle)),
            ("opening", None),
        ] {
            assert_eq!(screen(shown), state, "{shown}");
        }
    }

    #[test]
    fn the_guard_asks_and_tells_what_is_read() {
        let names: std::collections::BTreeSet<&str> = ["tell(\"", "hook(\""]
            .into_iter()
            .flat_map(|call| GUARD.split(call).skip(1))
            .filter_map(|rest| rest.split('"').next())
            .collect();
        let read = ["PermissionRequest", "PostToolUse", "PreToolUse", "SessionStart", "Stop", "UserPromptSubmit"];
        assert_eq!(names.into_iter().collect::<Vec<_>>(), read);
        assert_eq!(GUARD.matches("@PROGRAM@").count(), 1);
    }

    #[test]
    fn a_call_that_cannot_be_asked_is_refused() {
        let out = |answer: HookAnswer| Opencode.answer("PreToolUse", &answer).map(|value| value.to_string());
        let why = || "why".to_owned();
        assert_eq!(out(HookAnswer::Pass), None);
        assert_eq!(out(HookAnswer::Ask(why())), Some(r#"{"decision":"deny","reason":"why"}"#.into()));
        assert_eq!(out(HookAnswer::Context(why())), Some(r#"{"context":"why"}"#.into()));
    }
}
