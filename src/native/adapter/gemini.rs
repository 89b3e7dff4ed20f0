//! Gemini CLI: it takes no settings per launch, so it gets a home of its own (`GEMINI_CLI_HOME`) with a copy of the
//! person's settings, to which hooks and tools are added. Logins, conversations and all else are links to the person's
//! own. Its hooks can deny a call and have it asked; its dialogs take keys only.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::{Adapter, Dialog, place_words};
use crate::domain::{HookAnswer, Key, KeyCode};
use crate::native::launch::{Fault, LaunchAsk, LaunchPlan, text};
use crate::native::tools::quoted;

/// Its events, with the milliseconds that a hook may take.
const EVENTS: [(&str, u64); 7] = [
    ("SessionStart", 10_000),
    ("BeforeAgent", 10_000),
    ("BeforeTool", 30_000),
    ("AfterTool", 10_000),
    ("Notification", 10_000),
    ("AfterAgent", 10_000),
    ("SessionEnd", 1_000),
];

/// Where its own directory stands in its home.
const OWN: &str = ".gemini";

pub(super) struct Gemini;

impl Adapter for Gemini {
    fn plan(&self, ask: &LaunchAsk<'_>) -> Result<LaunchPlan, Fault> {
        let person = ask.home("GEMINI_CLI_HOME", "").map(|home| home.join(OWN));
        let person = person.unwrap_or_default();
        let mut command: Vec<OsString> = vec![ask.program.into()];
        let mut add = |words: &[&str]| command.extend(words.iter().map(OsString::from));
        match &ask.native.session {
            Some(session) if kept(&person, session) => add(&["--resume", session]),
            Some(_) => return Err(ask.no_session()),
            None => add(&["--session-id", ask.fresh]),
        }
        if let Some(model) = &ask.native.model {
            add(&["--model", model]);
        }
        command.extend(ask.more.iter().map(OsString::from));
        let mut variables = vec![("GEMINI_CLI_HOME".into(), ask.private.into())];
        if trusted(&person, ask.base) {
            // The worktree holds what the trusted checkout holds.
            variables.push(("GEMINI_CLI_TRUST_WORKSPACE".into(), "true".into()));
        }
        let known = fs::read_to_string(person.join("GEMINI.md")).unwrap_or_default();
        let words = format!("{known}\n{}\n", place_words(ask.lane));
        let files = vec![
            (".gemini/settings.json", settings(&person.join("settings.json"), ask)?.to_string()),
            (".gemini/GEMINI.md", words.trim_start().to_owned()),
        ];
        let open = vec![person.join("tmp"), person.join("history")];
        Ok(LaunchPlan { command, variables, files, links: links(&person), open })
    }

    fn event<'a>(&self, name: &'a str) -> &'a str {
        match name {
            "BeforeAgent" => "UserPromptSubmit",
            "BeforeTool" => "PreToolUse",
            "AfterTool" => "PostToolUse",
            "AfterAgent" => "Stop",
            other => other,
        }
    }

    fn answer(&self, event: &str, answer: &HookAnswer) -> Option<Value> {
        Some(match (event, answer) {
            ("BeforeTool", HookAnswer::Deny(reason)) => json!({ "decision": "deny", "reason": reason }),
            ("BeforeTool", HookAnswer::Ask(reason)) => json!({ "decision": "ask", "reason": reason }),
            ("SessionStart" | "BeforeAgent", HookAnswer::Context(text)) => {
                json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": text } })
            }
            ("AfterAgent", HookAnswer::GoOn(reason)) => json!({ "decision": "deny", "reason": reason }),
            _ => return None,
        })
    }

    fn dialog(&self) -> Option<Dialog> {
        Some(Dialog { allow: Key::char('1'), deny: Key::plain(KeyCode::Esc), shows: "1. Allow once" })
    }
}

