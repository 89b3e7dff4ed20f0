//! `git`: which of its commands and options run programs.

use super::super::model::{FileUse, Word};
use super::wrappers::script;
use super::{Look, git_files, git_settings};

/// Commands that do what they are for, apart from [`OPTIONS`].
const PLAIN: &[&str] = &[
    "add",
    "am",
    "annotate",
    "apply",
    "archive",
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
    "config",
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
    "help",
    "init",
    "lfs",
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
    "--exec-path",
    "--ext-diff",
    "--textconv",
    "--template",
    "--config-env",
    "--interactive",
    "--edit-todo",
    "--gpg-sign",
    "--remote-submodules",
    "--recurse-submodules",
];

/// Long options whose value is a command line; git takes any beginning of them.
const COMMANDS: &[&str] =
    &["--upload-pack", "--receive-pack", "--exec", "--open-files-in-pager", "--extcmd", "--to-cmd", "--cc-cmd"];

/// Short options of single commands whose value is a command line.
const SHORT_COMMANDS: &[(&str, char)] =
    &[("rebase", 'x'), ("clone", 'u'), ("grep", 'O'), ("difftool", 'x'), ("ls-remote", 'u')];

/// Short options of single commands that do the same.
const SHORT: &[(&str, char)] =
    &[("rebase", 'i'), ("push", 'e'), ("fetch", 'u'), ("add", 'i'), ("add", 'p'), ("add", 'e')];

/// Options whose next word is text and not an option.
const TEXT: &[&str] =
    &["-m", "--message", "-F", "--file", "--author", "--date", "-C", "--format", "--pretty", "--grep"];

/// Looks at a call of git.
pub(super) fn look(words: &[Word], look: &mut Look) {
    let mut at = 1;
    let mut own = Vec::new();
    while let Some(text) = words.get(at).and_then(Word::exact).filter(|text| text.starts_with('-')) {
        own.push((text, at));
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
    for (option, place) in &own {
        let name = option.split('=').next().unwrap_or(option);
        match (name, option.split_once('=')) {
            ("-C" | "--work-tree", None) => look.at.extend(words.get(place + 1).cloned()),
            ("--work-tree", Some((_, directory))) => look.at.push(Word::literal(directory)),
            _ => {}
        }
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
            "-c" => {
                look.runs("`git -c` sets what git runs");
                git_settings::judge_pair(words.get(place + 1), look);
            }
            "--exec-path" if *option == "--exec-path" => {}
            "--config-env" | "--exec-path" => look.hides(format!("`git {name}` sets what git runs")),
            _ => look.runs(format!("`git {name}` makes git take its settings from elsewhere")),
        }
    }
    let Some(sub) = words.get(at) else { return };
    look.verb = Some(at);
    if own.iter().any(|(option, _)| option.split('=').next() == Some("--work-tree")) {
        // What is not denied there may be what is denied here.
        look.top.push((Word::literal("."), FileUse::ReadBelow));
    }
    if at > 1 {
        look.plain = Some(words.first().into_iter().chain(words.get(at..).unwrap_or_default()).cloned().collect());
    }
    let Some(sub) = sub.exact() else {
        look.runs("the command of git is only known when it runs");
        return;
    };
    let rest = words.get(at + 1..).unwrap_or_default();
    if !PLAIN.contains(&sub) {
        other(sub, rest, look);
        look.guesses.extend((at + 2..words.len()).take(6));
    }
    if sub == "config" {
        git_settings::config(rest, look);
    }
    if sub == "lfs" {
        look.runs("`git lfs` is a program of its own");
    }
    // Patches go into a directory.
    let into = if sub == "format-patch" { FileUse::WriteBelow } else { FileUse::Write };
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
            look.hides("such an address of git runs a program");
        }
        if let Some(long) = text.strip_prefix("--") {
            let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
            let begins = |options: &[&str]| {
                !long.is_empty() && name.len() >= 4 && options.iter().any(|option| option.starts_with(name))
            };
            let next = || value.map(Word::literal).or_else(|| rest.get(index + 1).cloned());
            if begins(COMMANDS) && !(sub == "diff" && name == "--ext") {
                look.runs_text(format!("`git {sub} {name}` runs a program"), next());
            } else if name == "--config" || (name == "--remote" && sub == "archive") {
                let why = format!("`git {sub} {name}` reaches another place");
                if name == "--config" { git_settings::judge_pair(next().as_ref(), look) } else { look.runs(why) }
            } else if begins(OPTIONS) {
                look.runs(format!("`git {sub} {name}` can run a program"));
            }
            if name.len() > 4 && (long.starts_with("output-d") || "--output".starts_with(name)) {
                let file = value.map(Word::literal).or_else(|| rest.get(index + 1).cloned());
                look.files.extend(file.map(|file| (file, into)));
            }
        } else if let Some(letters) = text.strip_prefix('-') {
            let has = |table: &[(&str, char)]| {
                table.iter().filter(|(of, _)| *of == sub).find_map(|(_, letter)| letters.find(*letter))
            };
            let value = |at: usize| match letters.get(at + 1..) {
                None | Some("") => rest.get(index + 1).cloned(),
                Some(joined) => Some(Word::literal(joined)),
            };
            if let Some(at) = has(SHORT_COMMANDS) {
                // Without a command the pager runs; nothing else may join it.
                let command = value(at).filter(|_| sub != "grep" || letters.len() > at + 1);
                look.runs_text(format!("`git {sub} {text}` runs a program"), command);
            } else if sub == "clone" && letters.contains('c') {
                look.runs("`git clone -c` sets what git runs");
                git_settings::judge_pair(letters.find('c').and_then(value).as_ref(), look);
            } else if has(SHORT).is_some() {
                look.runs(format!("`git {sub} {text}` can run a program"));
            }
            if matches!(sub, "format-patch" | "archive") && letters.starts_with('o') {
                let file =
                    if letters.len() > 1 { letters.get(1..).map(Word::literal) } else { rest.get(index + 1).cloned() };
                look.files.extend(file.map(|file| (file, into)));
            }
        }
    }
    git_files::look(sub, rest, look);
}

