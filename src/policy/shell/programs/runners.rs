//! `find`, `ssh`, `watch` and others that run what their arguments say, each in its own way.

use super::super::model::{FileUse, Known, Word};
use super::Look;
use super::options::ssh_option;
use super::wrappers::script;
use super::{interpreters, launchers};

/// Looks whether it is such a program.
pub(super) fn look(base: &str, words: &[Word], look: &mut Look) -> bool {
    let args = words.get(1..).unwrap_or_default();
    match base {
        "find" | "gfind" => find(args, look),
        "ssh" => ssh(words, look),
        "watch" => {
            look.runs("`watch` runs its arguments");
            let mut at = 0;
            while let Some(option) = args.get(at).and_then(Word::exact).filter(|option| option.starts_with('-')) {
                at += if matches!(option, "-n" | "--interval") { 2 } else { 1 };
            }
            let digits = |o: &str| o.strip_prefix("-n").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
            let clear = |word: &Word| {
                word.exact().is_some_and(|o| o.len() == 2 || digits(o) || !o.starts_with('-') || o.starts_with("--"))
            };
            if args.iter().take(at).all(clear) {
                script(args.get(at..).unwrap_or_default(), look);
            } else {
                look.mark("which command `watch` runs is not clear");
                look.guesses.extend(1..words.len());
            }
        }
        "su" | "runuser" => {
            look.runs(format!("`{base}` runs a command as somebody else"));
            text_option(base, args, look);
            look.guesses.extend(1..words.len());
        }
        "script" => {
            look.runs("`script` runs a command");
            text_option(base, args, look);
            // Which of its words are logs hangs on the options before them; the command is not to be one.
            let files = args.iter().enumerate().filter(|(at, word)| {
                let before =
                    at.checked_sub(1).and_then(|before| args.get(before)).map_or("", |word| word.text.as_str());
                let command = before == "--command" || before.starts_with('-') && before.ends_with('c');
                !command && !word.may_be_option()
            });
            look.files.extend(files.map(|(_, word)| (word.clone(), FileUse::Write)));
            let joined = args.iter().filter_map(|word| word.exact()?.strip_prefix("--")?.split_once('='));
            let joined = joined.filter(|(name, _)| name.starts_with("log-")).map(|(_, file)| Word::literal(file));
            look.files.extend(joined.map(|word| (word, FileUse::Write)));
        }
        _ => return interpreters::look(base, args, look) || launchers::look(base, words, look),
    }
    true
}

/// `-c TEXT`, the text for a shell.
fn text_option(base: &str, args: &[Word], look: &mut Look) {
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        match word.exact() {
            Some("-c" | "--command" | "--session-command") => {
                script(rest.as_slice().get(..1).unwrap_or_default(), look);
            }
            Some(text) if text.starts_with("--command=") => {
                script(&[Word::literal(text.trim_start_matches("--command="))], look);
            }
            Some(text)
                if text.starts_with('-') && !text.starts_with("--") && text.find('c') == Some(text.len() - 1) =>
            {
                script(rest.as_slice().get(..1).unwrap_or_default(), look);
            }
            Some(text) if text.starts_with('-') && !text.starts_with("--") && text.contains('c') => {
                look.mark(format!("what `{base}` runs is not clear"));
            }
            Some(_) => {}
            None => look.mark(format!("what `{base}` runs is only known when it runs")),
        }
    }
}

