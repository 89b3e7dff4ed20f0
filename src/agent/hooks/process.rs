//! One hook's process: what it is told goes in, what it answers comes out, and it ends in time with all it started.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::agent::tools::{CALL_MARK, Family, Reach, own_session, passes};
use crate::base::{HeadTail, clip, one_line, visible};
use crate::domain::Walls;

/// Bytes that an answer may have.
const ANSWER_CAP: usize = 64 * 1024;
/// Bytes of complaints that are kept.
const ERRORS_CAP: usize = 4 * 1024;
/// Cells of a complaint that are told.
const ERROR_CELLS: usize = 300;
/// A hook that has ended may have left children that hold its output open: they are not waited for longer.
const DRAIN: Duration = Duration::from_millis(500);

/// What a hook is run with.
#[derive(Debug)]
pub(super) struct Start<'a> {
    /// The program and its arguments.
    pub command: &'a [String],
    /// Where.
    pub directory: &'a Path,
    /// Its environment, whole.
    pub environment: &'a [(String, String)],
    /// The model server's key: no hook gets it.
    pub secret: Option<&'a str>,
    /// Tells its processes from all others.
    pub mark: &'a str,
    /// Its standard input.
    pub input: &'a [u8],
    /// Its time.
    pub limit: Duration,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoAnswer {
    /// The turn was cancelled.
    Cancelled,
    /// It failed, in words that follow on its name.
    Failed(String),
}

enum Over {
    Ended(std::process::ExitStatus),
    TimedOut,
    TooMuch,
    Cancelled,
    Lost(String),
}

#[derive(Debug)]
struct Said {
    answer: Vec<u8>,
    errors: HeadTail,
}

/// Its standard output reached the cap.
struct TooMuch;

/// Runs a hook to its end, or ends it.
pub(super) async fn run(
    start: &Start<'_>,
    mut walls: Option<Box<dyn Walls>>,
    stop: &CancellationToken,
) -> Result<Vec<u8>, NoAnswer> {
    let failed = |words: String| Err(NoAnswer::Failed(words));
    let Some((program, arguments)) = start.command.split_first() else { return failed("has no program".to_owned()) };
    let mut command = Command::new(OsStr::new(program));
    command
        .args(arguments)
        .current_dir(start.directory)
        .env_clear()
        .envs(start.environment.iter().filter(|(name, value)| passes(name, value, start.secret)).cloned())
        .env("PWD", start.directory)
        .env("TERM", "dumb")
        .env(CALL_MARK, start.mark)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    own_session(&mut command);
    if let Some(walls) = &mut walls {
        walls.enclose(command.as_std_mut());
    }
    let started = command.spawn();
    if let Some(words) = walls.as_mut().and_then(|walls| walls.settle()) {
        return failed(format!("cannot be started: {words}"));
    }
    let mut child = match started {
        Ok(child) => child,
        Err(error) => return failed(format!("cannot be started: {error}")),
    };
    child.id().into_iter().for_each(crate::base::started);
    let mut family = Family::new(&child, start.mark.to_owned(), walls);
    let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return failed("has no pipes".to_owned());
    };
    let mut said = Said { answer: Vec::new(), errors: HeadTail::new(ERRORS_CAP) };
    let over = {
        let talk = converse(stdin, stdout, stderr, start.input, &mut said);
        tokio::pin!(talk);
        let (deadline, mut talking) = (Instant::now() + start.limit, true);
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => break Over::Cancelled,
                () = tokio::time::sleep_until(deadline) => break Over::TimedOut,
                all = &mut talk, if talking => {
                    talking = false;
                    if all.is_err() {
                        break Over::TooMuch;
                    }
                }
                status = child.wait() => match status {
                    Err(error) => break Over::Lost(error.to_string()),
                    Ok(_) if talking && matches!(tokio::time::timeout(DRAIN, &mut talk).await, Ok(Err(TooMuch))) => {
                        break Over::TooMuch;
                    }
                    Ok(status) => break Over::Ended(status),
                },
            }
        }
    };
    family.end(&mut child, if matches!(over, Over::Ended(_)) { Reach::Session } else { Reach::All }).await;
    match over {
        Over::Cancelled => Err(NoAnswer::Cancelled),
        Over::TimedOut => failed(format!("did not end within {} s and was ended", start.limit.as_secs())),
        Over::TooMuch => failed(format!("answered more than {ANSWER_CAP} bytes and was ended")),
        Over::Lost(error) => failed(format!("could not be followed: {error}")),
        Over::Ended(status) if status.success() => Ok(said.answer),
        Over::Ended(status) => failed(format!("ended with {status}{}", complaint(&said.errors))),
    }
}

/// `: its first words on standard error`, or nothing.
fn complaint(errors: &HeadTail) -> String {
    let text = errors.text();
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if first.is_empty() { String::new() } else { format!(": {}", clip(&visible(&one_line(first)), ERROR_CELLS)) }
}

/// Writes and reads at once, so that neither side waits for the other.
async fn converse(
    mut stdin: ChildStdin,
    mut stdout: ChildStdout,
    mut stderr: ChildStderr,
    input: &[u8],
    said: &mut Said,
) -> Result<(), TooMuch> {
    let Said { answer, errors } = said;
    let tell = async {
        // One that does not read what it is told is free to do so.
        let _ = stdin.write_all(input).await;
        drop(stdin);
        Ok(())
    };
    let listen = async {
        let mut buffer = vec![0; 8192];
        while let Ok(count @ 1..) = stdout.read(&mut buffer).await {
            if answer.len() + count > ANSWER_CAP {
                return Err(TooMuch);
            }
            answer.extend_from_slice(&buffer[..count]);
        }
        Ok(())
    };
    let complain = async {
        let mut buffer = vec![0; 8192];
        while let Ok(count @ 1..) = stderr.read(&mut buffer).await {
            errors.push(&buffer[..count]);
        }
        Ok(())
    };
    tokio::try_join!(tell, listen, complain).map(|_| ())
}
