//! Where a client sits, as the kernel tells: its user, its session's leader and when that started.
//!
//! A session is what a terminal gives to whatever is started in it, so two answers from one terminal have one session,
//! whichever program gave them. What the client says of itself does not count.

use tokio::net::UnixStream;

use super::environment::PROJECT_MARK;
use crate::base::Process;
use crate::domain::Answerer;

/// Parents looked at, to see whether a program runs in a lane.
const ANCESTORS: usize = 64;

/// The process at the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer {
    user: u32,
    pid: Option<u32>,
}

impl Peer {
    /// Who has connected; none when the kernel does not say.
    pub fn of(stream: &UnixStream) -> Option<Self> {
        let told = stream.peer_cred().ok()?;
        Some(Self { user: told.uid(), pid: told.pid().and_then(|pid| u32::try_from(pid).ok()) })
    }
}

/// How a client is called: `window`, `shell`. `project` is the value that marks the processes of this workstation.
pub(super) fn of(peer: Option<Peer>, client: &str, project: &str) -> Answerer {
    let Some((peer, pid)) = peer.and_then(|peer| Some((peer, peer.pid?))) else {
        // Nobody can be told from anybody then: all are one.
        return Answerer { session: "unknown".to_owned(), words: client.to_owned(), in_lane: false };
    };
    let own = Process::of(pid);
    let session = session(pid, own.as_ref());
    let started = Process::of(session).map_or(0, |leader| leader.start_time);
    let place = match own.and_then(|own| own.terminal()) {
        Some(terminal) => format!("{client} on {terminal}"),
        None => format!("{client} without a terminal (session {session})"),
    };
    let marked = own.is_some_and(|own| own.has_variable(&format!("{PROJECT_MARK}={project}")));
    Answerer {
        session: format!("{}/{session}/{started}", peer.user),
        words: place,
        in_lane: marked || below(own, std::process::id()),
    }
}

/// The session of a process; 0 when its leader is outside what this process can see, as in a container: all of those are
/// one.
#[cfg(target_os = "linux")]
fn session(_: u32, own: Option<&Process>) -> u32 {
    own.map_or(0, |process| process.session)
}

/// The session of a process; 0 when the kernel does not say.
#[cfg(not(target_os = "linux"))]
fn session(pid: u32, _: Option<&Process>) -> u32 {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    let session = pid.and_then(|pid| rustix::process::getsid(pid).ok());
    session.map_or(0, |session| session.as_raw_nonzero().get().unsigned_abs())
}

/// Whether a process was started by another, or by one that it has started.
fn below(process: Option<Process>, ancestor: u32) -> bool {
    let mut at = process;
    for _ in 0..ANCESTORS {
        match at.map(|process| process.parent) {
            Some(parent) if parent == ancestor => return true,
            Some(parent) if parent > 1 => at = Process::of(parent),
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::process::{Child, Command, Stdio};

    use super::*;

    fn sit(pid: u32) -> Answerer {
        of(Some(Peer { user: 7, pid: Some(pid) }), "shell", "/h/store")
    }

    /// A program that has begun: what the kernel says of it is what it is.
    fn begun(command: &mut Command) -> Child {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut up = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut up).unwrap();
        child
    }

    #[test]
    fn programs_of_one_session_are_one_and_another_session_is_another() {
        let script = "echo up; exec cat";
        let mut same = begun(Command::new("sh").args(["-c", script]));
        let mut other = begun(Command::new("setsid").args(["sh", "-c", script]));
        let (own, same_one, other_one) = (sit(std::process::id()), sit(same.id()), sit(other.id()));
        for child in [&mut same, &mut other] {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert_eq!(own.session, same_one.session);
        assert_ne!(own.session, other_one.session);
        assert!(own.session.starts_with("7/"), "{own:?}");
        assert!((own.in_lane, same_one.in_lane) == (false, true), "what this process has started runs in a lane");
        assert!(other_one.in_lane, "a session of its own hides nothing");
    }

    #[test]
    fn a_mark_tells_what_has_lost_its_parent() {
        // Its parent is gone at once.
        let script = "(sleep 60 & echo $!)";
        let mut command = Command::new("setsid");
        command.args(["sh", "-c", script]).env(PROJECT_MARK, "/h/store").stdout(Stdio::piped());
        let mut shell = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(shell.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let pid: u32 = line.trim().parse().unwrap();
        shell.wait().unwrap();
        let (orphan, stranger) = (sit(pid), of(Some(Peer { user: 7, pid: Some(pid) }), "shell", "/h/other"));
        let process = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
        rustix::process::kill_process(process, rustix::process::Signal::KILL).unwrap();
        assert!(orphan.in_lane && !stranger.in_lane, "{orphan:?} {stranger:?}");
    }

    #[test]
    fn nobody_is_told_from_anybody_where_the_kernel_says_nothing() {
        let (one, two) = (of(None, "window", ""), of(None, "shell", ""));
        assert_eq!(one.session, two.session);
    }
}
