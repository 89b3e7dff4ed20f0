//! Runs the person's git: no terminal, no prompts, output bounded, stoppable at any moment.
//!
//! One thread per pipe and one that waits for the child send to a bounded queue that the caller reads. The
//! child leads a process group of its own, so that cancelling also reaches its hooks and filters.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::cancel::Cancel;
use super::env::GitEnv;
use super::error::GitError;
use crate::base::HeadTail;
use crate::domain::{Sandbox, Tenant};

/// What git and its hooks say is kept up to this many bytes each; the middle falls out.
const OUTPUT_CAP: usize = 256 * 1024;
/// `git status` of a very dirty worktree fits; beyond it the answer would be of no use.
const ANSWER_CAP: usize = 64 * 1024 * 1024;
/// Time to clean up after TERM (git removes a half-made worktree itself), before KILL.
const GRACE: Duration = Duration::from_secs(2);
/// Time for the last output after git ended; a daemon that a hook left behind may hold the pipe for ever.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// What the helper threads tell the caller's thread.
#[derive(Debug)]
pub(super) enum Event {
    /// Bytes of standard output.
    Out(Vec<u8>),
    /// Bytes of standard error.
    Err(Vec<u8>),
    /// A pipe is closed.
    Closed,
    /// The child has ended and waits to be reaped.
    Ended,
    /// The cancel flag may be set.
    Woken,
}

/// How a git ended.
#[derive(Debug)]
pub(super) struct Outcome {
    /// Its exit status.
    pub status: ExitStatus,
    /// Its answer.
    pub stdout: Vec<u8>,
    /// What it and its hooks said.
    pub stderr: String,
}

/// One git command to run.
pub(super) struct Git<'a> {
    env: &'a GitEnv,
    dir: &'a Path,
    doing: String,
    args: Vec<OsString>,
    vars: Vec<(&'static str, OsString)>,
    input: Option<PathBuf>,
    hooks: bool,
    sandbox: Option<&'a dyn Sandbox>,
}

impl<'a> Git<'a> {
    /// A git that works on `dir`; `doing` says in errors what it was for.
    pub(super) fn new(env: &'a GitEnv, dir: &'a Path, doing: impl Into<String>) -> Self {
        Self {
            env,
            dir,
            doing: doing.into(),
            args: Vec::new(),
            vars: Vec::new(),
            input: None,
            hooks: true,
            sandbox: None,
        }
    }

    /// Adds arguments; the first one is the subcommand.
    pub(super) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Sets a variable that steers git.
    pub(super) fn var(mut self, name: &'static str, value: impl AsRef<OsStr>) -> Self {
        self.vars.push((name, value.as_ref().to_owned()));
        self
    }

    /// Lets it read this file as its standard input.
    pub(super) fn input(mut self, path: &Path) -> Self {
        self.input = Some(path.to_owned());
        self
    }

    /// Runs no hook.
    pub(super) fn without_hooks(mut self) -> Self {
        self.hooks = false;
        self
    }

    /// Runs within the sandbox, where there is one, with its hooks.
    pub(super) fn within(mut self, sandbox: &'a dyn Sandbox) -> Self {
        (self.hooks, self.sandbox) = (true, Some(sandbox));
        self
    }

    /// Runs it to its end and hands back how it ended, whatever the status.
    pub(super) fn outcome(&self, cancel: &Cancel, say: &mut dyn FnMut(&str)) -> Result<Outcome, GitError> {
        if cancel.is_cancelled() {
            return Err(self.cancelled());
        }
        let mut command = self.command();
        if let Some(path) = &self.input {
            command.stdin(File::open(path).map_err(GitError::io("reading what git is given", path))?);
        }
        let confined = |words: String| GitError::Unconfined { doing: self.doing.clone(), words };
        let mut walls =
            self.sandbox.map(|sandbox| sandbox.prepare(Tenant::Command)).transpose().map_err(confined)?.flatten();
        if let Some(walls) = &mut walls {
            walls.enclose(&mut command);
        }
        let started = command.spawn();
        if let Some(words) = walls.as_mut().and_then(|walls| walls.settle()) {
            return Err(confined(words));
        }
        let mut child = Started(started.map_err(|source| GitError::NoGit { source })?);
        crate::base::started(child.0.id());
        drop(command);
        let (sender, events) = sync_channel(16);
        let _listening = cancel.listen(sender.clone());
        let ready = Self::follow(&mut child.0, &sender);
        drop(sender);
        ready.map_err(GitError::io("starting a thread for git", self.dir))?;
        let (stdout, stderr) = attend(&child.0, &events, cancel, say);
        let status = child.0.wait().map_err(GitError::io("waiting for git", self.dir))?;
        if cancel.is_cancelled() {
            return Err(self.cancelled());
        }
        Ok(Outcome { status, stdout, stderr })
    }

    /// Runs it and hands back its answer; any other status than 0 is an error that quotes what it said.
    pub(super) fn answer(&self, cancel: &Cancel) -> Result<Vec<u8>, GitError> {
        let outcome = self.outcome(cancel, &mut |_| ())?;
        if outcome.status.success() { Ok(outcome.stdout) } else { Err(self.failed(&outcome)) }
    }

