//! `sed`: its scripts can run commands and write files. Only a script that is read in full, and does neither, is plain.

use super::super::model::{FileUse, Word};
use super::Look;

const HIDES: &str = "`sed` can run commands and write files";

/// Looks at a call of sed.
pub(super) fn look(args: &[Word], look: &mut Look) {
    let mut in_place = false;
    let mut seen = false;
    let mut files = Vec::new();
    let mut rest = args.iter();
    let judge = |script: Option<&str>, look: &mut Look| {
        if !script.is_some_and(|script| Script(script).harmless()) {
            look.hides(HIDES);
        }
    };
    while let Some(word) = rest.next() {
        let Some(text) = word.exact() else {
            if word.may_be_option() || !seen {
                look.hides(HIDES);
            }
            files.push(word);
            continue;
        };
        match text {
            "-n" | "-E" | "-r" | "-s" | "-u" | "-z" | "--quiet" | "--silent" | "--regexp-extended" | "--posix"
            | "--debug" => {}
            "--version" | "--help" if args.len() == 1 => return,
            "-e" | "--expression" => {
                seen = true;
                judge(rest.next().and_then(Word::exact), look);
            }
            _ if text.starts_with("--expression=") => {
                seen = true;
                judge(text.strip_prefix("--expression="), look);
            }
            "-f" | "--file" => {
                seen = true;
                look.runs_file("`sed -f` runs a file", rest.next());
            }
            _ if text.starts_with("-i") || text.starts_with("--in-place") => {
                in_place = true;
                // A suffix with a directory in it names another place for the old file.
                if text.contains(['/', '*']) {
                    look.hides(HIDES);
                }
            }
            "-ni" | "-Ei" | "-ri" | "-nE" | "-nr" | "-En" => in_place |= text.contains('i'),
            "-ne" | "-Ee" | "-re" => {
                seen = true;
                judge(rest.next().and_then(Word::exact), look);
            }
            _ if text.starts_with('-') => look.hides(HIDES),
            script if !seen => {
                seen = true;
                judge(Some(script), look);
            }
            _ => files.push(word),
        }
    }
    let how = if in_place { FileUse::WriteByProgram } else { FileUse::Read };
    look.files.extend(files.into_iter().cloned().map(|word| (word, how)));
}

/// What is left of a script.
struct Script<'a>(&'a str);

