//! The client on a real terminal pair, against a workstation that is a script in the test.

use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::*;
use crate::base::terminal_restore::GIVE_BACK;
use crate::base::{Report, TerminalSettings, recv_with_fd, terminal_restore};
use crate::domain::{InputEvent, Key, KeyCode, Size, WindowId};
use crate::protocol::{self, Client, ClientMessage, Packet, ServerMessage, WindowHello, encode_message, encode_output};

const PATIENCE: Duration = Duration::from_secs(20);

/// The person's side of a terminal.
struct Terminal {
    master: OwnedFd,
    slave: OwnedFd,
    before: TerminalSettings,
    seen: Vec<u8>,
}

impl Terminal {
    fn new() -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        let before = TerminalSettings::of(&slave).unwrap();
        let terminal = Self { master, slave, before, seen: Vec::new() };
        terminal.resize(100, 30);
        terminal
    }

    fn resize(&self, columns: u16, rows: u16) {
        let size = Winsize { ws_col: columns, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&self.slave, size).unwrap();
    }

    fn type_in(&self, bytes: &[u8]) {
        let mut bytes = bytes;
        while !bytes.is_empty() {
            bytes = &bytes[rustix::io::write(&self.master, bytes).unwrap()..];
        }
    }

    /// Reads what the terminal shows until these bytes were among it.
    #[track_caller]
    fn until(&mut self, end: &[u8]) {
        let deadline = Instant::now() + PATIENCE;
        let mut from = 0;
        while !self.seen[from..].windows(end.len()).any(|window| window == end) {
            from = self.seen.len().saturating_sub(end.len());
            let wait = Timespec::try_from(deadline.saturating_duration_since(Instant::now())).unwrap();
            let ready = poll(&mut [PollFd::from_borrowed_fd(self.master.as_fd(), PollFlags::IN)], Some(&wait)).unwrap();
            assert!(ready > 0, "never saw {:?} in {:?}", text(end), text(&self.seen));
            let mut buffer = [0; 4096];
            let count = rustix::io::read(&self.master, &mut buffer).unwrap();
            self.seen.extend_from_slice(&buffer[..count]);
        }
    }

    /// It was given back: the bytes were written, the line is as it was.
    #[track_caller]
    fn assert_given_back(&mut self) {
        self.until(GIVE_BACK);
        // The line is set right after the bytes were written.
        let deadline = Instant::now() + PATIENCE;
        while TerminalSettings::of(&self.slave).unwrap() != self.before {
            assert!(Instant::now() < deadline, "the line was not set back");
            std::thread::yield_now();
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The workstation's side of the socket.
struct Workstation {
    stream: UnixStream,
    decoder: protocol::Decoder,
    terminal: Option<OwnedFd>,
}

impl Workstation {
    fn new(stream: UnixStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self { stream, decoder: protocol::Decoder::default(), terminal: None }
    }

    fn send(&mut self, message: &ServerMessage) {
        self.stream.write_all(&encode_message(message).unwrap()).unwrap();
    }

    fn show(&mut self, number: u64, bytes: &[u8]) {
        self.stream.write_all(&encode_output(number, bytes)).unwrap();
    }

    #[track_caller]
    fn next(&mut self) -> ClientMessage {
        loop {
            if let Some(packet) = self.decoder.packet().unwrap() {
                let Packet::Message(message) = packet else { panic!("output from a client") };
                return message;
            }
            let mut buffer = [0; 4096];
            let (count, descriptor) = recv_with_fd(&self.stream, &mut buffer).unwrap();
            assert!(count > 0, "the window is gone");
            self.terminal = self.terminal.take().or(descriptor);
            self.decoder.push(&buffer[..count]);
        }
    }

    /// Takes the hello and welcomes the window.
    fn welcome(&mut self) -> WindowHello {
        let ClientMessage::Hello(hello) = self.next() else { panic!("no hello") };
        self.send(&ServerMessage::Welcome { window: WindowId(1) });
        let Client::Window(window) = hello.client else { panic!("no window") };
        window
    }

    #[track_caller]
    fn key(&mut self) -> Key {
        match self.next() {
            ClientMessage::Input(InputEvent::Key(key)) => key,
            other => panic!("{other:?} is no key"),
        }
    }
}

fn greeting(terminal: bool) -> Hello {
    Hello {
        protocol: protocol::VERSION,
        version: "0".into(),
        client: Client::Window(WindowHello {
            size: Size { columns: 1, rows: 1 },
            term: "xterm-256color".into(),
            colorterm: None,
            no_color: false,
            light: None,
            terminal,
            settings: None,
            focus: None,
            open: None,
            hints: Vec::new(),
        }),
        environment: Vec::new(),
    }
}

type Outcome = std::thread::JoinHandle<Result<WindowEnd, WindowError>>;

fn attached(terminal: bool) -> (Terminal, Workstation, Outcome) {
    let screen = Terminal::new();
    let (near, far) = UnixStream::pair().unwrap();
    let slave = screen.slave.try_clone().unwrap();
    let window = std::thread::spawn(move || {
        let greeted = client::greet(&near, greeting(terminal), &slave, &slave)?;
        client::attach(near, greeted, &slave, &slave)
    });
    (screen, Workstation::new(far), window)
}

#[test]
fn a_window_lives_and_ends_in_order() {
    let (mut screen, mut workstation, window) = attached(true);
    let hello = workstation.welcome();
    assert_eq!(hello.size, Size { columns: 100, rows: 30 });
    assert_eq!(hello.settings.as_ref(), Some(&screen.before));
    screen.until(b"\x1b[?1049h");
    assert_ne!(TerminalSettings::of(&screen.slave).unwrap(), screen.before, "the line is raw");
    screen.until(b"\x1b[?1000h\x1b[?1002h\x1b[?1006h\x1b[?2004h\x1b[?2031h");
    screen.until(b"\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b]12;?\x1b\\\x1b]4;0;?\x1b\\");
    screen.until(b"\x1b]4;15;?\x1b\\\x1b[?996n\x1b[?u\x1b[c");
    workstation.show(7, b"hello");
    screen.until(b"hello");
    assert_eq!(workstation.next(), ClientMessage::Shown(7));

    screen.type_in(b"a\x1b[A");
    assert_eq!(workstation.key(), Key::char('a'));
    assert_eq!(workstation.key(), Key::plain(KeyCode::Up));
    screen.type_in(b"\x1b");
    assert_eq!(workstation.key(), Key::plain(KeyCode::Esc));

    let ended = ServerMessage::Ended { reason: EndReason::Detached, words: "detached; the work goes on".into() };
    workstation.send(&ended);
    screen.until(b"detached; the work goes on\r\n");
    screen.assert_given_back();
    let end = window.join().unwrap().unwrap();
    assert_eq!(end.exit_status(), 0);
    assert!(matches!(end, WindowEnd::Ended { reason: EndReason::Detached, .. }));
}

#[test]
fn better_keys_are_asked_for_only_after_the_terminal_offered_them() {
    let (mut screen, mut workstation, window) = attached(false);
    workstation.welcome();
    assert!(workstation.terminal.is_none());
    screen.until(b"\x1b[?u\x1b[c");
    screen.type_in(b"\x1b[?62;22cx");
    assert_eq!(workstation.key(), Key::char('x'));
    workstation.send(&ServerMessage::Ended { reason: EndReason::Quit, words: String::new() });
    screen.assert_given_back();
    assert!(!text(&screen.seen).contains("\x1b[>7u"));
    assert!(text(&screen.seen).contains("\x1b[>4;2m"), "xterm's own way instead");
    assert_eq!(window.join().unwrap().unwrap().exit_status(), 0);

    let (mut screen, mut workstation, window) = attached(false);
    workstation.welcome();
    screen.type_in(b"\x1b[?0u\x1b[?62;22cx");
    assert_eq!(workstation.key(), Key::char('x'));
    screen.until(b"\x1b[>7u");
    workstation.send(&ServerMessage::Ended { reason: EndReason::Fault, words: String::new() });
    screen.assert_given_back();
    assert_eq!(window.join().unwrap().unwrap().exit_status(), 3);
}

#[test]
fn a_workstation_that_dies_leaves_a_terminal_in_order_and_a_plain_line() {
    let (mut screen, mut workstation, window) = attached(true);
    workstation.welcome();
    workstation.show(1, b"\x1b[31mhalf a frame \x1b]52;c;");
    screen.until(b"half a frame");
    drop(workstation);
    screen.assert_given_back();
    screen.until(b"the workstation ended unexpectedly; run `paralane` to start it again\r\n");
    assert_eq!(window.join().unwrap().unwrap(), WindowEnd::WorkstationGone);
}

#[test]
fn a_refused_window_never_shows() {
    let (screen, mut workstation, window) = attached(true);
    let ClientMessage::Hello(_) = workstation.next() else { panic!("no hello") };
    let report = Report::refused("cannot attach: this is version 2");
    workstation.send(&ServerMessage::Refused(report.clone()));
    let error = window.join().unwrap().unwrap_err();
    assert_eq!(error.report(), report);
    assert_eq!(TerminalSettings::of(&screen.slave).unwrap(), screen.before);
    let nothing =
        poll(&mut [PollFd::from_borrowed_fd(screen.master.as_fd(), PollFlags::IN)], Some(&Timespec::default()));
    assert_eq!(nothing.unwrap(), 0, "not a byte was written");
}

#[test]
fn bytes_that_are_no_frames_end_the_window_in_order() {
    let (mut screen, mut workstation, window) = attached(true);
    workstation.welcome();
    screen.until(b"\x1b[c");
    workstation.stream.write_all(&[0xff; 16]).unwrap();
    screen.assert_given_back();
    assert!(matches!(window.join().unwrap(), Err(WindowError::Protocol(_))));
}

#[test]
fn a_large_paste_and_a_flood_pass_each_other() {
    let (mut screen, mut workstation, window) = attached(false);
    workstation.welcome();
    let flood = vec![b'.'; 3 * 1024 * 1024];
    let pasted = "0123456789abcdef".repeat(64 * 1024);
    let mut out = workstation.stream.try_clone().unwrap();
    let far = screen.master.try_clone().unwrap();
    let (taken, takes) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            out.write_all(&[encode_output(1, &flood), encode_output(2, b"done")].concat()).unwrap();
            for () in takes {
                out.write_all(&encode_message(&ServerMessage::PasteTaken).unwrap()).unwrap();
            }
        });
        scope.spawn(|| {
            let bytes = [b"\x1b[200~", pasted.as_bytes(), b"\x1b[201~"].concat();
            std::fs::File::from(far).write_all(&bytes).unwrap();
        });
        scope.spawn(|| screen.until(b"done"));
        let (mut got, mut ended, mut shown) = (String::new(), false, Vec::new());
        while !(ended && shown.len() == 2) {
            match workstation.next() {
                ClientMessage::Input(InputEvent::Paste { text, last, .. }) => {
                    got.push_str(&text);
                    ended |= last;
                    taken.send(()).unwrap();
                }
                ClientMessage::Shown(number) => shown.push(number),
                other => panic!("{other:?}"),
            }
        }
        assert!(got == pasted, "the paste came whole");
        assert_eq!(shown, [1, 2]);
        drop(taken);
    });
    workstation.send(&ServerMessage::Ended { reason: EndReason::Quit, words: String::new() });
    screen.assert_given_back();
    window.join().unwrap().unwrap();
}

