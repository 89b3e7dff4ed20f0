//! `awk` and `sed`: small languages that can run commands and write files. Only what surely does neither is plain.

use super::super::model::{FileUse, Word};
use super::Look;

/// Looks at a call of awk.
pub(super) fn awk(args: &[Word], look: &mut Look) {
    const RUNS: &str = "`awk` can run commands and write files";
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.exact() else { return look.runs(RUNS) };
        match text {
            "-F" | "-v" | "--assign" | "--field-separator" => {
                rest.next();
            }
            _ if text.starts_with("-F") || text.starts_with("-v") => {}
            _ if text.starts_with('-') => return look.runs(RUNS),
            program => {
                let words = ["system", "getline", "close", "|", ">", "@", "fflush", "printf -"];
                if words.iter().any(|word| program.contains(word)) {
                    look.runs(RUNS);
                }
                break;
            }
        }
    }
    // Assignments among the files change variables only; a file called `-f…` would be an option.
    if rest.any(Word::may_be_option) {
        look.runs(RUNS);
    }
}

/// Looks at a call of sed.
pub(super) fn sed(args: &[Word], look: &mut Look) {
    const RUNS: &str = "`sed` can run commands and write files";
    let mut in_place = false;
    let mut seen = false;
    let mut files = Vec::new();
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.exact() else {
            if word.may_be_option() || !seen {
                look.runs(RUNS);
            }
            files.push(word);
            continue;
        };
        match text {
            "-n" | "-E" | "-r" | "-s" | "-u" | "-z" | "--quiet" | "--silent" | "--regexp-extended" | "--posix"
            | "--debug" => {}
            "-e" | "--expression" => {
                seen = true;
                if !rest.next().and_then(Word::exact).is_some_and(harmless) {
                    look.runs(RUNS);
                }
            }
            _ if text.starts_with("-i") || text.starts_with("--in-place") => {
                in_place = true;
                // A suffix with a directory in it names another place for the old file.
                if text.contains(['/', '*']) {
                    look.runs(RUNS);
                }
            }
            "-ni" | "-Ei" | "-ri" | "-nE" | "-nr" | "-En" => in_place |= text.contains('i'),
            _ if text.starts_with('-') => look.runs(RUNS),
            script if !seen => {
                seen = true;
                if !harmless(script) {
                    look.runs(RUNS);
                }
            }
            _ => files.push(word),
        }
    }
    let how = if in_place { FileUse::WriteByProgram } else { FileUse::Read };
    look.files.extend(files.into_iter().cloned().map(|word| (word, how)));
}

/// Whether each command of a script only prints, deletes, ends or replaces.
fn harmless(script: &str) -> bool {
    let commands: Vec<&str> = if script.contains('s') { vec![script] } else { script.split(';').collect() };
    commands.into_iter().all(|command| command_is_harmless(command.trim()))
}

fn command_is_harmless(command: &str) -> bool {
    let Some(rest) = after_address(command) else { return false };
    let rest = match rest.strip_prefix(',') {
        Some(second) => match after_address(second) {
            Some(rest) => rest,
            None => return false,
        },
        None => rest,
    };
    let rest = rest.trim_start_matches(['!', ' ']);
    if matches!(rest, "p" | "d" | "q" | "=" | "P" | "D") {
        return true;
    }
    let Some(rest) = rest.strip_prefix('s') else { return false };
    let Some(mark) = rest.chars().next().filter(|c| "/|#,:@!%".contains(*c)) else { return false };
    let mut marks = 0;
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == '\n' {
            return false;
        } else if c == mark {
            marks += 1;
            if marks == 3 {
                let flags = rest.get(at + 1..).unwrap_or_default();
                return flags.bytes().all(|b| b.is_ascii_digit() || b"gpiI".contains(&b));
            }
        }
    }
    false
}

/// What follows a line's number, `$` or a pattern; all of it if none stands there.
fn after_address(command: &str) -> Option<&str> {
    if let Some(pattern) = command.strip_prefix('/') {
        let end = pattern.find('/')?;
        let before = pattern.get(..end)?;
        return if before.contains('\\') { None } else { pattern.get(end + 1..) };
    }
    Some(command.trim_start_matches(|c: char| c.is_ascii_digit() || c == '$' || c == '~' || c == '+'))
}
