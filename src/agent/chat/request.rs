//! The body of a chat completions request.

use serde_json::{Value, json};

use crate::agent::transcript::Message;
use crate::domain::ToolCall;

/// What one server does not like, learned from its refusals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::agent) struct Quirks {
    /// It refuses `stream_options`.
    pub no_stream_options: bool,
    /// It wants the model's reasoning back with its calls.
    pub echo_reasoning: bool,
}

impl Quirks {
    /// What a refusal (status 400 or 422) teaches; `None` when it is about something else.
    pub fn learn(self, refusal: &str) -> Option<Self> {
        let learned = Self {
            no_stream_options: self.no_stream_options || refusal.contains("stream_options"),
            echo_reasoning: self.echo_reasoning || refusal.contains("reasoning_content"),
        };
        (learned != self).then_some(learned)
    }
}

/// Builds the body.
pub(in crate::agent) fn body(
    model: &str,
    system: &str,
    messages: &[Message],
    tools: &[(&str, &str, Value)],
    quirks: Quirks,
) -> Value {
    let mut list = vec![json!({"role": "system", "content": system})];
    list.extend(messages.iter().map(|message| wire(message, quirks)));
    let tools: Vec<Value> = tools
        .iter()
        .map(|(name, description, parameters)| {
            json!({"type": "function", "function": {"name": name, "description": description, "parameters": parameters}})
        })
        .collect();
    let mut body = json!({"model": model, "messages": list, "tools": tools, "stream": true});
    if !quirks.no_stream_options {
        body["stream_options"] = json!({"include_usage": true});
    }
    body
}

fn wire(message: &Message, quirks: Quirks) -> Value {
    match message {
        Message::User { text } => json!({"role": "user", "content": text}),
        Message::Assistant { text, calls, .. } if calls.is_empty() => json!({"role": "assistant", "content": text}),
        Message::Assistant { text, calls, reasoning } => {
            let calls: Vec<Value> = calls
                .iter()
                .map(|call| {
                    json!({
                        "id": call.model_id,
                        "type": "function",
                        "function": {"name": call.tool, "arguments": arguments(call)},
                    })
                })
                .collect();
            let mut wire = json!({"role": "assistant", "content": text, "tool_calls": calls});
            if quirks.echo_reasoning {
                wire["reasoning_content"] = json!(reasoning);
            }
            wire
        }
        Message::Tool { model_id, text } => json!({"role": "tool", "tool_call_id": model_id, "content": text}),
    }
}

/// The arguments as JSON text. Broken ones are wrapped: servers parse what they are sent, and one
/// broken call in the history would make them refuse every later request.
fn arguments(call: &ToolCall) -> String {
    match &call.arguments {
        Value::Object(_) => call.arguments.to_string(),
        other => json!({"not_json": other}).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::CallId;

    #[test]
    fn broken_arguments_are_sent_as_json() {
        let call = ToolCall {
            id: CallId("p1.1.1".into()),
            model_id: "m".into(),
            tool: "read".into(),
            arguments: Value::String("{\"path\": ".into()),
        };
        let message = Message::Assistant { text: String::new(), calls: vec![call], reasoning: "hm".into() };
        let built = body("m", "s", std::slice::from_ref(&message), &[], Quirks::default());
        let text = built["messages"][1]["tool_calls"][0]["function"]["arguments"].as_str().unwrap();
        assert!(serde_json::from_str::<Value>(text).unwrap().is_object());
        assert!(built["messages"][1].get("reasoning_content").is_none());
        assert_eq!(built["stream_options"]["include_usage"], true);

        let quirks = Quirks::default().learn("unknown field stream_options").unwrap();
        let quirks = quirks.learn("reasoning_content must be passed back").unwrap();
        assert_eq!(quirks.learn("reasoning_content must be passed back"), None);
        let built = body("m", "s", &[message], &[], quirks);
        assert_eq!(built["messages"][1]["reasoning_content"], "hm");
        assert!(built.get("stream_options").is_none());
    }
}
