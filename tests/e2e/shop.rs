//! A bench with a scripted model server, driven by commands alone: no window, no terminal.
//!
//! Waiting is always for a fact that a command or the store tells, with a deadline. Asking costs a process each
//! time, which is pause enough.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use paralane::domain::{Entry, EntryBody};
use paralane::store::Store;
use serde_json::Value;

use crate::model_server::ModelServer;
use crate::support::PATIENCE;
use crate::support::bench::{Bench, Run};

/// A repository, a state directory and a model server of their own.
pub struct Shop {
    pub bench: Bench,
    pub model: ModelServer,
}

impl Shop {
    /// In mode `ask`, with nothing further configured.
    pub fn new() -> Self {
        Self::with("")
    }

    /// In mode `full`: nothing asks.
    pub fn full() -> Self {
        Self::with("[agent]\nmode = \"full\"\n")
    }

    /// With further configuration.
    pub fn with(more: &str) -> Self {
        Self::on(Bench::new(), more)
    }

    /// On a bench that is there already.
    pub fn on(bench: Bench, more: &str) -> Self {
        let model = ModelServer::start();
        bench.configure_server(&model.base_url(), more);
        Self { bench, model }
    }

    /// Runs a command that must succeed.
    #[track_caller]
    pub fn ok(&self, args: &[&str]) -> Run {
        self.bench.cli(args).ended_with(0)
    }

    /// Runs a command that must be refused; gives what it said on standard error.
    #[track_caller]
    pub fn refused(&self, args: &[&str]) -> String {
        self.bench.cli(args).ended_with(1).stderr
    }

    /// Runs a reading command.
    #[track_caller]
    pub fn json(&self, args: &[&str]) -> Value {
        let mut all = vec!["--json"];
        all.extend(args);
        self.ok(&all).json()
    }

    /// What needs the person's hand, as JSON; the status says whether there is any.
    #[track_caller]
    pub fn problems(&self) -> String {
        let run = self.bench.cli(&["--json", "problems"]);
        let any = !run.json()["problems"].as_array().unwrap().is_empty();
        run.ended_with(i32::from(any)).stdout
    }

    /// Runs a reading command on a workstation that may die of it.
    pub fn try_json(&self, args: &[&str]) -> Option<Value> {
        let mut all = vec!["--json"];
        all.extend(args);
        let run = self.bench.cli(&all);
        (run.status == 0).then(|| run.json())
    }

    /// Makes agent lanes and waits until they are ready.
    #[track_caller]
    pub fn lanes(&self, names: &[&str]) {
        for name in names {
            self.ok(&["lane", "new", name]);
        }
        for name in names {
            self.wait_lane(name, "idle");
        }
    }

    /// One lane as `lane show` tells it.
    #[track_caller]
    pub fn lane(&self, name: &str) -> Value {
        self.json(&["lane", "show", name])
    }

    /// A lane's worktree.
    #[track_caller]
    pub fn worktree(&self, name: &str) -> PathBuf {
        PathBuf::from(self.lane(name)["worktree"].as_str().unwrap())
    }

    /// Waits until a lane is in this state.
    #[track_caller]
    pub fn wait_lane(&self, name: &str, state: &str) -> Value {
        self.wait_for(&format!("lane {name} to be {state}"), || {
            let lane = self.lane(name);
            if lane["state"] == state { Ok(lane) } else { Err(lane.to_string()) }
        })
    }

    /// Sends a prompt and gives its id.
    #[track_caller]
    pub fn send(&self, lane: &str, text: &str) -> String {
        self.send_with(lane, text, &[])
    }

    /// Sends a prompt with options and gives its id.
    #[track_caller]
    pub fn send_with(&self, lane: &str, text: &str, options: &[&str]) -> String {
        let mut args = vec!["prompt", lane];
        args.extend(options);
        args.extend(["--", text]);
        self.json(&args)["id"].as_str().unwrap().to_owned()
    }

    /// A prompt as `queue list --all` tells it.
    #[track_caller]
    pub fn prompt(&self, id: &str) -> Value {
        let all = self.json(&["queue", "list", "--all"]);
        let found = all["prompts"].as_array().unwrap().iter().find(|p| p["id"] == id);
        found.unwrap_or_else(|| panic!("no prompt {id}: {all}")).clone()
    }

    /// Where a prompt stands.
    #[track_caller]
    pub fn state(&self, id: &str) -> String {
        self.prompt(id)["state"].as_str().unwrap().to_owned()
    }

    /// Waits until a prompt is in this state.
    #[track_caller]
    pub fn wait_state(&self, id: &str, state: &str) {
        self.wait_for(&format!("prompt {id} to be {state}"), || {
            let now = self.state(id);
            if now == state { Ok(()) } else { Err(format!("{now}\n{}", self.transcripts())) }
        });
    }

