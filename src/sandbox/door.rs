//! The door to listed hosts: an HTTP proxy on the loopback of a network that otherwise leads nowhere.
//!
//! The listening socket is made within the lane's network and handed out; what comes in there is read here, judged by
//! the name that it asks for, and led to that host or refused. Names are resolved here, and an address that is not of
//! the public internet is refused unless the person permitted it. `CONNECT` makes a tunnel (for TLS), a whole address
//! in the first line a plain request. Nothing of what passes is looked at or kept.

use std::io;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream, lookup_host};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use crate::base::is_public;

/// Bytes of a request's head.
const HEAD: usize = 16 * 1024;
/// How long a head, a name or a connection may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// Connections of one lane at once.
const CONNECTIONS: usize = 64;

/// Whether a host is open at a port: then, whether it may lie in a private network. Else why not, in words.
pub type Judge = Arc<dyn Fn(&str, u16) -> Result<bool, String> + Send + Sync>;

/// What a door needs of the outside.
#[derive(Clone)]
pub struct Porter {
    /// Who is let through.
    pub judge: Judge,
    /// Where the work is done.
    pub runtime: Handle,
}

impl std::fmt::Debug for Porter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Porter").finish_non_exhaustive()
    }
}

/// An open door; dropped, it closes, and what passes through it ends.
#[derive(Debug)]
pub(super) struct Door(AbortHandle);

impl Drop for Door {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Opens the door behind a listening socket.
pub(super) fn open(socket: OwnedFd, porter: &Porter) -> io::Result<Door> {
    let listener = std::net::TcpListener::from(socket);
    listener.set_nonblocking(true)?;
    let _within = porter.runtime.enter();
    let listener = TcpListener::from_std(listener)?;
    let judge = Arc::clone(&porter.judge);
    Ok(Door(porter.runtime.spawn(attend(listener, judge)).abort_handle()))
}

async fn attend(listener: TcpListener, judge: Judge) {
    let slots = Arc::new(Semaphore::new(CONNECTIONS));
    // Ended with this task.
    let mut guests = tokio::task::JoinSet::new();
    loop {
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((guest, _)) => {
                let judge = Arc::clone(&judge);
                guests.spawn(async move {
                    // A guest that goes early, or a host that does, is no fault of ours.
                    let _ = serve(guest, &judge).await;
                    drop(slot);
                });
            }
            // Out of descriptors, most likely: those that are open end some time.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
        while guests.try_join_next().is_some() {}
    }
}

async fn serve(mut guest: TcpStream, judge: &Judge) -> io::Result<()> {
    let mut bytes = Vec::new();
    let end = match timeout(PATIENCE, head(&mut guest, &mut bytes)).await {
        Ok(Ok(Some(end))) => end,
        Ok(Ok(None)) => return refuse(&mut guest, 400, "this is a proxy for HTTP: it needs a request").await,
        _ => return Ok(()),
    };
    let (lines, rest) = bytes.split_at(end);
    let Some(asked) = std::str::from_utf8(lines).ok().and_then(request) else {
        return refuse(&mut guest, 400, "the proxy cannot read this request").await;
    };
    let addresses = match admit(&asked, judge).await {
        Ok(addresses) => addresses,
        Err(words) => return refuse(&mut guest, 403, &words).await,
    };
    let mut host = match timeout(PATIENCE, TcpStream::connect(addresses.as_slice())).await {
        Ok(Ok(host)) => host,
        Ok(Err(error)) => {
            return refuse(&mut guest, 502, &format!("`{}` cannot be reached: {error}", asked.host)).await;
        }
        Err(_) => return refuse(&mut guest, 504, &format!("`{}` does not answer", asked.host)).await,
    };
    match &asked.forward {
        None => guest.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?,
        Some(head) => host.write_all(head.as_bytes()).await?,
    }
    host.write_all(rest).await?;
    copy_bidirectional(&mut guest, &mut host).await.map(drop)
}

/// Reads up to the empty line; where it ends. None for what is none.
async fn head(guest: &mut TcpStream, bytes: &mut Vec<u8>) -> io::Result<Option<usize>> {
    let mut buffer = [0; 4096];
    loop {
        let count = guest.read(&mut buffer).await?;
        bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            return Ok(Some(at + 4));
        }
        if count == 0 || bytes.len() > HEAD {
            return Ok(None);
        }
    }
}

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    host: String,
    port: u16,
    /// The head that the host gets; none for a tunnel.
    forward: Option<String>,
}

