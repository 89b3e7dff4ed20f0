//! A program in a pseudo terminal that says when something arrived.
//!
//! The reader thread takes the time right after each read, before anything is parsed, so that neither the
//! screen model nor the waiting thread's wake-up is part of what is measured.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use portable_pty::{ChildKiller, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::{COLUMNS, ROWS};

/// How long a screen may take before the measurement is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// What is waited for.
enum Wanted {
    /// These bytes in the output.
    Bytes(Vec<u8>),
    /// A screen that looks so.
    Screen(Box<dyn Fn(&str) -> bool + Send>),
}

/// Answers what a terminal is asked.
#[derive(Default)]
struct Answers(Vec<u8>);

impl vt100::Callbacks for Answers {
    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        first: Option<u8>,
        _second: Option<u8>,
        params: &[&[u16]],
        c: char,
    ) {
        match (first, c, params) {
            (None, 'c', _) => self.0.extend(b"\x1b[?62;22c"),
            (None, 'n', [[6]]) => {
                let (row, column) = screen.cursor_position();
                self.0.extend(format!("\x1b[{};{}R", row + 1, column + 1).bytes());
            }
            (Some(b'?'), 'u', _) => self.0.extend(b"\x1b[?0u"),
            _ => {}
        }
    }
}

struct Terminal {
    parser: vt100::Parser<Answers>,
    wanted: Option<Wanted>,
    came: Option<Instant>,
    /// The end of what came before, for bytes that were cut in two.
    tail: Vec<u8>,
    last: Instant,
    closed: bool,
}

impl Terminal {
    fn take(&mut self, bytes: &[u8], at: Instant) {
        self.last = at;
        if let Some(Wanted::Bytes(wanted)) = &self.wanted {
            self.tail.extend_from_slice(bytes);
            if self.tail.windows(wanted.len()).any(|window| window == wanted) {
                (self.wanted, self.came) = (None, Some(at));
            } else {
                self.tail.drain(..self.tail.len().saturating_sub(wanted.len() - 1));
            }
        }
        self.parser.process(bytes);
        if let Some(Wanted::Screen(wanted)) = &self.wanted
            && wanted(&self.parser.screen().contents())
        {
            (self.wanted, self.came) = (None, Some(at));
        }
    }
}

struct Shared {
    terminal: Mutex<Terminal>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Terminal> {
        self.terminal.lock().unwrap()
    }
}

/// The program; it is ended when this is dropped.
pub struct Pty {
    shared: Arc<Shared>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    killer: Box<dyn ChildKiller + Send + Sync>,
    /// Kept open while the program runs.
    _master: Box<dyn MasterPty + Send>,
    /// Its process.
    pub pid: i32,
    /// When it was about to be started.
    pub started: Instant,
}