/// A program that reads slowly holds the paste back, and nothing else that the window says.
#[test]
fn a_paste_waits_until_pieces_are_taken() {
    let (mut screen, mut workstation, window) = attached(false);
    workstation.welcome();
    screen.until(b"\x1b[c");
    let pasted = "0123456789abcdef".repeat(64 * 1024);
    let far = screen.master.try_clone().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let bytes = [b"\x1b[200~", pasted.as_bytes(), b"\x1b[201~x"].concat();
            std::fs::File::from(far).write_all(&bytes).unwrap();
        });
        let mut got = String::new();
        let mut untaken = 0;
        let mut piece = |workstation: &mut Workstation| match workstation.next() {
            ClientMessage::Input(InputEvent::Paste { text, last, .. }) => {
                got.push_str(&text);
                last
            }
            other => panic!("{other:?}"),
        };
        while untaken < protocol::PASTE_PIECES {
            assert!(!piece(&mut workstation));
            untaken += 1;
        }
        // None is taken: no more comes, but the picture is shown.
        workstation.show(1, b"picture");
        screen.until(b"picture");
        assert_eq!(workstation.next(), ClientMessage::Shown(1));
        for _ in 0..untaken {
            workstation.send(&ServerMessage::PasteTaken);
        }
        while !piece(&mut workstation) {
            workstation.send(&ServerMessage::PasteTaken);
        }
        workstation.send(&ServerMessage::PasteTaken);
        assert!(got == pasted, "the paste came whole");
    });
    assert_eq!(workstation.key(), Key::char('x'));
    workstation.send(&ServerMessage::Ended { reason: EndReason::Quit, words: String::new() });
    screen.assert_given_back();
    window.join().unwrap().unwrap();
}

