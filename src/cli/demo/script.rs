//! What the demo's scripted model says and does: pure, from the conversation alone.
//!
//! The newest prompt's text chooses the script, the number of answers since then the step. Any other prompt
//! gets a friendly answer, so that a newcomer may type what they like.

use serde_json::{Value, json};

/// The prompt of the lane `api`.
pub(super) const API_PROMPT: &str = "add rate limiting to the login route";

/// The prompt of the lane `ui`.
pub(super) const UI_PROMPT: &str = "tell people on the login page when they try too often";

/// The command that `api` asks to run.
pub(super) const CHECK: &str = "sh check.sh";

/// The file that both lanes want to change.
pub(super) const SHARED_FILE: &str = "src/login.rs";

/// What an answer has to wait for, so that the scene is always the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gate {
    /// Nothing.
    None,
    /// `api` has changed [`SHARED_FILE`].
    ApiHasWritten,
}

/// How fast an answer is streamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    /// As a quick model does.
    Brisk,
    /// Slowly, so that there is time to look at the conflict that ends with this answer.
    Calm,
}

/// One answer of the model.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    /// Its text.
    pub text: String,
    /// The tool it calls: name and arguments.
    pub call: Option<(&'static str, Value)>,
    /// What it has to wait for.
    pub gate: Gate,
    /// How fast it is streamed.
    pub pace: Pace,
    /// Whether by now `api` has changed [`SHARED_FILE`].
    pub api_has_written: bool,
}

impl Answer {
    fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), call: None, gate: Gate::None, pace: Pace::Brisk, api_has_written: false }
    }

    fn calling(self, tool: &'static str, arguments: Value) -> Self {
        Self { call: Some((tool, arguments)), ..self }
    }
}

/// The next answer in this conversation (the `messages` of a chat completion request).
pub(super) fn next(messages: &[Value]) -> Answer {
    let prompt_at = messages.iter().rposition(|message| message["role"] == "user");
    let prompt = prompt_at.map_or_else(String::new, |at| text_of(&messages[at]["content"]));
    let since = &messages[prompt_at.map_or(0, |at| at + 1)..];
    let step = since.iter().filter(|message| message["role"] == "assistant").count();
    let mut results = since.iter().filter(|message| message["role"] == "tool");
    let passed = results.any(|message| text_of(&message["content"]).contains("checks passed"));
    if prompt.contains(API_PROMPT) {
        api(step, passed)
    } else if prompt.contains(UI_PROMPT) {
        ui(step)
    } else {
        other(step, &prompt)
    }
}

/// A message's content: a text, or parts with texts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

fn api(step: usize, passed: bool) -> Answer {
    match step {
        0 => Answer::new("I'll look at the login route first.").calling("read", json!({ "path": SHARED_FILE })),
        1 => Answer::new("Every request asks the database at once. I'll put a limiter in front of it.")
            .calling("write", json!({ "path": SHARED_FILE, "content": LIMITED_LOGIN })),
        2 => Answer { api_has_written: true, ..Answer::new("Now the checks, to be sure that nothing else broke.") }
            .calling("shell", json!({ "command": CHECK })),
        3 if passed => Answer::new("The checks pass. I'll note the limit in the README.")
            .calling("write", json!({ "path": "README.md", "content": README_WITH_LIMIT })),
        _ if passed => Answer {
            pace: Pace::Calm,
            ..Answer::new(
                "Done. The login route now allows five attempts a minute for each address and answers \
                 429 beyond that. The limiter is asked before the database is, so a flood of attempts costs next to \
                 nothing.\n\nWhat is left for later: the limit stands in the code; it could move to the settings.",
            )
        },
        _ => Answer {
            pace: Pace::Calm,
            ..Answer::new(
                "I leave the checks to you then. The login route now allows five attempts a minute for each address; \
                 the change has not been checked.",
            )
        },
    }
}

fn ui(step: usize) -> Answer {
    match step {
        0 => {
            Answer::new("Let me see what the page shows today.").calling("read", json!({ "path": "pages/login.html" }))
        }
        1 => Answer::new("It has no place for a message. I'll add one.")
            .calling("write", json!({ "path": "pages/login.html", "content": PAGE })),
        2 => Answer { gate: Gate::ApiHasWritten, ..Answer::new("The route has to say which message to show.") }
            .calling("write", json!({ "path": SHARED_FILE, "content": LOGIN_WITH_MESSAGE })),
        _ => Answer::new("Done: the page shows a line when somebody has tried too often."),
    }
}

fn other(step: usize, prompt: &str) -> Answer {
    match step {
        0 => Answer::new("I'll look around first.").calling("list", json!({ "path": "." })),
        _ => Answer::new(format!(
            "You wrote: “{}”.\n\nI am the demo's scripted model and cannot do it, but this is how a real one would \
             answer: streamed into this lane, with its tools working in the lane's own worktree. Run `paralane` in a \
             repository of yours to set one up.",
            crate::base::one_line(prompt)
        )),
    }
}

