//! The scripted server's four dialects: which one a request speaks, what its conversation says, how a step is
//! streamed in it.
#![allow(clippy::pedantic, clippy::unwrap_used, reason = "test support")]

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use super::{End, Reply, Special, Step};

/// What a client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    Chat,
    Responses,
    Anthropic,
    Gemini,
}

impl Dialect {
    pub const ALL: [Self; 4] = [Self::Chat, Self::Responses, Self::Anthropic, Self::Gemini];

    /// By the address's path.
    pub fn of(path: &str) -> Option<Self> {
        match path {
            _ if path.ends_with("/chat/completions") => Some(Self::Chat),
            _ if path.ends_with("/responses") => Some(Self::Responses),
            _ if path.ends_with("/messages") => Some(Self::Anthropic),
            _ if path.ends_with(":streamGenerateContent") || path.ends_with(":generateContent") => Some(Self::Gemini),
            _ => None,
        }
    }

    /// Whether a request of this dialect wants a stream.
    pub fn streams(self, path: &str, body: &Value) -> bool {
        if self == Self::Gemini { path.ends_with(":streamGenerateContent") } else { body["stream"] == true }
    }

    /// The last words of the person, and how many answers have come since.
    pub fn asked(self, body: &Value) -> (String, usize) {
        let empty = Vec::new();
        let list = |name: &str| body[name].as_array().unwrap_or(&empty);
        // Role and text; an answer counts once, also where it comes in several items.
        let mut messages: Vec<(&str, String)> = Vec::new();
        match self {
            Self::Chat | Self::Anthropic => {
                for message in list("messages") {
                    let results = message["content"].as_array().is_some_and(|content| {
                        !content.is_empty() && content.iter().all(|block| block["type"] == "tool_result")
                    });
                    let role = message["role"].as_str().unwrap_or_default();
                    messages.push((if results { "tool" } else { role }, text(&message["content"])));
                }
            }
            Self::Responses => {
                if let Some(input) = body["input"].as_str() {
                    messages.push(("user", input.to_owned()));
                }
                for item in list("input") {
                    match (item["type"].as_str(), item["role"].as_str()) {
                        (_, Some("user")) => messages.push(("user", text(&item["content"]))),
                        (Some("function_call_output"), _) => messages.push(("tool", String::new())),
                        (_, Some("system" | "developer")) => {}
                        _ if messages.last().is_some_and(|last| last.0 == "assistant") => {}
                        _ => messages.push(("assistant", String::new())),
                    }
                }
            }
            Self::Gemini => {
                for content in list("contents") {
                    let parts = content["parts"].as_array().unwrap_or(&empty);
                    let role = match content["role"].as_str() {
                        Some("model") => "assistant",
                        _ if parts.iter().any(|part| part.get("functionResponse").is_some()) => "tool",
                        _ => "user",
                    };
                    messages.push((role, text(&content["parts"])));
                }
            }
        }
        let from = messages.iter().rposition(|(role, _)| *role == "user").unwrap_or(0);
        let mut words = messages.get(from).map(|(_, text)| text.clone()).unwrap_or_default();
        // What the person cancelled is not done.
        if let Some((_, on)) =
            words.rsplit_once("[The person cancelled this.").and_then(|(_, on)| on.split_once("]\n\n"))
        {
            words = on.to_owned();
        }
        (words, messages.iter().skip(from).filter(|(role, _)| *role == "assistant").count())
    }

    /// An error as this dialect words it.
    pub fn error(self, status: u16, message: &str) -> Value {
        match self {
            Self::Chat | Self::Responses => json!({"error": {"message": message, "type": "scripted", "code": null}}),
            Self::Anthropic => json!({"type": "error", "error": {"type": "scripted", "message": message}}),
            Self::Gemini => json!({"error": {"code": status, "message": message, "status": "SCRIPTED"}}),
        }
    }

