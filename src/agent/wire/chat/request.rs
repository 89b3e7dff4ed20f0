//! The body of a chat completions request.

use serde_json::{Map, Value, json};

use super::super::echo::{self, Echo};
use super::super::quirks::{Plain, Quirks};
use super::super::{Request, Tool, UNSEEN, arguments};
use crate::agent::transcript::Message;
use crate::config::Dialect;
use crate::domain::{Reasoning, ToolCall, ToolImage};

/// Builds the body.
pub(in super::super) fn body(request: &Request<'_>, maker: Option<&str>, quirks: &Quirks) -> Value {
    let mut list = vec![json!({"role": "system", "content": request.system})];
    // A tool message holds text only: pictures follow when all calls of the step are answered.
    let mut pictures: Vec<&ToolImage> = Vec::new();
    for message in request.messages {
        if !matches!(message, Message::Tool { .. }) && !pictures.is_empty() {
            list.push(shown(&std::mem::take(&mut pictures), quirks));
        }
        match message {
            Message::User { text, images } => list.push(user(text, images, quirks)),
            Message::Assistant { text, calls, reasoning } => {
                list.push(assistant(text, calls, reasoning, maker, quirks));
            }
            Message::Tool { model_id, text, images, .. } => {
                list.push(json!({"role": "tool", "tool_call_id": quirks.id(model_id), "content": text}));
                pictures.extend(images);
            }
        }
    }
    if !pictures.is_empty() {
        list.push(shown(&pictures, quirks));
    }
    let mut body = json!({"model": request.model, "messages": list, "stream": true});
    if !request.tools.is_empty() {
        let tool = |(name, description, parameters): &Tool| json!({"type": "function", "function": {"name": name, "description": description, "parameters": parameters}});
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    if !quirks.no_stream_options {
        body["stream_options"] = json!({"include_usage": true});
    }
    if let Some(limit) = request.limit(Dialect::OpenaiChat, quirks) {
        body[if quirks.completion_tokens { "max_completion_tokens" } else { "max_tokens" }] = json!(limit);
    }
    if let Some(effort) = request.effort.filter(|_| !quirks.no_effort) {
        body["reasoning_effort"] = json!(effort.word());
    }
    body
}

fn user(text: &str, images: &[ToolImage], quirks: &Quirks) -> Value {
    if images.is_empty() {
        return json!({"role": "user", "content": text});
    }
    let text = (!text.is_empty()).then(|| json!({"type": "text", "text": text}));
    let parts: Vec<Value> = text.into_iter().chain(images.iter().map(|image| picture(image, quirks))).collect();
    json!({"role": "user", "content": parts})
}

fn shown(images: &[&ToolImage], quirks: &Quirks) -> Value {
    let words = json!({"type": "text", "text": "[the images of the results above]"});
    let parts: Vec<Value> = std::iter::once(words).chain(images.iter().map(|image| picture(image, quirks))).collect();
    json!({"role": "user", "content": parts})
}

fn picture(image: &ToolImage, quirks: &Quirks) -> Value {
    if quirks.no_images {
        return json!({"type": "text", "text": UNSEEN});
    }
    let url = format!("data:{};base64,{}", image.media_type, image.data);
    json!({"type": "image_url", "image_url": {"url": url}})
}

fn assistant(text: &str, calls: &[ToolCall], reasoning: &Reasoning, maker: Option<&str>, quirks: &Quirks) -> Value {
    let mut message = Map::from_iter([("role".to_owned(), json!("assistant")), ("content".to_owned(), json!(text))]);
    let mut listed = Vec::new();
    for part in echo::parts(text, calls, reasoning, maker) {
        match part {
            Echo::Text(..) => {}
            Echo::Call(call, extra) => {
                let function = json!({"name": call.tool, "arguments": arguments::text(call)});
                let mut wire = json!({"id": quirks.id(&call.model_id), "type": "function", "function": function});
                for (name, value) in extra {
                    wire[name] = value;
                }
                listed.push(wire);
            }
            Echo::Kept(Value::Object(fields)) => message.extend(fields),
            Echo::Kept(_) => {}
        }
    }
    if !listed.is_empty() {
        if quirks.plain == Plain::Sent {
            let ours = maker.is_some_and(|maker| maker == reasoning.made_by);
            message.insert("reasoning_content".to_owned(), json!(if ours { reasoning.text.as_str() } else { "" }));
        }
        message.insert("tool_calls".to_owned(), Value::Array(listed));
    }
    Value::Object(message)
}