    /// Waits until so many approvals are pending, and gives them.
    #[track_caller]
    pub fn wait_approvals(&self, count: usize) -> Vec<Value> {
        self.wait_for(&format!("{count} approvals"), || {
            let pending = self.json(&["approvals"])["approvals"].as_array().unwrap().clone();
            if pending.len() == count { Ok(pending) } else { Err(format!("{pending:?}\n{}", self.transcripts())) }
        })
    }

    /// Waits for the one pending approval and gives its id.
    #[track_caller]
    pub fn wait_approval(&self) -> String {
        self.wait_approvals(1)[0]["id"].as_str().unwrap().to_owned()
    }

    /// Waits until so many conflicts are open, and gives them.
    #[track_caller]
    pub fn wait_conflicts(&self, count: usize) -> Vec<Value> {
        self.wait_for(&format!("{count} conflicts"), || {
            let open = self.json(&["conflicts"])["conflicts"].as_array().unwrap().clone();
            if open.len() == count { Ok(open) } else { Err(format!("{open:?}\n{}", self.transcripts())) }
        })
    }

    /// Waits until a file holds what is wanted.
    #[track_caller]
    pub fn wait_file(&self, path: &Path, wanted: impl Fn(&str) -> bool) -> String {
        self.wait_for(&path.display().to_string(), || {
            let text = fs::read_to_string(path).unwrap_or_default();
            // Nothing tells when a file that is not ours changes; a look costs next to nothing.
            std::thread::yield_now();
            if wanted(&text) { Ok(text) } else { Err(text) }
        })
    }

    /// Waits until a look finds what it looks for; a failure shows what it saw last.
    #[track_caller]
    pub fn wait_for<T>(&self, what: &str, mut look: impl FnMut() -> Result<T, String>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match look() {
                Ok(found) => return found,
                Err(seen) if Instant::now() > deadline => {
                    panic!("waited for {what}; last seen: {seen}\n--- log ---\n{}", self.bench.log())
                }
                Err(_) => {}
            }
        }
    }

    /// A lane's transcript as the store keeps it.
    #[track_caller]
    pub fn entries(&self, lane: &str) -> Vec<Entry> {
        let store = self.bench.place().store();
        let facts = Store::read(&store).unwrap();
        let found = facts.lanes.iter().rev().find(|l| l.name.as_str() == lane);
        let id = found.unwrap_or_else(|| panic!("no lane {lane}: {:?}", facts.lanes)).id;
        Store::entries(&store, id, None, 10_000).unwrap()
    }

    /// Results of a lane's calls, in order.
    #[track_caller]
    pub fn results(&self, lane: &str) -> Vec<String> {
        let result = |entry: Entry| match entry.body {
            EntryBody::Result { outcome, .. } => Some(outcome.output),
            _ => None,
        };
        self.entries(lane).into_iter().filter_map(result).collect()
    }

    /// Notices in a lane's transcript, in order.
    #[track_caller]
    pub fn notices(&self, lane: &str) -> Vec<String> {
        let notice = |entry: Entry| match entry.body {
            EntryBody::Notice { text, .. } => Some(text),
            _ => None,
        };
        self.entries(lane).into_iter().filter_map(notice).collect()
    }

    /// Every transcript, for a failed wait.
    fn transcripts(&self) -> String {
        let store = self.bench.place().store();
        let mut out = String::new();
        for lane in Store::read(&store).map(|facts| facts.lanes).unwrap_or_default() {
            let entries = Store::entries(&store, lane.id, None, 12).unwrap_or_default();
            let _ = writeln!(out, "--- {} {:?} {:?}", lane.name, lane.stage, lane.error);
            for entry in entries {
                let _ = writeln!(out, "{:.300}", format!("{:?}", entry.body));
            }
        }
        out
    }

    /// Runs the workstation so that it dies at a failpoint, does something, and waits for its death. The next
    /// command starts an ordinary one.
    #[track_caller]
    pub fn die_at(&mut self, failpoint: &str, act: impl FnOnce(&Self)) {
        self.bench.cli(&["down"]).ended_with(0);
        self.bench.set_env("PARALANE_FAILPOINT", failpoint);
        self.bench.cli(&["up"]);
        self.bench.unset_env("PARALANE_FAILPOINT");
        act(self);
        self.bench.await_end();
    }
}

/// The text of a file, or nothing.
pub fn text(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// Whether a process lives, by the number that it knows itself by: an agent's command counts its own. A zombie does not.
pub fn alive(pid: &str) -> bool {
    processes().any(|number| {
        let status = text(format!("/proc/{number}/status"));
        let line = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim();
        line("NSpid:").split_whitespace().next_back() == Some(pid.trim()) && !line("State:").starts_with('Z')
    })
}

/// How many processes are a `sleep` of exactly these seconds, wherever and under whatever number.
pub fn sleepers(seconds: &str) -> usize {
    let sleeps = |number: &u32| {
        let words = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        let mut words = words.split(|byte| *byte == 0);
        words.next().is_some_and(|name| name.ends_with(b"sleep")) && words.next() == Some(seconds.as_bytes())
    };
    processes().filter(sleeps).count()
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").unwrap();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}
