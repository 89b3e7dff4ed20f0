//! The body of a Messages request.

use serde_json::{Value, json};

use super::super::echo::{self, Echo};
use super::super::quirks::Quirks;
use super::super::{Request, Tool, UNSEEN, arguments};
use crate::agent::transcript::Message;
use crate::config::{Dialect, Effort};
use crate::domain::ToolImage;

/// Builds the body.
pub(in super::super) fn body(request: &Request<'_>, maker: Option<&str>, quirks: &Quirks) -> Value {
    let mut list: Vec<Value> = Vec::new();
    let mut thinks = request.effort.is_some() && !quirks.no_effort;
    for message in request.messages {
        let (role, content) = match message {
            Message::User { text, images } => ("user", user(text, images, quirks)),
            Message::Assistant { text, calls, reasoning } => {
                let content: Vec<Value> = echo::parts(text, calls, reasoning, maker).into_iter().map(block).collect();
                // A call of the running turn must stand behind the thoughts that led to it. Where they cannot be
                // had (another model made them, or they were refused), the turn goes on without thinking.
                let bare = !content.first().is_some_and(|block| kind(block).ends_with("thinking"));
                thinks &= !(bare && !calls.is_empty() && in_running_turn(request.messages, message));
                ("assistant", content)
            }
            Message::Tool { model_id, text, images, ok, .. } => {
                ("user", vec![result(model_id, text, images, *ok, quirks)])
            }
        };
        if content.is_empty() {
            continue;
        }
        match list.last_mut().filter(|last| last["role"] == role).and_then(|last| last["content"].as_array_mut()) {
            // Roles must alternate, and all results of a step belong into one message.
            Some(blocks) => blocks.extend(content),
            None => list.push(json!({"role": role, "content": content})),
        }
    }
    let mut system = json!([{"type": "text", "text": request.system}]);
    if !quirks.no_cache_marks {
        // Marks what the server may keep: what never changes, and all up to here.
        mark(&mut system[0]);
        if let Some(last) = list.last_mut().and_then(|last| last["content"].as_array_mut()?.last_mut()) {
            mark(last);
        }
    }
    let limit = request.limit(Dialect::Anthropic, quirks).unwrap_or_default();
    let mut body = json!({
        "model": request.model,
        "max_tokens": limit,
        "system": system,
        "messages": list,
        "stream": true,
    });
    if !request.tools.is_empty() {
        let tool = |(name, description, schema): &Tool| json!({"name": name, "description": description, "input_schema": schema});
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    if let Some(effort) = request.effort.filter(|_| thinks) {
        if quirks.adaptive {
            body["thinking"] = json!({"type": "adaptive"});
            body["output_config"] = json!({"effort": effort.word()});
        } else {
            // Thoughts are part of the answer's limit, and must leave room for it.
            let budget = thinking_budget(effort).min(limit / 2).max(1024);
            body["thinking"] = json!({"type": "enabled", "budget_tokens": budget});
        }
    }
    body
}

/// Tokens for thoughts.
const fn thinking_budget(effort: Effort) -> u64 {
    match effort {
        Effort::Low => 4_000,
        Effort::Medium => 10_000,
        Effort::High => 24_000,
    }
}

/// Whether a message comes after the person's last words.
fn in_running_turn(messages: &[Message], message: &Message) -> bool {
    let from = messages.iter().rposition(|message| matches!(message, Message::User { .. })).unwrap_or(0);
    messages[from..].iter().any(|known| std::ptr::eq(known, message))
}

fn kind(block: &Value) -> &str {
    block["type"].as_str().unwrap_or_default()
}

fn mark(block: &mut Value) {
    // Thoughts take no marks.
    if !kind(block).ends_with("thinking")
        && let Some(fields) = block.as_object_mut()
    {
        fields.insert("cache_control".to_owned(), json!({"type": "ephemeral"}));
    }
}

fn user(text: &str, images: &[ToolImage], quirks: &Quirks) -> Vec<Value> {
    let text = (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}));
    images.iter().map(|image| picture(image, quirks)).chain(text).collect()
}

fn picture(image: &ToolImage, quirks: &Quirks) -> Value {
    if quirks.no_images {
        return json!({"type": "text", "text": UNSEEN});
    }
    let source = json!({"type": "base64", "media_type": image.media_type, "data": image.data});
    json!({"type": "image", "source": source})
}

fn result(model_id: &str, text: &str, images: &[ToolImage], ok: bool, quirks: &Quirks) -> Value {
    // Empty texts are refused.
    let text = if text.trim().is_empty() { "(nothing)" } else { text };
    let mut content = vec![json!({"type": "text", "text": text})];
    content.extend(images.iter().map(|image| picture(image, quirks)));
    let mut block = json!({"type": "tool_result", "tool_use_id": id(model_id), "content": content});
    if !ok {
        block["is_error"] = json!(true);
    }
    block
}

fn block(part: Echo<'_>) -> Value {
    match part {
        Echo::Text(text, _) => json!({"type": "text", "text": text}),
        Echo::Call(call, _) => {
            json!({"type": "tool_use", "id": id(&call.model_id), "name": call.tool, "input": arguments::object(call)})
        }
        Echo::Kept(block) => block,
    }
}

/// Other servers' ids may hold what this dialect refuses.
fn id(model_id: &str) -> String {
    model_id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' }).collect()
}
