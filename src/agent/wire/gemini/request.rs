//! The body of a generateContent request.

use serde_json::{Map, Value, json};

use super::super::echo::{self, Echo};
use super::super::quirks::Quirks;
use super::super::{Request, Tool, UNSEEN, arguments};
use crate::agent::transcript::Message;
use crate::config::{Dialect, Effort};
use crate::domain::ToolImage;

/// What the server takes where a seal is missing because another model made the call.
const PLACEHOLDER: &str = "skip_thought_signature_validator";

/// Builds the body.
pub(in super::super) fn body(request: &Request<'_>, maker: Option<&str>, quirks: &Quirks) -> Value {
    let mut contents: Vec<Value> = Vec::new();
    for message in request.messages {
        let (role, parts) = match message {
            Message::User { text, images } => {
                let text = (!text.is_empty()).then(|| json!({"text": text}));
                ("user", images.iter().map(|image| picture(image, quirks)).chain(text).collect())
            }
            Message::Assistant { text, calls, reasoning } => {
                let mut parts: Vec<Value> = echo::parts(text, calls, reasoning, maker).into_iter().map(part).collect();
                if quirks.placeholder_seals {
                    // Only the first call of a step wants one.
                    if let Some(call) = parts.iter_mut().find(|part| part.get("functionCall").is_some())
                        && call.get("thoughtSignature").is_none()
                    {
                        call["thoughtSignature"] = json!(PLACEHOLDER);
                    }
                }
                ("model", parts)
            }
            Message::Tool { tool, text, images, ok, .. } => {
                let response = json!({if *ok { "output" } else { "error" }: text});
                let result = json!({"functionResponse": {"name": tool, "response": response}});
                let pictures = images.iter().map(|image| picture(image, quirks));
                ("user", std::iter::once(result).chain(pictures).collect::<Vec<Value>>())
            }
        };
        if parts.is_empty() {
            continue;
        }
        match contents.last_mut().filter(|last| last["role"] == role).and_then(|last| last["parts"].as_array_mut()) {
            // All results of a step belong into one content.
            Some(before) => before.extend(parts),
            None => contents.push(json!({"role": role, "parts": parts})),
        }
    }
    let mut body = json!({
        "systemInstruction": {"parts": [{"text": request.system}]},
        "contents": contents,
    });
    if !request.tools.is_empty() {
        let tool = |(name, description, parameters): &Tool| {
            let mut declaration = json!({"name": name, "description": description});
            // An object without properties is refused.
            if parameters["properties"].as_object().is_some_and(|properties| !properties.is_empty()) {
                declaration["parameters"] = schema(parameters);
            }
            declaration
        };
        let declarations: Vec<Value> = request.tools.iter().map(tool).collect();
        body["tools"] = json!([{"functionDeclarations": declarations}]);
    }
    let mut generation = Map::new();
    if let Some(limit) = request.limit(Dialect::Gemini, quirks) {
        generation.insert("maxOutputTokens".to_owned(), json!(limit));
    }
    if let Some(effort) = request.effort.filter(|_| !quirks.no_effort) {
        generation.insert("thinkingConfig".to_owned(), thinking(request.model, effort));
    }
    if !generation.is_empty() {
        body["generationConfig"] = Value::Object(generation);
    }
    body
}

/// The wish how long to think: a number of tokens for the second generation, a word since the third.
fn thinking(model: &str, effort: Effort) -> Value {
    if model.contains("gemini-1") || model.contains("gemini-2") {
        let budget = match effort {
            Effort::Low => 2_048,
            Effort::Medium => 8_192,
            Effort::High => 24_576,
        };
        json!({"includeThoughts": true, "thinkingBudget": budget})
    } else {
        json!({"includeThoughts": true, "thinkingLevel": effort.word()})
    }
}

fn picture(image: &ToolImage, quirks: &Quirks) -> Value {
    if quirks.no_images {
        return json!({"text": UNSEEN});
    }
    json!({"inlineData": {"mimeType": image.media_type, "data": image.data}})
}

fn part(part: Echo<'_>) -> Value {
    let (mut part, extra) = match part {
        Echo::Kept(part) => return part,
        Echo::Text(text, extra) => (json!({"text": text}), extra),
        Echo::Call(call, extra) => {
            (json!({"functionCall": {"name": call.tool, "args": arguments::object(call)}}), extra)
        }
    };
    for (name, value) in extra {
        part[name] = value;
    }
    part
}

/// The part of JSON schema that this dialect knows; anything else is refused.
fn schema(value: &Value) -> Value {
    const KNOWN: [&str; 15] = [
        "type",
        "description",
        "properties",
        "required",
        "items",
        "enum",
        "nullable",
        "anyOf",
        "minimum",
        "maximum",
        "minItems",
        "maxItems",
        "minLength",
        "maxLength",
        "pattern",
    ];
    let Value::Object(fields) = value else { return value.clone() };
    let known = fields.iter().filter(|(name, _)| KNOWN.contains(&name.as_str()));
    known
        .map(|(name, value)| {
            let value = match (name.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    properties.iter().map(|(name, value)| (name.clone(), schema(value))).collect()
                }
                ("anyOf", Value::Array(list)) => list.iter().map(schema).collect(),
                ("items", items) => schema(items),
                // A list of types is one type that may be null.
                ("type", Value::Array(types)) => {
                    types.iter().find(|kind| *kind != "null").cloned().unwrap_or_else(|| json!("string"))
                }
                (_, other) => other.clone(),
            };
            (name.clone(), value)
        })
        .collect()
}
