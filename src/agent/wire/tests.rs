//! What holds for the streams of every dialect: cuts do not matter, nothing unfinished counts, garbage is an error.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::domain::Usage;

/// An event's wire form.
pub(super) fn sse(events: &[Value], eol: &str) -> String {
    let event = |event: &Value| {
        let name = event.get("type").and_then(Value::as_str).map(|name| format!("event: {name}{eol}"));
        format!("{}data: {event}{eol}{eol}", name.unwrap_or_default())
    };
    events.iter().map(event).collect()
}

/// Reads a stream in these pieces.
pub(super) fn read_pieces<'a>(
    dialect: Dialect,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Result<(Vec<Delta>, StreamEnd), StreamFault> {
    let mut stream = AnswerStream::new(dialect);
    let mut shown = Vec::new();
    for piece in pieces {
        shown.extend(stream.push(piece)?);
    }
    let (more, end) = stream.finish()?;
    shown.extend(more);
    Ok((shown, end))
}

pub(super) fn read(dialect: Dialect, events: &[Value]) -> Result<(Vec<Delta>, StreamEnd), StreamFault> {
    read_pieces(dialect, [sse(events, "\n").as_bytes()])
}

/// The whole answer of a stream.
pub(super) fn answer(dialect: Dialect, events: &[Value]) -> StepAnswer {
    match read(dialect, events) {
        Ok((_, StreamEnd::Answer(answer))) => answer,
        other => panic!("no answer: {other:?}"),
    }
}

/// Tools and arguments of an answer's calls.
pub(super) fn calls(answer: &StepAnswer) -> Vec<(&str, Value)> {
    answer.calls.iter().map(|call| (call.tool.as_str(), call.arguments.clone())).collect()
}

