//! What keeps own agents' commands in their lanes: the table `[sandbox]`.
//!
//! A lower layer may only tighten what a higher one says; the project's file may not loosen the built-in values either.

use serde::Serialize;

use super::load::Merge;
use super::model::{Layer, Origin};
use super::raw::RawSandbox;
use super::values::{self, Fault};

/// Caches of common tools that commands may write. A setting replaces the list.
const CACHES: &[&str] = &[
    "~/.cargo/registry",
    "~/.cargo/git",
    "~/.npm",
    "~/.cache/yarn",
    "~/.cache/go-build",
    "~/go/pkg/mod",
    "~/.cache/pip",
    "~/.cache/uv",
    "~/.cache/ccache",
    "~/.cache/sccache",
    "~/.m2/repository",
];
/// Enough for a build on a large machine, far below what stops one.
const PROCESSES: u64 = 4_096;
/// Fewer than this, and no build runs; more is no limit.
const SOME_PROCESSES: std::ops::RangeInclusive<i64> = 16..=1_000_000;
/// Megabytes. A compiler needs some.
const SOME_MEMORY: std::ops::RangeInclusive<i64> = 64..=100_000_000;

/// What keeps own agents' commands in their lanes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    /// Whether they are confined at all.
    pub on: bool,
    /// Whether they may use the network.
    pub network: bool,
    /// Hosts that commands reach by a proxy while the network is off: `packages.example`, `*.packages.example`, `host:port`.
    pub hosts: Vec<String>,
    /// Whether nothing is run where a wall is missing.
    pub required: bool,
    /// Caches that may be written; `~` is the home directory.
    pub write: Vec<String>,
    /// What may not be read, besides what never may; `~` is the home directory, a relative path is the worktree's.
    pub hide: Vec<String>,
    /// Processes and threads of a lane at once.
    pub processes: u64,
    /// Megabytes of memory of one process; none for three quarters of the machine's.
    pub memory: Option<u64>,
}

impl Default for Sandbox {
    fn default() -> Self {
        Self {
            on: true,
            network: false,
            hosts: Vec::new(),
            required: false,
            write: CACHES.iter().map(|&path| path.to_owned()).collect(),
            hide: Vec::new(),
            processes: PROCESSES,
            memory: None,
        }
    }
}

impl Merge {
    pub(super) fn sandbox(&mut self, sandbox: &mut Sandbox) {
        let on =
            self.tightest("mode", &sandbox.on, |raw| raw.mode.as_deref().map(switch), |lower, upper| *lower || !*upper);
        sandbox.required =
            self.tightest("required", &sandbox.required, |raw| raw.required.map(Ok), |lower, upper| *lower || !*upper);
        sandbox.on = on || sandbox.required;
        self.show_switch("mode", sandbox.on);
        sandbox.network = self.tightest(
            "network",
            &sandbox.network,
            |raw| raw.network.as_deref().map(switch),
            |lower, upper| !*lower || *upper,
        );
        self.show_switch("network", sandbox.network);
        sandbox.hosts = self.tightest(
            "hosts",
            &sandbox.hosts,
            // Who turns the network off and names none means none.
            |raw| {
                let none = || (raw.network.as_deref() == Some("off")).then(Vec::new);
                raw.hosts.clone().or_else(none).map(|hosts| values::hosts(&hosts))
            },
            |lower, upper| lower.iter().all(|host| upper.contains(host)),
        );
        sandbox.write = self.tightest(
            "write",
            &sandbox.write,
            |raw| raw.write.clone().map(paths),
            |lower, upper| lower.iter().all(|path| upper.contains(path)),
        );
        sandbox.hide = self.all_hidden();
        sandbox.processes = self.tightest(
            "processes",
            &sandbox.processes,
            |raw| raw.processes.map(|number| within(number, &SOME_PROCESSES)),
            |lower, upper| lower <= upper,
        );
        sandbox.memory = self.tightest(
            "memory",
            &sandbox.memory,
            |raw| raw.memory.map(|number| within(number, &SOME_MEMORY).map(Some)),
            |lower, upper| upper.is_none_or(|upper| lower.is_some_and(|lower| lower <= upper)),
        );
    }

