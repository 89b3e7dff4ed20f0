//! Programs that are known to read or write the files that they name.

use super::super::model::{FileUse, Known, Word};
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
    "ggrep",
    "ugrep",
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
];

/// Programs that hand their words to what they run, and leave alone the files among them.
const RUNNERS: &[&str] = &["cargo", "npm", "pnpm", "yarn", "go", "make", "gmake", "tsc", "pytest"];

/// Programs that change what they name.
const WRITERS: &[&str] = &[
    "touch", "mkdir", "rm", "rmdir", "unlink", "shred", "truncate", "mkfifo", "mknod", "chmod", "chown", "chgrp",
    "setfacl", "chattr", "patch", "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd", "unzip",
    "dos2unix", "unix2dos", "rename", "mktemp", "split", "csplit",
];

/// Adds the files of a call.
pub(super) fn look(base: &str, args: &[Word], look: &mut Look) {
    look.told |= LOOKERS.contains(&base);
    look.handed |= RUNNERS.contains(&base);
    // These hand on to what writes.
    look.unknown |= base == "cargo" && args.iter().any(|word| matches!(word.text.as_str(), "run" | "r" | "fmt"));
    let mut files = Files { base, given: Operands::of(base, args), args, look };
    match base {
        "tee" | "sponge" => files.all(FileUse::Write),
        _ if WRITERS.contains(&base) => {
            files.all(if recursive(args) { FileUse::WriteBelow } else { FileUse::WriteByProgram });
            files.unpacked();
            let looks =
                |word: &Word| matches!(word.text.as_str(), "-l" | "-p" | "-t" | "-v" | "-Z" | "-d" | "-lv" | "-qql");
            if base == "unzip" && !args.iter().any(looks) {
                files.add([Word::literal(".")], FileUse::WriteBelow);
            }
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
            // `zip -r - .` writes to its output.
            let piped = base == "zip" && args.iter().any(|word| word.text == "-");
            let archive = if piped { None } else { words.next() };
            let sources: Vec<Word> = words.collect();
            files.add(archive, FileUse::WriteByProgram);
            files.add(sources, FileUse::ReadBelow);
            if base == "zip" && args.iter().any(|word| matches!(word.text.as_str(), "-@" | "--names-stdin")) {
                files.add([Word::unknown()], FileUse::Read);
            }
            let into = args.iter().any(|word| word.text.starts_with("-o") && base.starts_with('7'));
            let takes_out = |word: &Word| word.text.trim_start_matches('-').contains('x') || word.text == "e";
            if base != "zip" && !into && args.first().is_some_and(takes_out) {
                files.add([Word::literal(".")], FileUse::WriteBelow);
            }
        }
        "cpio" | "pax" => {
            files.all(FileUse::ReadBelow);
            // The names come from elsewhere.
            files.add([Word::unknown()], FileUse::Read);
        }
        "mount" | "bindfs" | "ctags" | "cloc" | "mksquashfs" | "mkisofs" | "genisoimage" | "xorriso" | "rclone"
        | "restic" | "borg" | "shar" | "ditto" | "duplicity" | "rdiff-backup" => {
            files.all(FileUse::ReadBelow);
            files.all(FileUse::WriteByProgram);
        }
        "sort" | "shuf" => files.all(FileUse::Read),
        _ if READERS.contains(&base) => files.reads(),
        _ => {}
    }
    files.taken();
    match base {
        "uniq" | "xxd" => {
            let written: Option<Word> = files.given.words.get(1).cloned();
            files.add(written, FileUse::WriteByProgram);
        }
        "yq" if args.iter().any(|word| {
            word.text.contains("load") || word.text.starts_with("-s") || word.text.starts_with("--split")
        }) =>
        {
            files.look.hides("`yq` can read and write other files");
        }
        "go" | "tsc" => files.single(),
        "yq" if args.iter().any(|word| word.text.starts_with("-i") || word.text == "--inplace") => {
            files.all(FileUse::WriteByProgram);
        }
        "curl" | "curlie" | "wget" | "wget2" => files.fetched(),
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
            // What is only listed is not read.
            "rg" if args.iter().any(|word| word.text == "--files") || is_asked(args) => return,
            "rg" | "ag" | "ack" => true,
            "grep" | "egrep" | "fgrep" | "zgrep" | "ggrep" | "ugrep" | "diff" => recursive(args),
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
            "rg" | "ag" | "ack" | "grep" | "egrep" | "fgrep" | "zgrep" | "ggrep" | "ugrep" => {
                usize::from(!args.iter().any(given))
            }
            _ => 0,
        };
        let files: Vec<Word> = self.given.words.iter().skip(first).cloned().collect();
        let files = if trees && files.is_empty() { vec![Word::literal(".")] } else { files };
        let how = match trees {
            true if base == "rg" && !self.hidden() => FileUse::ReadShown,
            true => FileUse::ReadBelow,
            false => FileUse::Read,
        };
        match self.included().filter(|_| trees) {
            Some(names) => {
                let below = |file: &Word| -> Vec<Word> {
                    let Some(text) = file.exact() else { return vec![file.clone()] };
                    let of = |name: &String| format!("{}/**/{name}", text.trim_end_matches('/'));
                    let pattern = |text: String| Word { text, known: Known::Pattern, many: true };
                    names.iter().map(|name| pattern(of(name))).chain([file.clone()]).collect()
                };
                let found: Vec<Word> = files.iter().flat_map(below).collect();
                self.add(found, FileUse::Read);
            }
            None => self.add(files, how),
        }
    }

    /// Whether rg may look into hidden files.
    fn hidden(&self) -> bool {
        let shows = |two: &[Word]| {
            let shows = |word: &Word| !word.text.starts_with('!');
            two.first().is_some_and(|one| matches!(one.text.as_str(), "-g" | "--glob")) && two.get(1).is_some_and(shows)
        };
        self.args.windows(2).any(shows)
            || self.args.iter().any(|word| {
                let text = word.text.as_str();
                let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
                let long =
                    ["--hidden", "--unrestricted", "--iglob", "--ignore-file", "--glob=", "--glob-case-insensitive"];
                word.exact().is_none() && word.may_be_option()
                    || letters.contains(['u', '.'])
                    || letters.contains('g') && letters != "g"
                    || text.len() > 3
                        && long.iter().any(|option| option.starts_with(text.split('=').next().unwrap_or(text)))
            })
    }

    /// The only names of files that grep looks into, by its options.
    fn included(&self) -> Option<Vec<String>> {
        let options: &[&str] = match self.base {
            "grep" | "egrep" | "fgrep" | "ggrep" => &["--include"],
            "rg" => &["-g", "--glob"],
            _ => return None,
        };
        let mut names = Vec::new();
        let mut rest = self.args.iter();
        while let Some(word) = rest.next() {
            let (option, value) = word.text.split_once('=').unwrap_or((word.text.as_str(), ""));
            if !options.contains(&option) {
                continue;
            }
            let name = if word.text.contains('=') { word.exact().map(|_| value)? } else { rest.next()?.exact()? };
            if name.starts_with('!') {
                continue;
            }
            if name.contains('/') {
                return None;
            }
            names.push(name.to_owned());
            // A star takes the dot at the beginning of a name too.
            if name.starts_with(['*', '?', '[', '{']) {
                names.push(format!(".{name}"));
            }
        }
        (!names.is_empty()).then_some(names)
    }

    fn copies(&mut self) {
        let Self { base, args, .. } = *self;
        let target = self.given.taken.iter().find(|(takes, _)| *takes == Takes::Into).map(|(_, word)| word.clone());
        let mut sources = self.given.words.clone();
        let last = if target.is_some() { target.clone() } else { sources.pop() };
        // A link shows all that lies below what it leads to.
        let trees = matches!(base, "mv" | "ln" | "rsync") || matches!(base, "cp" | "scp") && copies_trees(args);
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

    /// What a packed file becomes.
    fn unpacked(&mut self) {
        const PACKED: &[&str] = &[".gz", ".bz2", ".xz", ".zst", ".lz4", ".Z", ".lzma"];
        let bare = |word: &Word| {
            let text = word.exact()?;
            let end = PACKED.iter().find(|end| text.ends_with(**end))?;
            Some(Word::literal(text.strip_suffix(*end)?))
        };
        let bare: Vec<Word> = self.given.words.iter().filter_map(bare).collect();
        self.add(bare, FileUse::WriteByProgram);
    }

    /// Options that are long after one dash.
    fn single(&mut self) {
        const WRITES: &[&str] = &[
            "o",
            "coverprofile",
            "cpuprofile",
            "memprofile",
            "blockprofile",
            "mutexprofile",
            "trace",
            "outfile",
            "tsbuildinfofile",
            "generatetrace",
            "generatecpuprofile",
        ];
        const BELOW: &[&str] = &["outputdir", "pkgdir", "outdir", "declarationdir"];
        let mut rest = self.args.iter();
        while let Some(word) = rest.next() {
            let Some(option) = word.text.strip_prefix('-').map(|option| option.trim_start_matches('-')) else {
                continue;
            };
            let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
            let name = name.to_ascii_lowercase();
            let name = name.strip_prefix("test.").unwrap_or(&name);
            let (writes, below) = (WRITES.contains(&name), BELOW.contains(&name));
            if writes || below {
                let value = value.map(|value| with_text(word, value)).or_else(|| rest.next().cloned());
                let how = if below { FileUse::WriteBelow } else { FileUse::WriteByProgram };
                self.look.files.extend(value.map(|value| (value, how)));
            }
        }
    }

    /// What is fetched gets the name that it has at the end of its address, unless an option gives another.
    fn fetched(&mut self) {
        let curl = self.base.starts_with("curl");
        let named = |word: &Word| word.text.contains("%output{") || word.text == "--remote-header-name";
        let header =
            |word: &Word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('J');
        if curl && self.args.iter().any(|word| named(word) || header(word)) {
            self.add([Word::unknown()], FileUse::WriteByProgram);
        }
        let letters =
            |word: &Word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('O');
        let kept = |word: &Word| word.text.starts_with("--remote-name") || letters(word);
        if curl != self.args.iter().any(kept) {
            return;
        }
        let name = |word: &Word| {
            let text = word.exact()?.split(['?', '#']).next()?;
            let path = text.split_once("://").map_or(text, |(_, rest)| rest);
            let (_, name) = path.rsplit_once('/').filter(|(_, name)| !name.is_empty())?;
            Some(Word::literal(name))
        };
        let names: Vec<Word> = self.given.words.iter().filter_map(name).collect();
        self.add(names, FileUse::WriteByProgram);
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
                // curl makes several names of it.
                Takes::Reads if self.base.starts_with("curl") && word.text.contains(['{', '[']) => {
                    self.add([Word::unknown()], FileUse::Read);
                }
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

/// Whether it is only asked what it is.
fn is_asked(args: &[Word]) -> bool {
    matches!(args, [one] if matches!(one.text.as_str(), "--version" | "-V" | "--help" | "-h"))
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
    let long = |word: &Word| {
        let name = word.text.as_str();
        name.len() > 3 && ["--archive", "--symbolic-link", "--link"].iter().any(|option| option.starts_with(name))
    };
    let links = |word: &Word| matches!(word.text.as_str(), "-s" | "-l");
    recursive(args) || args.iter().any(|word| short(word) || long(word) || links(word))
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
