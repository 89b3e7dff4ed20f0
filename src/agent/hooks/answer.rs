//! What a hook answers: one JSON object on its standard output, or nothing.

use serde::Deserialize;

/// Bytes of a warning or a reason.
const WORDS_CAP: usize = 4 * 1024;
/// Bytes of what is told to the model.
const INJECT_CAP: usize = 16 * 1024;

/// A hook's answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Answer {
    /// Words for the person, when all goes on.
    pub warning: Option<String>,
    /// Why it does not go on.
    pub block: Option<String>,
    /// Words for the model.
    pub inject: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default)]
    decision: Decision,
    text: Option<String>,
    reason: Option<String>,
    inject: Option<String>,
}

#[derive(Deserialize, Default, PartialEq, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Decision {
    #[default]
    Allow,
    Warn,
    Block,
    Inject,
}

/// Reads an answer. Whatever is not exactly one is none: a slip in a guard must not pass for a yes.
///
/// # Errors
/// In words that follow on the hook's name.
pub(super) fn parse(bytes: &[u8]) -> Result<Answer, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "answered something that is not UTF-8 text".to_owned())?;
    if text.trim().is_empty() {
        return Ok(Answer::default());
    }
    let raw: Raw =
        serde_json::from_str(text).map_err(|error| format!("answered something that is no answer: {error}"))?;
    let full = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let words = full(&raw.text).or_else(|| full(&raw.reason)).map(|words| cut(words, WORDS_CAP));
    let inject = full(&raw.inject);
    let mut answer = Answer::default();
    match raw.decision {
        Decision::Allow => {}
        Decision::Warn => {
            answer.warning = Some(words.ok_or("answered `warn` without a `text`")?);
        }
        Decision::Block => answer.block = Some(words.unwrap_or_else(|| "it gave no reason".to_owned())),
        Decision::Inject if full(&raw.text).is_none() && inject.is_none() => {
            return Err("answered `inject` without a `text`".to_owned());
        }
        Decision::Inject => {}
    }
    answer.inject = if raw.decision == Decision::Inject { full(&raw.text).or(inject) } else { inject }
        .map(|text| cut(text, INJECT_CAP));
    Ok(answer)
}

fn cut(text: String, cap: usize) -> String {
    if text.len() <= cap {
        return text;
    }
    let end = (0..=cap).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{} … [cut]", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err()
    }

    #[test]
    fn each_answer_is_read() {
        let read = |text: &str| parse(text.as_bytes()).unwrap();
        let some = |text: &str| Some(text.to_owned());
        for nothing in ["", " \n", "{}", r#"{"decision":"allow"}"#, r#"{"decision":"allow","reason":"fine"}"#] {
            assert_eq!(read(nothing), Answer::default(), "{nothing}");
        }
        assert_eq!(read(r#"{"decision":"warn","text":"hm"}"#).warning, some("hm"));
        assert_eq!(read(r#"{"decision":"block","reason":"no"}"#).block, some("no"));
        assert_eq!(read(r#"{"decision":"block"}"#).block, some("it gave no reason"));
        assert_eq!(read(r#"{"decision":"inject","text":"know"}"#).inject, some("know"));
        let both = read(r#"{"decision":"warn","text":"hm","inject":"know"}"#);
        assert_eq!((both.warning, both.inject), (some("hm"), some("know")));
    }

    #[test]
    fn what_is_no_answer_is_a_fault() {
        for bad in [
            "ok",
            "[]",
            "null",
            "\"allow\"",
            "{\"decision\":\"allow\"} {\"decision\":\"block\"}",
            r#"{"decision":"Allow"}"#,
            r#"{"descision":"block"}"#,
            r#"{"decision":1}"#,
            r#"{"decision":"warn"}"#,
            r#"{"decision":"inject"}"#,
            r#"{"decision":"allow","decision":"block"}"#,
            "{",
        ] {
            assert!(!words(bad).is_empty(), "{bad}");
        }
        assert!(parse(b"\xff\xfe{}").is_err());
    }

    #[test]
    fn long_words_are_cut_between_characters() {
        let text = format!(r#"{{"decision":"inject","text":"{}"}}"#, "ä".repeat(INJECT_CAP));
        let inject = parse(text.as_bytes()).unwrap().inject.unwrap();
        assert!(inject.ends_with("… [cut]") && inject.len() < INJECT_CAP + 20);
    }
}
