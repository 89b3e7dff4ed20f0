//! The control socket: accepts clients and gives each connection a task.

use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use super::bell::Bell;
use super::connection::{self, FromClient, ToLoop};
use super::doors::Doors;

/// Clients that may be connected at once; more wait in the socket's own queue.
const CLIENTS: u32 = 512;
/// The number of the client that is connected from the start; the others follow.
const FIRST: u64 = 1;
/// Before another try when the system has no descriptor left: nothing tells when it has one again.
const PAUSE: Duration = Duration::from_millis(100);
/// How long last words may take to reach the clients.
const FAREWELL: Duration = Duration::from_secs(1);

/// The socket and all connections.
pub(super) struct Control {
    to: ToLoop,
    slots: Arc<Semaphore>,
    listening: tokio::task::JoinHandle<()>,
}

impl Control {
    /// Serves clients from now on, and the `first` one, which is connected already.
    ///
    /// # Errors
    /// When the system refuses to wait on the socket.
    pub fn start(
        socket: UnixListener,
        first: Option<UnixStream>,
        clients: mpsc::Sender<FromClient>,
        progress: Arc<Bell>,
        doors: Arc<Doors>,
    ) -> std::io::Result<Self> {
        socket.set_nonblocking(true)?;
        let listener = tokio::net::UnixListener::from_std(socket)?;
        let slots = Arc::new(Semaphore::new(CLIENTS as usize));
        let to = ToLoop { clients, progress, doors, closing: CancellationToken::new() };
        if let Some(stream) = first {
            stream.set_nonblocking(true)?;
            serve(tokio::net::UnixStream::from_std(stream)?, FIRST, to.clone(), Arc::clone(&slots).try_acquire_owned());
        }
        let listening = tokio::spawn(accept(listener, to.clone(), Arc::clone(&slots)));
        Ok(Self { to, slots, listening })
    }

    /// Takes no more clients. What is on its way to those that are connected still goes out.
    pub fn close(&self) {
        self.listening.abort();
        self.to.closing.cancel();
    }

    /// Waits until every client has heard its last word and gone, but not for long. To be called when nobody
    /// has anything to say to them any more.
    pub async fn farewell(self) {
        // A client that hangs is cut off.
        let _ = tokio::time::timeout(FAREWELL, self.slots.acquire_many(CLIENTS)).await;
    }
}

async fn accept(listener: tokio::net::UnixListener, to: ToLoop, slots: Arc<Semaphore>) {
    let mut id = FIRST;
    while let Ok(slot) = Arc::clone(&slots).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        id += 1;
        serve(stream, id, to.clone(), Ok(slot));
    }
}

/// Gives a connection a task. One that finds no slot is closed.
fn serve(
    stream: tokio::net::UnixStream,
    id: u64,
    to: ToLoop,
    slot: Result<OwnedSemaphorePermit, tokio::sync::TryAcquireError>,
) {
    let Ok(slot) = slot else { return };
    tokio::spawn(async move {
        connection::serve(stream, id, to).await;
        drop(slot);
    });
}
