//! Ways out through sockets, signals and other processes.

use std::io::{ErrorKind, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::process::{Command, Stdio};

use super::pen::{Pen, whole, without_namespaces};

/// Tries something behind the walls, in the test program itself: fails when it is kept from it.
#[allow(unsafe_code, reason = "tries system calls that have no other door")]
pub fn probe(what: &str) {
    let (kind, value) = what.split_once(' ').unwrap_or((what, ""));
    let number = || value.parse::<i32>().unwrap();
    // SAFETY: calls with numbers, and pointers that are null: what they would do is to be refused.
    let call = |number, a: i64, b: i64| unsafe { libc::syscall(number, a, b, 0_i64, 0_i64, 0_i64) };
    let done = match kind {
        "unix" => UnixStream::connect(value).is_ok(),
        "abstract" => UnixStream::connect_addr(&SocketAddr::from_abstract_name(value).unwrap()).is_ok(),
        "kill" => call(libc::SYS_kill, number().into(), 0) == 0,
        "ptrace" => call(libc::SYS_ptrace, i64::from(libc::PTRACE_ATTACH as i32), number().into()) == 0,
        "memory" => std::fs::File::open(format!("/proc/{value}/mem")).is_ok(),
        "environ" => std::fs::read(format!("/proc/{value}/environ")).is_ok(),
        "socket" => call(libc::SYS_socket, number().into(), libc::SOCK_STREAM.into()) >= 0,
        "io_uring" => refused(call(libc::SYS_io_uring_setup, 1, 0)),
        "keyring" => refused(call(libc::SYS_keyctl, 0, -3)),
        "x32" => call(0x4000_0000 + libc::SYS_socket, 1, 1) >= 0,
        "user-namespace" => call(libc::SYS_unshare, libc::CLONE_NEWUSER.into(), 0) == 0,
        "loopback" => loopback(),
        other => panic!("no probe {other}"),
    };
    assert!(done, "kept from {what}");
}

/// Whether a call was let through, even if it then failed for its arguments.
fn refused(result: i64) -> bool {
    result >= 0 || std::io::Error::last_os_error().kind() != ErrorKind::PermissionDenied
}

/// A server and its client, on all three kinds of sockets.
fn loopback() -> bool {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut client = TcpStream::connect(server.local_addr().unwrap()).unwrap();
    client.write_all(b"x").unwrap();
    TcpListener::bind("[::1]:0").unwrap();
    let path = std::env::temp_dir().join("server");
    let _server = UnixListener::bind(&path).unwrap();
    UnixStream::connect(&path).unwrap();
    UdpSocket::bind("127.0.0.1:0").is_ok()
}

#[test]
fn no_socket_leads_out() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    tcp.set_nonblocking(true).unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    udp.set_nonblocking(true).unwrap();
    let name = format!("paralane-walls-{}", std::process::id());
    let _abstract = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    for facts in [whole(), without_namespaces()] {
        let pen = Pen::new(facts);
        let _state = UnixListener::bind(pen.path("state/s/x.sock")).unwrap();
        let _shared = UnixListener::bind(pen.path("outside/x.sock")).unwrap();
        let port = tcp.local_addr().unwrap().port();
        assert!(!pen.sh(&format!("exec 3<>/dev/tcp/127.0.0.1/{port}")).ok);
        pen.sh(&format!("echo x > /dev/udp/127.0.0.1/{}", udp.local_addr().unwrap().port()));
        assert!(!pen.sh("getent ahosts example.com").ok, "a name was resolved");
        for path in ["state/s/x.sock", "outside/x.sock"] {
            let ran = pen.probe(&format!("unix {}", pen.path(path).display()));
            assert!(!ran.ok, "reached {path}: {}", ran.said);
        }
        for what in [format!("abstract {name}"), "socket 40".to_owned(), "socket 38".to_owned(), "x32".to_owned()] {
            let ran = pen.probe(&what);
            assert!(!ran.ok, "{what}: {}", ran.said);
        }
    }
    assert_eq!(tcp.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
    assert_eq!(udp.recv(&mut [0; 8]).unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[test]
fn the_network_is_there_when_it_is_allowed_and_local_services_are_not() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let name = format!("paralane-walls-on-{}", std::process::id());
    let _abstract = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    for facts in [whole(), without_namespaces()] {
        let mut pen = Pen::new(facts);
        pen.bounds.network = true;
        let port = tcp.local_addr().unwrap().port();
        let ran = pen.sh(&format!("exec 3<>/dev/tcp/127.0.0.1/{port}"));
        assert!(ran.ok, "{}", ran.said);
        let _state = UnixListener::bind(pen.path("state/s/x.sock")).unwrap();
        assert!(!pen.probe(&format!("unix {}", pen.path("state/s/x.sock").display())).ok);
        assert!(!pen.probe(&format!("abstract {name}")).ok);
    }
}

#[test]
fn servers_and_their_clients_work_within_the_lane() {
    let pen = Pen::new(whole());
    let ran = pen.probe("loopback");
    assert!(ran.ok, "{}", ran.said);
    // A server in the background is reached by the next command, also when the view was made anew in between.
    let (mut server, _walls) = pen.start(
        "exec python3 -c 'import http.server as h; h.test(h.SimpleHTTPRequestHandler, port=8123, bind=\"127.0.0.1\")'",
        &[],
    );
    std::fs::write(pen.path("shop/.git/refs/heads/lane/more"), pen.git("shop", &["rev-parse", "main"])).unwrap();
    let ran = pen.sh("for i in $(seq 100); do exec 3<>/dev/tcp/127.0.0.1/8123 && break; sleep 0.1; done; \
                      printf 'GET /a.txt HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3");
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(ran.ok && ran.said.contains("one"), "{}", ran.said);
}

#[test]
fn no_process_outside_is_reached() {
    let mut other = Command::new("sleep").arg("600").stdin(Stdio::null()).spawn().unwrap();
    for facts in [whole(), without_namespaces()] {
        let pen = Pen::new(facts);
        for what in ["kill", "ptrace", "memory", "environ"] {
            let ran = pen.probe(&format!("{what} {}", other.id()));
            assert!(!ran.ok, "{what}: {}", ran.said);
        }
        for what in ["io_uring", "keyring"] {
            assert!(!pen.probe(what).ok, "{what}");
        }
        assert!(!pen.sh(&format!("kill -9 {}", other.id())).ok);
        if pen.facts().namespaces.is_ok() {
            assert!(!pen.probe("user-namespace").ok);
        }
    }
    assert!(other.try_wait().unwrap().is_none(), "it was ended");
    other.kill().unwrap();
    other.wait().unwrap();
}
