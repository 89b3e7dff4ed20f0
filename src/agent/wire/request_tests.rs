//! Bodies of every dialect: what goes back to whom, pictures, errors, odd histories.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::tests::{answer, usual};
use super::*;
use crate::domain::{CallId, Reasoning, ToolCall, ToolImage};

fn call(id: &str, tool: &str, arguments: Value) -> ToolCall {
    ToolCall { id: CallId(format!("p1.{id}")), model_id: id.into(), tool: tool.into(), arguments }
}

fn user(text: &str) -> Message {
    Message::User { text: text.into(), images: Vec::new() }
}

fn tool(id: &str, text: &str, ok: bool) -> Message {
    Message::Tool { model_id: id.into(), tool: "list".into(), ok, text: text.into(), images: Vec::new() }
}

fn png() -> ToolImage {
    ToolImage { media_type: "image/png".into(), data: "QUJD".into() }
}

fn tools() -> Vec<Tool> {
    let schema = json!({"type": "object", "additionalProperties": false, "required": ["path"],
                        "properties": {"path": {"type": ["string", "null"], "default": "."}}});
    let now = json!({"type": "object", "properties": {}});
    vec![("list".into(), "Lists.".into(), schema), ("now".into(), "The time.".into(), now)]
}

fn body_with(dialect: Dialect, messages: &[Message], effort: Option<Effort>, quirks: Quirks) -> Value {
    let tools = tools();
    let request = Request { model: "m-1", system: "be brief", messages, tools: &tools, max_output: None, effort };
    request.body(dialect, "me", &quirks)
}

fn body(dialect: Dialect, messages: &[Message]) -> Value {
    body_with(dialect, messages, None, Quirks::default())
}

/// The messages of a body.
fn list(dialect: Dialect, messages: &[Message]) -> Value {
    let body = body(dialect, messages);
    let name = match dialect {
        Dialect::OpenaiChat | Dialect::Anthropic => "messages",
        Dialect::OpenaiResponses => "input",
        Dialect::Gemini => "contents",
    };
    body[name].clone()
}

/// A turn of the answer that `usual` streams, made by `maker`.
fn turn(dialect: Dialect, maker: &str) -> Vec<Message> {
    let mut answer = answer(dialect, &usual(dialect, "ls", 4));
    answer.reasoning.made_by = maker.to_owned();
    let calls = answer.calls.into_iter().map(|raw| {
        let id = if raw.model_id.is_empty() { "b".to_owned() } else { raw.model_id };
        call(&id, &raw.tool, raw.arguments)
    });
    let calls = calls.collect();
    vec![
        user("go"),
        Message::Assistant { text: answer.text, calls, reasoning: answer.reasoning },
        tool("a", "fine", true),
        tool("b", "no", false),
    ]
}

#[test]
fn chat_sends_a_turn_as_it_was() {
    let body = body(Dialect::OpenaiChat, &turn(Dialect::OpenaiChat, "me"));
    let function = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let expected = json!([
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "é ok",
         "tool_calls": [function("a", "shell", "{\"command\":\"ls\"}"), function("b", "list", "{}")]},
        {"role": "tool", "tool_call_id": "a", "content": "fine"},
        {"role": "tool", "tool_call_id": "b", "content": "no"},
    ]);
    assert_eq!(body["messages"], expected);
    assert_eq!((&body["stream"], &body["stream_options"]["include_usage"]), (&json!(true), &json!(true)));
    assert_eq!(body["tools"][0]["function"]["name"], "list");
    assert!(body.get("max_tokens").is_none() && body.get("reasoning_effort").is_none());
}