#[test]
fn a_terminal_that_hangs_up_detaches() {
    let (screen, mut workstation, window) = attached(true);
    workstation.welcome();
    let ClientMessage::Input(InputEvent::Key(_)) = ({
        screen.type_in(b"x");
        workstation.next()
    }) else {
        panic!("no key")
    };
    workstation.terminal = None;
    drop(screen);
    assert_eq!(workstation.next(), ClientMessage::Detach);
    assert_eq!(window.join().unwrap().unwrap(), WindowEnd::TerminalGone);
}

#[test]
fn a_panic_gives_the_terminal_back_before_its_message() {
    let mut screen = Terminal::new();
    let slave = screen.slave.try_clone().unwrap();
    let window = std::thread::spawn(move || {
        let held = tty::Tty::take(slave.as_fd(), slave.as_fd()).unwrap();
        let opening = held.opening().unwrap();
        assert_eq!(held.write(&opening).unwrap(), opening.len());
        panic!("on purpose");
    });
    assert!(window.join().is_err());
    screen.assert_given_back();
    let twice = text(&screen.seen).matches("\x1b[?1049l").count();
    assert_eq!(twice, 1, "given back once");
}

/// Not a test: the process that the tests below end by signals. It attaches its own terminal.
#[test]
#[ignore = "started by other tests"]
fn window_process() {
    let Some(socket) = std::env::var_os("PARALANE_TEST_SOCKET") else { return };
    let stream = UnixStream::connect(socket).unwrap();
    let greeted = greet(&stream, greeting(true)).unwrap();
    let end = run(stream, greeted).unwrap();
    std::process::exit(end.exit_status().into());
}

