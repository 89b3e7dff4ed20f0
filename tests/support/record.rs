//! Records a program in a terminal of our own: `cargo run --example record -- OUT.cast 120x40 SCRIPT -- COMMAND…`.
//!
//! The program's questions are answered by the screen model that panes have. SCRIPT says line by line what the person
//! does and when; `#` begins a comment:
//!
//! | line | does |
//! | --- | --- |
//! | `wait TEXT` | goes on when the screen shows the text |
//! | `gone TEXT` | goes on when it no longer does |
//! | `quiet MS` | goes on when nothing was written for so long |
//! | `type TEXT` | types it, key by key |
//! | `paste TEXT` | pastes it in one piece, in markers if the program asked for them |
//! | `key NAME…` | presses keys: `Enter Esc Tab Space Backspace Up Down Left Right PageUp PageDown Home End F1`…`F10 C-x M-x`; `WheelUp WheelDown` |
//! | `resize CxR` | gives the terminal a new size |
//! | `mark LABEL` | marks this moment once the program is quiet |
//!
//! The recording ends with the program; after the last line it gets five seconds and is then hung up.
#![allow(clippy::print_stderr, reason = "a development aid")]

#[allow(dead_code, reason = "one side of it is used here")]
#[path = "recording.rs"]
mod recording;

use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use paralane::domain::Size;
use paralane::terminal::{Colours, Replay};
use portable_pty::{CommandBuilder, MasterPty, PtySize, native_pty_system};
use recording::{Event, Recording, parse_size};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// How long a `wait` is waited for.
const PATIENCE: Duration = Duration::from_secs(60);
/// What counts as quiet before a mark.
const QUIET: Duration = Duration::from_millis(300);
/// A program that never is quiet (a spinner) is marked all the same after this.
const MARK_PATIENCE: Duration = Duration::from_secs(3);
/// Output this close together is kept as one event.
const TOGETHER: u64 = 4;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, out, size, script, dashes, command @ ..] = arguments.as_slice() else {
        return Err("usage: record OUT.cast CxR SCRIPT -- COMMAND…".into());
    };
    if dashes != "--" || command.is_empty() {
        return Err("usage: record OUT.cast CxR SCRIPT -- COMMAND…".into());
    }
    let size = parse_size(size).ok_or("the size is not like 120x40")?;
    let mut session = Session::start(size, command)?;
    let script = std::fs::read_to_string(script)?;
    for (number, line) in script.lines().enumerate() {
        let line = line.trim_start();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Err(error) = session.step(line) {
            eprintln!("line {}: `{line}`: {error}\n{}", number + 1, session.replay.text());
            session.recording.save(Path::new(out))?;
            return Err(error);
        }
    }
    let end = Instant::now() + Duration::from_secs(5);
    while session.open && Instant::now() < end {
        session.pump(Duration::from_millis(50))?;
    }
    session.child.kill()?;
    session.child.wait()?;
    session.recording.save(Path::new(out))
}

struct Session {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn portable_pty::Child + Send + Sync>,
    chunks: Receiver<Vec<u8>>,
    replay: Replay,
    recording: Recording,
    /// The beginning of a character whose rest has not come yet.
    part: Vec<u8>,
    started: Instant,
    last_output: Instant,
    open: bool,
}

