//! What single servers do not like, learned from their refusals.
//!
//! A refusal that teaches something is asked again at once, without counting as a try. Each thing is learned once
//! and never unlearned, so this ends.

use super::fault::too_long;
use crate::config::Dialect;

/// Whether thoughts are sent back as plain text (chat completions only).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::agent) enum Plain {
    /// Nobody has asked for them.
    #[default]
    Unasked,
    /// The server refuses calls without them.
    Sent,
    /// The server refuses calls with them.
    Withheld,
}

/// What one server is known not to like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::agent) struct Quirks {
    /// It refuses `stream_options`.
    pub no_stream_options: bool,
    /// What it thinks of `reasoning_content`.
    pub plain: Plain,
    /// It does not want its own sealed thoughts back.
    pub no_seals: bool,
    /// It wants a placeholder where seals are missing.
    pub placeholder_seals: bool,
    /// It does not know the marks that say what to cache.
    pub no_cache_marks: bool,
    /// It cannot see.
    pub no_images: bool,
    /// It wants short ids of letters and digits.
    pub plain_ids: bool,
    /// It does not take a wish how long to think.
    pub no_effort: bool,
    /// It wants that wish in its newer form.
    pub adaptive: bool,
    /// It wants the newer name of the answer's limit.
    pub completion_tokens: bool,
    /// It allows no more tokens in an answer.
    pub most_output: Option<u64>,
}

impl Quirks {
    /// What a refusal (status 400 or 422) teaches; `None` when it is about something else. `limit` is the limit of
    /// the answer that was asked for.
    pub fn learn(self, dialect: Dialect, refusal: &str, limit: Option<u64>) -> Option<Self> {
        let text = refusal.to_lowercase();
        if too_long(&text) {
            return None;
        }
        let has = |word: &str| text.contains(word);
        let mut learned = self;
        match dialect {
            Dialect::OpenaiChat => {
                learned.no_stream_options |= has("stream_options");
                learned.completion_tokens |= has("max_completion_tokens");
                if has("reasoning_content") {
                    learned.plain = match self.plain {
                        Plain::Unasked => Plain::Sent,
                        Plain::Sent | Plain::Withheld => Plain::Withheld,
                    };
                }
                learned.no_seals |= ["reasoning_details", "thinking_blocks", "extra_content", "provider_specific"]
                    .iter()
                    .any(|word| has(word));
                learned.no_effort |= has("reasoning_effort") || has("reasoning effort");
            }
            Dialect::OpenaiResponses => {
                learned.no_seals |= has("encrypted");
                learned.no_effort |= !has("encrypted") && (has("reasoning.") || has("reasoning'") || has("effort"));
            }
            Dialect::Anthropic => {
                learned.no_cache_marks |= has("cache_control");
                let about_seals = has("signature") || has("thinking blocks") || has("redacted_thinking");
                learned.no_seals |= about_seals;
                if has("thinking") && !about_seals {
                    if self.adaptive || !has("adaptive") {
                        learned.no_effort = true;
                    } else {
                        learned.adaptive = true;
                    }
                }
                learned.no_effort |= has("output_config") || has("effort");
            }
            Dialect::Gemini => {
                let about_seals = has("thought_signature") || has("thought signature") || has("thoughtsignature");
                learned.no_seals |= about_seals && (has("invalid") || has("corrupt") || self.placeholder_seals);
                learned.placeholder_seals |= about_seals;
                learned.no_effort |= has("thinking") && !about_seals;
            }
        }
        learned.no_images |= has("image") || has("inline_data") || has("multimodal") || has("vision");
        learned.plain_ids |= has("tool call id") || has("tool_call_id") || (has("tool_calls") && has(".id"));
        if let Some(limit) = limit.filter(|_| has("max_tokens") || has("max_completion_tokens") || has("max_output")) {
            let numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse::<u64>().ok());
            let most = numbers.filter(|number| (256..limit).contains(number)).max();
            learned.most_output = most.or(learned.most_output);
        }
        (learned != self).then_some(learned)
    }

    /// The limit of an answer that the server takes.
    pub fn limit(&self, wanted: u64) -> u64 {
        self.most_output.map_or(wanted, |most| most.min(wanted))
    }

    /// What plain ids are made of.
    const LETTERS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

    /// The id of a call as the server takes it: always the same for the same call.
    pub fn id(&self, model_id: &str) -> String {
        if !self.plain_ids || (model_id.len() == 9 && model_id.bytes().all(|b| b.is_ascii_alphanumeric())) {
            return model_id.to_owned();
        }
        // FNV-1a: only has to tell the few calls of one conversation apart.
        let mut hash = model_id
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
        let mut id = String::new();
        for _ in 0..9 {
            id.push(char::from(Self::LETTERS[(hash % 36) as usize]));
            hash /= 36;
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learn(dialect: Dialect, refusals: &[&str]) -> Quirks {
        refusals.iter().fold(Quirks::default(), |quirks, refusal| {
            quirks.learn(dialect, refusal, Some(32_000)).unwrap_or_else(|| panic!("nothing learned of `{refusal}`"))
        })
    }

    #[test]
    fn each_refusal_teaches_one_thing() {
        let quirks = learn(Dialect::OpenaiChat, &["unknown parameter: stream_options", "reasoning_content is missing"]);
        assert_eq!((quirks.no_stream_options, quirks.plain), (true, Plain::Sent));
        let quirks = learn(Dialect::OpenaiChat, &["reasoning_content is missing", "reasoning_content not permitted"]);
        assert_eq!(quirks.plain, Plain::Withheld);
        assert_eq!(quirks.learn(Dialect::OpenaiChat, "reasoning_content not permitted", None), None);
        let quirks = learn(Dialect::Anthropic, &["`thinking.type.enabled` is not supported; use adaptive"]);
        assert!(quirks.adaptive && !quirks.no_effort);
        assert!(learn(Dialect::Anthropic, &["this model does not support thinking"]).no_effort);
        let many = "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for m-3-5";
        assert_eq!(learn(Dialect::Anthropic, &[many]).limit(32_000), 8192);
        assert!(learn(Dialect::Gemini, &["Function call is missing a thought_signature"]).placeholder_seals);
        assert_eq!(Quirks::default().learn(Dialect::OpenaiChat, "model not found", None), None);
        let long = "maximum context length is 8192; reduce max_tokens";
        assert_eq!(Quirks::default().learn(Dialect::OpenaiChat, long, Some(32_000)), None, "another remedy");
    }

    #[test]
    fn learning_ends() {
        for dialect in Dialect::ALL {
            let nasty = "stream_options reasoning_content thinking adaptive signature encrypted image tool call id \
                         max_tokens 31999 31998 cache_control effort max_completion_tokens thought_signature";
            let (mut quirks, mut rounds) = (Quirks::default(), 0);
            while let Some(learned) = quirks.learn(dialect, nasty, Some(32_000)) {
                (quirks, rounds) = (learned, rounds + 1);
            }
            assert!(rounds <= 4, "{dialect:?}: {rounds}");
        }
    }

    #[test]
    fn plain_ids_are_nine_letters_and_always_the_same() {
        let quirks = Quirks { plain_ids: true, ..Quirks::default() };
        let long = "chatcmpl-tool-0123456789abcdef0123456789abcdef";
        assert_eq!(quirks.id(long), quirks.id(long));
        assert_eq!(quirks.id(long).len(), 9);
        assert_ne!(quirks.id("call_p1_1_1"), quirks.id("call_p1_1_2"));
        assert_eq!(Quirks::default().id(long), long);
    }
}
