//! Programs that do what they are for, unless an option makes them run another.

use super::super::model::Word;
use super::Look;

/// A program, its long options (any beginning counts) and its short ones (also among others in one word) that run
/// something or take their settings from elsewhere.
const TABLE: &[(&str, &[&str], &str)] = &[
    (
        "tar",
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
    ),
    (
        "gtar",
        &[
            "--to-command",
            "--checkpoint-action",
            "--use-compress-program",
            "--info-script",
            "--new-volume-script",
            "--rsh-command",
        ],
        "IF",
    ),
    ("bsdtar", &["--use-compress-program"], "I"),
    ("rsync", &["--rsh", "--rsync-path", "--daemon", "--config"], "e"),
    ("scp", &[], "SoFD"),
    ("sftp", &[], "SoFDb"),
    ("man", &["--pager", "--html", "--config-file", "--preprocessor"], "PHCp"),
    ("zip", &["--unzip-command", "--test"], "T"),
    ("sort", &["--compress-program"], ""),
    ("split", &["--filter"], ""),
    ("fd", &["--exec", "--exec-batch"], "xX"),
    ("fdfind", &["--exec", "--exec-batch"], "xX"),
    ("rg", &["--pre", "--hostname-bin"], ""),
    ("ag", &["--pager"], ""),
    ("ack", &["--pager", "--ackrc"], ""),
    ("bat", &["--pager", "--config-file"], ""),
    ("less", &["--log-file", "--lesskey-file", "--lesskey-src", "--lesskey-content", "--tag-file"], "okKO"),
    ("more", &[], ""),
    ("make", &["--file", "--makefile", "--directory", "--eval", "--include-dir"], "fCIE"),
    ("gmake", &["--file", "--makefile", "--directory", "--eval", "--include-dir"], "fCIE"),
    ("ninja", &[], "fC"),
    ("just", &["--justfile", "--working-directory", "--shell", "--command", "--set", "--chooser"], "fdc"),
    ("cmake", &["--build", "--install", "--workflow"], "PEC"),
    ("cargo", &["--config", "--manifest-path"], "ZC"),
    ("gcc", &["--specs", "--wrapper"], "B"),
    ("cc", &["--specs", "--wrapper"], "B"),
    ("clang", &["--config"], "B"),
    ("openssl", &["--engine", "--provider"], ""),
    ("curl", &["--config", "--engine"], "K"),
    ("wget", &["--use-askpass", "--execute", "--config"], "e"),
    ("npm", NODE, "Cc"),
    ("pnpm", NODE, "Cc"),
    ("yarn", &["--cwd", "--use-yarnrc", "--script-shell", "--node-options"], ""),
    ("go", &["--exec", "--toolexec", "--vettool"], "C"),
    ("gh", &[], ""),
    ("dpkg", &["--pre-invoke", "--post-invoke"], ""),
    ("apt-get", &["--option", "--config-file"], "oc"),
    ("apt", &["--option", "--config-file"], "oc"),
    ("7z", &[], ""),
    ("gpg", &["--exec-path", "--photo-viewer", "--options"], ""),
    ("nmap", &["--script"], ""),
    ("tcpdump", &[], "z"),
    ("pytest", &["--rootdir", "--confcutdir"], "pc"),
];

const NODE: &[&str] = &[
    "--script-shell",
    "--node-options",
    "--prefix",
    "--shell",
    "--userconfig",
    "--globalconfig",
    "--call",
    "--dir",
    "--git",
];

/// Subcommands that run what follows them.
const SUBCOMMANDS: &[(&str, &[&str])] = &[
    ("npm", &["exec", "x", "explore", "init", "create", "config", "set", "edit"]),
    ("pnpm", &["exec", "dlx", "create", "config"]),
    ("yarn", &["exec", "dlx", "create", "config", "node"]),
    ("go", &["run", "generate", "tool", "env"]),
    ("gh", &["alias", "extension", "ext", "api", "config"]),
];

/// Looks at the options of a program.
pub(super) fn look(base: &str, args: &[Word], look: &mut Look) {
    let Some((_, long, short)) = TABLE.iter().find(|(name, ..)| *name == base) else { return };
    // Old style: `tar cIf`.
    let bare = base.ends_with("tar");
    let single = matches!(base, "go" | "gcc" | "cc" | "clang" | "openssl");
    for (index, word) in args.iter().enumerate() {
        let Some(text) = word.exact() else {
            if word.may_be_option() {
                look.runs(format!("an option of `{base}` is only known when it runs"));
            }
            continue;
        };
        if text == "--" && !matches!(base, "cargo" | "npm" | "pnpm" | "yarn") {
            break;
        }
        let name = text.split('=').next().unwrap_or(text);
        let doubled = if single && !name.starts_with("--") { format!("-{name}") } else { name.to_owned() };
        let is_long =
            doubled.len() >= 4 && doubled.starts_with("--") && long.iter().any(|option| option.starts_with(&doubled));
        let letters = text.strip_prefix('-').filter(|l| !l.starts_with('-')).or((bare && index == 0).then_some(text));
        let is_short = letters.is_some_and(|letters| letters.contains(|c| short.contains(c)));
        let alone = text.len() <= 2 || text.starts_with("-C") || text.starts_with("-B");
        if is_long || (is_short && (!single || alone)) {
            look.runs(format!("`{base} {text}` can run a program or take its settings from elsewhere"));
        }
        if matches!(base, "make" | "gmake") && text.contains('=') && !text.starts_with('-') {
            look.runs(format!("`{base} {text}` sets what it runs"));
        }
        if matches!(base, "less" | "more") && text.starts_with('+') {
            look.runs(format!("`{base} {text}` runs a command"));
        }
    }
    let sub = args.iter().find(|word| !word.text.starts_with(['-', '+']));
    let subs = SUBCOMMANDS.iter().find(|(name, _)| *name == base).map(|(_, subs)| *subs).unwrap_or_default();
    if let Some(sub) = sub.filter(|sub| subs.contains(&sub.text.as_str())) {
        look.runs(format!("`{base} {}` runs other programs", sub.text));
        look.guesses.extend((2..=args.len()).take(6));
    }
}
