//! Streams as odd servers send them.

use serde_json::{Value, json};

use crate::agent::wire::tests::{answer as read_as, calls as tools_of, read as read_all, read_pieces};
use crate::agent::wire::{Delta, StepAnswer, Stop, StreamEnd, StreamFault};
use crate::config::Dialect;
use crate::domain::Usage;

fn read(events: &[Value]) -> StepAnswer {
    read_as(Dialect::OpenaiChat, events)
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
    tools_of(answer).into_iter().map(|(tool, arguments)| (tool.to_owned(), arguments)).collect()
}

#[test]
fn calls_are_merged_by_index_also_interleaved() {
    let answer = read(&[
        calls(json!([{"index": 0, "id": "a", "function": {"name": "read", "arguments": ""}}])),
        calls(json!([{"index": 1, "id": "b", "function": {"name": "list", "arguments": "{"}}])),
        calls(
            json!([{"index": 0, "function": {"arguments": "{\"path\":"}}, {"index": 1, "function": {"arguments": "}"}}]),
        ),
        calls(json!([{"index": 0, "function": {"name": "read", "arguments": "\"x\"}"}}])),
        end("tool_calls"),
    ]);
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
    ]);
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
    ]);
    assert_eq!(tools(&answer), [("list".into(), json!({})), ("read".into(), json!({"path": "x"}))]);
}

#[test]
fn a_call_cut_by_the_token_limit_is_dropped() {
    let piece =
        calls(json!([{"index": 0, "id": "a", "function": {"name": "shell", "arguments": "{\"command\":\"rm\"}"}}]));
    assert_eq!(read_all(Dialect::OpenaiChat, std::slice::from_ref(&piece)).unwrap().1, StreamEnd::Cut);
    let cut = read(&[piece, end("length")]);
    assert_eq!((cut.calls.len(), cut.stop), (0, Stop::Length));
}

#[test]
fn done_without_a_reason_and_a_reason_without_done_are_both_ends() {
    assert_eq!(read(&[delta(json!({"content": "x"})), end("stop")]).text, "x");
    let stream = format!("data: {}\n\ndata:  [DONE] \n\n", delta(json!({"content": "x"})));
    let (_, end) = read_pieces(Dialect::OpenaiChat, [stream.as_bytes()]).unwrap();
    assert!(matches!(end, StreamEnd::Answer(answer) if answer.text == "x"));
}

#[test]
fn nothing_counts_behind_the_end_and_only_the_first_choice_does() {
    let (words, run) = (delta(json!({"content": "x"})), calls(json!([{"index": 0, "function": {"name": "shell"}}])));
    let stream = format!("data: {words}\n\ndata: [DONE]\n\ndata: {run}\n\ndata: {}\n\n", end("tool_calls"));
    let (_, end) = read_pieces(Dialect::OpenaiChat, [stream.as_bytes()]).unwrap();
    assert!(matches!(end, StreamEnd::Answer(answer) if answer.text == "x" && answer.calls.is_empty()));
    let choice = |index: u64, text: &str| json!({"index": index, "delta": {"content": text}});
    let answer = read(&[json!({"choices": [choice(1, "second"), choice(0, "first")]}), self::end("stop")]);
    assert_eq!(answer.text, "first");
}

#[test]
fn null_content_empty_choices_and_reasoning_are_not_shown() {
    let answer = read(&[
        delta(json!({"role": "assistant", "content": null, "tool_calls": null})),
        json!({"choices": [], "error": {}}),
        json!({"choices": [], "error": ""}),
        json!({"choices": null, "usage": null}),
        delta(json!({"reasoning_content": "hm", "content": ""})),
        delta(json!({"reasoning": " so"})),
        delta(json!({"content": [{"type": "text", "text": "hi"}]})),
        end("stop"),
        json!({"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}),
        json!({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 4}}}),
        json!({"choices": [], "usage": {"prompt_tokens": 99_999_999_999_u64, "completion_tokens": 1}}),
    ]);
    assert_eq!((answer.text.as_str(), answer.reasoning.text.as_str()), ("hi", "hm so"));
    assert_eq!(answer.usage, Some(Usage { input: 5, cached: 4, output: 3, ..Usage::default() }));
}

