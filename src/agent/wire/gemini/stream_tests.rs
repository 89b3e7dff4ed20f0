//! generateContent streams as odd servers send them.

use serde_json::{Value, json};

use crate::agent::wire::tests::{answer, calls, read, usual};
use crate::agent::wire::{Stop, StreamFault};
use crate::config::Dialect;
use crate::domain::Usage;

const G: Dialect = Dialect::Gemini;

fn chunk(parts: Value) -> Value {
    json!({"candidates": [{"content": {"parts": parts}}]})
}

fn end(reason: &str) -> Value {
    json!({"candidates": [{"finishReason": reason}]})
}

#[test]
fn a_seal_stays_with_exactly_its_part() {
    let parts = json!(answer(G, &usual(G, "ls", 4)).reasoning.parts);
    assert_eq!(
        parts,
        json!([{"text": {"bytes": 5}}, {"call": {"extra": {"thoughtSignature": "SEALED"}}}, {"call": {}}])
    );
    let sealed = answer(
        G,
        &[
            chunk(json!([{"text": "a"}])),
            chunk(json!([{"text": "b", "thoughtSignature": "S"}])),
            chunk(json!([{"text": "c"}])),
            chunk(json!([{"text": "", "thoughtSignature": "T"}])),
            end("STOP"),
        ],
    );
    assert_eq!(sealed.text, "abc");
    assert_eq!(sealed.reasoning.parts.len(), 4, "{:?}", sealed.reasoning.parts);
}

#[test]
fn calls_without_arguments_ids_or_with_text_for_arguments_are_understood() {
    let answer = answer(
        G,
        &[
            chunk(json!([{"functionCall": {"name": "list"}}, {"functionCall": {"name": "list", "args": null}}])),
            chunk(json!([{"functionCall": {"name": "read", "args": "{\"path\":\"x\"}"}}])),
            end("STOP"),
        ],
    );
    assert_eq!(calls(&answer), [("list", json!({})), ("list", json!({})), ("read", json!({"path": "x"}))]);
}

#[test]
fn reasons_to_stop_are_told_apart() {
    let call = || chunk(json!([{"functionCall": {"name": "list", "args": {}}}]));
    for (reason, stop) in [("MAX_TOKENS", Stop::Length), ("SAFETY", Stop::Filter), ("RECITATION", Stop::Filter)] {
        let answer = answer(G, &[call(), end(reason)]);
        assert_eq!((answer.stop, answer.calls.len()), (stop, 0));
    }
    let blocked = answer(G, &[json!({"promptFeedback": {"blockReason": "SAFETY"}})]);
    assert_eq!(blocked.stop, Stop::Filter);
    let stumbled = read(G, &[end("MALFORMED_FUNCTION_CALL")]).unwrap_err();
    assert!(matches!(stumbled, StreamFault::Server { passing: true, .. }));
}

#[test]
fn thoughts_count_as_output_and_a_wrapped_chunk_is_unwrapped() {
    let usage = json!({"promptTokenCount": 9, "candidatesTokenCount": 2, "thoughtsTokenCount": 30});
    let wrapped = json!({"response": {"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "STOP"}], "usageMetadata": usage}});
    let answer = answer(G, &[wrapped]);
    assert_eq!(
        (answer.text.as_str(), answer.usage),
        ("x", Some(Usage { input: 9, output: 32, reasoning: 30, ..Usage::default() }))
    );
}
