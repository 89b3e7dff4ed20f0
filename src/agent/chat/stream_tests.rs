//! Streams as odd servers send them.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::stream::{AnswerReader, StreamFault};
use super::{StepAnswer, Stop};
use crate::agent::sse::SseDecoder;
use crate::domain::Usage;

fn read(events: &[Value]) -> Option<StepAnswer> {
    let mut reader = AnswerReader::default();
    for event in events {
        reader.event(&event.to_string()).unwrap();
    }
    reader.finish()
}

fn delta(delta: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta}]})
}

fn calls(deltas: Value) -> Value {
    delta(json!({"tool_calls": deltas}))
}

fn end(reason: &str) -> Value {
    json!({"choices": [{"delta": {}, "finish_reason": reason}]})
}

fn tools(answer: &StepAnswer) -> Vec<(String, Value)> {
    answer.calls.iter().map(|call| (call.tool.clone(), call.arguments.clone())).collect()
}

#[test]
fn calls_are_merged_by_index_also_interleaved() {
    let answer = read(&[
        calls(json!([{"index": 0, "id": "a", "function": {"name": "read", "arguments": ""}}])),
        calls(json!([{"index": 1, "id": "b", "function": {"name": "list", "arguments": "{"}}])),
        calls(json!([{"index": 0, "function": {"arguments": "{\"path\":"}}, {"index": 1, "function": {"arguments": "}"}}])),
        calls(json!([{"index": 0, "function": {"name": "read", "arguments": "\"x\"}"}}])),
        end("tool_calls"),
    ])
    .unwrap();
    assert_eq!(tools(&answer), [("read".into(), json!({"path": "x"})), ("list".into(), json!({}))]);
    assert_eq!(answer.calls[1].model_id, "b");
}

#[test]
fn a_missing_index_and_whole_calls_are_understood() {
    let answer = read(&[
        calls(json!([{"id": "a", "function": {"name": "read", "arguments": "{\"path\":"}}])),
        calls(json!([{"function": {"arguments": "\"x\"}"}}])),
        calls(json!([{"function": {"name": "read", "arguments": {"path": "y"}}}])),
        calls(json!([{"id": "c", "function": {"name": "glob", "arguments": "\"{\\\"pattern\\\":\\\"*\\\"}\""}}])),
        end("stop"),
    ])
    .unwrap();
    let expected: Vec<(String, Value)> = vec![
        ("read".into(), json!({"path": "x"})),
        ("read".into(), json!({"path": "y"})),
        ("glob".into(), json!({"pattern": "*"})),
    ];
    assert_eq!(tools(&answer), expected);
}

#[test]
fn index_zero_for_every_call_still_gives_two_calls() {
    let answer = read(&[
        calls(json!([{"index": 0, "id": "a", "function": {"name": "list", "arguments": "{}"}}])),
        calls(json!([{"index": 0, "id": "b", "function": {"name": "read", "arguments": "{\"pa"}}])),
        calls(json!([{"index": 0, "function": {"arguments": "th\":\"x\"}"}}])),
        end("tool_calls"),
    ])
    .unwrap();
    assert_eq!(tools(&answer), [("list".into(), json!({})), ("read".into(), json!({"path": "x"}))]);
}

#[test]
fn a_stream_without_an_end_is_no_answer() {
    let piece =
        calls(json!([{"index": 0, "id": "a", "function": {"name": "shell", "arguments": "{\"command\":\"rm\"}"}}]));
    assert_eq!(read(std::slice::from_ref(&piece)), None);
    let cut = read(&[piece, end("length")]).unwrap();
    assert_eq!((cut.calls.len(), cut.stop), (0, Stop::Length));
}

#[test]
fn done_without_a_reason_and_a_reason_without_done_are_both_ends() {
    assert!(read(&[delta(json!({"content": "x"})), end("stop")]).is_some());
    let mut reader = AnswerReader::default();
    reader.event(&delta(json!({"content": "x"})).to_string()).unwrap();
    reader.event(" [DONE] ").unwrap();
    assert_eq!(reader.finish().unwrap().text, "x");
}

