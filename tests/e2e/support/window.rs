//! The real program in a real pseudo terminal, with a screen that tests look at.
//!
//! A reader thread feeds a vt100 screen and answers what a terminal is asked. Waiting is always for a condition
//! on the screen, woken by output, with a deadline that shows the last screen and the log.

use std::fmt;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, mpsc};
use std::time::Instant;

use portable_pty::{CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

use super::bench::PROGRAM;
use super::{PATIENCE, keys};

/// Lines of a log that a failed wait shows.
const LOG_LINES: usize = 30;

/// What a window is opened with.
pub struct Options<'a> {
    pub args: &'a [&'a str],
    pub directory: &'a Path,
    pub env: Vec<(String, String)>,
    pub columns: u16,
    pub rows: u16,
    /// Shown when a wait fails.
    pub logs: Vec<PathBuf>,
}

/// What the terminal has been asked and answers, and what it has seen.
#[derive(Default)]
struct Answers {
    replies: Vec<u8>,
    bells: usize,
    notifications: Vec<String>,
    clipboard: Vec<String>,
}

impl vt100::Callbacks for Answers {
    fn audible_bell(&mut self, _: &mut vt100::Screen) {
        self.bells += 1;
    }

    fn copy_to_clipboard(&mut self, _: &mut vt100::Screen, _kind: &[u8], data: &[u8]) {
        self.clipboard.push(String::from_utf8_lossy(data).into_owned());
    }

    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        first: Option<u8>,
        _second: Option<u8>,
        params: &[&[u16]],
        c: char,
    ) {
        match (first, c, params) {
            (None, 'c', _) => self.replies.extend(b"\x1b[?62;22c"),
            (None, 'n', [[6]]) => {
                let (row, column) = screen.cursor_position();
                self.replies.extend(format!("\x1b[{};{}R", row + 1, column + 1).bytes());
            }
            (Some(b'?'), 'u', _) => self.replies.extend(b"\x1b[?0u"),
            _ => {}
        }
    }

    fn unhandled_osc(&mut self, _: &mut vt100::Screen, params: &[&[u8]]) {
        match params {
            [b"10", b"?"] => self.replies.extend(b"\x1b]10;rgb:c8c8/c8c8/c8c8\x1b\\"),
            [b"11", b"?"] => self.replies.extend(b"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\"),
            [b"9", text] | [b"777", b"notify", _, text] => {
                self.notifications.push(String::from_utf8_lossy(text).into_owned());
            }
            _ => {}
        }
    }
}

struct Terminal {
    parser: vt100::Parser<Answers>,
    /// Every byte that came, for tests that look at the sequences themselves. Bounded by a test's length.
    bytes: Vec<u8>,
    closed: bool,
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

/// One window.
pub struct Window {
    master: Box<dyn MasterPty + Send>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    shared: Arc<Shared>,
    killer: Box<dyn portable_pty::ChildKiller + Send + Sync>,
    pid: i32,
    ended: mpsc::Receiver<ExitStatus>,
    status: Option<ExitStatus>,
    logs: Vec<PathBuf>,
}

impl fmt::Debug for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "window of process {}:\n{}", self.pid, self.text())
    }
}