/// An answer with thoughts, text and two calls, as each dialect streams it. The first call's arguments come in two
/// parts, cut at `cut`.
pub(super) fn usual(dialect: Dialect, command: &str, cut: usize) -> Vec<Value> {
    let arguments = json!({"command": command}).to_string();
    let mut at = cut.min(arguments.len());
    while !arguments.is_char_boundary(at) {
        at -= 1;
    }
    let (first, second) = arguments.split_at(at);
    match dialect {
        Dialect::OpenaiChat => {
            let delta = |delta: Value| json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]});
            let call = |call: Value| delta(json!({"tool_calls": [call]}));
            vec![
                delta(json!({"role": "assistant", "content": null})),
                delta(json!({"reasoning_content": "hm"})),
                delta(json!({"content": "é "})),
                delta(json!({"content": "ok"})),
                call(
                    json!({"index": 0, "id": "a", "type": "function", "function": {"name": "shell", "arguments": ""}}),
                ),
                call(json!({"index": 0, "function": {"arguments": first}})),
                call(json!({"index": 0, "function": {"arguments": second}})),
                call(json!({"index": 1, "id": "b", "function": {"name": "list", "arguments": "{}"}})),
                json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
                json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4,
                       "prompt_tokens_details": {"cached_tokens": 5}}}),
            ]
        }
        Dialect::OpenaiResponses => {
            let added = |index: u64, item: Value| json!({"type": "response.output_item.added", "output_index": index, "item": item});
            let done = |index: u64, item: Value| json!({"type": "response.output_item.done", "output_index": index, "item": item});
            let thought = json!({"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "hm"}],
                                 "encrypted_content": "SEALED", "status": null});
            let content = json!([{"type": "output_text", "text": "é ok", "annotations": []}]);
            let message =
                json!({"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content});
            let call = |id: &str, name: &str, arguments: &str| {
                json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name,
                       "arguments": arguments, "status": "completed"})
            };
            let output = json!([thought, message, call("a", "shell", &arguments), call("b", "list", "{}")]);
            vec![
                json!({"type": "response.created", "response": {"status": "in_progress", "output": [], "usage": null, "error": null}}),
                added(0, json!({"type": "reasoning", "id": "rs", "summary": []})),
                json!({"type": "response.reasoning_summary_part.added", "output_index": 0, "summary_index": 0}),
                json!({"type": "response.reasoning_summary_text.delta", "output_index": 0, "item_id": "rs", "delta": "hm"}),
                done(0, output[0].clone()),
                added(1, json!({"type": "message", "id": "m", "role": "assistant", "content": []})),
                json!({"type": "response.output_text.delta", "output_index": 1, "item_id": "m", "delta": "é "}),
                json!({"type": "response.output_text.delta", "output_index": 1, "item_id": "m", "delta": "ok"}),
                done(1, output[1].clone()),
                added(2, call("a", "shell", "")),
                json!({"type": "response.function_call_arguments.delta", "output_index": 2, "item_id": "fc_a", "delta": first}),
                json!({"type": "response.function_call_arguments.delta", "output_index": 2, "item_id": "fc_a", "delta": second}),
                json!({"type": "response.function_call_arguments.done", "output_index": 2, "item_id": "fc_a", "arguments": arguments}),
                done(2, output[2].clone()),
                added(3, call("b", "list", "")),
                done(3, output[3].clone()),
                json!({"type": "response.completed", "response": {"status": "completed", "output": output, "error": null,
                       "incomplete_details": null,
                       "usage": {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 5}, "output_tokens": 4}}}),
            ]
        }
        Dialect::Anthropic => {
            let start = |index: u64, block: Value| json!({"type": "content_block_start", "index": index, "content_block": block});
            let delta =
                |index: u64, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
            let stop = |index: u64| json!({"type": "content_block_stop", "index": index});
            vec![
                json!({"type": "message_start", "message": {"type": "message", "role": "assistant", "content": [],
                       "usage": {"input_tokens": 3, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 1, "output_tokens": 1}}}),
                start(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
                json!({"type": "ping"}),
                delta(0, json!({"type": "thinking_delta", "thinking": "h"})),
                delta(0, json!({"type": "thinking_delta", "thinking": "m"})),
                delta(0, json!({"type": "signature_delta", "signature": "SEALED"})),
                stop(0),
                start(1, json!({"type": "text", "text": ""})),
                delta(1, json!({"type": "text_delta", "text": "é "})),
                delta(1, json!({"type": "text_delta", "text": "ok"})),
                stop(1),
                start(2, json!({"type": "tool_use", "id": "a", "name": "shell", "input": {}})),
                delta(2, json!({"type": "input_json_delta", "partial_json": ""})),
                delta(2, json!({"type": "input_json_delta", "partial_json": first})),
                delta(2, json!({"type": "input_json_delta", "partial_json": second})),
                stop(2),
                start(3, json!({"type": "tool_use", "id": "b", "name": "list", "input": {}})),
                stop(3),
                json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 4}}),
                json!({"type": "message_stop"}),
            ]
        }
        Dialect::Gemini => {
            let chunk = |parts: Value, tokens: u64| {
                json!({"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0}],
                       "usageMetadata": {"promptTokenCount": 9, "cachedContentTokenCount": 5, "candidatesTokenCount": tokens}})
            };
            vec![
                chunk(json!([{"text": "hm", "thought": true}]), 1),
                chunk(json!([{"text": "é "}]), 2),
                chunk(json!([{"text": "ok"}]), 3),
                chunk(
                    json!([{"functionCall": {"id": "a", "name": "shell", "args": {"command": command}}, "thoughtSignature": "SEALED"},
                           {"functionCall": {"name": "list", "args": {}}}]),
                    4,
                ),
                json!({"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": "STOP"}],
                       "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 4}}),
            ]
        }
    }
}

fn check(answer: &StepAnswer, command: &str) {
    assert_eq!((answer.text.as_str(), answer.reasoning.text.as_str(), answer.stop), ("é ok", "hm", Stop::Ended));
    assert_eq!(calls(answer), [("shell", json!({"command": command})), ("list", json!({}))]);
    // Only one dialect tells what was written into the cache.
    let usage = Usage { cache_write: 0, ..answer.usage.unwrap_or_default() };
    assert_eq!(usage, Usage { input: 9, cached: 5, output: 4, ..Usage::default() });
    assert_eq!(answer.calls[0].model_id, "a");
}