fn find(args: &[Word], look: &mut Look) {
    let mut at = 0;
    let mut deletes = false;
    while let Some(word) = args.get(at) {
        let Some(text) = word.exact() else {
            if word.may_be_option() {
                look.hides("an argument of `find` is only known when it runs, and may be `-exec`");
            }
            at += 1;
            continue;
        };
        match text {
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                look.runs(format!("`find {text}` runs a command for each file"));
                let rest = args.get(at + 1..).unwrap_or_default();
                let end = rest.iter().position(|word| matches!(word.text.as_str(), ";" | "+")).unwrap_or(rest.len());
                let words = rest.get(..end).unwrap_or_default();
                let found = finds(args.get(..at).unwrap_or_default());
                let of_it = |word: &Word| match &found {
                    Some(found) if word.text == "{}" && !text.ends_with("dir") => found.clone(),
                    _ if word.text.contains("{}") => vec![Word::unknown()],
                    _ => vec![word.clone()],
                };
                if !words.is_empty() {
                    look.inner.push(words.iter().flat_map(of_it).collect());
                }
                at += end + 1;
            }
            "-delete" => {
                look.runs("`find -delete` removes files");
                deletes = true;
            }
            "-fprint" | "-fprint0" | "-fprintf" | "-fls" => {
                look.runs(format!("`find {text}` writes a file"));
                look.files.extend(args.get(at + 1).cloned().map(|word| (word, FileUse::Write)));
                at += 1;
            }
            _ => {}
        }
        at += 1;
    }
    let paths: Vec<&Word> = args.iter().take_while(|word| !word.text.starts_with('-')).collect();
    let how = if deletes { FileUse::WriteBelow } else { FileUse::Named };
    look.files.extend(paths.iter().map(|word| ((*word).clone(), how)));
    if deletes && paths.is_empty() {
        look.files.push((Word::literal("."), FileUse::WriteBelow));
    }
}

/// Patterns for all that `find` comes to by the words before an action, where it goes by one `-name` alone.
fn finds(args: &[Word]) -> Option<Vec<Word>> {
    let texts: Vec<&str> = args.iter().map(Word::exact).collect::<Option<_>>()?;
    let starts: Vec<&str> = texts.iter().copied().take_while(|text| !text.starts_with('-')).collect();
    let odd = |text: &&str| {
        matches!(*text, "-o" | "-or" | "," | "-L" | "-H" | "-follow" | "!" | "-not" | "(" | "-iname" | "-files0-from")
    };
    if starts.is_empty() || texts.iter().any(odd) {
        return None;
    }
    let at = texts.iter().position(|text| *text == "-name")?;
    let name = texts.get(at + 1)?;
    // Other than for a shell, a star takes the dot at the beginning of a name too.
    let hidden = name.starts_with(['*', '?', '[']).then(|| format!(".{name}"));
    let names: Vec<String> = [Some((*name).to_owned()), hidden].into_iter().flatten().collect();
    let all = starts
        .iter()
        .flat_map(|start| names.iter().map(move |name| format!("{}/**/{name}", start.trim_end_matches('/'))));
    Some(all.map(|text| Word { text, known: Known::Pattern, many: true }).collect())
}

fn ssh(words: &[Word], look: &mut Look) {
    look.runs("`ssh` runs commands on another machine");
    let mut at = 1;
    while let Some(text) = words.get(at).and_then(Word::exact).filter(|text| text.starts_with('-')) {
        let joined = text.strip_prefix("-o").filter(|joined| !joined.is_empty()).map(Word::literal);
        if let Some(option) = joined.or_else(|| words.get(at + 1).filter(|_| text == "-o").cloned()) {
            ssh_option(&option, look);
        }
        if text.starts_with("-E") {
            let joined = text.get(2..).filter(|joined| !joined.is_empty()).map(Word::literal);
            let log = joined.or_else(|| words.get(at + 1).cloned());
            look.files.extend(log.map(|log| (log, FileUse::WriteByProgram)));
        }
        if text.starts_with("-F") {
            let joined = text.get(2..).filter(|joined| !joined.is_empty()).map(Word::literal);
            let settings = joined.or_else(|| words.get(at + 1).cloned());
            look.runs_file("`ssh -F` takes its settings from a file", settings.as_ref());
        }
        let valued = "BbcDEeFIiJLlmOopPQRSWw";
        at += if text.len() == 2 && valued.contains(text.trim_start_matches('-')) { 2 } else { 1 };
    }
    script(words.get(at + 1..).unwrap_or_default(), look);
    look.guesses.extend((at + 1..words.len()).take(4));
}
