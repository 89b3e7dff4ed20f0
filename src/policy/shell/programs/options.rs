//! Programs that do what they are for, unless an option makes them run another.

use super::super::model::Word;
use super::Look;

/// What an option does with the word that belongs to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    /// The word is a command line.
    Text,
    /// What follows is a command, word by word.
    Words,
    /// The same; it gets names of files besides.
    Each,
    /// It takes settings or files from elsewhere, and may run what stands there.
    Runs,
    /// It names a program, or settings that do, in ways that cannot be followed.
    Hides,
    /// An option of ssh.
    Ssh,
}

use Does::{Each, Hides, Runs, Ssh, Text, Words};

/// Options of a program that do the same: long ones (any beginning counts), and letters (also among others in one word).
type Options = (Does, &'static [&'static str], &'static str);

const TAR: &[Options] = &[(
    Text,
    &[
        "--to-command",
        "--checkpoint-action",
        "--use-compress-program",
        "--info-script",
        "--new-volume-script",
        "--rsh-command",
        "--rmt-command",
    ],
    "IF",
)];
const NODE: &[Options] = &[
    (Text, &["--call"], "c"),
    (Hides, &["--script-shell", "--node-options", "--shell", "--git"], ""),
    (Runs, &["--prefix", "--userconfig", "--globalconfig", "--dir"], "C"),
];
const MAKE: &[Options] =
    &[(Hides, &["--eval"], "E"), (Runs, &["--file", "--makefile", "--directory", "--include-dir"], "fCI")];
const C: &[Options] = &[(Hides, &["--wrapper"], ""), (Runs, &["--specs", "--config"], "B")];
const APT: &[Options] = &[(Hides, &["--option", "--config-file"], "oc")];
const FD: &[Options] = &[(Each, &["--exec", "--exec-batch"], "xX")];

const TABLE: &[(&str, &[Options])] = &[
    ("tar", TAR),
    ("gtar", TAR),
    ("bsdtar", &[(Text, &["--use-compress-program"], "I")]),
    ("rsync", &[(Text, &["--rsh", "--rsync-path"], "e"), (Runs, &["--daemon", "--config"], "")]),
    ("scp", &[(Text, &[], "S"), (Ssh, &[], "o"), (Hides, &[], "D"), (Runs, &[], "F")]),
    ("sftp", &[(Text, &[], "S"), (Ssh, &[], "o"), (Hides, &[], "Db"), (Runs, &[], "F")]),
    ("man", &[(Text, &["--pager", "--html"], "PH"), (Runs, &["--config-file", "--preprocessor"], "Cp")]),
    ("zip", &[(Text, &["--unzip-command"], ""), (Runs, &["--test"], "T")]),
    ("sort", &[(Text, &["--compress-program"], "")]),
    ("split", &[(Text, &["--filter"], "")]),
    ("fd", FD),
    ("fdfind", FD),
    ("rg", &[(Text, &["--pre", "--hostname-bin"], "")]),
    ("ag", &[(Text, &["--pager"], "")]),
    ("ack", &[(Text, &["--pager"], ""), (Runs, &["--ackrc"], "")]),
    ("bat", &[(Text, &["--pager"], ""), (Runs, &["--config-file"], "")]),
    (
        "less",
        &[
            (Hides, &["--lesskey-content"], ""),
            (Runs, &["--log-file", "--lesskey-file", "--lesskey-src", "--tag-file"], "okKO"),
        ],
    ),
    ("more", &[]),
    ("make", MAKE),
    ("gmake", MAKE),
    ("ninja", &[(Runs, &[], "fC")]),
    (
        "just",
        &[
            (Words, &["--command"], "c"),
            (Hides, &["--shell", "--chooser", "--set"], ""),
            (Runs, &["--justfile", "--working-directory"], "fd"),
        ],
    ),
    ("cmake", &[(Words, &[], "E"), (Runs, &["--build", "--install", "--workflow"], "PC")]),
    ("cargo", &[(Hides, &["--config"], ""), (Runs, &["--manifest-path"], "ZC")]),
    ("gcc", C),
    ("g++", C),
    ("cc", C),
    ("c++", C),
    ("clang", C),
    ("openssl", &[(Hides, &["--engine", "--provider"], "")]),
    ("curl", &[(Hides, &["--config", "--engine"], "K")]),
    (
        "wget",
        &[(Text, &["--use-askpass"], ""), (Hides, &["--execute", "--input-file"], "ei"), (Runs, &["--config"], "")],
    ),
    ("npm", NODE),
    ("pnpm", NODE),
    ("yarn", &[(Hides, &["--script-shell", "--node-options"], ""), (Runs, &["--cwd", "--use-yarnrc"], "")]),
    ("go", &[(Text, &["--exec", "--toolexec", "--vettool"], ""), (Runs, &[], "C")]),
    ("gh", &[]),
    ("ip", &[(Runs, &["--batch"], "b")]),
    ("dpkg", &[(Text, &["--pre-invoke", "--post-invoke"], "")]),
    ("apt-get", APT),
    ("apt", APT),
    (
        "gpg",
        &[
            (Text, &["--photo-viewer"], ""),
            (Hides, &["--exec-path", "--agent-program"], ""),
            (Runs, &["--options"], ""),
        ],
    ),
    ("nmap", &[(Hides, &["--script"], "")]),
    ("tcpdump", &[(Text, &[], "z")]),
    ("pytest", &[(Runs, &["--rootdir", "--confcutdir"], "pc")]),
    ("ctags", &[(Hides, &["--options", "--optlib-dir"], "")]),
    ("lftp", &[(Hides, &[], "cef")]),
    ("sponge", &[]),
    ("cpio", &[(Text, &["--rsh-command"], "")]),
    ("groff", &[(Hides, &[], "U")]),
    ("troff", &[(Hides, &[], "U")]),
];

