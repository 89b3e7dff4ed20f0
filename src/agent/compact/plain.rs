//! Notes made without a model: from what the person said, the agent's list, the files it wrote and its last answer.

use std::collections::BTreeSet;

use super::material::short;
use crate::agent::transcript::Message;
use crate::domain::Notes;

/// Bytes of each of the person's messages.
const PROMPT: usize = 600;
/// Bytes of the last answer.
const ANSWER: usize = 1_500;
/// Files that are named.
const FILES: usize = 60;

/// The notes. What earlier ones say is kept in front.
pub(super) fn notes(earlier: Option<&Notes>, old: &[Message], focus: Option<&str>) -> Notes {
    let mut notes = earlier.cloned().unwrap_or_default();
    let (mut files, mut todo, mut last, mut steps) = (BTreeSet::new(), None, None, 0usize);
    for message in old {
        match message {
            Message::User { text, .. } => add(&mut notes.goal, &format!("- {}", short(text.trim(), PROMPT))),
            Message::Assistant { text, calls, .. } => {
                steps += 1;
                if !text.trim().is_empty() {
                    last = Some(text.trim());
                }
                for call in calls {
                    match call.tool.as_str() {
                        "write" | "edit" => {
                            let path = call.arguments.get("path").and_then(|path| path.as_str());
                            files.extend(path.map(str::to_owned));
                        }
                        "patch" => {
                            let patch = call.arguments.get("patch").and_then(|patch| patch.as_str());
                            files.extend(patch.into_iter().flat_map(crate::preflight::named_in_patch));
                        }
                        "todo" => todo = call.arguments.get("items"),
                        _ => {}
                    }
                }
            }
            Message::Tool { .. } => {}
        }
    }
    if steps > 0 {
        add(&mut notes.done, &format!("- {steps} steps of the agent that were not summed up"));
    }
    if let Some(items) = todo.and_then(|items| items.as_array()) {
        let (done, open): (Vec<_>, Vec<_>) = items.iter().partition(|item| item["state"] == "done");
        let lines = |items: Vec<&serde_json::Value>| {
            let texts = items.into_iter().filter_map(|item| item["text"].as_str());
            texts.map(|text| format!("- {text}")).collect::<Vec<_>>().join("\n")
        };
        // The list is the newest word on what is left.
        notes.pending = lines(open);
        add(&mut notes.done, &lines(done));
    }
    for file in files.iter().take(FILES) {
        add(&mut notes.files, &format!("- {file} (written)"));
    }
    if files.len() > FILES {
        add(&mut notes.files, &format!("- and {} more", files.len() - FILES));
    }
    if let Some(focus) = focus {
        add(&mut notes.constraints, &format!("- to be kept in view: {focus}"));
    }
    if let Some(last) = last {
        notes.next = format!("The agent's last words:\n{}", short(last, ANSWER));
    }
    notes
}

fn add(section: &mut String, line: &str) {
    if line.is_empty() || section.lines().any(|known| known == line) {
        return;
    }
    if !section.is_empty() {
        section.push('\n');
    }
    section.push_str(line);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::{CallId, Reasoning, ToolCall};

    fn step(text: &str, tool: &str, arguments: serde_json::Value) -> Message {
        let call = ToolCall { id: CallId("p1.1.1".into()), model_id: "m".into(), tool: tool.into(), arguments };
        Message::Assistant { text: text.into(), calls: vec![call], reasoning: Reasoning::default() }
    }

    #[test]
    fn prompts_list_files_and_the_last_words_are_there() {
        let old = [
            Message::User { text: "add a limit".into(), images: Vec::new() },
            step("", "write", json!({"path": "src/limit.rs", "content": "x"})),
            step(
                "Now the tests.",
                "todo",
                json!({"items": [{"text": "router", "state": "done"}, {"text": "tests", "state": "active"}]}),
            ),
        ];
        let earlier = Notes { decisions: "- a bucket".into(), pending: "- old".into(), ..Notes::default() };
        let notes = notes(Some(&earlier), &old, Some("the API"));
        assert_eq!((notes.goal.as_str(), notes.pending.as_str()), ("- add a limit", "- tests"));
        assert_eq!((notes.files.as_str(), notes.decisions.as_str()), ("- src/limit.rs (written)", "- a bucket"));
        assert!(notes.done.contains("2 steps") && notes.done.contains("- router"), "{}", notes.done);
        assert!(notes.next.contains("Now the tests.") && notes.constraints.contains("the API"));
    }
}
