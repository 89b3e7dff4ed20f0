//! The hooks' JSON, as Claude Code made it and others took it over: payloads read into our events, decisions written in
//! the form each event wants. Where a CLI has words of its own, its adapter tells.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::guard::Ground;
use super::{adapter, tools, usage};
use crate::domain::{Answered, Cli, Conversation, HookAnswer, HookCall, NativeEvent};

/// Longer payloads are refused: bytes. A tool call that no person could look at.
pub const MAX_PAYLOAD: usize = 4 * 1024 * 1024;

/// A payload that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// It is longer than [`MAX_PAYLOAD`].
    #[error("the hook's payload has {0} bytes, and at most {MAX_PAYLOAD} are read")]
    TooLong(usize),
    /// It is no JSON object.
    #[error("the hook's payload is no JSON object: {0}")]
    NotJson(String),
    /// A field is missing.
    #[error("the hook's payload for `{event}` lacks `{field}`")]
    Lacks {
        /// The event.
        event: String,
        /// The field.
        field: &'static str,
    },
}

/// Whether something waits for the answer before it happens: then a hook that fails lets nothing through.
#[must_use]
pub fn gates(event: &str) -> bool {
    matches!(event, "PreToolUse" | "PermissionRequest" | "BeforeTool")
}

/// Whether a hook asks for leave only to look at something. A payload that cannot be read asks for more.
#[must_use]
pub fn looks(event: &str, payload: &[u8]) -> bool {
    let body: Value = serde_json::from_slice(payload).unwrap_or_default();
    gates(event) && body["tool_name"].as_str().is_some_and(tools::looks)
}

/// Reads a hook's payload. `ground` is the lane's, with its own directory as the current one.
///
/// # Errors
/// [`Unread`], in words for the model or the person.
pub fn read(cli: Cli, event: &str, payload: &[u8], ground: &Ground) -> Result<HookCall, Unread> {
    if payload.len() > MAX_PAYLOAD {
        return Err(Unread::TooLong(payload.len()));
    }
    let body: Value = serde_json::from_slice(payload).map_err(|error| Unread::NotJson(error.to_string()))?;
    let Value::Object(body) = body else { return Err(Unread::NotJson("it is another value".to_owned())) };
    // Some have the same fields in camelCase.
    let field = |name: &str, other: &str| body.get(name).or_else(|| body.get(other));
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    let lacks = |field| Unread::Lacks { event: event.to_owned(), field };
    let tool = || {
        let name = field("tool_name", "toolName").and_then(Value::as_str).ok_or_else(|| lacks("tool_name"))?;
        let empty = Map::new();
        let input = field("tool_input", "toolInput").ok_or_else(|| lacks("tool_input"))?;
        let current = tools::current(text("cwd").unwrap_or_default(), ground);
        let here = if current == ground.current {
            Cow::Borrowed(ground)
        } else {
            Cow::Owned(Ground { current, ..ground.clone() })
        };
        Ok(Box::new(tools::call(name, input.as_object().unwrap_or(&empty), &here)))
    };
    let told = match adapter::of(cli).event(event) {
        "SessionStart" => NativeEvent::Started(match text("source") {
            Some("resume" | "fork" | "compact") => Conversation::Old,
            _ => Conversation::New,
        }),
        "UserPromptSubmit" => NativeEvent::Prompt(text("prompt").unwrap_or_default().to_owned()),
        "PreToolUse" => NativeEvent::Before(tool()?),
        "PermissionRequest" => NativeEvent::Permission(tool()?),
        "PostToolUse" | "PostToolUseFailure" => NativeEvent::After(tool().ok()),
        "Stop" => NativeEvent::Stop {
            again: body.get("stop_hook_active").and_then(Value::as_bool).unwrap_or_default(),
            answer: field("last_assistant_message", "prompt_response")
                .and_then(Value::as_str)
                .map(str::to_owned)
                .or_else(|| adapter::of(cli).last_words(Path::new(text("transcript_path")?)))
                .filter(|text| !text.is_empty()),
        },
        "Notification" => match text("notification_type") {
            Some("permission_prompt" | "ToolPermission") if cli.answered() == Answered::Keys => {
                let details = body.get("details").map(|details| words_of(details).join(" ")).unwrap_or_default();
                NativeEvent::Opened([text("message").unwrap_or_default(), details.as_str()].join(" "))
            }
            Some("permission_prompt" | "idle_prompt" | "elicitation_dialog") => NativeEvent::Waits,
            _ => NativeEvent::Other,
        },
        "SessionEnd" => NativeEvent::Ended,
        _ => NativeEvent::Other,
    };
    let session = field("session_id", "sessionId").and_then(Value::as_str).filter(|id| sound_id(id)).map(str::to_owned);
    let usage = body.get("usage").and_then(usage::told);
    Ok(HookCall { session, name: event.to_owned(), event: told, usage })
}

