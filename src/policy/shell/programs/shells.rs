//! Shells, and what the shell itself can do: `eval`, `trap`, `cd`, aliases, variables.

use super::super::model::{FileUse, Known, Word};
use super::wrappers::script;
use super::{Look, assignment};

const SHELLS: &[&str] = &[
    "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "rbash", "rzsh", "yash", "nu", "elvish",
    "xonsh",
];

/// Whether a program is a shell.
pub(super) fn is_shell(base: &str) -> bool {
    SHELLS.contains(&base)
}

/// Looks whether it is a shell or something of the shell's own.
pub(super) fn look(base: &str, words: &[Word], look: &mut Look) -> bool {
    let args = words.get(1..).unwrap_or_default();
    if SHELLS.contains(&base) {
        shell(base, words, look);
        return true;
    }
    let first = args.iter().find(|word| !word.text.starts_with('-') || word.text == "-");
    match base {
        "eval" => {
            look.runs("`eval` runs its arguments");
            script(args, look);
        }
        "source" | "." => {
            look.runs(format!("`{base}` runs a file"));
            if first.is_none_or(is_stream) {
                look.mark(format!("`{base}` runs what it reads"));
            }
            look.files.extend(first.cloned().map(|word| (word, FileUse::Read)));
        }
        "trap" => {
            look.runs("`trap` runs a command later");
            if let Some(word) = first.filter(|word| word.text != "-") {
                script(std::slice::from_ref(word), look);
            }
        }
        "cd" | "pushd" | "popd" | "chdir" => {
            let plain = first.filter(|word| base != "popd" && word.text != "-" && !word.text.starts_with('+'));
            look.directory = Some(plain.cloned().unwrap_or_else(Word::unknown));
        }
        "alias" | "enable" | "hash" | "bind" | "complete" | "compgen" | "shopt" | "fc" | "history" | "let"
        | "disown" | "autoload" | "zmodload" | "repeat" | "foreach" => {
            if !(args.is_empty() || (base == "hash" && args.iter().all(|word| word.text == "-r"))) {
                look.runs(format!("`{base}` changes what later commands do"));
                look.mark(format!("`{base}` changes what later commands do"));
            }
        }
        "set" => {
            let plain = |word: &Word| {
                word.exact().is_some_and(|text| {
                    matches!(text, "pipefail" | "errexit" | "nounset" | "xtrace" | "--")
                        || text
                            .strip_prefix(['-', '+'])
                            .is_some_and(|l| !l.is_empty() && l.bytes().all(|b| b"euxo".contains(&b)))
                })
            };
            if !args.iter().all(plain) {
                look.mark("`set` changes what later commands do");
            }
        }
        "read" | "mapfile" | "readarray" | "getopts" => {
            for word in args {
                match word.exact() {
                    Some("-C" | "-c") if base != "read" => look.mark("it runs a command for what it reads"),
                    Some(text) if text.starts_with('-') => {}
                    Some(text) if text.contains('[') => look.mark("it evaluates an index"),
                    Some(text) => look.variables.push((text.to_owned(), false)),
                    None => look.mark("which variable it sets is not known"),
                }
            }
        }
        "printf" | "test" | "[" | "[[" | "wait" | "unset" => {
            let sets = |word: &Word| {
                word.text.starts_with("-v") || word.text == "-p" || word.may_be_option() && word.exact().is_none()
            };
            if args.iter().any(|word| word.text.contains('[') && word.text.contains(['$', '`'])) {
                look.mark("it evaluates an index");
            }
            // A name that is only known when it runs may hold an index too.
            let names = match base {
                "unset" => args,
                "wait" if args.iter().any(|word| word.text == "-p") => args,
                "test" | "[" => match args.iter().position(|word| matches!(word.text.as_str(), "-v" | "-R")) {
                    Some(at) => args.get(at + 1..at + 2).unwrap_or_default(),
                    None => &[],
                },
                _ => &[],
            };
            if names.iter().any(|word| word.exact().is_none()) {
                look.mark("it evaluates a name that is only known when it runs");
            }
            if base == "printf" && args.first().is_some_and(sets) {
                match args.get(1).and_then(Word::exact).filter(|_| args.first().is_some_and(|w| w.text == "-v")) {
                    Some(name) => look.variables.push((name.to_owned(), false)),
                    None => look.mark("which variable it sets is not known"),
                }
            }
        }
        "export" | "declare" | "typeset" | "readonly" | "local" => {
            let exported =
                base == "export" || args.iter().any(|word| word.text.starts_with('-') && word.text.contains('x'));
            for word in args {
                if word.text.starts_with('-') || word.text.starts_with('+') {
                    if word.text.contains(['f', 'n', 'i']) {
                        look.mark(format!("`{base}` changes what names mean"));
                    }
                } else if let Some(name) = assignment(word) {
                    look.variables.push((name.to_owned(), exported));
                } else if word.exact().is_none() || word.text.contains('[') {
                    look.mark("which variable it sets is not known");
                } else if exported {
                    look.variables.push((word.text.clone(), true));
                }
            }
        }
        _ => return false,
    }
    true
}

fn shell(base: &str, words: &[Word], look: &mut Look) {
    look.runs(format!("`{base}` runs what it is given"));
    let mut at = 1;
    let mut text_follows = false;
    let mut reads = false;
    while let Some(word) = words.get(at) {
        let Some(option) = word.exact() else {
            return look.mark(format!("what `{base}` runs is only known when it runs"));
        };
        match option {
            "--" | "-" => {
                at += 1;
                break;
            }
            "-o" | "+o" | "-O" | "+O" | "--rcfile" | "--init-file" => {
                if option.starts_with("--") {
                    look.mark(format!("`{base}` reads a file before it begins"));
                }
                at += 2;
            }
            _ if option.starts_with("--") => {
                text_follows |= option == "--command";
                at += 1;
            }
            _ if option.starts_with(['-', '+']) => {
                text_follows |= option.starts_with('-') && option.contains('c');
                reads |= option.starts_with('-') && option.contains('s');
                at += if option.contains('o') || option.contains('O') { 2 } else { 1 };
            }
            _ => break,
        }
    }
    let rest = words.get(at..).unwrap_or_default();
    match rest.first() {
        Some(text) if text_follows => script(std::slice::from_ref(text), look),
        Some(_) if reads => look.mark(format!("`{base}` runs what it reads")),
        // `bash -s` and `cat x | bash`: the text comes from elsewhere.
        None if text_follows => look.mark(format!("what `{base}` runs is not clear")),
        None => {
            let asks = words.get(1).is_some_and(|word| word.text == "--version" || word.text == "--help");
            if !asks {
                look.mark(format!("`{base}` runs what it reads"));
            }
        }
        Some(file) if is_stream(file) => look.mark(format!("`{base}` runs what it reads")),
        Some(_) => {
            look.guesses.push(at);
            look.script = Some(at);
            look.unknown = true;
        }
    }
}

/// Whether it names no file but an open descriptor, or is only known when it runs: what is read there is seen by nobody
/// before.
pub(super) fn is_stream(word: &Word) -> bool {
    let file = word.known == Known::Pattern && word.text.starts_with("~/") && !word.text.contains(['*', '?', '[']);
    !file
        && word.exact().is_none_or(|path| {
            path == "-"
                || path == "/dev/stdin"
                || path.starts_with("/dev/fd")
                || (path.starts_with("/proc/") && path.contains("/fd"))
        })
}
