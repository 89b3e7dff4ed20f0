//! The loop between terminal and socket.
//!
//! Both directions are bounded: nothing is read from the socket while output waits for the terminal, and
//! nothing is read from the terminal while too much waits for the socket, or while the workstation has pieces of a
//! paste that it has not taken. Neither direction waits for the other.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream as StdStream;
use std::time::Duration;

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::net::UnixStream;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{Instant, sleep_until, timeout};

use crate::base::terminal_restore::TerminalSettings;
use crate::base::{Report, send_with_fd};
use crate::domain::{InputEvent, Size};
use crate::protocol::{
    self, Client as Kind, ClientMessage, Hello, PASTE_PIECES, Packet, ServerMessage, encode_message,
};

use super::decoder::Decoder;
use super::editor::Editor;
use super::greeting::{require_tty, size};
use super::signals::EndingSignals;
use super::tty::{Tty, own_description};
use super::{WindowEnd, WindowError};

/// How long after an Esc the rest of a sequence may come.
const ESC_PATIENCE: Duration = Duration::from_millis(30);

/// Typed input that waits for the socket, in bytes, before no more is read: a few pieces of a paste.
const OUTBOX: usize = 256 * 1024;

/// How long a last word to the workstation may take.
const FAREWELL: Duration = Duration::from_millis(200);

/// One read from terminal or socket.
const READ: usize = 64 * 1024;

/// Attaches the terminal of these two descriptors.
pub(super) fn attach(
    stream: StdStream,
    greeted: Greeted,
    input: impl AsFd,
    output: impl AsFd,
) -> Result<WindowEnd, WindowError> {
    require_tty(&input, &output)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(WindowError::Preparation)?;
    runtime.block_on(attend(stream, greeted, input.as_fd(), output.as_fd()))
}

async fn attend(
    stream: StdStream,
    greeted: Greeted,
    input: BorrowedFd<'_>,
    output: BorrowedFd<'_>,
) -> Result<WindowEnd, WindowError> {
    // Signals first: from here on they end the window in order, and no change of size is missed.
    let mut ending = EndingSignals::take().map_err(WindowError::Preparation)?;
    let mut resized = signal(SignalKind::window_change()).map_err(WindowError::Preparation)?;
    let tty = Tty::take(input, output).map_err(|source| WindowError::Terminal { doing: "take", source })?;
    let typed = watch(tty.input(), Interest::READABLE)?;
    let shown = watch(tty.output(), Interest::WRITABLE)?;
    stream.set_nonblocking(true).map_err(WindowError::Preparation)?;
    let socket = UnixStream::from_std(stream).map_err(WindowError::Preparation)?;

    let mut client = Client::new(&tty, socket, greeted);
    // It may have changed since.
    client.resized();
    let end = loop {
        let step = tokio::select! {
            number = ending.next() => {
                // An editor that has the terminal answers its keys itself.
                let keys = [SignalKind::interrupt(), SignalKind::quit()].map(|kind| kind.as_raw_value() as u8);
                let lent = client.editor.is_some() && keys.contains(&number);
                (!lent).then_some(WindowEnd::Signal(number))
            }
            result = edited(&mut client.editor), if client.editor.is_some() => match client.resume(result) {
                Ok(()) => client.advance()?,
                Err(_) => Some(WindowEnd::TerminalGone),
            },
            _ = resized.recv() => {
                client.resized();
                None
            }
            ready = typed.readable(), if client.reads() => match ready {
                Ok(mut ready) => match ready.try_io(|_| client.read_terminal()) {
                    Ok(outcome) => outcome.err().map(|_| WindowEnd::TerminalGone),
                    Err(_would_block) => None,
                },
                Err(_) => Some(WindowEnd::TerminalGone),
            },
            () = sleep_until(client.silence.unwrap_or_else(Instant::now)), if client.silence.is_some() && client.reads() => {
                client.silent();
                None
            }
            _ = client.socket.writable(), if !client.outbox.is_empty() => {
                client.send();
                None
            }
            _ = client.socket.readable(), if client.pictures.is_empty() && client.editor.is_none() => {
                client.read_socket()?
            }
            ready = shown.writable(), if !client.pictures.is_empty() => match ready {
                Ok(mut ready) => match ready.try_io(|_| client.show()) {
                    Ok(Ok(())) => client.advance()?,
                    Ok(Err(_)) => Some(WindowEnd::TerminalGone),
                    Err(_would_block) => None,
                },
                Err(_) => Some(WindowEnd::TerminalGone),
            },
        };
        if let Some(end) = step {
            break end;
        }
    };
    tty.give_back();
    match &end {
        WindowEnd::Ended { words, .. } => tty.print(words),
        WindowEnd::Signal(_) | WindowEnd::TerminalGone => client.detach().await,
        WindowEnd::WorkstationGone => {
            tty.print("the workstation ended unexpectedly; run `paralane` to start it again");
        }
    }
    Ok(end)
}

