//! One connection: reads its hello, hands the client to the loop, then carries messages both ways.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, Interest};
use tokio::net::UnixStream;
use tokio::net::unix::OwnedReadHalf;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::answerer::Peer;
use super::bell::Bell;
use super::doors::{Doors, ToolClient};
use super::hook_door::{self, HookClient};
use crate::app::RequestId;
use crate::base::terminal_restore::restore_abandoned;
use crate::base::{Report, recv_with_fd};
use crate::domain::{InputEvent, LaneDoor, Size, WindowId};
use crate::mcp;
use crate::protocol::{
    self, ClientMessage, CommandHello, Decoder, Hello, NewPane, PASTE_PIECES, Packet, Reply, ServerMessage, WindowHello,
};

/// How long a client may take to say what it wants.
const HELLO: Duration = Duration::from_secs(10);
/// Bytes read at once.
const CHUNK: usize = 64 * 1024;
/// Frames that may be on the way to a window's terminal: one being written, one ready.
pub(super) const IN_FLIGHT: u64 = 2;
/// Room for those, a greeting, a farewell and word of every piece of a paste, which must never find it full. One read
/// of a window can make up to four pieces more than it may have under way.
const OUT: usize = IN_FLIGHT as usize + 4 + PASTE_PIECES + 4;

/// What clients send, in the order in which each sent it: one queue, so that no window types before it is
/// attached and none is attached after it has gone.
pub(super) enum FromClient {
    /// A window attaches.
    Window(WindowClient),
    /// An attached window sends something, or has gone.
    Event(WindowId, WindowEvent),
    /// A command asks.
    Command(CommandClient),
    /// A window attaches and has a pane opened for it.
    Open(OpenClient),
    /// A lane's program calls a tool.
    Tool(ToolClient),
    /// A hook of a lane's native CLI asks.
    Hook(HookClient),
    /// Nobody waits for the reply to a command or call any more.
    CommandGone(RequestId),
}

/// A window's connection, as the loop sees it.
pub(super) struct WindowClient {
    pub id: WindowId,
    pub peer: Option<Peer>,
    pub hello: WindowHello,
    pub environment: Vec<(String, String)>,
    /// What is sent to it, as whole frames. Dropped, it ends the window.
    pub out: mpsc::Sender<Vec<u8>>,
    /// The number of the newest output that its terminal has shown.
    pub shown: Arc<AtomicU64>,
    /// Set once the loop has told the window to end: it gives its own terminal back then.
    pub ended: Arc<AtomicBool>,
}

/// What a window sends.
#[derive(Debug)]
pub(super) enum WindowEvent {
    Input(InputEvent),
    Resized(Size),
    /// The editor that had its terminal has ended.
    Edited(Result<(), Report>),
    /// It is gone, in order or not.
    Gone,
}

/// A command's connection.
pub(super) struct CommandClient {
    pub id: RequestId,
    pub peer: Option<Peer>,
    pub hello: CommandHello,
    pub environment: Vec<(String, String)>,
    pub reply: oneshot::Sender<Reply>,
}

/// A window that has a pane opened, and is attached with that in focus.
pub(super) struct OpenClient {
    pub id: RequestId,
    pub pane: NewPane,
    pub window: WindowClient,
}

/// What every connection needs of the loop.
#[derive(Clone)]
pub(super) struct ToLoop {
    pub clients: mpsc::Sender<FromClient>,
    /// Rung when a window's terminal has shown something.
    pub progress: Arc<Bell>,
    /// Who knows the lanes' tokens.
    pub doors: Arc<Doors>,
    /// Set once no more clients are served.
    pub closing: CancellationToken,
}

