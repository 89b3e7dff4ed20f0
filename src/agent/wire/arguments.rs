//! A call's arguments between the wire and us.

use serde_json::{Map, Value, json};

use crate::domain::ToolCall;

/// Whether a text is a whole JSON object.
pub(super) fn is_object(text: &str) -> bool {
    matches!(serde_json::from_str(text), Ok(Value::Object(_)))
}

/// The arguments as an object, where they are one: also an empty text, and an object within a string.
pub(super) fn read(raw: &str) -> Value {
    if raw.trim().is_empty() {
        return Value::Object(Map::new());
    }
    match serde_json::from_str(raw) {
        Ok(object @ Value::Object(_)) => object,
        Ok(Value::Null) => Value::Object(Map::new()),
        Ok(Value::String(inner)) if is_object(&inner) => serde_json::from_str(&inner).unwrap_or(Value::String(inner)),
        _ => Value::String(raw.to_owned()),
    }
}

/// The arguments as an object. Broken ones are wrapped: servers parse what they are sent, and one broken call in
/// the history would make them refuse every later request.
pub(super) fn object(call: &ToolCall) -> Value {
    match &call.arguments {
        object @ Value::Object(_) => object.clone(),
        other => json!({"not_json": other}),
    }
}

/// The arguments as JSON text.
pub(super) fn text(call: &ToolCall) -> String {
    match &call.arguments {
        Value::Object(_) => call.arguments.to_string(),
        other => json!({"not_json": other}).to_string(),
    }
}
