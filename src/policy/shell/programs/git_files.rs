//! Files that commands of git read and write: paths, paths of commits, and all of them where none are named.

use super::super::model::{FileUse, Known, Word};
use super::Look;

/// Commands that show what stands in files.
const SHOWS: &[&str] = &[
    "archive",
    "bundle",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "difftool",
    "fast-export",
    "format-patch",
    "range-diff",
    "show",
    "whatchanged",
];

/// Options by which those tell of names and numbers only.
const NAMES_ONLY: &[&str] = &[
    "--name-only",
    "--name-status",
    "--stat",
    "--shortstat",
    "--numstat",
    "--summary",
    "--no-patch",
    "-s",
    "--quiet",
    "--check",
    "--raw",
    "--dirstat",
    "--compact-summary",
    "--list",
    "-l",
    "--tool-help",
];

/// Adds the files of a command of git with these words after it.
pub(super) fn look(sub: &str, rest: &[Word], look: &mut Look) {
    let split = rest.iter().position(|word| word.text == "--" && word.known == Known::All);
    let (before, paths) = match split {
        Some(at) => (rest.get(..at).unwrap_or_default(), rest.get(at + 1..).unwrap_or_default()),
        None => (rest, &[][..]),
    };
    let operands: Vec<&Word> = before.iter().filter(|word| !word.text.starts_with('-')).collect();
    let has = |options: &[&str]| {
        before.iter().any(|word| options.iter().any(|option| word.text.split('=').next() == Some(option)))
    };
    let patch = has(&["-p", "-u", "--patch", "-U", "--unified", "--patch-with-stat", "--patch-with-raw", "-c", "--cc"])
        || before.iter().any(|word| {
            let letters = word.text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
            letters.starts_with(['U', 'L', 'W']) || (letters.len() < 4 && letters.contains(['p', 'u']))
        })
        || before.iter().any(|word| word.text.starts_with("--word-diff") || word.text.starts_with("--color-words"));
    let unknown = before.iter().any(|word| word.may_be_option() && word.exact().is_none());
    let shows = match sub {
        "log" | "reflog" | "stash" | "shortlog" => patch || unknown && sub == "log",
        "grep" => true,
        "cat-file" => !has(&["-t", "-s", "-e"]),
        "worktree" => operands.first().is_some_and(|word| word.text == "add"),
        "clone" => false,
        _ => SHOWS.contains(&sub) && (patch || !has(NAMES_ONLY)),
    };
    // A path of a commit (`HEAD:src/a`) or of the index (`:src/a`, `:2:src/a`).
    let of_commit = |word: &Word| word.exact().is_some_and(|text| text.contains(':') && !text.contains("://"));
    for word in before {
        for path in committed(word) {
            look.top.push((Word::literal(path.clone()), FileUse::Named));
            look.files.push((Word::literal(path), FileUse::Named));
        }
    }
    let files = |words: &mut dyn Iterator<Item = &Word>| words.map(pathspec).collect::<Vec<_>>();
    if matches!(sub, "rm" | "mv" | "checkout" | "restore" | "clean" | "apply") {
        let below = matches!(sub, "checkout" | "restore" | "clean" | "mv") || rest.iter().any(|word| word.text == "-r");
        let how = if below { FileUse::WriteBelow } else { FileUse::WriteByProgram };
        let named = files(&mut operands.iter().copied().chain(paths));
        look.files.extend(named.iter().cloned().map(|word| (word, how)));
        if sub == "mv" {
            look.files.extend(named.into_iter().map(|word| (word, FileUse::ReadBelow)));
        } else if sub == "apply" && !has(&["--check", "--stat", "--numstat", "--summary"]) {
            // Which files it changes stands in what it reads.
            look.files.push((Word::unknown(), FileUse::WriteByProgram));
        }
    }
    if sub == "clone" || sub == "hash-object" || sub == "blame" || sub == "annotate" {
        let how = if sub == "clone" { FileUse::ReadBelow } else { FileUse::Read };
        let local = operands.iter().copied().filter(|word| !of_commit(word) && !word.text.contains("://"));
        let local = files(&mut local.take(if sub == "clone" { 1 } else { usize::MAX }).chain(paths));
        look.files.extend(local.into_iter().map(|word| (word, how)));
    }
    if !shows {
        return;
    }
    let skip = usize::from(sub == "grep" && !has(&["-e", "-f"]));
    let named: Vec<&Word> = operands.iter().copied().skip(skip).collect();
    let whole = named.iter().copied().filter(|word| !of_commit(word) || sub == "grep");
    look.files.extend(files(&mut whole.chain(paths)).into_iter().map(|word| (word, FileUse::ReadBelow)));
    // Without `--`, a word may be a commit as well as a path.
    let only_blobs =
        matches!(sub, "show" | "cat-file") && !named.is_empty() && named.iter().all(|word| of_commit(word));
    let only_no_index = sub == "diff" && has(&["--no-index"]);
    if paths.is_empty() && !only_blobs && !only_no_index {
        look.top.push((Word::literal("."), FileUse::ReadBelow));
    }
}

/// The paths that `REV:PATH` may mean: from each colon on, without what says from where.
fn committed(word: &Word) -> Vec<String> {
    let Some(text) = word.exact().filter(|text| text.contains(':') && !text.contains("://")) else { return Vec::new() };
    let ends = text.match_indices(':').filter_map(|(at, _)| text.get(at + 1..));
    ends.map(|end| end.trim_start_matches('/').to_owned()).filter(|end| !end.is_empty()).take(4).collect()
}

/// A path as git takes it: with patterns of its own, and words of magic before it.
fn pathspec(word: &Word) -> Word {
    let magic = word.text.starts_with(':') || word.text.contains(['*', '?', '[']);
    if word.known == Known::All && magic { Word { known: Known::Pattern, ..word.clone() } } else { word.clone() }
}