/// The person's settings with ours.
fn settings(file: &Path, ask: &LaunchAsk<'_>) -> Result<Value, Fault> {
    let fault = |words: String| Fault::Settings { path: file.to_owned(), words };
    let mut all: Map<String, Value> = match fs::read_to_string(file) {
        Ok(text) => serde_json::from_str(&without_comments(&text)).map_err(|error| fault(error.to_string()))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Map::new(),
        Err(error) => return Err(fault(error.to_string())),
    };
    let own = quoted(text(ask.own)?);
    change(&mut all, "hooks", |hooks| {
        for (event, milliseconds) in EVENTS {
            let command = format!("{own} hook {event} gemini");
            let hook = json!({ "type": "command", "name": "paralane", "command": command, "timeout": milliseconds });
            let entry = hooks.entry(event).or_insert_with(|| json!([]));
            match entry.as_array_mut() {
                // Last: what it sees is what runs.
                Some(known) => known.push(json!({ "hooks": [hook] })),
                None => *entry = json!([{ "hooks": [hook] }]),
            }
        }
    });
    let server = json!({
        "httpUrl": ask.tools, "headers": { "Authorization": "Bearer $PARALANE_TOKEN" }, "trust": true,
    });
    for (table, name, value) in [
        ("hooksConfig", "enabled", true.into()),
        ("mcpServers", "paralane", server),
        // One that renews itself while it runs would not be the one that was tried.
        ("general", "enableAutoUpdate", false.into()),
    ] {
        change(&mut all, table, |table| {
            table.insert(name.to_owned(), value);
        });
    }
    Ok(Value::Object(all))
}

/// Changes a table in a table; another value in its place makes no sense there and goes.
fn change(all: &mut Map<String, Value>, name: &str, how: impl FnOnce(&mut Map<String, Value>)) {
    let mut table = match all.remove(name) {
        Some(Value::Object(table)) => table,
        _ => Map::new(),
    };
    how(&mut table);
    all.insert(name.to_owned(), Value::Object(table));
}

/// JSON without the comments that its settings may have.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('\\', Some(_)) if quoted => {
                out.push(c);
                out.extend(rest.next());
            }
            ('"', _) => {
                quoted = !quoted;
                out.push(c);
            }
            ('/', Some('/')) if !quoted => while rest.next_if(|c| *c != '\n').is_some() {},
            ('/', Some('*')) if !quoted => {
                let mut before = ' ';
                while let Some(c) = rest.next().filter(|c| !(before == '*' && *c == '/')) {
                    before = c;
                }
            }
            _ => out.push(c),
        }
    }
    out
}

/// Everything in the person's directory but what is made for the launch. Conversations stand there, whoever had them.
fn links(person: &Path) -> Vec<(String, PathBuf)> {
    let mut names: Vec<String> = fs::read_dir(person)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| !["settings.json", "GEMINI.md"].contains(&name.as_str()))
        .collect();
    for needed in ["tmp", "history"] {
        // A link that leads nowhere would keep it from making its own.
        if fs::create_dir_all(person.join(needed)).is_ok() && !names.iter().any(|name| name == needed) {
            names.push(needed.to_owned());
        }
    }
    names.into_iter().map(|name| (format!("{OWN}/{name}"), person.join(name))).collect()
}

/// Whether a conversation is kept: its file is named after its beginning and has the whole id in its first line.
fn kept(person: &Path, session: &str) -> bool {
    let begin: String = session.chars().take(8).collect();
    let projects = fs::read_dir(person.join("tmp")).into_iter().flatten().flatten();
    let files = projects.flat_map(|project| fs::read_dir(project.path().join("chats")).into_iter().flatten().flatten());
    let named = files.filter(|file| file.file_name().to_string_lossy().contains(&begin));
    named.into_iter().any(|file| first_line(&file.path()).contains(session))
}

fn first_line(file: &Path) -> String {
    use std::io::{BufRead as _, BufReader, Read as _};
    let mut line = String::new();
    let Ok(file) = fs::File::open(file) else { return line };
    // A file of another form may be one line: its beginning has the id too.
    let _unread = BufReader::new(file.take(64 * 1024)).read_line(&mut line);
    line
}

