//! Responses streams as odd servers send them.

use serde_json::{Value, json};

use crate::agent::wire::tests::{answer, calls, read, usual};
use crate::agent::wire::{Stop, StreamFault};
use crate::config::Dialect;

const R: Dialect = Dialect::OpenaiResponses;

fn completed(output: Value) -> Value {
    json!({"type": "response.completed", "response": {"status": "completed", "output": output}})
}

fn message(text: &str) -> Value {
    json!({"type": "message", "id": "m", "content": [{"type": "output_text", "text": text}]})
}

#[test]
fn sealed_thoughts_keep_their_place_without_what_nobody_wants_back() {
    let parts = json!(answer(R, &usual(R, "ls", 4)).reasoning.parts);
    let summary = json!([{"type": "summary_text", "text": "hm"}]);
    let sealed = json!({"type": "reasoning", "summary": summary, "encrypted_content": "SEALED"});
    assert_eq!(parts[0], json!({"kept": sealed}));
    assert_eq!((parts.as_array().unwrap().len(), &parts[2]), (4, &json!({"call": {}})));
}

#[test]
fn one_of_deltas_items_and_the_whole_is_enough() {
    let call =
        json!({"type": "function_call", "id": "f", "call_id": "c", "name": "list", "arguments": "{\"path\":\"x\"}"});
    let done =
        |index: u64, item: Value| json!({"type": "response.output_item.done", "output_index": index, "item": item});
    let only_whole = answer(R, &[completed(json!([message("hi"), call]))]);
    let only_items = answer(R, &[done(0, message("hi")), done(1, call.clone()), completed(json!([]))]);
    let only_deltas = answer(
        R,
        &[
            json!({"type": "response.output_text.delta", "output_index": 0, "delta": "hi"}),
            json!({"type": "response.output_item.added", "output_index": 1, "item": {"type": "function_call", "call_id": "c", "name": "list", "arguments": ""}}),
            json!({"type": "response.function_call_arguments.delta", "output_index": 1, "delta": "{\"path\":\"x\"}"}),
            completed(json!([])),
        ],
    );
    // Ids that change from event to event, as some servers make them up; and the whole says it all again.
    let doubled = answer(
        R,
        &[
            json!({"type": "response.output_item.added", "output_index": 0, "item": {"type": "message", "id": "1"}}),
            json!({"type": "response.output_text.delta", "output_index": 0, "item_id": "2", "delta": "h"}),
            json!({"type": "response.output_text.delta", "output_index": 0, "item_id": "3", "delta": "i"}),
            done(0, message("hi")),
            done(1, call.clone()),
            completed(json!([message("hi"), call])),
        ],
    );
    for answer in [only_whole, only_items, only_deltas, doubled] {
        assert_eq!((answer.text.as_str(), calls(&answer)), ("hi", vec![("list", json!({"path": "x"}))]));
        assert_eq!(answer.calls[0].model_id, "c");
    }
}

#[test]
fn an_answer_that_did_not_end_well_is_told_apart() {
    let ended = |status: &str, more: Value| {
        let mut response = json!({"status": status, "output": [message("hi")]});
        response.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"type": format!("response.{status}"), "response": response})
    };
    let why = |reason: &str| json!({"incomplete_details": {"reason": reason}});
    assert_eq!(answer(R, &[ended("incomplete", why("max_output_tokens"))]).stop, Stop::Length);
    assert_eq!(answer(R, &[ended("incomplete", why("content_filter"))]).stop, Stop::Filter);
    let failed = ended("failed", json!({"error": {"code": "server_error", "message": "busy"}}));
    assert_eq!(read(R, &[failed]), Err(StreamFault::Server { message: "busy".into(), passing: true }));
    let failed = ended("failed", json!({"error": {"code": "invalid_prompt", "message": "no"}}));
    assert_eq!(read(R, &[failed]), Err(StreamFault::Server { message: "no".into(), passing: false }));
}

#[test]
fn open_thoughts_of_local_servers_are_shown_and_sent_back() {
    let thought = json!({"type": "reasoning", "id": "rs_1", "summary": [], "content": [{"type": "reasoning_text", "text": "hm"}]});
    let answer = answer(R, &[completed(json!([thought, message("hi")]))]);
    assert_eq!(answer.reasoning.text, "hm");
    assert_eq!(json!(answer.reasoning.parts)[0], json!({"kept": thought}));
}