/// Replaces the value that is reached by going into the so-manieth field or item again and again.
fn replace(value: &mut Value, path: &[usize], with: Value) {
    let inner = path.split_first().and_then(|(step, rest)| {
        let inner = match &mut *value {
            Value::Object(fields) => {
                let at = step % fields.len().max(1);
                fields.values_mut().nth(at)
            }
            Value::Array(list) => {
                let at = step % list.len().max(1);
                list.get_mut(at)
            }
            _ => None,
        };
        inner.map(|inner| (inner, rest))
    });
    if let Some((inner, rest)) = inner {
        return replace(inner, rest, with);
    }
    *value = with;
}

fn dialect() -> impl Strategy<Value = Dialect> {
    proptest::sample::select(Dialect::ALL.to_vec())
}

#[test]
fn every_split_of_every_dialect_gives_the_same() {
    for dialect in Dialect::ALL {
        for eol in ["\n", "\r\n", "\r"] {
            let stream = format!(": hello{eol}{eol}{}", sse(&usual(dialect, "ls \"ü\"\n", 9), eol));
            let bytes = stream.as_bytes();
            let whole = read_pieces(dialect, [bytes]).unwrap();
            let StreamEnd::Answer(answer) = &whole.1 else { panic!("{dialect:?}: {whole:?}") };
            check(answer, "ls \"ü\"\n");
            let words: String = whole
                .0
                .iter()
                .map(|delta| match delta {
                    Delta::Text(text) => text.clone(),
                    Delta::Reasoning(text) => format!("<{text}>"),
                    Delta::Usage(_) => String::new(),
                })
                .collect();
            assert_eq!(words.replace("><", ""), "<hm>é ok", "{dialect:?}");
            assert_eq!(read_pieces(dialect, bytes.chunks(1)).unwrap(), whole, "{dialect:?} byte by byte");
            // Every line end is cut byte by byte above; every place once is enough.
            for at in (0..=bytes.len()).filter(|_| eol == "\r\n") {
                assert_eq!(read_pieces(dialect, [&bytes[..at], &bytes[at..]]).unwrap(), whole, "{dialect:?} at {at}");
            }
        }
    }
}

#[test]
fn a_stream_that_breaks_anywhere_has_no_calls() {
    for dialect in Dialect::ALL {
        let stream = sse(&usual(dialect, "ls", 5), "\n");
        let end = match dialect {
            Dialect::OpenaiChat => stream.find("\"tool_calls\"}]").unwrap(),
            Dialect::OpenaiResponses => stream.find("data: {\"type\":\"response.completed\"").unwrap(),
            Dialect::Anthropic => stream.find("data: {\"type\":\"message_delta\"").unwrap(),
            Dialect::Gemini => stream.find("\"STOP\"").unwrap(),
        };
        for at in 0..end {
            match read_pieces(dialect, [&stream.as_bytes()[..at]]) {
                Ok((_, StreamEnd::Answer(answer))) => panic!("{dialect:?} cut at {at}: {answer:?}"),
                Ok(_) | Err(StreamFault::NotJson(_)) => {}
                Err(fault) => panic!("{dialect:?} cut at {at}: {fault:?}"),
            }
        }
    }
}

