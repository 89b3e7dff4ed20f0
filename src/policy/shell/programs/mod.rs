//! What is known of programs: which run others, which run their own arguments, which write files.
//!
//! A program that is not known here is taken for one that does what it is for. The rules judge it by its words, so
//! what matters is that nothing slips through a rule for another command: that is, programs that run commands.

mod files;
mod git;
mod git_files;
mod git_settings;
mod interpreters;
mod launchers;
mod operands;
mod options;
mod runners;
mod scripts;
mod sed;
mod shells;
mod wrappers;

use super::model::{FileUse, Kind, Word};
use shells::is_stream;

/// What is known of one command.
#[derive(Debug)]
pub(super) struct Look {
    /// The kind of its program.
    pub kind: Kind,
    /// Commands that it runs, as words.
    pub inner: Vec<Vec<Word>>,
    /// Commands that it may run: where their words begin.
    pub guesses: Vec<usize>,
    /// Commands that it may run, as words that do not stand as such in its own.
    pub perhaps: Vec<Vec<Word>>,
    /// Texts that it hands to a shell.
    pub scripts: Vec<String>,
    /// What it does that cannot be seen.
    pub marks: Vec<String>,
    /// Files that it reads and writes.
    pub files: Vec<(Word, FileUse)>,
    /// The same for paths that begin at the directory in which everything began.
    pub top: Vec<(Word, FileUse)>,
    /// What its words mean beside its options is known, so that none of them is a file that it may write.
    pub told: bool,
    /// Its words are handed to what it runs, which may go through the directories that they name.
    pub handed: bool,
    /// Its words are those of a program of which nobody knows what it does with them.
    pub unknown: bool,
    /// The place of the word that says what it does, and is no file.
    pub verb: Option<usize>,
    /// The place of the word that names the file which it runs.
    pub script: Option<usize>,
    /// The directory that the shell changes to.
    pub directory: Option<Word>,
    /// Directories that it goes to before it does anything, one after another.
    pub at: Vec<Word>,
    /// Variables that it sets in the shell; true for those that programs get.
    pub variables: Vec<(String, bool)>,
    /// Its words without the options before its subcommand.
    pub plain: Option<Vec<Word>>,
}

impl Look {
    fn plain() -> Self {
        Self {
            kind: Kind::Plain,
            inner: Vec::new(),
            guesses: Vec::new(),
            perhaps: Vec::new(),
            scripts: Vec::new(),
            marks: Vec::new(),
            files: Vec::new(),
            top: Vec::new(),
            told: false,
            handed: false,
            unknown: false,
            verb: None,
            script: None,
            directory: None,
            at: Vec::new(),
            variables: Vec::new(),
            plain: None,
        }
    }

    /// It runs what its arguments say.
    fn runs(&mut self, why: impl Into<String>) {
        if !matches!(self.kind, Kind::Runner(_) | Kind::Unseen(_)) {
            self.kind = Kind::Runner(why.into());
        }
    }

    /// It runs something, and what that is cannot be seen.
    fn hides(&mut self, why: impl Into<String>) {
        if !matches!(self.kind, Kind::Unseen(_)) {
            self.kind = Kind::Unseen(why.into());
        }
    }

    /// It runs a file, or takes its settings from one; what stands in an open descriptor nobody has seen.
    fn runs_file(&mut self, why: impl Into<String>, file: Option<&Word>) {
        if file.is_some_and(is_stream) { self.hides(why) } else { self.runs(why) }
    }

    /// It runs a command line that stands in one word.
    fn runs_text(&mut self, why: String, text: Option<Word>) {
        match text.as_ref().and_then(Word::exact) {
            Some(text) => {
                self.scripts.push(text.to_owned());
                self.runs(why);
            }
            None => self.hides(why),
        }
    }

    fn mark(&mut self, why: impl Into<String>) {
        self.marks.push(why.into());
    }
}

/// What a command does, by its words; the first is its name.
pub(super) fn look(words: &[Word]) -> Look {
    let mut look = Look::plain();
    let Some(name) = words.first().and_then(Word::exact) else {
        look.runs("its name is only known when it runs");
        return look;
    };
    let base = base_name(name);
    let args = words.get(1..).unwrap_or_default();
    let known = shells::look(base, words, &mut look)
        || wrappers::look(base, words, &mut look)
        || runners::look(base, words, &mut look);
    // What those do with their words is followed, or done by what they run.
    look.told = known;
    if !known {
        match base {
            "git" => git::look(words, &mut look),
            "awk" | "gawk" | "mawk" | "nawk" => scripts::awk(args, &mut look),
            "sed" | "gsed" => {
                look.told = true;
                sed::look(args, &mut look);
            }
            _ if base.starts_with("git-") => {
                look.runs(format!("`{base}` is a command of git"));
                let sub = Word::literal(base.trim_start_matches("git-"));
                look.inner.push([Word::literal("git"), sub].into_iter().chain(args.iter().cloned()).collect());
            }
            _ => options::look(base, args, &mut look),
        }
        files::look(base, args, &mut look);
    }
    look
}

/// The name of a program without its directory.
pub(super) fn base_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Whether a word sets a variable, as `env` and `sudo` take them.
fn assignment(word: &Word) -> Option<&str> {
    let (name, _) = word.text.split_once('=')?;
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (begins && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')).then_some(name)
}