impl Pty {
    /// Starts it.
    pub fn open(program: &str, args: &[&str], directory: &Path, env: Vec<(String, String)>) -> Self {
        let size = PtySize { rows: ROWS, cols: COLUMNS, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(args);
        command.cwd(directory);
        command.env_clear();
        for (name, value) in env {
            command.env(name, value);
        }
        let parser = vt100::Parser::new_with_callbacks(
            NonZeroU16::new(ROWS).unwrap(),
            NonZeroU16::new(COLUMNS).unwrap(),
            0,
            Answers::default(),
        );
        let last = Instant::now();
        let terminal = Terminal { parser, wanted: None, came: None, tail: Vec::new(), last, closed: false };
        let shared = Arc::new(Shared { terminal: Mutex::new(terminal), changed: Condvar::new() });
        let writer = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        read(pair.master.try_clone_reader().unwrap(), Arc::clone(&shared), Arc::clone(&writer));
        let started = Instant::now();
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let (killer, pid) = (child.clone_killer(), i32::try_from(child.process_id().unwrap()).unwrap());
        std::thread::spawn(move || child.wait());
        Self { shared, writer, killer, _master: pair.master, pid, started }
    }

    /// Sends bytes.
    pub fn send(&self, bytes: &[u8]) {
        let mut writer = self.writer.lock().unwrap();
        writer.write_all(bytes).and_then(|()| writer.flush()).expect("the program takes keys");
    }

    /// Sends a key and gives the time until it came out; none when it did not within the patience.
    pub fn echo(&self, key: &str, patience: Duration) -> Option<Duration> {
        self.answer(key, key, patience)
    }

    /// Sends a key and gives the time until these bytes came out; none when they did not within the patience.
    pub fn answer(&self, key: &str, wanted: &str, patience: Duration) -> Option<Duration> {
        {
            let mut terminal = self.shared.lock();
            (terminal.wanted, terminal.came) = (Some(Wanted::Bytes(wanted.as_bytes().to_vec())), None);
            terminal.tail.clear();
        }
        let sent = Instant::now();
        self.send(key.as_bytes());
        let came = self.await_it(patience);
        self.shared.lock().wanted = None;
        came.map(|came| came.duration_since(sent))
    }

    /// Waits until the screen's text is so, and gives the moment at which what made it so arrived.
    #[track_caller]
    pub fn until(&self, description: &str, wanted: impl Fn(&str) -> bool + Send + 'static) -> Instant {
        {
            let mut terminal = self.shared.lock();
            if wanted(&terminal.parser.screen().contents()) {
                return terminal.last;
            }
            (terminal.wanted, terminal.came) = (Some(Wanted::Screen(Box::new(wanted))), None);
        }
        self.await_it(PATIENCE).unwrap_or_else(|| panic!("waited for {description}:\n{}", self.text()))
    }

    /// Waits until this text stands on the screen.
    #[track_caller]
    pub fn until_text(&self, text: &'static str) -> Instant {
        self.until(text, move |screen| screen.contains(text))
    }

    /// The screen as text.
    pub fn text(&self) -> String {
        self.shared.lock().parser.screen().contents()
    }

    /// Waits until nothing has come for so long.
    pub fn settle(&self, quiet: Duration) {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let silent = self.shared.lock().last.elapsed();
            let Some(left) = quiet.checked_sub(silent).filter(|left| !left.is_zero()) else { return };
            super::pause(left);
        }
    }

    /// Waits until the program has closed its terminal.
    pub fn await_end(&self) {
        let deadline = Instant::now() + PATIENCE;
        let mut terminal = self.shared.lock();
        while !terminal.closed && Instant::now() < deadline {
            terminal = self.shared.changed.wait_timeout(terminal, PATIENCE).unwrap().0;
        }
    }

    fn await_it(&self, patience: Duration) -> Option<Instant> {
        let deadline = Instant::now() + patience;
        let mut terminal = self.shared.lock();
        loop {
            if let Some(came) = terminal.came.take() {
                return Some(came);
            }
            let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            if terminal.closed {
                return None;
            }
            terminal = self.shared.changed.wait_timeout(terminal, left).unwrap().0;
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        if !self.shared.lock().closed {
            // One that ends by itself at this moment needs no more.
            let _ = self.killer.kill();
        }
    }
}

fn read(mut reader: Box<dyn Read + Send>, shared: Arc<Shared>, writer: Arc<Mutex<Box<dyn Write + Send>>>) {
    std::thread::spawn(move || {
        let mut buffer = [0; 64 * 1024];
        loop {
            // On Linux the end of a pseudo terminal is an error.
            let count = reader.read(&mut buffer).unwrap_or(0);
            let at = Instant::now();
            let mut terminal = shared.lock();
            terminal.closed = count == 0;
            terminal.take(&buffer[..count], at);
            let answers = std::mem::take(&mut terminal.parser.callbacks_mut().0);
            drop(terminal);
            shared.changed.notify_all();
            if count == 0 {
                return;
            }
            if !answers.is_empty() {
                let mut writer = writer.lock().unwrap();
                let _ = writer.write_all(&answers).and_then(|()| writer.flush());
            }
        }
    });
}