/// Serves one connection to its end. `id` is its alone.
pub(super) async fn serve(stream: UnixStream, id: u64, to: ToLoop) {
    let hello = tokio::select! {
        hello = tokio::time::timeout(HELLO, read_hello(&stream)) => hello,
        () = to.closing.cancelled() => return,
    };
    let Ok(Some((hello, terminal, decoder))) = hello else { return };
    if hello.protocol != protocol::VERSION {
        let report = Report::refused(format!(
            "the running workstation speaks protocol {} (version {}), and this program speaks protocol {} (version {})",
            protocol::VERSION,
            env!("CARGO_PKG_VERSION"),
            hello.protocol,
            hello.version
        ))
        .hint("`paralane down` ends it; the next start uses the new version");
        return refuse(stream, report).await;
    }
    match hello.client {
        protocol::Client::Command(command) => {
            serve_command(stream, RequestId(id), command, hello.environment, to).await;
        }
        protocol::Client::Hook(hook) => hook_door::serve(stream, RequestId(id), hook, to).await,
        protocol::Client::Tools(tools) => serve_tools(stream, &tools.token, to).await,
        protocol::Client::Window(window) => {
            let came = Came { hello: window, environment: hello.environment, terminal, decoder };
            serve_window(stream, WindowId(id.cast_signed()), came, to).await;
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

pub(super) async fn refuse(mut stream: UnixStream, report: Report) {
    if let Ok(bytes) = protocol::encode_message(&ServerMessage::Refused(report)) {
        // A client that is gone needs no answer.
        let _ = stream.write_all(&bytes).await;
    }
}

async fn serve_command(
    mut stream: UnixStream,
    id: RequestId,
    hello: CommandHello,
    environment: Vec<(String, String)>,
    to: ToLoop,
) {
    let (reply, answered) = oneshot::channel();
    let peer = Peer::of(&stream);
    if to.clients.send(FromClient::Command(CommandClient { id, peer, hello, environment, reply })).await.is_err() {
        return;
    }
    let mut end = [0u8; 1];
    let reply = tokio::select! {
        reply = answered => reply,
        // A command sends nothing more: whatever comes is its end.
        _ = stream.read(&mut end) => {
            let _ending = to.clients.send(FromClient::CommandGone(id)).await;
            return;
        }
    };
    let reply = reply.unwrap_or_else(|_| Reply::failed(Report::internal("the workstation ended before it answered")));
    if let Ok(bytes) = protocol::encode_message(&ServerMessage::Reply(reply)) {
        let _ = stream.write_all(&bytes).await;
    }
}

/// Serves the tools of the lane whose token this is.
async fn serve_tools(mut stream: UnixStream, token: &str, to: ToLoop) {
    let Some((lane, void)) = to.doors.admit(token) else {
        let report = Report::refused("no lane has this token")
            .hint("`paralane mcp` is started by a lane's program; the token ends with it");
        return refuse(stream, report).await;
    };
    let Ok(bytes) = protocol::encode_message(&ServerMessage::Tools) else { return };
    if stream.write_all(&bytes).await.is_ok() {
        // Large, and few: not in every connection's task.
        let served = Box::pin(mcp::serve_stream(stream, Arc::clone(&to.doors) as Arc<dyn LaneDoor>, lane));
        // Not after the program that the token was given to, either.
        to.closing.run_until_cancelled(void.run_until_cancelled(served)).await;
    }
}

/// What came with a window's hello.
struct Came {
    hello: WindowHello,
    environment: Vec<(String, String)>,
    terminal: Option<OwnedFd>,
    /// Holds what was read behind the hello.
    decoder: Decoder,
}

async fn serve_window(stream: UnixStream, id: WindowId, came: Came, to: ToLoop) {
    let Came { mut hello, environment, terminal, decoder } = came;
    let (out, mut outgoing) = mpsc::channel::<Vec<u8>>(OUT);
    let (shown, ended) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let settings = hello.settings.clone();
    let open = hello.open.take();
    let peer = Peer::of(&stream);
    let window =
        WindowClient { id, peer, hello, environment, out, shown: Arc::clone(&shown), ended: Arc::clone(&ended) };
    let client = match open {
        Some(pane) => FromClient::Open(OpenClient { id: RequestId(id.0.cast_unsigned()), pane, window }),
        None => FromClient::Window(window),
    };
    if to.clients.send(client).await.is_err() {
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
    let reader = async {
        let in_order = read_window(read, decoder, id, &to, &shown).await;
        // The loop lets go of the window then, which ends the writer.
        let _ending = to.clients.send(FromClient::Event(id, WindowEvent::Gone)).await;
        in_order
    };
    let (in_order, ()) = tokio::join!(reader, writer);
    let in_order = in_order || ended.load(Ordering::Acquire);
    if let (false, Some(terminal)) = (in_order, terminal) {
        // A terminal that takes nothing makes this wait.
        let restored = tokio::task::spawn_blocking(move || restore_abandoned(terminal.as_fd(), settings.as_ref()));
        // The terminal may be gone together with its window.
        let _ = restored.await;
    }
}

/// Reads until the window goes. Says whether it went in order.
async fn read_window(
    mut read: OwnedReadHalf,
    mut decoder: Decoder,
    id: WindowId,
    to: &ToLoop,
    shown: &AtomicU64,
) -> bool {
    let mut chunk = vec![0u8; CHUNK];
    loop {
        loop {
            let event = match decoder.packet::<ClientMessage>() {
                Ok(Some(Packet::Message(ClientMessage::Input(event)))) => WindowEvent::Input(event),
                Ok(Some(Packet::Message(ClientMessage::Resized(size)))) => WindowEvent::Resized(size),
                Ok(Some(Packet::Message(ClientMessage::Edited(result)))) => WindowEvent::Edited(result),
                Ok(Some(Packet::Message(ClientMessage::Shown(number)))) => {
                    shown.store(number, Ordering::Release);
                    to.progress.ring();
                    continue;
                }
                Ok(Some(Packet::Message(ClientMessage::Detach))) => return true,
                Ok(None) => break,
                Ok(Some(_)) | Err(_) => return false,
            };
            if to.clients.send(FromClient::Event(id, event)).await.is_err() {
                // The workstation ends, and has told the window so.
                return true;
            }
        }
        match read.read(&mut chunk).await {
            Ok(0) | Err(_) => return false,
            Ok(count) => decoder.push(&chunk[..count]),
        }
    }
}