/// Subcommands that run what follows them.
const SUBCOMMANDS: &[(&str, &[&str])] = &[
    ("npm", &["exec", "x", "explore", "init", "create", "config", "set", "edit"]),
    ("pnpm", &["exec", "dlx", "create", "config"]),
    ("yarn", &["exec", "dlx", "create", "config", "node"]),
    ("go", &["run", "generate", "tool", "env"]),
    ("gh", &["alias", "extension", "ext", "api", "config"]),
    ("ip", &["netns", "vrf"]),
    ("cargo", &["watch", "flamegraph", "with", "instruments", "samply"]),
];

/// Variables of make that say what runs the recipes, or which there are.
const MAKES: &[&str] = &["SHELL", ".SHELLFLAGS", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES", "MAKE"];

/// Looks at the options of a program.
pub(super) fn look(base: &str, args: &[Word], look: &mut Look) {
    let Some((_, options)) = TABLE.iter().find(|(name, _)| *name == base) else { return };
    // Old style: `tar cIf`.
    let bare = base.ends_with("tar");
    let single = matches!(base, "go" | "gcc" | "g++" | "cc" | "c++" | "clang" | "openssl");
    for (index, word) in args.iter().enumerate() {
        let Some(text) = word.exact() else {
            if word.may_be_option() {
                look.hides(format!("an option of `{base}` is only known when it runs"));
            }
            continue;
        };
        if text == "--" && !matches!(base, "cargo" | "npm" | "pnpm" | "yarn") {
            break;
        }
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let doubled = if single && !name.starts_with("--") { format!("-{name}") } else { name.to_owned() };
        let letters = text.strip_prefix('-').filter(|l| !l.starts_with('-'));
        let old = bare && index == 0 && letters.is_none();
        let alone = text.len() <= 2 || text.starts_with("-C") || text.starts_with("-B");
        for (does, long, short) in *options {
            let is_long = doubled.len() >= 4
                && doubled.starts_with("--")
                && long.iter().any(|option| option.starts_with(&doubled));
            let letters = letters.or(old.then_some(text)).filter(|_| !single || alone);
            let at = letters.and_then(|letters| letters.find(|c| short.contains(c)));
            let rest = args.get(index + 1..).unwrap_or_default();
            let value = match (is_long, at, letters) {
                (true, ..) => value.map(Word::literal).or_else(|| rest.first().cloned()),
                // What belongs to which of the letters is not clear.
                (false, Some(_), _) if old => None,
                (false, Some(at), Some(letters)) => match letters.get(at + 1..) {
                    None | Some("") => rest.first().cloned(),
                    Some(joined) => Some(Word::literal(joined.trim_start_matches('='))),
                },
                _ => continue,
            };
            let why = format!("`{base} {name}` can run a program or take its settings from elsewhere");
            option(*does, why, value, rest, look);
        }
        if base == "zip" && text == "-TT" {
            let why = "`zip -TT` runs a command".to_owned();
            look.runs_text(why, args.get(index + 1).cloned());
        }
        variable(base, text, look);
        if matches!(base, "less" | "more") && text.starts_with('+') {
            let why = format!("`{base} {text}` runs a command");
            let command = text.trim_start_matches('+');
            match command.split_once('!') {
                Some((_, command)) => look.runs_text(why, Some(Word::literal(command))),
                // It waits for more, or goes to a line or a pattern.
                None if matches!(command, "F" | "G") || command.starts_with('/') => {}
                None if command.bytes().all(|b| b.is_ascii_digit()) => {}
                None => look.hides(why),
            }
        }
    }
    subcommand(base, args, look);
}

fn option(does: Does, why: String, value: Option<Word>, rest: &[Word], look: &mut Look) {
    match does {
        // `exec=` is for an action of tar; others do nothing of the kind.
        Text => match value.as_ref().and_then(Word::exact).and_then(|text| text.strip_prefix("exec=")) {
            Some(text) => look.runs_text(why, Some(Word::literal(text))),
            None => look.runs_text(why, value),
        },
        Words | Each => {
            look.runs(why);
            let end = rest.iter().position(|word| word.text == ";").unwrap_or(rest.len());
            let each = |word: &Word| if word.text.contains('{') { Word::unknown() } else { word.clone() };
            let mut words: Vec<Word> = rest.iter().take(end).map(each).collect();
            if does == Each && !words.is_empty() {
                words.push(Word::unknown());
            }
            match value.filter(|value| rest.first() != Some(value)) {
                Some(text) => look.runs_text("it runs a command".to_owned(), Some(text)),
                None if words.is_empty() => {}
                None => look.inner.push(words),
            }
        }
        Runs => look.runs_file(why, value.as_ref()),
        Hides => look.hides(why),
        Ssh => match value {
            Some(value) => ssh_option(&value, look),
            None => look.hides(why),
        },
    }
}

/// `-o NAME=VALUE` of ssh and its kin.
pub(super) fn ssh_option(value: &Word, look: &mut Look) {
    let Some(text) = value.exact() else { return look.hides("an option of `ssh` is only known when it runs") };
    let (name, rest) = text.split_once(['=', ' ']).unwrap_or((text, ""));
    let (name, rest) = (name.trim().to_ascii_lowercase(), rest.trim_start_matches(['=', ' ']));
    match name.as_str() {
        "permitlocalcommand" => {}
        _ if name.ends_with("command") => {
            look.mark("an option of `ssh` runs a program");
            look.runs_text(format!("`ssh -o {name}` runs a program"), Some(Word::literal(rest)));
        }
        _ if ["pkcs11", "include", "provider", "xauth"].iter().any(|word| name.contains(word)) => {
            look.mark("an option of `ssh` runs a program");
        }
        _ => {}
    }
}

/// `make NAME=VALUE`.
fn variable(base: &str, text: &str, look: &mut Look) {
    if !matches!(base, "make" | "gmake") || text.starts_with('-') {
        return;
    }
    let Some((name, value)) = text.split_once('=') else { return };
    let name = name.trim_end_matches([':', '+', '?', '!']);
    let why = format!("`{base} {name}=` sets what it runs");
    // A recipe puts the value into its text for the shell.
    let code = value.contains(['$', '`', ';', '&', '|', '(', '<', '>', '\n']) || text.contains("!=");
    if MAKES.contains(&name) || code {
        look.hides(why);
    } else {
        look.runs(why);
        // `CC='rm x'`
        let words: Vec<Word> = value.split_ascii_whitespace().map(Word::literal).collect();
        if !words.is_empty() && !value.starts_with('-') {
            look.perhaps.push(words);
        }
    }
}

fn subcommand(base: &str, args: &[Word], look: &mut Look) {
    let sub = args.iter().find(|word| !word.text.starts_with(['-', '+']));
    let subs = SUBCOMMANDS.iter().find(|(name, _)| *name == base).map(|(_, subs)| *subs).unwrap_or_default();
    if let Some(sub) = sub.filter(|sub| subs.contains(&sub.text.as_str())) {
        look.runs(format!("`{base} {}` runs other programs", sub.text));
        look.guesses.extend((2..=args.len()).take(6));
        if base == "cargo" && args.iter().any(|word| word.text.contains([' ', '\t', ';', '|', '&'])) {
            look.hides(format!("what `cargo {}` runs cannot be seen", sub.text));
        }
    }
}
