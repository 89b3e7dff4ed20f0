//! Interpreters, editors and other programs that run what their arguments, their input or a file says.

use super::super::model::{FileUse, Word};
use super::Look;
use super::wrappers::script;

/// Programs that run code by nature; their versions (`python3.12`) count as well.
const INTERPRETERS: &[&str] = &[
    "python",
    "pypy",
    "ipython",
    "perl",
    "ruby",
    "irb",
    "node",
    "nodejs",
    "deno",
    "bun",
    "tsx",
    "ts-node",
    "php",
    "lua",
    "luajit",
    "tclsh",
    "wish",
    "expect",
    "Rscript",
    "R",
    "julia",
    "guile",
    "racket",
    "scheme",
    "sbcl",
    "clisp",
    "ecl",
    "scala",
    "groovy",
    "java",
    "jshell",
    "kotlin",
    "ghci",
    "runghc",
    "runhaskell",
    "stack",
    "ocaml",
    "erl",
    "escript",
    "elixir",
    "iex",
    "mix",
    "osascript",
    "pwsh",
    "powershell",
    "raku",
    "gdb",
    "lldb",
    "emacs",
    "emacsclient",
    "vi",
    "vim",
    "nvim",
    "view",
    "vimdiff",
    "ex",
    "ed",
    "nano",
    "micro",
    "hx",
    "kak",
    "m4",
    "bc",
    "dc",
    "gnuplot",
    "octave",
    "sqlite3",
    "psql",
    "mysql",
    "mongosh",
    "redis-cli",
    "jupyter",
    "dotnet",
    "mono",
    "wine",
];

/// Programs that run a command given to them, in ways too many to follow: whatever follows may be it.
const LAUNCHERS: &[&str] = &[
    "parallel",
    "npx",
    "pnpx",
    "bunx",
    "uvx",
    "pipx",
    "uv",
    "poetry",
    "pipenv",
    "hatch",
    "conda",
    "mamba",
    "pixi",
    "rye",
    "nix",
    "nix-shell",
    "nix-env",
    "direnv",
    "mise",
    "asdf",
    "rtx",
    "docker",
    "podman",
    "nerdctl",
    "kubectl",
    "oc",
    "lxc",
    "vagrant",
    "tmux",
    "screen",
    "zellij",
    "at",
    "batch",
    "crontab",
    "systemctl",
    "systemd-run",
    "launchctl",
    "entr",
    "watchexec",
    "cargo-watch",
    "nodemon",
    "unshare",
    "nsenter",
    "setpriv",
    "capsh",
    "bwrap",
    "firejail",
    "proot",
    "strace",
    "ltrace",
    "valgrind",
    "perf",
    "rr",
    "fakeroot",
    "dbus-run-session",
    "dbus-launch",
    "xvfb-run",
    "unbuffer",
    "rlwrap",
    "proxychains",
    "proxychains4",
    "torsocks",
    "torify",
    "catchsegv",
    "numactl",
    "taskset",
    "chrt",
    "prlimit",
    "cgexec",
    "caffeinate",
    "gosu",
    "su-exec",
    "tini",
    "dumb-init",
    "chpst",
    "softlimit",
    "envdir",
    "setuidgid",
    "start-stop-daemon",
    "daemonize",
    "run-parts",
    "sg",
    "newgrp",
    "mosh",
    "rsh",
    "rlogin",
    "telnet",
    "nc",
    "ncat",
    "netcat",
    "socat",
    "xdg-open",
    "open",
    "gio",
    "xterm",
    "gnome-terminal",
    "konsole",
    "kitty",
    "alacritty",
    "script",
    "scriptreplay",
    "expect_unbuffer",
    "dotenv",
    "cross-env",
    "env-cmd",
    "foreman",
    "overmind",
    "concurrently",
    "lerna",
    "nx",
    "turbo",
    "rush",
    "bazel",
    "buck2",
    "ansible",
    "ansible-playbook",
    "terraform",
    "pulumi",
    "ld.so",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
    "msfconsole",
    "ctest",
    "hyperfine",
    "sem",
    "ts",
    "agetty",
    "login",
    "machinectl",
    "flatpak",
    "snap",
    "pre-commit",
    "lefthook",
    "husky",
    "paralane",
];

/// Looks whether it is such a program.
pub(super) fn look(base: &str, words: &[Word], look: &mut Look) -> bool {
    let args = words.get(1..).unwrap_or_default();
    let versioned = base.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    match base {
        "find" | "gfind" => find(args, look),
        "ssh" => ssh(words, look),
        "watch" => {
            look.runs("`watch` runs its arguments");
            let mut at = 0;
            while let Some(option) = args.get(at).and_then(Word::exact).filter(|option| option.starts_with('-')) {
                at += if matches!(option, "-n" | "--interval") { 2 } else { 1 };
            }
            let clear =
                |word: &Word| word.exact().is_some_and(|o| o.len() == 2 || !o.starts_with('-') || o.starts_with("--"));
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
            let file = args.iter().rfind(|word| !word.may_be_option());
            look.files.extend(file.cloned().map(|word| (word, FileUse::Write)));
        }
        _ if INTERPRETERS.contains(&base) || INTERPRETERS.contains(&versioned) => {
            look.runs(format!("`{base}` runs code"));
        }
        _ if LAUNCHERS.contains(&base) => {
            look.runs(format!("`{base}` runs other commands"));
            look.guesses.extend((1..words.len()).take(16));
        }
        _ => return false,
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
    while let Some(word) = args.get(at) {
        let Some(text) = word.exact() else {
            if word.may_be_option() {
                look.runs("an argument of `find` is only known when it runs, and may be `-exec`");
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
                let each = |word: &Word| if word.text.contains("{}") { Word::unknown() } else { word.clone() };
                if !words.is_empty() {
                    look.inner.push(words.iter().map(each).collect());
                }
                at += end + 1;
            }
            "-delete" => look.runs("`find -delete` removes files"),
            "-fprint" | "-fprint0" | "-fprintf" | "-fls" => {
                look.runs(format!("`find {text}` writes a file"));
                look.files.extend(args.get(at + 1).cloned().map(|word| (word, FileUse::Write)));
                at += 1;
            }
            _ => {}
        }
        at += 1;
    }
    let paths = args.iter().take_while(|word| !word.text.starts_with('-'));
    look.files.extend(paths.cloned().map(|word| (word, FileUse::Named)));
}

fn ssh(words: &[Word], look: &mut Look) {
    look.runs("`ssh` runs commands on another machine");
    let mut at = 1;
    while let Some(text) = words.get(at).and_then(Word::exact).filter(|text| text.starts_with('-')) {
        let lower = text.to_ascii_lowercase();
        let value = words.get(at + 1).map_or("", |word| word.text.as_str()).to_ascii_lowercase();
        if lower.starts_with("-o")
            && ["command", "pkcs11", "include", "provider"].iter().any(|w| lower.contains(w) || value.contains(w))
        {
            look.mark("an option of `ssh` runs a program");
        }
        let valued = "BbcDEeFIiJLlmOopPQRSWw";
        at += if text.len() == 2 && valued.contains(text.trim_start_matches('-')) { 2 } else { 1 };
    }
    script(words.get(at + 1..).unwrap_or_default(), look);
    look.guesses.extend((at + 1..words.len()).take(4));
}
