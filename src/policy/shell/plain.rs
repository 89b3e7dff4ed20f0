//! Plain commands, read without the grammar: words and quotes in which nothing is expanded, joined by pipes and the
//! like. Most commands are of this kind, and the grammar takes ten times as long over a pipe as over anything else.
//!
//! What is read here means the same to every shell. At the first sign that could mean more, nothing is read and the
//! grammar decides.

use super::model::Word;

/// One simple command.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plain<'a> {
    pub words: Vec<Word>,
    /// Its text.
    pub part: &'a str,
}

/// Redirections that neither read nor write anything that stays.
const NOTHING: &[&str] = &["2>&1", "2>/dev/null", "1>/dev/null", ">/dev/null", "&>/dev/null"];

/// Words that mean more to the shell, or to the grammar, where a command's name stands.
const SPECIAL: &[&str] = &[
    "if",
    "then",
    "else",
    "elif",
    "fi",
    "do",
    "done",
    "case",
    "esac",
    "while",
    "until",
    "for",
    "select",
    "function",
    "in",
    "time",
    "coproc",
    "export",
    "declare",
    "typeset",
    "readonly",
    "local",
    "unset",
    "unsetenv",
    "repeat",
    "foreach",
    "end",
    "noglob",
    "nocorrect",
];

/// The simple commands of a text, if it is plain throughout.
pub(super) fn commands(text: &str) -> Option<Vec<Plain<'_>>> {
    let mut all = Vec::new();
    let mut reader = Reader { text, at: 0 };
    loop {
        let command = reader.command()?;
        all.push(command);
        match reader.rest().as_bytes() {
            [] => return Some(all),
            [b'|', b'|', ..] | [b'&', b'&', ..] => reader.at += 2,
            [b'|', b'&', ..] | [b';', b';' | b'&', ..] => return None,
            [b'|', ..] => reader.at += 1,
            [b';', ..] => {
                reader.at += 1;
                reader.blanks();
                if reader.rest().is_empty() {
                    return Some(all);
                }
            }
            _ => return None,
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
    }

    /// Reads words up to an operator or the end.
    fn command(&mut self) -> Option<Plain<'a>> {
        self.blanks();
        let start = self.at;
        let mut end = start;
        let mut words: Vec<Word> = Vec::new();
        let mut redirected = false;
        loop {
            self.blanks();
            if !words.is_empty() && self.nothing() {
                redirected = true;
                continue;
            }
            match self.rest().bytes().next() {
                None | Some(b'|' | b'&' | b';') => break,
                Some(_) if redirected => return None,
                Some(_) => words.push(self.word()?),
            }
            end = self.at;
        }
        let name = words.first()?;
        // An empty name, an assignment, a word of the shell's own.
        let odd = name.text.is_empty() || name.text.contains('=') || SPECIAL.contains(&name.text.as_str());
        (!odd).then(|| Plain { words, part: self.text.get(start..end).unwrap_or_default() })
    }

    /// Skips a redirection that does nothing, if one stands here.
    fn nothing(&mut self) -> bool {
        let rest = self.rest();
        let ends =
            |after: &str| after.is_empty() || after.starts_with([' ', '\t', '|', ';']) || after.starts_with("&&");
        let found = NOTHING.iter().find(|known| rest.strip_prefix(**known).is_some_and(ends));
        self.at += found.map_or(0, |known| known.len());
        found.is_some()
    }

    fn word(&mut self) -> Option<Word> {
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let length = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || b"_-./,:=@%+".contains(b)).count();
            text.push_str(rest.get(..length)?);
            self.at += length;
            match self.rest().bytes().next() {
                // An index that the shell could run is the walk's matter.
                None | Some(b' ' | b'\t' | b'|' | b'&' | b';') => {
                    return (!(text.contains('[') && text.contains(['$', '`']))).then(|| Word::literal(text));
                }
                Some(quote @ (b'\'' | b'"')) => {
                    let inside = self.rest().get(1..)?;
                    let end = inside.find(char::from(quote))?;
                    let inside = inside.get(..end)?;
                    let means_more = |c: char| c == '\n' || (quote == b'"' && "$`\\!".contains(c));
                    if inside.contains(means_more) {
                        return None;
                    }
                    text.push_str(inside);
                    self.at += end + 2;
                }
                Some(_) => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Analysis, by_grammar, walk};
    use super::*;

    fn fast(text: &str) -> Option<Analysis> {
        let mut analysis = Analysis::default();
        walk::plain(text, commands(text)?, &mut analysis, &walk::Start::default());
        Some(analysis)
    }

    fn slow(text: &str) -> Analysis {
        let mut analysis = Analysis::default();
        by_grammar(text, &mut analysis, &walk::Start::default());
        analysis
    }

    #[test]
    fn what_means_more_is_left_to_the_grammar() {
        for text in [
            "",
            " ",
            "a &",
            "a |& b",
            "a | | b",
            "a ;; b",
            "a;b;;",
            "| a",
            "a $x",
            "a `b`",
            "a *",
            "a ~",
            "A=b c",
            "a > b",
            "a <b",
            "if a",
            "! a",
            "(a)",
            "{ a; }",
            "a # b",
            "a \\b",
            "a \"$x\"",
            "a 'b",
            "a\nb",
            "a && ",
            "[ a ]",
            "export A=b",
            "time a",
            "2>&1 a",
            "a 2>&1x",
            "a 2>&1 b",
            "a 'b[$'",
            "a >/dev/nullx",
            "a é",
        ] {
            assert_eq!(commands(text), None, "{text:?}");
        }
        let words = |text: &str| commands(text).unwrap().into_iter().map(|one| one.words.len()).collect::<Vec<_>>();
        assert_eq!(words("a 'b  c' \"d|e\"f 2>&1 | g >/dev/null && h||i;"), [3, 1, 1, 1]);
    }

    #[test]
    fn every_command_of_the_corpus_is_read_as_by_the_grammar() {
        let all = crate::policy::corpus::commands();
        let read = all.iter().filter(|text| {
            fast(text).is_some_and(|fast| {
                assert_eq!(fast, slow(text), "{text}");
                true
            })
        });
        assert!(read.count() > 150);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
        #[test]
        fn plain_text_is_read_as_by_the_grammar(
            text in "( ?(ls|cd|rm|git|-n|[a-c./=:@%+,_-]{1,3}|'[a-d$;| *]{0,3}'|\"[a-d ;|*']{0,3}\"|2>&1|>/dev/null|[|]|[|][|]|&&|;|&) ?){1,9}"
        ) {
            // The grammar knows less than bash in places, such as a name that ends in `@`.
            let slow = slow(&text);
            if let Some(fast) = fast(&text)
                && !slow.marks.iter().any(|mark| mark.why.contains("cannot be parsed"))
            {
                prop_assert_eq!(fast, slow, "{}", text);
            }
        }
    }
}
