//! Programs that are known to read or write the files that they name.

use super::super::model::{FileUse, Word};
use super::Look;
use super::operands::{Operands, Takes};

/// Programs that only read what they name.
const READERS: &[&str] = &[
    "cat",
    "head",
    "tail",
    "less",
    "more",
    "nl",
    "od",
    "xxd",
    "hexdump",
    "wc",
    "strings",
    "base64",
    "base32",
    "cut",
    "diff",
    "cmp",
    "grep",
    "egrep",
    "fgrep",
    "zgrep",
    "zcat",
    "rg",
    "ag",
    "ack",
    "jq",
    "paste",
    "comm",
    "join",
    "tac",
    "rev",
    "fold",
    "fmt",
    "pr",
    "expand",
    "md5sum",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "b2sum",
    "cksum",
    "file",
    "bat",
    "column",
    "awk",
    "gawk",
    "uniq",
    "yq",
    "iconv",
];

/// Programs whose words are text, or names of files whose content they leave alone.
const LOOKERS: &[&str] = &[
    "echo", "printf", "true", "false", "test", "[", "[[", "cd", "pushd", "popd", "pwd", "ls", "stat", "du", "df",
    "tree", "find", "gfind", "fd", "fdfind", "which", "type", "command", "basename", "dirname", "realpath", "readlink",
    "git", "export", "set", "unset", "read", "date", "sleep", "kill", "wait", "seq", "tr", "env", "xargs", "ps",
    "cargo", "npm", "pnpm", "yarn", "go", "make", "gmake", "rustfmt", "tsc", "pytest", "python", "python3", "node",
    "perl", "ruby",
];

/// Programs that change what they name.
const WRITERS: &[&str] = &[
    "touch", "mkdir", "rm", "rmdir", "unlink", "shred", "truncate", "mkfifo", "mknod", "chmod", "chown", "chgrp",
    "setfacl", "chattr", "patch", "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzip", "dos2unix",
    "unix2dos", "rename", "mktemp", "split", "csplit",
];

/// Adds the files of a call.
pub(super) fn look(base: &str, args: &[Word], look: &mut Look) {
    look.told |= LOOKERS.contains(&base);
    let mut files = Files { base, given: Operands::of(base, args), args, look };
    match base {
        "tee" | "sponge" => files.all(FileUse::Write),
        _ if WRITERS.contains(&base) => {
            files.all(if recursive(args) { FileUse::WriteBelow } else { FileUse::WriteByProgram });
            if base == "patch" {
                // Which files it changes stands in what it reads.
                files.add([Word::unknown()], FileUse::WriteByProgram);
            }
        }
        "cp" | "mv" | "install" | "ln" | "rsync" | "scp" => files.copies(),
        "tar" | "gtar" | "bsdtar" => files.tar(),
        "zip" | "7z" | "7za" | "ar" | "jar" | "rar" => {
            let skip = usize::from(base != "zip");
            let mut words = files.given.words.iter().skip(skip).cloned();
            let archive = words.next();
            let sources: Vec<Word> = words.collect();
            files.add(archive, FileUse::WriteByProgram);
            files.add(sources, FileUse::ReadBelow);
        }
        "cpio" | "pax" => {
            files.all(FileUse::ReadBelow);
            // The names come from elsewhere.
            files.add([Word::unknown()], FileUse::Read);
        }
        "mount" | "bindfs" | "ctags" | "cloc" => files.all(FileUse::ReadBelow),
        "sort" | "shuf" => files.all(FileUse::Read),
        _ if READERS.contains(&base) => files.reads(),
        _ => {}
    }
    files.taken();
    match base {
        "uniq" => {
            let written: Option<Word> = files.given.words.get(1).cloned();
            files.add(written, FileUse::WriteByProgram);
        }
        "yq" if args.iter().any(|word| word.text.starts_with("-i") || word.text == "--inplace") => {
            files.all(FileUse::WriteByProgram);
        }
        "dd" => {
            let written = args.iter().filter_map(|word| word.text.strip_prefix("of=").map(|of| with_text(word, of)));
            let written: Vec<Word> = written.collect();
            files.add(written, FileUse::WriteByProgram);
        }
        _ => {}
    }
}

