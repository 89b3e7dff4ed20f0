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
            all(&named, FileUse::WriteByProgram);
        }
        "cp" | "mv" | "install" | "ln" | "rsync" | "scp" => {
            let (last, sources) = named.split_last().map_or((None, &[][..]), |(last, rest)| (Some(*last), rest));
            all(sources, if base == "mv" { FileUse::WriteByProgram } else { FileUse::ReadBelow });
            if base == "mv" {
                all(sources, FileUse::ReadBelow);
            }
            // Copied into a directory, a file keeps its name.
            let into = |source: &&Word| {
                let name = source.exact()?.trim_end_matches('/').rsplit('/').next()?.to_owned();
                Some(Word::literal(format!("{}/{name}", last?.exact()?.trim_end_matches('/'))))
            };
            let inside: Vec<Word> = sources.iter().filter_map(into).collect();
            all(&last.into_iter().collect::<Vec<_>>(), FileUse::WriteByProgram);
            all(&inside.iter().collect::<Vec<_>>(), FileUse::WriteByProgram);
        }
        "cat" | "head" | "tail" | "less" | "more" | "nl" | "od" | "xxd" | "hexdump" | "wc" | "strings" | "base64"
        | "sort" | "uniq" | "cut" | "diff" | "cmp" | "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "tar"
        | "zip" | "jq" | "yq" | "awk" | "gawk" | "paste" | "comm" | "join" | "tac" | "rev" | "fold" | "md5sum"
        | "sha256sum" | "file" | "bat" | "column" => {
            all(&named, FileUse::ReadBelow);
            let short = |word: &Word| {
                word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains(['r', 'R'])
            };
            let recursive = matches!(base, "rg" | "ag" | "ack")
                || args.iter().any(|word| short(word) || word.text == "--recursive");
            if base != "cat" && recursive && named.len() < 2 {
                all(&[&Word::literal(".")], FileUse::ReadBelow);
            }
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
            | ("sort", "-o" | "--output")
            | ("cp" | "mv" | "install" | "ln", "-t" | "--target-directory")
            | ("tar", "-C" | "--directory" | "-f" | "--file")
            | ("unzip", "-d")
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
    }
}