#[test]
fn broken_arguments_stay_as_text() {
    let answer = read(&[
        calls(json!([{"index": 0, "function": {"name": "read", "arguments": "{\"path\""}}])),
        end("tool_calls"),
    ]);
    assert_eq!(answer.calls[0].arguments, json!("{\"path\""));
}

#[test]
fn lines_without_blank_ones_between_and_lines_without_data_are_events_too() {
    let (first, last) = (delta(json!({"content": "a"})), end("stop"));
    for stream in [format!("data: {first}\ndata: {last}\ndata: [DONE]\n\n"), format!("{first}\n{last}\n")] {
        let (shown, end) = read_pieces(Dialect::OpenaiChat, [stream.as_bytes()]).unwrap();
        assert!(matches!(end, StreamEnd::Answer(answer) if answer.text == "a"), "{stream}");
        assert_eq!(shown, [Delta::Text("a".into())]);
    }
}

#[test]
fn usage_that_grows_repeats_or_comes_in_halves_is_counted_once() {
    let usage = |input: u64, output: u64| json!({"choices": [], "usage": {"prompt_tokens": input, "completion_tokens": output}});
    let within =
        json!({"choices": [{"delta": {"content": "x"}, "usage": {"prompt_tokens": 9, "completion_tokens": 1}}]});
    let answer = read(&[within, usage(9, 2), end("stop"), usage(9, 7), usage(9, 7), usage(0, 7)]);
    assert_eq!(answer.usage, Some(Usage { input: 9, output: 7, ..Usage::default() }));
    assert_eq!(read(&[end("stop")]).usage, None);
}

#[test]
fn a_failure_told_as_a_reason_to_stop_is_an_error() {
    let fault = read_all(Dialect::OpenaiChat, &[delta(json!({"content": "x"})), end("error")]).unwrap_err();
    assert!(matches!(fault, StreamFault::Server { passing: true, .. }));
    assert_eq!(read(&[end("content_filter")]).stop, Stop::Filter);
}

#[test]
fn refusals_old_calls_and_thoughts_among_the_parts_are_understood() {
    let answer = read(&[
        delta(json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]})),
        delta(json!({"refusal": "I cannot"})),
        delta(json!({"function_call": {"name": "list", "arguments": "{"}})),
        delta(json!({"function_call": {"arguments": "}"}})),
        end("function_call"),
    ]);
    assert_eq!((answer.text.as_str(), answer.reasoning.text.as_str()), ("I cannot", "hm"));
    assert_eq!(tools(&answer), [("list".into(), json!({}))]);
}

#[test]
fn sealed_thoughts_are_put_together_and_kept() {
    let details = |item: Value| delta(json!({"reasoning": "h", "reasoning_details": [item]}));
    let answer = read(&[
        details(json!({"type": "reasoning.text", "index": 0, "text": "a"})),
        details(json!({"type": "reasoning.text", "index": 0, "text": "b", "signature": "S"})),
        details(json!({"type": "reasoning.encrypted", "index": 1, "data": "x"})),
        calls(json!([{"index": 0, "id": "a", "function": {"name": "list", "arguments": "{}"},
                      "extra_content": {"google": {"thought_signature": "T"}}}])),
        end("tool_calls"),
    ]);
    let parts = json!(answer.reasoning.parts).to_string();
    assert!(parts.contains(r#"{"type":"reasoning.text","index":0,"text":"ab","signature":"S"}"#), "{parts}");
    assert!(parts.contains(r#""thought_signature":"T""#) && parts.contains("reasoning.encrypted"), "{parts}");
}

#[test]
fn what_the_cache_took_and_what_was_thought_is_counted_apart() {
    let usage = |more: Value| {
        let mut usage = json!({"prompt_tokens": 10_000, "completion_tokens": 50,
                               "completion_tokens_details": {"reasoning_tokens": 30}});
        usage.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        read(&[end("stop"), json!({"choices": [], "usage": usage})]).usage.unwrap()
    };
    let cached = usage(json!({"prompt_tokens_details": {"cached_tokens": 9_000, "cache_write_tokens": 500}}));
    let wanted = Usage { input: 10_000, cached: 9_000, cache_write: 500, output: 50, reasoning: 30 };
    assert_eq!(cached, wanted);
    assert_eq!(usage(json!({"total_tokens": 10_050})).output, 50);
    assert_eq!(usage(json!({"total_tokens": 10_080})).output, 80, "thoughts beside what was received");
}
