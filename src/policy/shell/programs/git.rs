//! `git`: which of its commands and options run programs.

use super::super::model::{FileUse, Word};
use super::Look;

/// Commands that do what they are for, apart from [`OPTIONS`].
const PLAIN: &[&str] = &[
    "add",
    "am",
    "annotate",
    "apply",
    "blame",
    "branch",
    "bundle",
    "cat-file",
    "check-attr",
    "check-ignore",
    "check-mailmap",
    "check-ref-format",
    "checkout",
    "cherry",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "count-objects",
    "describe",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "fetch",
    "for-each-ref",
    "format-patch",
    "fsck",
    "gc",
    "get-tar-commit-id",
    "grep",
    "hash-object",
    "init",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "mailinfo",
    "merge",
    "merge-base",
    "merge-file",
    "merge-tree",
    "mktag",
    "mktree",
    "mv",
    "name-rev",
    "notes",
    "pack-refs",
    "patch-id",
    "prune",
    "pull",
    "push",
    "range-diff",
    "read-tree",
    "rebase",
    "reflog",
    "remote",
    "repack",
    "replace",
    "rerere",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "revert",
    "rm",
    "shortlog",
    "show",
    "show-branch",
    "show-ref",
    "sparse-checkout",
    "stash",
    "status",
    "stripspace",
    "switch",
    "symbolic-ref",
    "tag",
    "update-index",
    "update-ref",
    "var",
    "verify-commit",
    "verify-tag",
    "version",
    "whatchanged",
    "worktree",
    "write-tree",
];

/// Long options that run a program or read settings from elsewhere; git takes any beginning of them.
const OPTIONS: &[&str] = &[
    "--upload-pack",
    "--receive-pack",
    "--exec",
    "--exec-path",
    "--open-files-in-pager",
    "--ext-diff",
    "--textconv",
    "--template",
    "--config",
    "--config-env",
    "--extcmd",
    "--interactive",
    "--edit-todo",
    "--gpg-sign",
    "--remote-submodules",
    "--recurse-submodules",
];

/// Short options of single commands that do the same.
const SHORT: &[(&str, char)] =
    &[("rebase", 'x'), ("rebase", 'i'), ("clone", 'c'), ("clone", 'u'), ("grep", 'O'), ("push", 'e'), ("fetch", 'u')];

/// Options whose next word is text and not an option.
const TEXT: &[&str] =
    &["-m", "--message", "-F", "--file", "--author", "--date", "-C", "--format", "--pretty", "--grep"];

/// Looks at a call of git.
pub(super) fn look(words: &[Word], look: &mut Look) {
    let mut at = 1;
    let mut own = Vec::new();
    while let Some(text) = words.get(at).and_then(Word::exact).filter(|text| text.starts_with('-')) {
        own.push(text);
        let valued = matches!(
            text,
            "-c" | "-C"
                | "--git-dir"
                | "--work-tree"
                | "--namespace"
                | "--config-env"
                | "--super-prefix"
                | "--attr-source"
        );
        at += if valued { 2 } else { 1 };
    }
    for option in &own {
        let name = option.split('=').next().unwrap_or(option);
        match name {
            "--no-pager"
            | "-P"
            | "--version"
            | "-v"
            | "--help"
            | "-h"
            | "--literal-pathspecs"
            | "--no-optional-locks"
            | "--html-path" => {}
            "-c" | "--config-env" | "--exec-path" => look.runs(format!("`git {name}` sets what git runs")),
            _ => look.runs(format!("`git {name}` makes git take its settings from elsewhere")),
        }
    }
    let Some(sub) = words.get(at) else { return };
    if at > 1 {
        look.plain = Some(words.first().into_iter().chain(words.get(at..).unwrap_or_default()).cloned().collect());
    }
    let Some(sub) = sub.exact() else {
        look.runs("the command of git is only known when it runs");
        return;
    };
    let rest = words.get(at + 1..).unwrap_or_default();
    if !PLAIN.contains(&sub) {
        look.runs(format!("`git {sub}` runs programs, or is an alias"));
        look.guesses.extend((at + 2..words.len()).take(6));
    }
    let mut text_next = false;
    for (index, word) in rest.iter().enumerate() {
        let is_text = std::mem::replace(&mut text_next, false);
        if is_text && !word.many {
            continue;
        }
        let Some(text) = word.exact() else {
            if word.may_be_option() {
                look.runs("an option of git is only known when it runs");
            }
            continue;
        };
        text_next = TEXT.contains(&text) && !(text == "-C" && sub != "commit");
        if text == "--" {
            break;
        }
        if text.contains("::")
            && text.split("::").next().is_some_and(|kind| kind.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'))
        {
            look.runs("such an address of git runs a program");
        }
        if let Some(long) = text.strip_prefix("--") {
            let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
            if !long.is_empty() && name.len() >= 4 && OPTIONS.iter().any(|option| option.starts_with(name)) {
                look.runs(format!("`git {sub} {name}` can run a program"));
            }
            if "--output".starts_with(name) && name.len() > 4 || name == "--output-directory" {
                let file = value.map(Word::literal).or_else(|| rest.get(index + 1).cloned());
                look.files.extend(file.map(|file| (file, FileUse::Write)));
            }
        } else if let Some(letters) = text.strip_prefix('-') {
            if SHORT.iter().any(|(of, letter)| *of == sub && letters.contains(*letter)) {
                look.runs(format!("`git {sub} {text}` can run a program"));
            }
            if sub == "format-patch" && letters.starts_with('o') {
                let file =
                    if letters.len() > 1 { letters.get(1..).map(Word::literal) } else { rest.get(index + 1).cloned() };
                look.files.extend(file.map(|file| (file, FileUse::Write)));
            }
        }
    }
    if matches!(sub, "rm" | "mv" | "checkout" | "restore" | "clean" | "apply") {
        let named = rest.iter().filter(|word| !word.text.starts_with('-'));
        look.files.extend(named.cloned().map(|word| (word, FileUse::WriteByProgram)));
    }
    if matches!(sub, "grep" | "show" | "diff" | "add" | "log" | "blame" | "cat-file" | "archive" | "hash-object") {
        let named = rest.iter().filter(|word| !word.text.starts_with('-'));
        // `HEAD:path` names a file of a commit.
        let path = |word: &Word| match word.exact().and_then(|text| text.split_once(':')) {
            Some((_, path)) => Word::literal(path),
            None => word.clone(),
        };
        look.files.extend(named.map(|word| (path(word), FileUse::Named)));
    }
}
