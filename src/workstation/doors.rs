//! Tokens of lanes' programs, and their calls on the way to the loop.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::{Map, Value};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::connection::FromClient;
use super::environment::{MCP_URL, SOCKET, TOKEN};
use crate::app::RequestId;
use crate::base::{Process, Report, lock, sha256_hex};
use crate::command::{tool_answer, tool_refusal};
use crate::domain::{Cli, LaneDoor, LaneId, NativeUsage, PortFuture};
use crate::mcp::Listener;
use crate::native::{Ground, Meter};
use crate::protocol::Reply;
use crate::terminal::ProcessIdentity;

/// Calls are numbered from here, clients' requests from 1: they never meet.
const FIRST: u64 = 1 << 63;

/// A call of a lane's tool, on its way to the loop.
pub(super) struct ToolClient {
    pub id: RequestId,
    pub lane: LaneId,
    pub tool: String,
    pub arguments: Map<String, Value>,
    /// Where the loop says what the lane is called now.
    pub name: Arc<OnceLock<String>>,
    pub reply: oneshot::Sender<Reply>,
}

/// How far a process's ancestors are followed.
const ANCESTORS: usize = 64;

/// Whose process asks, beside the lane that its token stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kin {
    /// The lane's own program has started it.
    Own,
    /// Another lane's has.
    Of(LaneId),
    /// No lane's program has.
    Outside,
    /// That cannot be told: the system does not tell, or the program is not known yet.
    Unknown,
}

/// A lane's program, as far as its hooks are concerned.
struct Guarded {
    native: Option<(Cli, Arc<Ground>)>,
    meter: Arc<Mutex<Meter>>,
    process: Option<ProcessIdentity>,
    /// Programs whose end was told before it was known which one this is.
    gone: Vec<ProcessIdentity>,
}

/// A token that was given out.
struct Key {
    lane: LaneId,
    /// Cancelled when the token is void.
    void: CancellationToken,
}

/// The way in for lanes' programs. A token is valid while the program that it was given to is the lane's.
pub(super) struct Doors {
    /// By the token's SHA-256: what is compared tells nothing of the token.
    keys: Mutex<HashMap<String, Key>>,
    /// The programs that run, and the ground of those that are native CLIs.
    programs: Mutex<HashMap<LaneId, Guarded>>,
    clients: mpsc::Sender<FromClient>,
    socket: PathBuf,
    /// Where calls are answered, and where what is large is read.
    runtimes: (Handle, Handle),
    last: AtomicU64,
    listener: OnceLock<Listener>,
    /// Held while the listener is started.
    starting: Mutex<()>,
}

impl Doors {
    pub fn new(clients: mpsc::Sender<FromClient>, socket: PathBuf, runtimes: (Handle, Handle)) -> Self {
        Self {
            keys: Mutex::default(),
            programs: Mutex::default(),
            clients,
            socket,
            runtimes,
            last: AtomicU64::new(FIRST),
            listener: OnceLock::new(),
            starting: Mutex::default(),
        }
    }

    /// What a lane's program is to find in its environment to reach its tools. The token before this one is void. The
    /// first call starts the server.
    ///
    /// # Errors
    /// When the system gives no port or no random bytes.
    pub fn key(self: &Arc<Self>, lane: LaneId) -> Result<[(OsString, OsString); 3], Report> {
        let fault = |error: std::io::Error| {
            Report::internal(format!("cannot give the lane's program its tools: {error}"))
                .hint("the loopback interface and /dev/urandom must be usable")
        };
        let url = self.url().map_err(fault)?;
        let token = random_token().map_err(fault)?;
        // The program before is not the lane's any more: its end, told late, does not void this token.
        self.revoke(lane);
        lock(&self.keys).insert(sha256_hex(token.as_bytes()), Key { lane, void: CancellationToken::new() });
        Ok([(TOKEN.into(), token.into()), (MCP_URL.into(), url.into()), (SOCKET.into(), self.socket.clone().into())])
    }

    /// A program is about to run in the lane: what it is, if it is a native CLI.
    pub fn guard(&self, lane: LaneId, native: Option<(Cli, Ground)>) {
        let native = native.map(|(cli, ground)| (cli, Arc::new(ground)));
        let program = Guarded { native, meter: Arc::default(), process: None, gone: Vec::new() };
        lock(&self.programs).insert(lane, program);
    }

