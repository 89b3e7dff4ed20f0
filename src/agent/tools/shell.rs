//! `shell`: one command in the worktree, without input and terminal, its output in one stream.

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::process::{Child, Command};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::failed;
use super::processes::{CALL_MARK, Family, Reach};
use crate::base::HeadTail;
use crate::domain::{Sandbox, Tenant, ToolOutcome, Walls};

/// A command that has ended may have left children that hold its output open: so much silence,
/// and nothing more is waited for.
const QUIET: Duration = Duration::from_millis(200);
/// Nor is a child that goes on talking.
const DRAIN: Duration = Duration::from_secs(2);

/// A command to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::agent) struct Shell {
    pub command: String,
    /// Seconds.
    pub timeout: u64,
    /// Bytes of output that are kept.
    pub keep: usize,
}

/// What a command sees of the world.
pub(in crate::agent) struct Surroundings<'a> {
    pub directory: &'a Path,
    pub environment: &'a [(String, String)],
    /// The model server's key: no command gets it.
    pub secret: Option<&'a str>,
    /// The call's id.
    pub call: &'a str,
    /// What keeps the command in its lane; none for what the person runs.
    pub sandbox: Option<Arc<dyn Sandbox>>,
}

/// Why a command is over.
enum Over {
    Ended(ExitStatus),
    TimedOut,
    Cancelled,
    Lost(String),
}

/// Runs a command to its end, or ends it. `show` gets its output as it comes.
pub(in crate::agent) async fn run(
    shell: &Shell,
    around: Surroundings<'_>,
    stop: &CancellationToken,
    show: &mut (dyn FnMut(&str) + Send),
) -> ToolOutcome {
    // Made unique by the directory: call ids are unique within a lane only.
    let mark = format!("{}@{}", around.call, around.directory.display());
    let not_started = |why: &str| {
        failed(&format!("cannot start the shell in `{}`: {why}", around.directory.display()), "not started")
    };
    let mut walls = match walls(around.sandbox.clone(), Tenant::Command).await {
        Ok(walls) => walls,
        Err(words) => return not_started(&words),
    };
    let started = spawn(shell, &around, &mark, walls.as_deref_mut());
    let better = walls.as_mut().and_then(|walls| walls.settle());
    let (mut child, mut pipe) = match started {
        Ok(started) => started,
        Err(error) => return not_started(&better.map_or(error.to_string(), |words| format!("{words}: {error}"))),
    };
    let mut family = Family::new(&child, mark, walls);
    crate::base::failpoint("tool-running");
    let mut output = Output { kept: HeadTail::new(shell.keep), carry: Vec::new(), show };
    let over = watch(shell, &mut child, &mut pipe, &mut output, stop).await;
    let reach = if matches!(over, Over::Ended(_)) { Reach::Session } else { Reach::All };
    let left = family.end(&mut child, reach).await;
    // What they said while they were ended, without waiting for more.
    let mut buffer = [0; 8192];
    while let Ok(count @ 1..) = pipe.try_read(&mut buffer) {
        output.take(&buffer[..count]);
        if output.kept.dropped() > 0 {
            break;
        }
    }
    output.flush();
    outcome(shell, &over, left, &output.kept)
}

/// Said where git met a wall: its own words do not tell that it is meant so.
fn walls_of_git(output: &str) -> Option<&'static str> {
    if ["failed to sign the data", "fatal: failed to write commit object"].iter().any(|words| output.contains(words)) {
        return Some(
            "[commits are signed here, and the sandbox hides the person's keys and their agents: no commit was made. Ask \
             the person to commit, or to set `commit.gpgsign` to false in this repository and to sign later]",
        );
    }
    let refused = |line: &str| line.contains("Read-only file system") || line.contains("Permission denied");
    let mut lines = output.lines().filter(|line| line.contains(".git/") && refused(line));
    let first = lines.next()?;
    Some(if first.contains("packed-refs") && lines.next().is_none() {
        "[the sandbox keeps `packed-refs` from being changed; git only wanted to tidy up, and what it did stands]"
    } else {
        "[the sandbox keeps the repository's settings, hooks, tags, stash and other branches from lanes' commands; commits \
         on the lane's own branch work. Ask the person to do the rest]"
    })
}

/// The walls for one command or program. Making them ready may take some milliseconds.
pub(in crate::agent) async fn walls(
    sandbox: Option<Arc<dyn Sandbox>>,
    tenant: Tenant,
) -> Result<Option<Box<dyn Walls>>, String> {
    let Some(sandbox) = sandbox else { return Ok(None) };
    let made = tokio::task::spawn_blocking(move || sandbox.prepare(tenant)).await;
    made.unwrap_or_else(|_| Err("the sandbox broke down".to_owned()))
}

