//! `paralane hook EVENT`: a native CLI's hook. It hands what the CLI told it to the workstation and prints the answer.
//! It must take no longer than a few milliseconds: no runtime, no parsing of arguments, no configuration.
//!
//! When it cannot be answered, what waits for leave gets none, and what only tells goes on.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::ExitCode;

use super::client;
use crate::base::Report;
use crate::native::{MAX_PAYLOAD, Output};
use crate::protocol::{Client, ClientMessage, Decoder, HookHello, Packet, Reply, ServerMessage, encode_message};
use crate::workstation::{SOCKET, TOKEN};

/// The word that stands for it: for programs, so it is in no list of commands.
const HOOK: &str = "hook";

/// The event that a hook is about, if the arguments ask for one: `hook EVENT [CLI]`.
pub(super) fn asked(arguments: &[OsString]) -> Option<String> {
    match arguments {
        [word, event] | [word, event, _] if word == HOOK => Some(event.to_string_lossy().into_owned()),
        [word] if word == HOOK => Some(String::new()),
        _ => None,
    }
}

/// Answers a hook.
pub(super) fn run(event: &str) -> ExitCode {
    let reply = match ask(event) {
        Ok(reply) => reply,
        Err(report) => {
            let Output { stdout, status, .. } = Output::refused(event, &report.message);
            Reply { output: stdout, error: Some(report), status }
        }
    };
    if let Some(report) = &reply.error {
        super::output::note(&report.to_string());
    }
    let mut out = io::stdout().lock();
    let printed = out.write_all(reply.output.as_bytes()).and_then(|()| out.flush());
    // An allowance that nobody hears is none.
    if printed.is_ok() { ExitCode::from(reply.status) } else { ExitCode::from(2) }
}

fn ask(event: &str) -> Result<Reply, Report> {
    let outside = || {
        Report::refused("`paralane hook` found no lane to speak for")
            .hint("it is started by a native CLI in a lane, with PARALANE_TOKEN and PARALANE_SOCKET set")
    };
    let mut payload = Vec::new();
    let most = MAX_PAYLOAD as u64 + 1;
    io::stdin()
        .lock()
        .take(most)
        .read_to_end(&mut payload)
        .map_err(|error| Report::refused(format!("the hook's payload cannot be read: {error}")))?;
    if payload.len() > MAX_PAYLOAD {
        return Err(Report::refused(format!(
            "the hook's payload has more than {MAX_PAYLOAD} bytes; nothing was allowed"
        )));
    }
    let token = std::env::var(TOKEN).map_err(|_| outside())?;
    let socket = std::env::var_os(SOCKET).ok_or_else(outside)?;
    let gone = || {
        Report::refused("the workstation of this lane has ended, so nothing is allowed")
            .hint("start it again with `paralane`, then `lane restart`")
    };
    let stream = client::connect(Path::new(&socket))?.ok_or_else(gone)?;
    let payload = String::from_utf8_lossy(&payload).into_owned();
    let hello = client::hello(Client::Hook(HookHello { token, event: event.to_owned(), payload }), Vec::new());
    let frame = encode_message(&ClientMessage::Hello(hello))
        .map_err(|error| Report::internal(format!("cannot ask the workstation: {error}")))?;
    answered(stream, &frame)?.ok_or_else(gone)
}

/// Sends the question and reads the answer; none when the workstation ends first.
fn answered(mut stream: UnixStream, frame: &[u8]) -> Result<Option<Reply>, Report> {
    if stream.write_all(frame).is_err() {
        return Ok(None);
    }
    let mut decoder = Decoder::default();
    let mut bytes = vec![0; 16 * 1024];
    loop {
        match decoder.packet::<ServerMessage>() {
            Ok(Some(Packet::Message(ServerMessage::Reply(reply)))) => return Ok(Some(reply)),
            Ok(Some(Packet::Message(ServerMessage::Refused(report)))) => return Err(report),
            Ok(None) => {}
            Ok(Some(_)) | Err(_) => {
                return Err(Report::internal("the workstation answered something else than a hook"));
            }
        }
        match stream.read(&mut bytes) {
            Ok(0) => return Ok(None),
            Ok(count) => decoder.push(&bytes[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_ask_for_a_hook() {
        let words = |all: &[&str]| all.iter().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(asked(&words(&["hook", "PreToolUse", "claude"])).as_deref(), Some("PreToolUse"));
        assert_eq!(asked(&words(&["hook", "Stop"])).as_deref(), Some("Stop"));
        assert_eq!(asked(&words(&["hooks"])), None);
        assert_eq!(asked(&words(&["mcp"])), None);
    }
}
