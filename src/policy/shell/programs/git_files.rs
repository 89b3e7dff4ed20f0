//! Files that commands of git read and write: paths, paths of commits, and all of them where none are named.

use super::super::model::{FileUse, Known, Word};
use super::Look;

/// Commands that show what stands in files, or hand it on.
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
    "merge-tree",
    "range-diff",
    "read-tree",
    "show",
    "whatchanged",
];

/// Those that go through all that a tree holds, where one is named.
const TREES: &[&str] = &["checkout", "restore", "reset", "tag", "update-ref"];

/// Options of `clone` whose value is no path.
const VALUED: &[&str] = &[
    "-b",
    "--branch",
    "--depth",
    "-o",
    "--origin",
    "-j",
    "--jobs",
    "--filter",
    "--shallow-since",
    "--shallow-exclude",
    "-c",
    "--config",
    "-u",
    "--upload-pack",
    "--server-option",
    "--bundle-uri",
];

/// Those that can be told to tell of names only.
const BRIEF: &[&str] =
    &["diff", "diff-files", "diff-index", "diff-tree", "difftool", "range-diff", "show", "stash", "whatchanged"];

/// Options by which they show what stands in files, by their whole names; any beginning counts.
const PATCH: &[&str] = &[
    "--patch",
    "--patch-with-stat",
    "--patch-with-raw",
    "--unified",
    "--binary",
    "--cc",
    "--dd",
    "--remerge-diff",
    "--diff-merges",
    "--word-diff",
    "--word-diff-regex",
    "--color-words",
    "--function-context",
    "--check",
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
    let valued = |at: usize| {
        let option = at.checked_sub(1).and_then(|before_it| before.get(before_it)).and_then(Word::exact);
        option.is_some_and(|option| sub == "clone" && VALUED.contains(&option))
    };
    let operands = before.iter().enumerate().filter(|(at, word)| !word.text.starts_with('-') && !valued(*at));
    let operands: Vec<&Word> = operands.map(|(_, word)| word).collect();
    let has = |options: &[&str]| {
        before.iter().any(|word| options.iter().any(|option| word.text.split('=').next() == Some(option)))
    };
    let patch = has(&["-c"])
        || before.iter().any(|word| {
            let letters = word.text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
            letters.starts_with(['U', 'L', 'W']) || (letters.len() < 4 && letters.contains(['p', 'u']))
        })
        || before.iter().any(|word| {
            let name = word.text.split('=').next().unwrap_or_default();
            name.len() >= 4 && name != "--color" && PATCH.iter().any(|option| option.starts_with(name))
        });
    let unknown = before.iter().any(|word| word.may_be_option() && word.exact().is_none());
    let shows = match sub {
        "log" | "reflog" | "stash" | "shortlog" => patch || unknown && sub == "log",
        // The name of what it shows may be that of a file's content.
        "show" if operands.iter().any(|word| is_hash(word)) => true,
        "tag" | "update-ref" => operands.iter().any(|word| is_hash(word)),
        "update-index" => has(&["--cacheinfo", "--index-info", "--stdin"]),
        "grep" => true,
        "cat-file" => !has(&["-t", "-s", "-e"]),
        "worktree" => operands.first().is_some_and(|word| word.text == "add"),
        "clone" => false,
        _ => SHOWS.contains(&sub) && (patch || !BRIEF.contains(&sub) || !has(NAMES_ONLY)),
    };
    // A path of a commit (`HEAD:src/a`) or of the index (`:src/a`, `:2:src/a`).
    let of_commit = |word: &Word| word.exact().is_some_and(|text| text.contains(':') && !text.contains("://"));
    let of_trees = TREES.contains(&sub) || (SHOWS.contains(&sub) && sub != "show") || sub == "grep";
    for word in before {
        for path in committed(word) {
            let how = if of_trees { FileUse::ReadBelow } else { FileUse::Named };
            look.top.push((Word::literal(path.clone()), how));
            look.files.push((Word::literal(path), how));
        }
    }
    let trees = split.is_some() && matches!(sub, "checkout" | "restore");
    let named: Vec<&Word> = operands.iter().copied().filter(|_| !trees).chain(paths).collect();
    writes(sub, before, &named, split.is_some(), look);
    if matches!(sub, "hash-object" | "blame" | "annotate") {
        let local = operands.iter().copied().filter(|word| !of_commit(word) && !word.text.contains("://"));
        pathspecs(&mut local.chain(paths), FileUse::Read, look);
    }
    repositories(sub, &named, look);
    if !shows {
        return;
    }
    let skip = usize::from(sub == "grep" && !has(&["-e", "-f"]));
    // What stands before `--` names commits.
    let named: Vec<&Word> = operands.iter().copied().skip(skip).filter(|_| split.is_none()).collect();
    let whole = named.iter().copied().filter(|word| !of_commit(word) || sub == "grep");
    pathspecs(&mut whole.chain(paths), FileUse::ReadBelow, look);
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

/// What it writes.
fn writes(sub: &str, before: &[Word], named: &[&Word], split: bool, look: &mut Look) {
    use FileUse::{WriteBelow, WriteByProgram};
    let has = |options: &[&str]| before.iter().any(|word| options.contains(&word.text.as_str()));
    let letter = |letter: char| {
        before
            .iter()
            .any(|word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains(letter))
    };
    let all = named.is_empty();
    let file = |at: usize| named.get(at).map(|word| (*word).clone());
    match sub {
        // Only what is staged changes.
        "rm" if has(&["--cached"]) => {}
        "restore" if (has(&["--staged"]) || letter('S')) && !has(&["--worktree"]) && !letter('W') => {}
        // A branch is made, or gone to.
        "checkout"
            if !split
                && !letter('f')
                && !has(&["--force"])
                && (has(&["--orphan", "--detach", "--track"]) || letter('b') || letter('B')) => {}
        "checkout" if !split && named.len() == 1 && !before.iter().any(|word| word.text.starts_with('-')) => {
            // It may be a path as well.
            for how in [WriteByProgram, FileUse::Perhaps] {
                pathspecs(&mut named.iter().copied(), how, look);
            }
        }
        "rm" | "mv" | "checkout" | "restore" | "clean" | "apply" => {
            let below = matches!(sub, "checkout" | "restore" | "clean" | "mv") || letter('r');
            let how = if below { WriteBelow } else { WriteByProgram };
            pathspecs(&mut named.iter().copied(), how, look);
            if before.iter().any(|word| word.text.starts_with("--pathspec-f")) {
                look.files.push((Word::unknown(), how));
            }
            if sub == "mv" {
                pathspecs(&mut named.iter().copied(), FileUse::ReadBelow, look);
            } else if sub == "apply" && !has(&["--check", "--stat", "--numstat", "--summary"]) {
                // Which files it changes stands in what it reads.
                look.files.push((Word::unknown(), WriteByProgram));
            } else if sub == "clean" && all && !has(&["--dry-run"]) && !letter('n') {
                look.files.push((Word::literal("."), WriteBelow));
            } else if sub == "checkout" && (has(&["--force"]) || letter('f')) {
                look.top.push((Word::literal("."), WriteBelow));
            }
        }
        "am" if !has(&["--abort", "--continue", "--skip", "--quit", "--resolved", "-r"]) => {
            look.files.push((Word::unknown(), WriteByProgram));
        }
        "reset" if has(&["--hard", "--merge", "--keep"]) => look.top.push((Word::literal("."), WriteBelow)),
        "switch" if has(&["--force", "--discard-changes"]) || letter('f') => {
            look.top.push((Word::literal("."), WriteBelow));
        }
        "read-tree" if letter('u') => look.top.push((Word::literal("."), WriteBelow)),
        "merge-file" if !has(&["-p", "--stdout"]) => look.files.extend(file(0).map(|word| (word, WriteByProgram))),
        "mailinfo" => look.files.extend(named.iter().map(|word| ((*word).clone(), WriteByProgram))),
        "bundle" => look.files.extend(file(1).map(|word| (word, WriteByProgram))),
        "init" => made(file(0), look),
        "worktree" | "submodule" => look.files.extend(named.iter().skip(1).map(|word| ((*word).clone(), WriteBelow))),
        "clone" => {
            // Without a directory, it is called as the address ends.
            let own = named.first().and_then(|word| word.exact()).map(|address| {
                let address = address.trim_end_matches('/').trim_end_matches(".git").trim_end_matches('/');
                Word::literal(address.rsplit(['/', ':']).next().unwrap_or(address))
            });
            made(file(1).or(own), look);
        }
        "config" => {
            let file = |two: &[Word]| {
                two.first().filter(|one| matches!(one.text.as_str(), "-f" | "--file")).and(two.get(1)).cloned()
            };
            let joined = before.iter().find_map(|word| word.exact()?.strip_prefix("--file=").map(Word::literal));
            let named = before.windows(2).find_map(file).or(joined);
            let reads = |word: &Word| {
                word.text.starts_with("--get") || matches!(word.text.as_str(), "get" | "list" | "--list" | "-l")
            };
            let how = if before.iter().any(reads) { FileUse::Read } else { WriteByProgram };
            look.files.extend(named.map(|word| (word, how)));
        }
        _ => {}
    }
}

/// A directory that is made: what is denied may be in it, where it is named by its directory.
fn made(directory: Option<Word>, look: &mut Look) {
    for how in [FileUse::WriteByProgram, FileUse::Perhaps] {
        look.files.extend(directory.clone().map(|word| (word, how)));
    }
}

/// Repositories on this machine from which it takes everything.
fn repositories(sub: &str, operands: &[&Word], look: &mut Look) {
    let at = match sub {
        "clone" | "fetch" | "pull" | "fetch-pack" => 0,
        "submodule" => 1,
        "remote" => 2,
        _ => return,
    };
    let Some(word) = operands.get(at) else { return };
    let Some(text) = word.exact() else {
        if sub == "clone" {
            look.files.push(((*word).clone(), FileUse::ReadBelow));
        }
        return;
    };
    let local = text.strip_prefix("file://").map(|rest| rest.find('/').map_or("/", |at| rest.get(at..).unwrap_or("/")));
    let path = match local {
        Some(path) => path,
        None if text.contains("://") => return,
        None if sub == "clone" && !text.contains(':') || text.starts_with(['.', '/', '~']) => text,
        None => return,
    };
    // What git keeps is all that there is.
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(".git").filter(|rest| rest.is_empty() || rest.ends_with('/')).unwrap_or(path);
    look.files.push((Word::literal(if path.is_empty() { "." } else { path }), FileUse::ReadBelow));
}

/// Whether a word may be the name of anything that git keeps: a commit, a tree, a file's content.
fn is_hash(word: &Word) -> bool {
    word.text.len() >= 4 && word.text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Adds paths as git takes them: with patterns that pass `/`, and words of magic before them.
fn pathspecs(words: &mut dyn Iterator<Item = &Word>, how: FileUse, look: &mut Look) {
    for word in words {
        let Some(text) = word.exact() else {
            look.files.push((word.clone(), how));
            continue;
        };
        let (top, bare) = match text.strip_prefix(':') {
            None => (false, text),
            Some(rest) => match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
                Some((magic, _)) if magic.contains("exclude") => (true, ""),
                Some((magic, bare)) => (magic.contains("top"), bare),
                None if rest.starts_with(['!', '^']) => (true, ""),
                None => match rest.strip_prefix('/') {
                    Some(bare) => (true, bare),
                    None => (false, rest),
                },
            },
        };
        let bare = if bare.is_empty() { "." } else { bare };
        let into = if top { &mut look.top } else { &mut look.files };
        match (bare.find(['*', '?', '[', '\\']), bare.rfind(['*', '?', ']', '\\'])) {
            (Some(first), last) => {
                let start = bare.get(..first).unwrap_or_default();
                let end = last.and_then(|last| bare.get(last + 1..)).unwrap_or_default();
                // Its stars take what is hidden too.
                let patterns = if start.is_empty() || start.ends_with('/') {
                    vec![format!("{start}**/*{end}"), format!("{start}**/.*{end}")]
                } else {
                    let below = format!("{start}*/**");
                    vec![format!("{start}*{end}"), format!("{below}/*{end}"), format!("{below}/.*{end}")]
                };
                for pattern in patterns {
                    into.push((Word { text: pattern, known: Known::Pattern, many: false }, how));
                }
            }
            (None, _) => into.push((Word::literal(bare), how)),
        }
    }
}