/// A word with another text, as far known as before.
fn with_text(word: &Word, text: &str) -> Word {
    Word { text: text.to_owned(), ..word.clone() }
}

struct Files<'a, 'b> {
    base: &'a str,
    given: Operands,
    args: &'a [Word],
    look: &'b mut Look,
}

impl Files<'_, '_> {
    fn add(&mut self, words: impl IntoIterator<Item = Word>, how: FileUse) {
        self.look.told = true;
        self.look.files.extend(words.into_iter().map(|word| (word, how)));
    }

    fn all(&mut self, how: FileUse) {
        let words = self.given.words.clone();
        self.add(words, how);
    }

    fn reads(&mut self) {
        let Self { base, args, .. } = *self;
        let trees = match base {
            "rg" | "ag" | "ack" => true,
            "grep" | "egrep" | "fgrep" | "zgrep" | "diff" => recursive(args),
            _ => false,
        };
        let given = |word: &Word| {
            let text = word.text.as_str();
            matches!(text, "-e" | "-f" | "--regexp" | "--file" | "--files")
                || text.starts_with("--regexp=")
                || text.starts_with("--file=")
                || (text.len() > 2 && !text.starts_with("--") && (text.starts_with("-e") || text.starts_with("-f")))
        };
        // The first word may be no file but a pattern.
        let first = match base {
            "rg" | "ag" | "ack" | "grep" | "egrep" | "fgrep" | "zgrep" => usize::from(!args.iter().any(given)),
            _ => 0,
        };
        let files: Vec<Word> = self.given.words.iter().skip(first).cloned().collect();
        if trees && files.is_empty() {
            self.add([Word::literal(".")], FileUse::ReadBelow);
        }
        self.add(files, if trees { FileUse::ReadBelow } else { FileUse::Read });
    }

    fn copies(&mut self) {
        let Self { base, args, .. } = *self;
        let target = self.given.taken.iter().find(|(takes, _)| *takes == Takes::Into).map(|(_, word)| word.clone());
        let mut sources = self.given.words.clone();
        let last = if target.is_some() { target.clone() } else { sources.pop() };
        // A link shows all that lies below what it leads to.
        let trees = matches!(base, "mv" | "ln") || matches!(base, "cp" | "rsync" | "scp") && copies_trees(args);
        let into = |source: &Word| {
            let name = source.exact()?.trim_end_matches('/').rsplit('/').next()?.to_owned();
            Some(Word::literal(format!("{}/{name}", last.as_ref()?.exact()?.trim_end_matches('/'))))
        };
        // Copied into a directory, a file keeps its name.
        let inside: Vec<Word> = sources.iter().filter_map(into).collect();
        if base == "ln" {
            let seen = sources.iter().flat_map(|source| from_link(source, last.as_ref()));
            let seen: Vec<Word> = seen.collect();
            self.add(seen, FileUse::ReadBelow);
        }
        if base == "mv" {
            self.add(sources.clone(), FileUse::WriteBelow);
        }
        self.add(sources, if trees { FileUse::ReadBelow } else { FileUse::Read });
        let how =
            if trees && matches!(base, "cp" | "rsync" | "scp") { FileUse::WriteBelow } else { FileUse::WriteByProgram };
        self.add(last, how);
        self.add(inside, FileUse::WriteByProgram);
    }

    fn tar(&mut self) {
        let takes_out = takes_out(self.args);
        let sources = self.given.words.clone();
        let directories: Vec<Word> =
            self.given.taken.iter().filter(|(takes, _)| *takes == Takes::From).map(|(_, word)| word.clone()).collect();
        let how = if takes_out { FileUse::Named } else { FileUse::ReadBelow };
        for directory in &directories {
            let within = |source: &Word| match (directory.exact(), source.exact()) {
                (Some(directory), Some(source)) if !source.starts_with('/') => {
                    Word::literal(format!("{directory}/{source}"))
                }
                _ => source.clone(),
            };
            let within: Vec<Word> = sources.iter().map(within).collect();
            self.add(within, how);
        }
        self.add(sources, how);
        if extracts(self.args) {
            let into = if directories.is_empty() { vec![Word::literal(".")] } else { directories };
            self.add(into, FileUse::WriteBelow);
        }
    }