    /// The value of the lowest layer that is no looser than what stands above it. What nobody has set bounds the
    /// project's file only.
    fn tightest<T: Clone + Serialize>(
        &mut self,
        key: &str,
        built_in: &T,
        get: impl Fn(&RawSandbox) -> Option<Result<T, Fault>>,
        tighter: impl Fn(&T, &T) -> bool,
    ) -> T {
        let key = format!("sandbox.{key}");
        let mut stands: Option<(T, Origin)> = None;
        for document in &self.documents {
            let value = match get(&document.raw.sandbox) {
                None => continue,
                Some(Ok(value)) => value,
                Some(Err((message, hint))) => {
                    self.problems.push(document.problem(&key, message, hint));
                    continue;
                }
            };
            let bound = match &stands {
                Some((bound, _)) => Some(bound),
                None => Some(built_in).filter(|_| document.layer == Layer::Project),
            };
            if bound.is_none_or(|bound| tighter(&value, bound)) {
                stands = Some((value, document.origin(&key)));
            } else {
                let message = "is looser than what a higher layer says, and does not count".to_owned();
                let hint = "a lower layer may only be stricter".to_owned();
                self.notices.push(document.problem(&key, message, hint));
            }
        }
        let (value, origin) = stands.unwrap_or_else(|| (built_in.clone(), Origin::BuiltIn));
        self.note(&key, &value, origin);
        value
    }

    /// A switch is shown by the word that sets it.
    fn show_switch(&mut self, key: &str, on: bool) {
        let key = format!("sandbox.{key}");
        if let Some(setting) = self.settings.iter_mut().find(|setting| setting.key == key) {
            setting.value = if on { "on" } else { "off" }.into();
        }
    }

    /// What any layer hides.
    fn all_hidden(&mut self) -> Vec<String> {
        const KEY: &str = "sandbox.hide";
        let (mut all, mut origin) = (Vec::new(), Origin::BuiltIn);
        for document in &self.documents {
            match document.raw.sandbox.hide.clone().map(hidden) {
                None => {}
                Some(Ok(paths)) => {
                    origin = document.origin(KEY);
                    all.extend(paths.into_iter().filter(|path| !all.contains(path)).collect::<Vec<_>>());
                }
                Some(Err((message, hint))) => self.problems.push(document.problem(KEY, message, hint)),
            }
        }
        self.note(KEY, &all, origin);
        all
    }
}

fn switch(word: &str) -> Result<bool, Fault> {
    match word {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(("must be `on` or `off`".to_owned(), "write it like `network = \"off\"`".to_owned())),
    }
}

fn within(number: i64, some: &std::ops::RangeInclusive<i64>) -> Result<u64, Fault> {
    if some.contains(&number) {
        return Ok(number.unsigned_abs());
    }
    Err((format!("must be {} to {}", some.start(), some.end()), "leave it out for the built-in value".to_owned()))
}

/// Paths that may be written: whole ones, and none that holds a home directory or the system.
fn paths(paths: Vec<String>) -> Result<Vec<String>, Fault> {
    let whole = |path: &str| (path.starts_with('/') || path.starts_with("~/")) && !path.contains('\0');
    let parts = |path: &str| path.split('/').filter(|part| !part.is_empty() && *part != ".").count();
    match paths.iter().find(|path| !whole(path) || parts(path) < 2 || path.split('/').any(|part| part == "..")) {
        None => Ok(paths),
        Some(path) => Err((
            format!("`{path}` cannot be opened for writing"),
            "name caches by whole paths, such as `~/.cache/go-build`".to_owned(),
        )),
    }
}

fn hidden(paths: Vec<String>) -> Result<Vec<String>, Fault> {
    match paths.iter().find(|path| path.trim_matches(['/', '~', '.']).is_empty() || path.contains('\0')) {
        None => Ok(paths),
        Some(path) => Err((
            format!("`{path}` cannot be hidden"),
            "name files or directories, such as `~/secrets` or `.env`".to_owned(),
        )),
    }
}
