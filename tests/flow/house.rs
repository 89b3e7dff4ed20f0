//! A workstation on a thread, its commands, and windows made by hand.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use paralane::base::{TerminalSettings, send_with_fd};
use paralane::domain::{InputEvent, Key, KeyCode, Size};
use paralane::git::{GitEnv, Project};
use paralane::protocol::{
    Client, ClientMessage, CommandHello, Decoder, Hello, Packet, Reply, ServerMessage, VERSION, WindowHello,
    encode_message,
};
use paralane::workstation::home::{Home, ProjectHome};
use paralane::workstation::{Options, run};
use serde_json::Value;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// One workstation at a time: its processes and descriptors are counted.
static ONE: Mutex<()> = Mutex::new(());

pub struct House {
    directory: tempfile::TempDir,
    running: Option<JoinHandle<anyhow::Result<()>>>,
    _turn: MutexGuard<'static, ()>,
}

impl House {
    /// A repository with one commit, and a workstation that runs on it with this configuration.
    pub fn configured(text: &str) -> Self {
        let turn = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let directory = tempfile::Builder::new().prefix("pl").tempdir().unwrap();
        let mut house = Self { directory, running: None, _turn: turn };
        std::fs::create_dir(house.repo()).unwrap();
        std::fs::write(house.config(), text).unwrap();
        std::fs::write(house.repo().join("README.md"), "# shop\n").unwrap();
        for args in [&["init", "-q", "-b", "main"][..], &["add", "-A"], &["commit", "-q", "-m", "Open the shop"]] {
            let mut git = Command::new("git");
            git.args(["-c", "user.name=Test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"]);
            assert!(git.args(args).current_dir(house.repo()).status().unwrap().success());
        }
        house.start();
        house
    }

    pub fn repo(&self) -> PathBuf {
        self.directory.path().join("shop")
    }

    fn config(&self) -> PathBuf {
        self.directory.path().join("config.toml")
    }

    fn home(&self) -> Home {
        Home::find(Some(&self.directory.path().join("h"))).unwrap().with_user_config(self.config())
    }

    pub fn place(&self) -> ProjectHome {
        self.home().project(&self.repo().canonicalize().unwrap()).unwrap()
    }

    /// Starts the workstation and waits until it answers.
    pub fn start(&mut self) {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let (project, base) = Project::locate(&self.repo(), GitEnv::inherited()).unwrap();
        let options = Options {
            project,
            base,
            home: self.home(),
            ready: Some(OwnedFd::from(writer)),
            first: None,
            foreground: true,
        };
        let running = std::thread::spawn(move || run(options));
        let mut line = String::new();
        reader.read_to_string(&mut line).unwrap();
        assert_eq!(line, "ok\n", "it did not start");
        self.running = Some(running);
    }

    /// Ends the workstation in order, and fails if it does not end so.
    pub fn down(&mut self) {
        let running = self.running.take().unwrap();
        self.command(&["down"]);
        running.join().unwrap().unwrap();
    }

