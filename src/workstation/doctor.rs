//! What `doctor` looks at: the program and the one that runs, git, the terminal, the state's files and disk,
//! whether the end of a login would end the workstation, and the forge. Each is one [`Finding`]; nothing is changed.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::home::{Home, ProjectHome};
use super::lock::{Identity, Lock};
use crate::app::report::Finding;
use crate::base::size_words;
use crate::domain::ForgeKind;
use crate::forge;
use crate::protocol;
use crate::store::Store;

/// Below so many bytes the disk is nearly full: a large turn's transcript and a worktree still fit.
const NEARLY_FULL: u64 = 1 << 30;

/// Looks at everything. Takes some milliseconds: two short programs are run.
#[must_use]
pub fn look(home: &Home, place: &ProjectHome, root: &Path, kind: ForgeKind) -> Vec<Finding> {
    let running = Lock::peek(place.lock()).ok().flatten().and_then(|holder| holder.identity);
    let mut all = vec![version(running.as_ref()), git(), terminal()];
    all.push(store(place));
    all.extend(private(home, place));
    all.extend(disk(home));
    all.push(socket(place, running.as_ref()));
    all.extend(logout());
    all.push(forge(root, kind));
    all
}

fn version(running: Option<&Identity>) -> Finding {
    let own = format!("this program is version {}, protocol {}", env!("CARGO_PKG_VERSION"), protocol::VERSION);
    match running {
        None => Finding::good("version", format!("{own}; no workstation runs")),
        Some(other) if other.protocol == protocol::VERSION => {
            let words = format!("{own}; the workstation (process {}) is version {}", other.pid, other.version);
            Finding::good("version", words)
        }
        Some(other) => Finding::bad(
            "version",
            format!("{own}; the workstation (process {}) is {}, protocol {}", other.pid, other.version, other.protocol),
            "`paralane down` ends it; the next start uses this version",
        ),
    }
}

/// The first line that a program prints.
fn first_line(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().map(str::to_owned).filter(|_| output.status.success())
}

fn git() -> Finding {
    let hint = "install git 2.20 or newer: worktrees are made with it";
    let Some(line) = first_line("git", &["--version"]) else {
        return Finding::bad("git", "git is not there, or does not run", hint);
    };
    let mut numbers = line.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse::<u32>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(major), Some(minor)) if (major, minor) < (2, 20) => Finding::bad("git", line, hint),
        _ => Finding::good("git", line),
    }
}

fn terminal() -> Finding {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let colours = match set("COLORTERM").as_deref() {
        Some("truecolor" | "24bit") => "all colours",
        _ if set("NO_COLOR").is_some() => "no colours wanted (NO_COLOR)",
        _ => "as many colours as TERM says",
    };
    match set("TERM") {
        None => Finding::warning(
            "terminal",
            "TERM is not set: no window can be opened from here",
            "run it in a terminal, or set TERM",
        ),
        Some(term) if term == "dumb" || term == "unknown" => Finding::warning(
            "terminal",
            format!("TERM is `{term}`: no window can be opened from here"),
            "set TERM to what the terminal is, for example `TERM=xterm-256color`",
        ),
        Some(term) => Finding::good("terminal", format!("{term}, {colours}")),
    }
}

fn store(place: &ProjectHome) -> Finding {
    let path = place.store();
    let size = path.metadata().map_or(0, |facts| facts.len());
    match Store::read(&path) {
        Err(error) => Finding::bad("store", error.to_string(), "the message says what to do; nothing was changed"),
        Ok(_) if size == 0 => Finding::good("store", format!("none yet; it will be `{}`", path.display())),
        Ok(snapshot) => {
            let words = format!(
                "`{}`, schema {}, {}, {} lanes",
                path.display(),
                Store::SCHEMA,
                size_words(size),
                snapshot.lanes.len()
            );
            Finding::good("store", words)
        }
    }
}

/// Whether others may read what stands in the state directory.
fn private(home: &Home, place: &ProjectHome) -> Vec<Finding> {
    let open = |path: &Path| path.metadata().is_ok_and(|facts| facts.permissions().mode() & 0o077 != 0);
    let store = place.store();
    let paths = [home.root().to_owned(), store.parent().unwrap_or(Path::new("/")).to_owned(), store];
    let open: Vec<String> =
        paths.iter().filter(|path| open(path)).map(|path| format!("`{}`", path.display())).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let words = format!("others may read {}", open.join(", "));
    vec![Finding::warning("state", words, "`chmod -R go= DIRECTORY` takes that away")]
}

fn disk(home: &Home) -> Vec<Finding> {
    let there = home.root().ancestors().find(|path| path.exists());
    let Some((path, facts)) = there.and_then(|path| Some((path, rustix::fs::statvfs(path).ok()?))) else {
        return Vec::new();
    };
    let free = facts.f_bavail.saturating_mul(facts.f_frsize);
    let words = format!("{} free where `{}` stands", size_words(free), path.display());
    vec![if free < NEARLY_FULL {
        Finding::warning(
            "disk",
            words,
            "make room: close lanes (`lane list` shows their size), or use another `--home`",
        )
    } else {
        Finding::good("disk", words)
    }]
}

fn socket(place: &ProjectHome, running: Option<&Identity>) -> Finding {
    let path = place.socket();
    let answers = std::os::unix::net::UnixStream::connect(path).is_ok();
    let words = format!("`{}`", path.display());
    match (running.is_some(), answers) {
        (true, true) => Finding::good("socket", format!("{words} answers")),
        (false, false) => Finding::good("socket", format!("{words} is free")),
        (true, false) => Finding::bad(
            "socket",
            format!("{words} does not answer, and a workstation runs"),
            "`paralane down` ends it; its log says more",
        ),
        (false, true) => Finding::bad(
            "socket",
            format!("{words} answers, and no workstation of ours holds its lock"),
            "look what listens there before you start",
        ),
    }
}

/// A forge that does not answer in this time is not there.
const PATIENCE: Duration = Duration::from_secs(5);

fn forge(root: &Path, kind: ForgeKind) -> Finding {
    let directory = root.display().to_string();
    let origin = first_line("git", &["-C", &directory, "remote", "get-url", "origin"]);
    match forge::find(kind, root, origin.as_deref(), PATIENCE).map(|forge| forge.check()) {
        None => Finding::good("forge", format!("none (`forge.kind = \"{}\"`)", kind.word())),
        Some(Ok(words)) => Finding::good("forge", words),
        Some(Err(fault)) => {
            Finding::warning("forge", fault.to_string(), "titles of issues are left out; everything else works without")
        }
    }
}

/// Whether the end of a login would end the workstation: some systems end all of a person's processes then.
fn logout() -> Option<Finding> {
    let user = rustix::process::getuid().as_raw().to_string();
    let kills = first_line(
        "busctl",
        &[
            "get-property",
            "org.freedesktop.login1",
            "/org/freedesktop/login1",
            "org.freedesktop.login1.Manager",
            "KillUserProcesses",
        ],
    )?;
    let lingers = || {
        Path::new("/var/lib/systemd/linger").read_dir().is_ok_and(|names| {
            let own = first_line("id", &["-un", &user]);
            names.flatten().any(|name| own.as_deref().is_some_and(|own| name.file_name() == *own))
        })
    };
    Some(match kills.trim_end().ends_with("true") {
        false => Finding::good("logout", "the workstation outlives the end of a login"),
        true if lingers() => Finding::good("logout", "the workstation outlives the end of a login (lingering is on)"),
        true => Finding::warning(
            "logout",
            "the end of a login ends all your processes, the workstation among them",
            "`loginctl enable-linger` lets it go on",
        ),
    })
}
