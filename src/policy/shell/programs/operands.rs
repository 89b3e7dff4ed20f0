//! The words of a call in parts: what its options take, and what is left.

use super::super::model::Word;

/// What an option does with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// It is a file that is read.
    Reads,
    /// It is a file that is written.
    Writes,
    /// It is a directory into which something is written.
    WritesBelow,
    /// It is a file with names of files that are read.
    List,
    /// It is the archive that tar reads or writes.
    Archive,
    /// It is the directory into which all operands are copied.
    Into,
    /// It is the directory in which the operands lie.
    From,
    /// It is the directory to which the program goes at first.
    At,
    /// It is no file.
    Text,
}

use Takes::{Archive, At, From, Into, List, Reads, Text, Writes, WritesBelow};

/// Short options and long ones that do the same; of the long ones any beginning counts.
type Options = (Takes, &'static str, &'static [&'static str]);

const COPY: &[Options] = &[(Into, "t", &["--target-directory"]), (Text, "S", &["--suffix", "--backup"])];
const COMPILER: &[Options] =
    &[(Writes, "o", &["--output", "--outFile"]), (WritesBelow, "", &["--out-dir", "--outDir"]), (Text, "IDLlWUx", &[])];
const TAR: &[Options] = &[
    (Archive, "f", &["--file"]),
    (From, "C", &["--directory", "--cd"]),
    (List, "T", &["--files-from"]),
    (Reads, "X", &["--exclude-from"]),
    (Text, "bHIVNKFgL", &["--exclude", "--transform", "--format", "--owner", "--group", "--mode", "--label"]),
    (Writes, "", &["--index-file"]),
];
const GREP: &[Options] = &[(Text, "eABCmdD", &["--regexp", "--include", "--exclude"]), (Reads, "f", &["--file"])];

const TABLE: &[(&[&str], &[Options])] = &[
    (&["cp", "mv", "ln"], COPY),
    (
        &["install"],
        &[
            (Into, "t", &["--target-directory"]),
            (Text, "mogS", &["--mode", "--owner", "--group", "--suffix", "--strip-program"]),
        ],
    ),
    (
        &["sort"],
        &[
            (Writes, "o", &["--output"]),
            (WritesBelow, "T", &["--temporary-directory"]),
            (Text, "ktS", &["--key", "--field-separator", "--buffer-size", "--parallel", "--batch-size"]),
            (List, "", &["--files0-from"]),
        ],
    ),
    (&["shuf"], &[(Writes, "o", &["--output"]), (Text, "in", &["--input-range", "--head-count"])]),
    (&["wc", "du"], &[(List, "", &["--files0-from"])]),
    (
        &["curl", "curlie"],
        &[
            (
                Writes,
                "oDc",
                &[
                    "--output",
                    "--dump-header",
                    "--cookie-jar",
                    "--trace",
                    "--trace-ascii",
                    "--stderr",
                    "--libcurl",
                    "--etag-save",
                    "--hsts",
                    "--alt-svc",
                ],
            ),
            (WritesBelow, "", &["--output-dir"]),
            (
                Reads,
                "TbE",
                &["--upload-file", "--cookie", "--cert", "--key", "--cacert", "--netrc-file", "--etag-compare"],
            ),
            (Text, "XHAeUumwYyzrCtQP", &["--request", "--header", "--user-agent", "--user", "--max-time"]),
        ],
    ),
    (
        &["wget", "wget2"],
        &[
            (
                Writes,
                "Ooa",
                &[
                    "--output-document",
                    "--output-file",
                    "--append-output",
                    "--save-cookies",
                    "--warc-file",
                    "--rejected-log",
                    "--hsts-file",
                ],
            ),
            (WritesBelow, "P", &["--directory-prefix"]),
            (Reads, "i", &["--input-file", "--load-cookies", "--post-file", "--body-file", "--certificate"]),
            (Text, "tTQUlADRIXweB", &["--tries", "--timeout", "--quota", "--user-agent", "--header", "--level"]),
        ],
    ),
    (&["gpg", "gpg2", "age", "minisign"], &[(Writes, "o", &["--output"])]),
    (&["gcc", "g++", "cc", "c++", "clang", "clang++", "rustc", "ld", "as", "tsc"], COMPILER),
    (&["tar", "gtar", "bsdtar"], TAR),
    (&["unzip", "7z", "7za"], &[(WritesBelow, "do", &[])]),
    (
        &["rsync"],
        &[
            (List, "", &["--files-from"]),
            (Reads, "", &["--exclude-from", "--include-from", "--password-file"]),
            (Writes, "", &["--log-file", "--write-batch"]),
            (WritesBelow, "T", &["--temp-dir", "--backup-dir", "--partial-dir"]),
            (Text, "eBfM", &["--rsh", "--exclude", "--include", "--filter"]),
        ],
    ),
    (&["scp", "sftp"], &[(Reads, "iF", &[]), (Text, "cJlOoPSXD", &[])]),
    (
        &["patch"],
        &[(Writes, "or", &["--output", "--reject-file"]), (Reads, "i", &["--input"]), (At, "d", &["--directory"])],
    ),
    (&["make", "gmake"], &[(At, "C", &["--directory"]), (Reads, "f", &["--file", "--makefile"]), (Text, "jlIo", &[])]),
    (&["ninja"], &[(At, "C", &[]), (Reads, "f", &[])]),
    (&["touch", "truncate", "chmod", "chown"], &[(Reads, "r", &["--reference"]), (Text, "tds", &["--date", "--size"])]),
    (&["head", "tail"], &[(Text, "nc", &["--lines", "--bytes"])]),
    (&["cut", "paste", "join", "fold"], &[(Text, "dfcbw", &["--delimiter", "--fields", "--characters"])]),
    (&["grep", "egrep", "fgrep", "zgrep"], GREP),
    (&["jq", "yq"], &[(Reads, "f", &["--from-file"])]),
    (&["awk", "gawk"], &[(Text, "Fv", &["--assign", "--field-separator"]), (Reads, "f", &["--file"])]),
    (&["split", "csplit"], &[(Text, "abClnk", &[]), (Writes, "f", &["--prefix"])]),
    (&["mktemp"], &[(WritesBelow, "p", &["--tmpdir"])]),
    (&["iconv"], &[(Writes, "o", &["--output"]), (Text, "ft", &["--from-code", "--to-code"])]),
    (&["base64"], &[(Writes, "o", &["--output"]), (Reads, "i", &["--input"]), (Text, "w", &["--wrap"])]),
    (&["less"], &[(Writes, "oO", &["--log-file", "--LOG-FILE"])]),
    (&["xz", "zstd", "unzstd", "lz4", "brotli"], &[(Writes, "o", &[])]),
    (&["go"], &[(Writes, "o", &[]), (Text, "", &["--run", "--tags", "--count"])]),
    (
        &["pytest"],
        &[
            (Writes, "", &["--junit-xml", "--junitxml", "--report-log", "--log-file"]),
            (WritesBelow, "", &["--basetemp"]),
        ],
    ),
    (&["cargo"], &[(WritesBelow, "", &["--target-dir", "--out-dir", "--artifact-dir", "--root"])]),
    (&["npm", "pnpm"], &[(WritesBelow, "", &["--pack-destination", "--prefix"])]),
];

/// The parts of a call.
#[derive(Debug, Default)]
pub(super) struct Operands {
    /// What options take.
    pub taken: Vec<(Takes, Word)>,
    /// What no option takes, without options.
    pub words: Vec<Word>,
}

impl Operands {
    /// The parts of the arguments of a program.
    pub fn of(base: &str, args: &[Word]) -> Self {
        let options = TABLE.iter().find(|(names, _)| names.contains(&base)).map(|(_, options)| *options);
        let mut all = Self::default();
        all.read(options.unwrap_or_default(), args, base.ends_with("tar"));
        all
    }

    fn read(&mut self, options: &[Options], args: &[Word], old: bool) {
        let short = |letter: char| options.iter().find(|(_, letters, _)| letters.contains(letter)).map(|(t, ..)| *t);
        let long = |name: &str| {
            let known = |exact: bool| {
                let fits = |option: &&str| if exact { **option == *name } else { option.starts_with(name) };
                options.iter().find(|(_, _, names)| names.iter().any(&fits)).map(|(t, ..)| *t)
            };
            known(true).or_else(|| known(false).filter(|_| name.len() >= 4))
        };
        let mut rest = args.iter();
        let mut first = true;
        while let Some(word) = rest.next() {
            let first = std::mem::take(&mut first);
            let Some(text) = word.exact() else {
                // `--output=$x`, `-o$x`.
                let start = word.text.split_once('=').map_or("", |(name, _)| name);
                let joined = word.text.strip_prefix('-').and_then(|letters| letters.chars().next()).and_then(short);
                match long(start).filter(|_| start.starts_with("--")).or(joined) {
                    Some(takes) => self.taken.push((takes, Word::unknown())),
                    None => self.words.push(word.clone()),
                }
                continue;
            };
            if text == "--" {
                self.words.extend(rest.cloned());
                return;
            }
            if text.starts_with("--") {
                let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
                if let Some(takes) = long(name) {
                    let value = value.map(Word::literal).or_else(|| rest.next().cloned());
                    self.taken.extend(value.map(|value| (takes, value)));
                }
            } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
                let found =
                    letters.char_indices().find_map(|(at, letter)| Some((at + letter.len_utf8(), short(letter)?)));
                if let Some((after, takes)) = found {
                    let joined = letters.get(after..).filter(|joined| !joined.is_empty());
                    let value = joined.map(Word::literal).or_else(|| rest.next().cloned());
                    self.taken.extend(value.map(|value| (takes, value)));
                }
            } else if old && first {
                // `tar cfC FILE DIRECTORY`: each letter takes its own of the words that follow.
                for takes in text.chars().filter_map(short) {
                    self.taken.extend(rest.next().map(|value| (takes, value.clone())));
                }
            } else if text != "-" {
                self.words.push(word.clone());
            }
        }
    }
}
