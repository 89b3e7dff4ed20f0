//! Programs that run the command that follows them.

use super::super::model::{FileUse, Kind, Word};
use super::{Look, assignment};

/// How a wrapper's own arguments look.
struct Spec {
    name: &'static str,
    /// Options without a value.
    flags: &'static [&'static str],
    /// Options with a value in the next word.
    valued: &'static [&'static str],
    /// Words between the options and the command.
    before: usize,
}

const fn spec(
    name: &'static str,
    flags: &'static [&'static str],
    valued: &'static [&'static str],
    before: usize,
) -> Spec {
    Spec { name, flags, valued, before }
}

/// Wrappers that change nothing about the command that they run.
const CARRIERS: &[Spec] = &[
    spec("nohup", &[], &[], 0),
    spec("nice", &[], &["-n", "--adjustment"], 0),
    spec("ionice", &["-t", "--ignore"], &["-c", "-n", "--class", "--classdata"], 0),
    spec(
        "timeout",
        &["-v", "--verbose", "--preserve-status", "--foreground"],
        &["-k", "-s", "--kill-after", "--signal"],
        1,
    ),
    spec("gtimeout", &["-v", "--preserve-status", "--foreground"], &["-k", "-s", "--kill-after", "--signal"], 1),
    spec("stdbuf", &[], &["-i", "-o", "-e", "--input", "--output", "--error"], 0),
    spec("setsid", &["-c", "-f", "-w", "--ctty", "--fork", "--wait"], &[], 0),
    spec("time", &["-p"], &[], 0),
    spec("command", &["-p"], &[], 0),
    spec("builtin", &[], &[], 0),
    spec("exec", &["-c", "-l"], &["-a"], 0),
];

/// Wrappers that run the command as somebody else, elsewhere, with other variables or other arguments.
const CHANGERS: &[Spec] = &[
    spec(
        "sudo",
        &[
            "-A",
            "-b",
            "-E",
            "-H",
            "-i",
            "-k",
            "-K",
            "-n",
            "-P",
            "-S",
            "-s",
            "-v",
            "-B",
            "-N",
            "--preserve-env",
            "--login",
            "--shell",
        ],
        &[
            "-u", "-g", "-h", "-p", "-C", "-r", "-t", "-T", "-U", "-D", "-R", "--user", "--group", "--host",
            "--prompt", "--chdir", "--chroot",
        ],
        0,
    ),
    spec("doas", &["-n", "-s", "-L"], &["-u", "-C"], 0),
    spec(
        "env",
        &["-i", "-", "-0", "-v", "--ignore-environment", "--null", "--debug"],
        &["-u", "-C", "--unset", "--chdir"],
        0,
    ),
    spec(
        "xargs",
        &["-0", "-o", "-p", "-r", "-t", "-x", "--null", "--no-run-if-empty", "--verbose", "--exit", "--interactive"],
        &[
            "-a",
            "-d",
            "-E",
            "-I",
            "-L",
            "-n",
            "-P",
            "-s",
            "--arg-file",
            "--delimiter",
            "--max-args",
            "--max-procs",
            "--max-lines",
            "--max-chars",
        ],
        0,
    ),
    spec("busybox", &[], &[], 0),
    spec("toybox", &[], &[], 0),
    spec("chroot", &[], &[], 1),
    spec(
        "flock",
        &["-s", "-x", "-e", "-n", "-u", "-o", "-F", "--shared", "--exclusive", "--nonblock", "--close"],
        &["-w", "-E", "--timeout", "--wait"],
        1,
    ),
    spec("coproc", &[], &[], 0),
    spec("pkexec", &["--disable-internal-agent", "--keep-cwd"], &["--user"], 0),
    spec("setarch", &["-R"], &[], 1),
    spec("linux32", &["-R"], &[], 0),
    spec("linux64", &["-R"], &[], 0),
    spec("i386", &["-R"], &[], 0),
    spec("x86_64", &["-R"], &[], 0),
    spec("uname26", &["-R"], &[], 0),
    spec("ssh-agent", &["-s", "-c", "-D", "-d", "-k"], &["-a", "-E", "-P", "-t"], 0),
    spec("nocorrect", &[], &[], 0),
    spec("noglob", &[], &[], 0),
];

