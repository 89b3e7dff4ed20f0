//! Rules on words: `git push *`.

use super::shell::{Known, Word};

/// The words that a rule wants: exactly these, or any command that begins with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    wanted: Vec<String>,
    /// It ended in ` *`.
    open: bool,
    /// Why it fits no command, and what to write instead.
    unfit: Option<(String, String)>,
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
        let mut unfit = None;
        // Stars that no quotes hold, by the word in which they stand.
        let mut stars = Vec::new();
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
                None => {
                    if OPERATORS.contains(c) && unfit.is_none() {
                        unfit = Some(operator(c));
                    }
                    if c == '*' {
                        stars.push(words.len());
                    }
                    word.get_or_insert_default().push(c);
                }
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
        if let Some(word) = stars.into_iter().find_map(|at| words.get(at)) {
            let hint = match word.trim_end_matches('*') {
                "" => "leave the words after it out, or write them without it".to_owned(),
                rest if rest.contains('*') || rest.len() == word.len() => "write the whole name".to_owned(),
                rest => format!("write the whole word; `{rest} *` is `{rest}` with whatever follows it"),
            };
            let why = format!("holds `{word}`: a `*` stands for more only as the last word, after a blank");
            unfit.get_or_insert((why, format!("{hint}; quoted, `'*'` is the sign itself")));
        }
        Ok(Self { wanted: words, open, unfit })
    }

    /// Whether any command could fit it.
    ///
    /// # Errors
    /// Why none can, and what to write instead.
    pub fn can_fit(&self, tool: &str) -> Result<(), (String, String)> {
        if let Some(unfit) = &self.unfit {
            return Err(unfit.clone());
        }
        let first = self.first().unwrap_or_default();
        if tool == "git" && first == "git" {
            let hint = "write the words after it, such as `push *`";
            return Err(("begins with `git`, which rules on `git` do not name".to_owned(), hint.to_owned()));
        }
        let variable = first.split_once('=').is_some_and(|(name, _)| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        });
        if variable {
            let hint = format!("leave `{first}` out: rules are held against the command alone");
            return Err(("begins with a variable".to_owned(), hint));
        }
        Ok(())
    }

    /// Whether it wants exactly its words.
    pub fn is_exact(&self) -> bool {
        !self.open
    }

    /// The first word, if there is one.
    pub fn first(&self) -> Option<&str> {
        self.wanted.first().map(String::as_str)
    }

    /// Whether these words fit.
    pub fn fit(&self, words: &[Word]) -> Fit {
        self.fit_from(words, 0, None)
    }

    /// Whether these words fit without some after the first, for a rule that denies or asks, with the program by its own
    /// name: `rm *` fits `/bin/rm x`. A rule that names a path fits that one, and perhaps what has the same name
    /// elsewhere.
    pub fn fit_program(&self, words: &[Word], left_out: usize) -> Fit {
        let whole = self.fit_from(words, left_out, None);
        let (Some(wanted), Some(name)) = (self.first(), words.first().and_then(Word::exact)) else { return whole };
        let base = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        if whole == Fit::Yes || base(wanted) != base(name) {
            return whole;
        }
        let fit = self.fit_from(words, left_out, Some(wanted));
        let same = !wanted.contains('/') || plain_path(wanted) == plain_path(name);
        whole.max(if same { fit } else { fit.min(Fit::Maybe) })
    }

    fn fit_from(&self, words: &[Word], left_out: usize, name: Option<&str>) -> Fit {
        let skip = |at: usize| if at == 0 { 0 } else { at + left_out };
        let mut fit = Fit::Yes;
        for (at, wanted) in self.wanted.iter().enumerate() {
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
        let rest = words.get(skip(self.wanted.len())..).unwrap_or_default();
        if self.open || rest.is_empty() {
            return fit;
        }
        // Words that may be none.
        if rest.iter().all(|word| word.many && word.known == Known::Start) { Fit::Maybe } else { Fit::No }
    }
}

/// What joins commands or leads into files, for a shell.
const OPERATORS: &str = "&|;<>()`";

fn operator(c: char) -> (String, String) {
    let (what, hint) = match c {
        '<' | '>' => ("what a command reads and writes is judged as files", "write a rule on `read` or `write`"),
        '(' | ')' | '`' => ("what a substitution runs is judged by itself", "write a rule for the command within"),
        _ => ("the commands of a chain are judged one by one", "write a rule for each of them"),
    };
    (format!("holds `{c}` and fits no command: {what}"), format!("{hint}; put it in quotes where it is text"))
}

/// An absolute path without `.`, `..` and doubled slashes; another as it stands.
fn plain_path(path: &str) -> String {
    if !path.starts_with('/') {
        return path.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_no_command_is_told_with_what_to_write() {
        for (tool, rule, why) in [
            ("shell", "a && b", "judged one by one"),
            ("shell", "a; b", "judged one by one"),
            ("shell", "a | sh", "judged one by one"),
            ("shell", "a > out", "judged as files"),
            ("shell", "echo $(a)", "judged by itself"),
            ("shell", "*rm", "only as the last word"),
            ("shell", "rm*", "`rm *` is `rm` with whatever follows"),
            ("shell", "git * --force", "only as the last word"),
            ("shell", "npm run test:*", "only as the last word"),
            ("shell", "FOO=1 make *", "begins with a variable"),
            ("git", "git push *", "begins with `git`"),
        ] {
            let (what, hint) = Words::parse(rule).unwrap().can_fit(tool).unwrap_err();
            assert!(format!("{what}; {hint}").contains(why), "{rule}: {what}; {hint}");
        }
        for rule in ["rm *", "*", "echo '*'", "echo 'a && b'", "/bin/ls *", "[ *", "find . -name '*.rs'", "a --b=c *"] {
            assert_eq!(Words::parse(rule).unwrap().can_fit("shell"), Ok(()), "{rule}");
        }
    }

    #[test]
    fn programs_are_known_by_their_names_unless_a_rule_names_a_path() {
        let fit = |rule: &str, words: &[&str]| {
            let words: Vec<Word> = words.iter().map(|word| Word::literal(*word)).collect();
            Words::parse(rule).unwrap().fit_program(&words, 0)
        };
        assert_eq!(fit("rm *", &["/bin/rm", "x"]), Fit::Yes);
        assert_eq!(fit("rm *", &["../rm"]), Fit::Yes);
        assert_eq!(fit("/bin/rm *", &["/bin/rm", "x"]), Fit::Yes);
        assert_eq!(fit("/bin/rm *", &["/bin/../bin//rm", "x"]), Fit::Yes);
        assert_eq!(fit("/bin/rm *", &["rm", "x"]), Fit::Maybe, "what `PATH` says");
        assert_eq!(fit("/bin/rm *", &["/usr/bin/rm", "x"]), Fit::Maybe, "it may be a link");
        assert_eq!(fit("/bin/rm *", &["rmdir", "x"]), Fit::No);
    }

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