    /// What its options take.
    fn taken(&mut self) {
        for (takes, word) in self.given.taken.clone() {
            match takes {
                Takes::Reads => self.add([word], FileUse::Read),
                Takes::Writes => self.add([word], FileUse::WriteByProgram),
                Takes::WritesBelow => self.add([word], FileUse::WriteBelow),
                // Names of files that stand in a file.
                Takes::List => self.add([word, Word::unknown()], FileUse::Read),
                Takes::Archive => {
                    let how = if takes_out(self.args) { FileUse::Read } else { FileUse::WriteByProgram };
                    self.add([word], how);
                }
                Takes::At => self.look.at.push(word),
                Takes::Into | Takes::From | Takes::Text => {}
            }
        }
    }
}

/// What a link leads to: as it stands, and as it is seen from where the link is.
fn from_link(source: &Word, link: Option<&Word>) -> Vec<Word> {
    let Some((to, link)) = source.exact().zip(link.and_then(Word::exact)).filter(|(to, _)| !to.starts_with('/')) else {
        return vec![source.clone()];
    };
    let parent = link.trim_end_matches('/').rsplit_once('/').map_or(".", |(parent, _)| parent);
    [parent, link].map(|from| Word::literal(format!("{from}/{to}"))).to_vec()
}

/// Whether a letter or a long option says that directories are gone through.
fn recursive(args: &[Word]) -> bool {
    let short =
        |word: &Word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains(['r', 'R']);
    let long = |word: &Word| {
        let name = word.text.split('=').next().unwrap_or_default();
        name.len() > 4 && ("--recursive".starts_with(name) || "--dereference-recursive".starts_with(name))
            || matches!(word.text.as_str(), "--directories=recurse" | "-drecurse")
    };
    args.iter().any(|word| short(word) || long(word)) || args.windows(2).any(|two| is(two, "-d", "recurse"))
}

fn is(two: &[Word], first: &str, second: &str) -> bool {
    two.iter().map(|word| word.text.as_str()).eq([first, second])
}

/// The same for programs that copy.
fn copies_trees(args: &[Word]) -> bool {
    let short = |word: &Word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('a');
    let links = |word: &Word| matches!(word.text.as_str(), "-s" | "-l" | "--symbolic-link" | "--link");
    recursive(args) || args.iter().any(|word| short(word) || links(word) || word.text == "--archive")
}

/// Whether tar surely only looks into an archive, or takes files out of it.
fn takes_out(args: &[Word]) -> bool {
    let letters = args.first().and_then(Word::exact).filter(|first| !first.starts_with("--"));
    let long = || args.iter().any(|word| matches!(word.text.as_str(), "--extract" | "--get" | "--list"));
    let own = |letters: &str| {
        // What follows `f` may belong to its value.
        letters.trim_start_matches('-').split('f').next().unwrap_or_default().to_owned()
    };
    letters.map_or_else(long, |letters| {
        let (all, own) = (letters, own(letters));
        (all.contains(['x', 't']) && !all.contains(['c', 'r', 'u', 'A']))
            || (own.contains(['x', 't']) && !own.contains(['c', 'r', 'u', 'A']))
    })
}

/// Whether tar takes files out, or may.
fn extracts(args: &[Word]) -> bool {
    let Some(first) = args.first() else { return false };
    let letters = first.text.trim_start_matches('-');
    let long = args.iter().any(|word| matches!(word.text.as_str(), "--extract" | "--get"));
    long || first.exact().is_none() || (!first.text.starts_with("--") && letters.contains('x'))
}
