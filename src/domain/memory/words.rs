//! The words of a text, as they are searched: of facts when they are kept, of prompts when facts are looked for.
//!
//! Scripts that put no blanks between words are cut into pairs of characters, names in camel case also into their
//! parts. What comes out holds nothing but letters and digits, so no text can be mistaken for a search expression.

use std::collections::HashSet;

/// Different words of a prompt that are looked for.
const QUERY_WORDS: usize = 32;
/// Bytes of a prompt that are read for words: what is pasted after that seldom says what the prompt is about.
const QUERY_BYTES: usize = 16 * 1024;
/// Bytes of one word that count.
const WORD_BYTES: usize = 64;

/// Words that stand in every text and so tell nothing.
pub(super) const COMMON: &[&str] = &[
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "because", "been", "before",
    "but", "by", "can", "could", "do", "does", "done", "each", "for", "from", "had", "has", "have", "he", "her", "his",
    "how", "i", "if", "in", "into", "is", "it", "its", "just", "let", "like", "me", "more", "most", "my", "no", "not",
    "now", "of", "on", "one", "only", "or", "other", "our", "out", "over", "please", "she", "should", "so", "some",
    "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "too",
    "up", "us", "was", "we", "were", "what", "when", "where", "which", "while", "who", "why", "will", "with", "would",
    "you", "your",
];

/// Every word of a text, for the index.
#[must_use]
pub fn search_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each(text, &mut |word, _| words.push(word.to_owned()));
    words
}

/// The words of a prompt that are worth looking for, each once.
#[must_use]
pub fn query_words(text: &str) -> Vec<String> {
    let mut end = text.len().min(QUERY_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let (mut seen, mut words) = (HashSet::new(), Vec::new());
    each(&text[..end], &mut |word, single| {
        // Of a longer run its pairs are looked for.
        let tells = !single && COMMON.binary_search(&word).is_err();
        if words.len() < QUERY_WORDS && tells && seen.insert(word.to_owned()) {
            words.push(word.to_owned());
        }
    });
    words
}

/// Hands on every word; the flag tells one character of a longer run without blanks.
fn each(text: &str, take: &mut dyn FnMut(&str, bool)) {
    let mut word = String::new();
    let mut run: Vec<char> = Vec::new();
    for c in text.chars().chain([' ']) {
        let dense = is_dense(c) && c.is_alphanumeric();
        if !dense {
            pairs(&mut run, take);
        }
        if dense || !c.is_alphanumeric() && !joins(c) {
            plain(&mut word, take);
        }
        if dense {
            run.push(c);
        } else if c.is_alphanumeric() {
            word.push(c);
        }
    }
}

/// A word between blanks or signs, in small letters; its parts too, if it has several.
fn plain(word: &mut String, take: &mut dyn FnMut(&str, bool)) {
    let whole = std::mem::take(word);
    if whole.is_empty() {
        return;
    }
    let small = |part: &str| {
        let mut small = part.to_lowercase();
        let mut end = small.len().min(WORD_BYTES);
        while !small.is_char_boundary(end) {
            end -= 1;
        }
        small.truncate(end);
        small
    };
    take(&small(&whole), false);
    let mut parts = Vec::new();
    let mut begin = 0;
    let mut before: Option<char> = None;
    for (at, c) in whole.char_indices() {
        if c.is_uppercase() && before.is_some_and(char::is_lowercase) {
            parts.push(&whole[begin..at]);
            begin = at;
        }
        before = Some(c);
    }
    if begin > 0 {
        parts.push(&whole[begin..]);
        for part in parts {
            take(&small(part), false);
        }
    }
}

/// A run without blanks: each pair of neighbours, and each character.
fn pairs(run: &mut Vec<char>, take: &mut dyn FnMut(&str, bool)) {
    let run = std::mem::take(run);
    for (at, c) in run.iter().enumerate() {
        take(c.encode_utf8(&mut [0; 4]), run.len() > 1);
        if let Some(next) = run.get(at + 1) {
            take(&String::from_iter([*c, *next]), false);
        }
    }
}

/// Whether the script of a character puts no blanks between words: Chinese, Japanese, Korean, Thai and its neighbours.
const fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{0e01}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3041}'..='\u{30ff}'
        | '\u{3105}'..='\u{318e}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Marks that belong to the letter before them and do not end a word: accents, and the joiner of scripts that have one.
const fn joins(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036f}' | '\u{200c}' | '\u{200d}')
}
