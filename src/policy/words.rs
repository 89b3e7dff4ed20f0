//! Rules on words: `git push *`.

use super::shell::{Known, Word};

/// The words that a rule wants: exactly these, or any command that begins with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    words: Vec<String>,
    /// It ended in ` *`.
    open: bool,
}

/// Whether a rule fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// No.
    No,
    /// Only running tells.
    Maybe,
    /// Yes.
    Yes,
}

impl Words {
    /// Reads a rule's words; quotes hold several words together.
    ///
    /// # Errors
    /// What is wrong and what to do.
    pub fn parse(text: &str) -> Result<Self, (String, String)> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut quote = None;
        let mut quoted_last = false;
        for c in text.chars() {
            match quote {
                Some(mark) if c == mark => quote = None,
                Some(_) => word.get_or_insert_default().push(c),
                None if c == '\'' || c == '"' => {
                    quote = Some(c);
                    quoted_last = true;
                    word.get_or_insert_default();
                }
                None if c.is_whitespace() => {
                    if let Some(done) = word.take() {
                        words.push(done);
                        quoted_last = false;
                    }
                }
                None => word.get_or_insert_default().push(c),
            }
        }
        if quote.is_some() {
            return Err(("has a quotation mark without its second".to_owned(), "close it, or leave it out".to_owned()));
        }
        words.extend(word);
        let open = !quoted_last && words.last().is_some_and(|last| last == "*");
        if open {
            words.pop();
        }
        Ok(Self { words, open })
    }

    /// Whether it wants exactly its words.
    pub fn is_exact(&self) -> bool {
        !self.open
    }

    /// The first word, if there is one.
    pub fn first(&self) -> Option<&str> {
        self.words.first().map(String::as_str)
    }

    /// Whether these words fit.
    pub fn fit(&self, words: &[Word]) -> Fit {
        self.fit_from(words, 0, None)
    }

    /// Whether these words fit without some after the first.
    pub fn fit_without(&self, words: &[Word], left_out: usize) -> Fit {
        self.fit_from(words, left_out, None)
    }

    /// The same, if the first of them were `name`.
    pub fn fit_named(&self, words: &[Word], left_out: usize, name: &str) -> Fit {
        self.fit_from(words, left_out, Some(name))
    }

    fn fit_from(&self, words: &[Word], left_out: usize, name: Option<&str>) -> Fit {
        let skip = |at: usize| if at == 0 { 0 } else { at + left_out };
        let mut fit = Fit::Yes;
        for (at, wanted) in self.words.iter().enumerate() {
            let Some(word) = words.get(skip(at)) else { return Fit::No };
            let text = name.filter(|_| at == 0).unwrap_or(&word.text);
            if word.many && word.known == Known::Start {
                // It may be no word or several: nothing after it can be counted.
                return Fit::Maybe;
            }
            match word.known {
                _ if text == wanted && word.known != Known::Start => {}
                Known::All => return Fit::No,
                Known::Pattern => {
                    let plain = text.find(['*', '?', '[', '~']).and_then(|end| text.get(..end)).unwrap_or_default();
                    if !wanted.starts_with(plain) {
                        return Fit::No;
                    }
                    fit = Fit::Maybe;
                }
                Known::Start => {
                    if !wanted.starts_with(text) {
                        return Fit::No;
                    }
                    fit = Fit::Maybe;
                }
            }
        }
        let rest = words.get(skip(self.words.len())..).unwrap_or_default();
        if self.open || rest.is_empty() {
            return fit;
        }
        // Words that may be none.
        if rest.iter().all(|word| word.many && word.known == Known::Start) { Fit::Maybe } else { Fit::No }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(rule: &str, words: &[&str]) -> Fit {
        let words: Vec<Word> = words
            .iter()
            .map(|text| match text.strip_suffix('…') {
                Some("") => Word { text: String::new(), known: Known::Start, many: true },
                Some(start) => Word { text: start.to_owned(), known: Known::Start, many: false },
                None => Word { text: (*text).to_owned(), known: Known::All, many: false },
            })
            .collect();
        Words::parse(rule).unwrap().fit(&words)
    }

    #[test]
    fn words_fit_exactly_or_as_a_beginning_of_whole_words() {
        assert_eq!(fit("git push", &["git", "push"]), Fit::Yes);
        assert_eq!(fit("git push", &["git", "push", "-f"]), Fit::No);
        assert_eq!(fit("git push *", &["git", "push"]), Fit::Yes);
        assert_eq!(fit("git push *", &["git", "push", "-f"]), Fit::Yes);
        assert_eq!(fit("git push *", &["git", "pushy"]), Fit::No);
        assert_eq!(fit("*", &["anything"]), Fit::Yes);
        assert_eq!(fit("git commit -m 'a b'", &["git", "commit", "-m", "a b"]), Fit::Yes);
        assert_eq!(fit("echo '*'", &["echo", "*"]), Fit::Yes);
        assert_eq!(fit("echo '*'", &["echo", "x"]), Fit::No);
        assert!(Words::parse("echo 'x").is_err());
    }

    #[test]
    fn what_is_not_known_may_fit() {
        assert_eq!(fit("git push *", &["git", "…"]), Fit::Maybe);
        assert_eq!(fit("git push *", &["git", "pu…"]), Fit::Maybe);
        assert_eq!(fit("git push *", &["git", "x…"]), Fit::No);
        assert_eq!(fit("ls *", &["ls", "…"]), Fit::Yes);
        assert_eq!(fit("ls", &["ls", "…"]), Fit::Maybe);
        assert_eq!(fit("rm -rf *", &["…", "x"]), Fit::Maybe);
    }
}