/// Commands of git that run others, and those that nobody knows: aliases, programs called `git-…`.
fn other(sub: &str, rest: &[Word], look: &mut Look) {
    look.runs(format!("`git {sub}` runs programs, or is an alias"));
    let named = |skip: usize| rest.iter().enumerate().filter(|(_, word)| !word.text.starts_with('-')).nth(skip);
    let after = |at: usize| rest.get(at + 1..).unwrap_or_default();
    match sub {
        "submodule" => match named(0) {
            Some((at, word)) if word.text == "foreach" => {
                let skip = after(at).iter().take_while(|word| word.text.starts_with('-')).count();
                script(after(at + skip), look);
            }
            Some((_, word)) if word.exact().is_none() => look.hides("a command of git is only known when it runs"),
            _ => {}
        },
        "bisect" => match named(0) {
            Some((at, word)) if word.text == "run" && !after(at).is_empty() => look.inner.push(after(at).to_vec()),
            Some((_, word)) if word.exact().is_none() => look.hides("a command of git is only known when it runs"),
            _ => {}
        },
        "filter-branch" => {
            for (at, word) in rest.iter().enumerate() {
                if word.text.ends_with("-filter") || word.text == "--setup" {
                    look.runs_text("`git filter-branch` runs its filters".to_owned(), rest.get(at + 1).cloned());
                }
            }
        }
        "subtree" => {
            if let Some((at, word)) = named(0).filter(|(_, word)| matches!(word.text.as_str(), "push" | "pull")) {
                let words = [Word::literal("git"), word.clone()];
                look.inner.push(words.into_iter().chain(after(at).iter().cloned()).collect());
            }
        }
        "difftool" | "mergetool" | "for-each-repo" | "maintenance" => {}
        _ => look.hides(format!("what `git {sub}` runs cannot be seen")),
    }
}