/// Whether the person has trusted the base checkout, or a directory around it.
fn trusted(person: &Path, base: &Path) -> bool {
    let known: Value = fs::read(person.join("trustedFolders.json"))
        .ok()
        .and_then(|b| serde_json::from_slice(&b).ok())
        .unwrap_or_default();
    let levels = known.as_object().into_iter().flatten();
    let roots = levels.filter_map(|(path, level)| match level.as_str() {
        Some("TRUST_FOLDER") => Some(Path::new(path)),
        Some("TRUST_PARENT") => Path::new(path).parent(),
        _ => None,
    });
    roots.into_iter().any(|root| base.starts_with(root))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ask_in, words};
    use super::*;
    use crate::domain::{Cli, NativeLane};

    #[test]
    fn a_launch_has_a_home_with_the_persons_settings_and_ours() {
        let all = tempfile::tempdir().unwrap();
        let own = all.path().join(OWN);
        fs::create_dir(&own).unwrap();
        let theirs =
            "{ // mine\n \"ui\": {\"theme\": \"http://x /* no */\"}, /* x */ \"hooks\": {\"BeforeTool\": [1]}}";
        fs::write(own.join("settings.json"), theirs).unwrap();
        fs::write(own.join("oauth_creds.json"), "secret").unwrap();
        fs::write(own.join("GEMINI.md"), "be kind").unwrap();
        fs::write(own.join("trustedFolders.json"), r#"{"/repos":"TRUST_FOLDER"}"#).unwrap();
        let native = NativeLane { model: Some("pro".into()), ..NativeLane::new(Cli::Gemini) };
        let env = vec![("HOME".into(), all.path().into())];
        let plan = Gemini.plan(&ask_in(all.path(), &native, &env)).unwrap();
        assert_eq!(words(&plan), ["/usr/bin/cli", "--session-id", "fresh-id", "--model", "pro", "--verbose"]);
        let settings: Value = serde_json::from_str(&plan.files[0].1).unwrap();
        assert_eq!(settings["ui"]["theme"], "http://x /* no */");
        assert_eq!(settings["hooks"]["BeforeTool"][0], 1);
        assert_eq!(
            settings["hooks"]["BeforeTool"][1]["hooks"][0]["command"],
            "/usr/bin/paralane hook BeforeTool gemini"
        );
        assert_eq!(settings["mcpServers"]["paralane"]["headers"]["Authorization"], "Bearer $PARALANE_TOKEN");
        assert!(plan.files[1].1.starts_with("be kind\n"), "{}", plan.files[1].1);
        assert_eq!(plan.variables.len(), 2, "its home, and trust");
        let links: Vec<&str> = plan.links.iter().map(|(name, _)| name.as_str()).collect();
        assert!(links.contains(&".gemini/oauth_creds.json") && links.contains(&".gemini/tmp"), "{links:?}");
        assert!(!links.contains(&".gemini/settings.json"));
        assert_eq!(fs::read_to_string(own.join("settings.json")).unwrap(), theirs);
        fs::write(own.join("settings.json"), "{").unwrap();
        assert!(matches!(Gemini.plan(&ask_in(all.path(), &native, &env)), Err(Fault::Settings { .. })));
    }

    #[test]
    fn a_conversation_is_resumed_and_a_missing_one_is_said() {
        let all = tempfile::tempdir().unwrap();
        let id = "4bce2367-dbdc-4750";
        let native = NativeLane { session: Some(id.into()), ..NativeLane::new(Cli::Gemini) };
        let env = vec![("HOME".into(), all.path().into())];
        let ask = ask_in(all.path(), &native, &env);
        let chats = all.path().join(".gemini/tmp/web/chats");
        fs::create_dir_all(&chats).unwrap();
        let file = chats.join("session-2026-12-01T14-36-4bce2367.jsonl");
        fs::write(&file, "{\"sessionId\":\"4bce2367-another\"}\n").unwrap();
        assert!(matches!(Gemini.plan(&ask), Err(Fault::NoSession { .. })));
        fs::write(&file, format!("{{\"sessionId\":\"{id}\"}}\n")).unwrap();
        assert_eq!(words(&Gemini.plan(&ask).unwrap())[1..3], ["--resume", id]);
    }

    #[test]
    fn its_events_and_answers_have_words_of_their_own() {
        let out = |event, answer: &HookAnswer| Gemini.answer(event, answer).map(|value| value.to_string());
        let why = || "why".to_owned();
        assert_eq!(Gemini.event("AfterAgent"), "Stop");
        let deny = Some(r#"{"decision":"deny","reason":"why"}"#.to_owned());
        assert_eq!(out("BeforeTool", &HookAnswer::Deny(why())), deny);
        assert_eq!(out("AfterAgent", &HookAnswer::GoOn(why())), deny);
        assert_eq!(out("BeforeTool", &HookAnswer::Allow(why())), None);
        assert!(out("BeforeAgent", &HookAnswer::Context(why())).unwrap().contains("additionalContext"));
    }
}
