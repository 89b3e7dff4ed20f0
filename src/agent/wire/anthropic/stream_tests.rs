//! Messages streams as odd servers send them.

use serde_json::{Value, json};

use crate::agent::wire::Stop;
use crate::agent::wire::tests::{answer, calls, read, usual};
use crate::config::Dialect;
use crate::domain::Usage;

const A: Dialect = Dialect::Anthropic;

fn delta(index: u64, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn start(index: u64, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn end(reason: &str) -> Value {
    json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"input_tokens": 7, "output_tokens": 2}})
}

#[test]
fn thoughts_keep_their_seal_and_place() {
    let parts = json!(answer(A, &usual(A, "ls", 4)).reasoning.parts);
    assert_eq!(parts[0], json!({"kept": {"type": "thinking", "thinking": "hm", "signature": "SEALED"}}));
    assert_eq!((&parts[1], &parts[2]), (&json!({"text": {"bytes": 5}}), &json!({"call": {}})));
    let sealed = answer(A, &[start(0, json!({"type": "redacted_thinking", "data": "x"})), end("end_turn")]);
    assert_eq!(json!(sealed.reasoning.parts), json!([{"kept": {"type": "redacted_thinking", "data": "x"}}]));
    assert_eq!(sealed.reasoning.text, "");
}

#[test]
fn imitations_may_leave_out_begins_indexes_and_ends() {
    let odd = answer(
        A,
        &[
            delta(0, json!({"type": "thinking_delta", "thinking": "hm"})),
            delta(0, json!({"type": "text_delta", "text": "a"})),
            json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "b"}}),
            start(0, json!({"type": "tool_use", "id": "t1", "name": "list", "input": {"path": "x"}})),
            start(0, json!({"type": "tool_use", "id": "t2", "name": "read", "input": {}})),
            delta(0, json!({"type": "input_json_delta", "partial_json": "{\"path\":\"y\"}"})),
            end("tool_use"),
        ],
    );
    assert_eq!((odd.text.as_str(), odd.reasoning.text.as_str()), ("ab", "hm"));
    assert_eq!(calls(&odd), [("list", json!({"path": "x"})), ("read", json!({"path": "y"}))]);
    assert_eq!(odd.usage, Some(Usage { input: 7, output: 2, ..Usage::default() }));
}

#[test]
fn reasons_to_stop_are_told_apart() {
    for (reason, stop) in [
        ("end_turn", Stop::Ended),
        ("pause_turn", Stop::Ended),
        ("stop_sequence", Stop::Ended),
        ("max_tokens", Stop::Length),
        ("model_context_window_exceeded", Stop::Length),
        ("refusal", Stop::Filter),
    ] {
        let call = start(0, json!({"type": "tool_use", "id": "t", "name": "list", "input": {"path": "x"}}));
        let answer = answer(A, &[call, end(reason)]);
        assert_eq!((answer.stop, answer.calls.len()), (stop, usize::from(stop == Stop::Ended)), "{reason}");
    }
}

#[test]
fn an_unknown_block_goes_back_as_it_is() {
    let block = json!({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}});
    let answer = answer(A, &[start(0, block.clone()), end("end_turn")]);
    assert_eq!(json!(answer.reasoning.parts), json!([{"kept": block}]));
    assert!(read(A, &[start(0, json!("odd")), delta(0, json!({"type": "signature_delta", "signature": "x"}))]).is_ok());
}