    /// The step as a well-behaved server streams it: text in pieces, arguments in two.
    pub fn reply(self, step: &Step) -> Reply {
        let mut reply = match step.special {
            Some(Special::Html) => return Reply::document(200, "text/html", "<html><h1>Welcome</h1></html>"),
            Some(Special::Hang) => {
                let text = if step.text.is_empty() { "…" } else { &step.text };
                let mut reply = self.stream(&self.saying(&Step { text: text.to_owned(), ..Step::default() }));
                reply.end = End::Hang;
                reply
            }
            Some(Special::Cut) => {
                let mut events = self.saying(&Step::default());
                events.extend(self.half_a_call("shell", "{\"command\": \"touch cut"));
                let mut reply = self.stream(&events);
                reply.end = End::Abort;
                reply
            }
            None => {
                let mut events = self.saying(step);
                events.extend(self.calling(step));
                events.extend(self.ending(step));
                let mut reply = self.stream(&events);
                if self == Self::Chat {
                    reply.pieces.push(b"data: [DONE]\n\n".to_vec());
                }
                reply
            }
        };
        reply.pause = step.slow;
        reply
    }

    /// The step as one document.
    pub fn document(self, step: &Step) -> Value {
        let arguments = |raw: &str| serde_json::from_str::<Value>(raw).unwrap_or_else(|_| json!({}));
        match self {
            Self::Chat => {
                let calls: Vec<Value> = step
                    .calls
                    .iter()
                    .map(|(tool, raw)| {
                        json!({"id": unique("call"), "type": "function", "function": {"name": tool, "arguments": raw}})
                    })
                    .collect();
                let mut message = json!({"role": "assistant", "content": step.text});
                if !calls.is_empty() {
                    message["tool_calls"] = json!(calls);
                }
                json!({"id": "c", "object": "chat.completion", "created": 1, "model": "scripted",
                       "choices": [{"index": 0, "message": message, "finish_reason": reason(step, "stop", "tool_calls")}],
                       "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}})
            }
            Self::Responses => response("completed", &output(step)),
            Self::Anthropic => {
                let text = (!step.text.is_empty()).then(|| json!({"type": "text", "text": step.text}));
                let calls = step.calls.iter().map(|(tool, raw)| {
                    json!({"type": "tool_use", "id": unique("toolu"), "name": tool, "input": arguments(raw)})
                });
                let content: Vec<Value> = text.into_iter().chain(calls).collect();
                json!({"id": unique("msg"), "type": "message", "role": "assistant", "model": "scripted", "content": content,
                       "stop_reason": reason(step, "end_turn", "tool_use"), "stop_sequence": null,
                       "usage": {"input_tokens": 100, "output_tokens": 10}})
            }
            Self::Gemini => {
                let text = (!step.text.is_empty()).then(|| json!({"text": step.text}));
                let calls = step
                    .calls
                    .iter()
                    .map(|(tool, raw)| json!({"functionCall": {"name": tool, "args": arguments(raw)}}));
                let parts: Vec<Value> = text.into_iter().chain(calls).collect();
                json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
                       "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}})
            }
        }
    }

    /// A stream of these events, without an end of its own.
    pub fn stream(self, events: &[Value]) -> Reply {
        let event = |event: &Value| {
            let name = event["type"].as_str().filter(|_| self != Self::Chat && self != Self::Gemini);
            format!("{}data: {event}\n\n", name.map(|name| format!("event: {name}\n")).unwrap_or_default())
        };
        let pieces: Vec<String> = events.iter().map(event).collect();
        Reply::pieces(&pieces.iter().map(String::as_str).collect::<Vec<_>>(), End::Clean)
    }

    /// Everything up to the calls.
    pub fn saying(self, step: &Step) -> Vec<Value> {
        let letters: Vec<char> = step.text.chars().collect();
        let pieces: Vec<String> = letters.chunks(8).map(|piece| piece.iter().collect()).collect();
        let thinks = !step.reasoning.is_empty();
        let mut out = Vec::new();
        match self {
            Self::Chat => {
                out.push(delta(json!({"role": "assistant", "content": ""})));
                if thinks {
                    out.push(delta(json!({"reasoning_content": step.reasoning})));
                }
                out.extend(pieces.iter().map(|piece| delta(json!({"content": piece}))));
            }
            Self::Responses => {
                out.push(json!({"type": "response.created", "response": response("in_progress", &[])}));
                let items = output(&Step { calls: Vec::new(), ..step.clone() });
                for (index, item) in items.iter().enumerate() {
                    let (id, kind) = (&item["id"], &item["type"]);
                    out.push(json!({"type": "response.output_item.added", "output_index": index,
                                    "item": {"id": id, "type": kind, "role": "assistant", "content": [], "summary": [], "status": "in_progress"}}));
                    if kind == "reasoning" {
                        out.push(json!({"type": "response.reasoning_summary_text.delta", "item_id": id, "output_index": index,
                                        "summary_index": 0, "delta": step.reasoning}));
                    } else {
                        out.push(json!({"type": "response.content_part.added", "item_id": id, "output_index": index, "content_index": 0,
                                        "part": {"type": "output_text", "text": "", "annotations": []}}));
                        out.extend(pieces.iter().map(|piece| {
                            json!({"type": "response.output_text.delta", "item_id": id, "output_index": index,
                                   "content_index": 0, "delta": piece})
                        }));
                    }
                    out.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
                }
            }
            Self::Anthropic => {
                out.push(
                    json!({"type": "message_start", "message": {"id": unique("msg"), "type": "message", "role": "assistant",
                                "model": "scripted", "content": [], "stop_reason": null, "stop_sequence": null,
                                "usage": {"input_tokens": 100, "output_tokens": 1}}}),
                );
                if thinks {
                    let index = 0;
                    out.push(json!({"type": "content_block_start", "index": index,
                                    "content_block": {"type": "thinking", "thinking": "", "signature": ""}}));
                    out.push(block(index, json!({"type": "thinking_delta", "thinking": step.reasoning})));
                    out.push(block(index, json!({"type": "signature_delta", "signature": "SEALED"})));
                    out.push(json!({"type": "content_block_stop", "index": index}));
                }
                if !pieces.is_empty() {
                    let index = u64::from(thinks);
                    out.push(json!({"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}}));
                    out.extend(pieces.iter().map(|piece| block(index, json!({"type": "text_delta", "text": piece}))));
                    out.push(json!({"type": "content_block_stop", "index": index}));
                }
            }
            Self::Gemini => {
                if thinks {
                    out.push(chunk(json!([{"text": step.reasoning, "thought": true}])));
                }
                out.extend(pieces.iter().map(|piece| chunk(json!([{"text": piece}]))));
            }
        }
        out
    }

    /// The calls.
    pub fn calling(self, step: &Step) -> Vec<Value> {
        let mut out = Vec::new();
        let first = usize::from(!step.reasoning.is_empty()) + usize::from(!step.text.is_empty());
        for (at, (tool, raw)) in step.calls.iter().enumerate() {
            let mut half = raw.len() / 2;
            while !raw.is_char_boundary(half) {
                half -= 1;
            }
            let (one, two) = raw.split_at(half);
            let index = first + at;
            match self {
                Self::Chat => {
                    let begin = json!({"index": at, "id": unique("call"), "type": "function",
                                       "function": {"name": tool, "arguments": one}});
                    out.push(delta(json!({"tool_calls": [begin]})));
                    out.push(delta(json!({"tool_calls": [{"index": at, "function": {"arguments": two}}]})));
                }
                Self::Responses => {
                    let item = |arguments: &str| {
                        json!({"type": "function_call", "id": format!("fc_{at}"), "call_id": format!("call_{at}"),
                               "name": tool, "arguments": arguments, "status": "completed"})
                    };
                    out.push(json!({"type": "response.output_item.added", "output_index": index, "item": item("")}));
                    out.extend([one, two].iter().map(|piece| {
                        json!({"type": "response.function_call_arguments.delta", "item_id": format!("fc_{at}"),
                               "output_index": index, "delta": piece})
                    }));
                    out.push(json!({"type": "response.output_item.done", "output_index": index, "item": item(raw)}));
                }
                Self::Anthropic => {
                    out.push(json!({"type": "content_block_start", "index": index,
                                    "content_block": {"type": "tool_use", "id": unique("toolu"), "name": tool, "input": {}}}));
                    out.extend(
                        [one, two].iter().map(|piece| {
                            block(index as u64, json!({"type": "input_json_delta", "partial_json": piece}))
                        }),
                    );
                    out.push(json!({"type": "content_block_stop", "index": index}));
                }
                Self::Gemini => {
                    // This dialect sends calls whole; what is no JSON comes as the model wrote it.
                    let args = serde_json::from_str::<Value>(raw).unwrap_or_else(|_| json!(raw));
                    let mut part = json!({"functionCall": {"name": tool, "args": args}});
                    if at == 0 && !step.reasoning.is_empty() {
                        part["thoughtSignature"] = json!("SEALED");
                    }
                    out.push(chunk(json!([part])));
                }
            }
        }
        out
    }

    /// The beginning of a call whose arguments are cut.
    fn half_a_call(self, tool: &str, raw: &str) -> Vec<Value> {
        let step = Step { calls: vec![(tool.to_owned(), raw.to_owned())], ..Step::default() };
        let mut events = self.calling(&step);
        match self {
            Self::Responses | Self::Anthropic => drop(events.pop()),
            Self::Chat | Self::Gemini => {}
        }
        events
    }

    /// The end of a whole answer.
    pub fn ending(self, step: &Step) -> Vec<Value> {
        match self {
            Self::Chat => vec![
                json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason(step, "stop", "tool_calls")}]}),
                json!({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}}),
            ],
            Self::Responses => {
                vec![json!({"type": "response.completed", "response": response("completed", &output(step))})]
            }
            Self::Anthropic => vec![
                json!({"type": "message_delta", "delta": {"stop_reason": reason(step, "end_turn", "tool_use"), "stop_sequence": null},
                       "usage": {"output_tokens": 10}}),
                json!({"type": "message_stop"}),
            ],
            Self::Gemini => {
                vec![
                    json!({"candidates": [{"content": {"role": "model", "parts": []}, "finishReason": "STOP", "index": 0}],
                            "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}}),
                ]
            }
        }
    }
}

/// An id that no call has had: programs tell calls apart by it.
fn unique(kind: &str) -> String {
    static LAST: AtomicU64 = AtomicU64::new(0);
    format!("{kind}_{}", LAST.fetch_add(1, Ordering::Relaxed))
}

fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}

fn reason<'a>(step: &Step, ended: &'a str, calls: &'a str) -> &'a str {
    if step.calls.is_empty() { ended } else { calls }
}

fn delta(delta: Value) -> Value {
    json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
           "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn block(index: u64, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn chunk(parts: Value) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0}]})
}

/// A step's output items.
fn output(step: &Step) -> Vec<Value> {
    let mut items = Vec::new();
    if !step.reasoning.is_empty() {
        items.push(
            json!({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": step.reasoning}],
                          "encrypted_content": "SEALED"}),
        );
    }
    if !step.text.is_empty() {
        items.push(json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                          "content": [{"type": "output_text", "text": step.text, "annotations": []}]}));
    }
    items.extend(step.calls.iter().enumerate().map(|(at, (tool, raw))| {
        json!({"type": "function_call", "id": format!("fc_{at}"), "call_id": format!("call_{at}"), "name": tool,
               "arguments": raw, "status": "completed"})
    }));
    items
}

fn response(status: &str, output: &[Value]) -> Value {
    json!({"id": "resp_1", "object": "response", "created_at": 1, "status": status, "model": "scripted", "output": output,
    "parallel_tool_calls": true, "tool_choice": "auto", "tools": [], "error": null, "incomplete_details": null,
    "usage": if status == "completed" {
        json!({"input_tokens": 100, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 10,
               "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 110})
    } else {
        Value::Null
    }})
}
