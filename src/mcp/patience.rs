//! Connections that are opened and then say nothing: they are closed after a while.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Sleep, sleep};

/// What ends the head of a request.
const END: &[u8] = b"\r\n\r\n";

/// A listener whose connections have so long for the head of their first request. Later ones may come whenever they
/// want: clients keep connections.
pub(super) struct Patient {
    pub listener: TcpListener,
    pub patience: Duration,
}

impl Listener for Patient {
    type Io = Awaited;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        (Awaited { stream, head: Some((Box::pin(sleep(self.patience)), 0)) }, address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

/// One connection.
pub(super) struct Awaited {
    stream: TcpStream,
    /// Until the head is there: when it must be, and how much of its end has been seen.
    head: Option<(Pin<Box<Sleep>>, usize)>,
}

impl AsyncRead for Awaited {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        let Some((until, seen)) = &mut self.head else { return read };
        if read.is_pending() {
            ready!(until.as_mut().poll(context));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        for byte in buffer.filled().get(before..).unwrap_or_default() {
            *seen = match END.get(*seen) {
                Some(next) if next == byte => *seen + 1,
                _ => usize::from(*byte == b'\r'),
            };
            if *seen == END.len() {
                self.head = None;
                break;
            }
        }
        read
    }
}

impl AsyncWrite for Awaited {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    /// What is read of a connection on which these pieces come.
    async fn heard(pieces: &[&[u8]], patience: Duration) -> (Vec<u8>, bool) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let mut patient = Patient { listener, patience };
        let (mut connection, _) = Listener::accept(&mut patient).await;
        let mut all = Vec::new();
        for piece in pieces {
            client.write_all(piece).await.unwrap();
            let mut read = vec![0; piece.len()];
            connection.read_exact(&mut read).await.unwrap();
            all.extend(read);
        }
        let open = connection.head.is_none();
        if !open {
            let end = connection.read_u8().await.unwrap_err();
            assert_eq!(end.kind(), io::ErrorKind::TimedOut);
        }
        (all, open)
    }

    #[tokio::test]
    async fn a_connection_without_a_whole_head_is_closed() {
        let soon = Duration::from_millis(20);
        assert_eq!(heard(&[], soon).await, (Vec::new(), false));
        assert!(!heard(&[b"POST /mcp HTTP/1.1\r\n", b"host: x\r\n"], Duration::from_secs(1)).await.1);
    }

    #[tokio::test]
    async fn one_with_a_head_is_kept_whatever_its_pieces() {
        let long = Duration::from_secs(60);
        for pieces in [vec![&b"GET / HTTP/1.1\r\n\r\nbody"[..]], vec![&b"GET / HTTP/1.1\r\n\r"[..], &b"\n"[..]]] {
            assert_eq!(heard(&pieces, long).await, (pieces.concat(), true));
        }
    }
}
