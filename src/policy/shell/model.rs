//! What an analysis says.

use super::MOST_COMMANDS;
use super::place::Place;
use crate::base::one_line;

/// What a command would do, as far as its text tells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Analysis {
    /// Every simple command that could run: of chains, pipes, substitutions, and those that other programs run.
    pub commands: Vec<Simple>,
    /// Files that it names for reading or writing, where that is plain.
    pub files: Vec<Target>,
    /// Hosts that the shell itself connects to, as written.
    pub hosts: Vec<Word>,
    /// Directories that it changes to, as written; unknown ones empty.
    pub directories: Vec<String>,
    /// What could not be understood. Any of them means: ask.
    pub marks: Vec<Mark>,
}

/// One simple command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simple {
    /// Its name and arguments.
    pub words: Vec<Word>,
    /// The same without the program's own options before its subcommand, if it has some: `git push` for
    /// `git -C x push`. Rules that deny or ask are held against both.
    pub plain: Option<Vec<Word>>,
    /// The command that runs it, by place in [`Analysis::commands`]: `sudo` for what follows `sudo`. None for those
    /// that the shell itself runs.
    pub within: Option<usize>,
    /// What kind of program it is.
    pub kind: Kind,
}

/// What kind of program a command runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// One that does what it is for.
    Plain,
    /// One that only runs what follows it, such as `nohup`: what it runs is judged, and that is enough.
    Carrier,
    /// One that runs what its arguments or its input say, such as an interpreter, `env` or `find -exec`: no rule that
    /// ends in `*` allows it, and no answer is remembered for more than the exact call. Says why.
    Runner(String),
    /// A runner of which nobody can say from its words what it does: code in another language, settings that name
    /// programs. Where a rule denies or asks, such a call asks in every mode. Says why.
    Unseen(String),
    /// Perhaps what another program runs: only rules that deny or ask are looked at, and each of them asks.
    Guess,
}

/// One word of a command, as the program gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Its text, without quotes; of an unknown word what surely stands at its beginning.
    pub text: String,
    /// How much of it is known.
    pub known: Known,
    /// Whether it may become none or several words.
    pub many: bool,
}

/// How much of a word is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// All.
    All,
    /// It is a pattern for names of files.
    Pattern,
    /// Only its beginning.
    Start,
}

impl Word {
    /// A word that is known.
    #[must_use]
    pub fn literal(text: impl Into<String>) -> Self {
        Self { text: text.into(), known: Known::All, many: false }
    }

    /// A word that only running tells, perhaps several.
    pub(super) fn unknown() -> Self {
        Self { text: String::new(), known: Known::Start, many: true }
    }

    /// Its text, if it is known for certain.
    #[must_use]
    pub fn exact(&self) -> Option<&str> {
        (self.known == Known::All).then_some(self.text.as_str())
    }

    /// Whether it could be an option: it begins with a dash, or its beginning is not known.
    pub(super) fn may_be_option(&self) -> bool {
        let open = match self.known {
            Known::All => false,
            Known::Start => self.text.is_empty(),
            Known::Pattern => self.text.starts_with(['*', '?', '[']),
        };
        open || self.text.starts_with('-')
    }
}

/// A file that a command names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Where it may be: several places after a change of directory.
    pub places: Vec<Place>,
    /// What happens to it.
    pub how: FileUse,
    /// The words that name it, for people.
    pub part: String,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileUse {
    /// The shell itself, or `tee`, writes it: judged like the tool `write`.
    Write,
    /// A program that is known to write what its arguments name: rules that deny or ask hold.
    WriteByProgram,
    /// A program writes it, or something below it.
    WriteBelow,
    /// It is read: rules that deny or ask hold.
    Read,
    /// It is read with all that is below it.
    ReadBelow,
    /// The same without what is hidden: names that begin with a dot.
    ReadShown,
    /// It is named as an argument: rules that deny or ask reading hold if they fit it exactly.
    Named,
    /// The same for a program that may go through a directory: rules about reading what lies below ask.
    Handed,
    /// The same for a program of which nobody knows what it does with it: rules about writing ask.
    Used,
    /// A part of a word may name it: rules about reading and writing ask.
    Perhaps,
}

/// Something that could not be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Why, in words.
    pub why: String,
    /// The text that it is about, shortened to one line.
    pub part: String,
}

impl Analysis {
    pub(super) fn mark(&mut self, why: impl Into<String>, part: &str) {
        // The first few say enough.
        if self.marks.len() < 16 {
            let part: String = one_line(part.get(..400).unwrap_or(part)).chars().take(60).collect();
            let mark = Mark { why: why.into(), part };
            if !self.marks.contains(&mark) {
                self.marks.push(mark);
            }
        }
    }

    /// Adds a command; none when there are too many.
    pub(super) fn push(&mut self, simple: Simple) -> Option<usize> {
        if self.commands.len() >= MOST_COMMANDS {
            self.mark("it comes to too many commands", "");
            return None;
        }
        self.commands.push(simple);
        Some(self.commands.len() - 1)
    }
}

impl Simple {
    /// The command in one line, for people.
    #[must_use]
    pub fn shown(&self) -> String {
        let word = |word: &Word| match word.known {
            Known::All | Known::Pattern => word.text.clone(),
            Known::Start => format!("{}…", word.text),
        };
        let words: Vec<String> = self.words.iter().take(12).map(word).collect();
        let text: String = one_line(&words.join(" ")).chars().take(80).collect();
        text
    }
}
