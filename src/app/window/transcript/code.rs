//! Colours of code: a job that is done beside the drawing, and what comes of it.
//!
//! The syntaxes are loaded by the first job. A job goes on where the one before it ended, so that code which is still
//! being written is read once. Positions are bytes of lines that are already clean.

use std::str::FromStr as _;
use std::sync::{Arc, LazyLock};

use syntect::parsing::{ParseState, Scope, ScopeStack, ScopeStackOp, SyntaxReference, SyntaxSet};

use crate::app::window::text::Tone;

/// Bytes of a line that is coloured at most.
const LONGEST: usize = 2_000;

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);
static TONES: LazyLock<Vec<(Scope, Option<Tone>)>> = LazyLock::new(tones);

/// The colours of one line, and the text that they are for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LineColours {
    /// Tells the text from others.
    pub hash: u64,
    /// Bytes and their tone, one behind the other.
    pub spans: Vec<(u32, Tone)>,
}

/// Where the reading of a piece of code stands.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    parse: ParseState,
    stack: ScopeStack,
}

/// Lines of code that want colours.
#[derive(Debug)]
pub struct CodeJob {
    /// The piece of code.
    pub(super) piece: u64,
    /// Its language, as the answer calls it.
    pub(super) language: Arc<str>,
    /// The number of the first of the lines in the piece.
    pub(super) from: usize,
    pub(super) lines: Vec<String>,
    pub(super) reading: Option<Reading>,
}

/// The colours that a job has found.
#[derive(Debug)]
pub struct CodeColours {
    pub(super) piece: u64,
    pub(super) language: Arc<str>,
    pub(super) from: usize,
    /// None when the language is not known.
    pub(super) lines: Option<(Vec<LineColours>, Reading)>,
}

impl CodeJob {
    /// Finds the colours. Takes time: not for the thread that draws.
    #[must_use]
    pub fn run(self) -> CodeColours {
        let Self { piece, language, from, lines, reading } = self;
        let reading = reading.or_else(|| {
            let syntax = syntax(&language)?;
            Some(Reading { parse: ParseState::new(syntax), stack: ScopeStack::new() })
        });
        let lines = reading.map(|mut reading| {
            let lines = lines.iter().map(|line| reading.line(line)).collect();
            (lines, reading)
        });
        CodeColours { piece, language, from, lines }
    }

    /// What comes of it when it broke down: the language is left without colours.
    #[must_use]
    pub fn failed(piece: u64, language: Arc<str>) -> CodeColours {
        CodeColours { piece, language, from: 0, lines: None }
    }

    /// What names it.
    #[must_use]
    pub fn name(&self) -> (u64, Arc<str>) {
        (self.piece, Arc::clone(&self.language))
    }
}

fn syntax(language: &str) -> Option<&'static SyntaxReference> {
    let token = match language.to_ascii_lowercase().as_str() {
        "shell" | "console" | "shellsession" | "zsh" => "sh".to_owned(),
        "jsonc" | "json5" => "json".to_owned(),
        "plaintext" | "text" | "txt" | "plain" => return None,
        other => other.to_owned(),
    };
    SYNTAXES.find_syntax_by_token(&token)
}

impl Reading {
    fn line(&mut self, text: &str) -> LineColours {
        let hash = hash(text);
        if text.len() > LONGEST {
            return LineColours { hash, spans: Vec::new() };
        }
        let Ok(operations) = self.parse.parse_line(&format!("{text}\n"), &SYNTAXES) else {
            return LineColours { hash, spans: Vec::new() };
        };
        let mut spans: Vec<(u32, Tone)> = Vec::new();
        let mut at = 0;
        for (byte, operation) in operations {
            self.span(at, byte.min(text.len()), &mut spans);
            at = at.max(byte.min(text.len()));
            self.apply(&operation);
        }
        self.span(at, text.len(), &mut spans);
        LineColours { hash, spans }
    }

    fn apply(&mut self, operation: &ScopeStackOp) {
        if self.stack.apply(operation).is_err() {
            self.stack = ScopeStack::new();
        }
    }

    fn span(&self, from: usize, to: usize, spans: &mut Vec<(u32, Tone)>) {
        if to <= from {
            return;
        }
        let tone = tone(&self.stack);
        match spans.last_mut().filter(|(_, last)| *last == tone) {
            Some((length, _)) => *length += (to - from) as u32,
            None => spans.push(((to - from) as u32, tone)),
        }
    }
}

/// The innermost scope that means something says the tone.
fn tone(stack: &ScopeStack) -> Tone {
    let known = |scope: &Scope| TONES.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, tone)| *tone);
    stack.scopes.iter().rev().find_map(known).flatten().unwrap_or(Tone::Code)
}