/// Looks whether it is such a program.
pub(super) fn look(base: &str, words: &[Word], look: &mut Look) -> bool {
    let find = |specs: &'static [Spec]| specs.iter().find(|spec| spec.name == base);
    if let Some(spec) = find(CARRIERS) {
        let asks = base == "command" && words.get(1).and_then(Word::exact).is_some_and(|w| w == "-v" || w == "-V");
        if asks {
            return true;
        }
        look.kind = Kind::Carrier;
        if let Some(inner) = inner(spec, words, look) {
            // Without a command there is nothing that is judged for it.
            if inner.is_empty() && base != "exec" {
                look.kind = Kind::Plain;
            }
            run(inner, look);
        }
        return true;
    }
    let Some(spec) = find(CHANGERS) else { return false };
    look.runs(format!("`{base}` runs the command that follows it"));
    if base == "coproc" {
        look.mark("`coproc` runs a command beside the shell");
    }
    if base == "flock"
        && let Some(word) = words.get(1).filter(|word| !word.may_be_option())
    {
        look.files.push((word.clone(), FileUse::WriteByProgram));
    }
    let Some(mut inner) = inner(spec, words, look) else { return true };
    if matches!(base, "env" | "sudo") {
        let own = words.get(1..words.len() - inner.len()).unwrap_or_default();
        look.at.extend(directory(if base == "env" { "-C" } else { "-D" }, own));
    }
    let variables = inner.iter().take_while(|word| assignment(word).is_some()).count();
    if matches!(base, "sudo" | "doas" | "env") && variables > 0 {
        look.variables.extend(inner.iter().take(variables).filter_map(assignment).map(|name| (name.to_owned(), true)));
        inner = inner.get(variables..).unwrap_or_default();
    }
    match base {
        "flock" if inner.first().is_some_and(|word| word.text == "-c" || word.text == "--command") => {
            script(inner.get(1..).unwrap_or_default(), look);
        }
        "xargs" => {
            let mut words = if inner.is_empty() { vec![Word::literal("echo")] } else { inner.to_vec() };
            for word in words.iter_mut().filter(|word| word.text.contains("{}")) {
                *word = Word::unknown();
            }
            words.push(Word::unknown());
            run(&words, look);
        }
        _ => run(inner, look),
    }
    // With these, the words make one text for a shell.
    let shell = |word: &Word| matches!(word.text.as_str(), "-i" | "-s" | "--login" | "--shell");
    if matches!(base, "sudo" | "doas") && words.iter().take(words.len() - inner.len()).any(shell) {
        script(inner, look);
    }
    true
}

/// The directory in which a wrapper runs its command, by this option of its own or `--chdir`.
fn directory(short: &str, own: &[Word]) -> Option<Word> {
    own.iter().enumerate().find_map(|(at, word)| {
        if word.text == short || word.text == "--chdir" {
            return own.get(at + 1).cloned();
        }
        let joined = word.text.strip_prefix("--chdir=").or_else(|| word.text.strip_prefix(short))?;
        Some(Word { text: joined.to_owned(), ..word.clone() })
    })
}

/// The words become one text for a shell.
pub(super) fn script(words: &[Word], look: &mut Look) {
    let texts: Option<Vec<&str>> = words.iter().map(Word::exact).collect();
    match texts {
        Some(texts) if !texts.is_empty() => look.scripts.push(texts.join(" ")),
        Some(_) => {}
        None => look.mark("it runs a text that is only known when it runs"),
    }
}

fn run(inner: &[Word], look: &mut Look) {
    if !inner.is_empty() {
        look.inner.push(inner.to_vec());
    }
}

/// The words after a wrapper's own. None when an option is not known: then anything that follows may be the command.
fn inner<'a>(spec: &Spec, words: &'a [Word], look: &mut Look) -> Option<&'a [Word]> {
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let Some(text) = word.exact() else { break };
        if text == "--" {
            at += 1;
            break;
        }
        if !text.starts_with('-') || (text == "-" && !spec.flags.contains(&"-")) {
            break;
        }
        let name = text.split('=').next().unwrap_or(text);
        let short = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        let digits = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
        if spec.flags.contains(&name) || (spec.valued.contains(&name) && name != text) {
            at += 1;
        } else if spec.valued.contains(&text) {
            at += 2;
        } else if let Some(letters) = short.filter(|l| !l.is_empty()) {
            // A number (`nice -5`), a value that follows at once (`-n5`), or flags together (`-nE`).
            let first = text.get(..2).unwrap_or_default();
            let flags = letters.chars().all(|c| spec.flags.contains(&format!("-{c}").as_str()));
            // `-nu root`: the last of them takes the next word.
            let last = letters.chars().next_back().map(|c| format!("-{c}")).unwrap_or_default();
            let others = letters.chars().rev().skip(1).all(|c| spec.flags.contains(&format!("-{c}").as_str()));
            let takes_next = letters.len() > 1 && others && spec.valued.contains(&last.as_str());
            if takes_next && !spec.valued.contains(&first) {
                at += 2;
                continue;
            }
            let number = spec.name == "nice" && digits(letters);
            if !(number || flags || spec.valued.contains(&first)) {
                return odd(words, at, look);
            }
            at += 1;
        } else {
            return odd(words, at, look);
        }
    }
    // A word that is not known may be an option, or the command.
    let positional = words.get(at..at + spec.before).unwrap_or_default();
    if positional.iter().any(|word| word.many || word.may_be_option()) {
        return odd(words, at, look);
    }
    Some(words.get(at + spec.before..).unwrap_or_default())
}

fn odd<'a>(words: &[Word], at: usize, look: &mut Look) -> Option<&'a [Word]> {
    let shown = words.get(at).map_or("", |word| word.text.as_str());
    look.mark(format!("which command `{}` runs is not clear after `{shown}`", words.first().map_or("", |w| &w.text)));
    look.guesses.extend(at + 1..words.len());
    None
}