#[test]
fn null_content_empty_choices_and_reasoning_are_not_shown() {
    let answer = read(&[
        delta(json!({"role": "assistant", "content": null, "tool_calls": null})),
        json!({"choices": []}),
        json!({"choices": null, "usage": null}),
        delta(json!({"reasoning_content": "hm", "content": ""})),
        delta(json!({"reasoning": " so"})),
        delta(json!({"content": [{"type": "text", "text": "hi"}]})),
        end("stop"),
        json!({"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}),
        json!({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 4}}}),
    ])
    .unwrap();
    assert_eq!((answer.text.as_str(), answer.reasoning.as_str()), ("hi", "hm so"));
    assert_eq!(answer.usage, Some(Usage { input: 5, cached: 4, output: 3 }));
}

#[test]
fn errors_within_a_stream_are_told() {
    let mut reader = AnswerReader::default();
    let fault = reader.event(r#"{"error":{"message":"bad key","code":401}}"#).unwrap_err();
    assert_eq!(fault, StreamFault::Server { message: "bad key".into(), passing: false });
    let fault = reader.event(r#"{"error":{"message":"busy","type":"overloaded_error"}}"#).unwrap_err();
    assert_eq!(fault, StreamFault::Server { message: "busy".into(), passing: true });
    assert!(matches!(reader.event("<html>"), Err(StreamFault::NotJson(_))));
    assert!(matches!(reader.event("[1]"), Err(StreamFault::NotJson(_))));
}

#[test]
fn broken_arguments_stay_as_text() {
    let answer = read(&[
        calls(json!([{"index": 0, "function": {"name": "read", "arguments": "{\"path\""}}])),
        end("tool_calls"),
    ])
    .unwrap();
    assert_eq!(answer.calls[0].arguments, json!("{\"path\""));
}

#[test]
fn lines_without_blank_ones_between_are_events_of_their_own() {
    let mut decoder = SseDecoder::default();
    let mut reader = AnswerReader::default();
    let stream =
        format!("data: {}\ndata: {}\ndata: [DONE]\n\n", delta(json!({"content": "a"})), delta(json!({"content": "b"})));
    for event in decoder.push(stream.as_bytes()).unwrap() {
        reader.event(&event).unwrap();
    }
    assert_eq!(reader.finish().unwrap().text, "ab");
}

proptest! {
    /// However the arguments are cut into deltas and the bytes into pieces, the call is the same.
    #[test]
    fn cuts_do_not_matter(command in "\\PC{0,40}", cut in 0usize..60, piece in 1usize..50, crlf: bool) {
        let text = json!({"command": command}).to_string();
        let mut at = cut.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let events = [
            delta(json!({"content": "é"})),
            calls(json!([{"index": 0, "id": "a", "function": {"name": "shell", "arguments": &text[..at]}}])),
            calls(json!([{"index": 0, "function": {"arguments": &text[at..]}}])),
            end("tool_calls"),
        ];
        let eol = if crlf { "\r\n" } else { "\n" };
        let stream = events.iter().fold(String::new(), |stream, event| format!("{stream}data: {event}{eol}{eol}"));
        let (mut decoder, mut reader) = (SseDecoder::default(), AnswerReader::default());
        for bytes in stream.as_bytes().chunks(piece) {
            for event in decoder.push(bytes).unwrap() {
                reader.event(&event).unwrap();
            }
        }
        let answer = reader.finish().unwrap();
        prop_assert_eq!(answer.text.as_str(), "é");
        prop_assert_eq!(tools(&answer), [("shell".to_owned(), json!({"command": command}))]);
    }

    /// No bytes make the reader panic.
    #[test]
    fn garbage_is_only_an_error(text in "\\PC{0,200}") {
        let _ = AnswerReader::default().event(&text);
    }
}