    /// It runs.
    pub fn runs(&self, lane: LaneId, process: ProcessIdentity) {
        let mut programs = lock(&self.programs);
        let Some(program) = programs.get_mut(&lane) else { return };
        program.process = Some(process);
        let over = std::mem::take(&mut program.gone).contains(&process);
        drop(programs);
        if over {
            self.revoke(lane);
        }
    }

    /// A program of the lane has ended: if it is the one that runs there, its token is void.
    pub fn ended(&self, lane: LaneId, process: ProcessIdentity) {
        let mut programs = lock(&self.programs);
        let Some(program) = programs.get_mut(&lane) else { return };
        match program.process {
            Some(running) if running == process => {
                drop(programs);
                self.revoke(lane);
            }
            Some(_) => {}
            None => program.gone.push(process),
        }
    }

    /// The lane's native CLI and its ground.
    pub fn native(&self, lane: LaneId) -> Option<(Cli, Arc<Ground>)> {
        lock(&self.programs).get(&lane).and_then(|program| program.native.clone())
    }

    /// What the lane's conversation has used, by its record in this file. Blocks.
    pub fn used(&self, lane: LaneId, cli: Cli, file: &Path) -> Option<NativeUsage> {
        let meter = Arc::clone(&lock(&self.programs).get(&lane)?.meter);
        lock(&meter).look(cli, file)
    }

    /// Whose process this is.
    pub fn kin(&self, lane: LaneId, pid: u32) -> Kin {
        let programs: Vec<(LaneId, Option<ProcessIdentity>)> =
            lock(&self.programs).iter().map(|(of, program)| (*of, program.process)).collect();
        let Some(first) = Process::of(pid) else { return Kin::Unknown };
        let mut at = Some(first);
        for process in (0..ANCESTORS).map_while(|_| {
            let process = at?;
            at = Process::of(process.parent);
            Some(process)
        }) {
            let is = |known: &ProcessIdentity| (known.pid, known.start_time) == (process.pid, process.start_time);
            if let Some((of, _)) = programs.iter().find(|(_, known)| known.as_ref().is_some_and(is)) {
                return if *of == lane { Kin::Own } else { Kin::Of(*of) };
            }
        }
        // One whose parent has ended is still of the session that the program began.
        let of = programs.iter().find(|(of, _)| *of == lane).map(|(_, known)| known);
        match of {
            Some(Some(known)) if known.pid == first.session => Kin::Own,
            Some(Some(_)) => Kin::Outside,
            // It has started, and is about to be known.
            _ => Kin::Unknown,
        }
    }

    /// The lane has no program: its token is void, and whatever was let in by it ends.
    pub fn revoke(&self, lane: LaneId) {
        lock(&self.programs).remove(&lane);
        lock(&self.keys).retain(|_, key| {
            let stays = key.lane != lane;
            if !stays {
                key.void.cancel();
            }
            stays
        });
    }

    /// The lane that a token stands for, and what is cancelled once it does not any more.
    pub fn admit(&self, token: &str) -> Option<(LaneId, CancellationToken)> {
        lock(&self.keys).get(&sha256_hex(token.as_bytes())).map(|key| (key.lane, key.void.clone()))
    }

    fn url(self: &Arc<Self>) -> std::io::Result<String> {
        let _alone = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listener) = self.listener.get() {
            return Ok(listener.url());
        }
        let (front, back) = &self.runtimes;
        let listener = Listener::start(Arc::clone(self) as Arc<dyn LaneDoor>, front, back)?;
        Ok(self.listener.get_or_init(|| listener).url())
    }
}

impl LaneDoor for Doors {
    fn lane_of(&self, token: &str) -> Option<LaneId> {
        self.admit(token).map(|(lane, _)| lane)
    }

