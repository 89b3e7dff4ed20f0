//! One connection: reads its hello, hands the client to the loop, then carries messages both ways.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, Interest};
use tokio::net::UnixStream;
use tokio::net::unix::OwnedReadHalf;
use tokio::sync::{Notify, mpsc};

use crate::base::terminal_restore::restore_abandoned;
use crate::base::{Report, recv_with_fd};
use crate::domain::{InputEvent, Size};
use crate::protocol::{self, ClientMessage, CommandHello, Decoder, Hello, Packet, Reply, ServerMessage, WindowHello};

/// How long a client may take to say what it wants.
const HELLO: Duration = Duration::from_secs(10);
/// Bytes read at once.
const CHUNK: usize = 64 * 1024;
/// Frames that may be on the way to a window's terminal: one being written, one ready.
pub(super) const IN_FLIGHT: u64 = 2;

/// A client that said what it wants.
pub(super) enum Client {
    /// A window.
    Window(WindowClient),
    /// A command.
    Command(CommandClient),
}

/// A window's connection, as the loop sees it.
pub(super) struct WindowClient {
    pub id: u64,
    pub hello: WindowHello,
    pub environment: Vec<(String, String)>,
    /// What is sent to it, as whole frames.
    pub out: mpsc::Sender<Vec<u8>>,
    /// The number of the newest output that its terminal has shown.
    pub shown: Arc<AtomicU64>,
    /// Told when `shown` moved.
    pub progress: Arc<Notify>,
    /// What it sends.
    pub events: mpsc::Receiver<WindowEvent>,
    /// Set once the loop has told the window to end: it gives its own terminal back then.
    pub ended: Arc<AtomicBool>,
}

/// What a window sends.
#[derive(Debug)]
pub(super) enum WindowEvent {
    Input(InputEvent),
    Resized(Size),
    /// It went in order.
    Detach,
}

/// A command's connection.
pub(super) struct CommandClient {
    pub id: u64,
    pub hello: CommandHello,
    pub environment: Vec<(String, String)>,
    pub reply: tokio::sync::oneshot::Sender<Reply>,
    /// Resolves when the client is gone before its reply.
    pub gone: tokio_util::sync::CancellationToken,
}

/// Serves one connection to its end.
pub(super) async fn serve(stream: UnixStream, id: u64, clients: mpsc::Sender<Client>) {
    let Ok(Some((hello, terminal, decoder))) = tokio::time::timeout(HELLO, read_hello(&stream)).await else { return };
    if hello.protocol != protocol::VERSION {
        let report = Report::refused(format!(
            "the running workstation is version {}, this program is version {}",
            env!("CARGO_PKG_VERSION"),
            hello.version
        ))
        .hint("`paralane down` ends it; the next start uses the new version");
        refuse(stream, report).await;
        return;
    }
    match hello.client {
        protocol::Client::Command(command) => serve_command(stream, id, command, hello.environment, clients).await,
        protocol::Client::Window(window) => {
            serve_window(stream, id, window, hello.environment, terminal, decoder, clients).await;
        }
    }
}

/// The first message, with the terminal's descriptor if one came along.
async fn read_hello(stream: &UnixStream) -> Option<(Hello, Option<OwnedFd>, Decoder)> {
    let mut decoder = Decoder::default();
    let mut terminal = None;
    let mut chunk = vec![0u8; CHUNK];
    loop {
        match decoder.packet::<ClientMessage>() {
            Ok(Some(Packet::Message(ClientMessage::Hello(hello)))) => return Some((hello, terminal, decoder)),
            Ok(None) => {}
            Ok(Some(_)) | Err(_) => return None,
        }
        let received = stream.async_io(Interest::READABLE, || recv_with_fd(stream, &mut chunk)).await;
        let (count, descriptor) = received.ok()?;
        if count == 0 {
            return None;
        }
        terminal = descriptor.or(terminal);
        decoder.push(&chunk[..count]);
    }
}

async fn refuse(mut stream: UnixStream, report: Report) {
    if let Ok(bytes) = protocol::encode_message(&ServerMessage::Refused(report)) {
        // A client that is gone needs no answer.
        let _ = stream.write_all(&bytes).await;
    }
}