impl Session {
    fn start(size: Size, command: &[String]) -> Result<Self> {
        let pair = native_pty_system().openpty(pty_size(size))?;
        let mut builder = CommandBuilder::from_argv(command.iter().map(Into::into).collect());
        builder.cwd(std::env::current_dir()?);
        for (name, value) in [("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("TERM_PROGRAM", "paralane")] {
            builder.env(name, value);
        }
        let child = pair.slave.spawn_command(builder)?;
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader()?;
        let (sender, chunks) = sync_channel(64);
        std::thread::spawn(move || {
            let mut chunk = [0; 16 * 1024];
            while let Ok(count @ 1..) = reader.read(&mut chunk) {
                if sender.send(chunk[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let now = Instant::now();
        Ok(Self {
            writer: pair.master.take_writer()?,
            master: pair.master,
            child,
            chunks,
            replay: Replay::new(size, Colours::default()),
            recording: Recording { size, events: Vec::new() },
            part: Vec::new(),
            started: now,
            last_output: now,
            open: true,
        })
    }

    /// Takes output for at most so long; returns at the first piece.
    fn pump(&mut self, patience: Duration) -> Result<()> {
        match self.chunks.recv_timeout(patience) {
            Ok(chunk) => {
                self.replay.feed(&chunk);
                let replies = self.replay.replies();
                if !replies.is_empty() {
                    self.send(&replies)?;
                }
                self.last_output = Instant::now();
                self.keep(&chunk)?;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.open = false,
        }
        Ok(())
    }

    fn keep(&mut self, chunk: &[u8]) -> Result<()> {
        self.part.extend_from_slice(chunk);
        let whole = match std::str::from_utf8(&self.part) {
            Ok(_) => self.part.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(error) => return Err(format!("the program writes what is not UTF-8: {error}").into()),
        };
        let rest = self.part.split_off(whole);
        let text = String::from_utf8(std::mem::replace(&mut self.part, rest))?;
        let now = self.started.elapsed().as_millis() as u64;
        match self.recording.events.last_mut() {
            Some((time, Event::Output(before))) if now - *time <= TOGETHER && before.len() < 16 * 1024 => {
                before.push_str(&text);
            }
            _ => self.recording.events.push((now, Event::Output(text))),
        }
        Ok(())
    }

    fn note(&mut self, event: Event) {
        self.recording.events.push((self.started.elapsed().as_millis() as u64, event));
    }

    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        self.writer.write_all(bytes)?;
        Ok(self.writer.flush()?)
    }

    fn until(&mut self, patience: Duration, mut done: impl FnMut(&Self) -> bool) -> Result<bool> {
        let deadline = Instant::now() + patience;
        while !done(self) {
            if Instant::now() >= deadline {
                return Ok(false);
            }
            if !self.open {
                return Ok(false);
            }
            self.pump(Duration::from_millis(20))?;
        }
        Ok(true)
    }

    fn quiet(&mut self, silence: Duration, patience: Duration) -> Result<()> {
        let from = Instant::now();
        self.until(patience, |own| own.last_output.max(from).elapsed() >= silence)?;
        Ok(())
    }

    fn step(&mut self, line: &str) -> Result<()> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "wait" => {
                if !self.until(PATIENCE, |own| own.replay.text().contains(rest))? {
                    return Err("the screen never showed it".into());
                }
            }
            "gone" => {
                if !self.until(PATIENCE, |own| !own.replay.text().contains(rest))? {
                    return Err("the screen went on showing it".into());
                }
            }
            "quiet" => self.quiet(Duration::from_millis(rest.parse()?), PATIENCE)?,
            "type" => {
                for c in rest.chars() {
                    self.send(c.to_string().as_bytes())?;
                    self.pump(Duration::from_millis(8))?;
                }
            }
            "paste" => {
                let text = rest.replace("\\n", "\r");
                let bracketed = self.replay.frame().modes.bracketed_paste;
                self.send(if bracketed { format!("\x1b[200~{text}\x1b[201~") } else { text }.as_bytes())?;
            }
            "key" => {
                for name in rest.split_whitespace() {
                    let bytes = key(name).ok_or_else(|| format!("no key is called {name}"))?;
                    self.send(&bytes)?;
                    self.quiet(Duration::from_millis(60), Duration::from_millis(400))?;
                }
            }
            "resize" => {
                let size = parse_size(rest).ok_or("the size is not like 120x40")?;
                self.replay.resize(size);
                self.note(Event::Resize(size));
                self.master.resize(pty_size(size))?;
            }
            "mark" => {
                self.quiet(QUIET, MARK_PATIENCE)?;
                self.note(Event::Mark(rest.to_owned()));
            }
            _ => return Err("no such step".into()),
        }
        Ok(())
    }
}

fn pty_size(size: Size) -> PtySize {
    PtySize { rows: size.rows, cols: size.columns, pixel_width: 0, pixel_height: 0 }
}

/// The bytes of a key as a plain terminal sends them: every program takes these.
fn key(name: &str) -> Option<Vec<u8>> {
    let text = match name {
        "Enter" => "\r",
        "Esc" => "\x1b",
        "Tab" => "\t",
        "Space" => " ",
        "Backspace" => "\x7f",
        "Up" => "\x1b[A",
        "Down" => "\x1b[B",
        "Right" => "\x1b[C",
        "Left" => "\x1b[D",
        "Home" => "\x1b[H",
        "End" => "\x1b[F",
        "PageUp" => "\x1b[5~",
        "PageDown" => "\x1b[6~",
        "F1" => "\x1bOP",
        "F2" => "\x1bOQ",
        "F3" => "\x1bOR",
        "F4" => "\x1bOS",
        "F5" => "\x1b[15~",
        "F6" => "\x1b[17~",
        "F7" => "\x1b[18~",
        "F8" => "\x1b[19~",
        "F9" => "\x1b[20~",
        "F10" => "\x1b[21~",
        "WheelUp" => "\x1b[<64;20;12M",
        "WheelDown" => "\x1b[<65;20;12M",
        _ => return modified(name),
    };
    Some(text.as_bytes().to_vec())
}

fn modified(name: &str) -> Option<Vec<u8>> {
    let (modifier, letter) = name.split_once('-')?;
    let letter = u8::try_from(letter.chars().next()?).ok()?;
    match modifier {
        "C" => Some(vec![letter.to_ascii_uppercase() & 0x1f]),
        "M" => Some(vec![0x1b, letter]),
        _ => None,
    }
}
