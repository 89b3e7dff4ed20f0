//! Splits a slash line into words like a shell does, one at a time and no further than asked: the
//! rest of a line may be raw text with quotes of its own.

use std::ops::Range;

/// One word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// Its text, quotes removed.
    pub text: String,
    /// Where it stands in the line, quotes included.
    pub span: Range<usize>,
    /// A quote that is open at the line's end.
    pub open: Option<char>,
    /// Whether any of it was quoted: then it is never an option.
    pub quoted: bool,
}

/// Reads words from a line.
#[derive(Debug, Clone)]
pub(super) struct Words<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    /// Reads from this byte on.
    pub fn new(line: &'a str, at: usize) -> Self {
        Self { line, at }
    }

    /// Everything from the next word on, untouched; trailing blanks are dropped.
    pub fn rest(&self) -> &'a str {
        self.line[self.at..].trim()
    }
}

impl Iterator for Words<'_> {
    type Item = Word;

    /// The next word. `'…'` is literal, `"…"` knows `\"` and `\\`, `\` outside quotes keeps the next
    /// character.
    fn next(&mut self) -> Option<Word> {
        let rest = &self.line[self.at..];
        let start = self.at + (rest.len() - rest.trim_start().len());
        let mut text = String::new();
        let mut open = None;
        let mut quoted = false;
        let mut end = self.line.len();
        let mut chars = self.line[start..].char_indices().peekable();
        chars.peek()?;
        while let Some((offset, c)) = chars.next() {
            match (open, c) {
                (None, c) if c.is_whitespace() => {
                    end = start + offset;
                    break;
                }
                (None, '\'' | '"') => {
                    open = Some(c);
                    quoted = true;
                }
                (Some(quote), c) if quote == c => open = None,
                (None, '\\') => {
                    quoted = true;
                    text.push(chars.next().map_or('\\', |(_, c)| c));
                }
                (Some('"'), '\\') => match chars.next_if(|(_, c)| matches!(c, '"' | '\\')) {
                    Some((_, c)) => text.push(c),
                    None => text.push('\\'),
                },
                (_, c) => text.push(c),
            }
        }
        self.at = end;
        Some(Word { text, span: start..end, open, quoted })
    }
}

/// The text as one word of a line, quoted only if it must be.
pub(super) fn quote(text: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !matches!(c, '\'' | '"' | '\\');
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else if text.contains('\'') {
        format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        format!("'{text}'")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(line: &str) -> Vec<String> {
        Words::new(line, 0).map(|word| word.text).collect()
    }

    #[test]
    fn words_split_like_in_a_shell() {
        assert_eq!(split(r#" lane  new 'a b' "c \"d\" \n" e\ f "#), ["lane", "new", "a b", r#"c "d" \n"#, "e f"]);
        assert_eq!(split("a''b \"\""), ["ab", ""]);
        let open: Vec<_> = Words::new("say don't stop", 0).collect();
        assert_eq!((open.len(), open[1].open), (2, Some('\'')));
    }

    proptest! {
        #[test]
        fn a_quoted_word_reads_back(text in "\\PC*", next in "[a-z]+") {
            let line = format!("{} {next}", quote(&text));
            prop_assert_eq!(split(&line), vec![text, next]);
        }
    }
}
