//! Settings of git: which of them change no program that git runs and no place that it reaches.

use super::super::model::Word;
use super::Look;

/// Sections, and single keys, that only say how git speaks, names or compares.
const HARMLESS: &[&str] = &[
    "user.",
    "author.",
    "committer.",
    "color.",
    "advice.",
    "column.",
    "pull.",
    "branch.",
    "log.",
    "status.",
    "commit.",
    "tag.sort",
    "rebase.",
    "merge.conflictstyle",
    "merge.ff",
    "merge.renames",
    "init.defaultbranch",
    "push.default",
    "push.autosetupremote",
    "push.followtags",
    "fetch.prune",
    "fetch.parallel",
    "rerere.",
    "blame.",
    "grep.",
    "gc.",
    "diff.algorithm",
    "diff.renames",
    "diff.context",
    "diff.noprefix",
    "diff.mnemonicprefix",
    "diff.colormoved",
    "core.autocrlf",
    "core.quotepath",
    "core.filemode",
    "core.eol",
    "core.ignorecase",
    "core.longpaths",
    "core.abbrev",
    "core.safecrlf",
    "core.preloadindex",
    "core.untrackedcache",
    "core.commentchar",
    "core.precomposeunicode",
    "core.symlinks",
    "core.whitespace",
    "feature.",
    "index.",
    "pack.",
    "checkout.",
    "apply.",
    "format.pretty",
    "safe.directory",
    "protocol.version",
    "http.postbuffer",
    "i18n.",
];

/// Keys whose value is a command line.
const COMMANDS: &[&str] = &[
    "core.pager",
    "core.editor",
    "core.sshcommand",
    "core.fsmonitor",
    "core.askpass",
    "core.alternaterefscommand",
    "core.gitproxy",
    "sequence.editor",
    "diff.external",
    "gpg.program",
    "interactive.difffilter",
    "sendemail.sendmailcmd",
    "uploadpack.packobjectshook",
    "credential.helper",
    "web.browser",
];

/// The ends of keys whose value is a command line.
const COMMAND_ENDS: &[&str] = &[
    ".command",
    ".cmd",
    ".textconv",
    ".driver",
    ".clean",
    ".smudge",
    ".process",
    ".uploadpack",
    ".receivepack",
    ".program",
    ".helper",
    ".editor",
    ".pager",
    ".tocmd",
    ".cccmd",
    ".headercmd",
];

/// Judges `KEY=VALUE` or a key and a value.
pub(super) fn judge(key: Option<&str>, value: Option<&Word>, look: &mut Look) {
    let Some(key) = key.map(str::to_ascii_lowercase) else {
        return look.hides("a setting of git is only known when it runs");
    };
    if HARMLESS.iter().any(|known| key == *known || (known.ends_with('.') && key.starts_with(known)))
        && !key.ends_with("gpgsign")
    {
        return;
    }
    let why = format!("the setting `{key}` of git names a program or another place");
    let alias = key.starts_with("alias.");
    let pager = key.starts_with("pager.") || COMMANDS.contains(&key.as_str());
    if !alias && !pager && !COMMAND_ENDS.iter().any(|end| key.ends_with(end)) {
        return look.hides(why);
    }
    let Some(text) = value.and_then(Word::exact) else { return look.hides(why) };
    match (alias, text.strip_prefix('!')) {
        (_, Some(command)) => look.runs_text(why, Some(Word::literal(command))),
        // An alias is the beginning of a command of git.
        (true, None) => look.runs_text(why, Some(Word::literal(format!("git {text}")))),
        (false, None) => look.runs_text(why, Some(Word::literal(text))),
    }
}

/// `-c KEY=VALUE`.
pub(super) fn judge_pair(pair: Option<&Word>, look: &mut Look) {
    let Some(text) = pair.and_then(Word::exact) else {
        return look.hides("a setting of git is only known when it runs");
    };
    let (key, value) = text.split_once('=').unwrap_or((text, "true"));
    judge(Some(key), Some(&Word::literal(value)), look);
}

/// `git config …`.
pub(super) fn config(rest: &[Word], look: &mut Look) {
    let reads = |text: &str| {
        text.starts_with("--get") || matches!(text, "get" | "list" | "--list" | "-l" | "--show-origin" | "--show-scope")
    };
    let Some(first) = rest.iter().find(|word| !word.text.starts_with('-') || reads(&word.text)) else {
        return look.hides("`git config` can name programs that git runs");
    };
    if rest.iter().any(|word| word.exact().is_some_and(reads)) && !first.many {
        return;
    }
    let edits = ["-e", "--edit", "edit", "--remove-section", "--rename-section", "remove-section", "rename-section"];
    if rest.iter().any(|word| edits.contains(&word.text.as_str())) {
        return look.hides("`git config` can name programs that git runs");
    }
    let takes_value = ["-f", "--file", "--blob", "--type", "-t", "--default", "--comment", "--value"];
    let mut named = Vec::new();
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        if takes_value.contains(&word.text.as_str()) {
            words.next();
        } else if !word.text.starts_with('-') && (!named.is_empty() || !matches!(word.text.as_str(), "set" | "unset")) {
            named.push(word);
        }
    }
    match named.as_slice() {
        // A key alone is read, or unset.
        [key] if !key.many => {}
        [key, value, ..] => judge(key.exact(), Some(value), look),
        _ => look.hides("`git config` can name programs that git runs"),
    }
}
