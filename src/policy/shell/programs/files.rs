//! Programs that are known to read or write the files that they name.

use super::super::model::{FileUse, Word};
use super::Look;

/// Adds the files of a call.
pub(super) fn look(base: &str, args: &[Word], look: &mut Look) {
    let named: Vec<&Word> = args.iter().filter(|word| !word.text.starts_with('-')).collect();
    let mut all = |words: &[&Word], how: FileUse| {
        look.files.extend(words.iter().map(|word| ((*word).clone(), how)));
    };
    match base {
        "tee" => all(&named, FileUse::Write),
        "touch" | "mkdir" | "rm" | "rmdir" | "unlink" | "shred" | "truncate" | "mkfifo" | "mknod" | "chmod"
        | "chown" | "chgrp" | "setfacl" | "chattr" | "patch" | "gzip" | "gunzip" | "bzip2" | "xz" | "unzip" => {
            all(&named, if recursive(args) { FileUse::WriteBelow } else { FileUse::WriteByProgram });
        }
        "cp" | "mv" | "install" | "ln" | "rsync" | "scp" => {
            let (last, sources) = named.split_last().map_or((None, &[][..]), |(last, rest)| (Some(*last), rest));
            let trees = base == "mv" || matches!(base, "cp" | "rsync" | "scp") && copies_trees(args);
            all(sources, if trees { FileUse::ReadBelow } else { FileUse::Read });
            if base == "mv" {
                all(sources, FileUse::WriteBelow);
            }
            // Copied into a directory, a file keeps its name.
            let into = |source: &&Word| {
                let name = source.exact()?.trim_end_matches('/').rsplit('/').next()?.to_owned();
                Some(Word::literal(format!("{}/{name}", last?.exact()?.trim_end_matches('/'))))
            };
            let inside: Vec<Word> = sources.iter().filter_map(into).collect();
            let how = if trees && base != "mv" { FileUse::WriteBelow } else { FileUse::WriteByProgram };
            all(&last.into_iter().collect::<Vec<_>>(), how);
            all(&inside.iter().collect::<Vec<_>>(), FileUse::WriteByProgram);
        }
        "cat" | "head" | "tail" | "less" | "more" | "nl" | "od" | "xxd" | "hexdump" | "wc" | "strings" | "base64"
        | "sort" | "uniq" | "cut" | "diff" | "cmp" | "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "tar"
        | "zip" | "jq" | "yq" | "awk" | "gawk" | "paste" | "comm" | "join" | "tac" | "rev" | "fold" | "md5sum"
        | "sha256sum" | "file" | "bat" | "column" => {
            let trees = match base {
                "rg" | "ag" | "ack" => true,
                "tar" => !takes_out(args),
                "grep" | "egrep" | "fgrep" | "diff" | "zip" => recursive(args),
                _ => false,
            };
            // The first word may be no file but a pattern, or the letters of `tar cf`.
            let given = |word: &Word| matches!(word.text.as_str(), "-e" | "-f" | "--regexp" | "--file");
            let first = match base {
                "rg" | "ag" | "ack" | "grep" | "egrep" | "fgrep" => usize::from(!args.iter().any(given)),
                "tar" => usize::from(args.first().is_some_and(|word| !word.text.starts_with('-'))),
                _ => 0,
            };
            let files = named.get(first..).unwrap_or_default();
            all(files, if trees { FileUse::ReadBelow } else { FileUse::Read });
            if base != "tar" && trees && files.is_empty() {
                all(&[&Word::literal(".")], FileUse::ReadBelow);
            }
            if matches!(base, "tar") && extracts(args) && !args.iter().any(into_directory) {
                all(&[&Word::literal(".")], FileUse::WriteBelow);
            }
        }
        _ => {}
    }
    match base {
        "uniq" => look.files.extend(named.get(1).map(|word| ((*word).clone(), FileUse::WriteByProgram))),
        "yq" if args.iter().any(|word| word.text.starts_with("-i") || word.text == "--inplace") => {
            look.files.extend(named.iter().map(|word| ((*word).clone(), FileUse::WriteByProgram)));
        }
        _ => {}
    }
    // Options and operands that name a file to be written.
    let next = |at: usize| args.get(at + 1).cloned();
    for (at, word) in args.iter().enumerate() {
        let text = word.text.as_str();
        let file = match (base, text) {
            (
                "curl",
                "-o" | "--output" | "-D" | "--dump-header" | "-c" | "--cookie-jar" | "--trace" | "--trace-ascii",
            )
            | ("wget", "-O" | "--output-document" | "-o" | "--output-file")
            | ("sort" | "shuf" | "gpg", "-o" | "--output")
            | ("openssl", "-out")
            | ("cp" | "mv" | "install" | "ln", "-t" | "--target-directory")
            | ("tar", "-f" | "--file")
            | ("gcc" | "cc" | "clang" | "rustc", "-o") => next(at),
            ("dd", _) => text.strip_prefix("of=").map(Word::literal),
            ("curl" | "wget" | "sort" | "cp" | "mv" | "install" | "tar", _) if text.starts_with("--") => text
                .split_once('=')
                .filter(|(name, _)| {
                    ["--output", "--output-document", "--target-directory", "--directory", "--file"].contains(name)
                })
                .map(|(_, value)| Word::literal(value)),
            _ => None,
        };
        look.files.extend(file.map(|file| (file, FileUse::WriteByProgram)));
        let directory = match (base, text) {
            ("tar" | "bsdtar" | "gtar", "-C" | "--directory" | "--cd") | ("unzip", "-d") | ("make" | "gmake", "-C") => {
                next(at)
            }
            ("tar" | "bsdtar" | "gtar", _) if text.starts_with("-C") => text.get(2..).map(Word::literal),
            ("wget", "-P" | "--directory-prefix") => next(at),
            _ => None,
        };
        let how = if matches!(base, "make" | "gmake") { FileUse::Named } else { FileUse::WriteBelow };
        look.files.extend(directory.map(|directory| (directory, how)));
    }
}

/// Whether a letter or a long option says that directories are gone through.
fn recursive(args: &[Word]) -> bool {
    let short =
        |word: &Word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains(['r', 'R']);
    args.iter().any(|word| short(word) || matches!(word.text.as_str(), "--recursive" | "--dereference-recursive"))
}

/// The same for programs that copy.
fn copies_trees(args: &[Word]) -> bool {
    let short = |word: &Word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('a');
    recursive(args) || args.iter().any(|word| short(word) || word.text == "--archive")
}

/// Whether tar surely only looks into an archive, or takes files out of it.
fn takes_out(args: &[Word]) -> bool {
    let letters = args.first().and_then(Word::exact).filter(|first| !first.starts_with("--"));
    letters.is_some_and(|letters| letters.contains(['x', 't']) && !letters.contains(['c', 'r', 'u', 'A']))
}

/// Whether tar takes files out, or may.
fn extracts(args: &[Word]) -> bool {
    let Some(first) = args.first() else { return false };
    let letters = first.text.trim_start_matches('-');
    let long = args.iter().any(|word| matches!(word.text.as_str(), "--extract" | "--get"));
    long || first.exact().is_none() || (!first.text.starts_with("--") && letters.contains('x'))
}

fn into_directory(word: &Word) -> bool {
    word.text.starts_with("-C") || word.text.starts_with("--directory") || word.text == "--cd"
}