async fn serve_command(
    mut stream: UnixStream,
    id: u64,
    hello: CommandHello,
    environment: Vec<(String, String)>,
    clients: mpsc::Sender<Client>,
) {
    let (reply, answered) = tokio::sync::oneshot::channel();
    let gone = tokio_util::sync::CancellationToken::new();
    let client = CommandClient { id, hello, environment, reply, gone: gone.clone() };
    if clients.send(Client::Command(client)).await.is_err() {
        return;
    }
    let mut end = [0u8; 1];
    let reply = tokio::select! {
        reply = answered => reply,
        // A command sends nothing more: whatever comes is its end.
        _ = stream.read(&mut end) => {
            gone.cancel();
            return;
        }
    };
    let reply = reply.unwrap_or_else(|_| Reply::failed(Report::internal("the workstation ended before it answered")));
    if let Ok(bytes) = protocol::encode_message(&ServerMessage::Reply(reply)) {
        let _ = stream.write_all(&bytes).await;
    }
}

async fn serve_window(
    stream: UnixStream,
    id: u64,
    hello: WindowHello,
    environment: Vec<(String, String)>,
    terminal: Option<OwnedFd>,
    decoder: Decoder,
    clients: mpsc::Sender<Client>,
) {
    let (out, mut outgoing) = mpsc::channel::<Vec<u8>>(16);
    let (events, incoming) = mpsc::channel(256);
    let (shown, progress) = (Arc::new(AtomicU64::new(0)), Arc::new(Notify::new()));
    let settings = hello.settings.clone();
    let ended = Arc::new(AtomicBool::new(false));
    let client = WindowClient {
        id,
        hello,
        environment,
        out,
        shown: Arc::clone(&shown),
        progress: Arc::clone(&progress),
        events: incoming,
        ended: Arc::clone(&ended),
    };
    if clients.send(Client::Window(client)).await.is_err() {
        return;
    }
    let (read, mut write) = stream.into_split();
    let writer = async move {
        while let Some(bytes) = outgoing.recv().await {
            if write.write_all(&bytes).await.is_err() {
                break;
            }
        }
        // The loop let go of the window, or its socket is broken: either way it ends now.
        let _ = write.shutdown().await;
    };
    let (in_order, ()) = tokio::join!(read_window(read, decoder, events, &shown, &progress), writer);
    let in_order = in_order || ended.load(Ordering::Acquire);
    if let (false, Some(terminal)) = (in_order, terminal) {
        use std::os::fd::AsFd;
        // The terminal may be gone together with its window.
        let _ = restore_abandoned(terminal.as_fd(), settings.as_ref());
    }
}

/// Reads until the window goes. Says whether it went in order.
async fn read_window(
    mut read: OwnedReadHalf,
    mut decoder: Decoder,
    events: mpsc::Sender<WindowEvent>,
    shown: &AtomicU64,
    progress: &Notify,
) -> bool {
    let mut chunk = vec![0u8; CHUNK];
    loop {
        loop {
            let event = match decoder.packet::<ClientMessage>() {
                Ok(Some(Packet::Message(ClientMessage::Input(event)))) => WindowEvent::Input(event),
                Ok(Some(Packet::Message(ClientMessage::Resized(size)))) => WindowEvent::Resized(size),
                Ok(Some(Packet::Message(ClientMessage::Shown(number)))) => {
                    shown.store(number, Ordering::Release);
                    progress.notify_one();
                    continue;
                }
                Ok(Some(Packet::Message(ClientMessage::Detach))) => {
                    let _ = events.send(WindowEvent::Detach).await;
                    return true;
                }
                Ok(None) => break,
                Ok(Some(_)) | Err(_) => return false,
            };
            if events.send(event).await.is_err() {
                // The loop ended this window; it restores its own terminal.
                return true;
            }
        }
        match read.read(&mut chunk).await {
            Ok(0) | Err(_) => return false,
            Ok(count) => decoder.push(&chunk[..count]),
        }
    }
}
