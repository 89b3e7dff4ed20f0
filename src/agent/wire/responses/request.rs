//! The body of a Responses request.

use serde_json::{Value, json};

use super::super::echo::{self, Echo};
use super::super::quirks::Quirks;
use super::super::{Request, Tool, UNSEEN, arguments};
use crate::agent::transcript::Message;
use crate::config::Dialect;
use crate::domain::ToolImage;

/// Builds the body.
pub(in super::super) fn body(request: &Request<'_>, maker: Option<&str>, quirks: &Quirks) -> Value {
    let mut input: Vec<Value> = Vec::new();
    let mut pictures: Vec<Value> = Vec::new();
    for message in request.messages {
        if !matches!(message, Message::Tool { .. }) && !pictures.is_empty() {
            input.push(json!({"role": "user", "content": std::mem::take(&mut pictures)}));
        }
        match message {
            Message::User { text, images } => {
                let text = (!text.is_empty()).then(|| json!({"type": "input_text", "text": text}));
                let content: Vec<Value> = text.into_iter().chain(images.iter().map(|i| picture(i, quirks))).collect();
                input.push(json!({"role": "user", "content": content}));
            }
            Message::Assistant { text, calls, reasoning } => {
                input.extend(echo::parts(text, calls, reasoning, maker).into_iter().map(|part| item(part, quirks)));
            }
            Message::Tool { model_id, text, images, .. } => {
                let id = quirks.id(model_id);
                input.push(json!({"type": "function_call_output", "call_id": id, "output": text}));
                pictures.extend(images.iter().map(|image| picture(image, quirks)));
            }
        }
    }
    if !pictures.is_empty() {
        input.push(json!({"role": "user", "content": pictures}));
    }
    let mut body = json!({
        "model": request.model,
        "instructions": request.system,
        "input": input,
        "stream": true,
        "store": false,
    });
    if !request.tools.is_empty() {
        // Not strict: that would want every argument to be given.
        let tool = |(name, description, schema): &Tool| json!({"type": "function", "name": name, "description": description, "parameters": schema, "strict": false});
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    if !quirks.no_seals {
        body["include"] = json!(["reasoning.encrypted_content"]);
    }
    if let Some(limit) = request.limit(Dialect::OpenaiResponses, quirks) {
        body["max_output_tokens"] = json!(limit);
    }
    if let Some(effort) = request.effort.filter(|_| !quirks.no_effort) {
        body["reasoning"] = json!({"effort": effort.word(), "summary": "auto"});
    }
    body
}

fn picture(image: &ToolImage, quirks: &Quirks) -> Value {
    if quirks.no_images {
        return json!({"type": "input_text", "text": UNSEEN});
    }
    json!({"type": "input_image", "image_url": format!("data:{};base64,{}", image.media_type, image.data)})
}

fn item(part: Echo<'_>, quirks: &Quirks) -> Value {
    let (mut item, extra) = match part {
        Echo::Kept(item) => return item,
        Echo::Text(text, extra) => {
            let content = json!([{"type": "output_text", "text": text, "annotations": []}]);
            (json!({"type": "message", "role": "assistant", "status": "completed", "content": content}), extra)
        }
        Echo::Call(call, extra) => (
            json!({
                "type": "function_call",
                "call_id": quirks.id(&call.model_id),
                "name": call.tool,
                "arguments": arguments::text(call),
            }),
            extra,
        ),
    };
    for (name, value) in extra {
        item[name] = value;
    }
    item
}