fn spawn(
    shell: &Shell,
    around: &Surroundings<'_>,
    mark: &str,
    walls: Option<&mut (dyn Walls + 'static)>,
) -> std::io::Result<(Child, Receiver)> {
    let (reader, writer) = std::io::pipe()?;
    let bash = ["/bin/bash", "/usr/bin/bash"].into_iter().find(|path| Path::new(path).exists());
    let mut command = Command::new(bash.unwrap_or("/bin/sh"));
    command
        .arg("-c")
        .arg(&shell.command)
        .current_dir(around.directory)
        .env_clear()
        .envs(around.environment.iter().filter(|(name, value)| passes(name, value, around.secret)).cloned())
        .env("PWD", around.directory)
        .env("TERM", "dumb")
        .env(CALL_MARK, mark)
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .kill_on_drop(true);
    own_session(&mut command);
    if let Some(walls) = walls {
        walls.enclose(command.as_std_mut());
    }
    let child = command.spawn()?;
    child.id().into_iter().for_each(crate::base::started);
    Ok((child, Receiver::from_owned_fd(reader.into())?))
}

/// Gives the command a session of its own: no terminal of ours that it could read keys from or
/// draw on, and one group to signal.
#[allow(unsafe_code, reason = "a session can only be made between fork and exec")]
pub(in crate::agent) fn own_session(command: &mut Command) {
    // SAFETY: the closure runs in the forked child and makes one system call, `setsid`, which is
    // async-signal-safe; it takes no lock and allocates nothing.
    unsafe {
        command.pre_exec(|| rustix::process::setsid().map(|_| ()).map_err(std::io::Error::from));
    }
}

/// Whether a variable is handed on. `GIT_*` would point git at another repository.
pub(in crate::agent) fn passes(name: &str, value: &str, secret: Option<&str>) -> bool {
    let secret = secret.is_some_and(|secret| !secret.is_empty() && value.contains(secret));
    !secret && !name.starts_with("GIT_") && !name.is_empty() && !name.contains('=') && !value.contains('\0')
}

async fn watch(
    shell: &Shell,
    child: &mut Child,
    pipe: &mut Receiver,
    output: &mut Output<'_>,
    stop: &CancellationToken,
) -> Over {
    let deadline = Instant::now() + Duration::from_secs(shell.timeout);
    let mut buffer = vec![0; 8192];
    let mut open = true;
    let status = loop {
        tokio::select! {
            () = stop.cancelled() => return Over::Cancelled,
            () = tokio::time::sleep_until(deadline) => return Over::TimedOut,
            status = child.wait() => match status {
                Ok(status) => break status,
                Err(error) => return Over::Lost(error.to_string()),
            },
            read = pipe.read(&mut buffer), if open => match read {
                Ok(count @ 1..) => output.take(&buffer[..count]),
                _ => open = false,
            },
        }
    };
    let last = Instant::now() + DRAIN;
    while open && !stop.is_cancelled() {
        match tokio::time::timeout_at(last.min(Instant::now() + QUIET), pipe.read(&mut buffer)).await {
            Ok(Ok(count @ 1..)) => output.take(&buffer[..count]),
            _ => open = false,
        }
        open &= Instant::now() < last;
    }
    Over::Ended(status)
}

/// Keeps a part of what comes and shows all of it.
struct Output<'a> {
    kept: HeadTail,
    carry: Vec<u8>,
    show: &'a mut (dyn FnMut(&str) + Send),
}

impl Output<'_> {
    fn take(&mut self, bytes: &[u8]) {
        self.kept.push(bytes);
        self.carry.extend_from_slice(bytes);
        // A character that is cut by the piece's end waits for its rest.
        let rest = self.carry.split_off(cut_tail(&self.carry));
        let piece = std::mem::replace(&mut self.carry, rest);
        if !piece.is_empty() {
            (self.show)(&String::from_utf8_lossy(&piece));
        }
    }

    fn flush(&mut self) {
        if !self.carry.is_empty() {
            (self.show)(&String::from_utf8_lossy(&std::mem::take(&mut self.carry)));
        }
    }
}

/// Where a character begins that the end cuts off; the length when none is.
fn cut_tail(bytes: &[u8]) -> usize {
    let from = bytes.len().saturating_sub(3);
    (from..bytes.len())
        .find(|&at| {
            let tail = &bytes[at..];
            tail[0] >= 0xc2
                && std::str::from_utf8(tail).is_err_and(|error| error.error_len().is_none() && error.valid_up_to() == 0)
        })
        .unwrap_or(bytes.len())
}

fn outcome(shell: &Shell, over: &Over, left: bool, kept: &HeadTail) -> ToolOutcome {
    let (ok, summary, words) = match over {
        Over::Ended(status) => {
            let words = status_words(*status);
            (status.success(), words.clone(), words)
        }
        Over::TimedOut => (
            false,
            "timed out".to_owned(),
            format!("ended after {} s, its time limit; give a larger `timeout` or run less at once", shell.timeout),
        ),
        Over::Cancelled => (false, "cancelled".to_owned(), "ended: the person cancelled the turn".to_owned()),
        Over::Lost(error) => (false, "lost".to_owned(), format!("its end could not be observed: {error}")),
    };
    let text = kept.text();
    let line_end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let mut output = format!("{text}{line_end}[{words}]");
    if left && matches!(over, Over::Ended(_)) {
        output.push_str("\n[processes that it left in the background were ended]");
    }
    if let Some(hint) = walls_of_git(&text) {
        output.push('\n');
        output.push_str(hint);
    }
    if kept.dropped() > 0 {
        output.push_str("\n[to see all of it, send the output to a file in the worktree and `read` that]");
    }
    ToolOutcome { ok, output, summary, ..ToolOutcome::default() }
}

/// `exit 1`, `signal 9`.
fn status_words(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => status.to_string(),
    }
}