#[test]
fn an_error_within_a_stream_is_told_in_every_dialect() {
    for dialect in Dialect::ALL {
        let error = |stream: String| read_pieces(dialect, [stream.as_bytes()]).unwrap_err();
        let server = |message: &str, passing| StreamFault::Server { message: message.into(), passing };
        for (data, expected) in [
            (json!({"error": {"message": "bad key", "code": 401}}), server("bad key", false)),
            (json!({"error": "gone"}), server("gone", false)),
            (json!({"error": {"message": "busy", "type": "overloaded_error"}}), server("busy", true)),
            (json!({"type": "error", "error": {"message": "busy", "type": "overloaded_error"}}), server("busy", true)),
            (json!({"error": {"code": 503, "status": "UNAVAILABLE", "message": "busy"}}), server("busy", true)),
            (json!({"object": "error", "message": "no", "code": 400}), server("no", false)),
            (json!({"detail": "no"}), server("no", false)),
        ] {
            assert_eq!(error(format!("data: {data}\n\n")), expected, "{dialect:?}");
            // Also as the whole body, on one line or on many.
            assert_eq!(error(data.to_string()), expected, "{dialect:?}");
            assert_eq!(error(serde_json::to_string_pretty(&data).unwrap()), expected, "{dialect:?}");
        }
        assert_eq!(error("event: error\ndata: it broke\n\n".into()), server("it broke", false));
        assert!(matches!(error("data: <html>\n\n".into()), StreamFault::NotJson(_)));
        assert!(matches!(error("data: 1\n\n".into()), StreamFault::NotJson(_)));
    }
}

#[test]
fn what_is_no_stream_is_told_as_what_it_is() {
    for dialect in Dialect::ALL {
        let end = |body: &str| read_pieces(dialect, [body.as_bytes()]).unwrap().1;
        for body in ["<html>Welcome</html>", "hello", "{}", "[]", "{\"choices\": []}", "null"] {
            assert_eq!(end(body), StreamEnd::Foreign(body.into()), "{dialect:?}");
        }
        for body in ["", "\n\n", ": keep-alive\n\n: keep-alive\n\n"] {
            assert_eq!(end(body), StreamEnd::Empty, "{dialect:?}");
        }
        assert_eq!(end("data: {\"choices\": null}\n\n"), StreamEnd::Cut, "{dialect:?}");
        // A body without end that never becomes an event is given up.
        let piece = vec![b'x'; 1024 * 1024];
        assert_eq!(read_pieces(dialect, std::iter::repeat_n(&piece[..], 20)), Err(StreamFault::TooLarge));
    }
}

#[test]
fn an_answer_in_one_document_is_an_answer() {
    let function = json!({"name": "list", "arguments": "{}"});
    let documents = [
        (
            Dialect::OpenaiChat,
            json!({"choices": [{"message": {"content": "hi", "tool_calls": [{"id": "a", "function": function}]}, "finish_reason": "tool_calls"}]}),
        ),
        (
            Dialect::OpenaiResponses,
            json!({"object": "response", "status": "completed", "output": [
                {"type": "message", "content": [{"type": "output_text", "text": "hi"}]},
                {"type": "function_call", "call_id": "a", "name": "list", "arguments": "{}"}]}),
        ),
        (
            Dialect::Anthropic,
            json!({"type": "message", "content": [{"type": "text", "text": "hi"}, {"type": "tool_use", "id": "a", "name": "list", "input": {}}],
                   "stop_reason": "tool_use"}),
        ),
        (
            Dialect::Gemini,
            json!([{"candidates": [{"content": {"parts": [{"text": "hi"}]}}]},
                   {"candidates": [{"content": {"parts": [{"functionCall": {"id": "a", "name": "list"}}]}, "finishReason": "STOP"}]}]),
        ),
    ];
    for (dialect, document) in documents {
        for body in [document.to_string(), serde_json::to_string_pretty(&document).unwrap()] {
            let (shown, end) = read_pieces(dialect, [body.as_bytes()]).unwrap();
            let StreamEnd::Answer(answer) = end else { panic!("{dialect:?}: {end:?}") };
            assert_eq!((answer.text.as_str(), calls(&answer)), ("hi", vec![("list", json!({}))]), "{dialect:?}");
            assert_eq!(shown, [Delta::Text("hi".into())]);
        }
    }
}

