//! `paralane mcp`: a lane's program talks to its tools over this process's standard input and output.
//!
//! A program starts it as an MCP server. It says its token on the workstation's socket and carries lines both ways
//! from then on. It knows no tool itself and ends with either side.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::ExitCode;

use super::client;
use crate::base::Report;
use crate::protocol::{Client, ClientMessage, Decoder, Packet, ServerMessage, ToolsHello, encode_message};
use crate::workstation::{SOCKET, TOKEN};

/// The word that stands for it: for programs, so it is in no list of commands.
const MCP: &str = "mcp";

/// Whether the arguments ask for it.
pub(super) fn is_bridge(arguments: &[OsString]) -> bool {
    matches!(arguments, [only] if only == MCP)
}

/// Carries lines until either side ends.
///
/// # Errors
/// When this is no lane's program, or the workstation is gone or of another version.
pub(super) fn run() -> Result<ExitCode, Report> {
    let outside = || {
        Report::refused("`paralane mcp` found no lane to speak for")
            .hint("it is started as an MCP server by a program in a lane, with PARALANE_TOKEN and PARALANE_SOCKET set")
    };
    let token = std::env::var(TOKEN).map_err(|_| outside())?;
    let socket = std::env::var_os(SOCKET).ok_or_else(outside)?;
    let gone = || Report::refused("the workstation of this lane has ended").hint("start it again with `paralane`");
    let mut stream = client::connect(Path::new(&socket))?.ok_or_else(gone)?;
    let hello = client::hello(Client::Tools(ToolsHello { token }), Vec::new());
    let frame = encode_message(&ClientMessage::Hello(hello));
    let frame = frame.map_err(|error| Report::internal(format!("cannot greet the workstation: {error}")))?;
    stream.write_all(&frame).map_err(|_| gone())?;
    welcome(&mut stream)?.ok_or_else(gone)?;
    let mut from = stream.try_clone().map_err(|error| Report::internal(format!("cannot use the socket: {error}")))?;
    std::thread::spawn(move || {
        // Either side's end is the end of all: what is under way goes out first.
        let _ = io::copy(&mut io::stdin().lock(), &mut stream);
        let _ = stream.shutdown(std::net::Shutdown::Write);
    });
    let mut out = io::stdout().lock();
    let mut bytes = vec![0; 64 * 1024];
    loop {
        match from.read(&mut bytes) {
            Ok(0) | Err(_) => return Ok(ExitCode::SUCCESS),
            // Each line at once: the program waits for it.
            Ok(count) if out.write_all(&bytes[..count]).and_then(|()| out.flush()).is_err() => {
                return Ok(ExitCode::SUCCESS);
            }
            Ok(_) => {}
        }
    }
}

/// Reads the answer to the greeting, and not a byte more. None when the workstation ends first.
fn welcome(stream: &mut UnixStream) -> Result<Option<()>, Report> {
    let mut decoder = Decoder::default();
    let mut byte = [0];
    loop {
        match decoder.packet::<ServerMessage>() {
            Ok(Some(Packet::Message(ServerMessage::Tools))) => return Ok(Some(())),
            Ok(Some(Packet::Message(ServerMessage::Refused(report)))) => return Err(report),
            Ok(None) => {}
            Ok(Some(_)) | Err(_) => {
                return Err(Report::internal("the workstation answered something else than a greeting"));
            }
        }
        match stream.read(&mut byte) {
            Ok(0) | Err(_) => return Ok(None),
            Ok(_) => decoder.push(&byte),
        }
    }
}
