//! What text weighs in tokens, without any model's own table: an estimate that the server's count later corrects.

use serde_json::Value;

use crate::agent::transcript::Message;
use crate::agent::wire::Tool;

/// Quarters of a token that a character weighs: English prose has about four letters a token, code more signs, other
/// alphabets about two letters, and scripts without blanks about one.
const fn quarters(c: char) -> u64 {
    match c {
        'a'..='z' | 'A'..='Z' | ' ' => 1,
        '0'..='9' | '\n' | '\t' => 2,
        '\0'..='\u{7f}' => 2,
        '\u{80}'..='\u{2e7f}' => 2,
        _ => 4,
    }
}

/// Of a message, beside its text: its role and its ends.
const MESSAGE: u64 = 4;
/// Of a call or a tool, beside its text.
const CALL: u64 = 8;
/// Of a picture: what servers charge for one of a screen's size.
const PICTURE: u64 = 1_500;

/// What a text weighs.
pub(super) fn text(text: &str) -> u64 {
    text.chars().map(quarters).sum::<u64>().div_ceil(4)
}

fn value(value: &Value) -> u64 {
    text(&value.to_string())
}

/// What a message weighs.
pub(super) fn message(message: &Message) -> u64 {
    let pictures = |count: usize| PICTURE * count as u64;
    MESSAGE
        + match message {
            Message::User { text: words, images } => text(words) + pictures(images.len()),
            Message::Assistant { text: words, calls, reasoning } => {
                let calls: u64 = calls.iter().map(|call| CALL + text(&call.tool) + value(&call.arguments)).sum();
                // What a server wants back of its thoughts; their readable text stays here.
                text(words) + calls + reasoning.parts.iter().map(value).sum::<u64>()
            }
            Message::Tool { text: words, images, .. } => text(words) + pictures(images.len()),
        }
}

/// What the definitions of tools weigh.
pub(super) fn tools(tools: &[Tool]) -> u64 {
    tools.iter().map(|(name, words, schema)| CALL + text(name) + text(words) + value(schema)).sum()
}