    /// The error for an outcome that is not wanted.
    pub(super) fn failed(&self, outcome: &Outcome) -> GitError {
        GitError::Git {
            doing: self.doing.clone(),
            command: self.args.iter().take(2).map(|arg| arg.to_string_lossy()).collect::<Vec<_>>().join(" "),
            status: outcome.status.to_string(),
            stderr: outcome.stderr.clone(),
        }
    }

    fn cancelled(&self) -> GitError {
        GitError::Cancelled { doing: self.doing.clone() }
    }

    fn command(&self) -> Command {
        let mut command = Command::new("git");
        command
            .env_clear()
            .envs(self.env.vars())
            // An empty askpass is one that is never started, whatever the configuration names.
            .env("GIT_ASKPASS", "")
            .env_remove("SSH_ASKPASS")
            .env("GIT_TERMINAL_PROMPT", "0")
            .envs(self.vars.iter().map(|(name, value)| (name, value)))
            .arg("-C")
            .arg(self.dir)
            .args(if self.hooks { &[][..] } else { &["-c", "core.hooksPath=/dev/null"] })
            .args(&self.args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        command
    }

    fn follow(child: &mut Child, sender: &SyncSender<Event>) -> std::io::Result<()> {
        if let Some(pipe) = child.stdout.take() {
            forward("git-out", pipe, Event::Out, sender.clone())?;
        }
        if let Some(pipe) = child.stderr.take() {
            forward("git-err", pipe, Event::Err, sender.clone())?;
        }
        let (pid, sender) = (pid(child), sender.clone());
        thread::Builder::new().name("git-wait".to_owned()).spawn(move || {
            if let Some(pid) = pid {
                // Not reaped here: as long as the child is a zombie its group's number cannot be given away.
                let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
            }
            let _ = sender.send(Event::Ended);
        })?;
        Ok(())
    }
}

/// Ends the whole group if the caller leaves early.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        if let Ok(None) = self.0.try_wait() {
            signal(&self.0, Signal::KILL);
            let _ = self.0.wait();
        }
    }
}

fn pid(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

fn signal(child: &Child, signal: Signal) {
    if let Some(pid) = pid(child) {
        let _ = kill_process_group(pid, signal);
    }
}

fn forward(
    name: &str,
    mut pipe: impl Read + Send + 'static,
    wrap: fn(Vec<u8>) -> Event,
    sender: SyncSender<Event>,
) -> std::io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(move || {
        let mut buffer = vec![0; 16 * 1024];
        while let Ok(n @ 1..) = pipe.read(&mut buffer) {
            if sender.send(wrap(buffer[..n].to_vec())).is_err() {
                return;
            }
        }
        let _ = sender.send(Event::Closed);
    })?;
    Ok(())
}

/// Reads events until the child has ended and its pipes are closed, or the grace after its end is over.
fn attend(child: &Child, events: &Receiver<Event>, cancel: &Cancel, say: &mut dyn FnMut(&str)) -> (Vec<u8>, String) {
    let (mut stdout, mut stderr, mut line) = (Vec::new(), HeadTail::new(OUTPUT_CAP), Vec::new());
    let (mut open, mut ended, mut told, mut until) = (2, false, false, None::<Instant>);
    while !(ended && open == 0) {
        let event = match until {
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => events.recv_timeout(until.saturating_duration_since(Instant::now())),
        };
        match event {
            Ok(Event::Out(bytes)) => {
                let room = ANSWER_CAP.saturating_sub(stdout.len()).min(bytes.len());
                stdout.extend_from_slice(&bytes[..room]);
            }
            Ok(Event::Err(bytes)) => {
                stderr.push(&bytes);
                lines(&mut line, &bytes, say);
            }
            Ok(Event::Closed) => open -= 1,
            Ok(Event::Ended) => {
                ended = true;
                until = Some(Instant::now() + LAST_WORDS);
            }
            Ok(Event::Woken) => {}
            Err(RecvTimeoutError::Timeout) if !ended => {
                signal(child, Signal::KILL);
                until = None;
            }
            Err(_) => break,
        }
        if cancel.is_cancelled() && !told && !ended {
            told = true;
            signal(child, Signal::TERM);
            until = Some(Instant::now() + GRACE);
        }
    }
    if told {
        // Filters and hooks that outlived git's own end on TERM.
        signal(child, Signal::KILL);
    }
    lines(&mut line, b"\n", say);
    (stdout, stderr.text())
}

/// Hands whole lines on; a carriage return ends one too (git redraws its progress with it).
fn lines(partial: &mut Vec<u8>, bytes: &[u8], say: &mut dyn FnMut(&str)) {
    for &byte in bytes {
        if byte == b'\n' || byte == b'\r' || partial.len() == 4096 {
            if !partial.is_empty() {
                say(&String::from_utf8_lossy(partial));
            }
            partial.clear();
        }
        if byte != b'\n' && byte != b'\r' {
            partial.push(byte);
        }
    }
}