/// What scopes mean, the narrower ones first. None: nothing of its own, whatever it stands in.
fn tones() -> Vec<(Scope, Option<Tone>)> {
    const MEANINGS: &[(&str, Option<Tone>)] = &[
        ("comment", Some(Tone::Comment)),
        ("punctuation.definition.comment", Some(Tone::Comment)),
        ("constant.character.escape", Some(Tone::Number)),
        ("meta.interpolation", None),
        ("string", Some(Tone::Literal)),
        ("constant.numeric", Some(Tone::Number)),
        ("constant.language", Some(Tone::Number)),
        ("keyword.operator.word", Some(Tone::Keyword)),
        ("keyword.operator", None),
        ("keyword", Some(Tone::Keyword)),
        ("storage", Some(Tone::Keyword)),
        ("variable.language", Some(Tone::Keyword)),
        ("entity.name.function", Some(Tone::Name)),
        ("support.function", Some(Tone::Name)),
        ("variable.function", Some(Tone::Name)),
        ("support.macro", Some(Tone::Name)),
        ("entity.name.type", Some(Tone::Kind)),
        ("entity.name.class", Some(Tone::Kind)),
        ("entity.name.struct", Some(Tone::Kind)),
        ("entity.name.enum", Some(Tone::Kind)),
        ("entity.name.trait", Some(Tone::Kind)),
        ("entity.name.impl", Some(Tone::Kind)),
        ("entity.name.tag", Some(Tone::Kind)),
        ("entity.name.section", Some(Tone::Kind)),
        ("entity.other.attribute-name", Some(Tone::Name)),
        ("support.type", Some(Tone::Kind)),
        ("support.class", Some(Tone::Kind)),
        ("entity.name", Some(Tone::Name)),
        ("markup.inserted", Some(Tone::Added)),
        ("markup.deleted", Some(Tone::Removed)),
        ("markup.heading", Some(Tone::Strong)),
    ];
    MEANINGS.iter().filter_map(|(name, tone)| Some((Scope::from_str(name).ok()?, *tone))).collect()
}

/// Tells a text from others (FNV-1a, eight bytes at a time where there are as many).
pub(super) fn hash(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut mix = |word: u64| hash = (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(5);
    let mut words = text.as_bytes().chunks_exact(8);
    for word in &mut words {
        mix(u64::from_le_bytes(word.try_into().unwrap_or_default()));
    }
    words.remainder().iter().for_each(|byte| mix(u64::from(*byte)));
    mix(text.len() as u64);
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colours(language: &str, lines: &[&str]) -> Vec<Vec<(String, Tone)>> {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        let job = CodeJob { piece: 1, language: language.into(), from: 0, lines: lines.clone(), reading: None };
        let (found, _) = job.run().lines.unwrap();
        let of = |(line, colours): (&String, LineColours)| {
            let mut at = 0;
            let span = |(length, tone): (u32, Tone)| {
                let text = line[at..at + length as usize].to_owned();
                at += length as usize;
                (text, tone)
            };
            colours.spans.into_iter().map(span).collect()
        };
        lines.iter().zip(found).map(of).collect()
    }

    #[test]
    fn words_texts_numbers_and_comments_are_told_apart() {
        let lines = colours("rust", &["let x = \"a\\n\"; // why", "fn go() -> u8 { 42 }"]);
        let has = |line: usize, text: &str, tone| {
            assert!(lines[line].iter().any(|(t, k)| t.trim() == text && *k == tone), "{text} in {lines:?}");
        };
        has(0, "let", Tone::Keyword);
        has(0, "\\n", Tone::Number);
        has(0, "// why", Tone::Comment);
        has(1, "go", Tone::Name);
        has(1, "42", Tone::Number);
    }

    #[test]
    fn common_languages_are_known_by_their_names() {
        for language in [
            "rust",
            "rs",
            "python",
            "js",
            "ts",
            "tsx",
            "toml",
            "yaml",
            "bash",
            "console",
            "go",
            "json",
            "c",
            "cpp",
            "java",
            "sql",
            "html",
            "css",
            "dockerfile",
            "makefile",
            "diff",
            "kotlin",
            "swift",
            "ruby",
            "nix",
        ] {
            assert!(syntax(language).is_some(), "{language}");
        }
        assert!(syntax("text").is_none() && syntax("no such language").is_none());
    }

    #[test]
    fn a_job_goes_on_where_the_one_before_it_ended() {
        let lines = |text: &[&str]| text.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        let all = lines(&["/* begins", "goes on", "ends */ let x = 1;"]);
        let whole = CodeJob { piece: 1, language: "rust".into(), from: 0, lines: all.clone(), reading: None };
        let (whole, _) = whole.run().lines.unwrap();
        let first = CodeJob { piece: 1, language: "rust".into(), from: 0, lines: all[..1].to_vec(), reading: None };
        let (mut parts, reading) = first.run().lines.unwrap();
        let rest =
            CodeJob { piece: 1, language: "rust".into(), from: 1, lines: all[1..].to_vec(), reading: Some(reading) };
        parts.extend(rest.run().lines.unwrap().0);
        assert_eq!(parts, whole);
    }
}
