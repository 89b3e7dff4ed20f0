//! One call of a forge's program: its time and its output are limited, and it can ask nobody anything.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::base::one_line;
use crate::domain::ForgeFault;

/// Bytes that are read of what a program prints. More than that is no list that anyone would show.
const OUTPUT: u64 = 1 << 20;
/// Characters of an error that are told.
const SAID: usize = 200;

/// A program, where it runs and how long it may take.
#[derive(Debug)]
pub(super) struct Program {
    pub name: &'static str,
    pub directory: PathBuf,
    pub patience: Duration,
}

impl Program {
    /// What the program prints.
    pub(super) fn output(&self, arguments: &[&str]) -> Result<String, ForgeFault> {
        let (program, words) = (self.name, arguments.join(" "));
        let failed = |said: &str| ForgeFault::Failed { program, words: words.clone(), said: short(said) };
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.directory);
        command.envs([("GH_PROMPT_DISABLED", "1"), ("GH_NO_UPDATE_NOTIFIER", "1"), ("NO_COLOR", "1")]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ForgeFault::Missing { program },
            _ => failed(&error.to_string()),
        })?;
        crate::base::started(child.id());
        let end = Instant::now() + self.patience;
        let (told, heard) = mpsc::channel();
        read(child.stdout.take(), told.clone(), true);
        read(child.stderr.take(), told, false);
        let (mut out, mut err) = (String::new(), String::new());
        for _ in 0..2 {
            match heard.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok((true, text)) => out = text,
                Ok((false, text)) => err = text,
                Err(_) => {
                    end_group(&mut child);
                    return Err(ForgeFault::Slow { program, words, seconds: self.patience.as_secs() });
                }
            }
        }
        // Both streams are at their end or full: whatever it still does is not waited for.
        let status = match child.try_wait() {
            Ok(Some(status)) => Ok(status),
            _ if out.len() as u64 >= OUTPUT => {
                end_group(&mut child);
                return Err(failed("it printed more than 1 MiB"));
            }
            _ => child.wait(),
        };
        match status {
            Ok(status) if status.success() => Ok(out),
            Ok(_) => Err(failed(if err.trim().is_empty() { &out } else { &err })),
            Err(error) => Err(failed(&error.to_string())),
        }
    }
}

/// Reads a stream to its end or its limit on a thread of its own.
fn read(stream: Option<impl Read + Send + 'static>, told: mpsc::Sender<(bool, String)>, out: bool) {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before a fault is all there is.
        let _ = stream.map(|stream| stream.take(OUTPUT).read_to_end(&mut bytes));
        // Whoever asked may have given up.
        let _ = told.send((out, String::from_utf8_lossy(&bytes).into_owned()));
    });
}

/// Ends the program and all that it has started.
fn end_group(child: &mut Child) {
    if let Some(group) = Pid::from_raw(child.id().cast_signed()) {
        let _gone_already = kill_process_group(group, Signal::KILL);
    }
    let _reaped = child.wait();
}

fn short(text: &str) -> String {
    one_line(text.trim()).chars().take(SAID).collect()
}