    fn call(
        &self,
        lane: LaneId,
        tool: String,
        arguments: Map<String, Value>,
    ) -> PortFuture<'static, Result<String, String>> {
        let id = RequestId(self.last.fetch_add(1, Ordering::Relaxed));
        let clients = self.clients.clone();
        Box::pin(async move {
            let ended = || "the workstation ends; nothing was done".to_owned();
            let (reply, answered) = oneshot::channel();
            let name = Arc::new(OnceLock::new());
            let (called, given) = (tool.clone(), arguments.clone());
            let call = ToolClient { id, lane, tool, arguments, name: Arc::clone(&name), reply };
            clients.send(FromClient::Tool(call)).await.map_err(|_| ended())?;
            let waiting = Waiting { id, clients: Some(clients) };
            let reply = answered.await.map_err(|_| ended())?;
            waiting.over();
            match reply.error {
                Some(report) => Err(tool_refusal(name.get().map_or("", String::as_str), &report)),
                None => Ok(tool_answer(&called, &given, reply.output)),
            }
        })
    }
}

/// Tells the loop when nobody waits for a call's answer any more.
struct Waiting {
    id: RequestId,
    clients: Option<mpsc::Sender<FromClient>>,
}

impl Waiting {
    fn over(mut self) {
        self.clients = None;
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(clients) = &self.clients {
            // When the loop is too busy to hear it, the answer goes nowhere once it comes.
            let _ = clients.try_send(FromClient::CommandGone(self.id));
        }
    }
}

/// 32 hexadecimal digits that nobody can guess.
pub(super) fn random_token() -> std::io::Result<String> {
    let mut bytes = [0u8; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doors(room: usize) -> (Arc<Doors>, mpsc::Receiver<FromClient>) {
        let (clients, inbox) = mpsc::channel(room);
        let here = Handle::current();
        (Arc::new(Doors::new(clients, PathBuf::from("/s"), (here.clone(), here))), inbox)
    }

    #[tokio::test]
    async fn a_token_stands_for_one_lane_until_the_next_one() {
        let (doors, _inbox) = doors(1);
        let (api, web) = (LaneId(1), LaneId(2));
        let [first, second, other] = [api, api, web].map(|lane| {
            let [(_, token), (_, url), _] = doors.key(lane).unwrap();
            (token.into_string().unwrap(), url)
        });
        assert_eq!(first.1, other.1, "one server for all lanes");
        assert_eq!((doors.lane_of(&first.0), doors.lane_of(&second.0)), (None, Some(api)));
        assert_eq!(doors.lane_of(&other.0), Some(web));
        doors.revoke(web);
        assert_eq!((doors.lane_of(&other.0), doors.lane_of("")), (None, None));
    }

    #[tokio::test]
    async fn a_token_ends_with_the_program_that_has_it_and_with_no_other() {
        let (doors, _inbox) = doors(1);
        let lane = LaneId(1);
        let program = |pid| ProcessIdentity { pid, group: pid, start_time: 7 };
        let start = || {
            let [(_, token), ..] = doors.key(lane).unwrap();
            doors.guard(lane, None);
            token.into_string().unwrap()
        };
        let first = start();
        doors.runs(lane, program(5));
        let (_, void) = doors.admit(&first).unwrap();
        // The next program is on its way when the end of the first one is told.
        let second = start();
        assert!(void.is_cancelled() && doors.lane_of(&first).is_none());
        doors.ended(lane, program(5));
        doors.runs(lane, program(6));
        doors.ended(lane, program(5));
        let (_, void) = doors.admit(&second).unwrap();
        assert!(!void.is_cancelled());
        doors.ended(lane, program(6));
        assert!(void.is_cancelled() && doors.lane_of(&second).is_none());
        // One that has ended before it was known.
        let third = start();
        doors.ended(lane, program(7));
        assert!(doors.lane_of(&third).is_some());
        doors.runs(lane, program(7));
        assert!(doors.lane_of(&third).is_none());
    }

    #[tokio::test]
    async fn a_call_that_is_given_up_is_told_to_the_loop() {
        let (doors, mut inbox) = doors(4);
        let waiting = tokio::spawn(doors.call(LaneId(1), "lanes".into(), Map::new()));
        let Some(FromClient::Tool(call)) = inbox.recv().await else { panic!("no call") };
        waiting.abort();
        let Some(FromClient::CommandGone(gone)) = inbox.recv().await else { panic!("not told") };
        assert_eq!(gone, call.id);
    }
}
