//! Programs that run a command given to them.

use super::super::model::Word;
use super::{Look, base_name};

/// Programs that run a command given to them, in ways too many to follow: whatever follows may be it.
pub(super) const LAUNCHERS: &[&str] = &[
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
    "bundle",
    "rbenv",
    "pyenv",
    "volta",
    "corepack",
    "doppler",
    "aws-vault",
    "chamber",
    "envchain",
    "eatmydata",
    "faketime",
    "trickle",
    "tsocks",
    "choom",
    "cpulimit",
    "systemd-cat",
    "systemd-inhibit",
    "run0",
    "runcon",
    "chronic",
    "ifne",
    "pee",
    "mispipe",
    "zrun",
    "sshpass",
    "autossh",
    "pdsh",
    "clush",
    "retry",
    "gdbserver",
    "osqueryi",
    "gpg-connect-agent",
    "vipe",
    "lldb-server",
    "cgroupify",
    "s6-setuidgid",
    "with-contenv",
];

/// Those that read what they run.
const READERS: &[&str] = &["at", "batch", "crontab", "gpg-connect-agent", "xargs"];

/// Those that run one program of a package with the words after it, as they stand.
const PACKAGES: &[&str] = &["npx", "pnpx", "bunx", "uvx", "uv", "poetry", "pipenv", "bundle"];

/// Programs of packages that leave alone the files that they are given.
const CHECKERS: &[&str] = &[
    "pytest",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "playwright",
    "cypress",
    "tsc",
    "rspec",
    "mypy",
    "pyright",
    "install",
    "sync",
    "add",
];

/// Whether a word says, or is the name of a program that says, that a text is a command.
fn takes_text(word: &Word) -> bool {
    let Some(text) = word.exact() else { return true };
    let base = base_name(text);
    matches!(text, "-c" | "--call" | "--shell-mode" | "-e" | "--eval" | "-lc" | "-ic")
        || LAUNCHERS.contains(&base)
        || super::shells::is_shell(base)
        || base.starts_with("python")
        || matches!(
            base,
            "node"
                | "tsx"
                | "ts-node"
                | "perl"
                | "ruby"
                | "env"
                | "xargs"
                | "eval"
                | "npm-run-all"
                | "run-s"
                | "run-p"
                | "onchange"
                | "chokidar"
        )
}

/// Looks whether it is such a program.
pub(super) fn look(base: &str, words: &[Word], look: &mut Look) -> bool {
    if !LAUNCHERS.contains(&base) {
        return false;
    }
    look.runs(format!("`{base}` runs other commands"));
    // The word after these is one of their own.
    let own = usize::from(matches!(base, "docker" | "podman" | "nerdctl" | "kubectl" | "oc" | "systemctl"));
    look.guesses.extend((1 + own..words.len()).take(16));
    // A text among its words may be a whole command, for a shell at that.
    let plain = PACKAGES.contains(&base) && words.iter().skip(1).all(|word| !takes_text(word));
    let text = |word: &Word| match word.exact() {
        Some(text) => text.contains(['\n', ';', '|', '&', '`', '$', '(']) || !plain && text.contains([' ', '\t']),
        None => true,
    };
    let text = |word: &Word| text(word) || super::shells::is_stream(word) && word.text != "-";
    look.unknown = PACKAGES.contains(&base) && !words.iter().any(|word| CHECKERS.contains(&word.text.as_str()));
    if READERS.contains(&base) || words.iter().skip(1).any(text) {
        look.hides(format!("what `{base}` runs cannot be seen"));
    }
    true
}
