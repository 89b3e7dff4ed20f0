//! The control socket: accepts clients and gives each connection a task.

use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{Semaphore, mpsc};

use super::connection::{self, Client};

/// Clients that may be connected at once; more wait in the socket's own queue.
const CLIENTS: usize = 512;

/// Accepts clients until the workstation ends.
pub(super) async fn serve(socket: UnixListener, clients: mpsc::Sender<Client>) -> std::io::Result<()> {
    socket.set_nonblocking(true)?;
    let listener = tokio::net::UnixListener::from_std(socket)?;
    let slots = Arc::new(Semaphore::new(CLIENTS));
    let next = AtomicU64::new(1);
    loop {
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return Ok(()) };
        let Ok((stream, _)) = listener.accept().await else {
            // Out of descriptors: the next client may find one again.
            tokio::task::yield_now().await;
            continue;
        };
        let (clients, id) = (clients.clone(), next.fetch_add(1, Ordering::Relaxed));
        tokio::spawn(async move {
            connection::serve(stream, id, clients).await;
            drop(slot);
        });
    }
}