const README_WITH_LIMIT: &str = "\
# shop

A small shop, for trying things out.

Logging in is limited to five attempts a minute for each address.
";

/// The repository's files: path and content.
pub(super) const FILES: &[(&str, &str)] = &[
    ("README.md", "# shop\n\nA small shop, for trying things out.\n"),
    ("src/login.rs", LOGIN),
    ("src/router.rs", ROUTER),
    ("pages/login.html", "<form method=\"post\">\n  <input name=\"user\">\n  <button>Log in</button>\n</form>\n"),
    (
        "check.sh",
        "# The shop's checks.\nfor part in routes login pages; do\n  echo \"checking $part\"\ndone\necho \"3 checks passed\"\n",
    ),
];

const LOGIN: &str = "\
//! The login route.

pub fn login(request: &Request) -> Response {
    match database().user(&request.name) {
        Some(user) => Response::welcome(user),
        None => Response::denied(),
    }
}
";

const LIMITED_LOGIN: &str = "\
//! The login route.

const ATTEMPTS_PER_MINUTE: u32 = 5;

pub fn login(request: &Request, limiter: &Limiter) -> Response {
    if !limiter.allows(request.address, ATTEMPTS_PER_MINUTE) {
        return Response::too_many_requests();
    }
    match database().user(&request.name) {
        Some(user) => Response::welcome(user),
        None => Response::denied(),
    }
}
";

const LOGIN_WITH_MESSAGE: &str = "\
//! The login route.

pub fn login(request: &Request) -> Response {
    match database().user(&request.name) {
        Some(user) => Response::welcome(user),
        None => Response::denied().with_message(\"too many attempts, wait a minute\"),
    }
}
";

const ROUTER: &str = "\
//! Which path leads where.

pub fn route(request: &Request) -> Response {
    match request.path.as_str() {
        \"/login\" => login(request),
        _ => Response::not_found(),
    }
}
";

const PAGE: &str = "\
<form method=\"post\">
  <p class=\"message\">{{ message }}</p>
  <input name=\"user\">
  <button>Log in</button>
</form>
";

#[cfg(test)]
mod tests {
    use super::*;

    /// The conversation so far when each answer's tool gave these results.
    fn conversation(prompt: &str, results: &[&str]) -> Vec<Value> {
        let mut messages = vec![json!({"role": "system", "content": "s"}), json!({"role": "user", "content": prompt})];
        for result in results {
            messages.push(json!({"role": "assistant", "content": "a"}));
            messages.push(json!({"role": "tool", "tool_call_id": "c", "content": result}));
        }
        messages
    }

    fn call(prompt: &str, results: &[&str]) -> Option<(&'static str, String)> {
        let (tool, arguments) = next(&conversation(prompt, results)).call?;
        let what = arguments["path"].as_str().or(arguments["command"].as_str()).unwrap_or_default().to_owned();
        Some((tool, what))
    }

    #[test]
    fn api_writes_then_asks_then_ends_as_the_person_answered() {
        assert_eq!(call(API_PROMPT, &["", ""]), Some(("shell", CHECK.to_owned())));
        assert_eq!(call(API_PROMPT, &[""]), Some(("write", SHARED_FILE.to_owned())));
        assert_eq!(call(API_PROMPT, &["", "", "3 checks passed"]), Some(("write", "README.md".to_owned())));
        let end = next(&conversation(API_PROMPT, &["", "", "3 checks passed", "written"]));
        assert!(end.call.is_none() && end.pace == Pace::Calm);
        let denied = next(&conversation(API_PROMPT, &["", "", "the person denied it"]));
        assert!(denied.call.is_none() && denied.text.contains("leave the checks"));
    }

    #[test]
    fn ui_meets_the_file_only_after_api_has_changed_it() {
        let meeting = next(&conversation(UI_PROMPT, &["", ""]));
        assert_eq!(meeting.gate, Gate::ApiHasWritten);
        assert_eq!(call(UI_PROMPT, &["", ""]), Some(("write", SHARED_FILE.to_owned())));
        assert!(next(&conversation(API_PROMPT, &["", ""])).api_has_written);
        assert!(next(&conversation(UI_PROMPT, &["", "", "written"])).call.is_none());
    }

    #[test]
    fn any_other_prompt_is_answered_and_ends() {
        assert!(next(&conversation("make tea", &[])).call.is_some());
        let end = next(&conversation("make tea", &["README.md"]));
        assert!(end.call.is_none() && end.text.contains("make tea"));
        assert!(next(&[]).call.is_some());
    }

    #[test]
    fn a_later_prompt_begins_its_own_script() {
        let mut messages = conversation(API_PROMPT, &["", "", "3 checks passed"]);
        messages.push(json!({"role": "assistant", "content": "done"}));
        messages.push(json!({"role": "user", "content": [{"type": "text", "text": UI_PROMPT}]}));
        assert_eq!(next(&messages), ui(0));
    }
}