impl Script<'_> {
    /// Whether each command only prints, deletes, ends, moves text or replaces.
    fn harmless(mut self) -> bool {
        loop {
            self.0 = self.0.trim_start_matches([' ', '\t', '\n', ';', '}']);
            if self.0.is_empty() {
                return true;
            }
            if self.command().is_none() {
                return false;
            }
        }
    }

    fn take(&mut self) -> Option<char> {
        let mut chars = self.0.chars();
        let c = chars.next()?;
        self.0 = chars.as_str();
        Some(c)
    }

    /// Reads one command; none if it is not known to be harmless.
    fn command(&mut self) -> Option<()> {
        self.address()?;
        if let Some(second) = self.0.strip_prefix(',') {
            self.0 = second.trim_start();
            self.address()?;
        }
        self.0 = self.0.trim_start_matches(['!', ' ']);
        match self.take()? {
            '{' => return Some(()),
            'p' | 'd' | '=' | 'P' | 'D' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | 'z' => {}
            'a' | 'i' | 'c' => return self.text(),
            ':' | 'b' | 't' | 'T' => self.label(),
            'q' | 'Q' | 'l' => self.0 = self.0.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' '),
            's' => {
                let mark = self.take().filter(|mark| !mark.is_alphanumeric() && !"\\\n ".contains(*mark))?;
                self.pattern(mark)?;
                self.part(mark)?;
                // `e` runs what comes out, `w` writes a file.
                self.0 = self.0.trim_start_matches(|c: char| c.is_ascii_digit() || "gpiIm".contains(c));
            }
            'y' => {
                let mark = self.take().filter(|mark| !mark.is_alphanumeric() && !"\\\n ".contains(*mark))?;
                self.part(mark)?;
                self.part(mark)?;
            }
            _ => return None,
        }
        self.0 = self.0.trim_start_matches([' ', '\t']);
        (self.0.is_empty() || self.0.starts_with([';', '\n', '}'])).then_some(())
    }

    /// Skips a text, which goes to the end of its line, and on where a backslash stands before that.
    fn text(&mut self) -> Option<()> {
        while let Some(c) = self.take().filter(|c| *c != '\n') {
            // In a script by itself, a text that goes on behind the end would take the next one for itself.
            if c == '\\' {
                self.take()?;
            }
        }
        Some(())
    }

    /// Skips a label.
    fn label(&mut self) {
        let label = self.0.trim_start_matches(' ');
        self.0 = label.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    }

    /// Skips a pattern and the mark behind it, which is plain within brackets.
    fn pattern(&mut self, mark: char) -> Option<()> {
        loop {
            match self.take()? {
                '\\' => drop(self.take()?),
                '[' if mark != '[' => {
                    let rest = self.0.strip_prefix('^').unwrap_or(self.0);
                    // A bracket that comes first is one of the letters.
                    let rest = rest.strip_prefix(']').unwrap_or(rest);
                    let (inside, after) = rest.split_once(']')?;
                    // Classes and odd letters are too much.
                    if inside.contains(['[', '\\', '\n']) {
                        return None;
                    }
                    self.0 = after;
                }
                '\n' => return None,
                c if c == mark => return Some(()),
                _ => {}
            }
        }
    }

    /// Skips to behind the next mark.
    fn part(&mut self, mark: char) -> Option<()> {
        loop {
            match self.take()? {
                '\\' => drop(self.take()?),
                '\n' => return None,
                c if c == mark => return Some(()),
                _ => {}
            }
        }
    }

    /// Skips a line's number, `$` or a pattern, if one stands there.
    fn address(&mut self) -> Option<()> {
        if let Some(pattern) = self.0.strip_prefix('/') {
            self.0 = pattern;
            self.pattern('/')?;
            self.0 = self.0.trim_start_matches('I');
        } else {
            self.0 = self.0.trim_start_matches(|c: char| c.is_ascii_digit() || c == '$' || c == '~' || c == '+');
        }
        self.0 = self.0.trim_start_matches(' ');
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_read_in_full_is_harmless() {
        for script in [
            "p",
            "1,10p;20q",
            "$d",
            "/x/d",
            "/a/,/b/{s/c/d/g;p}",
            "s/a/b/;s|c|d|2",
            "s/a\\/b/c/g",
            "y/ab/cd/",
            "2!d",
            "",
            "s/[ab]/x/",
            "s/[^/]*$//",
            "s/[]/]/x/",
            "/[^/]x/d",
            "1i // header",
            "/x/a\\  y",
            "a\\\none\\\ntwo\np",
            "c x;e rm",
            ":a;N;$!ba;s/\\n/,/g",
            ":a; s/x/y/; ta",
        ] {
            assert!(Script(script).harmless(), "{script}");
        }
        for script in [
            "e",
            "1e rm x",
            "s/a/b/e",
            "s/a/b/w out",
            "w out",
            "s/a/b/ge",
            "r x",
            "W x",
            "1i x\\",
            "i x\ne rm",
            "i x\\\\\ne rm",
            "a\\\nx\ne rm",
            ":a;e rm",
            "b a;w x",
            "s/a/b",
            "s/a/b/;e rm",
            "p;w x",
            "R /etc/passwd",
            "s/[/]/x/e",
            "s/[]/]/x/e",
            "s/a/[/;e x",
            "s/[[:alpha:]/e]/b/",
            "{s/a/b/;e x}",
            "y/a/b/;e",
            "F",
            "s\nae\nb\n",
        ] {
            assert!(!Script(script).harmless(), "{script}");
        }
    }
}
