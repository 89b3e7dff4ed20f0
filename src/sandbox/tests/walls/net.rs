//! Ways out through sockets, signals and other processes.

use std::io::{ErrorKind, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::process::{Command, Stdio};

use super::pen::{Pen, whole, without_namespaces};

/// Tries something behind the walls, in the test program itself. False when it is kept from it.
#[allow(unsafe_code, reason = "tries system calls that have no other door")]
pub fn probe(what: &str) -> bool {
    let (kind, value) = what.split_once(' ').unwrap_or((what, ""));
    let number = || value.parse::<i32>().unwrap();
    // SAFETY: calls with numbers, and pointers that are null: what they would do is to be refused.
    let call = |number, a: i64, b: i64| unsafe { libc::syscall(number, a, b, 0_i64, 0_i64, 0_i64) };
    match kind {
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
    }
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
        let unix = |path: &str| format!("unix {}", pen.path(path).display());
        let (state, shared, name) = (unix("state/s/x.sock"), unix("outside/x.sock"), format!("abstract {name}"));
        let what = [state.as_str(), &shared, &name, "socket 40", "socket 38", "x32"];
        assert_eq!(pen.probes(&what), [false; 6], "{what:?}");
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
        let state = format!("unix {}", pen.path("state/s/x.sock").display());
        assert_eq!(pen.probes(&[&state, &format!("abstract {name}")]), [false; 2]);
    }
}

#[test]
fn servers_and_their_clients_work_within_the_lane() {
    let pen = Pen::new(whole());
    assert_eq!(pen.probes(&["loopback"]), [true]);
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
        let of_other = ["kill", "ptrace", "memory", "environ"].map(|what| format!("{what} {}", other.id()));
        let what: Vec<&str> = of_other.iter().map(String::as_str).chain(["io_uring", "keyring"]).collect();
        assert_eq!(pen.probes(&what), [false; 6], "{what:?}");
        assert!(!pen.sh(&format!("kill -9 {}", other.id())).ok);
        if pen.facts().namespaces.is_ok() {
            assert_eq!(pen.probes(&["user-namespace"]), [false]);
        }
    }
    assert!(other.try_wait().unwrap().is_none(), "it was ended");
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn listed_hosts_are_reached_through_the_door_and_nothing_else_is() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for guest in server.incoming() {
            let mut guest = guest.unwrap();
            let mut head = [0; 512];
            let count = std::io::Read::read(&mut guest, &mut head).unwrap();
            let first = String::from_utf8_lossy(&head[..count]).lines().next().unwrap_or_default().to_owned();
            guest.write_all(format!("HTTP/1.0 200 OK\r\n\r\nhello, {first}").as_bytes()).unwrap();
        }
    });
    let judge: crate::sandbox::Judge = std::sync::Arc::new(move |host, at| match host {
        "localhost" if at == port => Ok(true),
        "127.0.0.1" => Ok(false),
        _ => Err(format!("`{host}:{at}` is not listed")),
    });
    let pen = Pen::new(whole()).with_porter(crate::sandbox::Porter { judge, runtime: runtime.handle().clone() });
    let ask = |request: &str| {
        let ran = pen.sh(&format!("exec 3<>/dev/tcp/127.0.0.1/61080; printf '{request}' >&3; timeout 10 cat <&3"));
        assert!(ran.ok, "{}", ran.said);
        ran.said
    };
    let end = "HTTP/1.1\\r\\n\\r\\n";
    let tunnelled = ask(&format!("CONNECT localhost:{port} {end}GET /a HTTP/1.0\\r\\n\\r\\n"));
    assert!(tunnelled.contains("200 Connection established") && tunnelled.contains("hello, GET /a"), "{tunnelled}");
    let plain = ask(&format!("GET http://localhost:{port}/b {end}"));
    assert!(plain.contains("hello, GET /b HTTP/1.1"), "{plain}");
    let refused = ask(&format!("CONNECT evil.example:443 {end}"));
    assert!(refused.contains("403 Forbidden") && refused.contains("`evil.example:443` is not listed"), "{refused}");
    let private = ask(&format!("CONNECT 127.0.0.1:{port} {end}"));
    assert!(private.contains("403 Forbidden") && private.contains("not on the public internet"), "{private}");
    assert!(ask("nonsense\\r\\n\\r\\n").contains("400 Bad Request"));
    assert!(!pen.sh(&format!("exec 3<>/dev/tcp/127.0.0.1/{port}")).ok, "there is another way out");
    let said = pen.sh("echo $https_proxy $NO_PROXY").said;
    assert_eq!(said, "http://127.0.0.1:61080 localhost,127.0.0.1,::1\n");
}