#[test]
fn addresses_are_built_as_people_write_them() {
    let url = |dialect, base: &str| answer_url(dialect, &Url::parse(base).unwrap(), "models/m-1").to_string();
    assert_eq!(url(Dialect::OpenaiChat, "http://h/v1/"), "http://h/v1/chat/completions");
    assert_eq!(url(Dialect::OpenaiResponses, "http://h/v1"), "http://h/v1/responses");
    for base in ["http://h", "http://h/", "http://h/v1"] {
        assert_eq!(url(Dialect::Anthropic, base), "http://h/v1/messages");
    }
    assert_eq!(url(Dialect::Anthropic, "http://h/anthropic"), "http://h/anthropic/v1/messages");
    let gemini = "http://h/v1beta/models/m-1:streamGenerateContent?alt=sse";
    assert_eq!(
        (url(Dialect::Gemini, "http://h"), url(Dialect::Gemini, "http://h/v1beta")),
        (gemini.into(), gemini.into())
    );
    assert_eq!(
        url(Dialect::OpenaiChat, "http://h/openai/deployments/d?api-version=1"),
        "http://h/openai/deployments/d/chat/completions?api-version=1"
    );
    assert_eq!(
        url(Dialect::Gemini, "http://h/v1/projects/p/locations/l/publishers/google"),
        "http://h/v1/projects/p/locations/l/publishers/google/models/m-1:streamGenerateContent?alt=sse"
    );
}

#[test]
fn lists_of_models_are_read_in_every_dialect() {
    let names = |document: Value| model_names(&document);
    assert_eq!(names(json!({"data": [{"id": "a"}, {"id": "b"}]})).unwrap(), ["a", "b"]);
    let gemini = json!({"models": [{"name": "models/a", "supportedGenerationMethods": ["generateContent"]},
                                   {"name": "models/e", "supportedGenerationMethods": ["embedContent"]}]});
    assert_eq!(names(gemini).unwrap(), ["a"]);
    assert_eq!(names(json!({"x": 1})), None);
}

proptest! {
    /// However arguments are cut into deltas and bytes into pieces, the answer is the same.
    #[test]
    fn cuts_do_not_matter(dialect in dialect(), command in "\\PC{0,40}", cut in 0usize..60, piece in 1usize..50, crlf: bool) {
        let stream = sse(&usual(dialect, &command, cut), if crlf { "\r\n" } else { "\n" });
        let (_, end) = read_pieces(dialect, stream.as_bytes().chunks(piece)).unwrap();
        let StreamEnd::Answer(answer) = end else { panic!("{end:?}") };
        check(&answer, &command);
    }

    /// Events that are lost, doubled or in another order never make the reader panic.
    #[test]
    fn a_shuffled_stream_is_only_odd(dialect in dialect(), order in proptest::collection::vec(0usize..20, 0..40)) {
        let events = usual(dialect, "ls", 3);
        let picked: Vec<Value> = order.into_iter().filter_map(|at| events.get(at).cloned()).collect();
        let _ = read(dialect, &picked);
    }

    /// Nor do bytes that are no events, nor events of other shapes.
    #[test]
    fn garbage_is_only_an_error(dialect in dialect(), text in "\\PC{0,200}", bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_pieces(dialect, [text.as_bytes()]);
        let _ = read_pieces(dialect, [format!("data: {text}\n\n").as_bytes()]);
        let _ = read_pieces(dialect, [&bytes[..]]);
    }

    /// Nor do fields of the wrong kind anywhere.
    #[test]
    fn wrong_kinds_are_only_odd(dialect in dialect(), which in 0usize..20, path in proptest::collection::vec(0usize..6, 1..6), kind in 0u8..6) {
        let mut events = usual(dialect, "ls", 3);
        if let Some(event) = events.get_mut(which) {
            let wrong = match kind {
                0 => Value::Null,
                1 => json!(7),
                2 => json!("x"),
                3 => json!([1, null]),
                4 => json!({"type": "thinking", "text": 3}),
                _ => json!(true),
            };
            replace(event, &path, wrong);
        }
        let _ = read(dialect, &events);
    }
}