#[test]
fn chat_echoes_thoughts_only_where_they_are_wanted() {
    let messages = turn(Dialect::OpenaiChat, "me");
    let wanted = Quirks::default().learn(Dialect::OpenaiChat, "reasoning_content must be passed back", None).unwrap();
    let body = body_with(Dialect::OpenaiChat, &messages, None, wanted);
    assert_eq!(body["messages"][2]["reasoning_content"], "hm");
    // Another's thoughts are not passed off as its own.
    let body = body_with(Dialect::OpenaiChat, &turn(Dialect::OpenaiChat, "other"), None, wanted);
    assert_eq!(body["messages"][2]["reasoning_content"], "");
    let withheld =
        wanted.learn(Dialect::OpenaiChat, "reasoning_content: extra inputs are not permitted", None).unwrap();
    let body = body_with(Dialect::OpenaiChat, &messages, None, withheld);
    assert!(body["messages"][2].get("reasoning_content").is_none());
}

#[test]
fn chat_sends_sealed_thoughts_back_to_their_maker() {
    let seal = json!({"kept": {"reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]}});
    let within = json!({"call": {"extra": {"extra_content": {"google": {"thought_signature": "T"}}}}});
    let message = |maker: &str| Message::Assistant {
        text: String::new(),
        calls: vec![call("a", "list", json!({}))],
        reasoning: Reasoning { text: "hm".into(), made_by: maker.into(), parts: vec![within.clone(), seal.clone()] },
    };
    let ours = list(Dialect::OpenaiChat, &[user("go"), message("me"), tool("a", "x", true)])[2].clone();
    assert_eq!(ours["reasoning_details"][0]["data"], "x");
    assert_eq!(ours["tool_calls"][0]["extra_content"]["google"]["thought_signature"], "T");
    let theirs = list(Dialect::OpenaiChat, &[user("go"), message("other"), tool("a", "x", true)])[2].clone();
    assert!(theirs.get("reasoning_details").is_none() && theirs["tool_calls"][0].get("extra_content").is_none());
}

#[test]
fn responses_send_a_turn_as_it_was() {
    let body = body(Dialect::OpenaiResponses, &turn(Dialect::OpenaiResponses, "me"));
    let expected = json!([
        {"role": "user", "content": [{"type": "input_text", "text": "go"}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "SEALED"},
        {"type": "message", "role": "assistant", "status": "completed",
         "content": [{"type": "output_text", "text": "é ok", "annotations": []}]},
        {"type": "function_call", "call_id": "a", "name": "shell", "arguments": "{\"command\":\"ls\"}"},
        {"type": "function_call", "call_id": "b", "name": "list", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "fine"},
        {"type": "function_call_output", "call_id": "b", "output": "no"},
    ]);
    assert_eq!(body["input"], expected);
    assert_eq!((&body["instructions"], &body["store"]), (&json!("be brief"), &json!(false)));
    assert_eq!(body["include"], json!(["reasoning.encrypted_content"]));
    assert!(!list(Dialect::OpenaiResponses, &turn(Dialect::OpenaiResponses, "other")).to_string().contains("SEALED"));
}

#[test]
fn anthropic_sends_a_turn_as_it_was() {
    let body = body(Dialect::Anthropic, &turn(Dialect::Anthropic, "me"));
    let cached = json!({"type": "ephemeral"});
    let expected = json!([
        {"role": "user", "content": [{"type": "text", "text": "go"}]},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "hm", "signature": "SEALED"},
            {"type": "text", "text": "é ok"},
            {"type": "tool_use", "id": "a", "name": "shell", "input": {"command": "ls"}},
            {"type": "tool_use", "id": "b", "name": "list", "input": {}},
        ]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "fine"}]},
            {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "no"}], "is_error": true,
             "cache_control": cached},
        ]},
    ]);
    assert_eq!(body["messages"], expected);
    assert_eq!(body["system"], json!([{"type": "text", "text": "be brief", "cache_control": cached}]));
    assert_eq!((&body["max_tokens"], &body["tools"][0]["input_schema"]["type"]), (&json!(32_000), &json!("object")));
    assert!(body.get("thinking").is_none());
}

