//! A server's process: started in a session of its own, its error output kept, its end certain.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

use super::heard::Bounded;
use super::spec::ServerSpec;
use crate::agent::tools::{CALL_MARK, Family, Reach, own_session};
use crate::base::lock;
use crate::domain::Walls;

/// Bytes of error output that are kept.
const SAID: usize = 8 * 1024;
/// How long a server may take to end by itself once its input is closed.
const GOODBYE: Duration = Duration::from_millis(500);

/// What a server wrote to its error output, the newest.
#[derive(Debug, Default, Clone)]
pub(super) struct Said(Arc<Mutex<Vec<u8>>>);

impl Said {
    fn push(&self, bytes: &[u8]) {
        let mut said = lock(&self.0);
        said.extend_from_slice(bytes);
        if said.len() > SAID {
            let cut = said.len() - SAID;
            said.drain(..cut);
        }
    }

    /// The text; a line that was cut at its beginning is left out.
    pub fn text(&self) -> String {
        let said = lock(&self.0);
        let text = String::from_utf8_lossy(&said).into_owned();
        match text.split_once('\n') {
            Some((_, rest)) if said.len() == SAID => rest.to_owned(),
            _ => text,
        }
    }
}

/// A server's process.
pub(super) struct Process {
    child: Child,
    family: Family,
    reader: JoinHandle<()>,
}

/// Its input and output.
pub(super) type Pipes = (Bounded<ChildStdout>, ChildStdin);

impl Process {
    /// Starts it.
    pub fn start(
        spec: &ServerSpec,
        words: &[String],
        mut walls: Option<Box<dyn Walls>>,
        said: &Said,
    ) -> io::Result<(Self, Pipes)> {
        // Made unique by the directory: names are unique within a lane only.
        let mark = format!("mcp-{}@{}", spec.settings.name, spec.directory.display());
        let (program, arguments) = words.split_first().ok_or_else(|| io::Error::other("no program is named"))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(&spec.directory)
            .env_clear()
            .envs(spec.base.iter().chain(&spec.given).map(|(name, value)| (name, value)))
            .env("PWD", &spec.directory)
            .env(CALL_MARK, &mark)
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
            return Err(io::Error::other(words));
        }
        let mut child = started?;
        child.id().into_iter().for_each(crate::base::started);
        let family = Family::new(&child, mark, walls);
        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("it has no pipes"));
        };
        let reader = tokio::spawn(listen(errors, said.clone()));
        Ok((Self { child, family, reader }, (Bounded::new(output), input)))
    }

    /// Resolves when it has ended, with what it ended with.
    pub async fn ended(&mut self) -> String {
        match self.child.wait().await {
            Ok(status) => status_words(status),
            Err(error) => format!("its end could not be observed: {error}"),
        }
    }

    /// Ends it with all that it has started. Its input is closed before, so that it may go by itself.
    pub async fn end(mut self) {
        let _ended_or_not = tokio::time::timeout(GOODBYE, self.child.wait()).await;
        self.family.end(&mut self.child, Reach::All).await;
        // Whatever it said last has been read by now, unless a stranger holds the pipe.
        let _read_or_not = tokio::time::timeout(GOODBYE, &mut self.reader).await;
        self.reader.abort();
    }
}

async fn listen(mut errors: ChildStderr, said: Said) {
    let mut buffer = vec![0; 4096];
    while let Ok(count @ 1..) = errors.read(&mut buffer).await {
        said.push(&buffer[..count]);
    }
}

fn status_words(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it ended with status {code}"),
        (None, Some(signal)) => format!("it was ended by signal {signal}"),
        (None, None) => status.to_string(),
    }
}
