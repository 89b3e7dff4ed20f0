//! `paralane hook EVENT`: a native CLI's hook. It hands what the CLI told it to the workstation and prints the answer.
//! It must take no longer than a few milliseconds: no runtime, no parsing of arguments, no configuration.
//!
//! When it cannot be answered, what waits for leave gets none, and what only tells goes on. Without a workstation the
//! CLI may still read by its own rules, where the lane was launched with none of ours about reading.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use super::client;
use crate::base::Report;
use crate::domain::{Asking, Cli};
use crate::native::{self, MAX_PAYLOAD, Output};
use crate::protocol::{
    Client, ClientMessage, Decoder, HookHello, Packet, Reply, ServerMessage, VERSION, encode_message,
};
use crate::workstation::{PROTOCOL, READS, SOCKET, TOKEN};

/// The word that stands for it: for programs, so it is in no list of commands.
pub(super) const HOOK: &str = "hook";

/// How long the answer may take to what only tells, and to what waits for a rule. Each is shorter than the CLI waits: one
/// that gives up on its hook goes on as if it had been allowed.
const TELLS: Duration = Duration::from_secs(8);
const DECIDES: Duration = Duration::from_secs(20);

/// A hook that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    /// The event, by the CLI's own name.
    event: String,
    /// The CLI, where it is said and known.
    cli: Option<Cli>,
}

impl Asked {
    /// How long its answer may take; none where it waits for a person.
    fn patience(&self) -> Option<Duration> {
        let holds = self.cli.is_none_or(|cli| cli.asking() == Asking::Holds);
        match native::gates(&self.event) {
            true if holds || self.event == "PermissionRequest" => None,
            true => Some(DECIDES),
            false => Some(TELLS),
        }
    }
}

/// The hook that the arguments ask for, if they do: `hook EVENT [CLI]`.
pub(super) fn asked(arguments: &[OsString]) -> Option<Asked> {
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    match arguments {
        [word, event] if word == HOOK => Some(Asked { event: text(event), cli: None }),
        [word, event, cli] if word == HOOK => Some(Asked { event: text(event), cli: text(cli).parse().ok() }),
        [word] if word == HOOK => Some(Asked { event: String::new(), cli: None }),
        _ => None,
    }
}

/// Refuses what was launched by a workstation of another protocol: neither would understand the other.
pub(super) fn same_protocol(theirs: u32) -> Result<(), Report> {
    if theirs == VERSION {
        return Ok(());
    }
    Err(Report::refused(format!(
        "this lane was launched with protocol {theirs}, and this program speaks protocol {VERSION}: nothing was allowed"
    ))
    .hint("`paralane down` ends the workstation; `paralane`, then `lane restart NAME`, launches the lane anew"))
}

/// Answers a hook.
pub(super) fn run(asked: &Asked) -> ExitCode {
    let event = asked.event.as_str();
    let reply = match ask(asked) {
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

fn ask(asked: &Asked) -> Result<Reply, Report> {
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
    if let Some(theirs) = std::env::var(PROTOCOL).ok().and_then(|number| number.parse().ok()) {
        same_protocol(theirs)?;
    }
    let token = std::env::var(TOKEN).map_err(|_| outside())?;
    let socket = std::env::var_os(SOCKET).ok_or_else(outside)?;
    let gone = || {
        Report::refused("the workstation of this lane has ended, so nothing is allowed")
            .hint("start it again with `paralane`, then `lane restart`")
    };
    let reads = native::looks(&asked.event, &payload) && std::env::var(READS).is_ok_and(|word| word == "open");
    // No opinion: the CLI's own rules hold.
    let alone = || if reads { Ok(Reply::done(Output::empty().stdout)) } else { Err(gone()) };
    let Some(stream) = client::connect(Path::new(&socket))? else { return alone() };
    let payload = String::from_utf8_lossy(&payload).into_owned();
    let hello = client::hello(Client::Hook(HookHello { token, event: asked.event.clone(), payload }), Vec::new());
    let frame = encode_message(&ClientMessage::Hello(hello))
        .map_err(|error| Report::internal(format!("cannot ask the workstation: {error}")))?;
    stream
        .set_read_timeout(asked.patience())
        .map_err(|error| Report::internal(format!("cannot wait for the workstation: {error}")))?;
    answered(stream, &frame)?.map_or_else(alone, Ok)
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
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                return Err(Report::refused(
                    "the workstation of this lane did not answer in time, so nothing is allowed",
                )
                .hint("look at its log in the state directory; `paralane down` ends it"));
            }
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
        let of = |all: &[&str]| asked(&words(all)).unwrap();
        assert_eq!(of(&["hook", "PreToolUse", "claude"]).event, "PreToolUse");
        assert_eq!(of(&["hook", "Stop"]), Asked { event: "Stop".into(), cli: None });
        assert_eq!(of(&["hook", "PreToolUse", "claude"]).patience(), Some(DECIDES));
        assert_eq!(of(&["hook", "Stop", "claude"]).patience(), Some(TELLS));
        assert_eq!(of(&["hook", "PreToolUse", "codex"]).patience(), None, "it waits for the person");
        assert_eq!(of(&["hook", "PermissionRequest", "claude"]).patience(), None);
        let refused = same_protocol(VERSION + 1).unwrap_err().to_string();
        assert!(refused.contains(&VERSION.to_string()) && refused.contains(&(VERSION + 1).to_string()), "{refused}");
        assert_eq!(asked(&words(&["hooks"])), None);
        assert_eq!(asked(&words(&["mcp"])), None);
    }
}