#[test]
fn anthropic_thinks_unless_the_running_turn_lacks_thoughts() {
    let with = |messages: &[Message], quirks| body_with(Dialect::Anthropic, messages, Some(Effort::Low), quirks);
    let ours = turn(Dialect::Anthropic, "me");
    assert_eq!(with(&ours, Quirks::default())["thinking"], json!({"type": "enabled", "budget_tokens": 4000}));
    let theirs = turn(Dialect::Anthropic, "other");
    assert!(with(&theirs, Quirks::default()).get("thinking").is_none());
    let mut later = theirs;
    later.extend([
        Message::Assistant { text: "ok".into(), calls: vec![], reasoning: Reasoning::default() },
        user("more"),
    ]);
    assert!(with(&later, Quirks::default()).get("thinking").is_some(), "an older turn does not matter");
    let adaptive = Quirks { adaptive: true, ..Quirks::default() };
    assert_eq!(with(&ours, adaptive)["output_config"]["effort"], "low");
    assert!(with(&ours, Quirks { no_effort: true, ..adaptive }).get("thinking").is_none());
    // Marks are never set on thoughts, and left out where they are refused.
    let plain = with(&ours, Quirks { no_cache_marks: true, ..Quirks::default() });
    assert!(!plain.to_string().contains("cache_control"));
}

#[test]
fn gemini_sends_a_turn_as_it_was() {
    let body = body(Dialect::Gemini, &turn(Dialect::Gemini, "me"));
    let result = |response: Value| json!({"functionResponse": {"name": "list", "response": response}});
    let expected = json!([
        {"role": "user", "parts": [{"text": "go"}]},
        {"role": "model", "parts": [
            {"text": "é ok"},
            {"functionCall": {"name": "shell", "args": {"command": "ls"}}, "thoughtSignature": "SEALED"},
            {"functionCall": {"name": "list", "args": {}}},
        ]},
        {"role": "user", "parts": [result(json!({"output": "fine"})), result(json!({"error": "no"}))]},
    ]);
    assert_eq!(body["contents"], expected);
    let declared = json!([
        {"name": "list", "description": "Lists.",
         "parameters": {"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}}},
        {"name": "now", "description": "The time."},
    ]);
    assert_eq!(body["tools"][0]["functionDeclarations"], declared);
    assert!(body.get("generationConfig").is_none() && body.get("model").is_none());
}

#[test]
fn gemini_takes_a_placeholder_where_another_made_the_call() {
    let quirks =
        Quirks::default().learn(Dialect::Gemini, "Function call is missing a thought_signature", None).unwrap();
    let theirs = body_with(Dialect::Gemini, &turn(Dialect::Gemini, "other"), Some(Effort::High), quirks);
    let parts = &theirs["contents"][1]["parts"];
    assert_eq!(parts[1]["thoughtSignature"], "skip_thought_signature_validator");
    assert!(parts[2].get("thoughtSignature").is_none());
    assert_eq!(theirs["generationConfig"]["thinkingConfig"]["thinkingLevel"], "high");
    let ours = body_with(Dialect::Gemini, &turn(Dialect::Gemini, "me"), None, quirks);
    assert_eq!(ours["contents"][1]["parts"][1]["thoughtSignature"], "SEALED");
}

#[test]
fn pictures_go_where_each_dialect_takes_them() {
    let messages = [
        Message::User { text: "see".into(), images: vec![png()] },
        Message::Assistant {
            text: String::new(),
            calls: vec![call("a", "list", json!({}))],
            reasoning: Reasoning::default(),
        },
        Message::Tool {
            model_id: "a".into(),
            tool: "list".into(),
            ok: true,
            text: "a picture".into(),
            images: vec![png()],
        },
        user("well?"),
    ];
    let url = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}});
    let chat = list(Dialect::OpenaiChat, &messages);
    assert_eq!((&chat[1]["content"][1], &chat[4]["content"][1]), (&url, &url));
    assert_eq!(chat.as_array().unwrap().len(), 6);
    let responses = list(Dialect::OpenaiResponses, &messages);
    let image = json!({"type": "input_image", "image_url": "data:image/png;base64,QUJD"});
    assert_eq!((&responses[0]["content"][1], &responses[3]["content"][0]), (&image, &image));
    let anthropic = list(Dialect::Anthropic, &messages);
    let source = json!({"type": "base64", "media_type": "image/png", "data": "QUJD"});
    assert_eq!(anthropic[0]["content"][0]["source"], source);
    assert_eq!(anthropic[2]["content"][0]["content"][1]["source"], source);
    assert_eq!(anthropic[2]["content"][1]["text"], "well?", "roles alternate");
    let gemini = list(Dialect::Gemini, &messages);
    assert_eq!(gemini[0]["parts"][0]["inlineData"], json!({"mimeType": "image/png", "data": "QUJD"}));
    assert_eq!(gemini[2]["parts"][1]["inlineData"]["data"], "QUJD");
    for dialect in Dialect::ALL {
        let blind = Quirks::default().learn(dialect, "this model does not support image input", None).unwrap();
        let body = body_with(dialect, &messages, None, blind).to_string();
        assert!(!body.contains("QUJD") && body.contains("an image that this model cannot see"), "{dialect:?}");
    }
}