/// Reads a request's head.
fn request(head: &str) -> Option<Asked> {
    let (first, rest) = head.split_once("\r\n")?;
    let mut words = first.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    if words.next().is_some() || !version.starts_with("HTTP/1.") {
        return None;
    }
    if method == "CONNECT" {
        let url = url::Url::parse(&format!("tunnel://{target}")).ok()?;
        return Some(Asked { host: name(&url)?, port: url.port()?, forward: None });
    }
    let url = url::Url::parse(target).ok().filter(|url| url.scheme() == "http")?;
    let path = url::Position::BeforePath..url::Position::AfterQuery;
    // One request a connection: a second one could be for another host.
    let own = |line: &&str| {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        !line.is_empty()
            && !matches!(name.as_str(), "connection" | "keep-alive" | "host")
            && !name.starts_with("proxy-")
    };
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let mut forward = format!("{method} {} {version}\r\nHost: {host}\r\n", &url[path]);
    for line in rest.split("\r\n").filter(own) {
        forward.push_str(line);
        forward.push_str("\r\n");
    }
    forward.push_str("Connection: close\r\n\r\n");
    Some(Asked { host: name(&url)?, port: url.port_or_known_default()?, forward: Some(forward) })
}

fn name(url: &url::Url) -> Option<String> {
    let name = url.host_str()?.trim_end_matches('.').to_ascii_lowercase();
    (!name.is_empty()).then_some(name)
}

/// Where a request may go.
async fn admit(asked: &Asked, judge: &Judge) -> Result<Vec<SocketAddr>, String> {
    let Asked { host, port, .. } = asked;
    let private = judge(host, *port)?;
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let found = timeout(PATIENCE, lookup_host((bare, *port))).await;
    let found: Vec<SocketAddr> = match found {
        Ok(Ok(found)) => found.collect(),
        Ok(Err(error)) => return Err(format!("the name `{host}` cannot be resolved: {error}")),
        Err(_) => return Err(format!("the name `{host}` cannot be resolved in time")),
    };
    // One private address among public ones is enough to be led there.
    match found.iter().find(|address| !is_public(address.ip())) {
        Some(inside) if !private => {
            Err(format!("`{host}` leads to {}, which is not on the public internet", inside.ip()))
        }
        _ => Ok(found),
    }
}

async fn refuse(guest: &mut TcpStream, status: u16, words: &str) -> io::Result<()> {
    let text = format!("paralane's sandbox: {words}\n");
    let reason = match status {
        400 => "Bad Request",
        403 => "Forbidden",
        502 => "Bad Gateway",
        _ => "Gateway Timeout",
    };
    let head = format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        text.len()
    );
    guest.write_all(head.as_bytes()).await?;
    guest.write_all(text.as_bytes()).await?;
    guest.shutdown().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_and_made_fit_for_the_host() {
        let tunnel = request("CONNECT Packages.EXAMPLE:443 HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        assert_eq!(tunnel, Asked { host: "packages.example".into(), port: 443, forward: None });
        let plain = "GET http://a.example:8080/x?y=1 HTTP/1.1\r\nHost: other\r\nAccept: */*\r\nProxy-Authorization: z\r\nConnection: keep-alive\r\n\r\n";
        let plain = request(plain).unwrap();
        assert_eq!((plain.host.as_str(), plain.port), ("a.example", 8080));
        let forward = "GET /x?y=1 HTTP/1.1\r\nHost: a.example:8080\r\nAccept: */*\r\nConnection: close\r\n\r\n";
        assert_eq!(plain.forward.as_deref(), Some(forward));
        for odd in [
            "GET / HTTP/1.1\r\n\r\n",
            "CONNECT packages.example HTTP/1.1\r\n\r\n",
            "GET ftp://a/ HTTP/1.1\r\n\r\n",
            "GET http://a/ b HTTP/1.1\r\n\r\n",
            "GET http://a/ SPDY/3\r\n\r\n",
            "CONNECT :443 HTTP/1.1\r\n\r\n",
        ] {
            assert_eq!(request(odd), None, "{odd:?}");
        }
    }
}