    pub fn connect(&self) -> UnixStream {
        let stream = UnixStream::connect(self.place().socket()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Runs a command and gives its reply.
    pub fn command(&self, arguments: &[&str]) -> Reply {
        let mut stream = self.connect();
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        stream.write_all(&encode_message(&hello(Client::Command(CommandHello { arguments }))).unwrap()).unwrap();
        let mut decoder = Decoder::default();
        match next(&mut stream, &mut decoder) {
            Some(Ok(Packet::Message(ServerMessage::Reply(reply)))) => reply,
            other => panic!("no reply: {other:?}"),
        }
    }

    /// Runs a command that must succeed.
    #[track_caller]
    pub fn done(&self, arguments: &[&str]) -> String {
        let reply = self.command(arguments);
        assert_eq!(reply.status, 0, "{arguments:?}: {reply:?}");
        reply.output
    }

    /// Runs a command that prints JSON.
    #[track_caller]
    pub fn json(&self, arguments: &[&str]) -> Value {
        let mut with_json = vec!["--json"];
        with_json.extend(arguments);
        serde_json::from_str(&self.done(&with_json)).unwrap()
    }

    /// Waits until a command's JSON fits.
    #[track_caller]
    pub fn until(&self, what: &str, arguments: &[&str], fits: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let now = self.json(arguments);
            if fits(&now) {
                return now;
            }
            assert!(Instant::now() < deadline, "{what}: {now:#}");
            std::thread::park_timeout(Duration::from_millis(20));
        }
    }

    /// Waits until a lane is in this state.
    #[track_caller]
    pub fn until_lane(&self, lane: &str, state: &str) {
        let wanted =
            |lanes: &Value| lanes["lanes"].as_array().unwrap().iter().any(|l| l["name"] == lane && l["state"] == state);
        self.until(&format!("{lane} {state}"), &["lane", "list"], wanted);
    }

    /// Whether any window is attached.
    pub fn has_window(&self) -> bool {
        let reply = self.command(&["lane", "focus", "1"]);
        !reply.error.is_some_and(|report| report.message.contains("no window is attached"))
    }

    /// Waits until no window is attached.
    pub fn until_no_window(&self) {
        self.until("no window", &["status"], |_| !self.has_window());
    }

    pub fn window(&self) -> Window {
        Window::attach(self.connect(), None)
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if self.running.is_some() && !std::thread::panicking() {
            self.down();
        }
    }
}

fn hello(client: Client) -> ClientMessage {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    ClientMessage::Hello(Hello { protocol: VERSION, version, client, environment: Vec::new() })
}

/// The next packet; an error when none came in time; none when the other side has ended.
fn next(stream: &mut UnixStream, decoder: &mut Decoder) -> Option<Result<Packet<ServerMessage>, ()>> {
    let mut bytes = vec![0; 64 * 1024];
    loop {
        if let Some(packet) = decoder.packet().unwrap() {
            return Some(Ok(packet));
        }
        match stream.read(&mut bytes) {
            // What was sent and not read any more resets the connection.
            Ok(0) => return None,
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
            Ok(count) => decoder.push(&bytes[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Some(Err(())),
            // A program of a pane has ended: a read with a time limit does not go on by itself then.
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// What a window gets.
pub enum Got {
    Frame,
    Message(ServerMessage),
    End,
}

/// A window that does only what the test says.
pub struct Window {
    stream: UnixStream,
    decoder: Decoder,
    screen: vt100::Parser,
    /// Whether frames are acknowledged as they are read.
    pub acknowledges: bool,
}

const COLUMNS: u16 = 100;
const ROWS: u16 = 30;

impl Window {
    /// Attaches and waits for the welcome; with a terminal to be given back.
    pub fn attach(mut stream: UnixStream, terminal: Option<(BorrowedFd<'_>, TerminalSettings)>) -> Self {
        let (descriptor, settings) = terminal.unzip();
        let window = WindowHello {
            size: Size { columns: COLUMNS, rows: ROWS },
            term: "xterm-256color".into(),
            colorterm: None,
            no_color: false,
            light: None,
            terminal: descriptor.is_some(),
            settings,
            focus: None,
            open: None,
            hints: Vec::new(),
        };
        let bytes = encode_message(&hello(Client::Window(window))).unwrap();
        match descriptor {
            Some(descriptor) => send_with_fd(&stream, &bytes, descriptor).unwrap(),
            None => stream.write_all(&bytes).unwrap(),
        }
        let (rows, columns) = (ROWS.try_into().unwrap(), COLUMNS.try_into().unwrap());
        let mut window = Self {
            stream,
            decoder: Decoder::default(),
            screen: vt100::Parser::new(rows, columns, 0),
            acknowledges: true,
        };
        assert!(matches!(window.next(), Got::Message(ServerMessage::Welcome { .. })));
        window
    }

    pub fn say(&mut self, message: &ClientMessage) {
        self.stream.write_all(&encode_message(message).unwrap()).unwrap();
    }

    /// Types text; a line end is Enter.
    pub fn typed(&mut self, text: &str) {
        for c in text.chars() {
            let key = if c == '\n' { Key::plain(KeyCode::Enter) } else { Key::char(c) };
            self.key(key);
        }
    }

    pub fn key(&mut self, key: Key) {
        self.say(&ClientMessage::Input(InputEvent::Key(key)));
    }

    pub fn next(&mut self) -> Got {
        match next(&mut self.stream, &mut self.decoder) {
            None => Got::End,
            Some(Err(())) => panic!("nothing more came in time:\n{}", self.text()),
            Some(Ok(Packet::Message(message))) => Got::Message(message),
            Some(Ok(Packet::Output { number, bytes })) => {
                self.screen.process(&bytes);
                if self.acknowledges {
                    // A workstation that ends takes no more.
                    let _ = self.stream.write_all(&encode_message(&ClientMessage::Shown(number)).unwrap());
                }
                Got::Frame
            }
        }
    }

    pub fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Reads frames until the window stands on another ground than this; what that is.
    pub fn until_ground_changes(&mut self, from: vt100::Color) -> vt100::Color {
        while self.ground() == from {
            self.next();
        }
        self.ground()
    }

    /// What the window stands on.
    pub fn ground(&self) -> vt100::Color {
        self.screen.screen().cell(0, 0).unwrap().bgcolor()
    }

    /// Reads frames until the screen shows this.
    #[track_caller]
    pub fn until_shows(&mut self, text: &str) {
        self.frames_until_shows(text);
    }

    /// Reads this many frames.
    #[track_caller]
    pub fn frames(&mut self, count: usize) {
        for _ in 0..count {
            assert!(matches!(self.next(), Got::Frame), "no frame:\n{}", self.text());
        }
    }

    /// Reads frames until the screen shows this: how many there were.
    #[track_caller]
    pub fn frames_until_shows(&mut self, text: &str) -> usize {
        let mut frames = 0;
        while !self.text().contains(text) {
            match self.next() {
                Got::Frame => frames += 1,
                Got::Message(message) => panic!("waiting for {text:?}: {message:?}"),
                Got::End => panic!("ended, waiting for {text:?}:\n{}", self.text()),
            }
        }
        frames
    }

    /// Reads up to the end: the words of the farewell, and how many frames came before.
    pub fn until_end(&mut self) -> (Option<String>, usize) {
        let (mut farewell, mut frames) = (None, 0);
        loop {
            match self.next() {
                Got::Frame => frames += 1,
                Got::Message(ServerMessage::Ended { words, .. }) => farewell = Some(words),
                Got::Message(message) => panic!("{message:?}"),
                Got::End => return (farewell, frames),
            }
        }
    }
}

/// How many descriptors this process has open.
pub fn descriptors() -> usize {
    std::fs::read_dir(Path::new("/proc/self/fd")).map_or(0, Iterator::count)
}