#[allow(unsafe_code, reason = "tokio has no safe door for a descriptor that is neither socket nor pipe")]
fn watch(terminal: BorrowedFd<'_>, interest: Interest) -> Result<AsyncFd<BorrowedFd<'_>>, WindowError> {
    // SAFETY: a borrowed descriptor is open and the same for as long as the borrow lasts, and the value
    // that is returned cannot outlast it.
    let watched = unsafe { AsyncFd::register_with_interest(terminal, interest) };
    watched.map_err(|error| WindowError::Preparation(error.into()))
}

/// What a workstation was told of the terminal.
#[derive(Debug)]
pub struct Greeted {
    size: Size,
    /// TERM.
    term: String,
}

/// Sends the hello and, if it says so, the terminal's descriptor and settings.
pub(super) fn greet(
    stream: &StdStream,
    mut hello: Hello,
    input: impl AsFd,
    output: impl AsFd,
) -> Result<Greeted, WindowError> {
    require_tty(&input, &output)?;
    let mut greeted = Greeted { size: size(&output), term: String::new() };
    let mut terminal = None;
    if let Kind::Window(window) = &mut hello.client {
        window.size = greeted.size;
        greeted.term.clone_from(&window.term);
        if window.terminal {
            let looking = |source| WindowError::Terminal { doing: "look at", source };
            window.settings = Some(TerminalSettings::of(input.as_fd()).map_err(looking)?);
            terminal = Some(
                own_description(output.as_fd()).or_else(|_| output.as_fd().try_clone_to_owned()).map_err(looking)?,
            );
        }
    }
    let bytes = encode_message(&ClientMessage::Hello(hello))?;
    let sent = match terminal {
        Some(terminal) => send_with_fd(stream, &bytes, terminal.as_fd()),
        None => io::Write::write_all(&mut &*stream, &bytes),
    };
    sent.map_err(WindowError::Greeting).map(|()| greeted)
}

/// Bytes on their way to the terminal, and the number to acknowledge when they are there.
struct Picture {
    bytes: Vec<u8>,
    written: usize,
    number: Option<u64>,
}

/// Waits for the end of the editor, if there is one.
async fn edited(editor: &mut Option<Editor>) -> Result<(), Report> {
    match editor {
        Some(editor) => editor.ended().await,
        None => std::future::pending().await,
    }
}

struct Client<'a> {
    tty: &'a Tty,
    socket: UnixStream,
    buffer: Vec<u8>,
    decoder: Decoder,
    frames: protocol::Decoder,
    /// Encoded messages for the workstation.
    outbox: Vec<u8>,
    /// At most one frame of the workstation's, and short strings of our own.
    pictures: VecDeque<Picture>,
    size: Size,
    /// TERM.
    term: String,
    /// When silence begins to mean something to the decoder.
    silence: Option<Instant>,
    asked_for_keys: bool,
    /// The editor that has the terminal.
    editor: Option<Editor>,
    /// Pieces of a paste that the workstation has not taken.
    untaken: usize,
    /// The workstation takes no more; what it still has to say is read.
    deaf: bool,
}

impl<'a> Client<'a> {
    fn new(tty: &'a Tty, socket: UnixStream, Greeted { size, term }: Greeted) -> Self {
        Self {
            tty,
            socket,
            buffer: vec![0; READ],
            decoder: Decoder::default(),
            frames: protocol::Decoder::default(),
            outbox: Vec::new(),
            pictures: VecDeque::new(),
            size,
            term,
            silence: None,
            asked_for_keys: false,
            editor: None,
            untaken: 0,
            deaf: false,
        }
    }

    /// Whether more of what is typed can be passed on.
    const fn reads(&self) -> bool {
        self.editor.is_none() && self.outbox.len() < OUTBOX && self.untaken < PASTE_PIECES
    }

    fn resized(&mut self) {
        let size = size(self.tty.output());
        if size != self.size {
            self.size = size;
            self.say(&ClientMessage::Resized(size));
            self.send();
        }
    }

    /// One read of what was typed. An error means that the terminal is gone, except for "nothing there".
    fn read_terminal(&mut self) -> io::Result<()> {
        let count = self.tty.read(&mut self.buffer)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let events = self.decoder.push(&self.buffer[..count]);
        self.typed(events);
        self.silence = self.decoder.waiting().then(|| Instant::now() + ESC_PATIENCE);
        if let Some(kitty) = self.decoder.kitty().filter(|_| !self.asked_for_keys) {
            self.asked_for_keys = true;
            let bytes = Tty::keyboard(kitty, &self.term)?;
            self.pictures.push_back(Picture { bytes, written: 0, number: None });
        }
        Ok(())
    }

    fn silent(&mut self) {
        self.silence = None;
        // On a busy machine the rest of a sequence may be there, only not read yet.
        if self.tty.has_input() {
            self.silence = Some(Instant::now() + ESC_PATIENCE);
        } else {
            let events = self.decoder.timeout();
            self.typed(events);
        }
    }

    fn typed(&mut self, events: Vec<InputEvent>) {
        for event in events {
            self.untaken += usize::from(matches!(event, InputEvent::Paste { .. }));
            self.say(&ClientMessage::Input(event));
        }
        self.send();
    }

