//! The socket's other side for one-shot commands: connect, say hello, read the reply.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use crate::base::Report;
use crate::protocol::{
    Client, ClientMessage, CommandHello, Decoder, Hello, Packet, Reply, ServerMessage, VERSION, encode_message,
};

/// How long a command waits for its reply unless it was told to wait for a prompt's end. Closing a lane may
/// have to end programs and remove a large worktree first.
const PATIENCE: Duration = Duration::from_secs(120);

/// Whether a reply may take as long as it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// A workstation that says nothing for long hangs.
    Short,
    /// The command waits for something that has no limit of its own.
    Open,
}

/// Connects to the workstation, if one listens.
///
/// # Errors
/// When the socket is there and cannot be used for another reason.
pub(super) fn connect(socket: &Path) -> Result<Option<UnixStream>, Report> {
    match UnixStream::connect(socket) {
        Ok(stream) => Ok(Some(stream)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) => Ok(None),
        Err(error) => {
            Err(Report::refused(format!("cannot connect to the workstation at `{}`: {error}", socket.display()))
                .hint("check that the state directory belongs to you"))
        }
    }
}

/// The hello of a client of this program.
pub(super) fn hello(client: Client, environment: Vec<(String, String)>) -> Hello {
    Hello { protocol: VERSION, version: env!("CARGO_PKG_VERSION").to_owned(), client, environment }
}

/// Runs one command on the workstation.
///
/// # Errors
/// When the workstation refuses the hello, ends, or does not answer.
pub(super) fn command(
    mut stream: UnixStream,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    wait: Wait,
) -> Result<Reply, Report> {
    let message = ClientMessage::Hello(hello(Client::Command(CommandHello { arguments }), environment));
    let frame =
        encode_message(&message).map_err(|error| Report::internal(format!("cannot send the command: {error}")))?;
    let patience = (wait == Wait::Short).then_some(PATIENCE);
    let lost = |error: io::Error| match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            Report::internal(format!("the workstation did not answer within {} s", PATIENCE.as_secs()))
                .hint("look at its log in the state directory; `paralane down` ends it")
        }
        _ => ended(),
    };
    stream.set_read_timeout(patience).map_err(lost)?;
    stream.write_all(&frame).map_err(lost)?;
    let mut decoder = Decoder::default();
    let mut bytes = vec![0; 64 * 1024];
    loop {
        match decoder.packet::<ServerMessage>() {
            Ok(Some(Packet::Message(ServerMessage::Reply(reply)))) => return Ok(reply),
            Ok(Some(Packet::Message(ServerMessage::Refused(report)))) => return Err(report),
            Ok(Some(_)) => continue,
            Ok(None) => {}
            Err(error) => return Err(Report::internal(format!("the workstation sent {error}"))),
        }
        match stream.read(&mut bytes) {
            Ok(0) => return Err(ended()),
            Ok(count) => decoder.push(&bytes[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(lost(error)),
        }
    }
}

fn ended() -> Report {
    Report::internal("the workstation ended before it answered")
        .hint("what it had acknowledged is kept; start it again with `paralane`")
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    /// Runs a command against a workstation that answers with these bytes.
    fn against(answer: Vec<u8>) -> Result<Reply, Report> {
        let directory = tempfile::tempdir().unwrap();
        let socket = directory.path().join("s");
        let listener = UnixListener::bind(&socket).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                let mut decoder = Decoder::default();
                let mut bytes = [0; 256];
                while decoder.packet::<ClientMessage>().unwrap().is_none() {
                    let count = stream.read(&mut bytes).unwrap();
                    decoder.push(&bytes[..count]);
                }
                stream.write_all(&answer).unwrap();
            });
            command(connect(&socket).unwrap().unwrap(), vec!["status".into()], Vec::new(), Wait::Short)
        })
    }

    #[test]
    fn a_reply_comes_back_as_it_was() {
        let reply = Reply::done("two lanes");
        assert_eq!(against(encode_message(&ServerMessage::Reply(reply.clone())).unwrap()), Ok(reply));
    }

    #[test]
    fn a_refusal_is_told_in_its_words() {
        let report = Report::refused("another version").hint("run `paralane down`");
        assert_eq!(against(encode_message(&ServerMessage::Refused(report.clone())).unwrap()), Err(report));
    }

    #[test]
    fn a_workstation_that_ends_or_talks_nonsense_is_a_plain_error() {
        assert!(against(Vec::new()).unwrap_err().message.contains("ended before"));
        assert_eq!(against(vec![1, 0, 0, 0, 9]).unwrap_err().exit_status(), 3);
    }

    #[test]
    fn nobody_listens_where_no_socket_is() {
        let directory = tempfile::tempdir().unwrap();
        assert!(connect(&directory.path().join("s")).unwrap().is_none());
        let stale = directory.path().join("stale");
        drop(UnixListener::bind(&stale).unwrap());
        assert!(connect(&stale).unwrap().is_none());
    }
}
