//! Errors as servers word them: within a stream, in place of an answer, or in the body of a refusal.

use std::time::Duration;

use serde_json::Value;

/// What is wrong with a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::agent) enum StreamFault {
    /// An event is no JSON object.
    NotJson(String),
    /// The server reports an error inside the stream.
    Server {
        /// Its words.
        message: String,
        /// Whether the same request may succeed later.
        passing: bool,
    },
    /// The answer is above the cap.
    TooLarge,
}

/// An error object (or text) that came in place of an answer.
pub(in crate::agent) fn fault(error: &Value) -> StreamFault {
    let text = |name: &str| error.get(name).and_then(Value::as_str);
    let message = words(error).unwrap_or_else(|| error.to_string());
    let code = error.get("code").or_else(|| error.get("status")).or_else(|| error.get("status_code"));
    let number = code.and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
    let kind = ["type", "code", "status"].map(|name| text(name).unwrap_or_default()).join(" ").to_lowercase();
    let passing = number.is_some_and(|code| matches!(code, 408 | 429 | 500..600))
        || ["overloaded", "rate_limit", "server_error", "api_error", "unavailable", "timeout", "resource_exhausted"]
            .iter()
            .any(|word| kind.contains(word));
    // Told apart from a passing refusal by this code only.
    let quota = kind.contains("insufficient_quota");
    let message = if quota { format!("{message} (insufficient_quota)") } else { message };
    StreamFault::Server { passing: passing && !quota && !too_long(&message), message }
}

/// The server's own words in an error document of any of the usual shapes.
pub(in crate::agent) fn words(document: &Value) -> Option<String> {
    let text = |value: &Value| value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    match document {
        Value::String(_) => text(document),
        Value::Array(list) => words(list.first()?),
        Value::Object(map) => {
            let inner = ["error", "message", "detail", "msg", "errors", "error_description"];
            inner.iter().filter_map(|name| map.get(*name)).find_map(words)
        }
        _ => None,
    }
}

/// The codes of an error document, on top of its words: some of them mean what the words do not say.
pub(in crate::agent) fn codes(document: &Value) -> String {
    let error = match document {
        Value::Array(list) => list.first().unwrap_or(document),
        other => other,
    };
    let error = error.get("error").unwrap_or(error);
    let of = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
    ["code", "type", "status"].map(of).join(" ")
}

/// Whether an error says that the conversation is longer than the model takes.
pub(in crate::agent) fn too_long(text: &str) -> bool {
    const SAYINGS: [&str; 17] = [
        "context_length_exceeded",
        "context length",
        "context_window_exceeded",
        "context window",
        "context size",
        "exceed_context_size",
        "prompt is too long",
        "prompt too long",
        "input is too long",
        "input length and `max_tokens` exceed",
        "maximum number of input tokens",
        "maximum number of tokens allowed",
        "reduce the length of the messages",
        "too many input tokens",
        "maximum input length",
        "max_prompt_tokens_exceeded",
        "string_above_max_length",
    ];
    let text = text.to_lowercase();
    SAYINGS.iter().any(|saying| text.contains(saying))
}

/// How long an error document asks to wait: Gemini tells it as `"retryDelay": "37s"` among its details.
pub(in crate::agent) fn asked_wait(document: &Value) -> Option<Duration> {
    let document = if let Value::Array(list) = document { list.first()? } else { document };
    let details = document.get("error")?.get("details")?.as_array()?;
    let delay = details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_are_found_in_every_shape() {
        for document in [
            json!({"error": {"message": "no"}}),
            json!({"error": "no"}),
            json!([{"error": {"code": 429, "message": "no"}}]),
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "no"}}),
            json!({"object": "error", "message": "no"}),
            json!({"detail": "no"}),
            json!({"detail": [{"loc": ["body"], "msg": "no"}]}),
            json!({"message": {"error": "no"}}),
            json!({"errors": [{"message": "no"}]}),
        ] {
            assert_eq!(words(&document).as_deref(), Some("no"), "{document}");
        }
        assert_eq!(words(&json!({"choices": []})), None);
    }

    #[test]
    fn a_conversation_that_is_too_long_is_recognised_in_the_words_of_many_servers() {
        for text in [
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens",
            "prompt is too long: 210000 tokens > 200000 maximum",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            "the request exceeds the available context size. try increasing the context size or enable context shift",
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
            "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000",
            "The decoder prompt (length 9000) is longer than the maximum model length; context_length_exceeded",
        ] {
            assert!(too_long(text), "{text}");
        }
        for text in ["rate limit reached", "max_tokens is too large", "invalid key"] {
            assert!(!too_long(text), "{text}");
        }
    }

    #[test]
    fn a_wait_in_the_details_is_read() {
        let document = json!([{"error": {"details": [{"@type": "x"}, {"retryDelay": "3.5s"}]}}]);
        assert_eq!(asked_wait(&document), Some(Duration::from_millis(3500)));
        assert_eq!(asked_wait(&json!({"error": {"details": [{"retryDelay": "soon"}]}})), None);
    }
}