#[test]
fn broken_arguments_empty_results_and_foreign_ids_are_sent_as_servers_take_them() {
    let broken = call("call:1|x", "read", json!("{\"path\": "));
    let messages = [
        user("go"),
        Message::Assistant { text: String::new(), calls: vec![broken], reasoning: Reasoning::default() },
        tool("call:1|x", "", true),
    ];
    let wrapped = json!({"not_json": "{\"path\": "});
    let chat = list(Dialect::OpenaiChat, &messages);
    assert_eq!(chat[2]["tool_calls"][0]["function"]["arguments"], wrapped.to_string());
    let anthropic = list(Dialect::Anthropic, &messages);
    assert_eq!(anthropic[1]["content"][0]["input"], wrapped);
    assert_eq!(anthropic[1]["content"][0]["id"], "call_1_x");
    assert_eq!(anthropic[2]["content"][0]["tool_use_id"], "call_1_x");
    assert_eq!(anthropic[2]["content"][0]["content"][0]["text"], "(nothing)");
    assert_eq!(list(Dialect::Gemini, &messages)[1]["parts"][0]["functionCall"]["args"], wrapped);
    let short =
        Quirks::default().learn(Dialect::OpenaiChat, "Tool call id was call:1|x but must be a-z", None).unwrap();
    let chat = body_with(Dialect::OpenaiChat, &messages, None, short);
    let id = chat["messages"][2]["tool_calls"][0]["id"].as_str().unwrap();
    assert_eq!((id.len(), chat["messages"][3]["tool_call_id"].as_str()), (9, Some(id)));
}

#[test]
fn limits_and_efforts_are_named_as_each_dialect_does() {
    let messages = [user("go")];
    let ask = |dialect, model, quirks: Quirks| {
        let (max_output, effort) = (Some(9_000), Some(Effort::Medium));
        Request { model, system: "s", messages: &messages, tools: &[], max_output, effort }.body(dialect, "me", &quirks)
    };
    let chat = ask(Dialect::OpenaiChat, "m", Quirks::default());
    assert_eq!((&chat["max_tokens"], &chat["reasoning_effort"]), (&json!(9000), &json!("medium")));
    let newer = ask(Dialect::OpenaiChat, "m", Quirks { completion_tokens: true, no_effort: true, ..Quirks::default() });
    assert_eq!((&newer["max_completion_tokens"], newer.get("max_tokens")), (&json!(9000), None));
    assert!(newer.get("reasoning_effort").is_none() && newer.get("tools").is_none());
    let responses = ask(Dialect::OpenaiResponses, "m", Quirks { most_output: Some(4096), ..Quirks::default() });
    assert_eq!((&responses["max_output_tokens"], &responses["reasoning"]["effort"]), (&json!(4096), &json!("medium")));
    let gemini = ask(Dialect::Gemini, "gemini-2.5-pro", Quirks::default());
    assert_eq!(gemini["generationConfig"]["maxOutputTokens"], 9000);
    assert_eq!(gemini["generationConfig"]["thinkingConfig"]["thinkingBudget"], 8192);
}
