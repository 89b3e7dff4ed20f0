//! Where a client sits, as the kernel tells: its user, its session's leader and when that started.
//!
//! A session is what a terminal gives to whatever is started in it, so two answers from one terminal have one session,
//! whichever program gave them. What the client says of itself does not count.

use tokio::net::UnixStream;

use super::environment::PROJECT_MARK;
use crate::base::Process;
use crate::domain::{Answerer, Seat};

/// Parents looked at, to see whether a program runs in a lane. Who hides behind more counts for nobody.
#[cfg(target_os = "linux")]
const ANCESTORS: usize = 512;
/// How often the line of parents is looked at when one of them ends meanwhile.
#[cfg(target_os = "linux")]
const LOOKS: usize = 3;

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
    // Nobody can be told from anybody then: all are one.
    let unseen = |words| Answerer { session: "unknown".to_owned(), ..Answerer::unknown(words) };
    let Some((peer, pid)) = peer.and_then(|peer| Some((peer, peer.pid?))) else { return unseen(client.to_owned()) };
    seated(peer.user, pid, client, project).unwrap_or_else(unseen)
}

/// Where a process sits, as `/proc` shows it; only words of one that it does not show.
#[cfg(target_os = "linux")]
fn seated(user: u32, pid: u32, client: &str, project: &str) -> Result<Answerer, String> {
    let (Some(own), Some(line)) = (Process::of(pid), line_above(pid)) else {
        return Err(format!("{client} that has ended, or is hidden"));
    };
    let terminal = own.terminal();
    let words = match &terminal {
        Some(terminal) => format!("{client} on {terminal}"),
        None => format!("{client} without a terminal (session {})", own.session),
    };
    let workstation = std::process::id();
    let in_lane = own.has_variable(&format!("{PROJECT_MARK}={project}"))
        || line.iter().any(|ancestor| ancestor.pid == workstation);
    let seat = match terminal {
        _ if in_lane => Seat::Lane,
        None => Seat::NoTerminal,
        Some(_) => Seat::Terminal,
    };
    let session = key(user, own.session);
    let mut above: Vec<String> = Vec::new();
    for ancestor in line.iter().filter(|ancestor| ancestor.terminal().is_some()) {
        let key = key(user, ancestor.session);
        if key != session && !above.contains(&key) {
            above.push(key);
        }
    }
    Ok(Answerer { session, words, seat, above })
}

/// Without a list of processes only a window is surely somebody: it has handed over its terminal.
#[cfg(not(target_os = "linux"))]
fn seated(user: u32, pid: u32, client: &str, _project: &str) -> Result<Answerer, String> {
    let seat = if client == "window" { Seat::Terminal } else { Seat::Unseen };
    Ok(Answerer { session: key(user, session(pid)), words: client.to_owned(), seat, above: Vec::new() })
}

/// What tells a session from all others. 0 stands for those whose leader is outside what this process can see, as in a
/// container: they are one.
fn key(user: u32, session: u32) -> String {
    if session == 0 {
        return "outside".to_owned();
    }
    let started = Process::of(session).map_or(0, |leader| leader.start_time);
    format!("{user}/{session}/{started}")
}

/// The session of a process; 0 when the kernel does not say.
#[cfg(not(target_os = "linux"))]
fn session(pid: u32) -> u32 {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    let session = pid.and_then(|pid| rustix::process::getsid(pid).ok());
    session.map_or(0, |session| session.as_raw_nonzero().get().unsigned_abs())
}

/// A process's parent, the parent of that, and so on; none when one of them ends meanwhile, or they do not come to an
/// end: what is not seen must not count as outside of the lanes.
#[cfg(target_os = "linux")]
fn line_above(pid: u32) -> Option<Vec<Process>> {
    // One that ends in between hands its children on, so that another look sees a whole line.
    (0..LOOKS).find_map(|_| {
        let mut line = Vec::new();
        let mut at = Process::of(pid)?;
        while at.parent != 0 {
            at = Process::of(at.parent)?;
            line.push(at);
            if line.len() > ANCESTORS {
                return None;
            }
        }
        Some(line)
    })
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
        // Its own leader may be outside what a container shows; that of the other is within it.
        assert!(other_one.session.starts_with("7/"), "{other_one:?}");
        assert_ne!(own.seat, Seat::Lane);
        assert_eq!(same_one.seat, Seat::Lane, "what this process has started runs in a lane");
        assert_eq!(other_one.seat, Seat::Lane, "a session of its own hides nothing");
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
        assert_eq!(orphan.seat, Seat::Lane);
        assert_eq!(stranger.seat, Seat::NoTerminal, "a stranger's, in the background");
    }

    #[test]
    fn nobody_is_told_from_anybody_where_the_kernel_says_nothing() {
        let (one, two) = (of(None, "window", ""), of(None, "shell", ""));
        assert_eq!((&one.session, one.seat), (&two.session, Seat::Unseen));
        let mut ended = Command::new("true").spawn().unwrap();
        ended.wait().unwrap();
        let gone = sit(ended.id());
        assert_eq!((&gone.session, gone.seat), (&one.session, Seat::Unseen));
    }
}