/// Where the CLI says that it keeps the conversation.
#[must_use]
pub fn transcript(payload: &[u8]) -> Option<PathBuf> {
    #[derive(Deserialize)]
    struct Place {
        #[serde(alias = "transcriptPath")]
        transcript_path: PathBuf,
    }
    let place = serde_json::from_slice::<Place>(payload).ok()?.transcript_path;
    place.is_absolute().then_some(place)
}

/// Whether the record of the conversation has all that this hook tells the end of. Others need no record.
#[must_use]
pub fn recorded(cli: Cli, event: &str, payload: &[u8]) -> bool {
    let adapter = adapter::of(cli);
    adapter.event(event) != "Stop" || transcript(payload).is_none_or(|file| adapter.whole(&file))
}

/// The texts in an object.
fn words_of(value: &Value) -> Vec<&str> {
    value.as_object().into_iter().flat_map(Map::values).filter_map(Value::as_str).collect()
}

/// Whether a conversation's id is one that may become an argument and a part of a path.
pub(super) fn sound_id(id: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    !id.is_empty() && id.len() <= 100 && !id.starts_with('-') && id.chars().all(plain)
}

/// What a hook's process prints and ends with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Output {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// The exit status; 2 refuses.
    pub status: u8,
}

impl Output {
    /// What a hook says that has nothing to say.
    #[must_use]
    pub fn empty() -> Self {
        Self { stdout: "{}\n".to_owned(), ..Self::default() }
    }

    /// A refusal in the form that each event of each CLI knows.
    #[must_use]
    pub fn refused(event: &str, words: &str) -> Self {
        let stderr = format!("{words}\n");
        if gates(event) { Self { stderr, status: 2, stdout: String::new() } } else { Self { stderr, ..Self::empty() } }
    }
}

/// Writes an answer in the CLI's form.
#[must_use]
pub fn answer(cli: Cli, event: &str, answer: &HookAnswer) -> Output {
    match adapter::of(cli).answer(event, answer) {
        Some(value) => Output { stdout: format!("{value}\n"), ..Output::default() },
        None => Output::empty(),
    }
}