impl Window {
    /// Opens it.
    pub fn open(options: Options<'_>) -> Self {
        let size = PtySize { rows: options.rows, cols: options.columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(PROGRAM);
        command.args(options.args);
        command.cwd(options.directory);
        command.env_clear();
        for (name, value) in options.env {
            command.env(name, value);
        }
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let pid = i32::try_from(child.process_id().unwrap()).unwrap();
        let killer = child.clone_killer();
        let (sender, ended) = mpsc::sync_channel(1);
        std::thread::spawn(move || {
            let _ = sender.send(child.wait().unwrap());
        });

        let parser = vt100::Parser::new_with_callbacks(
            NonZeroU16::new(options.rows).unwrap(),
            NonZeroU16::new(options.columns).unwrap(),
            0,
            Answers::default(),
        );
        let terminal = Mutex::new(Terminal { parser, bytes: Vec::new(), closed: false });
        let shared = Arc::new(Shared { terminal, changed: Condvar::new() });
        let writer = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        read_in_background(pair.master.try_clone_reader().unwrap(), Arc::clone(&shared), Arc::clone(&writer));
        Self { master: pair.master, writer, shared, killer, pid, ended, status: None, logs: options.logs }
    }

    /// The window's process.
    pub const fn pid(&self) -> i32 {
        self.pid
    }

    /// Types text and keys, see [`keys`].
    pub fn keys(&self, text: &str) -> &Self {
        self.send(&keys::bytes(text))
    }

    /// Sends bytes as they are.
    pub fn send(&self, bytes: &[u8]) -> &Self {
        let mut writer = self.writer.lock().unwrap();
        // A program that has just ended takes no more keys; what a test then waits for says so.
        let _ = writer.write_all(bytes).and_then(|()| writer.flush());
        self
    }

    /// Types a line and Enter.
    pub fn line(&self, text: &str) -> &Self {
        self.send(text.as_bytes()).send(b"\r")
    }

    /// Gives the terminal another size.
    pub fn resize(&self, columns: u16, rows: u16) {
        let mut terminal = self.shared.lock();
        let (rows_, columns_) = (NonZeroU16::new(rows).unwrap(), NonZeroU16::new(columns).unwrap());
        terminal.parser.screen_mut().set_size(rows_, columns_);
        drop(terminal);
        self.master.resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// Waits until the screen is as described.
    #[track_caller]
    pub fn wait_for(&self, description: &str, wanted: impl Fn(&vt100::Screen) -> bool) -> &Self {
        let deadline = Instant::now() + PATIENCE;
        let mut terminal = self.shared.lock();
        loop {
            if wanted(terminal.parser.screen()) {
                return self;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || terminal.closed {
                let why = if terminal.closed { "the window ended" } else { "it did not come" };
                let screen = terminal.parser.screen().contents();
                drop(terminal);
                panic!("waited for {description}: {why}\n--- screen ---\n{screen}\n{}", self.log_tails());
            }
            terminal = self.shared.changed.wait_timeout(terminal, left).unwrap().0;
        }
    }

    /// Waits until a text stands on the screen.
    #[track_caller]
    pub fn wait_for_text(&self, text: &str) -> &Self {
        self.wait_for(&format!("`{text}`"), |screen| screen.contents().contains(text))
    }

    /// Waits until a text stands on the screen no more.
    #[track_caller]
    pub fn wait_gone(&self, text: &str) -> &Self {
        self.wait_for(&format!("no `{text}`"), |screen| !screen.contents().contains(text))
    }

    /// The screen as text.
    pub fn text(&self) -> String {
        self.shared.lock().parser.screen().contents()
    }

    /// Looks at the screen.
    pub fn screen<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.shared.lock().parser.screen())
    }

    /// Every byte that came so far.
    pub fn bytes(&self) -> Vec<u8> {
        self.shared.lock().bytes.clone()
    }

    /// How often the bell rang.
    pub fn bells(&self) -> usize {
        self.shared.lock().parser.callbacks().bells
    }

    /// Notifications (OSC 9 and 777) that came.
    pub fn notifications(&self) -> Vec<String> {
        self.shared.lock().parser.callbacks().notifications.clone()
    }

    /// What was copied to the clipboard (base64, as it came).
    pub fn clipboard(&self) -> Vec<String> {
        self.shared.lock().parser.callbacks().clipboard.clone()
    }

    /// Waits until the program has ended, and gives its exit status.
    #[track_caller]
    pub fn wait_exit(&mut self) -> u32 {
        if self.status.is_none() {
            match self.ended.recv_timeout(PATIENCE) {
                Ok(status) => self.status = Some(status),
                Err(error) => {
                    panic!("the window did not end ({error})\n--- screen ---\n{}\n{}", self.text(), self.log_tails())
                }
            }
            // What it printed last may still be on its way.
            let deadline = Instant::now() + PATIENCE;
            let mut terminal = self.shared.lock();
            while !terminal.closed && Instant::now() < deadline {
                let left = deadline.saturating_duration_since(Instant::now());
                terminal = self.shared.changed.wait_timeout(terminal, left).unwrap().0;
            }
        }
        self.status.as_ref().unwrap().exit_code()
    }

    /// Sends the window's process a signal.
    pub fn signal(&self, signal: rustix::process::Signal) {
        rustix::process::kill_process(rustix::process::Pid::from_raw(self.pid).unwrap(), signal).unwrap();
    }

    /// Fails the test unless the terminal has been given back in order.
    #[track_caller]
    pub fn assert_restored(&self) {
        let terminal = self.shared.lock();
        let screen = terminal.parser.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is still shown");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.bracketed_paste(), "bracketed paste is still on");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is still taken");
    }

    fn log_tails(&self) -> String {
        let tail = |path: &PathBuf| {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            let lines: Vec<_> = text.lines().collect();
            let tail = &lines[lines.len().saturating_sub(LOG_LINES)..];
            format!("--- {} ---\n{}\n", path.display(), tail.join("\n"))
        };
        self.logs.iter().map(tail).collect()
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        if self.status.is_none() && self.ended.try_recv().is_err() {
            // Ends by itself when it was about to; a failure here means just that.
            let _ = self.killer.kill();
        }
    }
}

fn read_in_background(
    mut reader: Box<dyn Read + Send>,
    shared: Arc<Shared>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
) {
    std::thread::spawn(move || {
        let mut buffer = [0; 16 * 1024];
        loop {
            // On Linux the end of a pseudo terminal is an error.
            let count = reader.read(&mut buffer).unwrap_or(0);
            let mut terminal = shared.lock();
            if count == 0 {
                terminal.closed = true;
            } else {
                terminal.parser.process(&buffer[..count]);
                terminal.bytes.extend_from_slice(&buffer[..count]);
            }
            let replies = std::mem::take(&mut terminal.parser.callbacks_mut().replies);
            drop(terminal);
            shared.changed.notify_all();
            if count == 0 {
                return;
            }
            if !replies.is_empty() {
                let mut writer = writer.lock().unwrap();
                // A program that is gone needs no answer.
                let _ = writer.write_all(&replies).and_then(|()| writer.flush());
            }
        }
    });
}