fn child(screen: &Terminal, socket: &Path) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["window::tests::window_process", "--exact", "--ignored", "--nocapture"])
        .env("PARALANE_TEST_SOCKET", socket)
        .stdin(Stdio::from(screen.slave.try_clone().unwrap()))
        .stdout(Stdio::from(screen.slave.try_clone().unwrap()))
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn with_process(act: impl FnOnce(&mut Terminal, &mut Workstation, std::process::Child, rustix::process::Pid)) {
    let directory = tempfile::tempdir().unwrap();
    let socket = directory.path().join("s");
    let listener = UnixListener::bind(&socket).unwrap();
    let mut screen = Terminal::new();
    let process = child(&screen, &socket);
    let mut workstation = Workstation::new(listener.accept().unwrap().0);
    workstation.welcome();
    screen.until(b"\x1b[c");
    let pid = rustix::process::Pid::from_child(&process);
    act(&mut screen, &mut workstation, process, pid);
}

#[test]
fn signals_give_the_terminal_back_and_detach() {
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::HUP] {
        with_process(|screen, workstation, mut process, pid| {
            rustix::process::kill_process(pid, signal).unwrap();
            screen.assert_given_back();
            assert_eq!(workstation.next(), ClientMessage::Detach);
            assert_eq!(process.wait().unwrap().code(), Some(128 + signal.as_raw()));
        });
    }
}

#[test]
fn a_terminal_that_takes_nothing_does_not_keep_a_window_alive() {
    with_process(|screen, workstation, mut process, pid| {
        workstation.show(1, &vec![b'.'; 256 * 1024]);
        screen.type_in(b"x");
        assert_eq!(workstation.key(), Key::char('x'), "keys pass a stuck terminal");
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        assert_eq!(process.wait().unwrap().code(), Some(143));
        assert_eq!(TerminalSettings::of(&screen.slave).unwrap(), screen.before);
    });
}

#[test]
fn a_change_of_size_is_told_once() {
    with_process(|screen, workstation, mut process, pid| {
        screen.resize(70, 20);
        for _ in 0..2 {
            rustix::process::kill_process(pid, rustix::process::Signal::WINCH).unwrap();
        }
        assert_eq!(workstation.next(), ClientMessage::Resized(Size { columns: 70, rows: 20 }));
        screen.type_in(b"x");
        assert_eq!(workstation.key(), Key::char('x'));
        workstation.send(&ServerMessage::Ended { reason: EndReason::Quit, words: String::new() });
        process.wait().unwrap();
    });
}

#[test]
fn a_killed_window_is_tidied_up_by_the_other_side() {
    with_process(|screen, workstation, mut process, _| {
        process.kill().unwrap();
        process.wait().unwrap();
        let mut rest = Vec::new();
        workstation.stream.read_to_end(&mut rest).unwrap();
        assert_ne!(TerminalSettings::of(&screen.slave).unwrap(), screen.before);
        let terminal = workstation.terminal.take().unwrap();
        terminal_restore::restore_abandoned(terminal.as_fd(), Some(&screen.before)).unwrap();
        screen.assert_given_back();
    });
}

#[test]
fn a_terminal_that_claims_any_size_is_drawn_in_part() {
    let terminal = Terminal::new();
    terminal.resize(65535, 65535);
    assert_eq!(super::greeting::size(&terminal.slave), Size { columns: 1000, rows: 500 });
    terminal.resize(0, 0);
    assert_eq!(super::greeting::size(&terminal.slave), Size { columns: 80, rows: 24 });
}