/// An answer as Claude Code wants it; none where it has no form for it.
pub(super) fn claude_form(event: &str, answer: &HookAnswer) -> Option<Value> {
    let specific = |fields: Value| {
        let mut all = json!({ "hookEventName": event });
        if let (Some(all), Value::Object(fields)) = (all.as_object_mut(), fields) {
            all.extend(fields);
        }
        json!({ "hookSpecificOutput": all })
    };
    let decision =
        |word: &str, reason: &str| specific(json!({ "permissionDecision": word, "permissionDecisionReason": reason }));
    Some(match (event, answer) {
        ("PreToolUse", HookAnswer::Allow(reason)) => decision("allow", reason),
        ("PreToolUse", HookAnswer::Ask(reason)) => decision("ask", reason),
        ("PreToolUse", HookAnswer::Deny(reason)) => decision("deny", reason),
        ("PermissionRequest", HookAnswer::Allow(_)) => specific(json!({ "decision": { "behavior": "allow" } })),
        ("PermissionRequest", HookAnswer::Deny(reason)) => {
            specific(json!({ "decision": { "behavior": "deny", "message": reason } }))
        }
        ("PreToolUse" | "SessionStart" | "UserPromptSubmit" | "PostToolUse", HookAnswer::Context(text)) => {
            specific(json!({ "additionalContext": text }))
        }
        ("Stop", HookAnswer::GoOn(reason)) => json!({ "decision": "block", "reason": reason }),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use proptest::prelude::*;

    use super::super::guard::ground_for_tests as ground;
    use super::*;

    fn told(event: &str, more: Value) -> Result<HookCall, Unread> {
        let (_all, ground) = ground();
        let mut body = json!({
            "session_id": "0f7a-1", "transcript_path": "/t", "cwd": ground.directory, "hook_event_name": event,
        });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        read(Cli::Claude, event, body.to_string().as_bytes(), &ground)
    }

    #[test]
    fn every_event_is_read() {
        let event = |name: &str, more: Value| told(name, more).unwrap().event;
        for (source, wanted) in [
            ("startup", Conversation::New),
            ("clear", Conversation::New),
            ("resume", Conversation::Old),
            ("fork", Conversation::Old),
            ("compact", Conversation::Old),
        ] {
            assert_eq!(event("SessionStart", json!({ "source": source })), NativeEvent::Started(wanted), "{source}");
        }
        assert_eq!(event("UserPromptSubmit", json!({"prompt": "go"})), NativeEvent::Prompt("go".into()));
        let stop = NativeEvent::Stop { again: true, answer: Some("done".into()) };
        assert_eq!(event("Stop", json!({"stop_hook_active": true, "last_assistant_message": "done"})), stop);
        assert_eq!(event("Notification", json!({"notification_type": "permission_prompt"})), NativeEvent::Waits);
        assert_eq!(event("Notification", json!({})), NativeEvent::Other);
        assert_eq!(event("PostToolUse", json!({"tool_name": "Bash"})), NativeEvent::After(None));
        assert_eq!(event("SomethingNew", json!({})), NativeEvent::Other);
        let NativeEvent::Before(call) =
            event("PreToolUse", json!({"tool_name": "Bash", "tool_input": {"command": "ls"}}))
        else {
            panic!("another event")
        };
        assert_eq!((call.tool.as_str(), call.action.as_str()), ("shell", "ls"));
        assert_eq!(told("Stop", json!({})).unwrap().session.as_deref(), Some("0f7a-1"));
        assert_eq!(told("Stop", json!({"session_id": "--x/../y"})).unwrap().session, None);
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let (_all, ground) = ground();
        let words = |event: &str, payload: &[u8]| read(Cli::Claude, event, payload, &ground).unwrap_err().to_string();
        assert!(words("PreToolUse", b"not json").contains("no JSON object"));
        assert!(words("PreToolUse", b"[1]").contains("no JSON object"));
        assert!(words("Stop", &vec![b' '; 5 * 1024 * 1024]).contains("5242880 bytes"));
        assert_eq!(words("PreToolUse", b"{}"), "the hook's payload for `PreToolUse` lacks `tool_name`");
        assert!(words("PermissionRequest", br#"{"tool_name":"Bash"}"#).contains("lacks `tool_input`"));
    }

    #[test]
    fn each_answer_has_its_events_form() {
        let out = |cli, event, answer_: HookAnswer| answer(cli, event, &answer_).stdout;
        let why = || "why".to_owned();
        assert_eq!(
            out(Cli::Claude, "PreToolUse", HookAnswer::Deny(why())),
            "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"why\"}}\n"
        );
        assert!(out(Cli::Claude, "PreToolUse", HookAnswer::Ask(why())).contains("\"permissionDecision\":\"ask\""));
        assert!(out(Cli::Claude, "PreToolUse", HookAnswer::Allow(why())).contains("\"permissionDecision\":\"allow\""));
        assert_eq!(out(Cli::Codex, "PreToolUse", HookAnswer::Allow(why())), "{}\n");
        assert!(out(Cli::Claude, "PermissionRequest", HookAnswer::Deny(why())).contains("\"behavior\":\"deny\""));
        assert!(out(Cli::Claude, "UserPromptSubmit", HookAnswer::Context(why())).contains("additionalContext"));
        assert_eq!(out(Cli::Claude, "Stop", HookAnswer::GoOn(why())), "{\"decision\":\"block\",\"reason\":\"why\"}\n");
        assert_eq!(out(Cli::Claude, "Stop", HookAnswer::Pass), "{}\n");
        assert_eq!(Output::refused("PreToolUse", "no").status, 2);
        assert_eq!(Output::refused("Stop", "no").status, 0);
    }

    proptest! {
        #[test]
        fn no_payload_breaks_it(
            event in "PreToolUse|PermissionRequest|SessionStart|UserPromptSubmit|Stop|Notification|[A-Za-z]{0,12}",
            payload in prop::collection::vec(any::<u8>(), 0..200),
            name in "Bash|Write|Edit|apply_patch|Read|Grep|WebFetch|mcp__[a-z_]{0,9}|\\PC{0,12}",
            field in "command|cmd|file_path|path|input|content|pattern|url",
            text in "\\PC{0,60}|(git|cd|;|&&|\\||>|\\.\\.|/|-|switch|checkout|'|\"|\\$| ){0,30}",
        ) {
            let (_all, ground) = ground();
            let _ = read(Cli::Claude, &event, &payload, &ground);
            let body = json!({ "tool_name": name, "tool_input": { field: text }, "cwd": text });
            for cli in Cli::ALL {
                let _ = read(cli, &event, body.to_string().as_bytes(), &ground);
            }
        }
    }
}