    fn say(&mut self, message: &ClientMessage) {
        // A message that cannot be encoded does not exist: every piece is far below the limit.
        if let (false, Ok(bytes)) = (self.deaf, encode_message(message)) {
            self.outbox.extend_from_slice(&bytes);
        }
    }

    /// Sends what the socket takes now.
    fn send(&mut self) {
        let mut sent = 0;
        while sent < self.outbox.len() {
            match self.socket.try_write(&self.outbox[sent..]) {
                Ok(count) => sent += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => {
                    self.deaf = true;
                    sent = self.outbox.len();
                }
            }
        }
        self.outbox.drain(..sent);
    }

    fn read_socket(&mut self) -> Result<Option<WindowEnd>, WindowError> {
        match self.socket.try_read(&mut self.buffer) {
            Ok(0) => return Ok(Some(WindowEnd::WorkstationGone)),
            Ok(count) => self.frames.push(&self.buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
            Err(_) => return Ok(Some(WindowEnd::WorkstationGone)),
        }
        self.advance()
    }

    /// Takes frames that have come, as long as nothing waits for the terminal.
    fn advance(&mut self) -> Result<Option<WindowEnd>, WindowError> {
        while self.pictures.is_empty() && self.editor.is_none() {
            match self.frames.packet::<ServerMessage>()? {
                None => break,
                Some(Packet::Message(ServerMessage::Welcome { .. })) => self.open()?,
                Some(Packet::Message(ServerMessage::Refused(report))) => return Err(WindowError::Refused(report)),
                Some(Packet::Message(ServerMessage::Ended { reason, words })) => {
                    return Ok(Some(WindowEnd::Ended { reason, words }));
                }
                Some(Packet::Message(ServerMessage::PasteTaken)) => self.untaken = self.untaken.saturating_sub(1),
                Some(Packet::Message(ServerMessage::Reply(_) | ServerMessage::Tools)) => {}
                Some(Packet::Message(ServerMessage::Edit { name, text, line })) => {
                    if self.lend(&name, &text, line).is_err() {
                        return Ok(Some(WindowEnd::TerminalGone));
                    }
                }
                Some(Packet::Output { number, bytes }) => {
                    self.open()?;
                    self.pictures.push_back(Picture { bytes, written: 0, number: Some(number) });
                }
            }
            match self.show() {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => return Ok(Some(WindowEnd::TerminalGone)),
            }
        }
        Ok(None)
    }

    /// Lends the terminal to an editor.
    fn lend(&mut self, name: &str, text: &str, line: u64) -> io::Result<()> {
        self.tty.lend()?;
        match Editor::start(name, text, line) {
            Ok(editor) => {
                self.editor = Some(editor);
                Ok(())
            }
            Err(report) => self.resume(Err(report)),
        }
    }

    /// The editor has given the terminal back: the workstation draws everything anew.
    fn resume(&mut self, result: Result<(), Report>) -> io::Result<()> {
        self.editor = None;
        self.tty.take_back()?;
        self.pictures.push_back(Picture { bytes: self.tty.opening()?, written: 0, number: None });
        if let Some(kitty) = self.decoder.kitty().filter(|_| self.asked_for_keys) {
            let bytes = Tty::keyboard(kitty, &self.term)?;
            self.pictures.push_back(Picture { bytes, written: 0, number: None });
        }
        self.resized();
        self.say(&ClientMessage::Edited(result));
        self.send();
        match self.show() {
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => Err(error),
            _ => Ok(()),
        }
    }

    /// Opens the window on the screen, unless it is open: a refused one never shows.
    fn open(&mut self) -> Result<(), WindowError> {
        let bytes = self.tty.opening().map_err(|source| WindowError::Terminal { doing: "open a window on", source })?;
        if !bytes.is_empty() {
            self.pictures.push_back(Picture { bytes, written: 0, number: None });
        }
        Ok(())
    }

    /// Writes everything that waits, unless the terminal takes no more for now.
    fn show(&mut self) -> io::Result<()> {
        while let Some(picture) = self.pictures.front_mut() {
            while picture.written < picture.bytes.len() {
                match self.tty.write(&picture.bytes[picture.written..]) {
                    Ok(count) => picture.written += count,
                    Err(error) => return Err(error),
                }
            }
            let number = picture.number;
            self.pictures.pop_front();
            if let Some(number) = number {
                self.say(&ClientMessage::Shown(number));
                self.send();
            }
        }
        Ok(())
    }

    /// Tells the workstation that the window goes, so that it leaves the terminal alone.
    async fn detach(&mut self) {
        self.say(&ClientMessage::Detach);
        let _ = timeout(FAREWELL, async {
            while !self.outbox.is_empty() {
                if self.socket.writable().await.is_err() {
                    break;
                }
                self.send();
            }
        })
        .await;
    }
}

impl Drop for Client<'_> {
    fn drop(&mut self) {
        // The hook has given the terminal back; the workstation must not do it again over the shell.
        if std::thread::panicking() {
            self.say(&ClientMessage::Detach);
            self.send();
        }
    }
}
